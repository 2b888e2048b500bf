"""Systems from the command line: ``a.scores``, ``a.verdicts``, ``a.de``, ``-``, or ``NAME=seed1.scores,…``.

Translations have a line per item; where `translate` wrote them, of the suite that they were made on.
"""

from __future__ import annotations

import hashlib
import itertools
import re
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.judging.signatures import check_made_on
from kontrast.judging.written import is_verdicts, read_verdicts
from kontrast.suites.model import Scores, Signature, Suite
from kontrast.suites.scores import read_scores
from kontrast.suites.subset import cut_of
from kontrast.suites.testset import testsets

System = Scores | tuple[str, Sequence[Scores]]
"""One system: its scores, or a name and the scores of its seeds or checkpoints."""


def read_named(argument: str, suite: Suite, *, maximize: bool | None = None, tokens: bool = False) -> System:
    """A system as the command line names it, checked against the suite's rows."""
    name, equals, files = argument.partition("=")
    if not equals or "?" in name or Path(argument).exists():  # FILE?order=original is no name
        return read_system(argument, suite, maximize=maximize, tokens=tokens)
    paths = [path for path in files.split(",") if path]
    if not name or not paths:
        raise KontrastError(f"{argument!r}: expected NAME=FILE or NAME=FILE,FILE,…")
    several = [read_system(path, suite, maximize=maximize, tokens=tokens) for path in paths]
    # One file under a name is that system; a name is what the user wants to see.
    return _renamed(several[0], name) if len(several) == 1 else (name, several)


def read_system(path: str | Path, suite: Suite, *, maximize: bool | None = None, tokens: bool = False) -> Scores:
    """A system's scores; or its translations, or the verdicts that `kontrast check --items` wrote on them."""
    if is_verdicts(path):
        return read_verdicts(path, suite)
    if not is_text(path):
        return read_scores(path, suite, maximize=maximize, tokens=tokens)
    from kontrast.judging.check import judge_translations

    try:
        lines = read_translations(path, suite)
    except InputError as error:
        found = repr(files.first_line(path).strip()[:40])
        told = f"is neither scores (a number for each of {suite.row_count} rows) nor translations (a line for each of"
        message = f"{told} {len(suite.items)} items) of {suite.name}; its first line is {found}"
        raise InputError(path, message) from error
    return judge_translations(suite, lines, system=written_by(path))


def system_name(system: System) -> str:
    """What its owner calls it."""
    return system.system if isinstance(system, Scores) else system[0]


def runs_of(system: System) -> tuple[Scores, ...]:
    """The scores of a system, one or several."""
    return (system,) if isinstance(system, Scores) else tuple(system[1])


def single_systems(systems: Sequence[System]) -> list[Scores]:
    """The systems, each of which must be one file."""
    for system in systems:
        if not isinstance(system, Scores):
            raise KontrastError(f"{system[0]}: expected one score file per system, found {len(system[1])}")
    return [system for system in systems if isinstance(system, Scores)]


def names_of(systems: Sequence[System]) -> list[str]:
    """What to call each: its name, and its context where that alone tells two of one name apart."""
    names = list(map(system_name, systems))
    contexts = [s.signature.context if isinstance(s, Scores) and s.signature else None for s in systems]
    full = [
        f"{name} ({context})" if context is not None and names.count(name) > 1 else name
        for name, context in zip(names, contexts, strict=True)
    ]
    return full if len(set(full)) == len(full) else distinct(names)


def named(names: Sequence[str], given: str) -> str:
    """The system that is meant: its name, the part of it that no other has, or its score file."""
    stem = Path(given).stem if "." in given else given
    for fits in (
        lambda name: name == given,
        lambda name: name == stem,
        lambda name: name.lower() == given.lower(),
        lambda name: given.lower() in (part.strip("() ").lower() for part in name.split("(")),
        lambda name: name.lower().startswith(given.lower()),
        lambda name: given.lower() in name.lower(),
    ):
        found = [name for name in names if fits(name)]
        if len(found) == 1:
            return found[0]
    raise KontrastError(f"there is no system {given!r} among these: {', '.join(names)}")


def named_by_file(systems: Sequence[System], given: Sequence[object]) -> list[System]:
    """Where two systems have one name, the names of their files, if these tell all of them apart."""
    names = list(map(system_name, systems))
    files_ = [_stem(each) for each in given]
    if len(set(names)) == len(names) or len(files_) != len(systems):
        return list(systems)
    called = [
        file if file and names.count(name) > 1 and isinstance(system, Scores) else name
        for system, name, file in zip(systems, names, files_, strict=True)
    ]
    if len(set(called)) < len(called):
        return list(systems)
    return [
        _renamed(system, name) if isinstance(system, Scores) else system
        for system, name in zip(systems, called, strict=True)
    ]


def _stem(given: object) -> str:
    """The name of a file as its owner chose it; nothing for what has a name already, or for standard input."""
    if not isinstance(given, str | Path) or str(given) == "-" or ("=" in str(given) and "?" not in str(given)):
        return ""
    return Path(str(given).partition("?")[0]).stem


def distinct(names: Sequence[str]) -> list[str]:
    """Names to print, numbered where files of the same name stand in different folders."""
    return [
        name if names.count(name) == 1 else f"{name}#{names[: i + 1].count(name)}" for i, name in enumerate(names)
    ]


def _renamed(scores: Scores, name: str) -> Scores:
    return msgspec.structs.replace(scores, system=name)


T = TypeVar("T")
_PIECES = re.compile(r"@@(?: |$)|▁")


class _Named(msgspec.Struct):
    """The name beside the lines."""

    system: str


class _MadeBy(msgspec.Struct):
    """What `translate` writes beside the lines, as far as it matters here."""

    signature: Signature
    translations: str
    """The digest of the lines."""


def read_translations(path: str | Path, suite: Suite, *, allow: Collection[str] | None = None) -> list[str]:
    """Read one line per item; from a file with one line per row the lines of the correct variants are used.

    Lines that `translate` wrote for another suite, or for other items of this one, are refused. A warning appears if
    the file was changed after `translate` wrote it, or has subword pieces instead of words.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "system.de"
    >>> _ = file.write_text("Ein Hund.\\n")
    >>> from kontrast import Item, Variant
    >>> read_translations(file, Suite("tiny", (Item("1", "A dog.", (Variant("Ein Hund."), Variant("Eine Hund."))),)))
    ['Ein Hund.']
    """
    lines = [line for each in _companions(path, suite) for line in _own_lines(each, suite, allow)]
    if pieces := sum(_PIECES.search(line) is not None for line in lines):
        told = f"{pieces:,} of {len(lines):,} lines have marks of subword pieces (@@ or ▁)"
        print(f"kontrast: warning: {path}: {told}: pieces count as words; join them first", file=sys.stderr)
    if (cut := cut_of(suite, len(lines), "item_count")) is not None:
        return [lines[i] for i in cut.items]
    if len(lines) == suite.row_count and suite.row_count != len(suite.items):
        taken = [line for row, line in zip(suite.rows(), lines, strict=True) if row.variant_index == row.item.correct]
        told = f"{len(lines):,} lines for {len(suite.items):,} items: read as one line per row"
        print(f"kontrast: warning: {path}: {told}, the lines of the correct variants are used", file=sys.stderr)
        return taken
    if len(lines) != len(suite.items):
        part = (
            "; for translations of translate --limit N use SUITE?limit=N" if 0 < len(lines) < len(suite.items) else ""
        )
        raise InputError(
            path,
            f"expected {len(suite.items)} translations (one per item of {suite.name}), found {len(lines)}{part}",
            line=min(len(lines), len(suite.items)) + 1,
        )
    return lines


def written_by(path: str | Path) -> str:
    """The name of the system: the one that `translate --name` wrote beside the lines, else the file's."""
    if str(path) == "-":
        return "stdin"
    named = _beside(path, _Named)
    return named.system if named else Path(path).name


def is_text(path: str | Path, most: int = 50) -> bool:
    """Is this a file of sentences? A file of scores has numbers, or lines that are meant to be numbers (1,5)."""
    if str(path) == "-" or not Path(path).is_file():
        return False
    lines = [line.strip() for line in itertools.islice(files.open_lines(path), most)]
    filled = [line for line in lines if line]
    return sum(map(_is_number, filled)) < 0.5 * len(filled)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return not any(map(str.isalpha, text))
    return True


def _own_lines(path: str | Path, suite: Suite, allow: Collection[str] | None) -> list[str]:
    lines = list(files.read_lines(path))
    cut = cut_of(suite, len(lines), "item_count")
    if (cut or len(lines) in (len(suite.items), suite.row_count)) and (
        found := signature_beside(path, lines)
    ) is not None:
        if cut is not None and found.fingerprint == cut.fingerprint:
            return lines
        check_made_on(suite, str(path), found, "translated", allow)
    return lines


def signature_beside(path: str | Path, lines: Sequence[str] | None = None) -> Signature | None:
    """What `translate` says of its lines in the file beside them, if they are still those."""
    if (made := _beside(path, _MadeBy)) is None:
        return None
    if _digest(lines if lines is not None else list(files.read_lines(path))) == made.translations:
        return made.signature
    if lines is not None:
        told = f"{Path(path).name}.json belongs to other lines"
        print(f"kontrast: warning: {path}: {told}: its system and suite are ignored", file=sys.stderr)
    return None


def _digest(lines: Sequence[str]) -> str:
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def _beside(path: str | Path, kind: type[T]) -> T | None:
    if str(path) == "-":
        return None
    try:
        return msgspec.json.decode(Path(f"{path}.json").read_bytes(), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, OSError):
        return None


def _companions(path: str | Path, suite: Suite) -> Sequence[str | Path]:
    """The files that belong to one system, where the suite's set says that there are several."""
    home = testsets().get(suite.style or "")
    find = getattr(home.parts(), "companions", None) if home is not None and home.check else None
    return [path] if find is None or str(path) == "-" else list(find(suite, Path(path)))
