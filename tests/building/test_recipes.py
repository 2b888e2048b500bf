"""The Spanish and Italian recipes: the pronoun changes, and with it the words that agree."""

from __future__ import annotations

import pytest

from kontrast.building.pronouns.foils import contrastives
from kontrast.building.pronouns.recipe import load_recipe


@pytest.mark.parametrize(
    ("pair", "text", "pronoun", "wrong"),
    [
        ("en-es", "Ella es nueva.", "Ella", ["Él es nuevo."]),
        ("en-es", "No la he visto.", "la", ["No lo he visto."]),
        ("en-es", "Las compraron todas.", "Las", ["Los compraron todos."]),
        ("en-it", "Non la vedo.", "la", ["Non lo vedo."]),
        ("en-it", "Le hanno viste tutte.", "Le", ["Li hanno visti tutti."]),
        ("en-it", "Li hanno visti tutti.", "Li", ["Le hanno viste tutte."]),
        ("en-it", "Lei è nuova.", "Lei", []),
        ("en-it", "Essa è utile.", "Essa", ["Esso è utile."]),
        ("en-it", "Esse sono normalmente salvate.", "Esse", ["Essi sono normalmente salvati."]),
        ("en-it", "Essa è stata creata ieri.", "Essa", ["Esso è stato creato ieri."]),
        ("en-it", "Esso può essere modificato.", "Esso", ["Essa può essere modificata."]),
        ("en-it", "Esse vengono eseguite.", "Esse", ["Essi vengono eseguiti."]),
        ("en-es", "Ellas pueden ser eliminadas.", "Ellas", ["Ellos pueden ser eliminados."]),
    ],
)
def test_recipe_changes_the_pronoun_and_what_agrees(pair: str, text: str, pronoun: str, wrong: list[str]) -> None:
    start = text.index(pronoun)
    assert [each.text for each in contrastives(load_recipe(pair), text, start, start + len(pronoun))] == wrong
