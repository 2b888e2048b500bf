"""Which German verbs form their perfect with *sein*, and which allow both auxiliaries."""

from __future__ import annotations

from kontrast.language.lexicons.german_words import PARTICLES, word_lists

__all__ = ["EITHER_AUXILIARY", "TAKES_SEIN"]

_LISTS = word_lists("de.lists.txt")
EITHER_AUXILIARY = frozenset(_LISTS["either"])
"""Verbs with which both auxiliaries are heard, in different meanings or regions."""
_DERIVED = {particle + base for particle in PARTICLES for base in _LISTS["sein_base"]}
TAKES_SEIN = frozenset(_LISTS["sein"]) | frozenset(_DERIVED) - EITHER_AUXILIARY
"""Verbs of motion and of change with the perfect in sein, and what particles make of them."""
