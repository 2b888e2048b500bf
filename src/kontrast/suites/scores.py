"""Score files: one number per line in row order, with a signature beside them where kontrast made them.

``NAME`` holds the numbers, ``NAME.json`` says what made them and which direction is better, and
``NAME.tokens.jsonl.gz`` holds the log-probabilities of tokens, a row a line, where the engine gave them.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Protocol

import msgspec

from kontrast.errors import InputError
from kontrast.io import files
from kontrast.io.json_input import decode, read_json, write_json
from kontrast.suites.model import Scores, Signature, TokenScores

__all__ = ["read_scores", "write_scores"]


class _Beside(msgspec.Struct, omit_defaults=True):
    """What is written into ``NAME.json``."""

    system: str
    lower_is_better: bool
    signature: Signature | None = None


class HasRows(Protocol):
    """A suite, as far as its score files are concerned."""

    @property
    def name(self) -> str: ...
    @property
    def row_count(self) -> int: ...


def read_scores(
    path: str | Path, suite: HasRows | None = None, *, maximize: bool | None = None, tokens: bool = False
) -> Scores:
    """Read a score file (``-``: standard input) and check it against the suite's rows.

    Lower is better unless the signature beside the file, or ``maximize``, says otherwise.
    """
    values = parse_values(files.read_text(path), path)
    if suite is not None and len(values) != suite.row_count:
        raise InputError(
            path,
            f"expected {suite.row_count} scores (one per row of {suite.name}), found {len(values)}",
            line=min(len(values), suite.row_count) + 1,
        )
    beside = _read_beside(path)
    lower = beside.lower_is_better if beside else True
    if maximize is not None:
        lower = not maximize
    return Scores(
        system=beside.system if beside else ("stdin" if str(path) == "-" else Path(path).stem),
        values=values,
        lower_is_better=lower,
        signature=beside.signature if beside else None,
        tokens=_read_tokens(path, len(values)) if tokens else None,
    )


def parse_values(text: str, path: str | Path) -> tuple[float, ...]:
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    try:
        if not text.isascii() or "_" in text:
            raise ValueError  # float() takes 1_000 and digits of other scripts; a score file has none
        values = tuple(map(float, lines))
    except ValueError:
        number, line = next((n, line) for n, line in enumerate(lines, start=1) if not _is_number(line))
        found = repr(line.strip()[:40]) if line.strip() else "a blank line"
        raise InputError(path, f"expected a number, found {found}", line=number) from None
    if not math.isfinite(sum(values)):
        for number, value in enumerate(values, start=1):
            if not math.isfinite(value):
                raise InputError(path, f"expected a finite number, found {value}", line=number)
    return values


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text.isascii() and "_" not in text


def write_scores(scores: Scores, path: str | Path) -> None:
    """Write the numbers, and beside them the signature and, where there are any, the tokens."""
    with files.writing(path) as out:
        out.writelines(f"{value!r}\n" for value in scores.values)
    if str(path) == "-":
        return
    beside = _Beside(scores.system, scores.lower_is_better, scores.signature)
    write_json(f"{path}.json", beside)
    if scores.tokens is not None:
        encode = msgspec.json.Encoder().encode
        with files.writing(f"{path}.tokens.jsonl.gz") as out:
            out.writelines(encode(row).decode() + "\n" for row in scores.tokens)


def _read_beside(path: str | Path) -> _Beside | None:
    beside = Path(f"{path}.json")
    if str(path) == "-" or not beside.exists():
        return None
    return read_json(beside, _Beside, expected="a signature with system and lower_is_better")


def _read_tokens(path: str | Path, rows: int) -> tuple[TokenScores, ...] | None:
    beside = Path(f"{path}.tokens.jsonl.gz")
    if str(path) == "-" or not beside.exists():
        return None
    decoder = msgspec.json.Decoder(TokenScores)
    tokens = tuple(
        decode(decoder, line, beside, number, "tokens and log-probabilities")
        for number, line in enumerate(files.open_lines(beside), start=1)
    )
    for number, row in enumerate(tokens, start=1):
        if len(row.tokens) != len(row.logprobs):
            message = f"expected as many log-probabilities as tokens ({len(row.tokens)}), found {len(row.logprobs)}"
            raise InputError(beside, message, line=number)
    if len(tokens) != rows:
        raise InputError(beside, f"expected {rows} rows, found {len(tokens)}", line=min(rows, len(tokens)) + 1)
    return tokens
