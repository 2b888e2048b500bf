"""Decoder-only models: prompt and targets of a group are one trie, so the prompt is read once."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from typing import Any

from kontrast.errors import KontrastError
from kontrast.extras import torch
from kontrast.scoring.engine import EngineOptions, Group
from kontrast.scoring.engines.transformer import checks
from kontrast.scoring.engines.transformer.batch import pack_tries, scored_nodes
from kontrast.scoring.engines.transformer.engine import Placement, TokenTask
from kontrast.scoring.engines.transformer.generating import Opening
from kontrast.scoring.engines.transformer.multiplying import linears_by_onednn
from kontrast.scoring.engines.transformer.packed_attention import packed
from kontrast.scoring.engines.transformer.prompts import Prompts
from kontrast.scoring.engines.transformer.routes import Route, one_by_one
from kontrast.scoring.engines.transformer.softmax import Head
from kontrast.scoring.trie import TokenPath

_CACHES = ("past_key_values", "cache_params")
"""What models call their cache, in what they give and take alike."""


class DecoderOnly:
    """Llama, Qwen, Gemma, GPT-2 and their kind, through the model's own layers over packed rows."""

    usual_beams = 1
    left = True

    def __init__(self, network: Any, tokenizer: Any, options: EngineOptions, place: Placement) -> None:
        self.network, self.place = network, place
        self.tokens = Prompts(tokenizer, network.config, options)
        self.takes = inspect.signature(network.forward).parameters
        self.head = _head(network)
        self.border, self.window = _rope_border(network.config), _window(network.config)
        self.details = self.tokens.details

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
        checks.known_ids(self.network, tasks)
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
        batch = pack_tries(tries, self.place.device, self.place.dtype)
        with packed(self.network.config, batch.layout), linears_by_onednn():
            hidden = self.network.base_model(
                input_ids=batch.tokens[None],
                position_ids=batch.positions[None],
                attention_mask=batch.mask,
                use_cache=False,
            ).last_hidden_state[0]
        nodes, places, labels = scored_nodes(tries, [task.paths for task in tasks], self.place.device)
        values: list[float] = self.head.logprobs(hidden.index_select(0, nodes), places, labels).tolist()
        return values

    def cached(self, tasks: Sequence[TokenTask]) -> list[float]:
        """Group by group: the common beginning once, then the rest of every row from a copy of the model's cache."""
        return [value for task in tasks for value in _cached_rows(self._call, task.paths, self.place.device)]

    def plain(self, tasks: Sequence[TokenTask]) -> list[float]:
        paths = [path for task in tasks for path in task.paths]
        ids, mask = checks.padded([path.inputs for path in paths], 0, self.place.device)
        logits = self._call(input_ids=ids, attention_mask=mask, use_cache=False).logits
        return [value for k, path in enumerate(paths) for value in checks.own_logprobs(logits[k], path)]

    def _call(self, **given: Any) -> Any:
        """The network's own forward pass, with those of the arguments that it knows."""
        anything = any(one.kind is one.VAR_KEYWORD for one in self.takes.values())
        return self.network(**{name: value for name, value in given.items() if anything or name in self.takes})


def _cached_rows(call: Callable[..., Any], paths: Sequence[TokenPath], device: str) -> list[float]:
    """Log-probabilities of all labels of one prompt in order, through the model's own cache."""
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
    return values


def _common(rows: Sequence[Sequence[int]]) -> int:
    """With how many equal tokens all rows begin.

    >>> _common([(1, 2, 3), (1, 2, 4), (1, 2)])
    2
    """
    return next((i for i, column in enumerate(zip(*rows, strict=False)) if len(set(column)) > 1), min(map(len, rows)))


def _rope_border(config: Any) -> float:
    """The length above which all positions turn by other factors (longrope); infinite where there is none."""
    text = config.get_text_config()
    given = getattr(text, "rope_parameters", None) or getattr(text, "rope_scaling", None) or {}
    every = [given, *(part for part in given.values() if isinstance(part, dict))]
    kinds = {part.get("rope_type", part.get("type")) for part in every}
    said = [part.get("original_max_position_embeddings") for part in every]
    border = next((size for size in said if size), getattr(text, "original_max_position_embeddings", None))
    return int(border) if "longrope" in kinds and border else math.inf


def _window(config: Any) -> float:
    """The shortest stretch to which a layer's attention is limited."""
    text = config.get_text_config()
    said = [getattr(text, name, None) for name in ("sliding_window", "attention_chunk_size")]
    return min((size for size in said if size), default=math.inf)


def _head(network: Any) -> Head | None:
    """The output projection, where the model has a plain one."""
    layer = network.get_output_embeddings()
    if layer is None or type(layer).__name__ != "Linear":
        return None
    bias = None if layer.bias is None else layer.bias.detach()
    factor = float(getattr(network.config, "logit_scale", None) or 1.0)
    return Head(layer.weight.detach(), bias, factor, getattr(network.config, "final_logit_softcapping", None))
