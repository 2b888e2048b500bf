"""Targets of a group as a prefix trie: what they have in common is computed once.

A node is a token read by the decoder after a certain beginning; what follows a node is scored from its output.

One rule holds for every engine that reads prompt and target, or a forced prefix and the text, as one: a target costs
what the whole text costs less what its opening (prompt, prefix) costs alone. Tokens that both begin with cancel out.
Where a token joins the opening's end with the target's beginning, the opening's own tokens there are taken off it:
else the variants that begin so would pay for the opening, and the others would not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class TokenPath(msgspec.Struct, frozen=True, gc=False):
    """One target as token ids: what the decoder reads, and what it should say after each of them.

    ``labels`` belong to the last ``len(labels)`` of ``inputs``; what comes before them is forced. ``replaced`` are
    the opening's own tokens in the place where one joins it with the target.
    """

    inputs: tuple[int, ...]
    labels: tuple[int, ...]
    replaced: tuple[int, ...] = ()

    @property
    def forced(self) -> int:
        """How many inputs stand before the first label."""
        return len(self.inputs) - len(self.labels) + 1

    @property
    def opening(self) -> TokenPath:
        """The opening alone, whose replaced tokens are to be scored too.

        >>> TokenPath((0, 7, 8, 9), (8, 9, 2), (5, 6)).opening
        TokenPath(inputs=(0, 7, 5), labels=(5, 6), replaced=())
        """
        return TokenPath((*self.inputs[: self.forced], *self.replaced[:-1]), self.replaced)


def path_after(opening: Sequence[int], whole: Sequence[int]) -> TokenPath:
    """What follows an opening in a whole text, both as tokens.

    >>> path_after([1, 2, 3], [1, 2, 4, 5])
    TokenPath(inputs=(1, 2, 4), labels=(4, 5), replaced=(3,))
    """
    start = shared_start(opening, whole)
    return TokenPath(tuple(whole[:-1]), tuple(whole[start:]), tuple(opening[start:]))


def opening_of(given: str) -> str:
    """The text before a target without blanks at its end: those belong to the first scored token of most tokenizers.

    >>> opening_of("German: ")
    'German:'
    """
    return given.rstrip(" ")


def less_opening(values: Sequence[float], opening: Sequence[float]) -> tuple[float, ...]:
    """Log-probabilities of a target's tokens, the first less those of the opening's tokens that it replaces.

    >>> less_opening([-5.0, -1.0], [-3.5, -0.5]), less_opening([-5.0, -1.0], [])
    ((-1.0, -1.0), (-5.0, -1.0))
    """
    return (values[0] - sum(opening), *values[1:]) if values else ()


class Trie(msgspec.Struct, frozen=True, gc=False):
    """Nodes in an order that puts parents first; per sequence, its nodes and those its labels are scored from."""

    tokens: list[int]
    parents: list[int]
    depths: list[int]
    scored: list[list[int]]
    paths: list[list[int]]

    def __len__(self) -> int:
        return len(self.tokens)


def shared_start(one: Sequence[object], other: Sequence[object]) -> int:
    """With how many equal tokens two sequences begin.

    >>> shared_start(["a", "b"], ["a", "b", "c"]), shared_start(["a", "x"], ["a", "b", "c"])
    (2, 1)
    """
    differing = (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(differing, min(len(one), len(other)))


def build_trie(sequences: Sequence[TokenPath]) -> Trie:
    """The trie of the sequences' inputs.

    >>> trie = build_trie([TokenPath((0, 5, 6), (5, 6, 2)), TokenPath((0, 5, 7), (5, 7, 2))])
    >>> trie.tokens, trie.parents, trie.depths, trie.scored
    ([0, 5, 6, 7], [-1, 0, 1, 1], [0, 1, 2, 2], [[0, 1, 2], [0, 1, 3]])
    """
    tokens: list[int] = []
    parents: list[int] = []
    depths: list[int] = []
    scored: list[list[int]] = []
    paths: list[list[int]] = []
    children: dict[tuple[int, int], int] = {}
    for sequence in sequences:
        node, path = -1, []
        for depth, token in enumerate(sequence.inputs):
            key = (node, token)
            child = children.get(key)
            if child is None:
                child = children[key] = len(tokens)
                tokens.append(token)
                parents.append(node)
                depths.append(depth)
            path.append(child)
            node = child
        paths.append(path)
        scored.append(path[len(path) - len(sequence.labels) :])
    return Trie(tokens, parents, depths, scored, paths)


def ancestors(trie: Trie) -> NDArray[np.bool_]:
    """A square mask: row i is true at i and at every ancestor of i.

    >>> ancestors(build_trie([TokenPath((0, 5), (5, 2)), TokenPath((0, 6), (6, 2))])).astype(int).tolist()
    [[1, 0, 0], [1, 1, 0], [1, 0, 1]]
    """
    import numpy as np

    size = len(trie)
    mask = np.zeros((size, size), dtype=np.bool_)
    first = 1
    while first < size and trie.parents[first] == first - 1:
        first += 1
    mask[:first, :first] = np.tri(first, dtype=np.bool_)
    for node in range(first, size):
        mask[node] = mask[trie.parents[node]]
        mask[node, node] = True
    return mask


def pack(sizes: Sequence[int], limit: int) -> Iterator[list[int]]:
    """Indices in batches of at most ``limit`` in all (one that is larger stays alone), longest first.

    Longest first means that what does not fit into memory fails at once, not after an hour.

    >>> list(pack([3, 9, 4, 5, 20], 10))
    [[4], [1], [3, 2], [0]]
    """
    batch: list[int] = []
    used = 0
    for index in sorted(range(len(sizes)), key=lambda i: (-sizes[i], i)):
        if batch and used + sizes[index] > limit:
            yield batch
            batch, used = [], 0
        batch.append(index)
        used += sizes[index]
    if batch:
        yield batch
