"""Score files: one number per line in row order, with a signature beside them where kontrast made them.

``NAME`` holds the numbers, ``NAME.json`` says what made them and which direction is better, and
``NAME.tokens.jsonl.gz`` holds the log-probabilities of tokens, a row a line, where the engine gave them. The three
are one unit: the signature has the digests of the other two, and a set that does not fit together is an error.

What must be said of scores that are votes: the signature has the counts, every result tells of them.
"""

import hashlib
import math
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal, Protocol

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.io.files import refuse_input
from kontrast.io.json_input import read_json, read_json_lines, write_json
from kontrast.io.numbers import finite_number
from kontrast.suites.model import Scores, Signature, Stopped, Suite, TokenScores
from kontrast.suites.pearmut import read_annotations
from kontrast.suites.run_logs import read_log, read_samples
from kontrast.suites.subset import Subset, cut_of, cut_scores
from kontrast.suites.testset import testsets

Order = Literal["rows", "original"]
_LOGS: dict[str, tuple[str, Callable[[str, Suite], Scores]]] = {
    "lm-eval:": ("lm-evaluation-harness", read_samples),
    "inspect:": ("Inspect", read_log),
    "pearmut:": ("Pearmut", read_annotations),
}


class _Beside(msgspec.Struct, omit_defaults=True):
    """What is written into ``NAME.json``."""

    system: str
    lower_is_better: bool
    signature: Signature | None = None
    numbers: str | None = None
    """The digest of the numbers."""
    tokens: str | None = None
    """The digest of the file with the tokens, where there is one."""
    unread: tuple[int, ...] | None = None
    """Of votes that could not all be read: how many, row by row."""
    stopped: Stopped | None = None
    """Of scoring that stopped when the question was decided: what was decided, and on how much."""


class HasRows(Protocol):
    """A suite, as far as its score files are concerned."""

    @property
    def name(self) -> str: ...
    @property
    def row_count(self) -> int: ...


def read_scores(
    path: str | Path,
    suite: HasRows | None = None,
    *,
    maximize: bool | None = None,
    tokens: bool = False,
    order: Order | None = None,
) -> Scores:
    """Read a score file (``-``: standard input) and check it against the suite's rows.

    Lower is better unless the signature beside the file, or ``maximize``, says otherwise. ``order`` (or
    ``FILE?order=original``) means that the scores are in the order of the suite's own script, if that is not the
    order of rows. ``lm-eval:FILE`` reads samples that lm-evaluation-harness logged, ``inspect:FILE`` a log
    of Inspect, ``pearmut:FILE`` the annotations of a Pearmut campaign.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "mine.scores"
    >>> _ = file.write_text("1.5\\n2.5\\n")
    >>> read_scores(file).values
    (1.5, 2.5)
    """
    for prefix, (tool, read) in _LOGS.items():
        if str(path).startswith(prefix):
            if not isinstance(suite, Suite):
                raise KontrastError(f"{path}: a log of {tool} can be read only together with its suite")
            if maximize is False:
                raise KontrastError(f"{path}: higher is better in a log of {tool}")
            if not (file := str(path).removeprefix(prefix)):
                raise KontrastError(f"{path}: expected the log of {tool}, as in {prefix}FILE")
            return read(file, suite)
    path, order = _order(path, order)
    text = files.read_text(path)
    values = parse_values(text, path)
    beside = _read_beside(path)
    if beside is not None and beside.stopped is not None and beside.stopped.partial:
        raise InputError(
            path,
            f"it has only part of the rows: score --until decided stopped at {beside.stopped}; for the whole "
            f"suite score again without --until (scored rows are in the store)",
        )
    if suite is not None and len(values) != suite.row_count and cut_of(suite, len(values)) is None:
        part = "; for scores of score --limit N use SUITE?limit=N, for scores of --only the same --only"
        if beside is None:  # they may be any rows, of score --until decided too
            part = "; only the .json file from score says which rows these are"
        part = part if 0 < len(values) < suite.row_count else ""
        raise InputError(
            path,
            f"expected {suite.row_count} scores (one per row of {suite.name}), found {len(values)}{part}",
            line=min(len(values), suite.row_count) + 1,
        )
    if beside is not None and beside.numbers is not None and beside.numbers != _digest(text.encode()):
        raise InputError(
            path,
            f"{Path(path).name}.json belongs to other numbers (a run may have been interrupted): score again, or "
            f"delete {Path(path).name}.json if the numbers are your own",
        )
    lower = beside.lower_is_better if beside else True
    home = testsets().get(getattr(suite, "style", None) or "")
    if order == "original":
        if home is None or home.row_order is None:
            raise KontrastError(f"{path}: its scores are in the order of rows; leave out ?order")
        values, lower = home.row_order(values), False
    elif home is not None and home.row_order is not None and beside is None and order is None:
        told = (
            f"{path} has no signature and is read in the order of rows; if it has the order of the set's own script"
        )
        print(f"kontrast: warning: {told}, use {path}?order=original", file=sys.stderr)
    if maximize is None and beside is None and lower and max(values, default=0.0) < 0:
        told = "every score is negative, and lower is taken as better; for log-probabilities give --maximize"
        print(f"kontrast: warning: {path}: {told}", file=sys.stderr)
    if maximize is not None:
        if beside is not None and lower is maximize:
            raise InputError(
                path,
                f"{Path(path).name}.json says that {'lower' if lower else 'higher'} is better: "
                f"{'leave out --maximize, which' if maximize else 'the direction given'} is for scores without one",
            )
        lower = not maximize
    found = Scores(
        system=beside.system if beside else ("stdin" if str(path) == "-" else Path(path).stem),
        values=values,
        lower_is_better=lower,
        signature=beside.signature if beside else None,
        tokens=_read_tokens(path, len(values), beside) if tokens else None,
        unread=beside.unread if beside else None,
        stopped=beside.stopped if beside else None,
    )
    return cut_scores(found, suite) if isinstance(suite, Subset) else found


def _order(path: str | Path, order: Order | None) -> tuple[str | Path, Order | None]:
    """The file and the order that stands behind its name."""
    bare, mark, given = str(path).rpartition("?order=")
    if not mark or Path(path).exists():
        return path, order
    if given not in ("rows", "original"):
        raise KontrastError(f"{path}: expected ?order=rows or ?order=original")
    return bare, "original" if given == "original" else "rows"


def parse_values(text: str, path: str | Path) -> tuple[float, ...]:
    """The numbers of a score file's text, one a line."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    with suppress(ValueError):
        if text.isascii() and "_" not in text and math.isfinite(sum(values := tuple(map(float, lines)))):
            return values
    return tuple(finite_number(line, path, number) for number, line in enumerate(lines, start=1))


def write_scores(scores: Scores, path: str | Path) -> None:
    """Write the numbers, and in separate files the signature and, if there are any, the tokens.

    The signature is written last and has digests of the others, so an incomplete set of files is refused.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> write_scores(Scores("mine", (1.5, 2.5)), folder / "mine.scores")
    >>> sorted(path.name for path in folder.iterdir())
    ['mine.scores', 'mine.scores.json']
    """
    text = "".join(f"{value!r}\n" for value in scores.values)
    if str(path) == "-":
        with files.writing(path) as out:
            out.write(text)
        return
    tokens, digest = Path(f"{path}.tokens.jsonl.gz"), None
    if scores.tokens is not None:
        encode = msgspec.json.Encoder().encode
        with files.writing(tokens) as out:
            out.writelines(encode(row).decode() + "\n" for row in scores.tokens)
        digest = _digest(tokens.read_bytes())
    with files.writing(path) as out:
        out.write(text)
    signed = scores.system, scores.lower_is_better, scores.signature, _digest(text.encode()), digest
    beside = _Beside(*signed, scores.unread, scores.stopped)
    write_json(f"{path}.json", beside)
    if digest is None:
        tokens.unlink(missing_ok=True)


def check_writable(path: str | Path, *, part: bool = False) -> None:
    """Refuse, before hours of scoring, a place that cannot be written to.

    With ``part``, scores of some rows may come: these need their .json, and never replace scores of the whole suite.
    """
    if part and str(path) == "-":
        raise KontrastError("--until decided: give --out FILE; FILE.json records which part of the suite was scored")
    if part and Path(path).is_file():
        found = _read_beside(path)
        if found is None or found.stopped is None or not found.stopped.partial:
            raise KontrastError(
                f"{path} has scores of the whole suite; --until decided may write a part; use another --out"
            )
    for beside in ("", ".json", ".tokens.jsonl.gz"):
        refuse_input(Path(f"{path}{beside}"))
    if str(path) == "-" or (Path(path).exists() and not Path(path).is_file() and not Path(path).is_dir()):
        return  # a pipe would be opened twice
    with suppress(_TrialEndedError), files.writing(path):
        raise _TrialEndedError


class _TrialEndedError(Exception):
    """Ends a trial of writing: what was there stays."""


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _read_beside(path: str | Path) -> _Beside | None:
    beside = Path(f"{path}.json")
    if str(path) == "-" or not beside.exists():
        return None
    # The scores NAME may lie beside the suite NAME.json: a list, or an object that has nothing of a signature.
    data = files.read_bytes(beside).strip()
    signed = b'"system"' in data[:200] or b'"lower_is_better"' in data  # what is broken may be one
    if not signed and (data[:1], data[-1:]) in ((b"[", b"]"), (b"{", b"}")):
        return None
    return read_json(beside, _Beside, expected="a signature with system and lower_is_better")


def _read_tokens(path: str | Path, rows: int, signed: _Beside | None) -> tuple[TokenScores, ...] | None:
    """The tokens that belong to the numbers. A file that the signature does not know is of an earlier run."""
    beside = Path(f"{path}.tokens.jsonl.gz")
    if str(path) == "-" or (signed is not None and signed.tokens is None and signed.numbers is not None):
        return None
    if not beside.exists():
        if signed is not None and signed.tokens is not None:
            raise InputError(beside, f"it belongs to {Path(path).name} and is missing: score again")
        return None
    if signed is None or signed.tokens != _digest(beside.read_bytes()):
        raise InputError(beside, f"it does not belong to the numbers of {Path(path).name}: score again, or delete it")
    tokens = tuple(row for _, row in read_json_lines(beside, TokenScores, "tokens and log-probabilities"))
    for number, row in enumerate(tokens, start=1):
        if len(row.tokens) != len(row.logprobs):
            message = f"expected as many log-probabilities as tokens ({len(row.tokens)}), found {len(row.logprobs)}"
            raise InputError(beside, message, line=number)
    if len(tokens) != rows:
        raise InputError(beside, f"expected {rows} rows, found {len(tokens)}", line=min(rows, len(tokens)) + 1)
    return tokens


BIAS = "POSITION BIAS"
_LOST = "could not be read"
_FEWEST = 4
_LARGE = 0.9


def position_bias(scores: Scores) -> str | None:
    """What to say where (nearly) all answers name the same position; None where they do not."""
    if place := (scores.signature.details if scores.signature else {}).get("same_place"):
        return (
            f"{BIAS} cannot be detected: the right choice is {place} in every item, so a model that always "
            f"answers {place} has 100%; shuffle the choices and run again"
        )
    first, asked = _counts(scores, "first_named")
    if asked < _FEWEST or max(first, asked - first) < _LARGE * asked:
        return None
    which, often = ("first", first) if 2 * first > asked else ("second", asked - first)
    if often == asked:
        return f"{BIAS}: all {asked} answers name the {which} variant, so the text decides nothing"
    return f"{BIAS}: {often} of {asked} answers name the {which} variant: the text does not decide most pairs"


def is_loud(note: str) -> bool:
    """Does this note stand before the numbers?"""
    return BIAS in note or _LOST in note


def vote_notes(scores: Scores) -> tuple[str, ...]:
    """A position bias first, then answers that could not be read."""
    bias, (lost, asked) = position_bias(scores), _counts(scores, "unread")
    judged = scores.signature is not None and scores.signature.details.get("mode") == "judge"
    counts = "a probability of a half" if judged else "half for each side"
    told = f"{lost} of {asked} answers {_LOST}: such an answer counts {counts}"
    return (*([bias] if bias else []), *([told] if lost else []))


def _counts(scores: Scores, detail: str) -> tuple[int, int]:
    """(of these, all) from ``details``; zeros where it is not there."""
    some, _, whole = (scores.signature.details if scores.signature else {}).get(detail, "").partition("/")
    return (int(some), int(whole)) if some.isdecimal() and whole.isdecimal() else (0, 0)
