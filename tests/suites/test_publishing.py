"""A published folder: complete, refused where something is missing, and read back from the hub's layout."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kontrast
from kontrast import KontrastError, Suite
from kontrast.suites.model import Item, Variant


def test_a_folder_is_complete(tmp_path: Path) -> None:
    done = kontrast.publish("demo:de", tmp_path / "set")
    assert done.files == ("DATASHEET.md", "LICENSE", "README.md", "data/test.jsonl", "kontrast.jsonl")
    card = (tmp_path / "set/README.md").read_text("utf-8")
    yaml = pytest.importorskip("yaml")
    head = yaml.safe_load(card.split("---")[1])
    assert head["license"] == "cc0-1.0" and head["language"] == ["en", "de"]
    assert head["configs"][0]["data_files"] == [{"split": "test", "path": "data/test.jsonl"}]
    suite = kontrast.load("demo:de")
    assert suite.fingerprint in card and f"items: {len(suite):,}" in card
    assert kontrast.load(tmp_path / "set/kontrast.jsonl").fingerprint == suite.fingerprint
    assert len((tmp_path / "set/data/test.jsonl").read_text("utf-8").splitlines()) == len(suite)


def test_wrong_texts_of_an_item_keep_their_own_errors(tmp_path: Path) -> None:
    foils = (Variant("b", "tense"), Variant("c", "negation"))
    items = (Item("1", "x", (Variant("a"), *foils)), Item("2", "y", (Variant("a"), foils[1])))
    kontrast.publish(Suite("pairs", items, unit="pair"), tmp_path / "set", licence="MIT")
    card = (tmp_path / "set/README.md").read_text("utf-8")
    assert "| phenomenon | pairs |\n|---|---|\n| negation | 2 |\n| tense | 1 |\n" in card
    rows = [json.loads(line) for line in (tmp_path / "set/data/test.jsonl").read_text("utf-8").splitlines()]
    assert [row["errors"] for row in rows] == [["tense", "negation"], ["negation"]]
    assert [row["phenomenon"] for row in rows] == ["", "negation"]


def test_read_back_as_a_data_set_of_the_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    constants = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    place = tmp_path / "hub/datasets--me--set"
    revision = "f" * 40
    (place / "refs").mkdir(parents=True)
    (place / "refs/main").write_text(revision)
    kontrast.publish("demo:fr", place / "snapshots" / revision, licence="CC BY 4.0")
    suite = kontrast.load("hf://datasets/me/set")
    assert suite.fingerprint == kontrast.load("demo:fr").fingerprint
    assert (suite.name, suite.licence, suite.target_language) == ("set@ffffffff", "CC BY 4.0", "fr")


def test_what_is_refused(tmp_path: Path) -> None:
    bare = Suite("bare", kontrast.load("demo:de").items)
    with pytest.raises(KontrastError, match="bare has no licence, and a data set needs one: --licence"):
        kontrast.publish(bare, tmp_path / "set")
    bib = tmp_path / "paper.bib"
    bib.write_text("@misc{me,\n  title = {Mine}\n}\n")
    kontrast.publish(bare, tmp_path / "set", licence="my own", citation=bib)
    assert "license: other" in (tmp_path / "set/README.md").read_text("utf-8")
    assert "@misc{me" in (tmp_path / "set/CITATION.bib").read_text("utf-8")
    with pytest.raises(KontrastError, match="is not empty; choose a new folder"):
        kontrast.publish(bare, tmp_path / "set", licence="MIT")
