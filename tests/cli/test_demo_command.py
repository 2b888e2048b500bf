"""The model inside the package, and the whole chain with it."""

from __future__ import annotations

import json
import random
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

pytest.importorskip("transformers")

import kontrast
from kontrast import Suite, Variant, bundled, evaluate
from kontrast.cli import kontrast as commands
from kontrast.scoring.run import score

FOLDER = Path(kontrast.__file__).parent / "data" / "kontrast-tiny"


def test_folder_is_small_and_has_a_card() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 8_000_000
    card = (FOLDER / "README.md").read_text("utf-8")
    assert "MIT" in card and "CC BY-SA" in card
    assert not [word for word in ("PARAMETERS", "FIGURES", "STEPS", "SIZE") if word in card]


@pytest.mark.parametrize("name", ["demo:de", "demo:fr"])
def test_words_in_their_order_are_likelier(name: str) -> None:
    """Real behaviour, far from chance: two neighbouring words exchanged must nearly always be worse."""
    suite, chance = bundled(name), random.Random(1)
    items = []
    for item in {item.source: item for item in suite.items}.values():
        words = item.best.text.split()
        at = chance.randrange(len(words) - 1)
        words[at : at + 2] = words[at + 1], words[at]
        variants = (item.best, Variant(" ".join(words), error="word_order"))
        items.append(msgspec.structs.replace(item, variants=variants, correct=0))
    swapped = Suite("swaps", tuple(items), suite.source_language, suite.target_language)
    assert evaluate(swapped, score(swapped, "tiny")).accuracy > 0.8


def test_scores_are_those_of_transformers() -> None:
    """The alias, the language token and the shared path give what a plain forward pass gives."""
    import torch
    from transformers import MarianMTModel, MarianTokenizer

    suite = bundled("demo:de")
    suite = msgspec.structs.replace(suite, items=suite.items[:6])
    found = score(suite, "tiny")
    assert found.signature is not None and found.signature.model == "kontrast-tiny"
    model = MarianMTModel.from_pretrained(FOLDER, dtype=torch.float32).eval()
    tokenizer = MarianTokenizer.from_pretrained(FOLDER)
    for row, value in zip(suite.rows(), found.values, strict=True):
        source = tokenizer(f">>de<< {row.item.source}", return_tensors="pt")
        labels = tokenizer(text_target=row.variant.text, return_tensors="pt").input_ids
        with torch.inference_mode():
            loss = model(**source, labels=labels).loss
        assert value == pytest.approx(float(loss) * labels.shape[1], abs=2e-3)


def test_demo_writes_and_prints(tmp_path: Path) -> None:
    result = CliRunner().invoke(commands, ["demo", "--suite", "demo:fr", "--out", str(tmp_path / "out"), "--json"])
    assert result.exit_code == 0, result.output
    [told] = json.loads(result.stdout)
    assert told["suite"] == "demo-fr"
    assert told["without"]["items"] == told["context"]["items"] == len(bundled("demo:fr").items)
    assert all(Path(path).stat().st_size for path in told["files"])
    page = Path(told["files"][-1]).read_text("utf-8")
    assert "one sentence" in page and "no context" in page


def test_demo_with_wrong_input(tmp_path: Path) -> None:
    result = CliRunner().invoke(commands, ["demo", "--suite", "demo:xx"])
    assert result.exit_code == 2
    (tmp_path / "file").write_text("")
    with pytest.raises(kontrast.KontrastError, match="expected a folder"):
        CliRunner().invoke(commands, ["demo", "--out", str(tmp_path / "file")], catch_exceptions=False)
