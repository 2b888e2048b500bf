"""Pronouns that the alignment leaves over: the last two are a pair; another where the linked one means nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from kontrast.building.parallel import Document
from kontrast.building.pronouns.places import PronounPlace, belongs_to_people, is_polite, rivals_of
from kontrast.building.pronouns.recipe import Recipe
from kontrast.building.pronouns.target import Form, target_side
from kontrast.language.alignment import Links, Span, spans
from kontrast.language.annotation import Sentence
from kontrast.language.coreference import is_pleonastic

__all__ = ["another_place", "pairs_left"]

_POINTING = frozenset("das dies diese dieser dieses diesen diesem was hier".split())
_INSTEAD = ("dar", "dav", "dam", "dab", "daz", "daf", "dag", "dad", "dah", "hier")
"""*davon*, *darauf*, *hiermit*: what *it* became where it became no pronoun."""


def pairs_left(
    recipe: Recipe, document: Document, line: int, links: Links, found: Sequence[PronounPlace]
) -> Iterator[PronounPlace]:
    """*when it comes out, … with it*, *wenn er herauskommt, … mit ihm*: one left on each side beside linked ones."""
    if recipe.subjects_only or not found or not all(place.linked for place in found):
        return
    source, target = spans(document.source[line]), spans(document.target[line])
    done = {place.source.start for place in found}
    own = [i for i, w in enumerate(source) if w.text.lower() in recipe.sources and w.start not in done]
    if len(own) != 1 or _became_another(target, [j for i, j in links if i == own[0]]):
        return
    word = source[own[0]]
    left = list(_left(recipe, document, line, links, {place.word for place in found}))
    if len(left) == 1 and left[0][1].number in (None, recipe.sources[word.text.lower()]):
        j, form = left[0]
        yield PronounPlace(line, word, form, j, linked=False)


def another_place(
    recipe: Recipe,
    document: Document,
    place: PronounPlace,
    sentence: Sentence,
    links: Links,
    found: Sequence[PronounPlace],
) -> PronounPlace | None:
    """*approve it*, linked to *sie* of *dass sie ihn verabschieden*: the only other one with a gender to change."""
    token = next((k for k, t in enumerate(sentence.tokens) if t.start <= place.source.start < t.end), None)
    if (
        recipe.target_language != "de"
        or token is None
        or is_pleonastic(sentence, token)
        or _is_judged(sentence, token)
    ):
        return None
    taken = {p.word for p in found if p.line == place.line}
    left = [(j, f) for j, f in _left(recipe, document, place.line, links, taken) if f.gender != "n"]
    if len(left) != 1:
        return None
    j, form = left[0]
    return msgspec.structs.replace(place, target=form, word=j, linked=False)


def _is_judged(sentence: Sentence, token: int) -> bool:
    """*it would be enough to …*: beside *es*, any other pronoun of the sentence is someone else."""
    head = sentence.tokens[token].head
    subject = sentence.tokens[token].relation.startswith("nsubj")
    return subject and head >= 0 and sentence.tokens[head].lemma.lower() in ("be", "'s")


def _left(recipe: Recipe, document: Document, line: int, links: Links, taken: set[int]) -> Iterator[tuple[int, Form]]:
    """The target pronouns that no source pronoun is linked to, that are no people and that mean something."""
    text = document.target[line]
    source, target = spans(document.source[line]), spans(text)
    side = target_side(recipe)
    for j, word in enumerate(target):
        form = side.form(text, target, j)
        if form is None or j in taken or is_polite(target, j) or belongs_to_people(source, target, j, links):
            continue
        rivals = rivals_of(word.text)
        if any(b == j and a < len(source) and source[a].text.lower() in rivals for a, b in links):
            continue
        if any(side.use(text, form.start, is_subject=subject).kind != "empty" for subject in (True, False)):
            yield j, form


def _became_another(target: Sequence[Span], linked: Sequence[int]) -> bool:
    """Is the source pronoun linked to *das* or *davon*?"""
    words = [target[j].text.lower() for j in linked if j < len(target)]
    return any(word in _POINTING or word.startswith(_INSTEAD) for word in words)
