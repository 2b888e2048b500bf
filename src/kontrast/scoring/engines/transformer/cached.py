"""Targets of one prompt through a model's own cache: for architectures that a packed pass does not know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kontrast.scoring.engines.transformer import checks
from kontrast.scoring.trie import TokenPath

_CACHES = ("past_key_values", "cache_params")
"""What models call their cache, in what they give and take alike."""


def cached_rows(call: Callable[..., Any], paths: Sequence[TokenPath], device: str) -> tuple[list[float], int]:
    """Log-probabilities of all labels in order, and how many tokens were run."""
    import torch

    common = _common([path.inputs for path in paths])
    start = torch.tensor([paths[0].inputs[:common]], device=device)
    asked = max(common - path.forced + 1 for path in paths)
    first = call(input_ids=start, use_cache=True, logits_to_keep=max(asked, 1))
    skipped = common - first.logits.shape[1]
    longer = [path for path in paths if len(path.inputs) > common]
    rest: Any = None
    if longer:
        name = next(name for name in _CACHES if getattr(first, name, None) is not None)
        cache = getattr(first, name)
        cache.batch_repeat_interleave(len(longer))
        ids, mask = checks.padded([path.inputs[common:] for path in longer], 0, device)
        whole = torch.cat([torch.ones(len(longer), common, dtype=mask.dtype, device=device), mask], dim=1)
        rest = call(input_ids=ids, attention_mask=whole, use_cache=True, **{name: cache}).logits
    rows = iter(rest if rest is not None else ())
    values: list[float] = []
    for path in paths:
        parts = [first.logits[0]] + ([next(rows)[: len(path.inputs) - common]] if len(path.inputs) > common else [])
        values += checks.own_logprobs(torch.cat(parts), path, skipped)
    return values, common + sum(len(path.inputs) - common for path in longer)


def _common(rows: Sequence[Sequence[int]]) -> int:
    """With how many equal tokens all rows begin.

    >>> _common([(1, 2, 3), (1, 2, 4), (1, 2)])
    2
    """
    return next((i for i, column in enumerate(zip(*rows, strict=False)) if len(set(column)) > 1), min(map(len, rows)))
