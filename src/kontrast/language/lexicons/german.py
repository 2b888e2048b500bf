"""German words: what a form can be, and the forms of a verb. Tables in ``kontrast/data/lexicons``, memory-mapped."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from kontrast.language.lexicons.store import applied, table

_LINKS = ("", "s", "es", "n", "en", "e", "er")
_ENDING = re.compile("e[nmrs]?$")
_TYPICAL = (
    (
        ("ung", "heit", "keit", "schaft", "ion", "tät", "enz", "anz", "ik", "ei", "ade", "age", "ette", "ose", "ur"),
        "f",
    ),
    (("chen", "lein", "ment", "tum", "um"), "n"),
    (("ismus", "ling", "eur", "or", "ist"), "m"),
)


_WEAK = {
    "e": (("m", "ns2 np1 ap1"), ("f", "ns as np1 ap1"), ("n", "ns2 as2 np1 ap1")),
    "en": (("m", "gs ds as np2 ap2 gp2 dp"), ("f", "gs2 ds2 np2 ap2 gp2 dp"), ("n", "gs ds2 np2 ap2 gp2 dp")),
    "er": (("m", "ns1 gp1"), ("f", "gs1 ds1 gp1")),
    "es": (("n", "ns1 as1"),),
    "em": (("m", "ds1"), ("n", "ds1")),
}
"""Cells of nominalised adjectives by their ending."""
_PLURALS = frozenset(("np", "gp", "dp", "ap"))


class Reading(msgspec.Struct, frozen=True, gc=False):
    """What a form can be. ``pos`` is N (noun), E (name), A (adjective) or V (verb).

    ``feature`` is a noun's gender (m, f, n, x: not known) or a verb's separable particle. ``codes`` are cases and
    numbers of a noun (``ns`` nominative singular; a digit after it: 1 strong, 2 weak, 3 mixed declension), ``p``
    plain or ``s`` stem of an adjective, and of a verb: tense (p, t) or subjunctive (k, c) with person and number
    (``p3s``), ``i`` infinitive, ``z`` infinitive with zu, 1 and 2 the participles.
    """

    pos: str
    lemma: str
    feature: str
    codes: frozenset[str]
    rare: bool = False
    """A noun that is not the usual one of this form: *der Luft*, a storey or attic."""


@lru_cache(maxsize=50_000)
def readings(form: str) -> tuple[Reading, ...]:
    """All readings that the tables have of a form, in its own case.

    >>> [(r.pos, r.lemma, sorted(r.codes)) for r in readings("ankommt")]
    [('V', 'ankommen', ['p2p', 'p3s'])]
    """
    value = table("de.forms").get(form)
    if value is None:
        return ()
    found = []
    for part in value.split(";"):
        pos, strip, add, feature, codes = part.split("/")
        lemma = form[: len(form) - int(strip)] + add
        if pos == "V":
            feature = lemma[: int(feature)]
        rare = pos == "N" and feature.isupper()
        found.append(Reading(pos, lemma, feature.lower(), frozenset(codes.split(",")), rare))
    return tuple(found)


@lru_cache(maxsize=50_000)
def attested(form: str) -> bool:
    """Is this a form of any word, adjectives and participles with their endings included?

    >>> attested("unabhängigen"), attested("Hälften"), attested("ternehmen")
    (True, True, False)
    """
    return bool(readings(form)) or bool(adjective_lemma(form))


@lru_cache(maxsize=50_000)
def adjective_lemma(form: str) -> str | None:
    """The adjective or participle of which this is an inflected form.

    >>> adjective_lemma("hohen"), adjective_lemma("verletzter"), adjective_lemma("älteren"), adjective_lemma("Haus")
    ('hoch', 'verletzt', 'alt', None)
    """
    stem = _ENDING.sub("", form)
    if stem == form:
        return None
    for reading in readings(stem):
        if reading.pos == "A":
            return reading.lemma
        if reading.pos == "V" and reading.codes & {"1", "2"}:
            return stem
    return _compared(stem)


@lru_cache(maxsize=20_000)
def _compared(stem: str) -> str | None:
    """The positive of a comparative or superlative stem."""
    for ending in ("er", "est", "st"):
        if stem.endswith(ending) and len(stem) > len(ending) + 2:
            base = stem[: -len(ending)]
            for plain in (base, base.translate(str.maketrans("äöü", "aou"))):
                if any(r.pos == "A" for r in readings(plain)):
                    return next(r.lemma for r in readings(plain) if r.pos == "A")
    return None


def comparative_lemma(form: str) -> str | None:
    """The positive of an uninflected comparative.

    >>> comparative_lemma("älter"), comparative_lemma("Vater")
    ('alt', None)
    """
    return _compared(form) if form.endswith("er") and form.islower() else None


@lru_cache(maxsize=50_000)
def noun_readings(word: str) -> tuple[Reading, ...]:
    """Noun readings of a form; of a compound those of its head, of an unknown noun what its ending tells.

    >>> [(r.feature, sorted(r.codes)) for r in noun_readings("Blogeintrags")]
    [('m', ['gs'])]
    """
    found = tuple(r for r in readings(word) if r.pos in "NE" and (r.feature != "x" or r.codes <= _PLURALS))
    if found:
        # Names count only where the form is no common noun; das Warten is one though Warten are watch-towers.
        common = tuple(r for r in found if r.pos == "N")
        return common + _infinitive(word) if common else found
    nominalised = _nominalised(word)
    if nominalised:
        return nominalised
    head = compound_head(word)
    if head:
        offset = len(word) - len(head)
        return tuple(
            Reading("N", word[:offset] + r.lemma.lower(), r.feature, r.codes, r.rare)
            for r in readings(head.capitalize())
            if r.pos == "N" and r.feature != "x"
        )
    for endings, gender in _TYPICAL:
        for ending in endings:
            if len(word) > len(ending) + 2 and word.endswith(ending):
                every = ("ns", "ds", "as", "gs") if gender == "f" else ("ns", "ds", "as")
                return (Reading("N", word, gender, frozenset(every)),)
            if len(word) > len(ending) + 4 and word.endswith(ending + "en") and gender != "n":
                return (Reading("N", word[:-2], gender, frozenset(("np", "gp", "dp", "ap"))),)
    return ()


def _infinitive(word: str) -> tuple[Reading, ...]:
    """*das Warten*: any infinitive can be a neuter noun."""
    if word.endswith("n") and any(r.pos == "V" and "i" in r.codes for r in readings(word.lower())):
        return (Reading("N", word, "n", frozenset(("ns", "ds", "as")), rare=True),)
    if word.endswith("ns") and any(r.pos == "V" and "i" in r.codes for r in readings(word[:-1].lower())):
        return (Reading("N", word[:-1], "n", frozenset(("gs",)), rare=True),)
    return ()


def _nominalised(word: str) -> tuple[Reading, ...]:
    """An infinitive or adjective as a noun: *der Verdächtige, das Paradoxe*."""
    found = _infinitive(word)
    match = _ENDING.search(word)
    if found or match is None or not word[:1].isupper() or adjective_lemma(word[:1].lower() + word[1:]) is None:
        return found
    return tuple(Reading("N", word, gender, frozenset(codes.split())) for gender, codes in _WEAK[match[0]])


@lru_cache(maxsize=50_000)
def usual_readings(word: str) -> tuple[Reading, ...]:
    """Noun readings without the less likely: *Krise* is the crisis, not the daggers (plural of *Kris*).

    >>> [r.lemma for r in usual_readings("Krise")]
    ['Krise']
    """
    found = tuple(r for r in noun_readings(word) if not r.rare) or noun_readings(word)
    return tuple(r for r in found if r.lemma == word) or found


@lru_cache(maxsize=50_000)
def compound_head(word: str) -> str | None:
    """The longest ending of a word that is a noun of its own, where something like a word is left before it.

    >>> compound_head("Blogeintrag"), compound_head("U-Bahn-Station"), compound_head("Haus")
    ('eintrag', 'Station', None)
    """
    if "-" in word:
        last = word.rsplit("-", 1)[1]
        return last if len(last) > 1 and any(r.pos == "N" for r in readings(last)) else compound_head(last)
    starts = [start for start in range(3, len(word) - 2) if _is_noun(word[start:])]
    for start in starts:
        if not _is_part(word[:start]):
            continue
        # Handel|stages, Handels|tages: an s between two nouns is rather a link than a beginning.
        if word[start] == "s" and start + 1 in starts and _is_part(word[: start + 1]):
            return word[start + 1 :]
        return word[start:]
    return next((word[start:] for start in starts if len(word) - start > 3), None)


def _is_noun(ending: str) -> bool:
    return any(r.pos == "N" and r.feature != "x" for r in readings(ending.capitalize()))


@lru_cache(maxsize=50_000)
def _is_part(text: str) -> bool:
    """Can this begin a compound: a noun, a verb stem or an adjective, with or without a linking element?"""
    for link in _LINKS:
        if link and not text.endswith(link):
            continue
        base = text[: len(text) - len(link)]
        if len(base) < 3:
            continue
        if any(r.pos == "N" and r.codes & {"ns", "np"} for r in readings(base.capitalize())):
            return True
        if not link and any(r.pos == "A" for r in readings(base.lower())):
            return True
    return any(r.pos == "V" and "i" in r.codes for r in readings(text.lower() + "en"))


@lru_cache(maxsize=20_000)
def verb_forms(lemma: str) -> dict[str, str]:
    """The forms of a verb by code, finite ones without a separable particle; empty for an unknown verb.

    >>> verb_forms("ankommen")["t3p"], verb_forms("ankommen")["2"], verb_forms("müssen")["p3s"]
    ('kamen', 'angekommen', 'muss')
    """
    value = table("de.verbs").get(lemma)
    if value is None:
        return {}
    first, *parts = value.split(";")
    base = lemma[int(first) :]
    found = {"particle": lemma[: int(first)], "i": lemma}
    for part in parts:
        code, rule = part.split("=")
        found[code] = applied(rule, lemma if code in ("1", "2") else base)
    return found


def verb_form(lemma: str, code: str) -> str | None:
    """One form of a verb, None where it is not known.

    >>> verb_form("gehen", "t3p")
    'gingen'
    """
    return verb_forms(lemma).get(code)
