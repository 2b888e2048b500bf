"""How many tokens an encoder-decoder network has positions for, read from its own position tables."""

from __future__ import annotations

from typing import Any

from kontrast.scoring.lengths import LengthLimits

_TABLES = ("embed_positions", "position_embeddings")


def limits_of(network: Any) -> LengthLimits:
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
