"""A suite as a table: ``.csv``, ``.tsv`` or ``.xlsx`` with the columns ``source``, ``right``, ``wrong`` and others.

``wrong`` may be followed by ``wrong2``, ``wrong3`` …; ``phenomenon``, ``context`` (the sentences before the source, a
line each within the cell) and ``document`` (whose items are not independent) are known; every other column is a tag.
A row whose first cell begins with ``#`` is a comment; ``# languages: en-pt`` says the languages. The first row that
is no comment names the columns.
"""

import difflib
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.io.names import is_language
from kontrast.io.tables import TableRow, is_table, read_rows, refuse_repeated, renamed, write_rows
from kontrast.suites.formats.format import Lost, Peek
from kontrast.suites.formats.loss import UNKNOWN_CONTEXT, losses
from kontrast.suites.model import Item, Suite, Tags, Variant
from kontrast.suites.packed import Packing, packed

_COLUMNS = ("source", "right", "phenomenon", "context", "document")
_WRONG = re.compile(r"wrong(?:[1-9][0-9]?)?")
_OWN = re.compile(r"(wrong(?:[1-9][0-9]?)?)_phenomenon")
"""Of one wrong variant, where it has another phenomenon than its item."""
_NAMED = 5
"""So many places of one problem are named at once, and so many problems."""
_ERROR = re.compile(r"#(?:REF!|N/A|DIV/0!|VALUE!|NAME\?|NUM!|NULL!|SPILL!|CALC!)")
"""What a spreadsheet program shows where a formula has no value."""
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(\.[0-9]{1,15})?")
_COMMA = re.compile(r"-?(?:0|[1-9][0-9]{0,14}),[0-9]{1,15}")
_THOUSAND = re.compile(r"-?[1-9][0-9]{0,2},[0-9]{3}")
"""May be a whole number with its thousands apart."""
_Problems = dict[str, list[str]]
"""What is wrong, and where."""


def detect(peek: Peek) -> bool:
    if peek.is_folder or not is_table(peek.path):
        return False
    if ".xlsx" in peek.path.suffixes:
        return True
    header = next((line for line in peek.head.splitlines() if not re.match(r'"?#', line) and line.strip()), "")
    names = {name.strip().strip('"').lower() for name in re.split(r"[\t,;]", header)}
    return len({"source", "right", "wrong"} & names) >= 2  # one may be misspelt, which `read` says


def read(path: Path, sheet: str | None = None, columns: str | None = None, merged: str | None = None) -> Suite:
    header: list[str] | None = None
    width = 0
    packing, numbers = Packing(), _Numbers()
    count = bare = 0
    problems: _Problems = {}
    languages: tuple[str | None, str | None] = (None, None)
    left_out = 0
    for row in read_rows(path, sheet, merged):
        if turned := list(_turned(header, row)):
            for told, where in turned:
                problems.setdefault(told, []).append(where)
            if header is None:
                break
        elif row.cells[0].startswith("#"):
            left_out += header is not None and not _empty(header, row)
            if (said := _languages(path, row)) and languages not in ((None, None), said):
                raise InputError(path, f"row {row.number}: the languages are given twice; give them once")
            languages = said or languages
        elif header is None:
            header, width = _header(path, renamed(path, row, columns), sheet), len(row.cells)
        else:
            beyond = any(cell.strip() for cell in row.cells[len(header) :])
            if beyond or (len(row.cells) > width and ".xlsx" not in path.suffixes):  # blank too: cells have moved
                told = f"expected {len(header) if beyond else width} columns, found {len(row.cells)}"
                told = f"{told}; a text with a comma or semicolon needs quotes around it"
                problems.setdefault(told, []).append(f"row {row.number}")
            elif empty := _empty(header, row):
                problems.setdefault("expected text, found nothing", []).extend(empty)
            if not problems:
                item = _item(header, row)
                numbers.see(item.tags)
                packing.add((item,), b"")
                count, bare = count + 1, bare + (item.phenomenon is None)
    _refuse_all(path, problems)
    items = packing.items()
    if commas := numbers.with_commas(path, header or ()):
        items = packed(_with_numbers(items, commas))
    if left_out:
        told = f"{left_out} of {left_out + count} rows begin with # and are left out as comments"
        print(f"kontrast: warning: {path}: {told}", file=sys.stderr)
    if "phenomenon" in (header or ()) and 0 < bare < count:
        told = f"{bare} of {count} rows have no phenomenon (after unmerging cells only the first row has it)"
        print(f"kontrast: warning: {path}: {told}", file=sys.stderr)
    if header is None:
        raise InputError(path, "expected a row with the columns source, right, wrong; found none")
    return Suite(files.suite_name(path), items, *languages)


def _refuse_all(path: Path, problems: _Problems) -> None:
    """Everything that is wrong with a table, in one sentence."""
    told = []
    for what, places in list(problems.items())[:_NAMED]:
        more = f" and {len(places) - _NAMED:,} more" if len(places) > _NAMED else ""
        told.append(f"{'; '.join(places[:_NAMED])}{more}: {what}")
    if left := sum(map(len, list(problems.values())[_NAMED:])):
        told.append(f"{left:,} more")
    if told:
        raise InputError(path, ". Also ".join(told))


class _Numbers:
    """The tags whose cells are all numbers, some of them with a comma."""

    def __init__(self) -> None:
        self._other: set[str] = set()
        """Tags with a cell that is no number."""
        self._points: set[str] = set()
        """Tags with a number that has a point."""
        self._first: dict[str, str] = {}
        """The first cell with a comma, by tag."""
        self._commas: Counter[str] = Counter()
        self._decimal: set[str] = set()
        """Tags with a comma that divides no thousands."""

    def see(self, tags: Tags) -> None:
        for tag, value in tags.items():
            if isinstance(value, float):
                self._points.add(tag)
            elif isinstance(value, str) and tag not in self._other:
                if not _COMMA.fullmatch(value):
                    self._other.add(tag)
                    continue
                self._first.setdefault(tag, value)
                self._commas[tag] += 1
                if not _THOUSAND.fullmatch(value):
                    self._decimal.add(tag)

    def with_commas(self, path: Path, header: Sequence[str]) -> set[str]:
        """The tags whose numbers have a comma for a point: none has a point, one cannot be thousands."""
        found = set()
        for name in header:
            if _known(name) or name in self._other or name not in self._first:
                continue
            first = self._first[name]
            if name in self._points or name not in self._decimal:
                told = "may have a decimal comma or a thousands separator; it stays text"
            else:
                found.add(name)
                told = f"is read as {first.replace(',', '.')} (cells with a decimal comma: {self._commas[name]:,})"
            print(f"kontrast: warning: {path}: column {name}: {first} {told}", file=sys.stderr)
        return found


def _with_numbers(items: Iterable[Item], tags: set[str]) -> Iterator[Item]:
    """The items with the decimal commas of these tags as points."""
    for item in items:
        changed = {
            tag: _value(value.replace(",", ".")) if tag in tags and isinstance(value, str) else value
            for tag, value in item.tags.items()
        }
        yield msgspec.structs.replace(item, tags=changed)


def _turned(header: list[str] | None, row: TableRow) -> Iterator[tuple[str, str]]:
    """What a spreadsheet program made of a text: an error of a formula, or a date of "3/4"."""
    for place, cell in enumerate(row.cells):
        name = header[place] if header and place < len(header) else str(place + 1)
        if _ERROR.fullmatch(cell.strip()):
            told = f"expected a value, found the error {cell.strip()}"
        elif place in row.turned and _known(name):
            told = f"expected text, found a date, an amount or a truth value ({cell})"
            told = f"{told}: format the column as text and type it again"
        else:
            continue
        yield told, f"row {row.number}, column {name}"


def _languages(path: Path, row: TableRow) -> tuple[str, str] | None:
    said = re.match(r"#\s*languages:\s*(\S*)", row.cells[0])
    if said is None:
        return None
    source, _, target = said[1].partition("-")
    if not (is_language(source) and is_language(target)):
        raise InputError(path, f"row {row.number}: expected languages as in en-pt, found {said[1]!r}")
    return source, target


def _header(path: Path, row: TableRow, sheet: str | None) -> list[str]:
    names = [name.strip() for name in row.cells]
    names = [name.lower() if _known(name.lower()) else name for name in names]
    while names and not names[-1]:
        names.pop()
    of_sheet = f" of the {f'sheet {sheet}' if sheet else 'first sheet'}" if ".xlsx" in path.suffixes else ""
    where = f"row {row.number}{of_sheet}"
    missing = [name for name in ("source", "right") if name not in names]
    missing += [] if any(map(_WRONG.fullmatch, names)) else ["wrong"]
    if missing:
        expected = f"{'a column' if len(missing) == 1 else 'the columns'} {', '.join(missing)}"
        raise InputError(path, f"{where}: expected {expected}; found {', '.join(names)}")
    refuse_repeated(path, row, names, "rename one, or name all columns after the path: ?columns=source,right,wrong,…")
    if "" in names:
        raise InputError(path, f"row {row.number}: expected a name for column {names.index('') + 1}, found none")
    if told := [f"column {n}: did you mean {meant}?" for n in names if not _known(n) and (meant := _meant(n))]:
        raise InputError(path, f"row {row.number}: {' '.join(told)} A tag needs another name")
    return names


def _known(name: str) -> bool:
    return name in _COLUMNS or _WRONG.fullmatch(name) is not None or _OWN.fullmatch(name) is not None


def _meant(name: str) -> str | None:
    """The column that a misspelt name is meant for: as a tag it would be lost without a word."""
    plain = re.sub(r"[\s_.-]+", "", name.lower())
    if _known(plain):
        return plain
    return next(iter(difflib.get_close_matches(plain, _COLUMNS, n=1, cutoff=0.85)), None)


def _empty(header: list[str], row: TableRow) -> list[str]:
    """The cells of a row that need a text and have none."""
    cells = dict(zip_longest(header, row.cells[: len(header)], fillvalue=""))
    needed = ("source", "right", next(name for name in header if _WRONG.fullmatch(name)))
    return [f"row {row.number}, column {name}" for name in needed if not cells[name].strip()]


def _item(header: list[str], row: TableRow) -> Item:
    cells = dict(zip_longest(header, row.cells[: len(header)], fillvalue=""))
    phenomenon = cells.get("phenomenon", "").strip() or None
    wrong = [
        Variant(text, error=cells.get(f"{name}_phenomenon", "").strip() or phenomenon)
        for name in header
        if _WRONG.fullmatch(name) and (text := cells[name].strip())
    ]
    context = [line.strip() for line in cells.get("context", "").split("\n") if line.strip()]
    tags: Tags = {"phenomenon": phenomenon} if phenomenon else {}
    tags |= {name: _value(cells[name]) for name in header if not _known(name) and cells[name].strip()}
    return Item(
        str(row.number),
        cells["source"].strip(),
        (Variant(cells["right"].strip()), *wrong),
        source_context=tuple(context) if "context" in header else None,
        document=cells.get("document", "").strip() or None,
        tags=tags,
    )


def _value(cell: str) -> Any:
    """A number where the cell is one, else its text."""
    text = cell.strip()
    found = _NUMBER.fullmatch(text)
    return text if found is None else float(text) if found[1] else int(text)


def _refuse(suite: Suite, tags: list[str]) -> None:
    """Cells are read without the blanks around them, and a row needs a source, a right and a wrong text."""
    for item in suite.items:
        texts = (item.source, *(variant.text for variant in item.variants), *(item.source_context or ()))
        texts = (*texts, *(v.error for v in item.foils if v.error is not None))
        texts = (*texts, item.document) if item.document is not None else texts
        if len(item.variants) < 2 or item.source.startswith("#") or not all(map(_holds, texts)):
            raise KontrastError(
                f"the table format cannot store item {item.id}: it has a blank text or a text that is not plain"
            )
        for tag, value in item.tags.items():
            text = as_text(value)
            if _ERROR.fullmatch(text.strip()) or "\r" in text:
                raise KontrastError(f"the table format cannot store tag {tag!r} of item {item.id}: {text[:40]!r}")
    if odd := [tag for tag in tags if not _holds(tag) or _meant(tag)]:
        raise KontrastError(f"the table format cannot store a tag named {odd[0]!r}")


def _holds(text: str) -> bool:
    return bool(text) and text == text.strip() and text.isprintable() and not _ERROR.fullmatch(text)


def write(suite: Suite, path: Path) -> list[Lost]:
    most = max((len(item.variants) for item in suite.items), default=2) - 1
    tags = list(dict.fromkeys(tag for item in suite.items for tag in item.tags if not _known(tag)))
    _refuse(suite, tags)
    wrong = ["wrong", *(f"wrong{n}" for n in range(2, most + 1))]
    documents = any(item.document for item in suite.items)
    if most > 99:
        raise KontrastError(f"the table format stores at most 99 wrong variants per item, found {most}")
    each = any(item.phenomenon != variant.error for item in suite.items for variant in item.foils)
    own = [f"{name}_phenomenon" for name in wrong] if each else []
    unknown = sum(item.source_context is None for item in suite.items)
    context = unknown < len(suite.items)
    known = [*(["context"] if context else []), *(["document"] if documents else [])]
    header = ["source", "right", *wrong, "phenomenon", *own, *known, *tags]
    rows = (_cells(item, most, tags, context, documents, each) for item in suite.items)
    languages = suite.source_language and suite.target_language
    said = [[f"# languages: {suite.source_language}-{suite.target_language}"]] if languages else []
    write_rows(path, chain(said, [header], rows))
    kept = {"source_context", "tags", "error", "id", "document"}  # not correct: the right text comes first
    clashes = Counter(tag for item in suite.items for tag in item.tags if _known(tag) and tag != "phenomenon")
    as_text = Counter(t for item in suite.items for t in tags if t in item.tags and not _plain(item.tags[t]))
    lost = [Lost(f"tag {tag}", count) for tag, count in sorted(clashes.items())]
    lost += [Lost(f"tag {tag} as more than text", count) for tag, count in sorted(as_text.items())]
    left_open = sum(
        item.tags.get("phenomenon") is not None and any(v.error is None for v in item.foils) for item in suite.items
    )
    lost += [Lost("error left open", left_open)] if left_open else []
    lost += [Lost(UNKNOWN_CONTEXT, unknown)] if context and unknown else []
    return losses(suite, kept) + lost


def _cells(item: Item, most: int, tags: list[str], contexts: bool, documents: bool, each: bool) -> list[str]:
    blank = [""] * (most - len(item.variants) + 1)
    wrong = [*(variant.text for variant in item.foils), *blank]
    errors = [*(variant.error or "" for variant in item.foils), *blank] if each else []
    named = item.tags.get("phenomenon") if each else item.phenomenon
    context = ["\n".join(item.source_context or ())] if contexts else []
    own = (item.tags.get(tag) for tag in tags)
    document = [item.document or ""] if documents else []
    return [item.source, item.best.text, *wrong, as_text(named), *errors, *context, *document, *map(as_text, own)]


def _plain(value: Any) -> bool:
    """Does it come back as it was?"""
    text = as_text(value)
    return bool(text.strip()) and _value(text) == value and type(_value(text)) is type(value)


def as_text(value: Any) -> str:
    """Text as it is, anything else as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
