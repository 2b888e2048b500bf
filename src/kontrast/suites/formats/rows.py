"""Rows: text as the originals' tools extract it, a line per row, the correct variant first in each group.

The path is a prefix (``OpenSubs`` for ``OpenSubs.current.src`` …), a folder with one set of rows, or the source file
beside ``target=FILE``. Context comes from files with n lines per row, or in the same line before a separator.

Annotation for rows: tags, documents and errors from another suite's items, joined by group number.
"""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.io.numbers import whole_number
from kontrast.suites.formats.format import Peek, named_languages
from kontrast.suites.formats.row_files import RowFiles, find_row_files
from kontrast.suites.formats.row_files import write as write
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
    except KontrastError:
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
    sizes: str | None = None,
    separator: str | None = None,
    source_language: str | None = None,
    target_language: str | None = None,
    annotation: str | None = None,
    annotation_groups: str | None = None,
    only: str | None = None,
) -> Suite:
    size = None if context is None else whole_number(str(context))
    if size is None and context is not None:
        raise KontrastError(f"the option context of the rows format is a whole number, not {context!r}")
    if target is not None:
        found = RowFiles(_named(path, source) or path, _named(path, target) or Path(target))
    else:
        found = _found(path, size, source_language, target_language)
    sources = _side(found.source, _named(path, source_context) or found.source_context, size, separator)
    targets = _side(found.target, _named(path, target_context) or found.target_context, size, separator)
    files.refuse_length(found.target, len(targets.texts), len(sources.texts), f" as in {found.source}")
    if sizes is not None and group is not None:
        raise KontrastError("the rows format needs either group or sizes, not both")
    if sizes is not None:
        bounds = _sized(_named(path, sizes) or Path(sizes), len(sources.texts))
    else:
        bounds = _grouped(path, str(group) if group is not None else found.group, sources)
    items = tuple(_item(str(n), sources, targets, *ends) for n, ends in enumerate(pairwise(bounds), start=1))
    guessed = named_languages(path)
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
    theirs = _named(path, annotation) or Path(annotation)
    return annotate(suite, theirs, _named(path, annotation_groups), only=only is not None)


def _named(path: Path, value: str | Path | None) -> Path | None:
    """The file that an option names, as it stands or beside the rows."""
    if not value:
        return None
    beside = (path if path.is_dir() else path.parent) / value
    try:
        return beside if beside.is_file() and not Path(value).is_file() else Path(value)
    except OSError:  # a name too long: opening it will say so
        return Path(value)


def _found(path: Path, size: int | None, source: str | None, target: str | None) -> RowFiles:
    try:
        found = find_row_files(path, size, source, target)
    except (OSError, ValueError) as error:
        raise InputError(path, f"cannot be read ({error})") from error
    if found is None:
        raise InputError(
            path,
            "expected rows: PREFIX.current.src and .trg, PREFIX.src and .trg, or a file per language; "
            "otherwise give the options target and group",
        )
    return found


def _side(path: Path, context: Path | None, size: int | None, separator: str | None) -> _Side:
    texts = files.read_lines(path)
    if context is not None and size != 0:
        return _Side(path, texts, _context_lines(context, texts, size))
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


def _grouped(path: Path, group: str | None, sources: _Side) -> list[int]:
    """The first row of each item, and the end, from the number of rows of every item or a file of first rows."""
    count = len(sources.texts)
    if group is None:
        raise InputError(
            sources.path,
            "the number of rows per item is not known: give ?group=2 (rows per item), ?group=FILE (the first row "
            "of each item, from 0) or ?sizes=FILE (the number of rows of each item)",
        )
    if (size := whole_number(group)) is None:
        return _starts(_named(path, group) or Path(group), count)
    if not size or count % size:
        raise InputError(sources.path, f"expected groups of {size} rows, found {count} rows", line=count)
    return list(range(0, count + 1, size))


def _sized(path: Path, count: int) -> list[int]:
    """The first row of each item, and the end, from the number of rows of each."""
    bounds = [0]
    for number, line in enumerate(files.read_lines(path), start=1):
        if not (size := whole_number(line.strip())):
            raise InputError(path, f"expected the number of an item's rows, found {line[:40]!r}", line=number)
        bounds.append(bounds[-1] + size)
    if bounds[-1] != count:
        raise InputError(path, f"expected {count} rows in all, found {bounds[-1]}", line=len(bounds) - 1)
    return bounds


def _starts(path: Path, count: int) -> list[int]:
    """The first row of each item, and the end."""
    starts: list[int] = []
    for number, line in enumerate(files.read_lines(path), start=1):
        if (start := whole_number(line.strip())) is None:
            raise InputError(path, f"expected the number of a row, found {line[:40]!r}", line=number)
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
            what = f"expected the source and context of line {start + 1}, because they form an item"
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


def annotate(suite: Suite, annotation: Path, groups: Path | None, *, only: bool) -> Suite:
    """``suite`` with the annotation of another file's items.

    A line of ``groups`` gives the place (from 0) among our items of each of theirs; a blank one: not among them.
    """
    from kontrast.suites.formats import load

    theirs = load(annotation)
    path = groups or annotation.with_name(f"{files.suite_name(annotation)}.groups")
    places = _places(path, len(theirs.items), len(suite.items))
    joined: dict[int, Item] = {}
    for item, place in zip(theirs.items, places, strict=True):
        if place is not None and place not in joined:
            joined[place] = _join(suite.items[place], item)
    items = tuple(joined.get(i, item) for i, item in enumerate(suite.items) if i in joined or not only)
    return msgspec.structs.replace(
        suite,
        items=items,
        source_language=suite.source_language or theirs.source_language,
        target_language=suite.target_language or theirs.target_language,
        unit=theirs.unit,
        style=theirs.style,
        extra={"annotated": len(joined), "annotation_without_rows": places.count(None)},
    )


def _places(path: Path, expected: int, count: int) -> list[int | None]:
    lines = files.read_lines(path)
    files.refuse_length(path, len(lines), expected, ", one per annotated item")
    places: list[int | None] = []
    for number, line in enumerate(lines, start=1):
        text, place = line.strip(), whole_number(line.strip())
        if text and (place is None or place >= count):
            raise InputError(path, f"expected an item from 0 to {count - 1} or a blank, found {text!r}", line=number)
        places.append(place)
    return places


def _join(ours: Item, theirs: Item) -> Item:
    wrong = {variant.text: variant for variant in theirs.foils}
    in_order = theirs.variants if len(theirs.variants) == len(ours.variants) and not theirs.correct else ()

    def variant(place: int, row: Variant) -> Variant:
        if place == ours.correct:
            return row
        found = wrong.get(row.text) or (in_order[place] if in_order else None)
        return msgspec.structs.replace(row, error=found.error, tags=found.tags) if found else row

    return msgspec.structs.replace(
        ours,
        variants=tuple(variant(i, row) for i, row in enumerate(ours.variants)),
        document=theirs.document,
        segment=theirs.segment,
        tags=theirs.tags,
    )
