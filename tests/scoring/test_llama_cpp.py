"""llama.cpp's own server (by xllamacpp) with a small random Llama: its answers are those of the same weights here."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kontrast
from kontrast import KontrastError
from kontrast.scoring.engine import EngineOptions, Group, Target
from kontrast.scoring.engines import load_engine

from .llama_model import ANSWERS, pieces, write_model

for needed in ("xllamacpp", "gguf", "httpx", "torch", "transformers"):
    pytest.importorskip(needed)

GROUPS = (Group("It is.", (Target("yes it is"), Target("it the no"), Target("no"))),)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("llama") / "small.gguf"
    write_model(path)
    return path


@pytest.fixture(scope="module")
def address(model: Path) -> Iterator[str]:
    command = [sys.executable, str(Path(__file__).with_name("llama_model.py")), str(model)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        found = next((line for line in server.stdout if line.startswith("http")), "")
        assert found, "the server did not start"
        yield f"{found.strip()}/v1"
        server.terminate()


def engine(address: str, **extra: str) -> Any:
    options = EngineOptions(source_language="en", target_language="en", extra={"api": "completions", **extra})
    return load_engine(f"openai:{address}", options)


def test_a_server_without_log_probabilities_of_the_prompt_is_refused(address: str) -> None:
    loaded = engine(address)
    with pytest.raises(KontrastError, match=r"no reliable log-probabilities of a prompt.*--mode choose"):
        loaded.prepare(GROUPS)
    loaded.close()


def test_a_model_that_never_chooses_is_refused(address: str) -> None:
    with pytest.raises(KontrastError, match="answers names neither A nor B"):
        engine(address, mode="choose").identify()


def test_judgements_are_those_of_the_same_weights(address: str, model: Path) -> None:
    import httpx
    import torch

    from kontrast.scoring.engines.transformer.loading import load_pretrained

    loaded = engine(address, mode="judge")
    loaded.prepare(GROUPS)
    [(_, rows)] = loaded.score(GROUPS)
    network, _ = load_pretrained(str(model))
    yes, no = (pieces().index(word) for word in ANSWERS)
    for row, target in zip(rows, GROUPS[0].targets, strict=True):
        asked = {"content": loaded.asker.question(GROUPS[0], (target.text,)), "add_special": True}
        ids = httpx.post(f"{address.removesuffix('/v1')}/tokenize", json=asked).json()["tokens"]
        with torch.inference_mode():
            logits = network(input_ids=torch.tensor([ids])).logits[0, -1]
        share = 1 / (1 + math.exp(float(logits[no] - logits[yes])))
        assert math.exp(sum(row.logprobs)) == pytest.approx(share, abs=1e-3)
    assert len({row.logprobs for row in rows}) == len(rows)
    assert loaded.asker.tally.unread == 0
    loaded.close()


def test_a_translation_is_cut_off_where_it_was_told_to(address: str) -> None:
    items = (kontrast.Item("1", "It is.", (kontrast.Variant("yes"), kontrast.Variant("no"))),)
    suite = kontrast.Suite("small", items, "en", "de")
    made = kontrast.translate(suite, f"openai:{address}", max_length=5, clean=False, extra={"api": "completions"})
    assert made.texts[0] and made.cut == ("1",)
