"""Encoder-decoder models: each source is encoded once, the decoder runs over the trie of its targets."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from kontrast.errors import KontrastError
from kontrast.scoring.engine import EngineOptions, Group, Side
from kontrast.scoring.engines.transformer import checks
from kontrast.scoring.engines.transformer.architectures import SHAREABLE, limit_of
from kontrast.scoring.engines.transformer.batch import pack_paths, pack_sources, scored_nodes
from kontrast.scoring.engines.transformer.engine import Placement, TokenTask
from kontrast.scoring.engines.transformer.generating import Opening
from kontrast.scoring.engines.transformer.tokens import Tokens

__all__ = ["EncoderDecoder"]


class EncoderDecoder:
    """Marian, M2M100/NLLB, mBART, T5/mT5 and FSMT share; any other encoder-decoder is scored pair by pair."""

    usual_beams = 4
    left = False

    def __init__(self, network: Any, tokenizer: Any, options: EngineOptions, place: Placement) -> None:
        options.without_examples("an encoder-decoder model")
        self.network, self.place = network, place
        self.tokens = Tokens(tokenizer, network.config, options)
        self.skip = network.config.pad_token_id if options.softmax_pad is False else None
        build = SHAREABLE.get(network.config.model_type)
        self.parts = build(network) if build is not None else None
        self.sharing: tuple[str, ...] = ("encoder", "prefix") if self.parts is not None else ()
        self.details = {"softmax": "all" if self.skip is None else "no-pad", **self.tokens.details}

    def render(self, group: Group) -> str:
        return self.tokens.render(group)

    def cut(self, text: str, side: Side) -> list[str]:
        return self.tokens.cut(text, side)

    def name(self, token: int) -> str:
        return self.tokens.name(token)

    def openings(self, groups: Sequence[Group]) -> list[Opening]:
        limit, found = limit_of(self.network.config), []
        sources, forced = self.tokens.sources(groups), self.tokens.openings(groups)
        for group, source, tokens in zip(groups, sources, forced, strict=True):
            if limit is not None and max(len(source), len(tokens)) >= limit:
                raise KontrastError(
                    f"the model takes {limit} tokens, {group.source[:60]!r} … has {len(source)}: "
                    "use less context, or take the item out"
                )
            found.append(Opening(source, tokens, len(tokens) == 2 and tokens[1] in self.tokens.language_ids))
        return found

    def stops(self) -> list[int]:
        return [self.tokens.tokenizer.eos_token_id]

    def spelled(self, tokens: Sequence[int]) -> str:
        return self.tokens.spelled(tokens)

    def read(self, groups: Sequence[Group]) -> list[TokenTask]:
        sources, targets = self.tokens.sources(groups), self.tokens.targets(groups)
        limit = limit_of(self.network.config)
        for group, source, paths in zip(groups, sources, targets, strict=True):
            longest = max(len(source), *(len(path.inputs) for path in paths))
            if limit is not None and longest > limit:
                raise KontrastError(
                    f"the model takes {limit} tokens, {group.source[:60]!r} … has {longest}: "
                    "use less context, or take the item out"
                )
        tasks = [TokenTask(source, paths) for source, paths in zip(sources, targets, strict=True)]
        checks.known_ids(self.network, tasks)
        return tasks

    def shared(self, tasks: Sequence[TokenTask]) -> tuple[list[float], int]:
        assert self.parts is not None
        on, dtype = self.place.device, self.place.dtype
        source = pack_sources([task.source for task in tasks], on, dtype)
        encoded = self.parts.encoder.run(source)
        tries = [task.trie for task in tasks if task.trie is not None]
        hidden = self.parts.decoder.run(pack_paths(tries, on, dtype), encoded, source)
        nodes, places, labels = scored_nodes(tries, [task.paths for task in tasks], on)
        head = dataclasses.replace(self.parts.head, skip=self.skip)
        values: list[float] = head.logprobs(hidden.index_select(0, nodes), places, labels).tolist()
        return values, len(nodes)

    def plain(self, tasks: Sequence[TokenTask]) -> list[float]:
        import torch

        pairs = [(task.source, path) for task in tasks for path in task.paths]
        pad = self.network.config.pad_token_id
        ids, mask = checks.padded([source for source, _ in pairs], pad, self.place.device)
        inputs, _ = checks.padded([path.inputs for _, path in pairs], pad, self.place.device)
        output = self.network(input_ids=ids, attention_mask=mask, decoder_input_ids=inputs, use_cache=False)
        if self.skip is not None:
            output.logits[..., self.skip] = -torch.inf
        return [value for k, (_, path) in enumerate(pairs) for value in checks.own_logprobs(output.logits[k], path)]
