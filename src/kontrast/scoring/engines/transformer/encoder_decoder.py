"""Encoder-decoder models: each source is encoded once, the decoder runs over the trie of its targets."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from kontrast.extras import torch
from kontrast.scoring.engine import EngineOptions, Group
from kontrast.scoring.engines.transformer import checks
from kontrast.scoring.engines.transformer.architectures import SHAREABLE
from kontrast.scoring.engines.transformer.batch import pack_paths, pack_sources, scored_nodes
from kontrast.scoring.engines.transformer.engine import Placement, TokenTask
from kontrast.scoring.engines.transformer.generating import Opening
from kontrast.scoring.engines.transformer.routes import Route
from kontrast.scoring.engines.transformer.tokens import Tokens
from kontrast.scoring.lengths import network_limits, refuse_longer
from kontrast.scoring.trie import TokenPath


class EncoderDecoder:
    """Marian, M2M100/NLLB, mBART, T5/mT5 and FSMT share all; of any other the source is encoded once."""

    usual_beams = 4
    left = False

    def __init__(self, network: Any, tokenizer: Any, options: EngineOptions, place: Placement) -> None:
        options.without_examples("an encoder-decoder model")
        self.network, self.place = network, place
        self.tokens = Tokens(tokenizer, network.config, options, getattr(network, "generation_config", None))
        self.tokens.check_start()
        self.limits = network_limits(network)
        self.skip = network.config.pad_token_id if options.softmax_pad is False else None
        build = SHAREABLE.get(network.config.model_type)
        self.parts = build(network) if build is not None and not checks.is_placed(network) else None
        self.details = {"softmax": "all" if self.skip is None else "no-pad", **self.tokens.details}

    def openings(self, groups: Sequence[Group]) -> list[Opening]:
        sources, forced = self.tokens.sources(groups), self.tokens.openings(groups)
        refuse_longer(groups, list(map(len, sources)), self.limits.source)
        refuse_longer(groups, [len(tokens) + 1 for tokens in forced], self.limits.target, "forced beginnings")
        return [
            Opening(source, tokens, len(tokens) == 2 and tokens[1] in self.tokens.language_ids)
            for source, tokens in zip(sources, forced, strict=True)
        ]

    def read(self, groups: Sequence[Group]) -> list[TokenTask]:
        sources, targets = self.tokens.sources(groups), self.tokens.targets(groups)
        refuse_longer(groups, list(map(len, sources)), self.limits.source)
        longest = [max((len(path.inputs) for path in paths), default=0) for paths in targets]
        refuse_longer(groups, longest, self.limits.target, "targets")
        tasks = [TokenTask(source, paths) for source, paths in zip(sources, targets, strict=True)]
        checks.known_ids(self.network, tasks)
        return tasks

    def regime(self, task: TokenTask) -> str:
        return ""

    def routes(self, regime: str) -> list[Route]:
        known = [Route("along the trie", self.shared, ("encoder", "prefix"))] if self.parts is not None else []
        together = Route("with sources encoded together", self.encoded, ("encoder",))
        return [*known, together, Route("with sources encoded one by one", self.encoded_alone, ("encoder",))]

    def shared(self, tasks: Sequence[TokenTask]) -> list[float]:
        assert self.parts is not None
        on, dtype, tries = self.place.device, self.place.dtype, [task.trie for task in tasks]
        source = pack_sources([task.source for task in tasks], on, dtype)
        hidden = self.parts.decoder.run(pack_paths(tries, on, dtype), self.parts.encoder.run(source), source)
        nodes, places, labels = scored_nodes(tries, [task.paths for task in tasks], on)
        head = dataclasses.replace(self.parts.head, skip=self.skip)
        values: list[float] = head.logprobs(hidden.index_select(0, nodes), places, labels).tolist()
        return values

    def encoded(self, tasks: Sequence[TokenTask]) -> list[float]:
        """Each source once through the model's own encoder, all targets through its decoder."""
        from transformers.modeling_outputs import BaseModelOutput

        counts = torch.tensor([len(task.paths) for task in tasks], device=self.place.device)
        ids, mask = checks.padded([task.source for task in tasks], self._pad, self.place.device)
        output = self.network.get_encoder()(input_ids=ids, attention_mask=mask)
        states = BaseModelOutput(last_hidden_state=output.last_hidden_state.repeat_interleave(counts, 0))
        paths = [path for task in tasks for path in task.paths]
        return self._decoded(paths, encoder_outputs=states, attention_mask=mask.repeat_interleave(counts, 0))

    def encoded_alone(self, tasks: Sequence[TokenTask]) -> list[float]:
        return [value for task in tasks for value in self.encoded([task])]

    def plain(self, tasks: Sequence[TokenTask]) -> list[float]:
        pairs = [(task.source, path) for task in tasks for path in task.paths]
        ids, mask = checks.padded([source for source, _ in pairs], self._pad, self.place.device)
        return self._decoded([path for _, path in pairs], input_ids=ids, attention_mask=mask)

    def _decoded(self, paths: Sequence[TokenPath], **given: Any) -> list[float]:
        inputs, _ = checks.padded([path.inputs for path in paths], self._pad, self.place.device)
        logits = self.network(**given, decoder_input_ids=inputs, use_cache=False).logits
        if self.skip is not None:
            logits[..., self.skip] = -torch.inf
        return [value for k, path in enumerate(paths) for value in checks.own_logprobs(logits[k], path)]

    @property
    def _pad(self) -> int:
        return int(self.network.config.pad_token_id or 0)
