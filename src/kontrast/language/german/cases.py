"""Case, number and gender of each German nominal in its clause: one where its role is clear, else several."""

from __future__ import annotations

from kontrast.language.german.clauses import Clause
from kontrast.language.german.nominals import Nominal
from kontrast.language.words import word_set

_CASE = {"n": "Nom", "g": "Gen", "d": "Dat", "a": "Acc"}
_GENDER = {"m": "Masc", "f": "Fem", "n": "Neut"}
_NUMBER = {"s": "Sing", "p": "Plur"}
_OPEN = frozenset(("$,", "KON", "CARD", "$(", "PIS", "PDS", "XY", "TRUNC"))
_COPULAS = word_set("de", "cases_copulas")
_DATIVE_VERBS = word_set("de", "cases_dative_verbs")
"""Verbs with a dative, which often names several people: *den Menschen helfen*."""
_THINGS = word_set("de", "cases_things")
"""The few weak masculines that are not living: *den Namen*."""


def set_cases(
    nominals: list[Nominal],
    clauses: list[Clause],
    words: list[str],
    tags: list[str],
    lemma: list[str],
    morph: list[dict[str, str]],
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
        if {c[1:] for c in cells} == {"as", "dp"}:
            cells = _one_or_several(nominal, cells, clause, words, tags, lemma)
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


def _one_or_several(
    nominal: Nominal, cells: set[str], clause: Clause | None, words: list[str], tags: list[str], lemma: list[str]
) -> set[str]:
    """*den Präsidenten*: without a preposition rather one in the accusative than several in the dative.

    A passive and *sein* have no accusative (*wurde den Studenten mitgeteilt*); with some verbs either is likely.
    """
    one = {c for c in cells if c[2] == "s"}
    if lemma[nominal.head] in _THINGS or (nominal.known and lemma[nominal.head] == words[nominal.head]):
        return one  # in den Rücken, den Namen: people are several more often than things
    if nominal.preposition >= 0:
        return cells
    if not nominal.known and lemma[nominal.head].endswith("s"):
        return cells  # den San Franciscans
    if clause is not None:
        lexical = clause.lexical if clause.lexical >= 0 else clause.verb
        if lemma[clause.verb] in ("sein", "werden") and tags[lexical] in ("VAFIN", "VVPP", "VVIZU"):
            return {c for c in cells if c[2] == "p"}
        if lemma[lexical] in _DATIVE_VERBS:
            return cells
    return one
