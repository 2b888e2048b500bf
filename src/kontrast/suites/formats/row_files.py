"""Which files make up a set of rows: found beside a prefix, in a folder, or named one by one.

A suite as rows: the lines of every file, by its name.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.suites.formats.format import Lost
from kontrast.suites.formats.loss import losses
from kontrast.suites.model import Item, Suite, Variant

GROUPS = "group_starts.txt"


@dataclass(frozen=True)
class RowFiles:
    """A line file per side, their context files, and how rows form items where the layout says so."""

    source: Path
    target: Path
    source_context: Path | None = None
    target_context: Path | None = None
    group: str | None = None
    source_language: str | None = None
    target_language: str | None = None


@dataclass(frozen=True)
class _Pattern:
    """Endings of one tool's files; ``{}`` stands for a language, ``{n}`` for the number of context lines."""

    rows: tuple[str, str]
    contexts: tuple[tuple[str, str], ...] = ()
    group: str | None = None


_NUMBERED = ("c{n}.context.src", "c{n}.context.trg")
_PATTERNS = (
    _Pattern(("current.src", "current.trg"), (_NUMBERED, ("context.src", "context.trg")), group="2"),
    _Pattern(("src", "trg"), (_NUMBERED, ("context.src", "context.trg"))),
    _Pattern(("src", "dst")),
    _Pattern(("text.{}", "text.{}"), (("context.{}", "context.{}"),)),
    _Pattern(("current.{}", "current.{}"), (("prev.{}", "prev.{}"),), group="2"),
    _Pattern(("{}", "{}")),
)


def find_row_files(
    path: Path, context: int | None = None, source_language: str | None = None, target_language: str | None = None
) -> RowFiles | None:
    """The files that belong to ``path``: a prefix, one of the two row files, or a folder with one set of rows."""
    if path.is_dir():
        names = [file.name for file in path.iterdir() if not re.search(r"\.(context|prev)\.[a-z]+$", file.name)]
        prefixes = sorted({prefix for name in names for prefix in list(_prefixes(name))[:1]})
        sets = {f.source: f for p in prefixes if (f := _at(path / p, context, source_language, target_language))}
        if len(sets) > 1:
            several = ", ".join(sorted(file.name for file in sets))
            raise InputError(path, f"expected one set of rows, found several ({several}); give a prefix")
        return next(iter(sets.values()), None)
    if path.is_file():
        for prefix in _prefixes(path.name):
            found = _at(path.with_name(prefix), context, source_language, target_language)
            if found and path in (found.source, found.target):
                return found
        return None
    return _at(path, context, source_language, target_language)


def _prefixes(name: str) -> Iterator[str]:
    for pattern in _PATTERNS:
        for ending in pattern.rows:
            found = re.fullmatch(rf"(.+)\.{_as_regex(ending)}", name)
            if found:
                yield found[1]


def _as_regex(ending: str) -> str:
    return re.escape(ending).replace(r"\{\}", "([a-z]{2,3})")


def _at(prefix: Path, context: int | None, source: str | None, target: str | None) -> RowFiles | None:
    for pattern in _PATTERNS:
        languages = _languages(prefix, pattern, source, target)
        if languages is None:
            continue
        rows = [_file(prefix, e, x) for e, x in zip(pattern.rows, languages, strict=True)]
        if not all(file.is_file() for file in rows):
            continue
        contexts = _contexts(prefix, pattern, languages, context)
        group = next(
            (str(f) for f in (prefix.with_name(f"{prefix.name}.{GROUPS}"), prefix.with_name(GROUPS)) if f.is_file()),
            pattern.group,
        )
        return RowFiles(rows[0], rows[1], *contexts, group, languages[0], languages[1])
    return None


def _languages(
    prefix: Path, pattern: _Pattern, source: str | None, target: str | None
) -> tuple[str | None, str | None] | None:
    """The two languages in the files' endings; English is the source where nobody says otherwise."""
    if "{}" not in pattern.rows[0] or (source and target):
        return source, target
    if not prefix.parent.is_dir():
        return None
    ending = re.compile(rf"{re.escape(prefix.name)}\.{_as_regex(pattern.rows[0])}")
    there = sorted(m[1] for file in prefix.parent.iterdir() if (m := ending.fullmatch(file.name)))
    there = [code for code in there if code not in ("src", "trg", "dst", "txt", "ids")]
    if len(there) != 2:
        return None
    first = source or next((c for c in there if target and c != target), "en" if "en" in there else None)
    if first not in there:
        return None
    return first, next(code for code in there if code != first)


def _file(prefix: Path, ending: str, language: str | None, number: int | None = None) -> Path:
    return prefix.with_name(f"{prefix.name}.{ending.replace('{}', language or '').replace('{n}', str(number))}")


def _contexts(
    prefix: Path, pattern: _Pattern, languages: tuple[str | None, str | None], context: int | None
) -> tuple[Path | None, Path | None]:
    """The context files: of several the shortest that has as many sentences as wanted, else the longest."""
    if context == 0:
        return None, None
    for endings in pattern.contexts:
        numbers: list[int | None] = [None]
        if "{n}" in endings[0]:
            shape = re.compile(re.escape(f"{prefix.name}.{endings[0]}").replace(r"\{n\}", "([0-9]{1,3})"))
            found = [int(m[1]) for file in prefix.parent.iterdir() if (m := shape.fullmatch(file.name))]
            enough = sorted(number for number in found if context is not None and number >= context)
            numbers = [*enough[:1], *sorted(found, reverse=True)]
        for number in numbers:
            pair = [_file(prefix, e, x, number) for e, x in zip(endings, languages, strict=True)]
            if any(file.is_file() for file in pair):
                return (pair[0] if pair[0].is_file() else None), (pair[1] if pair[1].is_file() else None)
    return None, None


def write(suite: Suite, path: Path) -> list[Lost]:
    columns = {path.with_name(file): lines for file, lines in row_columns(suite, path.name).items()}
    files.write_columns(columns, stale_rows(path))
    return losses(suite, {"source_context", "target_context", "source_next", "target_next", "variant.context"})


def stale_rows(path: Path) -> list[Path]:
    """Files of an earlier suite that would be read with rows written to ``path``; an error if they are of a kind
    that is never written, as those of a published set."""
    name = re.escape(path.name)
    there = path.parent.iterdir() if path.parent.is_dir() else ()
    for file in there:
        if re.fullmatch(rf"{name}\.(?:current|c[0-9]+\.context)\.(?:src|trg)", file.name):
            raise KontrastError(f"{file} would be read with the rows of {path}: choose another name")
    return [path.with_name(f"{path.name}.{part}.{side}") for part in ("context", "next") for side in ("src", "trg")]


def row_columns(suite: Suite, name: str) -> dict[str, list[str]]:
    """``NAME.src``, ``.trg``, ``.group_starts.txt`` and, where there is context, ``.context.src`` and ``.trg``."""
    rows: list[tuple[Item, Variant]] = []
    starts = [0]
    for item in suite.items:
        rows += [(item, variant) for variant in (item.best, *item.foils)]
        starts.append(len(rows))
    columns = {
        "src": [item.source for item, _ in rows],
        "trg": [variant.text for _, variant in rows],
        GROUPS: [str(start) for start in starts],
    }
    contexts = {
        "context.src": [item.source_context or () for item, _ in rows],
        "context.trg": [(item.target_context if v.context is None else v.context) or () for item, v in rows],
    }
    following = {
        "next.src": [item.source_next or () for item, _ in rows],
        "next.trg": [item.target_next or () for item, _ in rows],
    }
    for pair, ahead in ((contexts, True), (following, False)):
        size = max((len(texts) for column in pair.values() for texts in column), default=0)
        for ending, column in pair.items() if size else ():
            columns[ending] = []  # as many lines for each; the blank ones stand where the document has ended
            for context in column:
                blank = [""] * (size - len(context))
                columns[ending] += [*blank, *context] if ahead else [*context, *blank]
    return {f"{name}.{ending}": lines for ending, lines in columns.items()}
