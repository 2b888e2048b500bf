"""MiTTenS (Robinson et al. 2024): the gender of people, from English (``2xx``) and into it (``2en``), in one CSV.

An item has the reference alone. Its own check is for translations into English: a pronoun of the encoded gender and
none of the other is right. The prompt (``inputs``) is left out, the passage in it (``example``) is the source.
``?to=de`` takes one language. A last row that is cut off is left out with a warning.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.io.tables import TableRow, by_name, parse
from kontrast.suites.formats.format import Peek
from kontrast.suites.model import Item, Suite, Variant

_NEEDED = ("targets", "lang", "encoded_gender", "eval_set_key", "example", "format")
_PRONOUNS = {"feminine": {"she", "her", "hers", "herself"}, "masculine": {"he", "him", "his", "himself"}}


def detect(peek: Peek) -> bool:
    return {*_NEEDED, "model_input_hash"} <= set(peek.head.partition("\n")[0].split(","))


def read(path: Path, to: str | None = None) -> Suite:
    items = [item for item in _items(path) if to in (None, item.tags["lang"])]
    if not items:
        raise InputError(path, f"to={to}: no row has this language" if to else "expected rows, found none")
    pairs = {str(item.tags["pair"]) for item in items}
    source, _, target = pairs.pop().partition("-") if len(pairs) == 1 else ("", "", "")
    return Suite(files.suite_name(path), tuple(items), source or None, target or None, style="mittens")


def _items(path: Path) -> Iterator[Item]:
    header: list[str] = []
    for row in _rows(path):
        if not header:
            header = [name.strip() for name in row.cells]
            if missing := [name for name in _NEEDED if name not in header]:
                raise InputError(path, f"expected a column {missing[0]}", line=1)
            continue
        cells = by_name(path, row, header)
        if blank := [name for name in ("lang", "encoded_gender") if not cells[name].strip()]:
            raise InputError(path, f"expected a value in the column {blank[0]}, found none", line=row.line)
        if cells["format"] not in ("2en", "2xx"):
            raise InputError(path, f"expected 2en or 2xx in format, found {cells['format'][:40]!r}", line=row.line)
        into = cells["format"] == "2en"
        pair = f"{cells['lang']}-en" if into else f"en-{cells['lang']}"
        keep = ("lang", "lang_resource_level", "encoded_gender", "format", "example_hash")
        yield Item(
            cells[header[0]] or str(row.number - 1),
            cells["example"],
            (Variant(cells["targets"]),),
            tags={"phenomenon": cells["eval_set_key"], "pair": pair} | {k: cells[k] for k in keep if cells.get(k)},
        )


def _rows(path: Path) -> Iterator[TableRow]:
    """The rows; a last one that is cut off within a cell (none with the next number comes behind it) is left out."""
    text = files.read_text(path)
    last = TableRow(0, [""], (), 1)
    try:
        for row in parse(path, text, ","):
            if any(row.cells):
                last = row
                yield row
    except InputError as error:
        number = int(last.cells[0]) if re.fullmatch("[0-9]{1,9}", last.cells[0]) else -1
        behind = "\n".join(text.split("\n")[(error.line or 1) - 1 :])
        if re.search(rf"^{number + 2},", behind, re.MULTILINE) or not behind.startswith(f"{number + 1},"):
            raise
        print(f"kontrast: warning: {path}: the last row is incomplete and left out", file=sys.stderr)


def outcomes(suite: Suite, translations: Sequence[str]) -> list[Literal["right", "wrong", "both", "neither"]]:
    """By the pronouns of translations into English; any other translation is for a person to decide."""
    if all(item.tags["format"] != "2en" for item in suite.items):
        raise KontrastError("MiTTenS' own check needs translations into English (format 2en), and there are none")
    answers: list[Literal["right", "wrong", "both", "neither"]] = []
    for item, text in zip(suite.items, translations, strict=True):
        words = set(re.findall(r"[a-z]+", text.lower()))
        found = {gender for gender, pronouns in _PRONOUNS.items() if words & pronouns}
        if item.tags["format"] != "2en" or not found:
            answers.append("neither")
        else:
            answers.append("both" if len(found) > 1 else "right" if item.tags["encoded_gender"] in found else "wrong")
    return answers
