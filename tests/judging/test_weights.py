"""Phenomena weighed by how often people mark such errors."""

from __future__ import annotations

import msgspec
import pytest

import kontrast
from kontrast import Item, Scores, Suite, Variant
from kontrast.errors import KontrastError
from kontrast.suites.error_shares import real_shares
from kontrast.suites.model import Signature

SIZES = {"sense": 10, "np_agreement": 40, "number": 50}


def _suite(sizes: dict[str, int]) -> Suite:
    items = [
        Item(f"{name}{n}", f"source {name} {n}", (Variant("right"), Variant("wrong", error=name)))
        for name, size in sizes.items()
        for n in range(size)
    ]
    return Suite("mixed", tuple(items), unit="pair")


def _scores(sizes: dict[str, int], right: set[str]) -> Scores:
    rows = [value for name, size in sizes.items() for value in ((1.0, 2.0) if name in right else (2.0, 1.0)) * size]
    return Scores("mine", tuple(rows))


def test_known_answers() -> None:
    suite = _suite(SIZES)
    for right, expected in ((set(SIZES), 1.0), (set(), 0.0)):
        assert kontrast.evaluate(suite, _scores(SIZES, right), weights="real").weighted.accuracy == expected
    constant = kontrast.evaluate(suite, Scores("constant", (1.0,) * 200), weights="real").weighted
    assert constant.accuracy == pytest.approx(constant.chance) == pytest.approx(0.5)


def test_a_phenomenon_counts_by_its_share_and_not_by_its_size() -> None:
    found = kontrast.evaluate(_suite(SIZES), _scores(SIZES, {"sense"}), weights="real")
    assert found.accuracy == pytest.approx(0.1)
    assert found.weighted.accuracy == pytest.approx(real_shares(SIZES)["sense"]) and found.weighted.accuracy > 0.5
    assert found.weighted.interval.low <= found.weighted.accuracy <= found.weighted.interval.high
    assert "|weighted:real:" in found.signature
    assert "weights" not in kontrast.evaluate(_suite(SIZES), _scores(SIZES, {"sense"})).signature


def test_the_weights_of_the_model_keep_their_part_of_the_signature() -> None:
    made = Signature(engine="hf", details={"weights": "0123abcd"})
    scores = msgspec.structs.replace(_scores(SIZES, {"sense"}), signature=made)
    parts = kontrast.evaluate(_suite(SIZES), scores, weights="real").signature.split("|")
    assert [part for part in parts if part.startswith("weights:")] == ["weights:0123abcd"]
    assert sum(part.startswith("weighted:real:") for part in parts) == 1


def test_what_the_table_lacks_is_counted_apart_or_refused() -> None:
    sizes = {"sense": 10, "weather": 5}
    found = kontrast.evaluate(_suite(sizes), _scores(sizes, {"weather"}), weights="real").weighted
    assert (found.items, found.left_out, found.accuracy) == (10, {"weather": 5}, 0.0)
    with pytest.raises(KontrastError, match=r"weather.*not in the table"):
        kontrast.evaluate(_suite({"weather": 5}), _scores({"weather": 5}, set()), weights="real")


def test_phenomena_of_few_items_are_named_with_their_weight() -> None:
    sizes = {"np_agreement": 199, "tense": 1}
    found = kontrast.evaluate(_suite(sizes), _scores(sizes, {"tense"}), weights="real")
    share = 100 * real_shares(sizes)["tense"]
    assert found.notes == (
        f"--weights real: {share:.1f}% of the weight is on phenomena with fewer than 6 pairs: tense (1)",
    )
    assert not kontrast.evaluate(_suite(sizes), _scores(sizes, {"tense"})).notes
    assert not kontrast.evaluate(_suite({"tense": 6}), _scores({"tense": 6}, set()), weights="real").notes


def test_every_word_of_another_sense_of_the_bundled_suites_has_its_weight() -> None:
    suite = kontrast.bundled("demo:fr")
    found = kontrast.evaluate(suite, Scores("constant", (1.0,) * suite.row_count), weights="real").weighted
    assert found.shares["word_sense"] == pytest.approx(found.shares["tense"]) and "word_sense" not in found.left_out
