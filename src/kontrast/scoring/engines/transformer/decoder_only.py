"""Decoder-only models: prompt and targets of a group are one trie, so the prompt is read once."""

from __future__ import annotations

import inspect
import math
from collections.abc import Sequence
from typing import Any

from kontrast.errors import KontrastError
from kontrast.scoring.engine import EngineOptions, Group, Side
from kontrast.scoring.engines.transformer import checks
from kontrast.scoring.engines.transformer.batch import BatchLayout, Packed, pack_tries, scored_nodes
from kontrast.scoring.engines.transformer.cached import cached_rows
from kontrast.scoring.engines.transformer.engine import Placement, TokenTask
from kontrast.scoring.engines.transformer.flex import Flat, FlexMap, flat_tries
from kontrast.scoring.engines.transformer.generating import Opening
from kontrast.scoring.engines.transformer.multiplying import linears_by_onednn
from kontrast.scoring.engines.transformer.packed_attention import packed
from kontrast.scoring.engines.transformer.prompts import Prompts
from kontrast.scoring.engines.transformer.routes import Route, one_by_one
from kontrast.scoring.engines.transformer.softmax import Head
from kontrast.scoring.engines.transformer.work import Ran


class DecoderOnly:
    """Llama, Qwen, Gemma, GPT-2 and their kind, through the model's own layers over packed rows."""

    usual_beams = 1
    left = True

    def __init__(self, network: Any, tokenizer: Any, options: EngineOptions, place: Placement) -> None:
        self.network, self.place = network, place
        self.prompts = Prompts(tokenizer, network.config, options)
        self.takes = inspect.signature(network.forward).parameters
        self.head = _head(network)
        self.border, self.window = _rope_border(network.config), _window(network.config)
        self.details = self.prompts.details

    def render(self, group: Group) -> str:
        return self.prompts.render(group)

    def cut(self, text: str, side: Side) -> list[str]:
        return self.prompts.cut(text)

    def name(self, token: int) -> str:
        return self.prompts.name(token)

    def openings(self, groups: Sequence[Group]) -> list[Opening]:
        return [Opening(ids) for ids in self.prompts.openings(groups)]

    def stops(self) -> list[int]:
        return self.prompts.stops()

    def spelled(self, tokens: Sequence[int]) -> str:
        return self.prompts.spelled(tokens)

    def read(self, groups: Sequence[Group]) -> list[TokenTask]:
        tasks = [TokenTask([], paths) for paths in self.prompts.paths(groups)]
        longest = max((len(path.inputs) for task in tasks for path in task.paths), default=0)
        limit = getattr(self.network.config, "max_position_embeddings", None)
        if limit is not None and 0 < limit < longest:
            raise KontrastError(
                f"the model takes {limit} tokens, the longest prompt with its target has {longest}: "
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
        if not known:
            return [cached]
        flat = [Route("in one pass by FlexAttention", self.flat, sharing)] * self.place.device.startswith("cuda")
        return [*flat, Route("in one packed pass", self.shared, sharing), cached]

    def shared(self, tasks: Sequence[TokenTask]) -> Ran:
        batch = pack_tries([task.trie for task in tasks], self.place.device, self.place.dtype)
        return self._run(tasks, batch, batch.mask, batch.layout)

    def flat(self, tasks: Sequence[TokenTask]) -> Ran:
        batch = flat_tries([task.trie for task in tasks], self.place.device)
        return self._run(tasks, batch, None, batch.within())

    def _run(self, tasks: Sequence[TokenTask], batch: Packed | Flat, mask: Any, where: BatchLayout | FlexMap) -> Ran:
        assert self.head is not None
        tries = [task.trie for task in tasks]
        with packed(self.network.config, where), linears_by_onednn():
            hidden = self.network.base_model(
                input_ids=batch.tokens[None],
                position_ids=batch.positions[None],
                attention_mask=mask,
                use_cache=False,
            ).last_hidden_state[0]
        nodes, places, labels = scored_nodes(tries, [task.paths for task in tasks], self.place.device)
        values: list[float] = self.head.logprobs(hidden.index_select(0, nodes), places, labels).tolist()
        return Ran(values, 0, sum(map(len, tries)), len(nodes))

    def cached(self, tasks: Sequence[TokenTask]) -> Ran:
        """Group by group: the common beginning once, then the rest of every row from a copy of the model's cache."""
        found = [cached_rows(self._call, task.paths, self.place.device) for task in tasks]
        values = [value for row, _ in found for value in row]
        ran = sum(tokens for _, tokens in found)
        return Ran(values, 0, ran, ran)

    def plain(self, tasks: Sequence[TokenTask]) -> list[float]:
        paths = [path for task in tasks for path in task.paths]
        ids, mask = checks.padded([path.inputs for path in paths], 0, self.place.device)
        logits = self._call(input_ids=ids, attention_mask=mask, use_cache=False).logits
        return [value for k, path in enumerate(paths) for value in checks.own_logprobs(logits[k], path)]

    def _call(self, **given: Any) -> Any:
        """The network's own forward pass, with those of the arguments that it knows."""
        anything = any(one.kind is one.VAR_KEYWORD for one in self.takes.values())
        return self.network(**{name: value for name, value in given.items() if anything or name in self.takes})


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
