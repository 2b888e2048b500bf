"""One fact, one number: what two commands say of the same items, and what cannot be known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kontrast
from kontrast import Item, Scores, Suite, Variant
from kontrast.errors import InputError
from kontrast.suites.description import count_by
from kontrast.suites.scores import write_scores

ODD: list[Any] = ["A", "a", "a", True, 1, 1, "1", "true", ["a", "b"], None]


def _item(n: int, **fields: Any) -> Item:
    return Item(str(n), f"dog {n}", (Variant(f"ein Hund {n}"), Variant(f"eine Hund {n}", error="np")), **fields)


def _evaluated(suite: Suite, tag: str) -> dict[str, int]:
    result = kontrast.evaluate(suite, Scores("mine", (1.0, 2.0) * len(suite)), by=tag)
    return {group.label: group.items for each in result.by if each.by == tag for group in each.groups}


def _described(suite: Suite, tag: str) -> dict[str, int]:
    cells = count_by(suite, [tag]).cells
    found = {"(none)" if value is None else str(value): count for (value,), count in cells}
    assert len(found) == len(cells), "two rows look alike"
    return found


@pytest.mark.parametrize("tag", ["lemma", "src_pronoun"])
def test_describe_and_evaluate_have_the_same_groups(tag: str) -> None:
    suite = Suite("s", tuple(_item(n, tags={tag: value}) for n, value in enumerate(ODD)))
    assert _evaluated(suite, tag) == _described(suite, tag)


def test_documents_that_differ_in_case_are_two() -> None:
    suite = Suite("s", tuple(_item(n, document="Aa"[n % 2]) for n in range(4)))
    assert _evaluated(suite, "document") == {"A": 2, "a": 2}


def test_tags_of_the_only_wrong_variant_are_the_items() -> None:
    foil = Variant("eine Hund", error="np", tags={"distance": 2})
    items = (Item("1", "a dog", (Variant("ein Hund"), foil)), _item(2, tags={"distance": 2}))
    suite = Suite("s", items)
    assert _evaluated(suite, "distance") == _described(suite, "distance") == {"2": 2}


def test_tags_in_which_wrong_variants_differ_are_not_the_items() -> None:
    foils = (
        Variant("eine Hund", tags={"distance": 1, "kind": "a"}),
        Variant("eines Hund", tags={"distance": 2, "kind": "a"}),
    )
    assert Item("1", "a dog", (Variant("ein Hund"), *foils)).tags_of() == {"kind": "a"}


def test_a_group_without_decided_items_has_no_accuracy(tmp_path: Path) -> None:
    order = Item("2", "Bob called Ann.", (Variant("Bob rief Ann."), Variant("Ann rief Bob.", error="order")))
    suite = Suite("s", (_item(1), order), "en", "de")
    (tmp_path / "out.de").write_text("ein Hund 1\nBob rief Ann.\n", encoding="utf-8")
    groups = kontrast.check(suite, tmp_path / "out.de", by="phenomenon").by[0].groups
    assert {group.label: group.accuracy for group in groups} == {"np": 1.0, "order": None}


def test_an_effect_without_spread_is_not_zero() -> None:
    # The references are the correct variants: every correct one gets 100, every wrong one less.
    items = tuple(
        Item(str(n), "x", (Variant(text), Variant(text[::-1], error="e")), references=(Variant(text),))
        for n, text in enumerate(("a small dog", "the black cat", "one more bird"))
    )
    found = kontrast.metrics(Suite("s", items, "de", "en"), ["chrF"]).metrics[0].sensitivity[0]
    assert found.margin > 0 and found.spread == 0 and found.effect is None


def test_maximize_does_not_turn_signed_scores_round(tmp_path: Path) -> None:
    suite = Suite("s", (_item(1), _item(2)))
    write_scores(Scores("signed", (1.0, 2.0, 1.0, 2.0)), tmp_path / "signed.scores")
    with pytest.raises(InputError, match="lower is better"):
        kontrast.evaluate(suite, tmp_path / "signed.scores", maximize=True)
    assert kontrast.evaluate(suite, tmp_path / "signed.scores", maximize=False).accuracy == 1.0


def test_a_table_says_that_rows_change_places(tmp_path: Path) -> None:
    item = Item("1", "a dog", (Variant("eine Hund", error="np"), Variant("ein Hund")), correct=1)
    lost = kontrast.save(Suite("s", (item,)), tmp_path / "s.csv", "table")
    assert any(str(each).startswith("correct") for each in lost)
