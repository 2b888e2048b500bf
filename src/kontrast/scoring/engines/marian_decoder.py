"""Marian's decoder: sources in a file, translations out, prefixes forced from a file beside it."""

from __future__ import annotations

import importlib.util
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from kontrast.errors import KontrastError, MissingExtraError
from kontrast.io.files import write_lines
from kontrast.scoring.decoding import Decoding
from kontrast.scoring.engine import EngineOptions, Group
from kontrast.scoring.translator import Translation
from kontrast.scoring.trie import shared_start

if TYPE_CHECKING:
    from kontrast.scoring.engines.marian import MarianSide

BEAMS = 4
FACTOR = 3
"""A translation may have so many times the pieces of its source: Marian's own limit."""
AT_ONCE = 500


def decode(
    common: Sequence[str],
    sides: tuple[MarianSide, MarianSide],
    rows: Sequence[tuple[str, Group]],
    options: EngineOptions,
    decoding: Decoding,
    done: Collection[int],
) -> Iterator[tuple[int, Translation]]:
    """Translate rendered sources, some hundreds at a time; ``common`` are the arguments that name the model."""
    arguments = [*program_of("decoder", options), *common, *_search(decoding)]
    arguments += ["--no-spm-decode"] if sides[1].raw else []
    for start in range(0, len(rows), AT_ONCE):
        part = rows[start : start + AT_ONCE]
        if all(start + k in done for k in range(len(part))):
            continue
        prefixes = [group.targets[0].prefix.rstrip() for _, group in part]
        lines = _decoded(arguments, [sides[0].line(text) for text, _ in part], [sides[1].line(p) for p in prefixes])
        for k, ((text, _), prefix, line) in enumerate(zip(part, prefixes, lines, strict=True)):
            pieces = line.split(" ") if line else []
            cut = len(pieces) >= FACTOR * (len(sides[0].cut(text)) + 1)
            yield start + k, Translation(_after(pieces, prefix, sides[1]), cut, tuple(pieces))


def _after(pieces: Sequence[str], prefix: str, side: MarianSide) -> str:
    """What was written after the prefix that was forced."""
    given = side.cut(prefix) if prefix else []
    kept = shared_start(given, pieces)
    if kept < len(given):
        raise KontrastError(
            f"marian's decoder did not start with the forced beginning: it cannot write the piece {given[kept]!r} of "
            f"{prefix[-60:]!r}; if that is the separator of the context, choose another one (--scheme)"
        )
    return side.join(pieces[len(given) :]).strip()


def run(arguments: Sequence[str], what: str, *columns: Sequence[str]) -> str:
    """What Marian prints for files with these lines; its own words where it fails."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / str(number) for number in range(len(columns))]
        for file, lines in zip(files, columns, strict=True):
            write_lines(file, lines)
        command = [*arguments, *map(str, files)]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", errors="replace")
    if done.returncode != 0:
        said = [line for text in (done.stderr, done.stdout) for line in text.splitlines() if line.strip()]
        errors = [line.partition("Error: ")[2] for line in said if "Error: " in line]  # without the time
        message = " ".join((errors[:2] or said[-1:]) or ["it gave no message"])[:300]
        raise KontrastError(f"marian's {what} failed (status {done.returncode}): {message}")
    return done.stdout


def _decoded(arguments: Sequence[str], sources: Sequence[str], prefixes: Sequence[str]) -> list[str]:
    forced = any(prefixes)
    columns = (sources, prefixes) if forced else (sources,)
    lines = run([*arguments, *["--force-decode"] * forced, "-i"], "decoder", *columns).split("\n")
    if len(lines) - 1 != len(sources):
        raise KontrastError(f"marian's decoder gave {len(lines) - 1} lines for {len(sources)} sources")
    return lines[:-1]


def _search(decoding: Decoding) -> list[str]:
    if decoding.max_length != Decoding().max_length or decoding.repetition_penalty or decoding.top_p:
        raise KontrastError(
            f"--max-length, --repetition-penalty, --top-p: Marian's decoder does not have these options (it "
            f"writes up to {FACTOR} times "
            "the pieces of the source)"
        )
    words = ["-b", str(decoding.width(BEAMS)), "--max-length-factor", str(FACTOR), "--quiet-translation"]
    words += ["-n", str(1.0 if decoding.length_penalty is None else decoding.length_penalty)]
    if decoding.samples:
        kind = ["topk", str(decoding.top_k)] if decoding.top_k else ["full"]
        words += ["--output-sampling", *kind, str(decoding.temperature), "--seed", str(decoding.seed)]
    return words


def program_of(what: Literal["scorer", "decoder"], options: EngineOptions) -> list[str]:
    """The command that scores or decodes: the user's, pymarian's, or the program on the PATH."""
    given = options.extra.get(what)
    if given is not None:
        return shlex.split(given)
    if importlib.util.find_spec("_pymarian") is not None and "scorer" not in options.extra:
        return [sys.executable, "-m", "pymarian", {"scorer": "score", "decoder": "decode"}[what]]
    program = shutil.which(f"marian-{what}")
    if program is None:
        raise MissingExtraError("marian", f"marian without marian-{what} on the PATH or --option {what}=PATH")
    return [program]
