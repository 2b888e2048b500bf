"""An engine that lives in Ray workers: the same plan, cut into shares of batches; the results come back here.

Every worker cuts the groups into the same batches as a run on this machine would, so that the numbers are the same;
a share is a set of whole batches.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from kontrast.cluster import Actors
from kontrast.errors import KontrastError
from kontrast.scoring.engine import Engine, EngineOptions, Group, Identity, Scored, Side, SuiteEngine
from kontrast.scoring.engines import load_engine
from kontrast.scoring.translator import Decoding, Written, translator_of

SHARES = 8
"""A share is this part of what is left for each worker: one that dies costs little, and all end at the same time."""


def engine_for(
    model: str | Engine | SuiteEngine, options: EngineOptions, on: str | None = None, workers: int | None = None
) -> Engine | SuiteEngine:
    """The engine itself, or the one that a name means: here, or with ``on`` in workers of a cluster."""
    if not isinstance(model, str):
        return model
    if on is None:
        return load_engine(model, options)
    if model.partition(":")[0] in ("openai", "sglang"):
        raise KontrastError("--on ray: openai uses servers; write several servers as openai:MODEL@URL1,URL2")
    return Workers(model, options, on, workers)


def texts_of(engine: Any, method: str, groups: Sequence[Group]) -> list[str]:
    """``render`` or ``question`` of each group; workers are asked for many at once."""
    if isinstance(engine, Workers):
        return engine.texts(method, groups)
    return [getattr(engine, method)(group) for group in groups]


class Workers:
    """See `kontrast.scoring.engine.Engine` and `Translator`; ``count`` workers, a model in each."""

    def __init__(self, model: str, options: EngineOptions, on: str = "ray", count: int | None = None) -> None:
        threads = options.threads or 1
        self._options = msgspec.structs.replace(options, threads=threads)
        gpus = 1 if options.device.startswith("cuda") else 0
        self._actors = Actors(_Worker, [model, self._options], on=on, count=count, threads=threads, gpus=gpus)
        self.name, self.model, self.supports, self.details = self._actors.first_answer("facts")
        self._held = 0
        self._groups: Sequence[Group] = ()

    def identify(self) -> Identity:
        found: Identity = self._actors.ask("ask", "identify")
        return found

    def render(self, group: Group) -> str:
        return self.texts("render", [group])[0]

    def texts(self, method: str, groups: Sequence[Group]) -> list[str]:
        """``render`` or ``question``, a part for each worker: a call for each group would take longer than a run."""
        size = -(-len(groups) // len(self._actors.all)) or 1
        parts = ((method, list(groups[start : start + size])) for start in range(0, len(groups), size))
        return [text for part in self._actors.map("texts", parts) for text in part]

    def cut(self, text: str, side: Side = "source") -> list[str] | None:
        found: list[str] | None = self._actors.ask("ask", "cut", text, side)
        return found

    def prepare(self, groups: Sequence[Group]) -> None:
        self._hold(groups, prepare=True)

    def score(self, groups: Sequence[Group], done: Collection[int] = ()) -> Iterator[Scored]:
        if self._groups is not groups:
            self._hold(groups)
        yield from self._shared(list[Scored], done)

    def identify_translator(self, decoding: Decoding) -> Identity:
        found: Identity
        found, self.details = self._actors.ask("identify_translator", decoding)
        return found

    def question(self, group: Group) -> str:
        return self.texts("question", [group])[0]

    def translate(self, groups: Sequence[Group], decoding: Decoding, done: Collection[int] = ()) -> Iterator[Written]:
        self._hold(groups, decoding)
        yield from self._shared(list[Written], done)

    def close(self) -> None:
        self._actors.close()

    def _hold(self, groups: Sequence[Group], decoding: Decoding | None = None, *, prepare: bool = False) -> None:
        """Give all workers the groups; one that is started again fetches them itself."""
        self._held += 1
        self._groups = groups if decoding is None else ()
        self._given = (self._held, [self._actors.put(list(groups))], decoding, prepare)
        self._actors.ask_all("hold", *self._given)

    def _shared(self, kind: Any, done: Collection[int]) -> Iterator[Any]:
        batches: list[list[int]] = self._actors.ask_all("batches", *self._given)[0]  # each must read them all anyway
        left = [batch for batch in batches if not all(i in done for i in batch)]
        calls = ((*self._given, share) for share in batch_shares(left, len(self._actors.all)))
        for rows, details in self._actors.map("run", calls, ordered=False):
            self.details |= details
            yield from msgspec.msgpack.decode(rows, type=kind)


def batch_shares(batches: Sequence[Sequence[int]], workers: int) -> Iterator[list[int]]:
    """The groups of some batches each, fewer towards the end, so that no worker is left with much.

    >>> [len(share) for share in batch_shares([[n] for n in range(70)], 2)][:9]
    [4, 4, 3, 3, 3, 3, 3, 2, 2]
    """
    start = 0
    while start < len(batches):
        end = start + max(1, (len(batches) - start) // (SHARES * workers))
        yield sorted(i for batch in batches[start:end] for i in batch)
        start = end


class _Worker:
    """One engine. It is loaded at the first call, here and after a restart."""

    def __init__(self, model: str, options: EngineOptions) -> None:
        self._asked = (model, options)
        self._loaded: Engine | None = None
        self._held = 0
        self._groups: list[Group] = []

    @property
    def _engine(self) -> Engine:
        if self._loaded is None:
            loaded = load_engine(*self._asked)
            if isinstance(loaded, SuiteEngine):
                raise KontrastError(f"--on ray: {loaded.name} scores a suite as a whole, not on workers")
            self._loaded = loaded
        return self._loaded

    def process(self) -> int:
        """The id of its process, for tests that kill it."""
        return os.getpid()

    def facts(self) -> tuple[Any, ...]:
        engine = self._engine
        return engine.name, engine.model, engine.supports, dict(engine.details)

    def ask(self, method: str, *given: Any) -> Any:
        """What the engine itself answers."""
        return getattr(self._engine, method)(*given)

    def identify_translator(self, decoding: Decoding) -> tuple[Identity, dict[str, str]]:
        """Also what the signature says of the search, which is not said of scores."""
        own = dict(self._engine.details)
        found, told = translator_of(self._engine).identify_translator(decoding), dict(self._engine.details)
        self._engine.details = own
        return found, told

    def texts(self, method: str, groups: list[Group]) -> list[str]:
        return texts_of(self._engine, method, groups)

    def hold(self, number: int, where: list[Any], decoding: Decoding | None, prepare: bool) -> None:
        """Fetch the groups and prepare the engine for them, unless that is done: engines keep what they read."""
        if self._held != number:
            import ray

            self._groups = ray.get(where[0])
            if prepare:
                self._engine.prepare(self._groups)
            self._held = number

    def batches(self, *given: Any) -> list[list[int]]:
        """How the engine would cut these groups; one that does not say does them one by one."""
        self.hold(*given)
        cut = getattr(self._engine, "batches", None)
        search = [] if given[2] is None else [given[2]]
        return cut(self._groups, *search) if cut else [[i] for i in range(len(self._groups))]

    def run(self, *given: Any) -> tuple[bytes, dict[str, str]]:
        """Scores, or translations where there is a search, of a share, which comes last: all others are done.

        Encoded: many times faster than Ray would send records.
        """
        *held, share = given
        self.hold(*held)
        others = set(range(len(self._groups))).difference(share)
        made: Iterable[tuple[int, Any]] = (
            self._engine.score(self._groups, others)
            if (search := given[2]) is None
            else translator_of(self._engine).translate(self._groups, search, others)
        )
        return msgspec.msgpack.encode([row for row in made if row[0] not in others]), dict(self._engine.details)
