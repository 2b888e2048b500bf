"""Contrastives of one target pronoun: by the language's perturbation, or by a recipe's own tables."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from kontrast.building.perturb import get
from kontrast.building.perturb.text import like
from kontrast.building.pronouns.recipe import Agreement, Recipe
from kontrast.language import annotators
from kontrast.language.alignment import Span, spans
from kontrast.language.annotation import Sentence

__all__ = ["Contrastive", "contrastives"]


class Contrastive(msgspec.Struct, frozen=True):
    """A target sentence with another pronoun, the pronoun itself and its gender."""

    text: str
    replacement: str
    gender: str


def contrastives(
    recipe: Recipe, text: str, start: int, end: int, is_subject: bool | None = None
) -> list[Contrastive]:
    """One contrastive for each other gender of the pronoun at these characters; empty where it cannot change.

    Where the target form leaves its case open (*sie*, *es*), ``is_subject`` of the source decides: *er* or *ihn*.
    """
    own = recipe.targets[text[start:end].lower()].gender
    found = (
        _by_table(recipe, text, start, end) if recipe.contrast == "table" else _by_perturbation(recipe, text, start)
    )
    chosen: dict[str, Contrastive] = {}
    if is_subject is not None:
        found.sort(key=lambda made: recipe.targets[made.replacement.lower()].subject not in (None, is_subject))
    for made in found:
        if made.gender not in own and made.gender not in chosen:
            chosen[made.gender] = made
    return list(chosen.values())


def _by_perturbation(recipe: Recipe, text: str, start: int) -> list[Contrastive]:
    perturbation = get(recipe.target_language, recipe.contrast)
    # German's own perturbation reads plain text; French has part of speech to lean on.
    sentence = Sentence(text, ()) if recipe.target_language == "de" else _annotated(recipe.target_language, text)
    found = []
    for candidate in perturbation.function(sentence):
        if candidate.chain or candidate.plain:
            continue
        for edit in candidate.edits:
            # Elision may have widened the edit to the left: s'il, si elle.
            if edit.start <= start < edit.end and (word := _pronoun_in(edit.new, recipe)):
                target = recipe.targets[word.lower()]
                found += [Contrastive(candidate.text, word, gender) for gender in target.gender]
                break
    return found


def _annotated(language: str, text: str) -> Sentence:
    return next(annotators.get(language).annotate([text]))


def _pronoun_in(text: str, recipe: Recipe) -> str | None:
    match = recipe.target_pattern.search(text)
    return match.group() if match else None


def _by_table(recipe: Recipe, text: str, start: int, end: int) -> list[Contrastive]:
    words = spans(text)
    index = next(i for i, word in enumerate(words) if word.start == start)
    found = []
    for new in recipe.swaps.get(text[start:end].lower(), ()):
        target = recipe.targets[new]
        edits = [(start, end, like(text[start:end], new))]
        if recipe.agreement is not None:
            feminine = target.gender == "f"
            edits += _agreeing(words, index, recipe.agreement, feminine)
        changed = text
        for first, last, replacement in sorted(edits, reverse=True):
            changed = changed[:first] + replacement + changed[last:]
        found += [Contrastive(changed, like(text[start:end], new), gender) for gender in target.gender]
    return found


def _agreeing(words: Sequence[Span], index: int, agreement: Agreement, feminine: bool) -> list[tuple[int, int, str]]:
    """The first word behind a verb of the recipe that bears an ending of the other gender."""
    verbs = [i for i in range(index + 1, min(index + 4, len(words))) if words[i].text.lower() in agreement.after]
    for i in verbs[:1]:
        j = i + 1
        while j < len(words) and words[j].text.lower() in agreement.over:
            j += 1
        if j < len(words) and words[j].text.lower() not in agreement.fixed:
            pairs = sorted(agreement.endings, key=lambda pair: -max(map(len, pair)))
            for masculine, feminine_ending in pairs:
                old, new = (masculine, feminine_ending) if feminine else (feminine_ending, masculine)
                if re.fullmatch(rf"\w{{2,}}{old}", words[j].text):
                    return [(words[j].end - len(old), words[j].end, new)]
    return []
