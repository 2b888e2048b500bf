"""``hf:NAME``: Transformers models, from a local folder or the hub."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kontrast.extras import torch
from kontrast.scoring.engine import Engine, EngineOptions

TINY = Path(__file__).parents[2] / "data" / "kontrast-tiny"
"""The model inside the package (docs/kontrast-tiny.md)."""
TINY_FACTS = TINY.with_name("kontrast-tiny.facts.json")
"""What Transformers says of it, written by tools/tiny_facts.py: part of the fingerprint."""


def load(name: str, options: EngineOptions) -> Engine:
    """The engine for an encoder-decoder or a decoder-only model."""
    from kontrast.scoring.engines.transformer import loading

    options.only("hf", "chat", "system", "end", "trust_remote_code", "masked", "bits", "device_map")
    trust = options.flag("trust_remote_code")
    if options.threads is not None:
        torch.set_num_threads(options.threads)
    placed = loading.placed_weights(options)
    masked = "masked" in options.extra
    whole = not (placed or masked) and options.share and loading.pick_dtype(options.dtype) is torch.float32
    if name == TINY.name and whole:
        from kontrast.scoring.engines.transformer.embedded import EmbeddedEngine

        return EmbeddedEngine(TINY, TINY_FACTS, options, name)
    place = str(TINY) if name == TINY.name else name
    model, tokenizer = loading.load_pretrained(place, trust=trust, masked=masked, **placed)
    folder = loading.model_folder(place)
    if masked:
        from kontrast.scoring.engines.transformer.masked import MaskedEngine

        return MaskedEngine(model, tokenizer, options, name, folder)
    return engine_of(model, tokenizer, options, name, folder)


def engine_of(model: Any, tokenizer: Any, options: EngineOptions, name: str, folder: Path | None = None) -> Engine:
    """The engine for a model that is already in memory; ``folder`` is where its files lie, unchanged."""
    if model.config.is_encoder_decoder:
        from kontrast.scoring.engines.transformer.encoder_decoder import EncoderDecoder

        return EncoderDecoder(model, tokenizer, options, name, folder)
    from kontrast.scoring.engines.transformer.decoder_only import DecoderOnly

    return DecoderOnly(model, tokenizer, options, name, folder)
