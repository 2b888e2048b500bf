"""The model inside the package without Transformers, whose import takes three times as long as that of torch.

Weights, token ids, scores and fingerprint are those of the same folder loaded with Transformers: see
``tests/scoring/test_embedded.py``. Translation loads it with Transformers after all.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property, partial
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from kontrast.errors import foreign_errors
from kontrast.extras import Library, sentencepiece, torch
from kontrast.scoring.engine import EngineOptions, Group
from kontrast.scoring.engines.transformer.encoder_decoder import EncoderDecoder
from kontrast.scoring.engines.transformer.engine import TokenTask
from kontrast.scoring.engines.transformer.loading import load_pretrained, weights_digest
from kontrast.scoring.translator import Decoding, Written
from kontrast.scoring.trie import build_trie

Tensor = Any
_safetensors = Library("safetensors.torch", "hf", "scoring with Transformers models")


class EmbeddedEngine(EncoderDecoder):
    """The engine for a folder with a Marian model; ``facts`` is what Transformers would say of the folder."""

    def __init__(self, folder: Path, facts: Path, options: EngineOptions, label: str) -> None:
        with foreign_errors(f"--model {label}: cannot be loaded"):
            model, pieces = MarianWeights(folder), MarianPieces(folder)
        super().__init__(model, pieces, options, label, folder)
        self._folder, self._known = folder, facts

    def facts(self) -> dict[str, Any]:
        return {"files": weights_digest(None, self._folder), **json.loads(self._known.read_bytes())}

    def plain(self, tasks: Sequence[TokenTask]) -> list[float]:
        """What a pair on its own gives, without a network's own forward pass: along a trie of one path."""
        pairs = [TokenTask(task.source, [path], build_trie([path])) for task in tasks for path in task.paths]
        return [value for pair in pairs for value in self.shared([pair])]

    def translate(self, groups: Sequence[Group], decoding: Decoding, done: Collection[int] = ()) -> Iterator[Written]:
        return self._whole.translate(groups, decoding, done)

    def batches(self, groups: Sequence[Group], decoding: Decoding | None = None) -> list[list[int]]:
        return super().batches(groups) if decoding is None else self._whole.batches(groups, decoding)

    @cached_property
    def _whole(self) -> EncoderDecoder:
        model, tokenizer = load_pretrained(str(self._folder))
        return EncoderDecoder(model, tokenizer, self.options, self.model, self._folder)


class MarianPieces:
    """What scoring needs of Marian's tokenizer: SentencePiece, vocabulary, ``>>de<<``, the end of a sentence."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._vocabulary: dict[str, int] = json.loads((folder / "vocab.json").read_bytes())
        self._names: dict[int, str] = {number: piece for piece, number in self._vocabulary.items()}
        self._source, self._target = (
            sentencepiece.SentencePieceProcessor(model_file=str(folder / f"{side}.spm"))
            for side in ("source", "target")
        )
        self.eos_token_id, self.pad_token_id, self.unk_token_id = (
            self._vocabulary[piece] for piece in ("</s>", "<pad>", "<unk>")
        )
        self.all_special_ids = [self.eos_token_id, self.unk_token_id, self.pad_token_id]

    def __call__(
        self,
        text: Sequence[str] | None = None,
        *,
        text_target: Sequence[str] = (),
        add_special_tokens: bool = True,
    ) -> dict[str, list[list[int]]]:
        texts, pieces = (text_target, self._target) if text is None else (text, self._source)
        if any(special in one for one in texts for special in ("</s>", "<pad>", "<unk>")):
            given = {"text_target": list(texts)} if text is None else {"text": list(texts)}
            return {"input_ids": self._whole(**given, add_special_tokens=add_special_tokens)["input_ids"]}
        end = [self.eos_token_id] if add_special_tokens else []
        return {"input_ids": [self._ids(one, pieces) + end for one in texts]}

    def convert_ids_to_tokens(self, token: int) -> str:
        return self._names[token]

    def get_vocab(self) -> dict[str, int]:
        return dict(self._vocabulary)

    def _ids(self, text: str, pieces: Any) -> list[int]:
        if not text:
            return []
        mark = text.find("<<") + 2 if text.startswith(">>") and "<<" in text else 0
        found: list[str] = [text[:mark]] * bool(mark) + pieces.encode(text[mark:], out_type=str)
        return [self._vocabulary.get(piece, self.unk_token_id) for piece in found]

    @cached_property
    def _whole(self) -> Any:
        """The tokenizer of Transformers, for texts in which special tokens are written out."""
        return load_pretrained(str(self._folder))[1]


class MarianWeights:
    """The weights of a Marian model under the names that Transformers gives them, as a stack is built from."""

    def __init__(self, folder: Path) -> None:
        self.config = SimpleNamespace(**json.loads((folder / "config.json").read_bytes()))
        self._weights = {
            name: weight.float() for name, weight in _safetensors.load_file(folder / "model.safetensors").items()
        }
        self._positions = _sinusoids(self.config.max_position_embeddings, self.config.d_model)
        self.to("cpu")

    def to(self, device: str, dtype: Any = None) -> MarianWeights:
        root = _tree({name: weight.to(device) for name, weight in self._weights.items()})
        self.model, self.final_logits_bias = root.model, root.final_logits_bias
        self.lm_head = root.model.shared
        for side, heads in (("encoder", "encoder_attention_heads"), ("decoder", "decoder_attention_heads")):
            part = getattr(root.model, side)
            part.embed_scale = self.config.d_model**0.5 if self.config.scale_embedding else 1.0
            part.embed_tokens = partial(torch.nn.functional.embedding, weight=root.model.shared.weight)
            part.embed_positions = SimpleNamespace(weight=self._positions.to(device))
            for layer in part.layers:
                layer.activation_fn = torch.nn.SiLU()
                for name, value in list(vars(layer).items()):
                    if name.endswith("_norm"):
                        setattr(layer, name, _norm(value))
                    elif name.endswith("_attn"):
                        value.num_heads = getattr(self.config, heads)
                        value.scaling = (self.config.d_model // value.num_heads) ** -0.5
        return self

    def eval(self) -> MarianWeights:
        return self

    def requires_grad_(self, _: bool) -> MarianWeights:
        return self

    def get_input_embeddings(self) -> Any:
        return self.lm_head

    get_output_embeddings = get_input_embeddings


def _norm(part: Any) -> Any:
    function = torch.nn.functional.layer_norm
    return partial(function, normalized_shape=part.weight.shape, weight=part.weight, bias=part.bias)


def _sinusoids(length: int, width: int) -> Tensor:
    """Marian's positions: the sines, then the cosines."""
    import numpy as np

    periods = np.array([np.power(10000, 2 * (place // 2) / width) for place in range(width)])
    angles = np.arange(length)[:, None] / periods
    both = np.concatenate([np.sin(angles[:, 0::2]), np.cos(angles[:, 1::2])], axis=1)
    return torch.from_numpy(both.astype(np.float32))


def _tree(weights: dict[str, Tensor]) -> Any:
    """``a.layers.0.b`` as attributes, layers as lists."""
    root = SimpleNamespace()
    for name, weight in weights.items():
        path = name.split(".")
        place: Any = root
        for step, following in pairwise(path):
            if isinstance(place, list):
                place.extend(SimpleNamespace() for _ in range(int(step) + 1 - len(place)))
                place = place[int(step)]
            else:
                place = vars(place).setdefault(step, [] if following.isdigit() else SimpleNamespace())
        setattr(place, path[-1], weight)
    return root
