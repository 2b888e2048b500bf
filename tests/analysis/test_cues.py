"""Cues: planted readers get all weight where they read; a random reader is at chance; budget and sharing count."""

from __future__ import annotations

import sys

import msgspec
import pytest
from tests.analysis.test_context import READER, planted

import kontrast
from kontrast import KontrastError
from kontrast.analysis.cues import marked_words
from kontrast.suites.model import Item, Variant


def model(kind: str) -> str:
    return f"command:{sys.executable} {READER} {kind}"


@pytest.mark.parametrize("replace", [None, "thing"])
def test_a_reader_of_the_antecedent_puts_all_weight_there(replace: str | None) -> None:
    found = kontrast.cues(planted(30), model("antecedent"), context="prev:2", side="source", replace=replace)
    assert found.total is not None and found.total.items == 30
    assert found.total.share.value == 1.0
    assert found.total.by_length == pytest.approx(1 / 11, abs=0.01)
    assert [g.label for g in found.by_distance] == ["1"]
    for each in found.cues:
        assert [word.text for word in each.words if word.weight] in (["lamp"], ["table"], ["book"])
    assert found.by_place[0] == (1, 1.0)


def test_a_reader_of_one_place_puts_all_weight_there() -> None:
    """The program reads only the sixth word from the end: of the source and the context before it."""
    suite = planted(30)
    found = kontrast.cues(suite, model("word:6"), context="prev:1", side="source", replace="thing")
    for each in found.cues:
        heavy = {word.text for word in each.words if word.weight}
        assert heavy <= {each.source_context[0].replace(".", "").split()[-2]}
    assert any(word.weight for each in found.cues for word in each.words)


def test_a_random_reader_is_at_chance() -> None:
    found = kontrast.cues(planted(60), model("random"), context="prev:1", side="source")
    assert found.total is not None and found.total.share.interval is not None
    low, high = found.total.share.interval.low, found.total.share.interval.high
    assert low <= found.total.by_length <= high


def test_budget_and_sharing() -> None:
    suite = planted(12)
    twice = msgspec.structs.replace(
        suite,
        items=(*suite.items, *(msgspec.structs.replace(item, id=f"{item.id}b") for item in suite.items)),
    )
    whole = kontrast.cues(twice, model("antecedent"), context="prev:2", side="source")
    assert whole.rows == 2 * whole.calls
    few = kontrast.cues(suite, model("antecedent"), context="prev:2", side="source", max_calls=150)
    assert any("words were not looked at" in note for note in few.notes)
    assert few.calls <= 150 + 3 * len(suite)
    # Words of the sentence that matters come first.
    assert {word.sentence for each in few.cues for word in each.words} == {1}
    with pytest.raises(KontrastError, match="no item of planted has 9 sentences"):
        kontrast.cues(suite, model("antecedent"), context="prev:9", side="source")


def test_words_that_people_marked() -> None:
    item = Item(
        "1",
        "It works.",
        (Variant("Elle marche."), Variant("Il marche.")),
        source_context=("I bought a new lamp.",),
        tags={"src_context_needed": [[15, 19]]},
    )
    (place,) = marked_words(item, ("en", "fr"))
    assert (place.side, place.start, place.end) == ("source", 15, 19)
