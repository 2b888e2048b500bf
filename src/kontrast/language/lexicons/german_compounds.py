"""German compounds: their parts, with the linking element left on the part before it.

A word is first cut into as few words as will do; then each of these that is a compound itself is cut again. What may
stand first, with which linking element, is known from the lexicon: ``de.segments.txt`` has the beginnings that many
of its nouns share (Arbeits-, Haus-, Fahr-), so that chance does not cut (Kata|strophe, Schrifts|teller).
"""

from __future__ import annotations

from functools import cache, lru_cache

from kontrast.language.lexicons.german import readings
from kontrast.language.lexicons.german_words import word_lists
from kontrast.language.words import lists_of

_LISTS = lists_of("de")
_NO_HEADS = frozenset(_LISTS["no_head"])
_NO_FIRST = frozenset(_LISTS["no_first"])
_SHORT = frozenset(_LISTS["short_head"])
_SUFFIXES = ("ung", "heit", "keit", "schaft", "ion", "tät", "tum", "ling")
_PREFIXES = ("be", "ge", "er", "ver", "zer", "ent", "emp", "miss")
_DERIVING = ("ung", "ungen", "er", "ern", "ers", "erin", "erinnen", "es", "s", "e", "en", "ens", "")
"""What makes a noun of a verb's stem: Verschreibung, Verbraucher, Verbrauch."""


@cache
def _beginnings() -> frozenset[str]:
    return frozenset(word_lists("de.segments.txt")["first"])


@lru_cache(maxsize=20_000)
def split_compound(word: str) -> tuple[str, ...]:
    """The smallest parts of a compound noun; (word,) for no compound.

    >>> split_compound("Krankenhausverwaltung"), split_compound("Hälfte"), split_compound("Finanzkatastrophe")
    (('Kranken', 'haus', 'verwaltung'), ('Hälfte',), ('Finanz', 'katastrophe'))
    """
    parts, at = [], 0
    for part in _finest(word.lower()):
        parts.append(word[at : at + len(part)])
        at += len(part)
    return tuple(parts)


def holds_nouns(part: str) -> bool:
    """Is this part two long nouns in a row, though the first begins no other word of the lexicon?

    >>> holds_nouns("Prostatakrebs"), holds_nouns("Verwaltungs")
    (True, False)
    """
    low = _without_link(part.lower())[0]
    cuts = range(4, len(low) - 3)
    return not is_derived(low) and any(_genders(low[:c], lemma=True) and _genders(low[c:], lemma=True) for c in cuts)


def is_noun(part: str) -> bool:
    """Is this segment, but for its linking element, a noun?

    >>> is_noun("Arbeits"), is_noun("Vorder")
    (True, False)
    """
    low = part.lower()
    return bool(_genders(_without_link(low)[0]) or _genders(low))


def _finest(low: str) -> tuple[str, ...]:
    words = _fewest(low)
    if words is None:
        return (low,)
    return tuple(part for i, one in enumerate(words) for part in _cut_again(one, last=i == len(words) - 1))


@lru_cache(maxsize=20_000)
def _fewest(text: str) -> tuple[str, ...] | None:
    """The cut into as few words as will do, None where there is none."""
    if _genders(text):
        return (text,)
    found = []
    for cut in range(3, len(text) - 2):
        rest = _fewest(text[cut:]) if _can_begin(text[:cut]) else None
        if rest is not None:
            found.append((text[:cut], *rest))
    return min(found, key=_likelihood, default=None)


def _likelihood(parts: tuple[str, ...]) -> tuple[int, bool, int]:
    """Few parts first, then those without a noun from an infinitive (Stahl|splitter|regen), then none very short."""
    infinitive = any(r.pos == "V" and "i" in r.codes for r in readings(parts[-1]))
    return len(parts), infinitive, -min(map(len, parts))


def _cut_again(word: str, *, last: bool) -> tuple[str, ...]:
    """A word that is a compound itself in two, and so on; its link stays with the last of them."""
    base, link = (word, "") if last else _without_link(word)
    genders = _genders(base)
    if not genders or is_derived(base):
        return (word,)
    for cut in range(len(base) - 3, 2, -1):
        head = base[cut:]
        # The head must have the word's gender: Meister|schaft is none.
        if base[:cut] in _beginnings() and base[:cut] not in _NO_FIRST and genders & _genders(head):
            first = _cut_again(base[:cut], last=False)
            second = _cut_again(head, last=True)
            return (*first, *second[:-1], second[-1] + link)
    return (word,)


def _can_begin(text: str) -> bool:
    if text in _beginnings():
        return text not in _NO_FIRST
    base, link = _without_link(text)
    return len(base) > 4 and base not in _NO_FIRST and bool(_genders(base, lemma=True)) and _takes(base, link)


def _without_link(text: str) -> tuple[str, str]:
    for link in ("s", "n", "en", "es"):
        base = text[: -len(link)]
        if text.endswith(link) and _genders(base, lemma=True) and not _genders(text, lemma=True):
            return base, link
    return text, ""


def _takes(base: str, link: str) -> bool:
    """Does a noun that begins no compound of the lexicon take this link?"""
    if base.endswith(_SUFFIXES):
        return link == "s"
    return link == "n" if base.endswith("e") else link in ("", "s")


@lru_cache(maxsize=50_000)
def _genders(low: str, *, lemma: bool = False) -> frozenset[str]:
    """The genders of a noun that can be a part; none for any other text."""
    if len(low) < 3 or low in _NO_HEADS or (len(low) == 3 and low not in _SHORT):
        return frozenset()
    return frozenset(
        r.feature
        for r in readings(low.capitalize())
        if r.pos == "N" and not r.rare and r.feature != "x" and (not lemma or r.lemma.lower() == low)
    )


@lru_cache(maxsize=20_000)
def is_derived(low: str) -> bool:
    """Is this noun made from a verb with a prefix or particle (Verbrauch, Fortbildung), not from two words?

    >>> is_derived("verbraucher"), is_derived("fortbildung"), is_derived("haustür")
    (True, True, False)
    """
    for ending in _DERIVING:
        stem = low[: len(low) - len(ending)]
        if len(stem) > 4 and low.endswith(ending):
            for infinitive in (stem + "en", stem + "n"):
                for reading in readings(infinitive):
                    if reading.pos == "V" and "i" in reading.codes:
                        return bool(reading.feature) or low.startswith(_PREFIXES)
    return False
