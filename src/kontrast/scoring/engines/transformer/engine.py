"""The engine around a network: reads groups into tokens, packs batches, checks sharing, names the tokens."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec

from kontrast.extras import torch
from kontrast.scoring.decoding import Decoding, with_decoding
from kontrast.scoring.engine import Engine, EngineOptions, Group, Identity, Scored, Side, Supports
from kontrast.scoring.engines.transformer import checks
from kontrast.scoring.engines.transformer.generating import Opening, batches_of, generate
from kontrast.scoring.engines.transformer.loading import (
    code_digest,
    config_facts,
    pick_device,
    pick_dtype,
    tokenizer_facts,
    weights_digest,
)
from kontrast.scoring.engines.transformer.multiplying import multiplied_by
from kontrast.scoring.engines.transformer.prompts import Prompts
from kontrast.scoring.engines.transformer.routes import Route, choose, one_by_one
from kontrast.scoring.engines.transformer.tokens import Tokens
from kontrast.scoring.fingerprint import combine, versions
from kontrast.scoring.translator import Translator, Written
from kontrast.scoring.trie import TokenPath, Trie, build_trie, less_opening, pack
from kontrast.suites.model import TokenScores

NO_TRIE = build_trie([])


class Placement(msgspec.Struct, frozen=True):
    """Where and in what precision a network runs."""

    device: str
    dtype: Any


class TokenTask(msgspec.Struct, frozen=True, gc=False):
    """A group as tokens: its source (none for a decoder-only model, whose prompt is in the paths) and its targets."""

    source: list[int]
    paths: list[TokenPath]
    trie: Trie = NO_TRIE

    @property
    def plain_size(self) -> int:
        return sum(max(len(self.source), len(path.inputs)) for path in self.paths)


class Kind(Protocol):
    """What differs between encoder-decoder and decoder-only networks."""

    network: Any
    details: dict[str, str]
    usual_beams: int
    left: bool
    """Whether padding stands on the left."""

    @property
    def tokens(self) -> Tokens | Prompts: ...

    def openings(self, groups: Sequence[Group]) -> list[Opening]: ...

    def read(self, groups: Sequence[Group]) -> list[TokenTask]: ...

    def regime(self, task: TokenTask) -> str:
        """Groups of different regimes are never in one batch, and may take different routes."""
        ...

    def routes(self, regime: str) -> list[Route]:
        """Ways to score that share, fastest first."""
        ...

    def plain(self, tasks: Sequence[TokenTask]) -> list[float]:
        """Log-probabilities of all labels in order, every pair on its own through the model's own forward pass."""
        ...


class TransformerEngine(Engine, Translator):
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
        self.tokenizer = tokenizer
        placed = checks.is_placed(model)
        device = str(model.device) if placed else pick_device(options.device)
        place = self.place = Placement(device, pick_dtype(options.dtype))
        self.kind = build(checks.converted(model, place.device, place.dtype), tokenizer, options, place)
        self._single = one_by_one(self.kind.plain)
        self._chosen: dict[str, Route] = {}
        self._say_sharing(self._routes("")[:1])
        self.details = {"dtype": checks.precision(model, place.dtype), **self.kind.details}
        self._last: tuple[Sequence[Group], list[TokenTask]] | None = None
        self._exact = (
            (lambda: type(self)(build, model, tokenizer, checks.in_full(options), label, folder))
            if self.details["dtype"] != "float32" == str(model.dtype).removeprefix("torch.") and not placed
            else None
        )

    def identify(self) -> Identity:
        """Weights, configuration, tokenizer, options and libraries."""
        asked = msgspec.to_builtins(msgspec.structs.replace(self.options, threads=None, device=""))
        rounded = ("bitsandbytes", "torchao", "gptqmodel", "compressed-tensors") * checks.is_placed(self._made_of[0])
        libraries = versions("torch", "transformers", "tokenizers", "sentencepiece", *rounded)
        libraries |= multiplied_by(self.place.device, self.place.dtype)
        place = self.place.device.partition(":")[0]
        return Identity(combine(self.name, self.facts(), asked, place, libraries, "less the opening"))

    def facts(self) -> dict[str, Any]:
        """What the fingerprint holds of the model itself."""
        model, tokenizer, folder = self._made_of
        return {
            "files": weights_digest(model, folder),
            "config": config_facts(model.config),
            "generation": config_facts(getattr(model, "generation_config", None)),
            "tokenizer": tokenizer_facts(tokenizer),
            **({"code": code} if (code := code_digest(model)) else {}),
        }

    def render(self, group: Group) -> str:
        return self.kind.tokens.render(group)

    def cut(self, text: str, side: Side = "source") -> list[str]:
        return self.kind.tokens.cut(text, side)

    def prepare(self, groups: Sequence[Group]) -> None:
        """Choose how to score; report what a dtype changes."""
        self.choose_routes(groups)
        if self._exact is not None and groups:
            checks.report_flips(self.details["dtype"], self, self._exact(), groups)
            self._exact = None

    def choose_routes(self, groups: Sequence[Group]) -> None:
        """The fastest way that gives the numbers of single rows."""
        by_regime: dict[str, list[TokenTask]] = {}
        for task in self._tasks(groups):
            by_regime.setdefault(self.kind.regime(task), []).append(task)
        limit = checks.tolerance(self.details["dtype"])
        for regime, tasks in by_regime.items():
            given = (self._routes(regime), self._single, tasks, limit)
            self._chosen[regime] = choose(self.model, *given, causal=self.kind.left)
        self._say_sharing(list(self._chosen.values()))

    def identify_translator(self, decoding: Decoding) -> Identity:
        self.details |= decoding.facts(self.kind.usual_beams)
        return with_decoding(self.identify(), decoding, self.kind.usual_beams)

    def translate(self, groups: Sequence[Group], decoding: Decoding, done: Collection[int] = ()) -> Iterator[Written]:
        size = self.options.batch_tokens
        return generate(self.kind, groups, decoding, device=self.place.device, batch_tokens=size, done=done)

    def translation_batches(self, groups: Sequence[Group], decoding: Decoding) -> list[list[int]]:
        """How `translate` cuts these groups, for those who hand them out."""
        return list(batches_of(self.kind, self.kind.openings(groups), decoding, self.options.batch_tokens))

    def score(self, groups: Sequence[Group], done: Collection[int] = ()) -> Iterator[Scored]:
        tasks = self._tasks(groups)
        for i, values in self.ran(tasks, done):
            found = dict(zip(tasks[i].paths, values, strict=True))
            yield i, tuple(self._named(path, found) for path in tasks[i].paths[: len(groups[i].targets)])

    def ran(self, tasks: Sequence[TokenTask], done: Collection[int] = ()) -> Iterator[tuple[int, list[list[float]]]]:
        """(index of a task, log-probabilities of the labels of each of its paths), batch by batch."""
        for indices in self._batches(tasks):
            if all(i in done for i in indices):
                continue
            batch = [tasks[i] for i in indices]
            with torch.inference_mode():
                values = iter(self._route(self.kind.regime(batch[0])).run(batch))
            for i, task in zip(indices, batch, strict=True):
                yield i, [[next(values) for _ in path.labels] for path in task.paths]

    def _named(self, path: TokenPath, found: dict[TokenPath, list[float]]) -> TokenScores:
        """A target's tokens with their scores, less what the opening's tokens cost that one of them replaces."""
        opening = found[path.opening] if path.replaced else []
        return TokenScores(tuple(map(self.kind.tokens.name, path.labels)), less_opening(found[path], opening))

    def batches(self, groups: Sequence[Group]) -> list[list[int]]:
        """How `score` cuts these groups, for those who hand them out."""
        return self._batches(self._tasks(groups))

    def _batches(self, tasks: Sequence[TokenTask]) -> list[list[int]]:
        by_regime: dict[str, list[int]] = {}
        for i, task in enumerate(tasks):
            by_regime.setdefault(self.kind.regime(task), []).append(i)
        found = []
        for regime, members in by_regime.items():
            shared = bool(self._route(regime).sharing)
            sizes = [len(tasks[i].trie) if shared else tasks[i].plain_size for i in members]
            found += [[members[k] for k in batch] for batch in pack(sizes, self.options.batch_tokens)]
        return found

    def _tasks(self, groups: Sequence[Group]) -> list[TokenTask]:
        """The groups as tokens, with the openings that are to be scored too; kept for a worker that gets shares."""
        if self._last is None or self._last[0] is not groups:
            self._last = (groups, [with_openings(task) for task in self.kind.read(groups)])
        return self._last[1]

    def _routes(self, regime: str) -> list[Route]:
        pairs = Route("pair by pair", self.kind.plain)
        return [*(self.kind.routes(regime) if self.options.share else []), pairs]

    def _route(self, regime: str) -> Route:
        return self._chosen.get(regime) or self._routes(regime)[0]

    def _say_sharing(self, routes: Sequence[Route]) -> None:
        sharing = tuple(dict.fromkeys(what for route in routes for what in route.sharing))
        self.supports = Supports(sharing=sharing, prompted=self.kind.left)


def with_openings(task: TokenTask) -> TokenTask:
    """The task with those openings among its paths whose tokens a target's first one replaces, and its trie."""
    openings = {path.opening for path in task.paths if path.replaced}
    paths = [*task.paths, *sorted(openings - set(task.paths), key=lambda path: path.inputs)]
    return msgspec.structs.replace(task, paths=paths, trie=build_trie(paths))
