"""Attention for packed rows inside a model's own layers: the layers see one long row without padding.

Transformers lets a model call an attention function by name; ours takes the packed row apart into its sequences,
attends within each, and puts it together again. It is active only inside `packed`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from kontrast.extras import torch
from kontrast.scoring.engines.transformer.batch import BatchLayout

Tensor = Any
_NAME = "kontrast_packed"
_where: ContextVar[BatchLayout] = ContextVar("where")


@contextmanager
def packed(config: Any, where: BatchLayout) -> Iterator[None]:
    """While this is open, the model with this configuration attends within the sequences of ``where``."""
    from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

    if _NAME not in ALL_ATTENTION_FUNCTIONS:
        ALL_ATTENTION_FUNCTIONS.register(_NAME, _attend)
    before, token = config._attn_implementation, _where.set(where)
    config._attn_implementation = _NAME
    try:
        yield
    finally:
        config._attn_implementation = before
        _where.reset(token)


def _attend(
    module: Any,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor,
    scaling: float | None = None,
    softcap: float | None = None,
    **_: Any,
) -> tuple[Tensor, None]:
    """Query, key and value are (1, heads, packed rows, width); so is the result, with rows before heads."""
    layout = _where.get()
    heads, repeated = query.shape[1], query.shape[1] // key.shape[1]
    query, key, value = (_square(part, layout) for part in (query, key, value))
    if repeated > 1:
        key, value = (part.repeat_interleave(repeated, dim=1) for part in (key, value))
    if softcap is None:
        mixed = torch.nn.functional.scaled_dot_product_attention(
            query, key, value, attn_mask=attention_mask, scale=scaling
        )
    else:
        mixed = _capped(query, key, value, attention_mask, scaling, softcap)
    flat = mixed.transpose(1, 2).reshape(layout.sequences * layout.longest, heads, -1)
    return flat.index_select(0, layout.to_packed)[None], None


def _square(part: Tensor, layout: BatchLayout) -> Tensor:
    rows = part[0].transpose(0, 1).index_select(0, layout.to_square)
    return rows.view(layout.sequences, layout.longest, *rows.shape[1:]).transpose(1, 2)


def _capped(query: Tensor, key: Tensor, value: Tensor, mask: Tensor, scaling: float | None, cap: float) -> Tensor:
    """Gemma 2 caps what goes into the softmax."""
    logits = query @ key.transpose(2, 3) * (query.shape[-1] ** -0.5 if scaling is None else scaling)
    return torch.softmax(torch.tanh(logits / cap) * cap + mask, dim=-1) @ value
