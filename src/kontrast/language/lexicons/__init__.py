"""Who knows words: one file per back end, chosen by name, with a default where one comes with kontrast.

A name is one of `BACK_ENDS`; ``unimorph`` takes its file after a colon: ``unimorph:spa.gz``.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import lru_cache

from kontrast.errors import KontrastError
from kontrast.language.lexicon import Lexicon

BACK_ENDS: dict[str, tuple[str, str, str]] = {
    "tables": (
        "de",
        "nouns, verbs, adjectives, determiners and pronouns; included in kontrast (CC BY-SA 4.0)",
        "tables.Tables",
    ),
    "dwdsmor": (
        "de",
        "word formation, imperatives, haben or sein; pip install dwdsmor (GPL-2.0, Python 3.12 or later)",
        "dwdsmor.DWDSmor",
    ),
    "lefff": ("fr", "verbs, adjectives and nouns of Lefff 3.4; included in kontrast (LGPL-LR)", "lefff.Lefff"),
    "ud": (
        "any",
        "ud:FILE[,FILE], the words of treebanks in CoNLL-U with their features and counts",
        "treebank.Treebank",
    ),
    "patterns": ("any", "patterns:FILE[,FILE], forms by analogy with those in treebanks", "patterns.Patterns"),
    "pymorphy": (
        "ru, uk",
        "Russian and Ukrainian dictionaries; pip install pymorphy3[fast] pymorphy3-dicts-ru (MIT)",
        "slavic.Pymorphy",
    ),
    "morfeusz": ("pl", "Polish dictionary; pip install morfeusz2 (BSD)", "slavic.Morfeusz"),
    "apertium": (
        "any",
        "apertium:spa, Apertium's automata; apt-get install apertium-eng-spa (GPL, as a program)",
        "apertium.Apertium",
    ),
    "unimorph": (
        "any",
        "unimorph:FILE, a UniMorph file (lemma, form, features per line; .gz too) of any language",
        "unimorph.UniMorph",
    ),
}
"""For each back end its language, what it brings, and its class."""

DEFAULTS = {"de": "tables", "fr": "lefff"}


@lru_cache(maxsize=8)
def lexicon(language: str, name: str | None = None) -> Lexicon:
    """The lexicon called ``name``, or the language's own: analyses forms and generates them. Loaded once.

    >>> german = lexicon("de")
    >>> german.generate("Haus", Case="Dat", Number="Plur"), german.analyse("Häusern")[0].lemma
    (['Häusern'], 'Haus')
    """
    if name is None and language not in DEFAULTS:
        raise KontrastError(
            f"no lexicon for {language!r} comes with kontrast (there is one for {', '.join(DEFAULTS)}): "
            f"download the language's file from UniMorph and use unimorph:FILE"
        )
    kind, _, file = (name or DEFAULTS[language]).partition(":")
    if kind not in BACK_ENDS:
        raise KontrastError(f"there is no lexicon {kind!r}; choose from {', '.join(BACK_ENDS)} (as unimorph:FILE)")
    home, brings, place = BACK_ENDS[kind]
    if home != "any" and language not in home.split(", "):
        raise KontrastError(
            f"the lexicon {kind!r} is for {home!r}, not for {language!r}; unimorph:FILE works for any language"
        )
    module, _, name = place.partition(".")
    back_end: Callable[..., Lexicon] = getattr(importlib.import_module(f"kontrast.language.lexicons.{module}"), name)
    if home != "any":
        return back_end(language) if "," in home else back_end()
    if not file:
        raise KontrastError(f"the lexicon {kind!r} needs its file: {brings}")
    if kind == "patterns":
        return back_end(language, file, lexicon(language, f"ud:{file}"))
    return back_end(language, file)
