"""A batch of tries or sources as tensors: packed rows for the linear layers, padded squares for attention."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from kontrast.extras import torch
from kontrast.scoring.trie import TokenPath, Trie, ancestors

Tensor = Any


class BatchLayout(msgspec.Struct, frozen=True):
    """Where each packed row lies in a (sequences × longest) square, and back."""

    to_square: Tensor
    """For each cell of the square, a packed row (an arbitrary one for padding)."""
    to_packed: Tensor
    """For each packed row, its cell."""
    sequences: int
    longest: int


class Packed(msgspec.Struct, frozen=True):
    """Tokens of several sequences in one row, their positions, and who may attend to whom."""

    tokens: Tensor
    positions: Tensor
    layout: BatchLayout
    mask: Tensor
    """Additive, (sequences, 1, queries or 1, keys)."""
    own: OwnAttention | None = None
    """How rows attend to themselves, where that is not within the sequences of ``layout``."""


class OwnAttention(msgspec.Struct, frozen=True):
    """Self-attention target by target: the nodes that a target adds to the trie look at its whole path.

    Less work than the square of all nodes of a trie, most of which may not see each other.
    """

    layout: BatchLayout
    keys: Tensor
    """For each (target, depth), flattened, the packed row of its node there."""
    mask: Tensor


def pack_tries(tries: Sequence[Trie], device: Any, dtype: Any) -> Packed:
    """Tries with their ancestor masks and depth positions."""
    layout, lengths = _layout([len(trie) for trie in tries], device)
    allowed = np.zeros((layout.sequences, layout.longest, layout.longest), dtype=np.bool_)
    for i, trie in enumerate(tries):
        allowed[i, : lengths[i], : lengths[i]] = ancestors(trie)
        allowed[i, lengths[i] :, 0] = True  # padding must attend to something, else it is NaN
    return Packed(
        torch.tensor([token for trie in tries for token in trie.tokens], device=device),
        torch.tensor([depth for trie in tries for depth in trie.depths], device=device),
        layout,
        _additive(allowed[:, None], device, dtype),
    )


def pack_paths(tries: Sequence[Trie], device: Any, dtype: Any) -> Packed:
    """Tries whose nodes attend to their ancestors along the paths of the targets."""
    layout, _ = _layout([len(trie) for trie in tries], device)
    added, paths, depths = [], [], []
    offset = 0
    for trie in tries:
        seen = 0
        for path in trie.paths:
            last = max(path)
            if last >= seen:
                added.append(last + 1 - seen)
                paths.append([offset + node for node in path])
                depths.append(trie.depths[seen : last + 1])
                seen = last + 1
        offset += len(trie)
    queries, _ = _layout(added, device)
    longest = max(map(len, paths))
    keys = np.zeros((len(paths), longest), dtype=np.int64)
    places = np.zeros((len(paths), queries.longest), dtype=np.int64)
    for i, (path, depth) in enumerate(zip(paths, depths, strict=True)):
        keys[i, : len(path)] = path
        places[i, : len(depth)] = depth
    allowed = np.arange(longest)[None, None, :] <= places[:, :, None]
    rows = torch.from_numpy(keys.reshape(-1)).to(device)
    own = OwnAttention(queries, rows, _additive(allowed[:, None], device, dtype))
    return Packed(
        torch.tensor([token for trie in tries for token in trie.tokens], device=device),
        torch.tensor([depth for trie in tries for depth in trie.depths], device=device),
        layout,
        own.mask,
        own,
    )


def pack_sources(sources: Sequence[Sequence[int]], device: Any, dtype: Any) -> Packed:
    """Sources, each attending to all of itself."""
    layout, lengths = _layout([len(source) for source in sources], device)
    allowed = np.arange(layout.longest)[None, :] < np.asarray(lengths)[:, None]
    return Packed(
        torch.tensor([token for source in sources for token in source], device=device),
        torch.tensor([place for length in lengths for place in range(length)], device=device),
        layout,
        _additive(allowed[:, None, None, :], device, dtype),
    )


def scored_nodes(
    tries: Sequence[Trie], paths: Sequence[Sequence[TokenPath]], device: Any
) -> tuple[Tensor, Tensor, Tensor]:
    """The distinct packed rows to project; then, for every scored token, its place among these and its label."""
    rows: dict[int, int] = {}
    places: list[int] = []
    labels: list[int] = []
    offset = 0
    for trie, targets in zip(tries, paths, strict=True):
        for nodes, target in zip(trie.scored, targets, strict=True):
            labels.extend(target.labels)
            places.extend([rows.setdefault(offset + node, len(rows)) for node in nodes])
        offset += len(trie)
    return (
        torch.tensor(list(rows), device=device),
        torch.tensor(places, device=device),
        torch.tensor(labels, device=device),
    )


def _layout(lengths: list[int], device: Any) -> tuple[BatchLayout, list[int]]:
    longest = max(lengths)
    starts = np.concatenate(([0], np.cumsum(lengths)[:-1]))
    inside = np.arange(longest)[None, :] < np.asarray(lengths)[:, None]
    to_square = np.where(inside, starts[:, None] + np.arange(longest)[None, :], starts[:, None]).reshape(-1)
    to_packed = np.flatnonzero(inside.reshape(-1))
    layout = BatchLayout(
        torch.from_numpy(to_square).to(device), torch.from_numpy(to_packed).to(device), len(lengths), longest
    )
    return layout, lengths


def _additive(allowed: Any, device: Any, dtype: Any) -> Tensor:
    mask = torch.zeros(allowed.shape, dtype=dtype)
    mask.masked_fill_(torch.from_numpy(~allowed), torch.finfo(dtype).min)
    return mask.to(device)
