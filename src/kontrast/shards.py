"""Long work in shards: cut the same way wherever it runs, finished ones kept, so that a run that was killed goes on.

A shard has an id and holds a share of the input. A local run takes the shards in order; processes or a Ray cluster
take several at once and give the results back in the same order.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from kontrast import __version__
from kontrast.errors import InputError, KontrastError

T = TypeVar("T")
R = TypeVar("R")
Shard = tuple[str, T]


def numbered(rows: Iterable[T], size: int) -> Iterator[Shard[tuple[int, list[T]]]]:
    """Shards of ``size`` rows: (id, (number of the first row, rows)).

    >>> list(numbered("abc", 2))
    [('1-2', (1, ['a', 'b'])), ('3-3', (3, ['c']))]
    """
    waiting, first = iter(rows), 1
    while share := list(islice(waiting, size)):
        yield f"{first}-{first + len(share) - 1}", (first, share)
        first += len(share)


def in_order(
    work: Callable[[T], R],
    shards: Iterable[T],
    *,
    jobs: int = 1,
    on: str | None = None,
    workers: int | None = None,
) -> Iterator[R]:
    """``map`` in this process, in ``jobs`` processes, or on a Ray cluster; shards are read as they are needed.

    >>> list(in_order(str.upper, ["a", "b"]))
    ['A', 'B']
    """
    if on is not None:
        from kontrast.cluster import Actors, Runner

        with closing(Actors(Runner, [work], on=on, count=workers)) as actors:
            yield from actors.map("run", ((shard,) for shard in shards))
    elif jobs > 1:
        yield from _in_processes(work, iter(shards), jobs)
    else:
        yield from map(work, shards)


def _in_processes(work: Callable[[T], R], shards: Iterator[T], jobs: int) -> Iterator[R]:
    from concurrent.futures import Future, ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import current_process, get_context

    if getattr(current_process(), "_inheriting", False):  # a started process reads the script that started it
        raise KontrastError(
            f'jobs={jobs} starts processes: in a script, put the call under `if __name__ == "__main__":`'
        )
    # Forked workers would share locks of threads that the parent's libraries have started.
    try:
        with ProcessPoolExecutor(
            jobs, mp_context=get_context("spawn"), initializer=_end_with, initargs=(os.getpid(),)
        ) as pool:
            running: deque[Future[R]] = deque(pool.submit(work, shard) for shard in islice(shards, 2 * jobs))
            while running:
                result = running.popleft().result()
                running.extend(pool.submit(work, shard) for shard in islice(shards, 1))
                yield result
    except BrokenProcessPool as error:
        raise KontrastError(f"one of {jobs} processes ended early; try jobs=1") from error


def _end_with(parent: int) -> None:
    """Ends this worker when the process that started it was killed: else it would wait for work for ever."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class Repeatable(Generic[T]):
    """What can be walked through several times and is made anew each time, with a known length."""

    def __init__(self, make: Callable[[], Iterator[T]], count: int) -> None:
        self._make, self._count = make, count

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[T]:
        return self._make()


def digest_of(paths: Iterable[str | Path]) -> str:
    """Of the bytes of files, packed as they are, and of their names."""
    from kontrast.io.unpacking import archive_of

    digest = hashlib.blake2b(digest_size=16)
    for path in map(Path, paths):
        try:
            with open(archive_of(path) or path, "rb") as stream:
                inner = hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16)).digest()
        except (OSError, ValueError) as error:
            raise InputError(path, f"cannot be opened ({getattr(error, 'strerror', None) or error})") from error
        digest.update(path.name.encode(errors="replace") + b"\0" + inner)
    return digest.hexdigest()


class _Head(msgspec.Struct):
    kontrast: str
    facts: dict[str, Any]


class _Line(msgspec.Struct):
    shard: str
    start: int
    size: int
    checksum: str


class Parts:
    """The results of finished shards: ``parts`` holds their bytes, ``manifest`` a line with a checksum for each.

    It is opened by `keeping`. A result that is damaged or cut off is made again.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lines: dict[str, _Line] = {}
        self._order: list[str] = []
        self._ended = False

    @property
    def resumable(self) -> bool:
        """Has a run that ends with an error left something to go on behind?"""
        return bool(self._lines) and not self._ended

    def end(self) -> None:
        """All is done, whatever comes of it: an error from now on leaves nothing to go on behind."""
        self._ended = True

    def fill(self, shards: Iterable[Shard[T]], run: Callable[[Iterable[T]], Iterator[bytes]]) -> Iterator[bytes]:
        """Yield the result of every shard in order; ``run`` makes those that are missing, also in order."""
        missing: deque[str] = deque()
        asked: deque[str] = deque()

        def todo() -> Iterator[T]:
            for name, content in shards:
                asked.append(name)
                if name not in self._lines:
                    missing.append(name)
                    yield content

        with open(self.folder / "parts", "ab") as parts, open(self.folder / "manifest", "ab") as manifest:
            for result in run(todo()):
                name = missing.popleft()
                while asked[0] != name:
                    yield self._known(asked.popleft())
                self._keep(name, result, parts, manifest)
                asked.popleft()
                self._order.append(name)
                yield result
        while asked:
            yield self._known(asked.popleft())

    def __iter__(self) -> Iterator[bytes]:
        """The results again, in order."""
        return map(self._read, list(self._order))

    def _known(self, name: str) -> bytes:
        self._order.append(name)
        return self._read(name)

    def _read(self, name: str) -> bytes:
        line = self._lines[name]
        with open(self.folder / "parts", "rb") as parts:
            parts.seek(line.start)
            return parts.read(line.size)

    def _keep(self, name: str, result: bytes, parts: Any, manifest: Any) -> None:
        line = _Line(name, parts.tell(), len(result), _checksum(result))
        try:
            parts.write(result)
            parts.flush()
            manifest.write(msgspec.json.encode(line) + b"\n")
            manifest.flush()
        except OSError as error:
            raise InputError(self.folder, f"cannot be written ({error.strerror or error})") from error
        self._lines[name] = line

    def load(self, facts: Mapping[str, Any]) -> None:
        """Take what an earlier run has finished; a run with other options or input is refused."""
        head = _Head(__version__, msgspec.json.decode(msgspec.json.encode(dict(facts))))
        manifest, parts = self.folder / "manifest", self.folder / "parts"
        lines = manifest.read_bytes().split(b"\n") if manifest.exists() else [b""]
        try:
            found = msgspec.json.decode(lines[0], type=_Head)
        except (msgspec.DecodeError, RecursionError):  # new, or killed before its first line was whole
            manifest.write_bytes(msgspec.json.encode(head) + b"\n")
            parts.write_bytes(b"")
            return
        if found != head:
            names = sorted({*found.facts, *head.facts})
            other = [name for name in names if found.facts.get(name) != head.facts.get(name)] or ["version"]
            raise InputError(
                self.folder,
                f"this folder has an unfinished run with other {', '.join(other)}: use the same settings to "
                f"finish it, or delete this folder to start again",
            )
        if lines[-1]:  # cut off by a kill
            manifest.write_bytes(b"\n".join(lines[:-1]) + b"\n")
        with open(parts, "rb") as stream:
            for raw in lines[1:-1]:
                try:
                    line = msgspec.json.decode(raw, type=_Line)
                except (msgspec.DecodeError, RecursionError):
                    continue
                stream.seek(line.start)
                if _checksum(stream.read(line.size)) == line.checksum:
                    self._lines[line.shard] = line


@contextmanager
def keeping(folder: str | Path, facts: Mapping[str, Any]) -> Iterator[Parts]:
    """`Parts` in a folder that is there until the work is done; ``facts`` are all that the results depend on.

    A run that was killed leaves it, and one that ends with an error where shards are finished and others are not.

    >>> import tempfile
    >>> with keeping(f"{tempfile.mkdtemp()}/work", {"seed": 1}) as parts:
    ...     list(parts.fill(numbered("abc", 2), lambda todo: (bytes(str(shard), "ascii") for shard in todo)))
    [b"(1, ['a', 'b'])", b"(3, ['c'])"]
    """
    import fcntl  # not on Windows

    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / "lock", "w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise KontrastError(f"{folder}: another run is using this folder") from None
            made = Parts(folder)
            made.load(facts)
            try:
                yield made
            except KontrastError:
                if not made.resumable:
                    shutil.rmtree(folder, ignore_errors=True)
                raise
    except PermissionError as error:
        raise InputError(folder, f"cannot be written ({error.strerror or error})") from error
    shutil.rmtree(folder, ignore_errors=True)


def _checksum(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()
