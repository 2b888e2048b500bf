"""Every interval holds its estimate: 0 ≤ low ≤ estimate ≤ high ≤ 1, whatever the counts and the clusters."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kontrast import evaluate
from kontrast.judging.clusters import Grouped
from kontrast.judging.intervals import share_interval, wilson

from .making import pairs_in_documents, scores_from

sizes = st.lists(st.integers(1, 40), min_size=1, max_size=12)
credit = st.sampled_from([0.0, 1.0, 0.5, 1 / 3])


@given(st.integers(1, 5000), st.floats(0, 1))
def test_wilson_holds_its_estimate(items: int, share: float) -> None:
    right = round(items * share)
    for count in (0, right, items):
        found = wilson(count, items)
        assert 0 <= found.low <= count / items <= found.high <= 1


@given(sizes, st.data())
def test_clusters_hold_their_estimate(sizes: list[int], data: st.DataObject) -> None:
    number = np.repeat(np.arange(len(sizes)), sizes)
    kind = data.draw(st.sampled_from(["none", "all", "one cluster", "any"]))
    credits = {
        "none": np.zeros(len(number)),
        "all": np.ones(len(number)),
        "one cluster": (number == 0).astype(np.float64),
    }
    chosen = credits.get(kind)
    if chosen is None:
        chosen = np.array(data.draw(st.lists(credit, min_size=len(number), max_size=len(number))))
    found = share_interval(chosen, Grouped("document", number))
    assert (
        0 <= found.low <= chosen.mean() <= found.high <= 1 or np.isclose(chosen.mean(), [found.low, found.high]).any()
    )


def test_a_group_in_one_document() -> None:
    """1 of 4 is 25%, and its interval is about a quarter."""
    suite = pairs_in_documents(6, 4)
    right = np.tile([True, False, False, False], 6)
    [by_document] = evaluate(suite, scores_from(right), by=["document"]).by
    for group in by_document.groups:
        assert group.accuracy == 0.25
        assert 0 < group.interval.low < 0.25 < group.interval.high < 0.8
