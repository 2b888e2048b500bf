"""The artefact of frequent words: at chance where forms are balanced, above it where one is common."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import kontrast
from kontrast import Item, Suite, Variant


def _suite(er: int, sie: int) -> Suite:
    def item(number: int, right: str, wrong: str) -> Item:
        return Item(str(number), f"It sleeps {number}.", (Variant(f"{right} schläft."), Variant(f"{wrong} schläft.")))

    items = [item(n, "Er", "Sie") for n in range(er)] + [item(er + n, "Sie", "Er") for n in range(sie)]
    return Suite("made", tuple(items), "en", "de")


def _accuracy(suite: Suite, frequencies: Path | None = None) -> float:
    every = kontrast.artefacts(suite, frequencies=frequencies).artefacts
    [found] = [each for each in every if each.name == "frequent words"]
    return found.accuracy


@pytest.mark.parametrize(
    ("er", "sie", "expected"), [(15, 15, 0.5), (16, 15, 0.5), (16, 14, 16 / 30), (20, 10, 2 / 3)]
)
def test_balanced_forms_are_chance_and_common_ones_win(er: int, sie: int, expected: float) -> None:
    assert _accuracy(_suite(er, sie)) == pytest.approx(expected)


def test_word_that_only_its_own_item_has_is_no_lead() -> None:
    names = ("Hund", "Katze", "Pferd", "Maus", "Kuh", "Huhn")
    items = tuple(
        Item(name, f"a {name}", (Variant(f"{name} schläft."), Variant(f"{name}x schläft."))) for name in names
    )
    assert _accuracy(Suite("made", items, "en", "de")) == 0.5


def test_order_of_words_is_no_lead(tmp_path: Path) -> None:
    words = ["eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben"]
    train = tmp_path / "train.de"
    train.write_text("".join(f"{word}\n" * (3 * n + 2) for n, word in enumerate(words)), "utf-8")
    order = random.Random(1)
    items = [
        Item(str(n), f"words {n}", tuple(Variant(" ".join(order.sample(words, len(words)))) for _ in range(2)))
        for n in range(30)
    ]
    assert _accuracy(Suite("made", tuple(items), "en", "de"), train) == 0.5
