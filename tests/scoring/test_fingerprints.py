"""What can change a number changes the fingerprint, for every engine; weights that are not all there are refused."""

from __future__ import annotations

import json
import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kontrast.errors import KontrastError
from kontrast.scoring.engine import EngineOptions
from kontrast.scoring.engines import load_engine
from kontrast.scoring.fingerprint import file_digest

from .models import make

pytest.importorskip("torch")
OPTIONS = EngineOptions(source_language="en", target_language="de", device="cpu")


def identity(model: str, **changes: Any) -> str:
    engine: Any = load_engine(model, msgspec.structs.replace(OPTIONS, **changes))
    try:
        return str(engine.identify().fingerprint)
    finally:
        engine.close()


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {name: make(name, tmp_path_factory.mktemp(name)) for name in ("marian", "llama")}


def changed(path: Path) -> None:
    """A file with other content that may still be read: one more key, or one other byte in its middle."""
    if path.suffix == ".json":
        facts = json.loads(path.read_text())
        if isinstance(facts, dict):
            facts["a_new_key"] = 4711
        path.write_text(json.dumps(facts))
        return
    data = bytearray(path.read_bytes())
    data[len(data) * 2 // 3] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("name", ["marian", "llama"])
def test_every_file_of_a_model(name: str, folders: dict[str, Path], tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(folders[name], folder)
    first = identity(f"hf:{folder}")
    assert identity(f"hf:{folder}") == first
    for path in sorted(folder.iterdir()):
        kept = path.read_bytes()
        changed(path)
        if path.read_bytes() == kept:
            continue
        with suppress(KontrastError):  # a damaged file may be refused
            assert identity(f"hf:{folder}") != first, path.name
        path.write_bytes(kept)
    assert identity(f"hf:{folder}") == first


def test_an_activation_and_a_begin_token(folders: dict[str, Path], tmp_path: Path) -> None:
    """The two that were found: the config's activation function, and what the tokenizer puts first."""
    for name in ("marian", "llama"):
        shutil.copytree(folders[name], tmp_path / name)
    config = tmp_path / "marian" / "config.json"
    before = identity(f"hf:{tmp_path / 'marian'}")
    facts = json.loads(config.read_text())
    config.write_text(json.dumps({**facts, "activation_function": "relu"}))
    assert facts["activation_function"] != "relu" and identity(f"hf:{tmp_path / 'marian'}") != before


@pytest.mark.parametrize(
    "change",
    [
        {"dtype": "bfloat16"},
        {"template": "x {source}"},
        {"softmax_pad": False},
        {"source_language": "fr"},
        {"target_language": "fr"},
        {"share": False},
        {"batch_tokens": 77},
    ],
)
def test_every_option(change: dict[str, Any], folders: dict[str, Path]) -> None:
    model = f"hf:{folders['marian']}"
    assert identity(model, **change) != identity(model)


def test_options_of_a_decoder(folders: dict[str, Path]) -> None:
    model = f"hf:{folders['llama']}"
    found = [identity(model, extra=extra) for extra in ({}, {"end": "none"}, {"end": "newline"})]
    assert len(set(found)) == 3


def test_a_model_in_memory(folders: dict[str, Path]) -> None:
    """Every weight counts, not a sample."""
    import torch

    from kontrast.scoring.engines.hf import engine_of
    from kontrast.scoring.engines.transformer.loading import load_pretrained

    model, tokenizer = load_pretrained(str(folders["marian"]))
    seen = {engine_of(model, tokenizer, OPTIONS, "m").identify().fingerprint}
    for name, tensor in list(model.state_dict().items()):
        if tensor.dim() == 2 and "fc1" in name:
            with torch.no_grad():
                tensor[3, 7] += 0.01
            seen.add(engine_of(model, tokenizer, OPTIONS, "m").identify().fingerprint)
    assert len(seen) == 5
    model.config.activation_function = "gelu"
    assert engine_of(model, tokenizer, OPTIONS, "m").identify().fingerprint not in seen


def test_every_file_of_a_converted_model(folders: dict[str, Path], tmp_path: Path) -> None:
    converters = pytest.importorskip("ctranslate2.converters")
    out = tmp_path / "ct2"
    copies = ["source.spm", "target.spm"]
    converters.TransformersConverter(str(folders["marian"]), copy_files=copies).convert(str(out))
    first = identity(f"ct2:{out}")
    assert identity(f"ct2:{out}") == first
    for path in sorted(out.iterdir()):
        kept = path.read_bytes()
        changed(path)
        if path.read_bytes() != kept:
            with suppress(KontrastError):
                assert identity(f"ct2:{out}") != first, path.name
        path.write_bytes(kept)
    named = {"tokenizer": str(folders["marian"])}
    options: list[dict[str, Any]] = [{"template": "x {source}"}, {"dtype": "int8"}, {"extra": named}]
    found = [first, *(identity(f"ct2:{out}", **change) for change in [*options, {"batch_tokens": 5}])]
    assert len(set(found)) == len(found)


def test_every_file_of_a_marian_model(tmp_path: Path) -> None:
    names = ("m.npz", "s.yml", "t.yml", "m.npz.yml", "decoder.yml", "scorer")
    for name in names:
        (tmp_path / name).write_bytes(b"#!/bin/sh\nx\n")
    scorer = tmp_path / "scorer"
    scorer.chmod(scorer.stat().st_mode | stat.S_IXUSR)
    extra = {"vocabs": f"{tmp_path}/s.yml,{tmp_path}/t.yml", "scorer": str(scorer)}
    model = f"marian:{tmp_path}/m.npz"
    seen = [identity(model, extra=extra)]
    assert identity(model, extra=extra) == seen[0]
    for name in names:
        changed(tmp_path / name)
        seen.append(identity(model, extra=extra))
    for name in ("config.yml", "scorer.py"):  # files that the options name
        (tmp_path / name).write_bytes(b"x\n")
        named = {**extra, "args": f"-c {tmp_path}/config.yml", "scorer": f"{scorer} {tmp_path}/scorer.py"}
        seen.append(identity(model, extra=named))
        changed(tmp_path / name)
        seen.append(identity(model, extra=named))
    seen += [identity(model, extra={**extra, "args": "--fp16"}), identity(model, extra={**extra, "tokens": "no"})]
    seen += [identity(model, extra=extra, template="x {source}"), identity(model, extra=extra, batch_tokens=5)]
    assert len(set(seen)) == len(seen)


def test_every_word_of_a_command() -> None:
    seen = [
        identity("command:true"),
        identity("command:true x"),
        identity("command:true", extra={"fingerprint": "2"}),
        identity("command:true", extra={"maximize": "yes"}),
        identity("command:true", extra={"prefix": "yes"}),
        identity("command:true", template="x {source}"),
    ]
    assert len(set(seen)) == len(seen)


def test_a_digest_is_kept_until_the_file_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KONTRAST_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "weights.bin"
    path.write_bytes(b"x" * 3_000_000)
    first = file_digest(path)
    [kept] = (tmp_path / "cache" / "digests").iterdir()
    kept.write_text("0" * 64)
    assert file_digest(path) == "0" * 64, "taken from the cache"
    data = bytearray(path.read_bytes())
    data[1_234_567] = 0
    path.write_bytes(data)
    os.utime(path, ns=(0, 0))
    assert file_digest(path) not in ("0" * 64, first)


def weights(folder: Path, change: Any) -> None:
    from safetensors.torch import load_file, save_file

    path = folder / "model.safetensors"
    save_file(change(load_file(path)), path, metadata={"format": "pt"})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda all: {k: v for k, v in all.items() if "fc1" not in k}, r"not in its files: .*fc1"),
        (lambda all: {f"module.{k}": v for k, v in all.items()}, r"not in its files: "),
        (
            lambda all: {**all, "model.decoder.layers.9.fc1.bias": all["final_logits_bias"]},
            r"not in its arch.*layers\.9",
        ),
        (lambda all: {k: v[:3] if k.endswith("fc1.bias") else v for k, v in all.items()}, r"cannot be loaded|shape"),
    ],
)
def test_weights_that_are_not_all_there(change: Any, said: str, folders: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(folders["marian"], tmp_path / "m")
    weights(tmp_path / "m", lambda all: {k: v.clone().contiguous() for k, v in change(all).items()})
    with pytest.raises(KontrastError, match=said):
        load_engine(f"hf:{tmp_path / 'm'}", OPTIONS)


@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "vocab.json", "source.spm"])
def test_damaged_files_are_one_line(name: str, folders: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(folders["marian"], tmp_path / "m")
    path = tmp_path / "m" / name
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(KontrastError, match="cannot be loaded"):
        load_engine(f"hf:{tmp_path / 'm'}", OPTIONS)


def test_tokens_beyond_the_embeddings(folders: dict[str, Path]) -> None:
    from kontrast import Item, Suite, Variant, score
    from kontrast.scoring.engines.hf import engine_of
    from kontrast.scoring.engines.transformer.loading import load_pretrained

    model, tokenizer = load_pretrained(str(folders["llama"]))
    tokenizer.add_tokens(["Katze"])
    suite = Suite("s", (Item("1", "The cat.", (Variant("Die Katze."), Variant("Der Katze."))),), "en", "de")
    with pytest.raises(KontrastError, match="it may be the tokenizer of another model"):
        score(suite, engine_of(model, tokenizer, OPTIONS, "m"), options=OPTIONS)
