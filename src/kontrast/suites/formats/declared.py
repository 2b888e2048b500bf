"""Formats by declaration: a plain table, JSON lines or parallel line files described in a few lines of TOML.

    kind = "tsv"                   # csv, jsonl, lines; left out: tsv, csv or jsonl, whichever the file is
    source = "sentence"            # a column, a key, or (lines) the ending of a file's name
    right = "good"
    wrong = ["bad", "bad2"]        # or: variants = ["a", "b"] and answer = "label", which counts from 1
    phenomenon = "type"

`FormatDeclaration` has all keys. Every other column becomes a tag. A name that ends in ``?`` may be missing or blank.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from kontrast.errors import InputError
from kontrast.io import files
from kontrast.io.names import is_language
from kontrast.io.numbers import whole_number
from kontrast.io.toml_input import from_toml, read_toml
from kontrast.suites.formats.declared_rows import (
    NamedRow,
    json_rows,
    kind_of,
    line_files,
    line_rows,
    split_header,
    table_rows,
)
from kontrast.suites.formats.format import Format, Peek, named_languages
from kontrast.suites.model import Item, Suite, Tags, Variant

_LANGUAGE = r"[a-z]{2,3}(?:_[A-Za-z]{2,4})?"


class FormatDeclaration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a declaration. One of ``right`` and ``variants`` is needed."""

    kind: Literal["tsv", "csv", "jsonl", "lines"] | None = None
    right: str | None = None
    wrong: str | list[str] = []
    variants: list[str] = []
    answer: str | None = None
    source: str | None = None
    references: str | list[str] = []
    phenomenon: str | None = None
    context: str | None = None
    target_context: str | None = None
    document: str | None = None
    id: str | None = None
    pair: str | None = None
    columns: list[str] = []
    header: bool = True
    files: str = "*"
    tags: Tags = {}
    name: str | None = None
    summary: str | None = None
    languages: str | None = None
    licence: str | None = None
    citation: str | None = None
    items: int | None = None

    def texts(self) -> list[str]:
        """The columns that hold texts."""
        listed = [self.source, self.right, *_listed(self.wrong), *self.variants, *_listed(self.references)]
        return [name for name in (*listed, self.context, self.target_context) if name]

    def roles(self) -> list[str]:
        """All columns that are no tags."""
        others = (self.answer, self.phenomenon, self.document, self.id)
        return [*self.texts(), *(name for name in others if name)]


def _listed(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def read_declaration(path: str | Path, table: dict[str, Any] | None = None) -> FormatDeclaration:
    """The declaration in a TOML file, or in one table of it."""
    found = from_toml(path, read_toml(path) if table is None else table, FormatDeclaration)
    _refuse(path, found)
    return found


def _refuse(path: str | Path, found: FormatDeclaration) -> None:
    for key, value in msgspec.structs.asdict(found).items():
        if value == "" or (isinstance(value, list) and "" in value):
            raise InputError(path, f"{key} is blank: name a column, or leave the key out")
    if bool(found.right) == bool(found.variants):
        raise InputError(path, "expected one of right and variants")
    if found.variants and (found.answer is None or found.wrong):
        raise InputError(path, "variants needs answer (the number of the right one, from 1), not wrong")
    texts = found.texts()
    for place, name in enumerate(texts):
        if name in texts[:place]:
            raise InputError(path, f"the column {name} is used for two texts; each needs its own column")
    for place, name in enumerate(found.columns):
        if name in found.columns[:place]:
            raise InputError(path, f"columns names {name} twice; give each column its own name")
    if found.kind == "lines" and (odd := [name for name in found.roles() if not re.fullmatch(r"[._-][^/]*", name)]):
        raise InputError(path, f"expected the ending of a file's name, as in .src.txt, found {odd[0]!r}")
    if not found.header and not found.columns:
        raise InputError(path, "header = false needs the names of the columns: columns = [...]")
    if found.columns and found.kind in ("jsonl", "lines"):
        raise InputError(path, f"columns is only for tsv and csv, and kind is {found.kind}")
    if found.languages is not None and not all(map(is_language, found.languages.split("-", 1))):
        told = "expected languages as in en-de, or one language if there is no source"
        raise InputError(path, f"{told}: found {found.languages!r}")


def declared_format(declared: FormatDeclaration, said_in: str | Path, style: str | None = None) -> Format:
    """The format that a declaration describes. ``said_in`` is the file to name in errors."""
    name = declared.name or Path(said_in).stem

    def read(path: Path, columns: str | None = None) -> Suite:
        use = declared
        if columns is not None:
            use = msgspec.structs.replace(declared, columns=columns.split(","))
            _refuse(said_in, use)
        if "{" in declared.files and declared.languages is None and _name_match(path.name, declared) is None:
            told = f"its name does not have the languages as {said_in} says: expected {declared.files}"
            raise InputError(path, f"{told}; rename it, or declare languages")
        return declared_suite(path, _rows(path, use, said_in), use, said_in, style)

    table = declared.kind in ("tsv", "csv", None)
    return Format(
        name=name,
        summary=declared.summary or f"as {Path(said_in).name} declares",
        detect=lambda peek: _detect(peek, declared),
        read=read,
        options={"columns": "names of the columns, separated by commas"} if table else None,
        prefix=declared.kind == "lines",
        examples=(declared.files,) if declared.files != "*" else (),
    )


def _rows(path: Path, declared: FormatDeclaration, said_in: str | Path) -> Iterator[NamedRow]:
    if declared.kind == "lines":
        return line_rows(path, declared.roles(), _in_name(path.name, declared), said_in)
    kind = declared.kind or kind_of(Peek(path))
    if kind == "jsonl":
        return json_rows(path)
    return table_rows(path, kind, declared.columns, declared.header, said_in)


def _detect(peek: Peek, declared: FormatDeclaration) -> bool:
    needed = [name for name in declared.roles() if not name.endswith("?")]
    if peek.is_folder or _name_match(peek.path.name, declared) is None:
        return False
    if declared.kind == "lines":
        return line_files(peek.path, needed, _in_name(peek.path.name, declared)) is not None
    if (kind := declared.kind or kind_of(peek)) == "jsonl":
        return not declared.columns and peek.head.startswith("{") and peek.has_keys(*needed)
    header = split_header(peek.head, kind)
    if declared.columns:
        return len(header) == len(declared.columns) and all(
            name == found or found in header[:place]
            for place, (name, found) in enumerate(zip(declared.columns, header, strict=True))
        )
    return set(needed) <= set(header)


def _name_match(name: str, declared: FormatDeclaration) -> re.Match[str] | None:
    pattern = re.escape(declared.files).replace(r"\*", ".*").replace(r"\?", ".")
    for side in ("source", "target"):
        pattern = pattern.replace(rf"\{{{side}\}}", rf"(?P<{side}>{_LANGUAGE})")
    whole = pattern if declared.kind != "lines" else rf"{pattern}(?:\..*)?"
    return re.fullmatch(whole, name)


def _in_name(name: str, declared: FormatDeclaration) -> dict[str, str]:
    """The languages that a file's name tells."""
    found = _name_match(name, declared)
    return found.groupdict() if found else {}


def declared_suite(
    path: Path, rows: Iterable[NamedRow], declared: FormatDeclaration, said_in: str | Path, style: str | None = None
) -> Suite:
    """The suite that a declaration makes of named rows, wherever they come from."""
    items = tuple(_item(path, row, number, declared, said_in) for number, row in enumerate(rows, start=1))
    if not items:
        raise InputError(path, f"expected rows as {said_in} declares, found none")
    if declared.items is not None and declared.items != len(items):
        told = f"expected {declared.items:,} items as {said_in} says, found {len(items):,}"
        print(f"kontrast: warning: {path}: {told}", file=sys.stderr)
    source, target = _languages(path, items, declared)
    return Suite(
        files.suite_name(path),
        items,
        source,
        target,
        style=style,
        licence=declared.licence,
        citation=declared.citation,
    )


def _languages(path: Path, items: tuple[Item, ...], declared: FormatDeclaration) -> tuple[str | None, str | None]:
    named = _in_name(path.name, declared)
    pairs = {str(item.tags.get((declared.pair or "").removesuffix("?"), "")) for item in items}
    said = pairs.pop() if len(pairs) == 1 else ""
    if said and declared.languages and said != declared.languages:
        raise InputError(
            path, f"the column {declared.pair} says {said}, but the declaration says {declared.languages}"
        )
    told = said or declared.languages or ""
    first, dash, second = told.partition("-")
    if not told and declared.source:
        first, second = (code or "" for code in named_languages(path))
    if told and not dash:
        first, second = ("", first) if declared.source is None else (first, "")
    source, target = named.get("source") or first, named.get("target") or second
    return source if is_language(source) else None, target if is_language(target) else None


def _item(path: Path, row: NamedRow, number: int, declared: FormatDeclaration, said_in: str | Path) -> Item:
    def fault(told: str) -> InputError:
        return InputError(path, told, line=row.line)

    if missing := [name for name in declared.roles() if not name.endswith("?") and name not in row.cells]:
        there = ", ".join(row.cells) or "none"
        raise fault(f"expected {', '.join(missing)} as {said_in} says, found {there}")
    taken = {name.removesuffix("?") for name in declared.roles()}
    others = {name: value for name, value in row.cells.items() if name not in taken and value not in (None, "")}
    if twice := sorted(declared.tags.keys() & others.keys()):
        raise fault(f"{twice[0]} is a column and is also in tags of {said_in}: leave one out")

    pair = str(row.cells.get((declared.pair or "").removesuffix("?"), ""))
    is_pair = "-" in pair and all(map(is_language, pair.split("-", 1)))
    if declared.pair and not is_pair and (pair or not declared.pair.endswith("?")):
        raise fault(f"expected a pair such as en-de in {declared.pair} as {said_in} says, found {pair[:40]!r}")

    def texts(names: Iterable[str], blank: bool = False) -> list[str]:
        """The texts of these columns; a cell of JSON may be a list. Blank ones are left out unless they count."""
        found: list[str] = []
        for name in names:
            here = row.cells.get(name.removesuffix("?"))
            for text in here if isinstance(here, list | tuple) else [here]:
                if text is not None and not isinstance(text, str):
                    raise fault(f"expected text in {name}, found {type(text).__name__}")
                found += [text or ""] if blank or (text and text.strip()) else []
        return found

    def one(name: str | None) -> str | None:
        here = row.cells.get(name.removesuffix("?")) if name else None
        if isinstance(here, list | tuple | dict):
            raise fault(f"expected one value in {name}, found {'an object' if isinstance(here, dict) else 'a list'}")
        return None if here is None or not str(here).strip() else str(here).strip()

    def sentences(name: str | None) -> tuple[str, ...] | None:
        """The sentences of a cell, one a line, where a line ends as lines of files do."""
        lines = (line for text in texts([name]) for line in text.removesuffix("\n").split("\n")) if name else ()
        return tuple(line.removesuffix("\r") for line in lines) if name else None

    def needed(names: list[str], what: str) -> list[str]:
        if not (found := texts(names)):
            raise fault(f"expected a text for {what} in {', '.join(names)}, found none")
        return found

    more: list[str] = []
    if declared.variants:
        listed = texts(declared.variants, blank=True)
        said = str(row.cells.get(declared.answer or "")).strip()
        if not 0 <= (answer := (whole_number(said) or 0) - 1) < len(listed):
            raise fault(f"expected an answer from 1 to {len(listed)}, found {said[:40]!r}")
        if not listed[answer].strip():
            raise fault(f"the answer {answer + 1} is a blank text")
        variants = [text for text in listed if text.strip()]
        correct = sum(bool(text.strip()) for text in listed[:answer])
    else:
        right, *more = needed([declared.right or ""], "right")
        wrong = needed(_listed(declared.wrong), "wrong") if declared.wrong else []
        variants, correct = [right, *wrong], 0
    for name in (*_listed(declared.wrong), *declared.variants, *_listed(declared.references)):
        here = texts([name], blank=True) or [""]
        blank = [place for place, text in enumerate(here, start=1) if not text.strip()]
        if blank and not name.endswith("?"):
            which = f"{name} (text {blank[0]} of {len(here)})" if len(here) > 1 else name
            raise fault(f"expected a text in {which}, found a blank text: declare {name}? if it can be blank")
    sources = needed([declared.source], "source") if declared.source else [""]
    if len(sources) > 1:
        raise fault(f"expected one source in {declared.source}, found {len(sources)}")
    phenomenon = one(declared.phenomenon) or declared.tags.get("phenomenon")
    tags: Tags = {"phenomenon": phenomenon} if phenomenon else {}
    return Item(
        one(declared.id) or str(number),
        sources[0],
        tuple(Variant(text, error=None if n == correct else phenomenon) for n, text in enumerate(variants)),
        correct,
        source_context=sentences(declared.context),
        target_context=sentences(declared.target_context),
        references=tuple(map(Variant, (*more, *texts(_listed(declared.references))))),
        document=one(declared.document),
        tags=tags | others | declared.tags,
    )
