"""French adjectives, participles and nouns as the pronoun errors need them: agreement by gender (Lefff)."""

from functools import lru_cache
from typing import Literal

from kontrast.language.lexicons.lefff import facts_of, lemmas_of, read_as

Gender = Literal["m", "f"]
Number = Literal["s", "p"]

Paradigm = tuple[str, dict[str, tuple[str, ...]]]
"""The lemma, and the forms of each cell (ms, fs, mp, fp)."""


def agreeing(form: str, gender: Gender, number: Number, kinds: str = "ak") -> str | None:
    """The form that agrees with the gender in place of one that agrees with the other, None where it is no such form.

    >>> agreeing("heureux", "f", "p"), agreeing("folles", "m", "p"), agreeing("table", "m", "s")
    ('heureuses', 'fous', None)
    """
    other = ("f" if gender == "m" else "m") + number
    for kind in kinds:
        for _, cells in _paradigms(form.lower(), kind):
            if form.lower() in cells[other]:
                return cells[gender + number][0]
    return None


def is_form(form: str, gender: Gender, number: Number, kinds: str = "ak") -> bool:
    """Can the word be this form of an adjective or participle?"""
    low, cell = form.lower(), gender + number
    return any(low in cells[cell] for kind in kinds for _, cells in _paradigms(low, kind))


def is_finite(form: str) -> bool:
    """Can the word be a finite verb, as *produit* and *fait* can?"""
    return any(code[0] not in "KWG" for code, _ in read_as(form.lower()))


def lemmas(form: str, kinds: str = "ak") -> set[str]:
    """The lemmas a form may belong to (infinitives for participles)."""
    return {lemma for kind in kinds for lemma, _ in _paradigms(form.lower(), kind)}


def noun_genders(form: str) -> frozenset[str]:
    """The genders a noun's form can have: empty where the noun is not known."""
    return frozenset(code[0] for code, _ in read_as(form.lower(), "n"))


@lru_cache(maxsize=20_000)
def _paradigms(form: str, kind: str) -> tuple[Paradigm, ...]:
    """The adjectives (a) or past participles (k) that have this form."""
    found = []
    for lemma in sorted(lemmas_of(form)):
        cells: dict[str, tuple[str, ...]] = {}
        for group, code, made in facts_of(lemma):
            if (group == "a") if kind == "a" else code.startswith("K"):
                cells[code[-2:]] = (*cells.get(code[-2:], ()), made)
        if len(cells) == 4 and any(form in forms for forms in cells.values()):
            found.append((lemma, cells))
    return tuple(found)
