"""A doubt about an item or a foil: what kind it is, and the word that it is about."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Doubt"]


class Doubt(NamedTuple):
    """``kind`` has ``{}`` where the word stands.

    >>> str(Doubt("{} would go with it", "Bank"))
    'Bank would go with it'
    """

    kind: str
    word: str = ""

    def __str__(self) -> str:
        return self.kind.format(self.word)
