"""Target nouns as they are found: how their gender goes with the pronoun's, names as wholes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from kontrast.building.pronouns.target import Noun
from kontrast.language.alignment import Span
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german_words import CONTRACTIONS, DETERMINERS

__all__ = ["Found", "fit_of", "told_before", "told_elsewhere", "whole_names"]


class Found(msgspec.Struct):
    """A noun at a word of a line, with its source token; ``told`` are the genders of a determiner before it."""

    line: int
    word: int
    noun: Noun
    source: int | None
    fit: str
    aligned: bool
    guessed: bool
    several: bool
    told: frozenset[str] = frozenset()


def fit_of(genders: frozenset[str], own: frozenset[str]) -> str:
    """How a noun's genders go with the pronoun's own (``NounCandidate.fit``).

    >>> fit_of(frozenset("mn"), frozenset("m"))
    'either'
    """
    if not genders:
        return "unknown"
    if genders <= own:
        return "same"
    return "either" if genders & own else "other"


def told_before(words: Sequence[Span], j: int) -> frozenset[str]:
    """The genders of the German determiner before a word; none where there is none.

    >>> from kontrast.language.alignment import spans
    >>> sorted(told_before(spans("Hinter dem Lake Tahoe"), 2))
    ['m', 'n']
    """
    low = words[j - 1].text.lower() if j else ""
    cells = DETERMINERS.get(CONTRACTIONS[low][1] if low in CONTRACTIONS else low, ())
    return frozenset(gender for gender, cell in cells if gender != "x" and cell.endswith("s"))


def told_elsewhere(found: list[Found]) -> list[Found]:
    """*UBS* without an article has the gender of *die UBS* in a sentence beside it."""
    known = {f.noun.text: f for f in found if f.noun.genders}
    for one in found:
        twin = known.get(one.noun.text)
        if not one.noun.genders and twin is not None:
            one.noun, one.fit = msgspec.structs.replace(one.noun, genders=twin.noun.genders), twin.fit
    return found


def whole_names(found: Sequence[Found], sentences: Sequence[Sentence], own: frozenset[str]) -> list[Found]:
    """*der Lake Tahoe*, *die Golden Gate Bridge*: a name that is spelt as in the source has its last word for head,
    and the gender that its article tells; no lexicon knows it.
    """
    kept: list[Found] = []
    for one in found:
        first = kept[-1] if kept else None
        last = _last_of_name(first, one, sentences[one.line]) if first is not None else None
        if first is None or last is None:
            kept.append(one)
            continue
        genders = first.told or one.noun.genders
        one.noun, one.told, one.fit, one.source = (
            msgspec.structs.replace(one.noun, genders=genders),
            genders,
            fit_of(genders, own),
            last,
        )
        kept[-1] = one
    return kept


def _last_of_name(one: Found, two: Found, sentence: Sentence) -> int | None:
    """The source token of the second of two words side by side, if they are one name there, spelt alike.

    By their spelling, as the words of a name are compounds of each other (*Golden* of *Gate*, that of *Bridge*) and
    may be linked to any of its words.
    """
    if one.line != two.line or one.word + 1 != two.word:
        return None
    tokens = sentence.tokens
    texts = {token.text for token in tokens}
    for k, (before, token) in enumerate(pairwise(tokens), start=1):
        if (before.text, token.text) == (one.noun.text, two.noun.text) and token.pos == "PROPN":
            return k if before.pos in ("PROPN", "NOUN", "ADJ") and before.text[0].isupper() else None
    same = one.source is not None and one.source == two.source and tokens[one.source].pos == "PROPN"
    return one.source if same and {one.noun.text, two.noun.text} <= texts else None
