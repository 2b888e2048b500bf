"""What kontrast-tiny may learn from, and that the trainer makes a folder which Marian's classes load."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "training"))

import corpora  # noqa: E402


@pytest.fixture(scope="module")
def kept(data: Path) -> list[corpora.Passage]:
    return corpora.training_passages(data)


def test_nothing_held_out_is_learned_from(data: Path, kept: list[corpora.Passage]) -> None:
    held = {text for p in corpora.passages(data) if p.held for pair in p.pairs for text in pair}
    held = {text for text in held if len(re.findall(r"\w+", text)) > 3}
    learned = {text for passage in kept for pair in passage.pairs for text in pair}
    assert len(held) > 10_000
    assert not held & learned


def test_context_of_unstated_licence_stays_out(data: Path, kept: list[corpora.Passage]) -> None:
    rows = (data / "contrapro-en-de" / "rows.context1.de").read_text("utf-8").splitlines()
    context = {row.partition("<SEP>")[0].strip() for row in rows}
    current = {row.partition("<SEP>")[2].strip() for row in rows}
    learned = {p.pairs[0][1] for p in kept if p.corpus == corpora.SUBTITLES_DE}
    assert all(len(p.pairs) == 1 for p in kept if p.corpus == corpora.SUBTITLES_DE)
    assert learned <= current
    assert len(learned & (context - current)) == 0
    assert {p.corpus for p in kept} == {"large-contrastive-en-fr", "un-en-fr", "contrapro-en-de", "ctxpro", "pud"}


def test_near_duplicates_are_found() -> None:
    near = corpora._Near(["It was the best of times and it was the worst of times."])
    assert "it was the BEST of times, and it was the worst of times!" in near
    assert "Well, it was the best of times and it was the worst of times, he said." in near
    assert "It was the best day of their lives." not in near


@pytest.mark.parametrize("guide", [0.5, 0.0])
def test_small_model_is_a_marian_folder(guide: float, tmp_path: Path) -> None:
    pytest.importorskip("systran_align")
    pytest.importorskip("transformers")
    import small_marian

    words = [("red", "rot"), ("old", "alt"), ("new", "neu"), ("big", "groß"), ("small", "klein"), ("good", "gut")]
    things = [("house", "Haus"), ("book", "Buch"), ("child", "Kind"), ("dress", "Kleid"), ("bed", "Bett")]
    pairs = [(f"The {b} is {a}.", f"Das {d} ist {c}.") for a, c in words for b, d in things]
    examples = [small_marian.Example("de", (pair,)) for pair in pairs]
    settings = small_marian.Settings(vocabulary=70, width=32, feed_forward=64, steps=4, warmup=2, guide=guide)
    small_marian.train(examples, tmp_path, settings)
    assert str(tmp_path).encode() not in (tmp_path / "source.spm").read_bytes()
    from transformers import MarianTokenizer

    tokens = MarianTokenizer.from_pretrained(tmp_path)
    ids = tokens(">>de<< The house is red. <SEP> The bed is old.").input_ids
    names = tokens.convert_ids_to_tokens(ids)
    assert names[0] == ">>de<<"
    assert "<SEP>" in names
    assert tokens.unk_token_id not in ids
    assert json.loads((tmp_path / "config.json").read_text("utf-8"))["kontrast"] == {"scheme": "sep"}
    assert len(small_marian.translate(tmp_path, ["The house is red.", "The bed is old."], "de", beams=1)) == 2
