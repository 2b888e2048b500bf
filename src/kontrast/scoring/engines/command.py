"""``command:PROGRAM ARGS``: any program that reads rows as TSV and prints one score per line.

A line in is ``source TAB target``, with ``TAB prefix`` where target context is forced (``--option prefix=yes`` says
that the program knows what to do with it). A line out is a negative log-probability, lower is better;
``--option maximize=yes`` for log-probabilities.
"""

from __future__ import annotations

import hashlib
import shlex
import subprocess
import threading
from collections.abc import Iterator, Sequence
from typing import IO

from kontrast.errors import KontrastError
from kontrast.scoring.engine import EngineOptions, Group, Supports
from kontrast.suites.model import TokenScores

__all__ = ["Command", "load"]


class Command:
    """Runs the program once for all rows and reads its scores as they come.

    What the program does may change under the same name, so its answers are kept in the store only under a name
    that the user gives: ``--option fingerprint=v3``.
    """

    name = "command"

    def __init__(self, line: str, options: EngineOptions) -> None:
        extra = options.extra
        self.model, self.arguments = line, shlex.split(line)
        self.sign = 1.0 if extra.get("maximize") == "yes" else -1.0
        self.fingerprint = hashlib.sha256(f"{line}\0{extra.get('fingerprint', '')}\0{self.sign}".encode()).hexdigest()
        self.supports = Supports(tokens=False, prefix=extra.get("prefix") == "yes", store="fingerprint" in extra)
        self.details: dict[str, str] = {}

    def render(self, group: Group) -> str:
        return group.source

    def prepare(self, groups: Sequence[Group]) -> None:
        return None

    def score(self, groups: Sequence[Group]) -> Iterator[tuple[int, tuple[TokenScores, ...]]]:
        try:
            process = subprocess.Popen(
                self.arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
            )
        except OSError as error:
            raise KontrastError(f"command {self.arguments[0]}: cannot be started ({error.strerror})") from error
        assert process.stdin is not None and process.stdout is not None
        writer = threading.Thread(target=_write, args=(process.stdin, groups), daemon=True)
        writer.start()
        try:
            for index, group in enumerate(groups):
                rows = [self._read(process, process.stdout, index, target.text) for target in group.targets]
                yield index, tuple(rows)
            if process.stdout.readline():
                raise KontrastError(f"command {self.arguments[0]} printed more lines than rows")
        finally:
            process.stdout.close()
            process.kill()
            process.wait()

    def close(self) -> None:
        return None

    def _read(self, process: subprocess.Popen[str], out: IO[str], index: int, text: str) -> TokenScores:
        line = out.readline()
        if not line:
            status = process.wait()
            raise KontrastError(f"command {self.arguments[0]} ended (status {status}) before all rows had a score")
        try:
            value = float(line)
        except ValueError:
            raise KontrastError(
                f"command {self.arguments[0]}: expected a number for source {index + 1}, found {line.strip()[:40]!r}"
            ) from None
        return TokenScores((text,), (self.sign * value,))


def _write(stream: IO[str], groups: Sequence[Group]) -> None:
    try:
        with stream:
            for group in groups:
                for target in group.targets:
                    fields = [group.source, target.text, *([target.prefix] if target.prefix else [])]
                    stream.write("\t".join(" ".join(field.split()) for field in fields) + "\n")
    except (BrokenPipeError, ValueError):
        return  # the reader says what went wrong


def load(name: str, options: EngineOptions) -> Command:
    """The engine for one program."""
    options.only("command", "maximize", "prefix", "fingerprint")
    return Command(name, options)
