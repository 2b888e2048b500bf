"""The engine around a network: reads groups into tokens, packs batches, checks sharing, names the tokens."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from kontrast.extras import torch
from kontrast.scoring.engine import Engine, EngineOptions, Group, Identity, Scored, Side, Supports
from kontrast.scoring.engines.transformer import loading, routes
from kontrast.scoring.engines.transformer.generation import Opening, batches_of, generate
from kontrast.scoring.engines.transformer.matrix_products import multiplied_by
from kontrast.scoring.engines.transformer.routes import Route
from kontrast.scoring.engines.transformer.tokens import Prompts, Tokens
from kontrast.scoring.fingerprint import combine, versions
from kontrast.scoring.translator import Decoding, Translator, Written, with_decoding
from kontrast.scoring.trie import TokenPath, Trie, build_trie, less_opening, pack
from kontrast.suites.model import TokenScores

NO_TRIE = build_trie([])


class TokenTask(msgspec.Struct, frozen=True, gc=False):
    """A group as tokens: its source (none for a decoder-only model, whose prompt is in the paths) and its targets."""

    source: list[int]
    paths: list[TokenPath]
    trie: Trie = NO_TRIE

    @property
    def plain_size(self) -> int:
        return sum(max(len(self.source), len(path.inputs)) for path in self.paths)


class NetworkEngine(Engine):
    """An engine around a network of Transformers: where and in what precision it runs, and what tells it apart."""

    name = "hf"

    def __init__(
        self, model: Any, tokenizer: Any, options: EngineOptions, label: str, folder: Path | None = None
    ) -> None:
        self.model, self.options, self.tokenizer = label, options, tokenizer
        self._made_of = (model, folder)
        self.device = str(model.device) if routes.is_placed(model) else loading.pick_device(options.device)
        self.dtype = loading.pick_dtype(options.dtype)
        self.network = routes.converted(model, self.device, self.dtype)
        self.details = {"dtype": routes.precision(model, self.dtype)}
        self.set_up()

    @abstractmethod
    def set_up(self) -> None:
        """Take from the network and the options what scoring needs."""

    def identify(self) -> Identity:
        """Weights, configuration, tokenizer, options and libraries."""
        asked = msgspec.to_builtins(msgspec.structs.replace(self.options, threads=None, device=""))
        rounded = ("bitsandbytes", "torchao", "gptqmodel", "compressed-tensors") * routes.is_placed(self._made_of[0])
        libraries = versions("torch", "transformers", "tokenizers", "sentencepiece", *rounded)
        libraries |= multiplied_by(self.device, self.dtype)
        place = self.device.partition(":")[0]
        return Identity(combine(self.name, self.facts(), asked, place, libraries, "less the opening"))

    def facts(self) -> dict[str, Any]:
        """What the fingerprint holds of the model itself."""
        model, folder = self._made_of
        return {
            "files": loading.weights_digest(model, folder),
            "config": loading.config_facts(model.config),
            "generation": loading.config_facts(getattr(model, "generation_config", None)),
            "tokenizer": loading.tokenizer_facts(self.tokenizer),
            **({"code": code} if (code := loading.code_digest(model)) else {}),
        }


class TransformerEngine(NetworkEngine, Translator):
    """Engine for models that say a target from left to right; subclasses have what differs between networks."""

    tokens: Tokens | Prompts
    usual_beams = 4
    left = False
    """Whether padding stands on the left."""

    def __init__(
        self, model: Any, tokenizer: Any, options: EngineOptions, label: str, folder: Path | None = None
    ) -> None:
        super().__init__(model, tokenizer, options, label, folder)
        self._chosen: dict[str, Route] = {}
        self._say_sharing(self._routes("")[:1])
        self._last: tuple[Sequence[Group], list[TokenTask]] | None = None
        placed = routes.is_placed(model)
        self._exact = (
            (lambda: type(self)(model, tokenizer, routes.in_full(options), label, folder))
            if self.details["dtype"] != "float32" == str(model.dtype).removeprefix("torch.") and not placed
            else None
        )

    @abstractmethod
    def openings(self, groups: Sequence[Group]) -> list[Opening]:
        """What the model is given to translate."""

    @abstractmethod
    def read(self, groups: Sequence[Group]) -> list[TokenTask]:
        """Groups as tokens."""

    def regime(self, task: TokenTask) -> str:
        """Groups of different regimes are never in one batch, and may take different routes."""
        return ""

    @abstractmethod
    def routes(self, regime: str) -> list[Route]:
        """Ways to score that share, fastest first."""

    @abstractmethod
    def plain(self, tasks: Sequence[TokenTask]) -> list[float]:
        """Log-probabilities of all labels in order, every pair on its own through the model's own forward pass."""

    def render(self, group: Group) -> str:
        return self.tokens.render(group)

    def cut(self, text: str, side: Side = "source") -> list[str]:
        return self.tokens.cut(text, side)

    def prepare(self, groups: Sequence[Group]) -> None:
        """Choose how to score; report what a dtype changes."""
        self.choose_routes(groups)
        if self._exact is not None and groups:
            routes.report_flips(self.details["dtype"], self, self._exact(), groups)
            self._exact = None

    def choose_routes(self, groups: Sequence[Group]) -> None:
        """The fastest way that gives the numbers of single rows."""
        by_regime: dict[str, list[TokenTask]] = {}
        for task in self._tasks(groups):
            by_regime.setdefault(self.regime(task), []).append(task)
        limit = routes.tolerance(self.details["dtype"])
        for regime, tasks in by_regime.items():
            given = (self._routes(regime), routes.one_by_one(self.plain), tasks, limit)
            self._chosen[regime] = routes.choose(self.model, *given, causal=self.left)
        self._say_sharing(list(self._chosen.values()))

    def identify_translator(self, decoding: Decoding) -> Identity:
        self.details |= decoding.facts(self.usual_beams)
        return with_decoding(self.identify(), decoding, self.usual_beams)

    def translate(self, groups: Sequence[Group], decoding: Decoding, done: Collection[int] = ()) -> Iterator[Written]:
        return generate(self, groups, decoding, done)

    def score(self, groups: Sequence[Group], done: Collection[int] = ()) -> Iterator[Scored]:
        tasks = self._tasks(groups)
        for i, values in self.ran(tasks, done):
            found = dict(zip(tasks[i].paths, values, strict=True))
            scores = []
            for path in tasks[i].paths[: len(groups[i].targets)]:
                opening = found[path.opening] if path.replaced else []
                scores.append(
                    TokenScores(tuple(map(self.tokens.name, path.labels)), less_opening(found[path], opening))
                )
            yield i, tuple(scores)

    def ran(self, tasks: Sequence[TokenTask], done: Collection[int] = ()) -> Iterator[tuple[int, list[list[float]]]]:
        """(index of a task, log-probabilities of the labels of each of its paths), batch by batch."""
        for indices in self._batches(tasks):
            if all(i in done for i in indices):
                continue
            batch = [tasks[i] for i in indices]
            with torch.inference_mode():
                values = iter(self._route(self.regime(batch[0])).run(batch))
            for i, task in zip(indices, batch, strict=True):
                yield i, [[next(values) for _ in path.labels] for path in task.paths]

    def batches(self, groups: Sequence[Group], decoding: Decoding | None = None) -> list[list[int]]:
        """How `score`, or with a search `translate`, cuts these groups, for those who hand them out."""
        if decoding is not None:
            return list(batches_of(self, self.openings(groups), decoding))
        return self._batches(self._tasks(groups))

    def _batches(self, tasks: Sequence[TokenTask]) -> list[list[int]]:
        by_regime: dict[str, list[int]] = {}
        for i, task in enumerate(tasks):
            by_regime.setdefault(self.regime(task), []).append(i)
        found = []
        for regime, members in by_regime.items():
            shared = bool(self._route(regime).sharing)
            sizes = [len(tasks[i].trie) if shared else tasks[i].plain_size for i in members]
            found += [[members[k] for k in batch] for batch in pack(sizes, self.options.batch_tokens)]
        return found

    def _tasks(self, groups: Sequence[Group]) -> list[TokenTask]:
        """The groups as tokens, with the openings that are to be scored too; kept for a worker that gets shares."""
        if self._last is None or self._last[0] is not groups:
            self._last = (groups, [with_openings(task) for task in self.read(groups)])
        return self._last[1]

    def _routes(self, regime: str) -> list[Route]:
        pairs = Route("pair by pair", self.plain)
        return [*(self.routes(regime) if self.options.share else []), pairs]

    def _route(self, regime: str) -> Route:
        return self._chosen.get(regime) or self._routes(regime)[0]

    def _say_sharing(self, chosen: Sequence[Route]) -> None:
        sharing = tuple(dict.fromkeys(what for route in chosen for what in route.sharing))
        self.supports = Supports(sharing=sharing, prompted=self.left)


def with_openings(task: TokenTask) -> TokenTask:
    """The task with those openings among its paths whose tokens a target's first one replaces, and its trie."""
    openings = {path.opening for path in task.paths if path.replaced}
    paths = [*task.paths, *sorted(openings - set(task.paths), key=lambda path: path.inputs)]
    return msgspec.structs.replace(task, paths=paths, trie=build_trie(paths))
