"""Which cells of gender, case and number a German noun, pronoun or ending can fill, and a phrase in its clause.

A *cell* is gender, case and number as in ``mns`` (masculine nominative singular); x is any gender.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kontrast.language.lexicons.german import noun_readings, usual_readings
from kontrast.language.lexicons.german_words import DETERMINERS
from kontrast.language.words import lists_of, word_set

if TYPE_CHECKING:
    from kontrast.language.german.clauses import Clause
    from kontrast.language.german.nominals import Nominal

_SINGULAR_NOMINATIVE_ACCUSATIVE = ("xns", "xas")
_PLAIN = {word: tuple(cells) for word, *cells in map(str.split, lists_of("de")["pronoun_cells"])}
THOUSANDS = word_set("de", "cells_thousands")


def pronoun_cells(low: str, tag: str) -> tuple[str, ...]:
    if low in _PLAIN and not (low == "das" and tag == "PRELS"):
        return _PLAIN[low]
    return determiner_cells(low) or _SINGULAR_NOMINATIVE_ACCUSATIVE


def determiner_cells(low: str) -> tuple[str, ...]:
    """The cells of a determiner; of one that is not listed those of *dieser* with its ending."""
    cells = DETERMINERS.get(low, ())
    if not cells and low.endswith(("e", "en", "er", "es", "em")):
        cells = DETERMINERS.get("dies" + low[low.rindex("e") :], ())
    return tuple(g + c for g, c in cells)


def noun_cells(word: str, tag: str, usual: bool = False) -> tuple[set[str], bool]:
    if word in THOUSANDS:
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
    return {f"x{c}s" for c in "ndag"} | _plurals_by_ending(word), False


def _plurals_by_ending(word: str) -> set[str]:
    """A plural ends in -n, -r, -l or -s, or in a vowel; in the dative in -n or -s."""
    if word.isupper():
        return set()  # die ECB
    found = {"xnp", "xap", "xgp"} if word.endswith(("n", "r", "l", "s", "e", "a", "i", "o", "u")) else set()
    return found | {"xdp"} if word.endswith(("n", "s")) else found


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


_CASE = {"n": "Nom", "g": "Gen", "d": "Dat", "a": "Acc"}
_GENDER = {"m": "Masc", "f": "Fem", "n": "Neut"}
_NUMBER = {"s": "Sing", "p": "Plur"}
_OPEN = frozenset(("$,", "KON", "CARD", "$(", "PIS", "PDS", "XY", "TRUNC"))
_COPULAS = word_set("de", "cases_copulas")


def set_cases(
    nominals: list[Nominal], clauses: list[Clause], tags: list[str], lemma: list[str], morph: list[dict[str, str]]
) -> None:
    """The cells that each nominal can have in its clause: one where its role is clear."""
    clause_of = {i: clause for clause in clauses for i in clause.tokens}
    for nominal in nominals:
        clause = clause_of.get(nominal.head)
        cases = _cases(nominal, clause, lemma)
        if nominal.start and tags[nominal.start - 1] in _OPEN and "d" in cases and not nominal.has("n"):
            # An apposition, a conjunct, a share: 50 % der Bevölkerung.
            cases += "g"
        cells = {c for c in nominal.cells if c[1] in cases} or nominal.cells
        if clause is not None and clause.subject is nominal and not nominal.joined:
            numbers = {code[2] for code in clause.codes if code[1] == nominal.person}
            cells = {c for c in cells if c[2] in numbers} or cells
        if {c[1:] for c in cells} == {"as", "dp"} and nominal.preposition < 0:
            cells = {c for c in cells if c[2] == "s"}  # den Präsidenten: rather one than several
        morph[nominal.head] = _features(nominal, cells)
        if nominal.determiner >= 0:
            morph[nominal.determiner] = morph[nominal.head]


def _cases(nominal: Nominal, clause: Clause | None, lemma: list[str]) -> str:
    """The cases that the role in the clause allows."""
    if nominal.preposition >= 0:
        return "adgn"
    if nominal.genitive:
        return "g"
    if clause is None or clause.subject is None:
        return "nad"
    if clause.subject is nominal:
        return "n" if clause.certain or not nominal.has("a") else "na"
    return "ad" if clause.certain and lemma[clause.verb] not in _COPULAS else "nad"


def _features(nominal: Nominal, cells: set[str]) -> dict[str, str]:
    """As in UD: several values that cannot be told apart are joined by a comma."""
    feature: dict[str, str] = {}
    for place, name, table in ((0, "Gender", _GENDER), (1, "Case", _CASE), (2, "Number", _NUMBER)):
        values = {table.get(c[place], "") for c in cells}
        if "" not in values:
            feature[name] = ",".join(sorted(values))
    if nominal.pronoun:
        feature["Person"] = nominal.person
    return feature
