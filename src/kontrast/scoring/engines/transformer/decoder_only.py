"""Decoder-only models: prompt and targets of a group are one trie, so the prompt is read once."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from kontrast.errors import KontrastError
from kontrast.extras import torch
from kontrast.scoring.engine import Group
from kontrast.scoring.engines.transformer.batch import BatchLayout, pack_tries, scored_nodes
from kontrast.scoring.engines.transformer.engine import TokenTask, TransformerEngine
from kontrast.scoring.engines.transformer.generation import Opening
from kontrast.scoring.engines.transformer.matrix_products import linears_by_onednn
from kontrast.scoring.engines.transformer.routes import Route, known_ids, one_by_one, own_logprobs, padded
from kontrast.scoring.engines.transformer.stack import Head
from kontrast.scoring.engines.transformer.tokens import Prompts
from kontrast.scoring.trie import TokenPath, shared_start

_WINDOWS = ("sliding_window", "attention_chunk_size")
"""What configurations call the stretch to which a layer's attention is limited."""
_CACHES = ("past_key_values", "cache_params")
"""What models call their cache, in what they give and take alike."""


class DecoderOnly(TransformerEngine):
    """Llama, Qwen, Gemma, GPT-2 and their kind, through the model's own layers over packed rows."""

    tokens: Prompts
    usual_beams = 1
    left = True

    def set_up(self) -> None:
        network = self.network
        self.tokens = Prompts(self.tokenizer, network.config, self.options)
        self.takes = inspect.signature(network.forward).parameters
        self.head = _head(network)
        self.border = _rope_border(network.config)
        limits = (getattr(network.config.get_text_config(), name, None) for name in _WINDOWS)
        self.window = min((size for size in limits if size), default=math.inf)
        self.details |= self.tokens.details

    def openings(self, groups: Sequence[Group]) -> list[Opening]:
        return [Opening(ids) for ids in self.tokens.openings(groups)]

    def read(self, groups: Sequence[Group]) -> list[TokenTask]:
        tasks = [TokenTask([], paths) for paths in self.tokens.paths(groups)]
        longest = max((len(path.inputs) for task in tasks for path in task.paths), default=0)
        limit = getattr(self.network.config, "max_position_embeddings", None)
        if limit is not None and 0 < limit < longest:
            raise KontrastError(
                f"the longest prompt with its target has {longest} tokens, but the model takes only {limit}: "
                "use less context or fewer examples"
            )
        known_ids(self.network, tasks)
        return tasks

    def regime(self, task: TokenTask) -> str:
        """Rows above a border of positions, and tries beyond a window that a packed mask would undo, are apart."""
        above = {len(path.inputs) > self.border for path in task.paths}
        if len(above) > 1:
            return "across"
        return ("above " if True in above else "") + ("beyond" if len(task.trie) > self.window else "")

    def routes(self, regime: str) -> list[Route]:
        if regime == "across":
            return [one_by_one(self.plain)]
        sharing = ("prompt", "prefix")
        cached = Route("with the model's own cache", self.cached, sharing)
        known = self.head is not None and "beyond" not in regime and not getattr(self.network, "_is_stateful", False)
        return [Route("in one packed pass", self.shared, sharing), cached] if known else [cached]

    def shared(self, tasks: Sequence[TokenTask]) -> list[float]:
        assert self.head is not None
        tries = [task.trie for task in tasks]
        batch = pack_tries(tries, self.device, self.dtype)
        with packed(self.network.config, batch.layout), linears_by_onednn():
            hidden = self.network.base_model(
                input_ids=batch.tokens[None],
                position_ids=batch.positions[None],
                attention_mask=batch.mask,
                use_cache=False,
            ).last_hidden_state[0]
        nodes, places, labels = scored_nodes(tries, [task.paths for task in tasks], self.device)
        return list(self.head.logprobs(hidden.index_select(0, nodes), places, labels).tolist())

    def cached(self, tasks: Sequence[TokenTask]) -> list[float]:
        """Group by group: the common beginning once, then the rest of every row from a copy of the model's cache."""
        return [value for task in tasks for value in _cached_rows(self._call, task.paths, self.device)]

    def plain(self, tasks: Sequence[TokenTask]) -> list[float]:
        paths = [path for task in tasks for path in task.paths]
        ids, mask = padded([path.inputs for path in paths], 0, self.device)
        logits = self._call(input_ids=ids, attention_mask=mask, use_cache=False).logits
        return [value for k, path in enumerate(paths) for value in own_logprobs(logits[k], path)]

    def _call(self, **given: Any) -> Any:
        """The network's own forward pass, with those of the arguments that it knows."""
        anything = any(one.kind is one.VAR_KEYWORD for one in self.takes.values())
        return self.network(**{name: value for name, value in given.items() if anything or name in self.takes})


def _cached_rows(call: Callable[..., Any], paths: Sequence[TokenPath], device: str) -> list[float]:
    """Log-probabilities of all labels of one prompt in order, through the model's own cache."""
    common = min(shared_start(paths[0].inputs, path.inputs) for path in paths)
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
        ids, mask = padded([path.inputs[common:] for path in longer], 0, device)
        whole = torch.cat([torch.ones(len(longer), common, dtype=mask.dtype, device=device), mask], dim=1)
        rest = call(input_ids=ids, attention_mask=whole, use_cache=True, **{name: cache}).logits
    rows = iter(rest if rest is not None else ())
    values: list[float] = []
    for path in paths:
        parts = [first.logits[0]] + ([next(rows)[: len(path.inputs) - common]] if len(path.inputs) > common else [])
        values += own_logprobs(torch.cat(parts), path, skipped)
    return values


def _rope_border(config: Any) -> float:
    """The length above which all positions turn by other factors (longrope); infinite where there is none."""
    text = config.get_text_config()
    given = getattr(text, "rope_parameters", None) or getattr(text, "rope_scaling", None) or {}
    every = [given, *(part for part in given.values() if isinstance(part, dict))]
    kinds = {part.get("rope_type", part.get("type")) for part in every}
    said = [part.get("original_max_position_embeddings") for part in every]
    border = next((size for size in said if size), getattr(text, "original_max_position_embeddings", None))
    return int(border) if "longrope" in kinds and border else math.inf


def _head(network: Any) -> Head | None:
    """The output projection, where the model has a plain one."""
    layer = network.get_output_embeddings()
    if layer is None or type(layer).__name__ != "Linear":
        return None
    bias = None if layer.bias is None else layer.bias.detach()
    factor = float(getattr(network.config, "logit_scale", None) or 1.0)
    return Head(layer.weight.detach(), bias, factor, getattr(network.config, "final_logit_softcapping", None))


Tensor = Any
_NAME = "kontrast_packed"
_where: ContextVar[BatchLayout] = ContextVar("where")


@contextmanager
def packed(config: Any, where: BatchLayout) -> Iterator[None]:
    """While this is open, the model with this configuration attends within the sequences of ``where``.

    Transformers lets a model call an attention function by name. The model's layers see one long row without padding;
    ours takes it apart into its sequences, attends within each, and puts it together again.
    """
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
    else:  # Gemma 2 caps what goes into the softmax
        logits = query @ key.transpose(2, 3) * (query.shape[-1] ** -0.5 if scaling is None else scaling)
        mixed = torch.softmax(torch.tanh(logits / softcap) * softcap + attention_mask, dim=-1) @ value
    flat = mixed.transpose(1, 2).reshape(layout.sequences * layout.longest, heads, -1)
    return flat.index_select(0, layout.to_packed)[None], None


def _square(part: Tensor, layout: BatchLayout) -> Tensor:
    rows = part[0].transpose(0, 1).index_select(0, layout.to_square)
    return rows.view(layout.sequences, layout.longest, *rows.shape[1:]).transpose(1, 2)
