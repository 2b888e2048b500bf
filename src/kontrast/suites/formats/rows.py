"""Rows: text as the originals' tools extract it, a line per row, the correct variant first in each group.

The path is a prefix (``OpenSubs`` for ``OpenSubs.current.src`` …), a folder with one set of rows, or the source file
beside ``target=FILE``. Context comes from files with n lines per row, or in the same line before a separator.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from kontrast.errors import InputError, KontrastError
from kontrast.suites import files
from kontrast.suites.formats.format import Format, Lost, Peek
from kontrast.suites.formats.loss import losses
from kontrast.suites.formats.row_annotation import annotate
from kontrast.suites.formats.row_files import GROUPS, RowFiles, find_row_files
from kontrast.suites.model import Item, Suite, Variant

SEPARATORS = ("<SEP>", "_eos")

Context = tuple[str, ...] | None


class _Side(NamedTuple):
    """The rows of one language: current sentences and the context of each."""

    path: Path
    texts: Sequence[str]
    contexts: Sequence[Context]


def detect(peek: Peek) -> bool:
    try:
        return find_row_files(peek.path) is not None
    except (KontrastError, OSError, ValueError):
        return False


def read(
    path: Path,
    *,
    source: str | None = None,
    target: str | None = None,
    source_context: str | None = None,
    target_context: str | None = None,
    context: int | str | None = None,
    group: int | str | None = None,
    separator: str | None = None,
    source_language: str | None = None,
    target_language: str | None = None,
    annotation: str | None = None,
    annotation_groups: str | None = None,
    only: str | None = None,
) -> Suite:
    size = None if context is None else _number("context", context)
    if target is not None:
        found = RowFiles(Path(source) if source else path, Path(target), None, None, None)
    else:
        found = _found(path, size, source_language, target_language)
    sources = _side(found.source, source_context or found.source_context, size, separator)
    targets = _side(found.target, target_context or found.target_context, size, separator)
    if len(sources.texts) != len(targets.texts):
        raise InputError(
            found.target,
            f"expected {len(sources.texts)} lines as in {found.source}, found {len(targets.texts)}",
            line=min(len(sources.texts), len(targets.texts)) + 1,
        )
    bounds = _bounds(str(group) if group is not None else found.group, sources)
    items = tuple(_item(str(n), sources, targets, *ends) for n, ends in enumerate(pairwise(bounds), start=1))
    guessed = _languages(path.resolve())
    suite = Suite(
        files.suite_name(path.resolve()),
        items,
        source_language or found.source_language or guessed[0],
        target_language or found.target_language or guessed[1],
    )
    if annotation is None:
        return suite
    if only not in (None, "annotated"):
        raise KontrastError(f"the option only of the rows format is 'annotated', not {only!r}")
    return annotate(suite, Path(annotation), annotation_groups, only=only is not None)


def _found(path: Path, size: int | None, source: str | None, target: str | None) -> RowFiles:
    try:
        found = find_row_files(path, size, source, target)
    except (OSError, ValueError) as error:
        raise InputError(path, f"cannot be read ({error})") from error
    if found is None:
        raise InputError(
            path,
            "expected rows: PREFIX.current.src and .trg, PREFIX.src and .trg, or a file per language; "
            "else give the options target and group",
        )
    return found


def _languages(path: Path) -> tuple[str, str] | tuple[None, None]:
    """From a name such as ``large-contrastive-en-fr``; one of the two must be English to be believed."""
    for name in (path.name, path.parent.name):
        for found in re.finditer(r"(?<![a-z])([a-z]{2})-([a-z]{2})(?![a-z])", name):
            if "en" in found.groups():
                return found[1], found[2]
    return None, None


def _number(option: str, value: int | str) -> int:
    try:
        number = int(value)
    except ValueError:
        number = -1
    if number < 0:
        raise KontrastError(f"the option {option} of the rows format is a whole number, not {value!r}")
    return number


def _side(path: Path, context: str | Path | None, size: int | None, separator: str | None) -> _Side:
    texts = files.read_lines(path)
    if context is not None and size != 0:
        return _Side(path, texts, _context_lines(Path(context), texts, size))
    separator = separator or next((s for s in SEPARATORS if texts and all(s in text for text in texts)), None)
    if separator is None:
        return _Side(path, texts, [None] * len(texts))
    split = [[part.strip() for part in text.split(separator)] for text in texts]
    keep = slice(None if size is None else -1 - size, -1)
    return _Side(path, [parts[-1] for parts in split], [_trimmed(parts[keep]) for parts in split])


def _context_lines(path: Path, texts: Sequence[str], size: int | None) -> list[Context]:
    lines = files.read_lines(path)
    each = len(lines) // len(texts) if texts else 0
    if len(lines) != each * len(texts):
        wanted = f"{size or 'n'} lines for each of {len(texts)} rows"
        raise InputError(path, f"expected {wanted}, found {len(lines)} lines", line=len(lines))
    if size is not None and each < size:
        raise InputError(path, f"expected {size} sentences of context per row, found {each}")
    skip = 0 if size is None else each - size
    return [_trimmed(lines[i * each + skip : (i + 1) * each]) for i in range(len(texts))]


def _trimmed(sentences: Sequence[str]) -> tuple[str, ...]:
    """Without the blank lines at the beginning, which say that a document has nothing before."""
    first = next((i for i, sentence in enumerate(sentences) if sentence.strip()), len(sentences))
    return tuple(sentences[first:])


def _bounds(group: str | None, sources: _Side) -> list[int]:
    """The first row of each group, and the end."""
    count = len(sources.texts)
    if group is None:
        raise InputError(
            sources.path,
            "how do rows form items? give the option group: rows per item, a file of first rows "
            "(from 0), or 'same' for neighbours with the same source",
        )
    if group == "same":
        keys = list(zip(sources.texts, sources.contexts, strict=True))
        return [i for i in range(count) if not i or keys[i] != keys[i - 1]] + [count]
    if group.isascii() and group.isdigit():
        size = int(group)
        if not size or count % size:
            raise InputError(sources.path, f"expected groups of {size} rows, found {count} rows", line=count)
        return list(range(0, count + 1, size))
    return _starts(Path(group), count)


def _starts(path: Path, count: int) -> list[int]:
    starts: list[int] = []
    for number, line in enumerate(files.read_lines(path), start=1):
        try:
            start = int(line)
        except ValueError:
            raise InputError(path, f"expected the number of a row, found {line[:40]!r}", line=number) from None
        least = starts[-1] + 1 if starts else 0
        if not least <= start <= count or (not starts and start):
            wanted = "0" if not starts else f"a row from {least} to {count} (the end)"
            raise InputError(path, f"expected {wanted}, found {start}", line=number)
        starts.append(start)
    if not starts or starts[-1] != count:
        starts.append(count)
    return starts


def _item(id: str, sources: _Side, targets: _Side, start: int, end: int) -> Item:
    for row in range(start + 1, end):
        if (sources.texts[row], sources.contexts[row]) != (sources.texts[start], sources.contexts[start]):
            what = f"expected the source and context of line {start + 1}, with which it forms an item"
            raise InputError(sources.path, what, line=row + 1)
    contexts = targets.contexts[start:end]
    shared = all(context == contexts[0] for context in contexts)
    return Item(
        id,
        sources.texts[start],
        tuple(
            Variant(targets.texts[row], context=None if shared else targets.contexts[row])
            for row in range(start, end)
        ),
        source_context=sources.contexts[start],
        target_context=contexts[0] if shared else None,
    )


def write(suite: Suite, path: Path) -> list[Lost]:
    files.write_columns({path.with_name(file): lines for file, lines in row_columns(suite, path.name).items()})
    return losses(suite, {"source_context", "target_context", "source_next", "target_next", "variant.context"})


def row_columns(suite: Suite, name: str) -> dict[str, list[str]]:
    """``NAME.src``, ``.trg``, ``.group_starts.txt`` and, where there is context, ``.context.src`` and ``.trg``."""
    rows: list[tuple[Item, Variant]] = []
    starts = [0]
    for item in suite.items:
        rows += [(item, item.best), *((item, v) for i, v in enumerate(item.variants) if i != item.correct)]
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
        if size:
            columns |= {ending: list(_padded(column, size, ahead)) for ending, column in pair.items()}
    return {f"{name}.{ending}": lines for ending, lines in columns.items()}


def _padded(contexts: Sequence[Sequence[str]], size: int, ahead: bool) -> Iterator[str]:
    """``size`` lines for each; the blank ones stand where the document has ended."""
    for context in contexts:
        blank = [""] * (size - len(context))
        yield from [*blank, *context] if ahead else [*context, *blank]


FORMAT = Format(
    name="rows",
    summary="line files of rows as the originals' tools extract them, with context files or a separator",
    detect=detect,
    read=read,
    write=write,
    prefix=True,
    options={
        "source": "the source line file (else the path itself, or found by prefix)",
        "target": "the target line file",
        "source_context": "file with n context lines per row",
        "target_context": "the same for the target side",
        "context": "sentences of context per row (default: all there are; 0: none)",
        "group": "rows per item, or a file of first rows (from 0), or 'same' for neighbours with equal source",
        "separator": "what stands between context and sentence in a line (<SEP> and _eos are recognised)",
        "source_language": "code, also the ending of the source file",
        "target_language": "code, also the ending of the target file",
        "annotation": "a suite whose tags belong to some of the items",
        "annotation_groups": "per item of it the number (from 0) of ours, or blank; default: its name with .groups",
        "only": "'annotated': leave out items without annotation",
    },
    languages=(None, None),
    examples=("OpenSubs (OpenSubs.current.src …)", "rows.context1 with group_starts.txt"),
)
