"""Data sets of the hub, from a cache in the hub's own layout: no network is used."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import kontrast
from kontrast import KontrastError

REVISION = "0123456789abcdef0123456789abcdef01234567"
CARD = """---
license: cc-by-4.0
configs:
- config_name: deu
  data_files: deu/data.tsv
- config_name: eng
  data_files:
  - split: train
    path: eng/*.tsv
---
# MultiBLiMP
"""


def cached(home: Path, repo: str, **texts: str) -> Path:
    """A data set as `huggingface_hub` keeps it."""
    place = home / "hub" / f"datasets--{repo.replace('/', '--')}"
    snapshot = place / "snapshots" / REVISION
    (place / "refs").mkdir(parents=True)
    (place / "refs/main").write_text(REVISION)
    for name, text in texts.items():
        path = snapshot / name.replace("__", "/").replace("_DOT_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return snapshot


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The hub's folder for this test; its library reads the setting when it is imported."""
    constants = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    return tmp_path


PAIR = "sen\twrong_sen\tphenomenon\nEr geht.\tEr gehen.\tSV-#\n"


def test_configurations_of_the_card(home: Path) -> None:
    cached(home, "jumelet/multiblimp", README_DOT_md=CARD, deu__data_DOT_tsv=PAIR, eng__data_DOT_tsv=PAIR)
    suite = kontrast.load("hf://datasets/jumelet/multiblimp/deu")
    assert (suite.name, suite.version, suite.style) == ("multiblimp.deu@01234567", REVISION, "multiblimp")
    assert (suite.target_language, suite.items[0].best.text) == ("deu", "Er geht.")
    scores = kontrast.Scores("made", (1.0, 2.0))
    assert kontrast.evaluate(suite, scores).accuracy == 1
    assert len(kontrast.load("hf://datasets/jumelet/multiblimp/eng?split=train&lang=en&limit=1")) == 1
    with pytest.raises(KontrastError, match=r"expected one of its configurations, as in .*/NAME: deu, eng"):
        kontrast.load("hf://datasets/jumelet/multiblimp")
    with pytest.raises(KontrastError, match=r"expected one of its splits: .split=train"):
        kontrast.load("hf://datasets/jumelet/multiblimp/eng?split=test")


def test_files_without_a_card_and_a_declaration(home: Path, tmp_path: Path) -> None:
    row = json.dumps({"en": "a dog", "good": "ein Hund", "bad": "eine Hund"}) + "\n"
    cached(home, "me/mine", data__train_DOT_jsonl=row, data__test_DOT_jsonl=row * 2)
    (tmp_path / "my.toml").write_text('source = "en"\nright = "good"\nwrong = "bad"\nlanguages = "en-de"\n')
    suite = kontrast.load(f"hf://datasets/me/mine?split=test&format={tmp_path}/my.toml")
    assert len(suite) == 2 and suite.target_language == "de" and suite.name == "mine.test@01234567"
    with pytest.raises(KontrastError, match="found JSON lines with the keys en, good, bad; declare"):
        kontrast.load("hf://datasets/me/mine?split=test")
    with pytest.raises(KontrastError, match=r"expected one of its splits: .split=test, .split=train"):
        kontrast.load("hf://datasets/me/mine")


def test_parts_are_joined_and_parquet_is_read(home: Path, tmp_path: Path) -> None:
    row = json.dumps({"sentence_good": "a", "sentence_bad": "b", "UID": "x"}) + "\n"
    snapshot = cached(home, "nyu/blimp", one__train_0_DOT_jsonl=row, one__train_1_DOT_jsonl=row * 2)
    assert len(kontrast.load("hf://datasets/nyu/blimp/one")) == 3
    parquet = pytest.importorskip("pyarrow.parquet")
    pyarrow = pytest.importorskip("pyarrow")
    (snapshot / "two").mkdir()
    parquet.write_table(pyarrow.Table.from_pylist([json.loads(row)] * 4), snapshot / "two/train-0.parquet")
    suite = kontrast.load("hf://datasets/nyu/blimp/two")
    assert len(suite) == 4 and suite.style == "blimp" and suite.items[0].phenomenon == "x"
    with pytest.raises(KontrastError, match="there is no option revison; it has split, revision, format"):
        kontrast.load("hf://datasets/nyu/blimp/two?revison=x")


def test_bad_names(home: Path) -> None:
    with pytest.raises(KontrastError, match="expected hf://datasets/OWNER/NAME"):
        kontrast.load("hf://datasets/alone")
    with pytest.raises(
        KontrastError, match=r"not in the cache, and the hub cannot .* hf download no/such --repo-type"
    ):
        kontrast.load("hf://datasets/no/such")
    with pytest.raises(KontrastError, match="hf://models/a/b: expected hf://datasets/OWNER/NAME"):
        kontrast.load("hf://models/a/b")


def test_without_the_library(tmp_path: Path) -> None:
    program = "import sys; sys.modules['huggingface_hub'] = None\nimport kontrast\nkontrast.load('hf://datasets/a/b')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "needs an extra" in done.stderr and "kontrast[hub]" in done.stderr
