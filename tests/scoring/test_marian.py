"""Marian's own models: by Marian itself where pymarian is installed, and the command line of its scorer."""

from __future__ import annotations

import math
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kontrast import score
from kontrast.errors import KontrastError
from kontrast.scoring.context import Context, parse_context
from kontrast.scoring.engine import EngineOptions
from kontrast.scoring.engines import load_engine

from .marian_files import write_npz
from .models import TEXT, make
from .test_engines import CONTEXT, SUITE

ONE = EngineOptions(device="cpu", threads=1)


@pytest.fixture(scope="module")
def pymarian() -> None:
    pytest.importorskip("_pymarian", reason="pymarian is not installed: pip install 'kontrast[marian]'")


@pytest.fixture(scope="module")
def both(pymarian: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    """A model with random weights in Transformers, and the same as Marian keeps it."""
    torch = pytest.importorskip("torch")
    from transformers import MarianMTModel, MarianTokenizer

    folder = make("marian-multi", tmp_path_factory.mktemp("hf"))
    out = tmp_path_factory.mktemp("marian")
    write_npz(folder, out)
    model = MarianMTModel.from_pretrained(folder).eval()
    for side in (model.model.encoder, model.model.decoder):
        weight = side.embed_positions.weight
        half = weight.shape[1] // 2  # Marian's slowest wave is at half - 1, Transformers' at half
        waves = torch.arange(len(weight))[:, None] * torch.exp(-torch.arange(half) * math.log(10000) / (half - 1))
        weight.data.copy_(torch.cat([waves.sin(), waves.cos()], 1))
    return (model, MarianTokenizer.from_pretrained(folder)), out / "model.npz"


@pytest.mark.parametrize("context", [Context(), parse_context("prev:1")], ids=str)
def test_the_same_weights_score_the_same_in_transformers(both: tuple[Any, Path], context: Context) -> None:
    from kontrast.scoring.engines.hf import engine_of

    (model, tokenizer), npz = both
    options = EngineOptions(device="cpu", softmax_pad=False, source_language="en", target_language="de")
    expected = score(CONTEXT, engine_of(model, tokenizer, options, "x"), options=options, context=context)
    named = EngineOptions(device="cpu", threads=1, template=">>de<< {source}")
    found = score(CONTEXT, f"marian:{npz}", options=named, context=context)
    assert found.values == pytest.approx(expected.values, abs=1e-3)
    assert found.tokens is not None and expected.tokens is not None
    assert [row.tokens for row in found.tokens] == [row.tokens for row in expected.tokens]
    for row, other in zip(found.tokens, expected.tokens, strict=True):
        assert row.logprobs == pytest.approx(other.logprobs, abs=1e-4)
    assert found.signature is not None and found.signature.details["by"] == "pymarian"


def test_a_model_that_marian_trained(pymarian: None, tmp_path: Path) -> None:
    """Three updates; its vocabularies are SentencePiece models, found through the decoder's configuration."""
    for name, lines in (("en", TEXT[:3]), ("de", TEXT[3:6])):  # its SentencePiece wants more than a hundred lines
        (tmp_path / name).write_text("".join(line + "\n" for line in lines * 40), "utf-8")
    command = "train --type transformer --model model.npz --train-sets en de --vocabs en.spm de.spm"
    size = "--dim-emb 16 --transformer-dim-ffn 32 --transformer-heads 2 --enc-depth 1 --dec-depth 1"
    rest = "--dim-vocabs 45 45 --cpu-threads 1 --workspace 100 --after 3u --mini-batch 16 --seed 1 --data-threads 1"
    arguments = [sys.executable, "-m", "pymarian", *f"{command} {size} {rest}".split()]
    subprocess.run(arguments, cwd=tmp_path, check=True, capture_output=True)
    model = f"marian:{tmp_path / 'model.npz'}"
    found = score(SUITE, model, options=ONE)
    sums = score(SUITE, model, options=EngineOptions(device="cpu", threads=1, extra={"tokens": "no"}))
    assert found.values == pytest.approx(sums.values, abs=1e-3) and sums.tokens is None
    assert found.tokens is not None
    assert "".join(found.tokens[0].tokens).replace("▁", " ") == " Die Katze war müde.</s>"
    forced = score(CONTEXT, model, options=ONE, context=parse_context("prev:1"))
    whole = score(CONTEXT, model, options=ONE, context=parse_context("prev:1", scored=True))
    assert forced.tokens is not None and whole.tokens is not None
    assert [row.tokens for row in forced.tokens] == [row.tokens for row in found.tokens]
    assert forced.tokens[0].logprobs == whole.tokens[0].logprobs[-len(forced.tokens[0].tokens) :]


def test_what_marian_says_when_it_fails(both: tuple[Any, Path], tmp_path: Path) -> None:
    _, npz = both
    (tmp_path / "model.npz").write_bytes(b"no weights")
    extra = {"vocabs": f"{npz.with_name('vocab.json')},{npz.with_name('vocab.json')}"}
    with pytest.raises(KontrastError, match=r"scorer failed .status -6.: \S+") as error:
        score(SUITE, f"marian:{tmp_path / 'model.npz'}", options=EngineOptions(device="cpu", threads=1, extra=extra))
    assert "\n" not in str(error.value)


def stand_in(folder: Path, says: str) -> dict[str, str]:
    """A program with the arguments of ``marian-scorer``; ``says`` makes a line of a target."""
    scorer = folder / "marian-scorer"
    scorer.write_text(
        f"#!{sys.executable}\nimport sys\na = sys.argv\ni, j = a.index('-t'), a.index('-v')\n"
        f"assert a[j + 1 : j + 3] == ['{folder}/s.yml', '{folder}/t.yml']\n"
        f"for x, y in zip(open(a[i + 1]), open(a[i + 2])): print({says})\n"
    )
    scorer.chmod(scorer.stat().st_mode | stat.S_IXUSR)
    for name in ("model.npz", "s.yml", "t.yml"):
        (folder / name).write_bytes(b"x")
    return {"vocabs": f"{folder}/s.yml,{folder}/t.yml", "scorer": str(scorer)}


def test_the_program_is_called_with_files_and_vocabularies(tmp_path: Path) -> None:
    """The command line alone: this runs where Marian is not installed."""
    extra = stand_in(tmp_path, "-len(y.strip()) / 2")
    model = f"marian:{tmp_path / 'model.npz'}"
    found = score(SUITE, model, options=EngineOptions(extra={**extra, "tokens": "no"}))
    assert found.values == (9.5, 9.5, 11.5, 8.5) and found.tokens is None
    with pytest.raises(KontrastError, match="for an old version use --option tokens=no"):
        score(SUITE, model, options=EngineOptions(extra=extra))
    with pytest.raises(KontrastError, match="cannot force a target prefix"):
        score(CONTEXT, model, options=EngineOptions(extra={**extra, "tokens": "no"}), context=parse_context("prev:1"))


def test_word_scores_and_a_forced_prefix(tmp_path: Path) -> None:
    extra = stand_in(tmp_path, "'0 ||| WordScores=', *range(-1, -len(y.split()) - 2, -1)")
    model = f"marian:{tmp_path / 'model.npz'}"
    found = score(CONTEXT, model, options=EngineOptions(extra=extra), context=parse_context("prev:1"))
    assert found.tokens is not None
    assert found.tokens[0].tokens == ("Die", "Katze", "war", "müde.", "</s>")
    assert found.tokens[0].logprobs == (-5.0, -6.0, -7.0, -8.0, -9.0), "the context's four words are not summed"


def test_wrong_options(tmp_path: Path) -> None:
    model = f"marian:{tmp_path / 'model.npz'}"
    with pytest.raises(KontrastError, match="expected a Marian model"):
        load_engine(model)
    extra = stand_in(tmp_path, "0")
    with pytest.raises(KontrastError, match="give both vocabularies"):
        load_engine(model)
    with pytest.raises(KontrastError, match="vocabs: expected SOURCE,TARGET"):
        load_engine(model, EngineOptions(extra={"vocabs": "s"}))
    with pytest.raises(KontrastError, match=r"s\.spm: --option spm: expected a file"):
        load_engine(model, EngineOptions(extra={**extra, "spm": "s.spm,t.spm"}))
    with pytest.raises(KontrastError, match="--dtype int8: use the options of Marian"):
        load_engine(model, EngineOptions(dtype="int8", extra=extra))
    for name in ("args", "scorer"):
        with pytest.raises(KontrastError, match=f"--option {name}=.*No closing quotation"):
            load_engine(model, EngineOptions(extra={**extra, name: "--shortlist 'lex.s2t"}))
    assert load_engine(model, EngineOptions(extra={**extra, "args": "x" * 400})).identify()  # no name of a file


def test_marians_own_message_is_shown(tmp_path: Path) -> None:
    pytest.importorskip("pymarian")
    (tmp_path / "model.npz").write_bytes(b"x")
    (tmp_path / "v.yml").write_text("a: 0\n")
    options = EngineOptions(device="cpu", extra={"vocabs": f"{tmp_path}/v.yml,{tmp_path}/v.yml"})
    with pytest.raises(KontrastError, match=r"failed \(status .*\): DefaultVocabulary file .* is expected to"):
        score(SUITE, f"marian:{tmp_path / 'model.npz'}", options=options)
