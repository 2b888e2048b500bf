"""A Transformers Marian model written the way Marian itself keeps it: the same weights under its own names."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

_ATTENTION = {"q_proj": "q", "k_proj": "k", "v_proj": "v", "out_proj": "o"}


def write_npz(folder: Path, out: Path) -> None:
    """``model.npz``, ``vocab.json`` and the two SentencePiece models of a Marian folder, into another folder.

    Marian has no padding in its vocabulary: the last row of the embeddings is left out. The decoder starts from a
    vector of zeros, so the padding's embedding must be zeros for the two to agree.
    """
    from transformers import MarianMTModel

    model = MarianMTModel.from_pretrained(folder).float()
    weights = {name: tensor.detach().numpy() for name, tensor in model.state_dict().items()}
    size = model.config.vocab_size - 1
    assert model.config.pad_token_id == size and not weights["model.shared.weight"][size].any()
    made = {
        "Wemb": weights["model.shared.weight"][:size],
        "decoder_ff_logit_out_b": weights["final_logits_bias"][:, :size],
    }
    for side, count in (("encoder", model.config.encoder_layers), ("decoder", model.config.decoder_layers)):
        for layer in range(count):
            made.update(_layer(weights, f"model.{side}.layers.{layer}.", f"{side}_l{layer + 1}_", side == "decoder"))
    vocabulary = {name: i for name, i in json.loads((folder / "vocab.json").read_text("utf-8")).items() if i < size}
    settings = {
        "type": "transformer",
        "dim-vocabs": [size, size],
        "dim-emb": model.config.d_model,
        "transformer-heads": model.config.encoder_attention_heads,
        "transformer-dim-ffn": model.config.encoder_ffn_dim,
        "transformer-ffn-activation": model.config.activation_function,
        "enc-depth": model.config.encoder_layers,
        "dec-depth": model.config.decoder_layers,
        "tied-embeddings-all": True,
        "transformer-postprocess": "dan",
        "transformer-postprocess-emb": "d",
        "version": "v1.12.0",
    }
    said = "\n".join(f"{key}: {json.dumps(value)}" for key, value in settings.items()) + "\n\0"
    made["special:model.yml"] = np.frombuffer(said.encode(), np.int8)
    out.mkdir(parents=True, exist_ok=True)
    np.savez(out / "model.npz", **{name: np.ascontiguousarray(values) for name, values in made.items()})
    (out / "vocab.json").write_text(json.dumps(vocabulary, ensure_ascii=False), "utf-8")
    (out / "decoder.yml").write_text("models: [model.npz]\nvocabs:\n  - vocab.json\n  - vocab.json\nbeam-size: 4\n")
    for name in ("source.spm", "target.spm"):
        (out / name).write_bytes((folder / name).read_bytes())


def _layer(weights: dict[str, np.ndarray], old: str, new: str, decoder: bool) -> dict[str, np.ndarray]:
    """One layer; Marian multiplies from the other side, and its vectors are matrices of one row."""
    made = {}
    blocks = {"self_attn": "self", **({"encoder_attn": "context"} if decoder else {})}
    for theirs, ours in blocks.items():
        for long, short in _ATTENTION.items():
            made[f"{new}{ours}_W{short}"] = weights[f"{old}{theirs}.{long}.weight"].T
            made[f"{new}{ours}_b{short}"] = weights[f"{old}{theirs}.{long}.bias"][None]
        _norm(made, weights, f"{old}{theirs}_layer_norm", f"{new}{ours}_Wo_ln")
    for i in (1, 2):
        made[f"{new}ffn_W{i}"] = weights[f"{old}fc{i}.weight"].T
        made[f"{new}ffn_b{i}"] = weights[f"{old}fc{i}.bias"][None]
    _norm(made, weights, f"{old}final_layer_norm", f"{new}ffn_ffn_ln")
    return made


def _norm(made: dict[str, np.ndarray], weights: dict[str, np.ndarray], old: str, new: str) -> None:
    made[f"{new}_scale"], made[f"{new}_bias"] = weights[f"{old}.weight"][None], weights[f"{old}.bias"][None]
