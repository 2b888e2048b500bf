"""A stack of encoder or decoder layers run over packed rows, straight from the model's own weights.

Linear layers see no padding; only attention works on padded squares. Query, key and value are one multiplication;
keys and values of the source are computed once for all targets of a group.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from kontrast.scoring.engines.transformer.batch import Layout, Packed

__all__ = ["Attention", "Layer", "Linear", "Stack", "fuse"]

Tensor = Any
Module = Any


@dataclass(frozen=True)
class Linear:
    """A weight (out × in) and its bias."""

    weight: Tensor
    bias: Tensor | None

    def __call__(self, rows: Tensor) -> Tensor:
        import torch

        return torch.nn.functional.linear(rows, self.weight, self.bias)

    def onto(self, rows: Tensor, residual: Tensor) -> Tensor:
        """Its result added to a residual, in one tensor."""
        total = residual.clone() if self.bias is None else residual + self.bias
        return total.addmm_(rows, self.weight.t())


def fuse(*modules: Module) -> Linear:
    """Several linear modules with the same input as one."""
    import torch

    weights = [module.weight.detach() for module in modules]
    biases = [module.bias.detach() for module in modules if module.bias is not None]
    if len(modules) == 1:
        return Linear(weights[0], biases[0] if biases else None)
    return Linear(torch.cat(weights), torch.cat(biases) if len(biases) == len(modules) else None)


@dataclass(frozen=True)
class Attention:
    """Self-attention (``query`` holds query, key and value; ``source`` is None) or attention to the source."""

    query: Linear
    source: Linear | None
    out: Linear
    heads: int
    scale: float
    norm: Callable[[Tensor], Tensor]

    def over_itself(self, rows: Tensor, residual: Tensor, batch: Packed, mask: Tensor) -> Tensor:
        mixed, own = self.query(rows), batch.own
        if own is None:
            query, keys, values = _square(mixed, batch.layout, 3, self.heads)
            return self.out.onto(self._attend(query, keys, values, batch.layout, mask), residual)
        width = mixed.shape[1] // 3
        (query,) = _gather(mixed[:, :width], own.layout.to_square, own.layout.longest, 1, self.heads)
        keys, values = _gather(mixed[:, width:], own.keys, own.longest, 2, self.heads)
        return self.out.onto(self._attend(query, keys, values, own.layout, mask), residual)

    def over_source(
        self, rows: Tensor, residual: Tensor, layout: Layout, keys: Tensor, values: Tensor, mask: Tensor
    ) -> Tensor:
        (query,) = _square(self.query(rows), layout, 1, self.heads)
        return self.out.onto(self._attend(query, keys, values, layout, mask), residual)

    def _attend(self, query: Tensor, keys: Tensor, values: Tensor, layout: Layout, mask: Tensor) -> Tensor:
        from torch.nn.functional import scaled_dot_product_attention

        mixed = scaled_dot_product_attention(query, keys, values, attn_mask=mask, scale=self.scale)
        flat = mixed.transpose(1, 2).reshape(layout.sequences * layout.longest, -1)
        if flat.shape[0] != layout.to_packed.shape[0]:
            flat = flat.index_select(0, layout.to_packed)
        return flat


@dataclass(frozen=True)
class Layer:
    """Attention to itself, to the source in a decoder, then the feed-forward part (of rows, onto a residual)."""

    own: Attention
    source: Attention | None
    feed: Callable[[Tensor, Tensor], Tensor]
    feed_norm: Callable[[Tensor], Tensor]


@dataclass(frozen=True)
class Stack:
    """Layers with their embedding; ``norm_first`` tells where the norms stand, ``bias`` adds T5's distances."""

    embed: Callable[[Tensor, Tensor], Tensor]
    layers: tuple[Layer, ...]
    norm_first: bool
    final: Callable[[Tensor], Tensor] | None = None
    bias: Callable[[Packed], Tensor] | None = None

    def run(self, batch: Packed, source: Tensor | None = None, source_batch: Packed | None = None) -> Tensor:
        """Hidden states of all packed rows; a decoder also takes the encoder's, with the batch they belong to."""
        rows = self.embed(batch.tokens, batch.positions)
        mask = batch.mask + self.bias(batch) if self.bias is not None else batch.mask
        for layer in self.layers:
            rows = self._part(rows, layer.own.norm, partial(layer.own.over_itself, batch=batch, mask=mask))
            cross = layer.source
            if cross is not None and cross.source is not None and source_batch is not None:
                keys, values = _square(cross.source(source), source_batch.layout, 2, cross.heads)
                look = partial(
                    cross.over_source, layout=batch.layout, keys=keys, values=values, mask=source_batch.mask
                )
                rows = self._part(rows, cross.norm, look)
            rows = self._part(rows, layer.feed_norm, layer.feed)
        return rows if self.final is None else self.final(rows)

    def _part(self, rows: Tensor, norm: Callable[[Tensor], Tensor], part: Callable[..., Tensor]) -> Tensor:
        return part(norm(rows), rows) if self.norm_first else norm(part(rows, rows))


def _square(rows: Tensor, layout: Layout, parts: int, heads: int) -> Any:
    """Packed rows as ``parts`` tensors (sequences, heads, longest, width of a head)."""
    if rows.shape[0] == layout.to_square.shape[0]:
        return rows.view(layout.sequences, layout.longest, parts, heads, -1).permute(2, 0, 3, 1, 4)
    return _gather(rows, layout.to_square, layout.longest, parts, heads)


def _gather(rows: Tensor, index: Tensor, longest: int, parts: int, heads: int) -> Any:
    return (
        rows.index_select(0, index)
        .view(-1, longest, parts, heads, rows.shape[1] // parts // heads)
        .permute(2, 0, 3, 1, 4)
    )
