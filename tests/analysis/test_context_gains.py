"""Which of two systems uses the context more, and results as people print them."""

from __future__ import annotations

import pytest

import kontrast
from kontrast import Item, KontrastError, Scores, Signature, Suite, Variant


def suite() -> Suite:
    return Suite("s", tuple(Item(str(i), f"it {i}", (Variant("er"), Variant("sie"))) for i in range(60)))


def scores(right: int, context: str = "none") -> Scores:
    values = tuple(v for i in range(60) for v in ((1.0, 2.0) if i < right else (2.0, 1.0)))
    made = suite()
    return Scores("m", values, signature=Signature(made.name, made.fingerprint, "hf", "m", context))


def test_the_gains_of_two_systems_are_compared() -> None:
    with_it = "prev:1"
    found = kontrast.compare_context(
        suite(), ("a", [scores(30), scores(33, with_it)]), ("b", [scores(30), scores(57, with_it)])
    )
    assert found.significant and found.difference.value == pytest.approx(24 / 60)
    assert found.verdict.startswith("b gains 40 points more from the context than a. b gains 45 points with")
    assert found.verdict.endswith("The difference is significant (p < .0005).")
    same = ("a", [scores(30), scores(33, with_it)])
    assert kontrast.compare_context(suite(), same, ("b", list(same[1]))).verdict.endswith(
        "The context does the same for both."
    )
    with pytest.raises(KontrastError, match="expected scores without context first"):
        kontrast.compare_context(suite(), ("a", [scores(33, with_it), scores(30)]), same)


def test_results_print_their_verdict_and_a_small_table() -> None:
    first, second = kontrast.Scores("a", scores(50).values), kontrast.Scores("b", scores(40).values)
    for result in (kontrast.evaluate(suite(), first), kontrast.compare(suite(), first, second)):
        printed = str(result)
        assert printed.startswith(result.verdict) and max(map(len, printed.splitlines()[2:])) < 60
        assert result.verdict.split(" ")[0] in result._repr_html_() and result._repr_html_().count("<th>") <= 6
        assert result.plot().to_dict()["layer"]
