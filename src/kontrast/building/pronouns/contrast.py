"""Contrastives of one target pronoun, by the target side of a recipe."""

from __future__ import annotations

from collections.abc import Mapping

from kontrast.building.pronouns.recipe import Recipe
from kontrast.building.pronouns.target import Contrastive, target_side

__all__ = ["Contrastive", "contrastives"]


def contrastives(
    recipe: Recipe,
    text: str,
    start: int,
    end: int,
    is_subject: bool | None = None,
    together: Mapping[int, bool | None] | None = None,
) -> list[Contrastive]:
    """One contrastive for each other gender of the pronoun at these characters; empty where it cannot change.

    Where the target clause leaves its case open (*sie*, *es*), ``is_subject`` of the source decides: *er* or *ihn*.
    ``together`` are the places of words that mean the same thing and change with it.
    """
    chosen: dict[str, Contrastive] = {}
    for made in target_side(recipe).contrast(text, start, end, is_subject=is_subject, together=together or {}):
        chosen.setdefault(made.gender, made)
    return list(chosen.values())
