"""Nouns beside the antecedent that a French, Spanish or Italian foil would go with."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("spacy")

from kontrast.building.pronouns.doubt import Doubt
from kontrast.building.pronouns.near import doubts_near
from kontrast.building.pronouns.recipe import Recipe
from kontrast.building.pronouns.scene import Scene
from kontrast.building.pronouns.target import Contrastive
from kontrast.suites.model import Item

from .test_romance_doubts import item_of


@pytest.mark.parametrize(
    ("pair", "source", "target", "links", "doubt"),
    [
        (
            "en-fr",
            "The back of the house is open if it is old.",
            "Le fond de la maison est ouvert s'il est vieux.",
            "back=fond of=de house=maison open=ouvert if=s it=il old=vieux",
            True,
        ),
        (
            "en-fr",
            "The house door is open if it is old.",
            "La porte de bois est ouverte si elle est vieille.",
            "door=porte house=bois open=ouverte if=si it=elle old=vieille",
            False,
        ),
        (
            "en-es",
            "This lump of flesh is old and you use it.",
            "Este trozo de carne es viejo y puedes usarlo.",
            "lump=trozo of=de flesh=carne old=viejo use=usarlo it=usarlo",
            True,
        ),
    ],
)
def test_a_noun_in_the_phrase_goes_with_the_foil(
    pair: str, source: str, target: str, links: str, doubt: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds: set[str] = set()

    def noted(recipe: Recipe, scene: Scene, other: Contrastive) -> Iterator[Doubt]:
        found = list(doubts_near(recipe, scene, other))
        kinds.update(d.kind for d in found)
        yield from found

    monkeypatch.setattr("kontrast.building.pronouns.items.doubts_near", noted)
    assert isinstance(item_of(pair, [(source, target, links)]), Item)
    assert ("{} is in its phrase and would go with it" in kinds) is doubt
