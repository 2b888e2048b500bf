"""German noun phrases and pronouns: where they are, and which cases, numbers and genders their forms allow.

A *cell* is gender, case and number as in ``mns`` (masculine nominative singular); x is any gender. Determiner,
adjective endings and noun each allow some cells; what all of them allow is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from kontrast.language.lexicons.german import noun_readings, usual_readings
from kontrast.language.lexicons.german_words import CONTRACTIONS, DEFINITE, DETERMINERS, PREPOSITION_CASES, PRONOUNS

__all__ = ["Nominal", "find_nominals", "repair_pronouns"]

DETERMINER_TAGS = frozenset(("ART", "PDAT", "PIAT", "PPOSAT", "PWAT", "PRELAT"))
_STANDALONE = frozenset(("PIS", "PDS", "PRELS", "PWS"))
_INSIDE = frozenset(("ADJA", "CARD", "PIAT", "TRUNC"))
_QUOTES = frozenset("\"„“”»«'‚‘’") | {"``", "''"}
_SINGULAR_NOMINATIVE_ACCUSATIVE = ("xns", "xas")
_PLAIN = {
    "man": ("xns",),
    "wer": ("xns",),
    "wen": ("xas",),
    "wem": ("xds",),
    "jemand": ("xns", "xas", "xds"),
    "niemand": ("xns", "xas", "xds"),
    "denen": ("xdp",),
    "dessen": ("xgs",),
    "deren": ("xgs", "xgp"),
    **dict.fromkeys(("etwas", "nichts", "was", "das", "dies", "irgendetwas"), _SINGULAR_NOMINATIVE_ACCUSATIVE),
    **dict.fromkeys(
        ("alles", "vieles", "einiges", "beides", "mehr", "viel", "wenig"), _SINGULAR_NOMINATIVE_ACCUSATIVE
    ),
    **dict.fromkeys(
        ("alle", "viele", "beide", "einige", "mehrere", "andere", "wenige", "manche", "solche"), ("xnp", "xap")
    ),
}
_THOUSANDS = frozenset(("Tausende", "Hunderte", "Hunderttausende", "Dutzende", "Zehntausende"))
_MEASURE = frozenset(
    ("Prozent", "Euro", "Dollar", "Kilometer", "Meter", "Liter", "Gramm", "Kilogramm", "Grad", "Mark")
)


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
    inside: bool = False
    """Belongs to a participle within another phrase: no subject of the clause."""
    known: bool = True
    """The noun's gender is known from the lexicon."""

    def has(self, case: str, number: str | None = None) -> bool:
        return any(cell[1] == case and (number is None or cell[2] == number) for cell in self.cells)


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
        if nominal.determiner >= 0 and _named(words, tags, nominal.head):
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
        return Nominal(i, i, set(_pronoun_cells(low, tag)), pronoun=True)
    if tag in DETERMINER_TAGS or tag in ("ADJA", "CARD", "TRUNC") or tag in ("NN", "NE"):
        return _phrase(words, tags, i)
    return None


def _pronoun_cells(low: str, tag: str) -> tuple[str, ...]:
    if low in _PLAIN and not (low == "das" and tag == "PRELS"):
        return _PLAIN[low]
    cells = DETERMINERS.get(low, ())
    if not cells and low.endswith(("e", "en", "er", "es", "em")):
        cells = DETERMINERS.get("dies" + low[len(low.rstrip("nrsm")) - 1 :], ())
    return tuple(g + c for g, c in cells) or _SINGULAR_NOMINATIVE_ACCUSATIVE


def _phrase(words: Sequence[str], tags: Sequence[str], i: int) -> Nominal | None:
    determiner = i if tags[i] in DETERMINER_TAGS else -1
    head = _head(words, tags, i)
    if head is None:
        if tags[i] == "CARD" and words[i].lower() not in ("ein", "eins", "1"):
            return Nominal(i, i, {"xnp", "xap", "xdp"}, pronoun=True)
        if tags[i] in ("PDAT", "PIAT"):
            return Nominal(i, i, set(_pronoun_cells(words[i].lower(), tags[i])), pronoun=True)
        return None
    # A name of which nothing is known may be a plural after an article (den Khitan), else it is none.
    cells, known = _noun_cells(words[head], tags[head], usual=determiner < 0 or bool(noun_readings(words[head])))
    adjectives = [words[k] for k in range(i, head) if tags[k] == "ADJA" and words[k][-1:].isalpha()]
    number = next((words[k] for k in range(i, head) if tags[k] == "CARD"), None)
    if determiner >= 0:
        low = words[determiner].lower()
        allowed = DETERMINERS.get(low)
        if allowed is None and low.endswith(("e", "en", "er", "es", "em")):
            allowed = tuple((g, c) for g, c in DETERMINERS.get("dies" + low[low.rindex("e") :], ()))
        if allowed and tags[determiner] != "PRELAT":
            kept = _meet(cells, {g + c for g, c in allowed})
            if not kept:
                kept = _meet(_noun_cells(words[head], tags[head])[0], {g + c for g, c in allowed})
            cells, known = (kept, known) if kept else ({g + c for g, c in allowed}, False)
        if low in DEFINITE and adjectives:
            kept = {c for c in cells if _weak_ending_fits(adjectives[0], c)}
            cells = kept or cells
    elif adjectives:
        kept = {c for c in cells if _strong_ending_fits(adjectives[0], c)}
        cells = kept or cells
    elif tags[head] == "NN" and number is None and tags[i] == "NN":
        # Bare nouns are seldom genitive.
        cells = {c for c in cells if c[1] != "g"} or cells
    if number is not None and number.lower() not in ("ein", "eins", "1") and words[head] not in _MEASURE:
        cells = {c for c in cells if c[2] == "p"} or cells
    if words[head] in _MEASURE and number is not None and number not in ("1", "ein"):
        cells = cells | {"xnp", "xap"}
    return Nominal(i, head, cells, determiner=determiner, known=known)


def _named(words: Sequence[str], tags: Sequence[str], head: int) -> bool:
    """Does one name follow, as in *an den Präsidenten Barack Obama*? Then the noun is a singular."""
    after = head + 1
    while after < len(tags) and tags[after] == "NE":
        after += 1
    if tags[head] != "NN" or after == head + 1 or words[head + 1].endswith("s"):
        return False
    return after == len(tags) or tags[after] != "KON"


def _head(words: Sequence[str], tags: Sequence[str], i: int) -> int | None:
    """The noun of a phrase that begins at i: over adjectives, numbers, adverbs before them, quotes, or what belongs
    to a participle (*die in Berlin lebende Frau*)."""
    n = len(words)
    k = i if tags[i] not in DETERMINER_TAGS else i + 1
    while k < n:
        tag = tags[k]
        follower = tags[k + 1] if k + 1 < n else ""
        if tag == "NE" and follower == "ADJA" and words[k + 1][:1].isupper():
            k += 1  # eine New Yorker Familie
            continue
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
                and k > i + 1
                and tags[k - 1] in ("ADJA", "TRUNC")
                and follower in ("ADJA", "NN", "ADV")
            )
            or words[k] in _QUOTES
        ):
            k += 1
            continue
        if tag in ("APPR", "APPRART", "PRF", "ART", "PPOSAT", "ADV", "ADJD", "PAV") and tags[i] in DETERMINER_TAGS:
            return _after_participle(words, tags, k, tag in ("APPR", "APPRART"))
        return None
    return None


def _after_participle(words: Sequence[str], tags: Sequence[str], k: int, any_adjective: bool) -> int | None:
    """The head after *die von Kritikern gelobte* …; after a preposition also *das in Bonn ansässige* …"""
    for j in range(k, min(k + 12, len(words) - 1)):
        if tags[j] in ("VVFIN", "VAFIN", "VMFIN", "$.", "KOUS", "PRELS", "$("):
            return None
        if (
            tags[j] == "ADJA"
            and (tags[j + 1] in ("NN", "ADJA") or words[j + 1] in _QUOTES)
            and (
                words[j].lower().rstrip("nrsm").endswith(("te", "ende", "ene"))
                or (any_adjective and j > k + 1 and tags[j - 1] in ("NN", "NE"))
            )
        ):
            return _head(words, tags, j)
    return None


def _noun_cells(word: str, tag: str, usual: bool = False) -> tuple[set[str], bool]:
    if word in _THOUSANDS:
        return {"xnp", "xap", "xgp", "xdp"}, True
    if tag == "NE":
        readings = tuple(r for r in noun_readings(word) if r.pos == "E")
    else:
        readings = usual_readings(word) if usual else noun_readings(word)
    if readings:
        return {r.feature + code[:2] for r in readings for code in r.codes}, True
    case = "ndag" if word.endswith(("s", "x", "z", "ß")) else "nda"
    if tag == "NE" and usual:
        return {f"x{c}s" for c in case + "g"}, False
    return {f"x{c}{n}" for c in "ndag" for n in "sp"}, False


def _meet(cells: set[str], allowed: set[str]) -> set[str]:
    met = set()
    for cell in cells:
        for other in allowed:
            if cell[1:] == other[1:] and (cell[0] == other[0] or "x" in (cell[0], other[0])):
                met.add((other[0] if cell[0] == "x" else cell[0]) + cell[1:])
    return met


def _weak_ending_fits(adjective: str, cell: str) -> bool:
    """After a definite article: -e in the nominative singular and in die/das accusative singular, else -en."""
    ends_e = adjective.lower().endswith("e")
    if not ends_e and not adjective.lower().endswith("en"):
        return True
    wants_e = cell[2] == "s" and (cell[1] == "n" or (cell[1] == "a" and cell[0] in "fn"))
    return ends_e == wants_e


def _strong_ending_fits(adjective: str, cell: str) -> bool:
    low = adjective.lower()
    for ending in ("er", "es", "en", "em", "e"):
        if low.endswith(ending):
            allowed = DETERMINERS["dies" + ending]
            return any(c == cell[1:] and (g == cell[0] or "x" in (g, cell[0])) for g, c in allowed)
    return True


def _govern(nominal: Nominal, words: Sequence[str], tags: Sequence[str], before: Sequence[Nominal]) -> None:
    """A preposition's case, or a genitive after a noun."""
    at = nominal.start - 1
    while at >= 0 and (words[at] in _QUOTES or (tags[at] == "ADV" and at > 0 and tags[at - 1] == "APPR")):
        at -= 1
    if at < 0:
        return
    low = words[at].lower()
    if tags[at] == "APPRART" and low in CONTRACTIONS:
        nominal.preposition = at
        article = CONTRACTIONS[low][1]
        case = "d" if low.endswith(("m", "r")) else "a"
        kept = _meet(nominal.cells, {g + c for g, c in DEFINITE[article] if c == case + "s"})
        nominal.cells = kept or nominal.cells
    elif tags[at] == "APPR" and low not in ("als", "wie"):
        nominal.preposition = at
        cases = PREPOSITION_CASES.get(low, "adg")
        nominal.cells = {c for c in nominal.cells if c[1] in cases} or nominal.cells
    elif tags[at] in ("KON", "$,") and before and before[-1].head == at - 1 and before[-1].preposition >= 0:
        # in Berlin und Hamburg, mit Äpfeln und Birnen
        last = before[-1]
        shared = {c for c in nominal.cells if any(c[1] == d[1] for d in last.cells)}
        if (
            shared
            and tags[at] == "KON"
            and not nominal.pronoun
            and not any(c[1] == "n" and nominal.determiner >= 0 for c in shared)
        ):
            nominal.preposition, nominal.cells = last.preposition, shared
    elif tags[at] in ("NN", "NE") and nominal.has("g") and (nominal.determiner >= 0 or tags[nominal.start] == "ADJA"):
        nominal.genitive = True


def repair_pronouns(words: Sequence[str], tags: list[str]) -> None:
    """An article that cannot agree with what follows is a pronoun: *ist das Anlass*, *bei dem letzte Woche*."""
    for i in range(len(words) - 1):
        low = words[i].lower()
        if tags[i] == "PRELS" and low in DEFINITE and _is_article(words, tags, i):
            tags[i] = "ART"
        if tags[i] != "ART" or low not in DEFINITE:
            continue
        before = tags[i - 1] if i else ""
        if (
            before != "$,"
            and words[i + 1] in ("eine", "einen")
            and tags[i + 2 : i + 3] in (["NN"], ["KON"], ["ADJA"])
        ):
            tags[i + 1] = "ADJA"  # auf der einen Seite
        relative = before == "$," or (before == "APPR" and i > 1 and tags[i - 2] == "$,")
        if tags[i + 1] == "ADJA" and relative and low in ("dem", "des", "den") and words[i + 1].endswith("e"):
            tags[i] = "PRELS"
        if tags[i + 1] not in ("NN", "NE"):
            continue
        readings = noun_readings(words[i + 1])
        met = _meet({r.feature + code[:2] for r in readings for code in r.codes}, {g + c for g, c in DEFINITE[low]})
        if readings and not met:
            tags[i] = "PRELS" if relative else "PDS"
        elif relative and (tags[i + 1] == "NE" or {c[1] for c in met} == {"g"}) and _verb_ends(tags, i + 2):
            tags[i] = "PRELS"


def _is_article(words: Sequence[str], tags: Sequence[str], i: int) -> bool:
    """*Hopf, der junge Dirigent, …*; *beschlossen, die von ihr eingereichte Klage …*: no verb makes it a clause."""
    if tags[i + 1] not in ("ADJA", "APPR", "APPRART"):
        return False
    tags = [*tags[:i], "ART", *tags[i + 1 :]]
    phrase = _phrase(words, tags, i)
    if phrase is None:
        return False
    adjective = next(words[k] for k in range(phrase.head - 1, i - 1, -1) if tags[k] == "ADJA" or k == i)
    fitting = _meet(
        _noun_cells(words[phrase.head], tags[phrase.head])[0], {g + c for g, c in DEFINITE[words[i].lower()]}
    )
    if not any(_weak_ending_fits(adjective, cell) for cell in fitting):
        return False
    for k in range(phrase.head + 1, len(tags)):
        if tags[k] in ("VVFIN", "VAFIN", "VMFIN"):
            return False
        if tags[k] in ("$,", "$.", "VVIZU", "PTKZU"):
            return True
    return True


def _verb_ends(tags: Sequence[str], start: int) -> bool:
    """Does the first finite verb from here on stand last in its clause?"""
    for i in range(start, len(tags)):
        if tags[i] in ("VVFIN", "VAFIN", "VMFIN"):
            return i > start and (i + 1 == len(tags) or tags[i + 1][0] == "$")
        if tags[i][0] == "$":
            return False
    return False
