"""Which cells of gender, case and number a German noun, pronoun or ending can fill.

A *cell* is gender, case and number as in ``mns`` (masculine nominative singular); x is any gender.
"""

from __future__ import annotations

import re

from kontrast.language.lexicons.german import adjective_lemma, noun_readings, usual_readings
from kontrast.language.lexicons.german_words import DETERMINERS
from kontrast.language.words import word_set

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
THOUSANDS = word_set("de", "cells_thousands")
_AGED = re.compile("[Jj]ährige[nrm]?$")
_AGED_CELLS = {
    "e": ("mns", "fns", "fas", "xnp", "xap"),
    "en": ("mas", "mds", "mgs", "fds", "fgs", "xnp", "xap", "xdp", "xgp"),
    "er": ("mns", "fds", "fgs", "xgp"),
    "em": ("mds",),
}


def pronoun_cells(low: str, tag: str) -> tuple[str, ...]:
    if low in _PLAIN and not (low == "das" and tag == "PRELS"):
        return _PLAIN[low]
    cells = DETERMINERS.get(low, ())
    if not cells and low.endswith(("e", "en", "er", "es", "em")):
        cells = DETERMINERS.get("dies" + low[len(low.rstrip("nrsm")) - 1 :], ())
    return tuple(g + c for g, c in cells) or _SINGULAR_NOMINATIVE_ACCUSATIVE


def noun_cells(word: str, tag: str, usual: bool = False) -> tuple[set[str], bool]:
    if word in THOUSANDS:
        return {"xnp", "xap", "xgp", "xdp"}, True
    if tag == "NE":
        readings = tuple(r for r in noun_readings(word) if r.pos == "E")
    else:
        readings = usual_readings(word) if usual else noun_readings(word)
    if readings:
        cells = {r.feature + code[:2] for r in readings for code in r.codes}
        return cells | _as_neuter(word) if tag == "NN" and not usual else cells, True
    if _AGED.search(word):
        return set(_AGED_CELLS[word[word.rindex("g") + 1 :]]), True
    case = "ndag" if word.endswith(("s", "x", "z", "ß")) else "nda"
    if tag == "NE" and usual:
        return {f"x{c}s" for c in case + "g"}, False
    return {f"x{c}s" for c in "ndag"} | _plurals_by_ending(word), False


def _plurals_by_ending(word: str) -> set[str]:
    """A plural ends in -n, -r, -l or -s, or in a vowel; in the dative in -n or -s."""
    if word.isupper():
        return set()  # die ECB
    found = {"xnp", "xap", "xgp"} if word.endswith(("n", "r", "l", "s", "e", "a", "i", "o", "u")) else set()
    return found | {"xdp"} if word.endswith(("n", "s")) else found


def _as_neuter(word: str) -> set[str]:
    """*das Verrückte*: an adjective that is known as a man or a woman can be a thing as well."""
    if word.endswith(("e", "en")) and adjective_lemma(word[:1].lower() + word[1:]):
        return {"nns", "nas"} if word.endswith("e") else {"ngs", "nds"}
    return set()


def meet(cells: set[str], allowed: set[str]) -> set[str]:
    met = set()
    for cell in cells:
        for other in allowed:
            if cell[1:] == other[1:] and (cell[0] == other[0] or "x" in (cell[0], other[0])):
                met.add((other[0] if cell[0] == "x" else cell[0]) + cell[1:])
    return met


def weak_ending_fits(adjective: str, cell: str) -> bool:
    """After a definite article: -e in the nominative singular and in die/das accusative singular, else -en."""
    ends_e = adjective.lower().endswith("e")
    if not ends_e and not adjective.lower().endswith("en"):
        return True
    wants_e = cell[2] == "s" and (cell[1] == "n" or (cell[1] == "a" and cell[0] in "fn"))
    return ends_e == wants_e


def strong_ending_fits(adjective: str, cell: str) -> bool:
    low = adjective.lower()
    for ending in ("er", "es", "en", "em", "e"):
        if low.endswith(ending):
            allowed = DETERMINERS["dies" + ending]
            return any(c == cell[1:] and (g == cell[0] or "x" in (g, cell[0])) for g, c in allowed)
    return True
