"""Where a source pronoun became a target pronoun: by the alignment, and by what else may explain it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from kontrast.building.corpus import Document
from kontrast.building.pronouns.foils import Form, target_side
from kontrast.building.pronouns.recipe import Recipe
from kontrast.language.alignment import Links, Span, spans
from kontrast.language.words import word_set

_PRONOUNS = word_set("en", "align_pronouns")
"""Where another of these is linked to the target pronoun too, that one may be meant."""
_SPEAKERS = word_set("en", "align_speakers")
OWNERS = word_set("en", "align_owners")
OTHER_PRONOUNS = _PRONOUNS | OWNERS
COREFERENT = {"s": frozenset(("it", "its", "itself")), "p": frozenset(("they", "them", "their", "themselves"))}
"""Source words that mean the same thing in one sentence, by number."""


class PronounPlace(msgspec.Struct, frozen=True):
    """A source pronoun and the target pronoun it is aligned to."""

    line: int
    source: Span
    target: Form
    word: int
    """The number of the target word."""
    linked: bool = True
    """By the alignment; else both are the only ones of their sentences."""

    def number(self, recipe: Recipe) -> str:
        """The target pronoun's: *they* may become *il* where *the government* is meant."""
        return self.target.number or recipe.sources[self.source.text.lower()]


def texts(document: Document, line: int) -> tuple[str, str]:
    return document.source[line], document.target[line]


def places(recipe: Recipe, document: Document, line: int, links: Links) -> Iterator[PronounPlace]:
    """The places of a line; each target pronoun once."""
    source, target = spans(document.source[line]), spans(document.target[line])
    barred = [_barred(patterns, text) for patterns, text in zip(recipe.blocked, texts(document, line), strict=True)]
    side = target_side(recipe)
    taken: set[int] = set()
    for i, word in enumerate(source):
        number = recipe.sources.get(word.text.lower())
        if number is None or _is_short_for(word, source) or any(a <= word.start < b for a, b in barred[0]):
            continue
        # As the French set's makers did, the pronoun may stand one word beside its link.
        near = sorted({j + step for a, j in links if a == i for step in (0, -1, 1)})
        if not recipe.subjects_only:  # er or sie stands for a thing; es may stand for nothing
            near.sort(key=lambda j: 0 <= j < len(target) and target[j].text.lower() == "es")
        for j in near:
            if not 0 <= j < len(target) or j in taken or any(a <= target[j].start < b for a, b in barred[1]):
                continue
            if is_polite(target, j):
                continue
            rivals = rivals_of(target[j].text)
            if any(b == j and a != i and source[a].text.lower() in rivals for a, b in links if a < len(source)):
                continue
            form = side.form(document.target[line], target, j)
            exact = (i, j) in links
            if form is None:
                continue
            alike = form.number in (None, number)
            if not (exact or alike if recipe.subjects_only else exact and alike):
                continue
            taken.add(j)
            yield PronounPlace(line, word, form, j)
            break


def _is_short_for(word: Span, source: Sequence[Span]) -> bool:
    """*IT company*: capitals among small letters are no pronoun."""
    return len(word.text) > 1 and word.text.isupper() and any(w.text.islower() for w in source)


def rivals_of(form: str) -> frozenset[str]:
    """Source pronouns that a target pronoun may translate instead; in small letters *sie* is never *you*."""
    return _PRONOUNS - _SPEAKERS - {"it"} if form in ("er", "sie", "es", "ihn", "ihm") else _PRONOUNS


def is_polite(target: Sequence[Span], j: int) -> bool:
    """*Sie* with a capital inside a sentence."""
    polite = target[j].text in ("Sie", "Ihr", "Ihnen", "Ihm", "Ihn")
    return polite and j > 0 and target[j - 1].text[0].isalnum()


def _barred(patterns: Sequence[re.Pattern[str]], text: str) -> list[tuple[int, int]]:
    return [match.span() for pattern in patterns for match in pattern.finditer(text)]


def pairs_left(
    recipe: Recipe, document: Document, line: int, links: Links, found: Sequence[PronounPlace]
) -> Iterator[PronounPlace]:
    """Pairs without a link: each source pronoun that is left, with the nearest target pronoun that is left.

    *when it comes out, … with it*, *wenn er herauskommt, … mit ihm*. Near is where the links of the words around the
    source pronoun point to.
    """
    source, target = spans(document.source[line]), spans(document.target[line])
    barred = [_barred(patterns, text) for patterns, text in zip(recipe.blocked, texts(document, line), strict=True)]
    done = {place.source.start for place in found}
    own = [
        i
        for i, word in enumerate(source)
        if word.text.lower() in recipe.sources
        and word.start not in done
        and not _is_short_for(word, source)
        and not any(a <= word.start < b for a, b in barred[0])
    ]
    left = {
        j: form
        for j, form in (_left(recipe, document, line, links, {place.word for place in found}) if own else ())
        if target[j].text.lower() not in recipe.determiners and not any(a <= form.start < b for a, b in barred[1])
    }
    near = sorted(
        (differs, abs(j - _pointed_at(i, links, len(source), len(target))), i, j)
        for i in own
        for j, form in left.items()
        if not (differs := form.number not in (None, recipe.sources[source[i].text.lower()])) or recipe.subjects_only
    )
    for *_, i, j in near:
        if i in own and j in left:
            own.remove(i)
            yield PronounPlace(line, source[i], left.pop(j), j, linked=False)


def _pointed_at(i: int, links: Links, source: int, target: int) -> float:
    """Where in the target a source word without a link is to be expected: by its nearest neighbours with one."""
    near = sorted((abs(a - i), b + i - a) for a, b in links)
    return (
        sum(b for away, b in near if away == near[0][0]) / sum(away == near[0][0] for away, _ in near)
        if near
        else i * target / source
    )


def _left(recipe: Recipe, document: Document, line: int, links: Links, taken: set[int]) -> Iterator[tuple[int, Form]]:
    """The target pronouns that no source pronoun is linked to and that mean something."""
    text = document.target[line]
    source, target = spans(document.source[line]), spans(text)
    side = target_side(recipe)
    for j, word in enumerate(target):
        form = side.form(text, target, j)
        if form is None or j in taken or is_polite(target, j):
            continue
        rivals = rivals_of(word.text)
        if any(b == j and a < len(source) and source[a].text.lower() in rivals for a, b in links):
            continue
        uses = {side.use(text, form.start, is_subject=subject) for subject in (True, False)}
        if uses - {"empty", "absent"} and not side.is_possessive(text, form.start):
            yield j, form
