"""Who attends to whom in a batch, worked out once for all layers.

Packed rows are cut into their heads' pieces; queries, keys and values are gathered piece by piece into whole blocks,
and the results go back the same way. Blocks of short sequences are multiplied at once, which on a processor is faster
than a fused kernel that takes them one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kontrast.extras import torch
from kontrast.scoring.engines.transformer.batch import Packed

Tensor = Any
SHORT = 256
"""Up to so many keys the scores of a block are kept whole; above, the fused kernel does not fill the memory."""


@dataclass(frozen=True)
class AttentionMap:
    """For each (sequence, head, place) the piece of a row that stands there; the mask has a plane for every head."""

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
