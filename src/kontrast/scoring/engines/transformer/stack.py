"""A stack of encoder or decoder layers run over packed rows, straight from the model's own weights.

Linear layers see no padding; only attention works on padded squares. Query, key and value are one multiplication;
keys and values of the source are computed once for all targets of a group.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from kontrast.extras import torch
from kontrast.scoring.engines.transformer.attention_map import AttentionMap, at_source, within
from kontrast.scoring.engines.transformer.batch import Packed
from kontrast.scoring.engines.transformer.multiplying import linear, linear_onto

Tensor = Any
Module = Any


@dataclass(frozen=True)
class Linear:
    """A weight (out × in) and its bias."""

    weight: Tensor
    bias: Tensor | None

    def __call__(self, rows: Tensor) -> Tensor:
        return linear(rows, self.weight, self.bias)

    def onto(self, rows: Tensor, residual: Tensor) -> Tensor:
        """Its result added to a residual, in one tensor."""
        return linear_onto(residual, rows, self.weight, self.bias)


def fuse(*modules: Module) -> Linear:
    """Several linear modules with the same input as one."""
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

    def over_itself(self, rows: Tensor, residual: Tensor, where: AttentionMap) -> Tensor:
        mixed = self._pieces(self.query(rows))
        return self.out.onto(where.attend(mixed, mixed, self.heads, self.scale), residual)

    def over_source(self, rows: Tensor, residual: Tensor, where: AttentionMap, source: Tensor) -> Tensor:
        mixed = where.attend(self._pieces(self.query(rows)), self._pieces(source), self.heads, self.scale)
        return self.out.onto(mixed, residual)

    def _pieces(self, rows: Tensor) -> Tensor:
        """The shares of the heads, one below the other."""
        return rows.view(-1, self.out.weight.shape[1] // self.heads)


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
        heads = self.layers[0].own.heads
        own = within(batch, heads, batch.mask + self.bias(batch) if self.bias is not None else batch.mask)
        there = None if source_batch is None else at_source(batch, source_batch, heads)
        for layer in self.layers:
            rows = self._part(rows, layer.own.norm, partial(layer.own.over_itself, where=own))
            cross = layer.source
            if cross is not None and cross.source is not None and there is not None:
                look = partial(cross.over_source, where=there, source=cross.source(source))
                rows = self._part(rows, cross.norm, look)
            rows = self._part(rows, layer.feed_norm, layer.feed)
        return rows if self.final is None else self.final(rows)

    def _part(self, rows: Tensor, norm: Callable[[Tensor], Tensor], part: Callable[..., Tensor]) -> Tensor:
        return part(norm(rows), rows) if self.norm_first else norm(part(rows, rows))
