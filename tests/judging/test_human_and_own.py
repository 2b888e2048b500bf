"""One system on human text and on its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

import kontrast
from kontrast import Item, Scores, Suite, Variant
from kontrast.errors import KontrastError
from kontrast.suites.model import Signature


def _suite(name: str, lines: range, error: str = "tense") -> Suite:
    items = (
        Item(
            str(n), f"source {n}", (Variant(f"{name} {n}"), Variant(f"{name} {n} falsch", error)), tags=_tags(n, name)
        )
        for n in lines
    )
    return Suite(name, tuple(items), "en", "de", unit="pair")


def _tags(n: int, name: str) -> dict[str, str]:
    return {"origin": f"text.{n}"} | ({"text": "own"} if name == "own" else {})


def _files(folder: object, suite: Suite, values: list[float], signature: Signature | None = None) -> tuple[str, str]:
    names = f"{folder}/{suite.name}.jsonl", f"{folder}/{suite.name}.scores"
    kontrast.save(suite, names[0])
    kontrast.write_scores(Scores("m", tuple(values), signature=signature), names[1])
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
    with pytest.raises(KontrastError, match="--own-scores FILE together"):
        kontrast.compare(human[0], human[1], own=own[0])


def test_maximize_is_for_both(tmp_path: object) -> None:
    human = _files(tmp_path, _suite("human", range(8)), [2.0, 1.0] * 8)
    own = _files(tmp_path, _suite("own", range(8)), [2.0, 1.0] * 8)
    plain = [f"{tmp_path}/{name}.txt" for name in ("h", "o")]
    for name in plain:
        Path(name).write_text("2\n1\n" * 8)
    [total] = kontrast.compare(human[0], plain[0], own=own[0], own_scores=plain[1], maximize=True).total
    assert total.difference == 0.0 and total.accuracy_a == 1.0


def test_several_foils_of_one_error_in_one_line_are_paired_in_order(tmp_path: object) -> None:
    def twice(suite: Suite) -> Suite:
        items = [
            replace(item, variants=(*item.variants, Variant(f"{suite.name} {n} ganz falsch", "tense")))
            for n, item in enumerate(suite)
        ]
        return replace(suite, items=tuple(items))

    human = _files(tmp_path, twice(_suite("human", range(8))), [2.0, 1.0, 3.0] * 8)
    own = _files(tmp_path, twice(_suite("own", range(8))), [2.0, 1.0, 3.0] * 8)
    [total] = kontrast.compare(human[0], human[1], own=own[0], own_scores=own[1]).total
    assert total.difference == 0.0 and total.accuracy_a == 0.5


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (lambda item: replace(item, source=f"other {item.source}"), "has the line"),
        (lambda item: replace(item, tags={"text": "own"}), "has no line"),
        (lambda item: replace(item, tags={"origin": item.tags["origin"]}), "must be built on human text"),
    ],
)
def test_another_text_is_refused(tmp_path: object, changed: Callable[[Item], Item], told: str) -> None:
    human = _files(tmp_path, _suite("human", range(8)), [1.0, 2.0] * 8)
    suite = _suite("own", range(8))
    own = _files(tmp_path, replace(suite, items=tuple(map(changed, suite))), [1.0, 2.0] * 8)
    with pytest.raises(KontrastError, match=told):
        kontrast.compare(human[0], human[1], own=own[0], own_scores=own[1])


def test_scores_of_another_model_are_refused(tmp_path: object) -> None:
    human, own = _suite("human", range(8)), _suite("own", range(8))
    names = []
    for suite, model in ((human, "a"), (own, "b")):
        signature = Signature(suite=suite.name, fingerprint=suite.fingerprint, engine="hf", model=model)
        names += _files(tmp_path, suite, [1.0, 2.0] * 8, signature)
    with pytest.raises(KontrastError, match="differ in model: score both"):
        kontrast.compare(names[0], names[1], own=names[2], own_scores=names[3])
