"""Architectures that the packed pass does not know: whatever way is chosen, the numbers are those of a plain loop."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from kontrast.errors import KontrastError
from kontrast.scoring.engine import Group, Target
from kontrast.scoring.engines.hf import engine_of

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import architectures  # noqa: E402

UNKNOWN = "bloom falcon gptj gpt_neo codegen mpt xglm mamba falcon_mamba llama4_text doge openai-gpt reformer".split()
UNKNOWN += ["megatron-bert"]
OTHERS = "bart pegasus bigbird_pegasus prophetnet led blenderbot".split()


@pytest.mark.parametrize("name", UNKNOWN)
def test_unknown_decoders_are_scored_right(name: str) -> None:
    found = architectures.trial(name, "causal")
    assert found.state == "equal", found


@pytest.mark.parametrize("name", OTHERS)
def test_unknown_encoder_decoders_are_scored_right(name: str) -> None:
    """ProphetNet and BigBird-Pegasus give other numbers with padding beside them."""
    found = architectures.trial(name, "seq2seq")
    assert found.state == "equal", found


@pytest.mark.parametrize("border", [40, 48, 60, 90])
def test_positions_that_turn_differently_above_a_border(border: int) -> None:
    """Rows below and above it, and groups across it: none changes the factors of another."""
    own = dict(architectures.OWN["phi3"]["rope_parameters"], original_max_position_embeddings=border)
    found = architectures.trial("phi3", "causal", rope_parameters=own, original_max_position_embeddings=border)
    assert found.state == "equal", found


@pytest.mark.parametrize("name", ["bert", "megatron-bert", "xlnet"])
def test_a_model_that_reads_what_follows_is_refused(name: str) -> None:
    own = {} if name == "xlnet" else {"is_decoder": False}
    found = architectures.trial(name, "causal", **own)
    assert found.state == "refused" and "reads the following words" in found.reason, found


def test_a_model_that_gives_other_numbers_each_time_is_refused() -> None:
    own = {"attn_layers": ["lsh", "lsh"], "lsh_attn_chunk_length": 4, "num_buckets": 8, "hash_seed": None}
    found = architectures.trial("reformer", "causal", **own)
    assert found.state == "refused" and "differ from run to run" in found.reason, found


def test_the_cache_of_a_model_saves_what_targets_share(capsys: pytest.CaptureFixture[str]) -> None:
    model, tokenizer = architectures.make("bloom", "causal"), architectures.tokenizer()
    engine: Any = engine_of(model, tokenizer, architectures.OPTIONS, "bloom")
    engine.prepare(architectures.GROUPS)
    assert "with the model's own cache instead" in capsys.readouterr().err
    assert engine.supports.sharing == ("prompt", "prefix")
    run: list[int] = []
    call = engine._call
    engine._call = lambda **given: (run.append(given["input_ids"].numel()), call(**given))[1]
    list(engine.score(architectures.GROUPS))
    rows = [len(path.inputs) for task in engine.read(architectures.GROUPS) for path in task.paths]
    assert sum(run) < 0.75 * sum(rows)


def test_a_network_that_does_not_run_is_one_line() -> None:
    model, tokenizer = architectures.make("bloom", "causal"), architectures.tokenizer()
    del model.transformer.h[0].mlp
    engine = engine_of(model, tokenizer, architectures.OPTIONS, "bloom")
    with pytest.raises(KontrastError, match=r"bloom: the model fails: \(AttributeError"):
        engine.prepare([Group("a", (Target("b"),))])


@pytest.mark.slow
def test_every_class_that_can_be_made_is_equal_or_refused() -> None:
    outcomes = [architectures.trial(*name) for name in architectures.names()]
    made = [one for one in outcomes if one.state != "not made"]
    assert not [one for one in made if one.state == "wrong"]
    assert sum(one.state == "equal" for one in made) >= 0.95 * len(made)
