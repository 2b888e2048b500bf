"""Who knows words: one file per back end, chosen by name, with a default where one comes with kontrast.

A name is one of ``data/back_ends.toml``; ``unimorph`` takes its file after a colon: ``unimorph:spa.gz``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from kontrast.errors import KontrastError
from kontrast.language.back_ends import back_end
from kontrast.language.lexicon import Lexicon

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
            f"kontrast has no lexicon for {language!r} (only for {', '.join(DEFAULTS)}): "
            f"download the language's file from UniMorph and use unimorph:FILE"
        )
    kind, _, file = (name or DEFAULTS[language]).partition(":")
    found = back_end("lexicons", kind, " (as unimorph:FILE)")
    home = found.languages
    if home != "any" and language not in home.split(", "):
        raise KontrastError(
            f"the lexicon {kind!r} is for {home!r}, not for {language!r}; unimorph:FILE works for any language"
        )
    made: Callable[..., Lexicon] = found.load()
    if home != "any":
        return made(language) if "," in home else made()
    if not file:
        raise KontrastError(f"the lexicon {kind!r} needs its file: {found.told}")
    if kind == "patterns":
        return made(language, file, lexicon(language, f"ud:{file}"))
    return made(language, file)
