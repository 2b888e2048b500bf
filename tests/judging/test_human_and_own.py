"""One system on human text and on its own."""

from __future__ import annotations

import pytest

import kontrast
from kontrast import Item, Scores, Suite, Variant
from kontrast.errors import KontrastError


def _suite(name: str, lines: range, error: str = "tense") -> Suite:
    items = (
        Item(str(n), f"source {n}", (Variant(f"{name} {n}"), Variant(f"{name} {n} falsch", error)), tags=_tags(n))
        for n in lines
    )
    return Suite(name, tuple(items), "en", "de", unit="pair")


def _tags(n: int) -> dict[str, str]:
    return {"origin": f"text.{n}"}


def _files(folder: object, suite: Suite, values: list[float]) -> tuple[str, str]:
    names = f"{folder}/{suite.name}.jsonl", f"{folder}/{suite.name}.scores"
    kontrast.save(suite, names[0])
    kontrast.write_scores(Scores("m", tuple(values)), names[1])
    return names


def test_the_same_line_and_error_are_compared(tmp_path: object) -> None:
    human = _files(tmp_path, _suite("human", range(40)), [1.0, 2.0] * 40)
    own = _files(tmp_path, _suite("own", range(20, 60)), [2.0, 1.0] * 40)
    found = kontrast.compare(human[0], human[1], own=own[0], own_scores=own[1])
    [total] = found.total
    assert (total.a, total.b) == ("m on human text", "m on own text")
    assert total.difference == -1.0 and total.a_better == 20
    assert any("20 of 40 pairs" in note for note in found.notes)


def test_what_does_not_fit_is_refused(tmp_path: object) -> None:
    human = _files(tmp_path, _suite("human", range(10)), [1.0, 2.0] * 10)
    own = _files(tmp_path, _suite("own", range(20, 30)), [1.0, 2.0] * 10)
    with pytest.raises(KontrastError, match="has the line"):
        kontrast.compare(human[0], human[1], own=own[0], own_scores=own[1])
    with pytest.raises(KontrastError, match="go together"):
        kontrast.compare(human[0], human[1], own=own[0])
