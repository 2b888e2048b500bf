"""One rule for what is longer than a model takes: every engine counts, names and refuses it, and none cuts it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from kontrast.errors import KontrastError
from kontrast.scoring.engine import Group

_TABLES = ("embed_positions", "position_embeddings")
"""What an encoder-decoder network calls its tables of positions."""


class LengthLimits(msgspec.Struct, frozen=True):
    """How many tokens a model takes on each side, special tokens among them; None: any number."""

    source: int | None = None
    target: int | None = None


def refuse_longer(groups: Sequence[Group], lengths: Sequence[int], limit: int | None, what: str = "sources") -> None:
    """Refuse groups that are longer than the limit; ``lengths`` are their tokens, the longest for several targets.

    >>> refuse_longer([Group("A dog.", ()), Group("It ran.", ())], [4, 7], 5)
    Traceback (most recent call last):
    kontrast.errors.KontrastError: 1 of 2 sources are longer than the model's 5 tokens: use less context, \
or leave out the items; the longest has 7 tokens ('It ran.' …)
    """
    over = [i for i, length in enumerate(lengths) if limit is not None and length > limit]
    if over:
        longest = max(over, key=lambda i: lengths[i])
        raise KontrastError(
            f"{len(over)} of {len(lengths)} {what} are longer than the model's {limit} tokens: use less context, or "
            f"leave out the items; the longest has {lengths[longest]} tokens ({groups[longest].source[:60]!r} …)"
        )


def network_limits(network: Any) -> LengthLimits:
    """The rows of each side's table, less those that no token uses; None where positions are computed or relative."""
    if not hasattr(network, "get_encoder"):  # weights without a network around them
        limit = int(network.config.max_position_embeddings)
        return LengthLimits(limit, limit)
    return LengthLimits(*(_places(side) for side in (network.get_encoder(), network.get_decoder())))


def _places(side: Any) -> int | None:
    for name, table in side.named_modules():
        if name.rpartition(".")[2] in _TABLES and hasattr(table, "num_embeddings"):
            unused = getattr(table, "offset", 0) + (0 if table.padding_idx is None else table.padding_idx + 1)
            return int(table.num_embeddings) - unused - hasattr(side, "ngram")  # ProphetNet looks one place ahead
    return None
