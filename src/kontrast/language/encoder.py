"""The sentence encoder that reads English for ``language.pointing``: where it is, and how its layers are computed.

They multiply whole numbers of 8 bits, with a scale for each row of weights and for each token at each step. The sums
are exact, so they depend neither on the other texts nor on the processor; one with the instructions for it (VNNI) is
three times as fast as with floats. Shares change by some .03: on talks with coreference by people the items are as
good as with floats.
"""

from __future__ import annotations

import hashlib
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import util
from pathlib import Path
from typing import Any

from kontrast.errors import KontrastError, MissingExtraError

ENCODER = "sentence-transformers/all-mpnet-base-v2"
BITS = 8
"""The encoder multiplies whole numbers of so many."""
_MOST = 127
"""The largest of them."""
_FILES = ("config.json", "tokenizer.json", "model.safetensors")
_AT_ONCE = 192
"""So many pieces of texts go through a layer together: weights are read less often. More takes more memory."""
_FIRST_PLACE = 2
"""Of a text's pieces: the model has no smaller ones."""


def encoder_place(name: str | None = None) -> str | None:
    """Where the encoder is: as named (a folder or hub name), else where it was put beside the installed packages
    (``PREFIX/share/kontrast``) or in the hub's cache; None where it is not. Nothing is fetched.
    """
    if name:
        return name
    if any(util.find_spec(module) is None for module in ("torch", "transformers")):
        return None
    own = Path(sys.prefix, "share", "kontrast", ENCODER.rpartition("/")[2])
    if (own / "config.json").is_file():
        return str(own)
    try:
        from huggingface_hub import try_to_load_from_cache
    except ImportError:
        return None
    config, weights = (try_to_load_from_cache(ENCODER, name) for name in ("config.json", "model.safetensors"))
    return str(Path(config).parent) if isinstance(config, str) and isinstance(weights, str) else None


def encoder_files(encoder: str) -> list[Path]:
    """The files of an encoder, a folder or hub name, that its answers depend on; from a hub they are fetched."""
    try:
        from transformers.utils import cached_file
    except ImportError as error:
        raise MissingExtraError("hf", "finding antecedents with an encoder") from error
    try:
        return [Path(cached_file(encoder, name)) for name in _FILES]
    except OSError as error:
        raise KontrastError(f"cannot load the encoder {encoder!r}: {str(error).splitlines()[0]}") from error


class Encoder:
    """The layers of a loaded model, whose own weights are dropped."""

    def __init__(self, torch: Any, model: Any) -> None:
        self._torch = torch
        self._words, self._places = (
            table.weight for table in (model.embeddings.word_embeddings, model.embeddings.position_embeddings)
        )
        self._first = model.embeddings.LayerNorm
        self._by_distance: Callable[[Any], Any] = model.encoder.compute_position_bias
        self._heads = model.config.num_attention_heads
        self._layers = []
        for layer in model.encoder.layer:
            own, up, down = layer.attention.attn, layer.intermediate.dense, layer.output.dense
            parts = [WholeNumbers(torch, *some) for some in ((own.q, own.k, own.v), (own.o,), (up,), (down,))]
            self._layers.append((parts, layer.attention.LayerNorm, layer.output.LayerNorm))

    def states(self, texts: Sequence[Any]) -> Iterator[Any]:
        """The last layer's states of each text, given as the numbers of its pieces."""
        some: list[Any] = []
        for text in texts:
            if some and sum(map(len, some)) + len(text) > _AT_ONCE:
                yield from self._through(some)
                some = []
            some.append(text)
        if some:
            yield from self._through(some)

    def _through(self, texts: Sequence[Any]) -> Sequence[Any]:
        torch = self._torch
        lengths = [len(text) for text in texts]
        places = torch.cat([torch.arange(_FIRST_PLACE, n + _FIRST_PLACE) for n in lengths])
        x = self._first(self._words[torch.cat(list(texts))] + self._places[places])
        far = [self._by_distance(torch.empty(1, n, 1)) for n in lengths]
        for (asked, out, up, down), first, last in self._layers:
            seen = [self._attention(*one) for one in zip(asked(x).split(lengths), far, strict=True)]
            y = first(out(torch.cat(seen)).add_(x))
            x = last(down(torch.nn.functional.gelu(up(y))).add_(y))
        return x.split(lengths)  # type: ignore[no-any-return]

    def _attention(self, packed: Any, far: Any) -> Any:
        """Of one text within itself."""
        length, width = packed.shape[0], packed.shape[1] // 3
        q, k, v = packed.view(1, length, 3, self._heads, -1).permute(2, 0, 3, 1, 4)
        weights = self._torch.matmul(q, k.transpose(-1, -2)).div_(math.sqrt(q.shape[-1])).add_(far).softmax(-1)
        return self._torch.matmul(weights, v).transpose(1, 2).reshape(length, width)


class WholeNumbers:
    """Linear layers of the same input side by side, whose floats are dropped."""

    def __init__(self, torch: Any, *layers: Any) -> None:
        weight = torch.cat([layer.weight.detach() for layer in layers])
        self._bias = torch.cat([layer.bias.detach() for layer in layers])
        for layer in layers:
            del layer.weight
        self._scale = weight.abs().amax(1) / _MOST
        self._whole = (weight.t() / self._scale).round_().to(torch.int8)
        is_quick = getattr(torch.cpu, "_is_vnni_supported", bool)()
        self._multiply = torch._int_mm if is_quick else partial(_product, torch)
        self._torch = torch

    def __call__(self, rows: Any) -> Any:
        own = rows.abs().amax(1, keepdim=True).clamp_(min=1e-9).div_(_MOST)
        sums = self._multiply((rows / own).round_().to(self._torch.int8), self._whole).float()
        return self._torch.addcmul(self._bias, sums.mul_(own), self._scale)


def _product(torch: Any, a: Any, b: Any) -> Any:
    """Of matrices of whole numbers, by floats: of 1,024 products of 8 bits they have the exact sum."""
    shares = zip(a.float().split(1024, 1), b.float().split(1024, 0), strict=True)
    return sum((x @ y).to(torch.int32) for x, y in shares)


def digest_of_encoder(encoder: Any, depth: int) -> str:
    """Of the encoder's words and of the last layer that is used."""
    made = hashlib.blake2b(digest_size=8)
    for table in (encoder.get_input_embeddings(), encoder.encoder.layer[depth - 1].output.dense):
        made.update(table.weight.detach().numpy().tobytes())
    return made.hexdigest()
