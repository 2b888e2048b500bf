"""``command:PROGRAM ARGS``: any program that reads rows as TSV and prints one score per line.

A line in is ``source TAB target``, with ``TAB prefix`` where target context is forced (``--option prefix=yes`` says
that the program knows what to do with it). A line out is a negative log-probability, lower is better;
``--option maximize=yes`` for log-probabilities. To translate, a line in is ``source`` (``source TAB prefix``
likewise), a line out the translation.
"""

from __future__ import annotations

import shlex
import subprocess
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import IO

from kontrast.errors import KontrastError
from kontrast.io.files import one_line
from kontrast.scoring.engine import Engine, EngineOptions, Group, Identity, Scored, Supports
from kontrast.scoring.fingerprint import combine
from kontrast.scoring.template import source_template
from kontrast.scoring.translator import Decoding, Translation, Translator, Written, with_decoding
from kontrast.suites.model import TokenScores


class Command(Engine, Translator):
    """Runs the program once for all rows and reads its scores as they come.

    What the program does may change under the same name, so its answers are kept in the store only under a name
    that the user gives: ``--option fingerprint=v3``.
    """

    name = "command"

    def __init__(self, line: str, options: EngineOptions) -> None:
        options.only("command", "maximize", "prefix", "fingerprint")
        extra = options.extra
        try:
            self.model, self.arguments = line, shlex.split(line)
        except ValueError as error:
            raise KontrastError(f"--model command:{line}: cannot be read as a command line ({error})") from error
        if not self.arguments:
            raise KontrastError("--model command: expected a program")
        options.without_examples("a command")
        self.options, self.template = options, source_template(options.template, options)
        self.sign = 1.0 if extra.get("maximize") == "yes" else -1.0
        self.supports = Supports(tokens=False, prefix=extra.get("prefix") == "yes", store="fingerprint" in extra)
        self.details: dict[str, str] = {}

    def identify(self) -> Identity:
        options = self.options
        said = (options.template, options.source_language, options.target_language)
        return Identity(combine(self.name, self.model, sorted(options.extra.items()), said))

    def render(self, group: Group) -> str:
        return self.template.render(group, self.options)

    def score(self, groups: Sequence[Group], done: Collection[int] = ()) -> Iterator[Scored]:
        left = [(index, group) for index, group in enumerate(groups) if index not in done]
        rows = [[self.render(g), t.text, *([t.prefix] if t.prefix else [])] for _, g in left for t in g.targets]
        with self._lines(rows, "score") as lines:
            for index, group in left:
                yield index, tuple(self._number(next(lines), index, target.text) for target in group.targets)

    def identify_translator(self, decoding: Decoding) -> Identity:
        return with_decoding(self.identify(), decoding, 1)

    def translate(self, groups: Sequence[Group], decoding: Decoding, done: Collection[int] = ()) -> Iterator[Written]:
        """The program decides how it searches: options of the search are refused before."""
        if decoding != Decoding(seed=decoding.seed):
            raise KontrastError("--beams, --max-length and other search options: a command has its own options")
        left = [(index, group) for index, group in enumerate(groups) if index not in done]
        rows = [[self.render(group), *[t.prefix for t in group.targets if t.prefix]] for _, group in left]
        with self._lines(rows, "translation") as lines:
            for index, _ in left:
                line = next(lines)
                try:
                    yield index, Translation(line.decode("utf-8").strip(" \t\r\n"))
                except UnicodeDecodeError as error:
                    raise KontrastError(
                        f"command {self.arguments[0]}: expected UTF-8 for source {index + 1} ({error})"
                    ) from error

    @contextmanager
    def _lines(self, rows: Sequence[Sequence[str]], what: str) -> Iterator[Iterator[bytes]]:
        """The program's lines, as many as rows; fewer, more, or a failure at the end are errors."""
        name = self.arguments[0]
        try:
            process = subprocess.Popen(self.arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise KontrastError(f"command {name}: cannot be started ({reason})") from error
        assert process.stdin is not None and process.stdout is not None
        out = process.stdout
        threading.Thread(target=_write, args=(process.stdin, rows), daemon=True).start()

        def lines() -> Iterator[bytes]:
            yield from out
            raise KontrastError(f"command {name} ended (status {process.wait()}) before all rows had a {what}")

        try:
            yield lines()
            if out.readline():
                raise KontrastError(f"command {name} printed more lines than rows")
            if status := process.wait():
                raise KontrastError(f"command {name} failed (status {status}) after its last {what}")
        finally:
            out.close()
            process.kill()
            process.wait()

    def _number(self, line: bytes, index: int, text: str) -> TokenScores:
        number = line.strip()
        try:
            if b"_" in number or not number.isascii():  # float() takes 1_000 and digits of other scripts
                raise ValueError
            value = float(number)
        except ValueError:
            shown = number.decode("utf-8", "backslashreplace")[:40]
            raise KontrastError(
                f"command {self.arguments[0]}: expected a number for source {index + 1}, found {shown!r}"
            ) from None
        return TokenScores((text,), (self.sign * value,))


def _write(stream: IO[bytes], rows: Sequence[Sequence[str]]) -> None:
    try:
        with stream:
            for fields in rows:
                line = "\t".join(map(one_line, fields))
                stream.write(line.encode("utf-8", "surrogatepass") + b"\n")
    except (OSError, ValueError):
        return  # the reader says what went wrong


load = Command
