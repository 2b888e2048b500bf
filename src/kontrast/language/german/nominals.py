"""German noun phrases and pronouns: the cells that all forms of a phrase allow, and what governs it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from kontrast.language.german.cells import (
    determiner_cells,
    meet,
    noun_cells,
    pronoun_cells,
    strong_ending_fits,
    weak_ending_fits,
)
from kontrast.language.lexicons.german import noun_readings
from kontrast.language.lexicons.german_words import (
    CONTRACTIONS,
    DEFINITE,
    DETERMINERS,
    EIN_STEMS,
    PREPOSITION_CASES,
    PRONOUNS,
)
from kontrast.language.words import word_set

DETERMINER_TAGS = frozenset(("ART", "PDAT", "PIAT", "PPOSAT", "PWAT", "PRELAT"))
QUOTES = frozenset("\"„“”»«'‚‘’") | {"``", "''"}
_INSIDE = frozenset(("ADJA", "CARD", "PIAT", "TRUNC"))
_ONE = ("ein", "eins", "1")
_SEVERAL = word_set("de", "phrases_several")
_MEASURE = word_set("de", "phrases_measure")


class Nominal(msgspec.Struct):
    """A noun phrase or pronoun: tokens ``start`` to ``head``; ``cells`` that its own forms allow, ``person``."""

    start: int
    head: int
    cells: set[str]
    person: str = "3"
    determiner: int = -1
    preposition: int = -1
    pronoun: bool = False
    genitive: bool = False
    """Stands right after a noun and can be its genitive attribute."""
    joined: bool = False
    """Conjoined with a nominal that follows: together a plural."""
    either: bool = False
    """Conjoined, but perhaps one thing under two names."""
    known: bool = True
    """The noun's gender is known from the lexicon."""

    def has(self, case: str) -> bool:
        return any(cell[1] == case for cell in self.cells)


def phrase(words: Sequence[str], tags: Sequence[str], i: int) -> Nominal | None:
    """The phrase that begins at a token, down to its noun."""
    determiner = i if tags[i] in DETERMINER_TAGS else -1
    head = _head(words, tags, i)
    if head is None:
        if tags[i] == "CARD" and words[i].lower() not in _ONE:
            return Nominal(i, i, {"xnp", "xap", "xdp"}, pronoun=True)
        return _without_noun(words, tags, i)
    if words[i].lower() == "ein" and words[i + 1] == "paar":
        plurals = {c for c in noun_cells(words[head], tags[head])[0] if c[2] == "p"}
        return Nominal(i, head, plurals or {"xnp", "xap", "xdp"}, determiner=i)
    # A name of which nothing is known may be a plural after an article (den Khitan), else it is none.
    cells, known = noun_cells(words[head], tags[head], usual=determiner < 0 or bool(noun_readings(words[head])))
    adjective, number = _modifiers(words, tags, i, head)
    if determiner >= 0:
        cells, known = _determined(words, tags, determiner, head, cells, known)
        if words[determiner].lower() in DEFINITE and adjective:
            cells = {c for c in cells if weak_ending_fits(adjective, c)} or cells
        elif words[determiner].lower() in EIN_STEMS and adjective:  # ein privates Blog
            cells = {c for c in cells if strong_ending_fits(adjective, c)} or cells
    elif adjective:
        cells = {c for c in cells if strong_ending_fits(adjective, c)} or cells
    if number is not None:
        cells = _counted(words, i, head, number, cells, known)
    return Nominal(i, head, cells, determiner=determiner, known=known)


def _determined(
    words: Sequence[str], tags: Sequence[str], determiner: int, head: int, cells: set[str], known: bool
) -> tuple[set[str], bool]:
    """What noun and determiner both allow; where they disagree, the determiner is believed."""
    told = set(determiner_cells(words[determiner].lower()))
    if not told or tags[determiner] == "PRELAT":
        return cells, known
    kept = meet(cells, told) or meet(noun_cells(words[head], tags[head])[0], told)
    return (kept, known) if kept else (told, False)


def _counted(words: Sequence[str], i: int, head: int, number: str, cells: set[str], known: bool) -> set[str]:
    """A number makes a plural, but for measures: *zehn Prozent*."""
    if words[head] in _MEASURE:
        return cells if number in ("1", "ein") else cells | {"xnp", "xap"}
    if number.lower() in _ONE:
        return cells
    several = {"x" + c for _, c in DETERMINERS.get(words[i].lower(), ()) if c[1] == "p"} if not known else set()
    return {c for c in cells if c[2] == "p"} or several or cells


def _without_noun(words: Sequence[str], tags: Sequence[str], i: int) -> Nominal | None:
    """A determiner or adjective that stands for a noun: *eine konnte fliehen*, *die anderen blieben*, *Einzelne*."""
    low = words[i].lower()
    if tags[i] in ("PDAT", "PIAT"):
        return Nominal(i, i, set(pronoun_cells(low, tags[i])), pronoun=True)
    if tags[i] == "ART" and low in ("eine", "einer", "eines", "einen", "einem"):
        return Nominal(i, i, {*pronoun_cells(low, "PIS"), *(["mns"] if low == "einer" else [])})
    last = i
    while last + 1 < len(tags) and tags[last + 1] == "ADJA":
        last += 1
    if tags[i] == "ART" and low in DEFINITE and last > i:
        cells = {g + c for g, c in DEFINITE[low] if weak_ending_fits(words[last], g + c)}
        return Nominal(i, last, cells, determiner=i, known=False) if cells else None
    return None


def _modifiers(words: Sequence[str], tags: Sequence[str], i: int, head: int) -> tuple[str | None, str | None]:
    """The inflected adjective next to the noun, and the number that counts it; not what belongs to a participle."""
    number = next((k for k in range(i, head) if tags[k] == "CARD"), None)
    adjective = None
    for k in range(head - 1, i - 1, -1):
        if tags[k] == "ADJA" and words[k][-1:].isalpha() and not (words[k][:1].isupper() and words[k].endswith("er")):
            adjective = words[k]
            break
    return adjective, words[number] if number is not None else None


def _head(words: Sequence[str], tags: Sequence[str], i: int) -> int | None:
    """The noun of a phrase that begins at i: over adjectives, numbers, adverbs before them, quotes, or what belongs
    to a participle (*die in Berlin lebende Frau*)."""
    n = len(words)
    k = i if tags[i] not in DETERMINER_TAGS else i + 1
    while k < n:
        tag = tags[k]
        follower = tags[k + 1] if k + 1 < n else ""
        if tag in ("NN", "NE"):
            return k
        if (
            tag in _INSIDE
            or (
                tag in ("ADJD", "ADV", "PTKNEG", "PTKA", "KOKOM", "VVPP")
                and follower in ("ADJA", "CARD", "ADJD", "ADV")
            )
            or (
                tag in ("KON", "$,")
                and k > i
                and tags[k - 1] in ("ADJA", "TRUNC")
                and follower in ("ADJA", "NN", "ADV")
            )
            or words[k] in QUOTES
        ):
            k += 1
            continue
        if tag in ("APPR", "APPRART", "PRF", "ART", "PPOSAT", "ADV", "ADJD", "PAV") and tags[i] in DETERMINER_TAGS:
            return _after_participle(words, tags, k, tag in ("APPR", "APPRART"))
        return None
    return None


def _after_participle(words: Sequence[str], tags: Sequence[str], k: int, any_adjective: bool) -> int | None:
    """The head after *die von Kritikern gelobte* …; after a preposition also *das in Bonn ansässige* …"""
    j = k
    while j < min(k + 14, len(words) - 1):
        tag = tags[j]
        if tag in ("VVFIN", "VAFIN", "VMFIN", "$.", "KOUS", "PRELS", "$("):
            return None
        if (
            tag == "ADJA"
            and (tags[j + 1] in ("NN", "ADJA") or words[j + 1] in QUOTES)
            and (
                words[j].lower().rstrip("nrsm").endswith(("te", "ende", "ene"))
                or (any_adjective and j > k + 1 and tags[j - 1] in ("NN", "NE"))
            )
        ):
            return _head(words, tags, j)
        # Over a phrase that belongs to the participle: die von den Vereinten Nationen geförderte Konferenz.
        begins = j + 1 if tag == "APPR" and tags[j + 1] in ("ADJA", "CARD", *DETERMINER_TAGS) else j
        inner = _head(words, tags, begins) if begins > j or tag in DETERMINER_TAGS else None
        j = inner + 1 if inner is not None and inner < k + 12 else j + 1
    return None


_VERB_FOLLOWS = (["VVFIN"], ["VAFIN"], ["VMFIN"])
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
        # Inside a phrase with a participle are others: die von der Regierung beschlossene Reform.
        k = nominal.start + 1
        while k < nominal.head:
            inner = _at(words, tags, k) if tags[k] in ("ART", "PPOSAT", "PDAT", "PIAT") else None
            if inner is not None and inner.head < nominal.head:
                _govern(inner, words, tags, found)
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
        nominal.preposition = at
        nominal.cells = {c for c in nominal.cells if c[1] in PREPOSITION_CASES.get(low, "adg")} or nominal.cells
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


def _share_preposition(nominal: Nominal, last: Nominal, tags: Sequence[str]) -> None:
    """*in Berlin und Hamburg*, *mit Äpfeln und Birnen*; not where a new clause begins."""
    shared = {c for c in nominal.cells if any(c[1] == d[1] for d in last.cells)}
    begins = nominal.has("n") and list(tags[nominal.head + 1 : nominal.head + 2]) in _VERB_FOLLOWS
    if shared and not begins:
        nominal.preposition, nominal.cells = last.preposition, shared
