"""Attention over packed rows by PyTorch's FlexAttention: who sees whom is two comparisons, not a mask in memory.

A depth-first walk over the tries of a batch enters and leaves every node at a time of its own. A node sees itself and
its ancestors: those that are entered before it and not yet left. A source sees itself, and a target its source, by
the same test on the number of the group. On CUDA the kernel is compiled, and blocks in which nobody sees anybody are
left out; elsewhere PyTorch runs the same functions eagerly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from kontrast.scoring.trie import Trie, walk_times

Tensor = Any
BLOCK = 128


@dataclass(frozen=True)
class Sight:
    """Query q sees key k where ``entered[k] <= time[q] < left[k]``."""

    time: Tensor
    entered: Tensor
    left: Tensor

    def sees(self, batch: Tensor, head: Tensor, query: Tensor, key: Tensor) -> Tensor:
        """The test, as FlexAttention asks it."""
        return (self.entered[key] <= self.time[query]) & (self.time[query] < self.left[key])

    def blocks(self) -> Any:
        """Which blocks are computed, from the first and last time in each: none that is needed is left out."""
        import torch
        from torch.nn.attention.flex_attention import BlockMask

        first, last = _ends(self.time)
        entered, left = _ends(self.entered)[0], _ends(self.left)[1]
        needed = (entered[None, :] <= last[:, None]) & (first[:, None] < left[None, :])
        order = torch.argsort(needed.to(torch.int8), dim=-1, descending=True, stable=True)
        counts = needed.sum(-1).to(torch.int32)
        sizes = (len(self.time), len(self.entered))
        return BlockMask.from_kv_blocks(
            counts[None, None], order[None, None].to(torch.int32), None, None, BLOCK, self.sees, sizes
        )


@dataclass(frozen=True)
class FlexMap:
    """`AttentionMap` for rows that are not laid out in squares."""

    blocks: Any

    def attend(self, asking: Tensor, asked: Tensor, heads: int, scale: float) -> Tensor:
        width = asking.shape[1]
        queries, keys = self.blocks.seq_lengths
        query = asking.view(queries, -1, heads, width)[:, 0]
        both = asked.view(keys, -1, heads, width)
        q, k, v = (part.transpose(0, 1)[None] for part in (query, both[:, -2], both[:, -1]))
        return self.mix(q, k, v, scale)[0].transpose(0, 1).reshape(queries, heads * width)

    def mix(self, query: Tensor, key: Tensor, value: Tensor, scale: float | None, cap: float | None = None) -> Tensor:
        """All are (1, heads, rows, width), with fewer heads where several queries share a key."""

        def capped(score: Tensor, *_: Tensor) -> Tensor:
            return (score / cap).tanh() * cap

        how = {"score_mod": None if cap is None else capped, "block_mask": self.blocks, "scale": scale}
        shared = query.shape[1] != key.shape[1]
        return kernel(query.device.type)(query, key, value, **how, enable_gqa=shared)


@dataclass(frozen=True)
class Flat:
    """Tokens of several tries or sources in one row, with the times at which each is entered and left."""

    tokens: Tensor
    positions: Tensor
    number: Tensor
    entered: Tensor
    left: Tensor

    def within(self) -> FlexMap:
        return FlexMap(Sight(self.entered.clone(), self.entered, self.left).blocks())

    def at_source(self, source: Flat) -> FlexMap:
        return FlexMap(Sight(self.number, source.number, source.number + 1).blocks())


def flat_tries(tries: Sequence[Trie], device: Any) -> Flat:
    rows: list[tuple[int, int, int, int, int]] = []
    for number, trie in enumerate(tries):
        start, (entered, left) = len(rows), walk_times(trie)
        for token, depth, a, b in zip(trie.tokens, trie.depths, entered, left, strict=True):
            rows.append((token, depth, number, start + a, start + b))
    return _columns(rows, device)


def flat_sources(sources: Sequence[Sequence[int]], device: Any) -> Flat:
    rows = [(token, place, n, n, n + 1) for n, source in enumerate(sources) for place, token in enumerate(source)]
    return _columns(rows, device)


def _columns(rows: Sequence[tuple[int, int, int, int, int]], device: Any) -> Flat:
    """Tensors of their own: the compiled kernel does not take one storage under two names."""
    import torch

    return Flat(*(torch.tensor(column, device=device) for column in zip(*rows, strict=True)))


@cache
def kernel(device: str) -> Callable[..., Tensor]:
    """FlexAttention, compiled for CUDA, once for all lengths of a batch."""
    import torch
    from torch.nn.attention.flex_attention import flex_attention

    found: Callable[..., Tensor] = flex_attention
    return torch.compile(found, dynamic=True) if device == "cuda" else found


def _ends(times: Tensor) -> tuple[Tensor, Tensor]:
    """The least and the largest of each block."""
    import torch

    whole = torch.cat([times, times[-1:].expand(-len(times) % BLOCK)]).view(-1, BLOCK)
    return whole.amin(1), whole.amax(1)
