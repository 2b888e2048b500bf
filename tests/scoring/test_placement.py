"""Weights rounded to 8 or 4 bits, spread over devices, or not to be loaded at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from tests.scoring.models import make

from kontrast.errors import KontrastError
from kontrast.scoring.engine import EngineOptions, Group, Target
from kontrast.scoring.engines import load_engine
from kontrast.scoring.engines.hf import engine_of
from kontrast.scoring.engines.transformer import loading

GROUPS = (
    Group(
        "The cat is tired. It sleeps.", (Target("Die Katze ist müde. Sie schläft."), Target("Katze die müde. Es."))
    ),
    Group("I bought a lamp.", (Target("Ich habe eine Lampe gekauft."), Target("Ich habe ein Lampe gekauft."))),
)


def options(dtype: str = "float32", **extra: str) -> EngineOptions:
    return EngineOptions(source_language="en", target_language="de", dtype=dtype, extra=extra)


def sums(engine: Any) -> list[float]:
    engine.prepare(GROUPS)
    return [sum(target.logprobs) for _, rows in sorted(engine.score(GROUPS)) for target in rows]


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make("llama", tmp_path_factory.mktemp("placed") / "llama")


def test_fewer_bits_are_near_in_the_signature_and_in_the_fingerprint() -> None:
    pytest.importorskip("bitsandbytes")
    whole = load_engine("hf:kontrast-tiny", options())
    right, prints = sums(whole), {whole.identify().fingerprint}  # type: ignore[union-attr]
    for bits, dtype, near in (("8", "float32", 0.02), ("4", "float32", 0.2), ("4", "bfloat16", 0.2)):
        engine: Any = load_engine("hf:kontrast-tiny", options(dtype, bits=bits))
        assert sums(engine) == pytest.approx(right, rel=near)
        assert engine.details["dtype"] == f"{bits} bits in {dtype}" and "encoder" in engine.supports.sharing
        prints.add(engine.identify().fingerprint)
    assert len(prints) == 4


def test_weights_on_several_devices_give_the_same_numbers(llama: Path, tmp_path: Path) -> None:
    """One layer of a decoder stays on disk: the packed pass finds its parts elsewhere, and another way is taken."""
    pytest.importorskip("accelerate")
    devices = {"model.embed_tokens": "cpu", "model.norm": "cpu", "model.rotary_emb": "cpu", "lm_head": "cpu"}
    devices |= {"model.layers.0": "cpu", "model.layers.1": "disk"}
    model, tokenizer = loading.load_pretrained(str(llama), device_map=devices, offload_folder=tmp_path / "disk")
    assert set(model.hf_device_map.values()) == {"cpu", "disk"}
    right = load_engine(f"hf:{llama}", options())
    spread = engine_of(model, tokenizer, options(), "spread", llama)
    assert sums(spread) == pytest.approx(sums(right), abs=1e-4)
    auto = load_engine(f"hf:{llama}", options(device_map="auto"))
    assert sums(auto) == pytest.approx(sums(right), abs=1e-4)
    assert auto.identify() != right.identify()  # type: ignore[union-attr]


def packed(llama: Path, file: Path, kind: str) -> Path:
    """The model as a GGUF file, with a byte-level tokenizer of single bytes."""
    import numpy as np
    import torch
    from gguf import GGMLQuantizationType, GGUFWriter, quants
    from transformers import AutoModelForCausalLM
    from transformers.convert_slow_tokenizer import bytes_to_unicode

    model = AutoModelForCausalLM.from_pretrained(llama)
    torch.manual_seed(1)
    model.resize_token_embeddings(259)
    settings, heads = model.config, {"q": model.config.num_attention_heads, "k": model.config.num_key_value_heads}
    writer = GGUFWriter(file, "llama")
    writer.add_block_count(settings.num_hidden_layers)
    writer.add_context_length(settings.max_position_embeddings)
    writer.add_embedding_length(settings.hidden_size)
    writer.add_feed_forward_length(settings.intermediate_size)
    writer.add_head_count(heads["q"])
    writer.add_head_count_kv(heads["k"])
    writer.add_layer_norm_rms_eps(settings.rms_norm_eps)
    writer.add_rope_freq_base(settings.rope_parameters["rope_theta"])
    writer.add_vocab_size(259)
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list([*bytes_to_unicode().values(), "ab", "<s>", "</s>"])
    writer.add_token_types([1] * 257 + [3] * 2)
    writer.add_token_merges(["a b"])
    writer.add_bos_token_id(257)
    writer.add_eos_token_id(258)
    names = {"self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v"}
    names |= {"self_attn.o_proj": "attn_output", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up"}
    names |= {"mlp.down_proj": "ffn_down", "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm"}
    names |= {"model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output"}
    for name, tensor in model.state_dict().items():
        values = tensor.float().numpy()
        for side, count in heads.items():  # llama.cpp turns neighbouring dimensions, Transformers halves
            if f"self_attn.{side}_proj" in name:
                halves = values.reshape(count, 2, values.shape[0] // count // 2, *values.shape[1:])
                values = halves.swapaxes(1, 2).reshape(values.shape)
        name = name.replace("model.layers.", "blk.")
        for theirs, ours in names.items():
            name = name.replace(theirs, ours)
        if kind == "Q8_0" and values.ndim == 2:
            dtype = GGMLQuantizationType.Q8_0
            writer.add_tensor(name, quants.quantize(values, dtype), raw_dtype=dtype)
        else:
            writer.add_tensor(name, np.ascontiguousarray(values))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    model.save_pretrained(file.with_suffix(""))
    return file


def test_gguf_files_have_the_numbers_of_their_model(llama: Path, tmp_path: Path) -> None:
    pytest.importorskip("gguf")
    files = [packed(llama, tmp_path / f"{kind}.gguf", kind) for kind in ("F32", "Q8_0")]
    exact, rounded = (load_engine(f"hf:{file}", options()) for file in files)
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(files[0].with_suffix(""))
    right = sums(engine_of(model, exact.tokenizer, options(), "whole"))  # type: ignore[union-attr]
    assert sums(exact) == pytest.approx(right, abs=1e-3)
    assert sums(rounded) == pytest.approx(right, rel=0.05) and sums(rounded) != pytest.approx(right, abs=1e-3)
    assert exact.details["dtype"] == "float32"  # type: ignore[union-attr]
    assert exact.identify() != rounded.identify()  # type: ignore[union-attr]
    files[0].write_bytes(b"GGUF" + b"\0" * 60)
    for place in (files[0], tmp_path / "none.gguf"):
        with pytest.raises(KontrastError, match=r"cannot be loaded|or a GGUF file"):
            load_engine(f"hf:{place}", options())


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        ({"bits": "2"}, "--option bits=2: expected 8 or 4"),
        ({"device_map": "cuda:1"}, "--option device_map=cuda:1: expected auto, .* one device is --device"),
        ({"bits": "4"}, r"--option bits=4 needs an extra: .*kontrast\[bits\]"),
        ({"device_map": "auto"}, r"--option device_map=auto needs an extra: .*kontrast\[bits\]"),
    ],
)
def test_what_cannot_be_placed(
    llama: Path, monkeypatch: pytest.MonkeyPatch, extra: dict[str, str], said: str
) -> None:
    monkeypatch.setattr(loading, "find_spec", lambda name: None)
    with pytest.raises(KontrastError, match=said):
        load_engine(f"hf:{llama}", options(**extra))
    with pytest.raises(KontrastError, match=r"is a GGUF file, which needs an extra: .*kontrast\[bits\]"):
        load_engine("hf:some.gguf", options())


def without_tokenizer(folder: Path) -> None:
    for file in folder.iterdir():
        if "token" in file.name or file.suffix in (".spm", ".model") or file.name == "vocab.json":
            file.unlink()


def with_a_token_without_a_number(folder: Path) -> None:
    file = folder / ("vocab.json" if (folder / "vocab.json").is_file() else "tokenizer.json")
    found = json.loads(file.read_text())
    vocabulary = found["model"]["vocab"] if "model" in found else found
    if isinstance(vocabulary, dict):
        vocabulary[list(vocabulary)[10]] = "x"
    else:
        vocabulary[0] = "x"
    file.write_text(json.dumps(found))


def of_unknown_class(folder: Path) -> None:
    settings = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**settings, "model_type": "nonesuch", "architectures": ["X"]}))


def of_pictures(folder: Path) -> None:
    (folder / "config.json").write_text(json.dumps({"model_type": "vit", "architectures": ["ViTModel"]}))


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (without_tokenizer, "its tokenizer cannot be loaded"),
        (with_a_token_without_a_number, "its tokenizer cannot be loaded"),
        (of_unknown_class, "nonesuch"),
        (of_pictures, "ViTConfig"),
        (lambda folder: (folder / "model.safetensors").write_bytes(b"\0" * 20), "cannot be loaded"),
        (
            lambda folder: (folder / "model.safetensors").write_text("version https://git-lfs.github.com/spec/v1\n"),
            "model.safetensors is a Git LFS pointer",
        ),
        (lambda folder: (folder / "config.json").write_text("{"), "cannot be loaded"),
        (lambda folder: (folder / "config.json").unlink(), "cannot be loaded"),
    ],
)
@pytest.mark.parametrize("kind", ["llama", "marian"])
def test_what_cannot_be_loaded_is_said_in_one_line(kind: str, spoil: Any, said: str, tmp_path: Path) -> None:
    folder = make(kind, tmp_path / kind)
    spoil(folder)
    with pytest.raises(KontrastError) as found:
        load_engine(f"hf:{folder}", options())
    text = str(found.value)
    assert said in text and "\n" not in text and len(text) < 500, text


def test_a_damaged_tokenizer_is_not_called_missing(tmp_path: Path) -> None:
    folder = make("gpt2", tmp_path / "gpt2")
    assert (folder / "tokenizer.json").is_file() and not (folder / "merges.txt").exists()
    (folder / "tokenizer.json").write_text("{")
    with pytest.raises(KontrastError, match="its tokenizer cannot be loaded") as found:
        load_engine(f"hf:{folder}", options())
    assert "the folder has no" not in str(found.value)


def test_files_that_a_tokenizer_misses_are_named(tmp_path: Path) -> None:
    folder = make("marian", tmp_path / "marian")
    (folder / "target.spm").unlink()
    with pytest.raises(KontrastError, match=r"the folder has no target\.spm\)"):
        load_engine(f"hf:{folder}", options())
