"""Decoder-only models: prompt and targets of a group are one trie, so the prompt is read once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kontrast.errors import KontrastError
from kontrast.scoring.engine import EngineOptions, Group, Side
from kontrast.scoring.engines.transformer import checks
from kontrast.scoring.engines.transformer.batch import pack_tries, scored_nodes
from kontrast.scoring.engines.transformer.engine import Placement, TokenTask
from kontrast.scoring.engines.transformer.generating import Opening
from kontrast.scoring.engines.transformer.multiplying import linears_by_onednn
from kontrast.scoring.engines.transformer.packed_attention import packed
from kontrast.scoring.engines.transformer.prompts import Prompts
from kontrast.scoring.engines.transformer.softmax import Head

__all__ = ["DecoderOnly"]


class DecoderOnly:
    """Llama, Qwen, Gemma, GPT-2 and their kind, through the model's own layers over packed rows."""

    usual_beams = 1
    left = True

    def __init__(self, network: Any, tokenizer: Any, options: EngineOptions, place: Placement) -> None:
        self.network, self.place = network, place
        self.prompts = Prompts(tokenizer, network.config, options)
        self.head = _head(network)
        self.sharing: tuple[str, ...] = ("prompt", "prefix") if self.head is not None else ()
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
        if limit is not None and longest > limit:
            raise KontrastError(
                f"the model takes {limit} tokens, the longest prompt with its target has {longest}: "
                "use less context or fewer examples"
            )
        checks.known_ids(self.network, tasks)
        return tasks

    def shared(self, tasks: Sequence[TokenTask]) -> tuple[list[float], int]:
        assert self.head is not None
        tries = [task.trie for task in tasks if task.trie is not None]
        window = getattr(self.network.config, "sliding_window", None)
        if window is not None and max(map(len, tries)) > window:  # the mask given here would undo the window
            return self.plain(tasks), 0
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
        return values, len(nodes)

    def plain(self, tasks: Sequence[TokenTask]) -> list[float]:
        paths = [path for task in tasks for path in task.paths]
        ids, mask = checks.padded([path.inputs for path in paths], 0, self.place.device)
        logits = self.network(input_ids=ids, attention_mask=mask, use_cache=False).logits
        return [value for k, path in enumerate(paths) for value in checks.own_logprobs(logits[k], path)]


def _head(network: Any) -> Head | None:
    """The output projection, where the model has a plain one."""
    layer = network.get_output_embeddings()
    if layer is None or type(layer).__name__ != "Linear":
        return None
    bias = None if layer.bias is None else layer.bias.detach()
    factor = float(getattr(network.config, "logit_scale", None) or 1.0)
    return Head(layer.weight.detach(), bias, factor, getattr(network.config, "final_logit_softcapping", None))
