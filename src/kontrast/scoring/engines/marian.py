"""``marian:MODEL.npz``: Marian models through the ``marian-scorer`` program.

Vocabularies are given as ``--option vocabs=SRC.spm,TRG.spm`` (text is passed as it is: use the SentencePiece models),
the program as ``--option scorer=PATH``, further arguments as ``--option args="--cpu-threads 2"``. It prints sums, so
there are no scores per token.
"""

from __future__ import annotations

import hashlib
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from kontrast.errors import InputError, KontrastError
from kontrast.scoring.engine import EngineOptions, Group, Supports
from kontrast.suites.files import write_lines
from kontrast.suites.model import TokenScores

__all__ = ["MarianScorer", "load"]

_GROUPS_AT_ONCE = 2000


class MarianScorer:
    """Writes sources and targets into files, runs the scorer on them, reads a log-probability per line."""

    name = "marian"

    def __init__(self, model: str, options: EngineOptions) -> None:
        path = Path(model)
        if not path.is_file():
            raise InputError(model, "expected a Marian model (.npz or .bin)")
        vocabs = [name for name in options.extra.get("vocabs", "").split(",") if name]
        if len(vocabs) != 2:
            raise KontrastError("marian: give both vocabularies as --option vocabs=SOURCE,TARGET")
        program = options.extra.get("scorer") or shutil.which("marian-scorer")
        if program is None:
            raise KontrastError("marian: the program marian-scorer is not on the PATH; give --option scorer=PATH")
        self.model = model
        self.arguments = [program, "-m", model, "-v", *vocabs, "--quiet", *shlex.split(options.extra.get("args", ""))]
        stamp = path.stat()
        said = f"{path.resolve()}\0{stamp.st_size}\0{stamp.st_mtime_ns}\0{self.arguments[3:]}"
        self.fingerprint = hashlib.sha256(said.encode()).hexdigest()
        self.supports = Supports(tokens=False, prefix=False)
        self.details: dict[str, str] = {}

    def render(self, group: Group) -> str:
        return group.source

    def prepare(self, groups: Sequence[Group]) -> None:
        return None

    def score(self, groups: Sequence[Group]) -> Iterator[tuple[int, tuple[TokenScores, ...]]]:
        for start in range(0, len(groups), _GROUPS_AT_ONCE):
            part = groups[start : start + _GROUPS_AT_ONCE]
            values = iter(self._run([(group.source, target.text) for group in part for target in group.targets]))
            for index, group in enumerate(part, start=start):
                yield index, tuple(TokenScores((target.text,), (next(values),)) for target in group.targets)

    def close(self) -> None:
        return None

    def _run(self, pairs: list[tuple[str, str]]) -> list[float]:
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder) / "source", Path(folder) / "target"
            write_lines(source, [" ".join(text.split()) for text, _ in pairs])
            write_lines(target, [" ".join(text.split()) for _, text in pairs])
            done = subprocess.run(
                [*self.arguments, "-t", str(source), str(target)], capture_output=True, text=True, encoding="utf-8"
            )
        if done.returncode != 0:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise KontrastError(f"marian-scorer failed (status {done.returncode}): {last}")
        try:
            values = [float(line.split()[0]) for line in done.stdout.splitlines() if line.strip()]
        except ValueError as error:
            raise KontrastError(f"marian-scorer: expected a number per line ({error})") from error
        if len(values) != len(pairs):
            raise KontrastError(f"marian-scorer gave {len(values)} scores for {len(pairs)} rows")
        return values


def load(name: str, options: EngineOptions) -> MarianScorer:
    """The engine for one Marian model."""
    options.only("marian", "vocabs", "scorer", "args")
    return MarianScorer(name, options)
