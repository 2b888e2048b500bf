"""An engine that lives in Ray workers: the same plan, cut into shares of batches; the results come back here.

Ray schedules, restarts a worker that died and repeats its share. Every worker cuts the groups into the same batches
as a run on this machine would, so that the numbers are the same; a share is a set of whole batches.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import msgspec

from kontrast.errors import KontrastError, MissingExtraError
from kontrast.scoring.engine import Engine, EngineOptions, Group, Identity, Side, SuiteEngine
from kontrast.suites.model import TokenScores

__all__ = ["Workers", "parse_on"]

SHARES = 8
"""For each worker: small enough that one that dies costs little, large enough that calls do not count."""

Scored = tuple[int, tuple[TokenScores, ...]]


def parse_on(text: str) -> str | None:
    """The cluster's address in ``ray:ADDRESS``; None for ``ray`` alone, a cluster of this machine.

    >>> parse_on("ray"), parse_on("ray:10.0.0.1:6379"), parse_on("ray:auto")
    (None, '10.0.0.1:6379', 'auto')
    """
    kind, _, address = text.partition(":")
    if kind != "ray":
        raise KontrastError(f"--on: expected ray or ray:ADDRESS, found {text!r}")
    return address or None


class Workers:
    """See `kontrast.scoring.engine.Engine`; ``count`` workers (default: as many as the cluster has cores for)."""

    def __init__(self, model: str, options: EngineOptions, on: str = "ray", count: int | None = None) -> None:
        self._ray = _start(parse_on(on))
        threads = options.threads or 1
        self._options = msgspec.structs.replace(options, threads=threads)
        gpus = 1 if options.device.startswith("cuda") else 0
        cores = int(self._ray.cluster_resources().get("GPU" if gpus else "CPU", 1))
        count = count or max(1, cores if gpus else cores // threads)
        actor = self._ray.remote(_Worker).options(
            num_cpus=threads, num_gpus=gpus, max_restarts=-1, max_task_retries=-1
        )
        self._workers = [actor.remote(model, self._options) for _ in range(count)]
        facts = self._get(self._workers[0].facts.remote())
        self.name, self.model, self.supports, self.details = facts

    def identify(self) -> Identity:
        found: Identity = self._get(self._workers[0].identify.remote())
        return found

    def render(self, group: Group) -> str:
        return self.render_all([group])[0]

    def render_all(self, groups: Sequence[Group]) -> list[str]:
        """All at once: a call for each would take longer than scoring."""
        found: list[str] = self._get(self._workers[0].render.remote(list(groups)))
        return found

    def cut(self, text: str, side: Side = "source") -> list[str] | None:
        found: list[str] | None = self._get(self._workers[0].cut.remote(text, side))
        return found

    def prepare(self, groups: Sequence[Group]) -> None:
        self._groups = self._ray.put(list(groups))
        self._get([worker.prepare.remote(self._groups) for worker in self._workers])

    def score(self, groups: Sequence[Group], done: Collection[int] = ()) -> Iterator[Scored]:
        batches: list[list[int]] = self._get(self._workers[0].batches.remote(self._groups))
        left = [batch for batch in batches if not all(i in done for i in batch)]
        size = max(1, -(-len(left) // (SHARES * len(self._workers))))
        waiting = [left[start : start + size] for start in range(0, len(left), size)]
        running: dict[Any, Any] = {}
        idle = list(self._workers)
        while waiting or running:
            while waiting and idle:
                worker = idle.pop()
                share = sorted(i for batch in waiting.pop(0) for i in batch)
                running[worker.score.remote(self._groups, share)] = worker
            [ready], _ = self._ray.wait(list(running), num_returns=1)
            idle.append(running.pop(ready))
            yield from self._get(ready)

    def close(self) -> None:
        for worker in self._workers:
            self._ray.kill(worker)
        self._workers = []

    def _get(self, call: Any) -> Any:
        """A call's result; what went wrong in the worker goes wrong here."""
        try:
            return self._ray.get(call)
        except self._ray.exceptions.RayTaskError as error:
            cause = error.cause
            if isinstance(cause, KontrastError):
                raise KontrastError(str(cause)) from error
            raise KontrastError(f"a Ray worker failed: {type(cause).__name__}: {cause}") from error
        except self._ray.exceptions.RayError as error:
            first = str(error).strip().splitlines()[0]
            raise KontrastError(f"Ray: {first}; what was finished is in the store: run it again") from error


class _Worker:
    """One engine. It is loaded at the first call, here and after a restart."""

    def __init__(self, model: str, options: EngineOptions) -> None:
        self._given = (model, options)
        self._loaded: Engine | None = None
        self._known: list[Group] = []

    @property
    def _engine(self) -> Engine:
        if self._loaded is None:
            from kontrast.scoring.engines import load_engine

            loaded = load_engine(*self._given)
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

    def identify(self) -> Identity:
        return self._engine.identify()

    def render(self, groups: list[Group]) -> list[str]:
        return [self._engine.render(group) for group in groups]

    def cut(self, text: str, side: Side) -> list[str] | None:
        return self._engine.cut(text, side)

    def prepare(self, groups: list[Group]) -> None:
        self._engine.prepare(self._same(groups))

    def batches(self, groups: list[Group]) -> list[list[int]]:
        """How the engine would cut these groups; one that does not say scores them one by one."""
        cut = getattr(self._engine, "batches", None)
        return cut(self._same(groups)) if cut else [[i] for i in range(len(groups))]

    def score(self, groups: list[Group], share: list[int]) -> list[Scored]:
        groups = self._same(groups)
        wanted = set(share)
        others = [i for i in range(len(groups)) if i not in wanted]
        return [found for found in self._engine.score(groups, set(others)) if found[0] in wanted]

    def _same(self, groups: list[Group]) -> list[Group]:
        """The very list of the last call where its content is the same: engines keep what they read of it."""
        if self._known != groups:
            self._known = groups
        return self._known


def _start(address: str | None) -> Any:
    try:
        import ray
    except ImportError as error:
        raise MissingExtraError("ray", "--on ray") from error
    if not ray.is_initialized():
        try:
            ray.init(
                address=address,
                namespace="kontrast",
                include_dashboard=None if address else False,
                log_to_driver=False,
                logging_level="error",
            )
        except (ConnectionError, ValueError, RuntimeError, OSError) as error:
            reason = " ".join(str(error).split())[:200]
            raise KontrastError(f"--on ray{':' + address if address else ''}: no cluster ({reason})") from error
    return ray
