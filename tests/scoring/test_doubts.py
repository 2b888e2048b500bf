"""What a run says of its own scores: the wrong direction, unlikely references, unknown characters."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kontrast import Item, Scores, Suite, Variant, bundled, score
from kontrast.scoring.doubts import UNLIKELY, token_doubts
from kontrast.suites.model import TokenScores

from .models import make


def made(*rows: tuple[str, list[str], float], source: str = "He sleeps.") -> tuple[Suite, Scores]:
    """One item: its variants, their tokens, the log-probability of each token."""
    suite = Suite("s", [Item("7", source, tuple(Variant(text) for text, _, _ in rows))])
    tokens = tuple(TokenScores(tuple(cut), (value,) * len(cut)) for _, cut, value in rows)
    return suite, Scores("m", tuple(sum(row.logprobs) for row in tokens), tokens=tokens)


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        (("Il dort.", ["▁Il", "▁dort.", "</s>"], -1.0), ("Elle dort.", ["▁Elle", "▁dort.", "</s>"], -1.0), None),
        (("ᚠ là", ["<unk>", "▁là", "</s>"], -1.0), ("ᚠ lá", ["<unk>", "▁lá", "</s>"], -1.0), None),
        (("ᚠ", ["<unk>", "</s>"], -1.0), ("F", ["▁F", "</s>"], -1.0), "does not know in one variant"),
        (("ᚠ", ["<unk>", "</s>"], -1.0), ("ᚢ", ["<unk>", "</s>"], -1.0), "(they always tie), such as item 7"),
        (("a </s> b", ["a", "</s>", "b", "</s>"], -1.0), ("c", ["c", "</s>"], -1.0), "reads as a special token"),
        (("a", ["▁a", "</s>"], -UNLIKELY - 1), ("b", ["b", "</s>"], -1.0), "cost 5.0 nats per token"),
        (("a", ["a", "</s>"], -1.0), ("b", ["b", "</s>"], -UNLIKELY - 1), None),
    ],
)
def test_doubts(right: tuple[str, list[str], float], wrong: tuple[str, list[str], float], said: str | None) -> None:
    doubts = token_doubts(*made(right, wrong))
    assert bool(doubts) == (said is not None) and (said is None or said in doubts[0]), doubts
    named = [doubt for doubt in doubts if doubt.startswith("the model does not know: ")]
    assert bool(named) == (said is not None and "ᚠ" in right[0]), doubts


@pytest.mark.parametrize(
    ("source", "right"),
    [("", ["▁Il", "▁dort."]), ("He sleeps.", ["Il dort."]), ("He sleeps.", ["Il dort.", "(first)"])],
)
def test_language_models_and_numbers_for_whole_rows_are_not_called_unlikely(source: str, right: list[str]) -> None:
    assert not token_doubts(*made(("Il dort.", right, -30.0), ("Elle dort.", ["Elle dort."], -31.0), source=source))


def test_a_model_of_the_other_direction_is_warned_about(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = make("marian", tmp_path / "m")
    settings = folder / "tokenizer_config.json"
    suite = bundled("demo:fr")[:2]
    for own, warned in ((("fr", "en"), True), (("en", "fr"), False)):
        said = {"source_lang": own[0], "target_lang": own[1]}
        settings.write_text(json.dumps({**json.loads(settings.read_text()), **said}))
        score(suite, f"hf:{folder}")
        assert ("warning: the model translates fr to en" in capsys.readouterr().err) == warned
