"""French adjectives, participles and nouns from Lefff 3.4 (Sagot 2010), analysed and inflected.

The data file is made by ``tools/french_lexicon.py``; its licence (LGPL-LR) is beside it.
"""

from __future__ import annotations

import gzip
from functools import cache
from importlib import resources
from typing import Literal

__all__ = ["Gender", "Number", "agreeing", "is_form", "lemmas", "noun_genders"]

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
        for _, cells in _tables()[kind].get(form.lower(), ()):
            if form.lower() in cells[other]:
                return cells[gender + number][0]
    return None


def is_form(form: str, gender: Gender, number: Number, kinds: str = "ak") -> bool:
    """Can the word be this form of an adjective or participle?

    >>> is_form("vue", "f", "s", "k"), is_form("vue", "m", "s", "k")
    (True, False)
    """
    cell = gender + number
    return any(form.lower() in p[1][cell] for kind in kinds for p in _tables()[kind].get(form.lower(), ()))


def lemmas(form: str, kinds: str = "ak") -> set[str]:
    """The lemmas a form may belong to (infinitives for participles).

    >>> lemmas("vue", "k")
    {'voir'}
    """
    return {p[0] for kind in kinds for p in _tables()[kind].get(form.lower(), ())}


def noun_genders(form: str) -> frozenset[str]:
    """The genders a noun's form can have: empty where the noun is not known.

    >>> sorted(noun_genders("voiture")), sorted(noun_genders("livre"))
    (['f'], ['f', 'm'])
    """
    return frozenset(cell[0] for cell in _nouns().get(form.lower(), "").split("/") if cell)


@cache
def _lines() -> list[str]:
    packed = resources.files("kontrast").joinpath("data", "lexicons", "french.tsv.gz").read_bytes()
    return gzip.decompress(packed).decode().splitlines()


@cache
def _tables() -> dict[str, dict[str, list[Paradigm]]]:
    tables: dict[str, dict[str, list[Paradigm]]] = {"a": {}, "k": {}}
    for line in _lines():
        if line.startswith("n"):
            break
        kind, lemma, *forms = line.split("\t")
        cells = dict(zip(("ms", "fs", "mp", "fp"), (tuple(f.split("/")) for f in forms), strict=True))
        for form in {form for cell in cells.values() for form in cell}:
            tables[kind].setdefault(form, []).append((lemma, cells))
    return tables


@cache
def _nouns() -> dict[str, str]:
    return dict(line[2:].split("\t") for line in _lines() if line.startswith("n"))
