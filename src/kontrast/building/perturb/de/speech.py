"""Verbs of saying and thinking: what a quotation, or a clause after a colon, completes."""

from __future__ import annotations

from kontrast.language.lexicons.german_words import word_lists

__all__ = ["SAYING"]

SAYING = frozenset(word_lists("de.lists.txt")["saying"])
