"""French words by Lefff 3.4 (Sagot 2010): verbs, adjectives and nouns, analysed and generated; agreement by gender.

The tables are made by ``tools/french_lexicon.py``; their licence (LGPL-LR) is beside them.
"""

from functools import lru_cache
from typing import Literal

from kontrast.language.lexicon import Analysis, features_of, forms_with, tag_tables
from kontrast.language.lexicons.store import applied, table, unpacked

Gender = Literal["m", "f"]
Number = Literal["s", "p"]


_POS = tag_tables("lefff")["pos"]
_MARKS = {mark: features_of(column) for mark, column in tag_tables("lefff")["features"].items()}


class Lefff:
    """French verbs, adjectives and nouns."""

    name = "lefff"
    language = "fr"
    licence = "LGPL-LR"

    def analyse(self, form: str) -> list[Analysis]:
        lemmas = lemmas_of(form)
        participles = [p for verb in lemmas for p in _participles(verb) if any(form == made for _, made in p)]
        lemmas += [p[0][1] for p in participles if p[0][1] not in lemmas]
        return [a for lemma in lemmas for a in _paradigm(lemma) if a.form == form]

    def generate(self, lemma: str, pos: str | None = None, /, **features: str) -> list[str]:
        return forms_with(_paradigm(lemma), pos, features)


def lemmas_of(form: str) -> list[str]:
    """The lemmas that have this form; Lefff writes oe for œ."""
    if "œ" in form:
        return [lemma.replace("oe", "œ") for lemma in lemmas_of(form.replace("œ", "oe"))]
    rules = table("fr.forms").get(form)
    return [applied(rule, form) for rule in rules.split("|")] if rules else []


def facts_of(lemma: str) -> list[tuple[str, str, str]]:
    """(group, code, form) of a lemma: v, a or n; P3s, W, Kfs … or ms, fs, mp, fp; alternatives in their order."""
    if "œ" in lemma:
        return [(g, code, form.replace("oe", "œ")) for g, code, form in facts_of(lemma.replace("œ", "oe"))]
    return list(unpacked(lemma, table("fr.lemmas").get(lemma)))


@lru_cache(maxsize=20_000)
def read_as(form: str, groups: str = "v") -> tuple[tuple[str, str], ...]:
    """(code, lemma) of each verb (v), or adjective (a) or noun (n), that the form can be.

    >>> read_as("finirai"), read_as("table", "n")
    ((('F1s', 'finir'),), (('fs', 'table'),))
    """
    facts = ((lemma, *fact) for lemma in lemmas_of(form) for fact in facts_of(lemma))
    return tuple((code, lemma) for lemma, group, code, made in facts if made == form and group in groups)


def forms_of(verb: str, code: str) -> list[str]:
    """The forms of a verb with this code, the usual one first."""
    return [form for group, own, form in facts_of(verb) if group == "v" and own == code]


@lru_cache(maxsize=5_000)
def _paradigm(lemma: str) -> tuple[Analysis, ...]:
    """All forms of a lemma: the infinitive and the singular first, the present before other tenses."""
    facts = sorted(facts_of(lemma), key=lambda fact: (fact[0], _order(fact[1])))
    found = [Analysis(form, lemma, _POS[group], _features(code)) for group, code, form in facts]
    if not any(a.pos == "ADJ" for a in found):
        for verb in lemmas_of(lemma):
            for cells in _participles(verb):
                if cells[0][1] == lemma:
                    found += [Analysis(form, lemma, "ADJ", _features(cell)) for cell, form in cells]
    return tuple(found)


@lru_cache(maxsize=5_000)
def _participles(verb: str) -> list[list[tuple[str, str]]]:
    """The past participle of a verb, which serves as an adjective of its own (privé): its cells, masculine first."""
    cells = [(code[1:], form) for group, code, form in facts_of(verb) if group == "v" and code.startswith("K")]
    return [sorted(cells, key=lambda cell: _order(cell[0]))] if cells else []


def _order(code: str) -> tuple[int, str, str]:
    return "WPIFJCSTYGKmf".index(code[0]), "sp" if code[-1] == "s" else "z", code


@lru_cache
def _features(code: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for mark in code:
        found |= {"Person": mark} if mark.isdigit() else _MARKS[mark]
    return found


def agreeing(form: str, gender: Gender, number: Number, kinds: str = "ak") -> str | None:
    """The form that agrees with the gender in place of one that agrees with the other, None where it is no such form.

    >>> agreeing("heureux", "f", "p"), agreeing("folles", "m", "p"), agreeing("table", "m", "s")
    ('heureuses', 'fous', None)
    """
    other = ("f" if gender == "m" else "m") + number
    for kind in kinds:
        for _, cells in _agreeing_paradigms(form.lower(), kind):
            if form.lower() in cells[other]:
                return cells[gender + number][0]
    return None


def is_form(form: str, gender: Gender, number: Number, kinds: str = "ak") -> bool:
    """Can the word be this form of an adjective or participle?"""
    low, cell = form.lower(), gender + number
    return any(low in cells[cell] for kind in kinds for _, cells in _agreeing_paradigms(low, kind))


def is_finite(form: str) -> bool:
    """Can the word be a finite verb, as *produit* and *fait* can?"""
    return any(code[0] not in "KWG" for code, _ in read_as(form.lower()))


def lemmas(form: str, kinds: str = "ak") -> set[str]:
    """The lemmas a form may belong to (infinitives for participles)."""
    return {lemma for kind in kinds for lemma, _ in _agreeing_paradigms(form.lower(), kind)}


def noun_genders(form: str) -> frozenset[str]:
    """The genders a noun's form can have: empty where the noun is not known."""
    return frozenset(code[0] for code, _ in read_as(form.lower(), "n"))


@lru_cache(maxsize=20_000)
def _agreeing_paradigms(form: str, kind: str) -> tuple[tuple[str, dict[str, tuple[str, ...]]], ...]:
    """The adjectives (a) or past participles (k) that have this form: lemma, and forms by cell (ms, fs, mp, fp)."""
    found = []
    for lemma in sorted(lemmas_of(form)):
        cells: dict[str, tuple[str, ...]] = {}
        for group, code, made in facts_of(lemma):
            if (group == "a") if kind == "a" else code.startswith("K"):
                cells[code[-2:]] = (*cells.get(code[-2:], ()), made)
        if len(cells) == 4 and any(form in forms for forms in cells.values()):
            found.append((lemma, cells))
    return tuple(found)
