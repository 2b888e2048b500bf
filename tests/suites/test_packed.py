"""Packed items: every command gives on them what it gives on plain ones."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import kontrast
from kontrast import InputError, Item, Scores, Suite, Variant
from kontrast.io.json_input import decode_lines
from kontrast.suites import packed
from kontrast.suites.packed import PackedItems, fields_of, numbered_keys, shape_of

WORDS = 'er sie es Hund Katze läuft schläft : " \\ 1 heute \u2028 nicht'.split(" ")


def made(seed: int, size: int = 150, most: int = 4) -> Suite:
    """A suite of all that an item may have, or lack."""
    draw = random.Random(seed)

    def text() -> str:
        return " ".join(draw.choices(WORDS, k=draw.randint(1, 6)))

    def some(make: Callable[[], object]) -> object:
        return make() if draw.random() < 0.6 else None

    def tags() -> dict[str, object]:
        values: list[object] = [1, 1.0, "1", True, None, 0.5, ["a", "b"], "x"]
        names = draw.sample(["z", "distance", "phenomenon", "replacement", "ref_pronoun", "frequency"], k=3)
        return {n: draw.choice(values[:2] if n in ("distance", "frequency") else values) for n in names}

    items = []
    for k in range(size):
        variants = tuple(
            Variant(text(), some(lambda: draw.choice("ab")), some(lambda: (text(),)), some(tags) or {})  # type: ignore[arg-type]
            for _ in range(draw.randint(1, most))
        )
        items.append(
            Item(
                str(k),
                draw.choice([text(), "the same"]),
                variants,
                draw.randrange(len(variants)),
                source_context=some(lambda: (text(), text())),  # type: ignore[arg-type]
                document=some(lambda: f"d{draw.randrange(9)}"),  # type: ignore[arg-type]
                segment=some(lambda: draw.randrange(99)),  # type: ignore[arg-type]
                tags=some(tags) or {},  # type: ignore[arg-type]
            )
        )
    return Suite("made", tuple(items), "en", "de", unit=draw.choice(["item", "pair"]))


@pytest.fixture(params=range(6))
def both(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Suite, Suite]:
    """The same suite with plain items and with packed ones."""
    kontrast.save(made(request.param), tmp_path / "made.jsonl")
    plain = kontrast.load(tmp_path / "made.jsonl")
    monkeypatch.setattr(packed, "PACKED_FROM", 10)
    return plain, kontrast.load(tmp_path / "made.jsonl")


def test_packed_items_are_a_sequence_of_the_same_items(both: tuple[Suite, Suite]) -> None:
    plain, other = both
    assert isinstance(plain.items, tuple) and isinstance(other.items, PackedItems)
    assert other == plain and list(other.items) == list(plain.items)
    assert other.fingerprint == plain.fingerprint and other.row_count == plain.row_count
    assert [other.items[i] for i in (0, 63, 64, -1)] == [plain.items[i] for i in (0, 63, 64, -1)]
    assert other.items[3:99:7] == plain.items[3:99:7] and other[:5] == plain[:5]
    assert [each.tolist() for each in shape_of(other.items)] == [each.tolist() for each in shape_of(plain.items)]
    assert other.to_dict() == plain.to_dict()
    with pytest.raises(IndexError):
        other.items[len(plain.items)]


def test_every_number_is_the_same(both: tuple[Suite, Suite], tmp_path: Path) -> None:
    plain, other = both
    draw = random.Random(1)
    first, second = (
        Scores(name, tuple(draw.choice([1.0, 2.0, 3.0]) for _ in range(plain.row_count))) for name in "ab"
    )
    texts = [draw.choice(item.variants).text for item in plain.items]
    (tmp_path / "references").write_text("".join(f"ein Hund {k}\n" for k in range(len(texts))))
    for found in (
        lambda suite: kontrast.evaluate(suite, first, by=["distance", "frequency:log", "document,distance"]),
        lambda suite: kontrast.compare(suite, first, second, resamples=100),
        lambda suite: kontrast.gate(suite, first, kontrast.GateConfig(accuracy=0.99)),
        lambda suite: kontrast.check(suite, texts),
        kontrast.describe,
        kontrast.lint,
        lambda suite: kontrast.metrics(suite, "chrF", references=tmp_path / "references", resamples=100),
    ):
        assert found(other) == found(plain)
    for suite, name in ((plain, "plain"), (other, "other")):
        kontrast.evaluate(suite, first, second, items=tmp_path / f"{name}.jsonl")
        kontrast.save(suite, tmp_path / f"{name}.saved")
    for kind in ("jsonl", "saved"):
        assert (tmp_path / f"other.{kind}").read_bytes() == (tmp_path / f"plain.{kind}").read_bytes()


def test_some_fields_of_all_items(both: tuple[Suite, Suite]) -> None:
    class Place(msgspec.Struct):
        source: str
        document: str | None = None

    plain, other = both
    assert [(p.source, p.document) for p in fields_of(other.items, Place)] == [
        (item.source, item.document) for item in plain.items
    ]


def test_a_bad_line_among_many_is_named(both: tuple[Suite, Suite], tmp_path: Path) -> None:
    lines = (tmp_path / "made.jsonl").read_text().split("\n")[:-1]
    broken = {
        "}{": "expected an item",
        '{"id":"x","source":"s","variants":[{"text":"a"}],"correct":1}': "found correct 1 of 1",
        '{"id":"x","source":"s","source":"t","variants":[{"text":"a"}]}': 'found "source" again',
    }
    for line, message in broken.items():
        (tmp_path / "bad.jsonl").write_text("\n".join([*lines[:100], "", line, *lines[100:]]) + "\n")
        with pytest.raises(InputError, match=f"line 102: .*{message}"):
            kontrast.load(tmp_path / "bad.jsonl")


def test_a_large_table_is_packed_as_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With decimal commas, which the last row alone may exclude."""
    rows = "".join(f'der {k},das {k},die {k},"{k},{k}","1,{250 + k}",{k % 3}.5\n' for k in range(100))
    (tmp_path / "a.csv").write_text(f"source,right,wrong,weight,price,share\n{rows}")
    plain = kontrast.load(tmp_path / "a.csv")
    monkeypatch.setattr(packed, "PACKED_FROM", 10)
    other = kontrast.load(tmp_path / "a.csv")
    assert isinstance(other.items, PackedItems) and other == plain and other.fingerprint == plain.fingerprint
    assert other.items[99].tags == {"weight": 99.99, "price": "1,349", "share": 0.5}
    for suite, name in ((plain, "plain"), (other, "other")):
        assert kontrast.save(suite, tmp_path / f"{name}.csv", "table") == []
    assert (tmp_path / "other.csv").read_bytes() == (tmp_path / "plain.csv").read_bytes()


@pytest.mark.parametrize(
    "line",
    [
        '{"a": ":", "b": {"c\\": ": 1}}',
        '{"b": {"x": "\\u00fc"},  "a": "\\"::"}',
        '{"a":"\\u0022:","b":"\\u003a"}',
    ],
)
def test_keys_that_come_twice_are_found_however_a_line_is_written(line: str) -> None:
    decoder = msgspec.json.Decoder()
    assert decode_lines(decoder, [line.encode()], "a", 1, "JSON") == [msgspec.json.decode(line)]
    for twice in (
        line.replace('"a"', '"b"', 1),
        line.replace('"b"', '"a" : 1, "a"'),
        line.replace('"a"', '"\\u0062"'),
    ):
        with pytest.raises(InputError, match="again"):
            decode_lines(decoder, [twice.encode()], "a", 1, "JSON")


def test_keys_with_one_hash_have_numbers_of_their_own() -> None:
    keys = [-1, -2, -1, "a", -2]  # hash(-1) is hash(-2)
    assert numbered_keys(lambda: iter(keys)).tolist() == [0, 1, 0, 2, 1]
    assert numbered_keys(lambda: iter(keys[3:])).tolist() == [0, 1]
