"""lttoolbox's ``lt-proc`` as a program that stays open: an automaton is loaded once, not for every word."""

from __future__ import annotations

import select
import subprocess
import weakref
from pathlib import Path

from kontrast.errors import KontrastError

LONGEST = 120
"""Seconds that the program may take for one batch."""
SOON = 5
"""Seconds after which a program that has not answered yet is asked again on its own: is its automaton broken?"""
BATCH = 32_000
"""Bytes that are written before the answer is read: fewer than a pipe holds, so that writing never waits."""


class Transducer:
    """A line out for each line in. The program starts with the first question and ends with this object."""

    def __init__(self, mode: str, automaton: Path) -> None:
        self.mode, self.automaton = mode, automaton
        self._command = ["lt-proc", "-z", mode, str(automaton)]
        self._process: subprocess.Popen[bytes] | None = None
        self._answered = False

    def ask(self, lines: list[str]) -> list[str]:
        found: list[str] = []
        batch: list[bytes] = []
        size = 0
        for line in lines:
            raw = line.replace("\0", " ").encode() + b"\n"
            if batch and size + len(raw) > BATCH:
                found += self._answer(batch)
                batch, size = [], 0
            batch.append(raw)
            size += len(raw)
        return found + self._answer(batch) if batch else found

    def _answer(self, batch: list[bytes]) -> list[str]:
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        answer = b""
        try:
            process.stdin.write(b"".join(batch) + b"\0")
            process.stdin.flush()
            while not answer.endswith(b"\0"):
                if not select.select([process.stdout], [], [], SOON if not self._answered else LONGEST)[0]:
                    if self._answered or self._is_broken():
                        raise self._failed("no answer: is the file whole?")
                    self._answered = True
                    continue
                part = process.stdout.read1(1 << 16)  # type: ignore[attr-defined]
                if not part:
                    raise self._failed("the program ended")
                answer += part
        except OSError as error:
            raise self._failed(str(error)) from error
        self._answered = True
        found = answer[:-1].decode("utf-8", "replace").split("\n")
        if len(found) < len(batch):
            raise self._failed(f"expected {len(batch)} lines, found {len(found)}")
        return found[: len(batch)]

    def _is_broken(self) -> bool:
        """Whether the program gives no answer either where its input ends: with half a file it says nothing."""
        try:
            done = subprocess.run(
                self._command, input=b"a\n\0", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=LONGEST
            )
        except (OSError, subprocess.TimeoutExpired):
            return True
        return b"\0" not in done.stdout

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            try:
                self._process = subprocess.Popen(
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                )
            except OSError as error:
                raise self._failed(str(error)) from error
            weakref.finalize(self, _end, self._process)
        return self._process

    def _failed(self, why: str) -> KontrastError:
        return KontrastError(f"lt-proc {self.mode} {self.automaton.name} failed ({why})")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.communicate()
