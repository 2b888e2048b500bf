"""What is wrong with a text before anything is changed, or with the foil beside its one error, as features."""

from __future__ import annotations

import re

from kontrast.building.checks.misspelt import has_english, is_misspelt
from kontrast.building.errors.registry import language_of
from kontrast.building.errors.text import doubles_stop, is_unbalanced
from kontrast.language.annotation import Sentence
from kontrast.language.words import declared

__all__ = ["foil_flaws", "text_flaws"]

_TWICE = re.compile(r"(?i)\b(\w+ \w{3,}) \1\b|\b(\w{2,}) \2\b")
"""*die Installation die Installation*, *pour pour*."""
_MARKUP = re.compile(
    r"(?<!\S)\.(?:sp|br|PP|IP|RS|RE|TP)(?!\S)|(?<!\S)[A-ZÄÖÜÉ]?[a-zäöüßéèêà]{3,}\.[A-ZÄÖÜÉ][a-zäöüßé]{3,}"
)
"""*.sp* of manual pages; a blank lost between two sentences."""


def text_flaws(sentence: Sentence, language: str) -> tuple[str, ...]:
    """Whether an error in this text would not be its only one."""
    said = {
        "text.markup": _MARKUP.search(sentence.text) is not None,
        "text.english": has_english(sentence),
        "text.misspelt": is_misspelt(sentence, language),
        "text.doubled": _has_doubled(sentence.text, language),
    }
    declared = language_of(language)
    own = declared.flaws if declared else None
    return (*(name for name, true in said.items() if true), *(own(sentence) if own else ()))


def _has_doubled(text: str, language: str) -> bool:
    """A word twice, but for those that the language has twice (*nous nous lavons*).

    >>> _has_doubled("Nous nous lavons.", "fr"), _has_doubled("C'est pour pour elle.", "fr")
    (False, True)
    """
    right = declared(language).get("agreement", {}).get("doubled", ())
    return any((found[2] or "").lower() not in right for found in _TWICE.finditer(text))


def foil_flaws(text: str, foil: str, language: str) -> tuple[str, ...]:
    """Whether the foil has a second error: a bracket left alone, two full stops, an elision not made.

    >>> foil_flaws("mit xz (oder gzip) packen", "packen)", "de")
    ('foil.unbalanced',)
    """
    said = {
        "foil.unbalanced": is_unbalanced(text, foil),
        "foil.double_stop": doubles_stop(text, foil),
        "foil.open_end": foil.rstrip()[-1:] in ":;," and text.rstrip()[-1:] not in ":;,",
        "foil.small_start": foil[:1].islower() and not text[:1].islower(),
    }
    own = language_of(language)
    said["foil.misformed"] = own is not None and own.is_misformed is not None and own.is_misformed(text, foil)
    return tuple(name for name, true in said.items() if true)
