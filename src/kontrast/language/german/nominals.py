"""The nominals of a German sentence: noun phrases and pronouns in order, with what governs each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from kontrast.language.german.cells import meet, pronoun_cells
from kontrast.language.german.phrases import DETERMINER_TAGS, QUOTES, Nominal, named, phrase
from kontrast.language.lexicons.german_words import CONTRACTIONS, DEFINITE, DETERMINERS, PREPOSITION_CASES, PRONOUNS
from kontrast.language.words import word_set

__all__ = ["Nominal", "find_nominals"]

_VERB_FOLLOWS = (["VVFIN"], ["VAFIN"], ["VMFIN"])
_POSTPOSED = word_set("de", "nominals_postposed")
_STANDALONE = frozenset(("PIS", "PDS", "PRELS", "PWS"))


def find_nominals(words: Sequence[str], tags: Sequence[str]) -> list[Nominal]:
    """All nominals in order.

    >>> words = "Der Mann gibt der Frau das Buch".split()
    >>> [sorted(n.cells) for n in find_nominals(words, "ART NN VVFIN ART NN ART NN".split())]
    [['mns'], ['fds', 'fgs'], ['nas', 'nns']]
    """
    found: list[Nominal] = []
    i = 0
    while i < len(words):
        nominal = _at(words, tags, i)
        if nominal is None:
            i += 1
            continue
        _govern(nominal, words, tags, found)
        if nominal.determiner >= 0 and named(words, tags, nominal.head):
            nominal.cells = {c for c in nominal.cells if c[2] == "s"} or nominal.cells
            nominal.genitive = nominal.genitive and nominal.has("g")
        # Inside a phrase with a participle are others: die von der Regierung beschlossene Reform.
        k = nominal.start + 1
        while k < nominal.head:
            inner = _at(words, tags, k) if tags[k] in ("ART", "PPOSAT", "PDAT", "PIAT") else None
            if inner is not None and inner.head < nominal.head:
                _govern(inner, words, tags, found)
                inner.inside = True
                found.append(inner)
                k = inner.head
            k += 1
        found.append(nominal)
        i = nominal.head + 1
    for first, second in pairwise(found):
        between = range(first.head + 1, second.start)
        if len(between) == 1 and tags[between[0]] == "KON" and words[between[0]].lower() in ("und", "sowie", "&"):
            first.joined = True
            # die Erbin und Hauptaktionärin: one person or two
            first.either = first.determiner >= 0 and second.determiner < 0
    return found


def _at(words: Sequence[str], tags: Sequence[str], i: int) -> Nominal | None:
    tag, low = tags[i], words[i].lower()
    if tag == "PPER":
        cells = PRONOUNS.get(low, ())
        if words[i] == "Sie" and i > 0:
            cells = ("3np", "3ap")
        return Nominal(i, i, {(c[3:] or "x") + c[1:3] for c in cells}, cells[0][0] if cells else "3", pronoun=True)
    if tag in _STANDALONE:
        return Nominal(i, i, set(pronoun_cells(low, tag)), pronoun=True)
    if tag in DETERMINER_TAGS or tag in ("ADJA", "CARD", "TRUNC") or tag in ("NN", "NE"):
        return phrase(words, tags, i)
    return None


def _govern(nominal: Nominal, words: Sequence[str], tags: Sequence[str], before: Sequence[Nominal]) -> None:
    """A preposition's case, or a genitive after a noun."""
    at = _word_before(nominal, words, tags)
    if at < 0:
        return
    low = words[at].lower()
    if tags[at] == "APPRART" and low in CONTRACTIONS:
        _govern_contracted(nominal, at, low)
    elif tags[at] == "APPR":
        if not _governs_nothing(nominal, words, tags, at):
            _govern_by_preposition(nominal, words, at, low)
    elif tags[at] in ("KON", "$,") and before and before[-1].head == at - 1 and before[-1].preposition >= 0:
        if tags[at] == "KON" and not nominal.pronoun:
            _share_preposition(nominal, before[-1], tags)
    elif tags[at] in ("NN", "NE") and nominal.has("g") and (nominal.determiner >= 0 or tags[nominal.start] == "ADJA"):
        nominal.genitive = True


def _word_before(nominal: Nominal, words: Sequence[str], tags: Sequence[str]) -> int:
    """The word before a phrase, but for quotes and an adverb behind a preposition."""
    at = nominal.start - 1
    while at >= 0 and (words[at] in QUOTES or (tags[at] == "ADV" and at > 0 and tags[at - 1] == "APPR")):
        at -= 1
    return at


def _govern_contracted(nominal: Nominal, at: int, low: str) -> None:
    """*im Haus*, *ins Haus*."""
    nominal.preposition = at
    article = CONTRACTIONS[low][1]
    case = "d" if low.endswith(("m", "r")) else "a"
    nominal.cells = meet(nominal.cells, {g + c for g, c in DEFINITE[article] if c == case + "s"}) or nominal.cells


def _governs_nothing(nominal: Nominal, words: Sequence[str], tags: Sequence[str], at: int) -> bool:
    """*bis zu 800 Menschen leben dort*, *seiner Meinung nach die …*; *als* and *wie* take any case."""
    up_to = words[at].lower() == "zu" and tags[nominal.start] == "CARD" and words[at - 1].lower() == "bis"
    return up_to or _follows_its_noun(words, tags, at) or words[at].lower() in ("als", "wie")


def _govern_by_preposition(nominal: Nominal, words: Sequence[str], at: int, low: str) -> None:
    nominal.preposition = at
    cases = PREPOSITION_CASES.get(low, "adg")
    kept = {c for c in nominal.cells if c[1] in cases}
    if not kept and not nominal.known and nominal.determiner >= 0:
        # von den Mandschu: of a noun that is not known the article and the preposition tell the number.
        kept = {g + c for g, c in DETERMINERS.get(words[nominal.determiner].lower(), ()) if c[0] in cases}
    nominal.cells = kept or nominal.cells


def _share_preposition(nominal: Nominal, last: Nominal, tags: Sequence[str]) -> None:
    """*in Berlin und Hamburg*, *mit Äpfeln und Birnen*; not where a new clause begins."""
    shared = {c for c in nominal.cells if any(c[1] == d[1] for d in last.cells)}
    begins = nominal.has("n") and list(tags[nominal.head + 1 : nominal.head + 2]) in _VERB_FOLLOWS
    if shared and not begins:
        nominal.preposition, nominal.cells = last.preposition, shared


def _follows_its_noun(words: Sequence[str], tags: Sequence[str], at: int) -> bool:
    """*seiner Meinung nach die Tafeln*: the preposition does not govern what comes after it."""
    return (
        at > 1 and words[at] == "nach" and words[at - 1] in _POSTPOSED and tags[at - 2] in ("PPOSAT", "ART", "ADJA")
    )
