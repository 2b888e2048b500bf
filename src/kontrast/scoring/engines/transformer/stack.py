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
from kontrast.scoring.engines.transformer.batch import Packed
from kontrast.scoring.engines.transformer.matrix_products import linear, linear_onto

Tensor = Any
SHORT = 256
"""Up to so many keys the scores of a block are kept whole; above, the fused kernel does not fill the memory."""


@dataclass(frozen=True)
class AttentionMap:
    """Who attends to whom in a batch, worked out once for all layers.

    For each (sequence, head, place) it has the piece of a row that stands there; the mask has a plane for every head.
    Blocks of short sequences are multiplied at once, which on a processor is faster than a fused kernel that takes
    them one by one.
    """

    queries: Tensor
    keys: Tensor
    values: Tensor
    back: Tensor
    mask: Tensor

    def attend(self, asking: Tensor, asked: Tensor, heads: int, scale: float) -> Tensor:
        """From pieces with the queries and pieces with keys and values, a packed row for each row that asked."""
        (blocks, queries, keys), width = self.mask.shape, asking.shape[1]
        query = asking.index_select(0, self.queries).view(blocks, queries, width)
        key = asked.index_select(0, self.keys).view(blocks, keys, width)
        value = asked.index_select(0, self.values).view(blocks, keys, width)
        if query.is_cpu and keys <= SHORT and query.dtype == torch.float32:
            shares = torch.baddbmm(self.mask, query, key.transpose(1, 2), alpha=scale).softmax(-1)
            mixed = torch.bmm(shares, value)
        else:
            parts = (part.view(-1, heads, part.shape[1], width) for part in (query, key, value))
            mask = self.mask.view(-1, heads, queries, keys)
            mixed = torch.nn.functional.scaled_dot_product_attention(*parts, attn_mask=mask, scale=scale)
        return mixed.reshape(-1, width).index_select(0, self.back).view(-1, heads * width)


def within(batch: Packed, heads: int, mask: Tensor) -> AttentionMap:
    """Self-attention: a row holds its query, key and value."""
    layout = batch.layout if batch.own is None else batch.own.layout
    keys = layout.to_square if batch.own is None else batch.own.keys
    return AttentionMap(
        _pieces(layout.to_square, layout.sequences, heads, 0, 3),
        _pieces(keys, layout.sequences, heads, 1, 3),
        _pieces(keys, layout.sequences, heads, 2, 3),
        _back(layout.to_packed, layout.longest, heads),
        _planes(mask, heads, layout.longest),
    )


def at_source(batch: Packed, source: Packed, heads: int) -> AttentionMap:
    """Attention to the source: a row of the batch is a query, a row of the source holds key and value."""
    layout, other = batch.layout, source.layout
    return AttentionMap(
        _pieces(layout.to_square, layout.sequences, heads, 0, 1),
        _pieces(other.to_square, other.sequences, heads, 0, 2),
        _pieces(other.to_square, other.sequences, heads, 1, 2),
        _back(layout.to_packed, layout.longest, heads),
        _planes(source.mask, heads, layout.longest),
    )


def _pieces(cells: Tensor, sequences: int, heads: int, part: int, parts: int) -> Tensor:
    head = torch.arange(part * heads, (part + 1) * heads, device=cells.device)
    return (cells.view(sequences, 1, -1) * (parts * heads) + head[None, :, None]).view(-1)


def _back(cells: Tensor, longest: int, heads: int) -> Tensor:
    head = torch.arange(heads, device=cells.device)
    sequence = cells.div(longest, rounding_mode="floor")
    return ((sequence[:, None] * heads + head) * longest + (cells - sequence * longest)[:, None]).view(-1)


def _planes(mask: Tensor, heads: int, queries: int) -> Tensor:
    sequences, _, _, keys = mask.shape
    return mask.expand(sequences, heads, queries, keys).reshape(-1, queries, keys)


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

    def over(self, rows: Tensor, residual: Tensor, where: AttentionMap, source: Tensor | None = None) -> Tensor:
        """The rows look at each other, or at the source; the shares of the heads are one below the other."""
        width = self.out.weight.shape[1] // self.heads
        asking = self.query(rows).view(-1, width)
        asked = asking if source is None else source.view(-1, width)
        return self.out.onto(where.attend(asking, asked, self.heads, self.scale), residual)


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
            rows = self._part(rows, layer.own.norm, partial(layer.own.over, where=own))
            cross = layer.source
            if cross is not None and cross.source is not None and there is not None:
                look = partial(cross.over, where=there, source=cross.source(source))
                rows = self._part(rows, cross.norm, look)
            rows = self._part(rows, layer.feed_norm, layer.feed)
        return rows if self.final is None else self.final(rows)

    def _part(self, rows: Tensor, norm: Callable[[Tensor], Tensor], part: Callable[..., Tensor]) -> Tensor:
        return part(norm(rows), rows) if self.norm_first else norm(part(rows, rows))


TILE = 2048
ROWS = 1024


@dataclass(frozen=True)
class Head:
    """The output projection: weight (vocabulary × width), bias, factor on the hidden state, soft cap on the logits.

    No row of the vocabulary is ever held: the normaliser is summed tile by tile, each small enough to stay in the
    cache; the score of the wanted token is a dot product of its own. A bias enters as a factor of the sum.
    ``skip`` is a token left out of the softmax (padding, where the user asks for CTranslate2's numbers).
    """

    weight: Tensor
    bias: Tensor | None = None
    factor: float = 1.0
    cap: float | None = None
    skip: int | None = None

    def logprobs(self, rows: Tensor, places: Tensor, labels: Tensor) -> Tensor:
        """For each (place among ``rows``, label): the log-probability of the label there."""
        if self.factor != 1.0:
            rows = rows * self.factor
        normaliser = torch.cat([self._normaliser(part) for part in rows.split(ROWS)])
        wanted = torch.cat(
            [
                (rows.index_select(0, place).float() * self.weight.index_select(0, label).float()).sum(-1)
                for place, label in zip(places.split(ROWS), labels.split(ROWS), strict=True)
            ]
        )
        if self.cap is not None:
            wanted = torch.tanh(wanted / self.cap) * self.cap
        if self.bias is not None:
            wanted += self.bias.index_select(0, labels).float()
        return wanted - normaliser.index_select(0, places)

    def _normaliser(self, rows: Tensor) -> Tensor:
        """Log of the sum of exponentials; where single precision would overflow, shifted by the maximum."""
        total = self._sum(rows, None)
        unsafe = ~((total > 1e-20) & (total < 1e30))
        result = total.log()
        if unsafe.any():
            bad = rows[unsafe]
            tiles = range(0, self.weight.shape[0], TILE)
            shift = torch.stack([self._logits(bad, start).amax(-1) for start in tiles]).amax(0)
            result[unsafe] = self._sum(bad, shift).log() + shift
        return result

    def _sum(self, rows: Tensor, shift: Tensor | None) -> Tensor:
        total = torch.zeros(rows.shape[0], device=rows.device)
        factors = None if self.bias is None else self.bias.float().exp()
        for start in range(0, self.weight.shape[0], TILE):
            logits = self._logits(rows, start)
            if shift is not None:
                logits -= shift[:, None]
            logits.exp_()
            if self.skip is not None and start <= self.skip < start + TILE:
                logits[:, self.skip - start] = 0
            if factors is None:
                total += logits.sum(-1)
            else:
                total.addmv_(logits, factors[start : start + TILE])
        return total

    def _logits(self, rows: Tensor, start: int) -> Tensor:
        logits = linear(rows, self.weight[start : start + TILE]).float()
        return logits if self.cap is None else torch.tanh(logits / self.cap) * self.cap
