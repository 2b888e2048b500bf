"""LingEval97 and ContraPro JSON: what is read, and that it is written back equal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kontrast import InputError, load, save

TREE = {
    "source": "The tree is old.",
    "reference": "Der Baum ist alt.",
    "origin": "a.1",
    "errors": [
        {"type": "np_agreement", "contrastive": "Die Baum ist alt.", "distance": 0, "frequency": 12},
        {"type": "compound", "contrastive": "Der ist Baum alt."},
    ],
}
PRONOUN = {
    "src segment": "It is old.",
    "ref segment": "Er ist alt.",
    "src pronoun": "It",
    "ref pronoun": "Er",
    "ante distance": 1,
    "intrasegmental": None,
    "document id": "1990_1_2.de",
    "segment id": 7,
    "src ante head gender": None,
    "errors": [{"contrastive": "Sie ist alt.", "replacement": "Sie", "replacement gender": "Fem", "type": None}],
}


def written_back(entries: list[Any], folder: Path, format: str) -> Any:
    (folder / "in.json").write_text(json.dumps(entries), encoding="utf-8")
    assert save(load(folder / "in.json", format), folder / "out.json", format) == []
    return json.loads((folder / "out.json").read_text(encoding="utf-8"))


def test_lingeval97_fields(tmp_path: Path) -> None:
    (tmp_path / "tree.json").write_text(json.dumps([TREE]))
    suite = load(tmp_path / "tree.json")
    assert (suite.name, suite.unit, suite.style) == ("tree", "pair", "lingeval97")
    (item,) = suite.items
    assert item.tags == {"origin": "a.1"} and item.best.text == TREE["reference"]
    assert [v.error for v in item.variants] == [None, "np_agreement", "compound"]
    assert [v.tags for v in item.variants] == [{}, {"distance": 0, "frequency": 12}, {}]


def test_contrapro_fields(tmp_path: Path) -> None:
    (tmp_path / "pronoun.json").write_text(json.dumps([PRONOUN]))
    suite = load(tmp_path / "pronoun.json")
    assert (suite.unit, suite.style, suite.source_language, suite.target_language) == (
        "item",
        "contrapro",
        "en",
        "de",
    )
    (item,) = suite.items
    assert (item.document, item.segment) == ("1990_1_2.de", 7)
    assert item.tags["src_pronoun"] == "It" and item.tags["distance"] == 1
    assert item.tags["intrasegmental"] is None and item.tags["src_ante_head_gender"] is None
    assert item.variants[1].tags["replacement_gender"] == "Fem"


@pytest.mark.parametrize(
    ("format", "entry"),
    [
        ("lingeval97", TREE),
        ("lingeval97", TREE | {"note": {"deep": [1, None]}, "errors": [{"contrastive": "x", "severity": 0.5}]}),
        ("lingeval97", TREE | {"errors": []}),
        ("contrapro", PRONOUN),
        ("contrapro", PRONOUN | {"errors": PRONOUN["errors"][0]}),
        ("contrapro", PRONOUN | {"errors": None, "segment id": None, "document id": 12}),
        (
            "contrapro",
            PRONOUN | {"distance": "taken", "json:distance": 1, "my_key": 2, "my key": 3, "src_pronoun": 4},
        ),
    ],
)
def test_written_back_equal(tmp_path: Path, format: str, entry: dict[str, Any]) -> None:
    other = {"lingeval97": TREE, "contrapro": PRONOUN}[format]
    assert written_back([entry, other], tmp_path, format) == [entry, other]


@pytest.mark.parametrize(
    ("format", "path"),
    [
        ("lingeval97", "lingeval97/suite.json"),
        ("contrapro", "extract-contrapro/contrapro.json"),
        ("contrapro", "extract-enfr/testset.json"),
    ],
)
def test_real_files_round_trip(golden: Path, tmp_path: Path, format: str, path: str) -> None:
    entries = json.loads((golden / path).read_text(encoding="utf-8"))
    assert written_back(entries, tmp_path, format) == entries


def test_subset_and_un_set(data: Path, tmp_path: Path) -> None:
    for path, items, rows in (
        ("contrapro-en-de/contrapro.subset.json", 2600, 7800),
        ("un-en-fr/UN-testset-enfr.json", 810, 1620),
    ):
        suite = load(data / path)
        assert (suite.style, len(suite.items), suite.row_count) == ("contrapro", items, rows)
        save(suite, tmp_path / "out.json", "contrapro")
        assert json.loads((tmp_path / "out.json").read_text()) == json.loads((data / path).read_text())


def test_json_lines_are_taken_too(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(PRONOUN) + "\n" + json.dumps(PRONOUN) + "\n")
    assert len(load(tmp_path / "a.json").items) == 2
    (tmp_path / "b.json").write_text(json.dumps(PRONOUN) + "\n{]\n")
    with pytest.raises(InputError, match=r"b.json, line 2: expected ContraPro's"):
        load(tmp_path / "b.json")


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ('[\n {"source": "a", "reference": "b", "errors": [', 2, "the file ends too early"),
        (
            '[\n {"source": "a", "reference": "b", "errors": []},\n {"source": 1, "errors": []}]',
            3,
            '"source" is a number',
        ),
        ('[{"source": "a", "reference": "b",\n "errors": [}]', 2, "not JSON"),
        ('[{"source": "a", "reference": "b", "errors": [{"contrastive": "c", "distance": "far"}]}]', 1, '"distance"'),
    ],
)
def test_faults_name_the_line(tmp_path: Path, text: str, line: int, expected: str) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(InputError, match=f"a.json, line {line}: ") as caught:
        load(tmp_path / "a.json")
    assert expected in str(caught.value)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 70), 1 << 70) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)
extras = st.dictionaries(
    st.sampled_from(["distance", "document_id", "segment id", "note", "json:x", "x y"]), json_values
)


@given(extras, extras)
def test_unknown_keys_come_back(tmp_path_factory: pytest.TempPathFactory, more: Any, more_error: Any) -> None:
    entry = PRONOUN | more | {"errors": [PRONOUN["errors"][0] | more_error]}
    assert written_back([entry], tmp_path_factory.getbasetemp(), "contrapro") == [entry]
