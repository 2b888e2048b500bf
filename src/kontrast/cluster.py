"""Work on a Ray cluster: actors of one class, to which calls are handed out as they get free.

Ray schedules, starts an actor that died again and repeats its call; nothing here knows of machines.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from kontrast.errors import KontrastError, MissingExtraError

TRIES = 3
"""How often a call is repeated whose worker died: one that kills every worker must not go on for ever."""
QUEUED = 2
"""Calls that a worker has at a time: the next one is there when it is done."""
LARGE = 100_000
"""Bytes above which an argument is put where every worker can read it."""
CONNECTING = 10
"""Seconds in which a cluster's address must take a connection."""
AHEAD = 8
"""For each worker, results that may wait for an earlier one."""


def parse_on(text: str) -> str | None:
    """The cluster's address in ``ray:ADDRESS``; None for ``ray`` alone, a cluster of this machine.

    >>> parse_on("ray"), parse_on("ray:10.0.0.1:6379"), parse_on("ray:auto")
    (None, '10.0.0.1:6379', 'auto')
    """
    kind, colon, address = text.partition(":")
    if kind != "ray" or (colon and not address):
        raise KontrastError(f"--on: expected ray or ray:ADDRESS, found {text!r}")
    return address or None


class Runner:
    """An actor for plain functions: what they load (models, lexicons) they keep for the next call."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        self._work = work

    def run(self, shard: Any) -> Any:
        return self._work(shard)

    def process(self) -> int:
        """The id of its process, for tests that kill it."""
        return os.getpid()


class Actors:
    """``count`` actors of a class (default: as many as the cluster has room for), ``threads`` cores each.

    With ``gpus`` each asks for so many GPUs, and these say how many actors there is room for.
    """

    def __init__(
        self,
        kind: type,
        arguments: Sequence[Any] = (),
        *,
        on: str = "ray",
        count: int | None = None,
        threads: int = 1,
        gpus: int = 0,
    ) -> None:
        self._ray = _start(parse_on(on))
        found = self._ray.cluster_resources()
        cores, cards = int(found.get("CPU", 1)), int(found.get("GPU", 0))
        room = min(cores // threads, cards // gpus) if gpus else cores // threads
        if room < (count or 1):
            asked = f"{threads} cores{f' and {gpus} GPU' if gpus else ''}"
            raise KontrastError(
                f"--on {on}: not enough resources for {count or 1} workers of {asked} each: the cluster has "
                f"{cores} cores and {cards} GPUs"
            )
        actor = self._ray.remote(kind).options(
            num_cpus=threads, num_gpus=gpus, max_restarts=-1, max_task_retries=TRIES
        )
        sizes = [len(self._ray.cloudpickle.dumps(each)) for each in arguments]
        # Small ones go with the call; large ones are sent once. They are kept for actors that start again.
        self._arguments = [
            self.put(each) if size > LARGE else each for each, size in zip(arguments, sizes, strict=True)
        ]
        self.all = [actor.remote(*self._arguments) for _ in range(count or room)]

    def put(self, value: Any) -> Any:
        """The value where every worker can read it; sent once."""
        return self._ray.put(value)

    def ask(self, method: str, *arguments: Any) -> Any:
        """What the first worker says."""
        return self._get(getattr(self.all[0], method).remote(*arguments))

    def first_answer(self, method: str, *arguments: Any) -> Any:
        """The same; where that fails, the workers end and their cores and GPUs are free."""
        try:
            return self.ask(method, *arguments)
        except BaseException:
            self.close()
            raise

    def ask_all(self, method: str, *arguments: Any) -> list[Any]:
        return list(self._get([getattr(actor, method).remote(*arguments) for actor in self.all]))

    def map(self, method: str, calls: Iterable[tuple[Any, ...]], *, ordered: bool = True) -> Iterator[Any]:
        """The results of calls, each made by the next worker that is free; calls are read as they are needed."""
        waiting = enumerate(calls)
        idle = [actor for _ in range(QUEUED) for actor in self.all]
        running: dict[Any, tuple[int, Any]] = {}
        ready: dict[int, Any] = {}
        given = started = 0
        more = True
        while True:
            while more and idle and started - given < AHEAD * len(self.all):
                following = next(waiting, None)
                more = following is not None
                if following is not None:
                    actor = idle.pop(0)
                    number, arguments = following
                    running[getattr(actor, method).remote(*arguments)] = number, actor
                    started += 1
            if not running:
                return
            [done], _ = self._ray.wait(list(running), num_returns=1)
            number, actor = running.pop(done)
            idle.append(actor)
            ready[number] = self._get(done)
            while ready and (given in ready or not ordered):
                yield ready.pop(given if ordered else next(iter(ready)))
                given += 1

    def close(self) -> None:
        for actor in self.all:
            self._ray.kill(actor)
        self.all = []

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
            raise KontrastError(f"Ray: {first}; finished work is saved; repeat the command to continue") from error


def _start(address: str | None) -> Any:
    try:
        import ray
    except ImportError as error:
        raise MissingExtraError("ray", "--on ray") from error
    if not ray.is_initialized():
        _refuse_silence(address)
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
            raise KontrastError(
                f"--on ray{':' + address if address else ''}: cannot connect to a cluster ({reason})"
            ) from error
    return ray


def _refuse_silence(address: str | None) -> None:
    """Refuse an address where nothing listens: Ray itself would try for minutes."""
    host, colon, port = (address or "").removeprefix("ray://").rpartition(":")
    if not (colon and host and port.isdecimal()):
        return  # auto, local, or what Ray refuses at once
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECTING).close()
    except (OSError, OverflowError) as error:
        raise KontrastError(f"--on ray:{address}: no cluster answers there ({error})") from error
