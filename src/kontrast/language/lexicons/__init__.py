"""Who knows words: one file per back end, chosen by name, with a default where one comes with kontrast.

A name is one of `BACK_ENDS`; ``unimorph`` takes its file after a colon: ``unimorph:spa.gz``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, cast

from kontrast.errors import KontrastError
from kontrast.language.lexicon import Lexicon

if TYPE_CHECKING:
    from kontrast.language.lexicons.treebank import Treebank

BACK_ENDS: dict[str, tuple[str, str]] = {
    "tables": ("de", "nouns, verbs, adjectives, determiners and pronouns, in the package (CC BY-SA 4.0)"),
    "dwdsmor": (
        "de",
        "word formation, imperatives, haben or sein; pip install dwdsmor (GPL-2.0, Python 3.12 or later)",
    ),
    "lefff": ("fr", "verbs, adjectives and nouns of Lefff 3.4, in the package (LGPL-LR)"),
    "ud": ("any", "ud:FILE[,FILE], the words of treebanks in CoNLL-U with their features and counts"),
    "patterns": ("any", "patterns:FILE[,FILE], forms by analogy with those in treebanks"),
    "pymorphy": (
        "ru, uk",
        "Russian and Ukrainian dictionaries; pip install pymorphy3[fast] pymorphy3-dicts-ru (MIT)",
    ),
    "morfeusz": ("pl", "Polish dictionary; pip install morfeusz2 (BSD)"),
    "apertium": ("any", "apertium:spa, Apertium's automata; apt-get install apertium-eng-spa (GPL, as a program)"),
    "unimorph": ("any", "unimorph:FILE, a UniMorph file (lemma, form, features per line; .gz too) of any language"),
}
"""For each back end its language and what it brings."""

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
            f"fetch the language's file from UniMorph and name it, unimorph:FILE"
        )
    kind, _, file = (name or DEFAULTS[language]).partition(":")
    if kind not in BACK_ENDS:
        raise KontrastError(f"there is no lexicon {kind!r}; there are {', '.join(BACK_ENDS)} (as unimorph:FILE)")
    home, brings = BACK_ENDS[kind]
    if home != "any" and language not in home.split(", "):
        raise KontrastError(f"the lexicon {kind!r} is for {home!r}, not for {language!r}; unimorph:FILE is for any")
    if kind == "tables":
        from kontrast.language.lexicons.tables import Tables

        return Tables()
    if kind == "dwdsmor":
        from kontrast.language.lexicons.dwdsmor import DWDSmor

        return DWDSmor()
    if kind == "lefff":
        from kontrast.language.lexicons.lefff import Lefff

        return Lefff()
    if kind == "pymorphy":
        from kontrast.language.lexicons.slavic import Pymorphy

        return Pymorphy(language)
    if kind == "morfeusz":
        from kontrast.language.lexicons.slavic import Morfeusz

        return Morfeusz()
    if not file:
        raise KontrastError(f"the lexicon {kind!r} needs its file: {brings}")
    if kind == "ud":
        from kontrast.language.lexicons.treebank import Treebank

        return Treebank(language, file)
    if kind == "patterns":
        from kontrast.language.lexicons.patterns import Patterns

        return Patterns(language, file, cast("Treebank", lexicon(language, f"ud:{file}")))
    if kind == "apertium":
        from kontrast.language.lexicons.apertium import Apertium

        return Apertium(language, file)
    from kontrast.language.lexicons.unimorph import UniMorph

    return UniMorph(language, file)
