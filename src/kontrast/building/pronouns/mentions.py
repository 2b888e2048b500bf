"""Which other words of a target sentence mean the same as its pronoun, by the source words they are aligned to."""

from __future__ import annotations

from collections.abc import Sequence

from kontrast.building.corpus import Document
from kontrast.building.pronouns.align import (
    COREFERENT,
    OTHER_PRONOUNS,
    OWNERS,
    PronounPlace,
    rivals_of,
)
from kontrast.building.pronouns.antecedents import Choice
from kontrast.building.pronouns.foils import TargetSide
from kontrast.building.pronouns.recipe import Recipe
from kontrast.building.pronouns.reference import neutral_gender, stays_subject
from kontrast.language.alignment import Links, Span, spans
from kontrast.language.annotation import Sentence
from kontrast.language.coreference import is_pleonastic

__all__ = ["mean_the_same"]


def mean_the_same(
    recipe: Recipe,
    side: TargetSide,
    document: Document,
    place: PronounPlace,
    sentence: Sentence,
    links: Links,
    choice: Choice,
) -> dict[int, bool | None]:
    """Where other target words may stand for the same thing, and whether their source is a subject (None: unknown).

    Words aligned to another *it*, *its* or *itself*, or to nothing; none aligned to a pronoun of someone else, none
    before the antecedent, and no possessive between the two: *die Bank, die ihren Sitz in London hat, sagt, sie …*
    """
    source, target = spans(document.source[place.line]), spans(document.target[place.line])
    wanted = COREFERENT[recipe.sources[place.source.text.lower()]]
    found: dict[int, bool | None] = {}
    first = choice.noun.index if choice.line == place.line else -1
    genders = choice.noun.genders if len(place.target.gender) > 1 else frozenset()
    for j, word in enumerate(target):
        form = side.form(document.target[place.line], target, j) if genders else None
        if form is not None and not genders & set(form.gender):
            continue  # der Hund … es: ihm is m and n
        if j <= first or (0 <= first < j < place.word and word.text.lower() in side.possessives):
            continue
        if word.text.lower() in side.possessives and _is_named_between(target, place.word, j, choice.noun.text):
            continue  # da sie klein ist, muss die Station ihre …
        linked = [i for i, b in links if b == j and i < len(source)]
        own = [i for i in linked if source[i].text.lower() in wanted and source[i].start != place.source.start]
        own_form = recipe.targets.get(word.text.lower())
        neutral = own_form is not None and own_form.gender == neutral_gender(recipe)
        if neutral and any(_is_empty(sentence, source[i].start) for i in own):
            continue
        if not linked and j == 0 and word.text.lower() in side.possessives and source[0].text.lower() in wanted:
            own = [0]  # Its main feature is that it
        if own:
            dative = word.text == "ihr" and source[own[0]].text.lower() == "it"  # gaben ihr Wasser: no possessive
            if not dative and not _is_another(source, linked, wanted, word.text):
                found[word.start] = _is_subject(sentence, source[own[0]].start)
        elif not _is_another(source, linked, OTHER_PRONOUNS & wanted, word.text):
            found[word.start] = None
    return found


def _is_named_between(words: Sequence[Span], first: int, last: int, noun: str) -> bool:
    """Is the antecedent said again, alone or at the end of a compound?"""
    return any(w.text.lower().endswith(noun.lower()) for w in words[first + 1 : last])


def _is_subject(sentence: Sentence, start: int) -> bool:
    return any(t.start == start and stays_subject(sentence, i) for i, t in enumerate(sentence.tokens))


def _is_empty(sentence: Sentence, start: int) -> bool:
    """*it is hard to see that it works*: the first stands for nothing."""
    return any(t.start == start and is_pleonastic(sentence, i) for i, t in enumerate(sentence.tokens))


def _is_another(source: Sequence[Span], linked: Sequence[int], wanted: frozenset[str], form: str) -> bool:
    """Is a target word aligned to a pronoun of someone else? In small letters *sie* is never *you*."""
    others = OTHER_PRONOUNS & (rivals_of(form) | OWNERS)
    return any(source[i].text.lower() in others - wanted for i in linked)
