"""The engine around a network: reads groups into tokens, packs batches, checks sharing, names the tokens."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec

from kontrast.scoring.decoding import Decoding, with_decoding
from kontrast.scoring.engine import EngineOptions, Group, Identity, Side, Supports, Translation
from kontrast.scoring.engines.transformer import checks
from kontrast.scoring.engines.transformer.generating import Writes, batches_of, generate
from kontrast.scoring.engines.transformer.loading import (
    config_facts,
    pick_device,
    pick_dtype,
    tokenizer_facts,
    weights_digest,
)
from kontrast.scoring.engines.transformer.multiplying import multiplied_by
from kontrast.scoring.engines.transformer.work import Work
from kontrast.scoring.fingerprint import combine, versions
from kontrast.scoring.trie import TokenPath, Trie, build_trie, pack
from kontrast.suites.model import TokenScores

__all__ = ["Kind", "Placement", "TokenTask", "TransformerEngine"]

Scored = tuple[int, tuple[TokenScores, ...]]


class Placement(msgspec.Struct, frozen=True):
    """Where and in what precision a network runs."""

    device: str
    dtype: Any


class TokenTask(msgspec.Struct, frozen=True, gc=False):
    """A group as tokens: its source (none for a decoder-only model, whose prompt is in the paths) and its targets."""

    source: list[int]
    paths: list[TokenPath]
    trie: Trie | None = None

    @property
    def plain_size(self) -> int:
        return sum(max(len(self.source), len(path.inputs)) for path in self.paths)


class Kind(Writes, Protocol):
    """What differs between encoder-decoder and decoder-only networks."""

    sharing: tuple[str, ...]
    """What is computed once per group; empty where this architecture cannot share."""
    details: dict[str, str]

    def render(self, group: Group) -> str: ...

    def cut(self, text: str, side: Side) -> list[str]: ...

    def read(self, groups: Sequence[Group]) -> list[TokenTask]: ...

    def shared(self, tasks: Sequence[TokenTask]) -> tuple[list[float], int]:
        """Log-probabilities of all labels in order, and how many rows were projected."""
        ...

    def plain(self, tasks: Sequence[TokenTask]) -> list[float]:
        """The same, every pair on its own through the model's own forward pass."""
        ...


class TransformerEngine:
    """Engine for Transformers models; ``build`` makes the kind from (network, tokenizer, options, place)."""

    name = "hf"

    def __init__(
        self,
        build: Callable[..., Kind],
        model: Any,
        tokenizer: Any,
        options: EngineOptions,
        label: str,
        folder: Path | None = None,
    ) -> None:
        self.model, self.options = label, options
        self._made_of = (model, tokenizer, folder)
        place = self.place = Placement(pick_device(options.device), pick_dtype(options.dtype))
        self.kind = build(checks.converted(model, place.device, place.dtype), tokenizer, options, place)
        self.share = options.share and bool(self.kind.sharing)
        self.supports = Supports(sharing=self.kind.sharing if self.share else (), prompted=self.kind.left)
        self.details = {"dtype": str(place.dtype).removeprefix("torch."), **self.kind.details}
        self.work = Work()
        self._last: tuple[Sequence[Group], bool, list[TokenTask], list[list[int]]] | None = None
        self._exact = (
            (lambda: type(self)(build, model, tokenizer, checks.in_full(options), label, folder))
            if (self.details["dtype"] != "float32")
            else None
        )

    def identify(self) -> Identity:
        """Weights, configuration, tokenizer, options and libraries."""
        asked = msgspec.to_builtins(msgspec.structs.replace(self.options, threads=None, device=""))
        libraries = versions("torch", "transformers", "tokenizers", "sentencepiece")
        libraries |= multiplied_by(self.place.device, self.place.dtype)
        return Identity(combine(self.name, self.facts(), asked, self.place.device.partition(":")[0], libraries))

    def facts(self) -> dict[str, Any]:
        """What the fingerprint holds of the model itself."""
        model, tokenizer, folder = self._made_of
        return {
            "files": weights_digest(model, folder),
            "config": config_facts(model.config),
            "generation": config_facts(getattr(model, "generation_config", None)),
            "tokenizer": tokenizer_facts(tokenizer),
        }

    def render(self, group: Group) -> str:
        return self.kind.render(group)

    def cut(self, text: str, side: Side = "source") -> list[str]:
        return self.kind.cut(text, side)

    def prepare(self, groups: Sequence[Group]) -> None:
        """Score a sample both ways, and pair by pair from then on where they differ; report what a dtype changes."""
        sample = checks.sample(groups)
        if sample and self.share:
            gap = checks.largest_gap(self._sums(sample, share=True), self._sums(sample, share=False))
            if gap > checks.tolerance(self.details["dtype"]):
                checks.warn_plain(self.model, gap)
                self.share, self.supports = False, Supports()
        if self._exact is not None and groups:
            checks.report_flips(self.details["dtype"], self, self._exact(), groups)
            self._exact = None
        self.work = Work()

    def score(self, groups: Sequence[Group], done: Collection[int] = ()) -> Iterator[Scored]:
        return self._score(groups, share=self.share, done=done)

    def identify_translator(self, decoding: Decoding) -> Identity:
        return with_decoding(self.identify(), decoding, self.kind.usual_beams)

    def question(self, group: Group) -> str:
        return self.render(group)

    def translate(
        self, groups: Sequence[Group], decoding: Decoding, done: Collection[int] = ()
    ) -> Iterator[tuple[int, Translation]]:
        self.details |= decoding.facts(self.kind.usual_beams)
        size = self.options.batch_tokens
        return generate(self.kind, groups, decoding, device=self.place.device, batch_tokens=size, done=done)

    def translation_batches(self, groups: Sequence[Group], decoding: Decoding) -> list[list[int]]:
        """How `translate` cuts these groups, for those who hand them out."""
        return list(batches_of(self.kind, self.kind.openings(groups), decoding, self.options.batch_tokens))

    def close(self) -> None:
        return None

    def _score(self, groups: Sequence[Group], *, share: bool, done: Collection[int] = ()) -> Iterator[Scored]:
        import torch

        tasks, batches = self._read(groups, share)
        for indices in batches:
            if all(i in done for i in indices):
                continue
            batch = [tasks[i] for i in indices]
            with torch.inference_mode():
                values, projected = self.kind.shared(batch) if share else (self.kind.plain(batch), 0)
            self.work.add(batch, projected)
            start = 0
            for i in indices:
                rows = []
                for path in tasks[i].paths:
                    end = start + len(path.labels)
                    rows.append(TokenScores(tuple(map(self.kind.name, path.labels)), tuple(values[start:end])))
                    start = end
                yield i, tuple(rows)

    def batches(self, groups: Sequence[Group]) -> list[list[int]]:
        """How `score` cuts these groups, for those who hand them out."""
        return self._read(groups, self.share)[1]

    def _read(self, groups: Sequence[Group], share: bool) -> tuple[list[TokenTask], list[list[int]]]:
        """The groups as tokens, and in batches; of the last call both are kept, for a worker that gets shares."""
        if self._last is not None and self._last[0] is groups and self._last[1] == share:
            return self._last[2:]
        tasks = self.kind.read(groups)
        if share:
            tasks = [msgspec.structs.replace(task, trie=build_trie(task.paths)) for task in tasks]
        sizes = [task.plain_size if task.trie is None else len(task.trie) for task in tasks]
        self._last = (groups, share, tasks, list(pack(sizes, self.options.batch_tokens)))
        return self._last[2:]

    def _sums(self, groups: Sequence[Group], *, share: bool) -> list[list[float]]:
        found = dict(self._score(groups, share=share))
        return [[sum(target.logprobs) for target in found[i]] for i in range(len(groups))]
