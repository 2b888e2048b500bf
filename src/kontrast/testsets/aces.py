"""ACES (Amrhein et al. 2022, metrics): a good and an incorrect translation and a reference per line of a TSV.

Columns by name: ``source``, ``good-translation``, ``incorrect-translation``, ``reference``, ``phenomena``,
``langpair``; others (an ``ID``) are kept as tags. A field may be quoted as spreadsheets do it. The set is also
published as JSON lines with the same names, which are read too. Span-ACES has a column
``incorrect-translation-annotated`` with marks around the error (``<v>…</v>``): its places are the tag ``error_spans``
of the wrong variant, where the text without marks is that of the variant.

Its own evaluation has a tau for each phenomenon, (better - others) / all, where a tie is among the others; the mean
of these in ten categories; and the ACES-Score, their weighted sum.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.io.json_input import read_json_lines
from kontrast.io.names import is_language
from kontrast.io.tables import TableRow, by_name, read_tab_lines, refuse_repeated, renamed, unquoted
from kontrast.suites.formats.format import Lost, Peek
from kontrast.suites.formats.loss import losses
from kontrast.suites.formats.table import as_text
from kontrast.suites.model import Item, Scores, Suite, Variant
from kontrast.testsets.originals import Options, beats_all

COLUMNS = ("source", "good-translation", "incorrect-translation", "reference", "phenomena", "langpair")
_TEXTS = COLUMNS[:5]


def detect(peek: Peek) -> bool:
    first, _, _ = peek.head.partition("\n")
    if first.startswith("{"):
        return peek.has_keys(*COLUMNS[:4])
    return set(COLUMNS[:4]) <= {unquoted(name.strip()) for name in first.split("\t")}


def read(path: Path, columns: str | None = None) -> Suite:
    items = tuple(_json_items(path) if files.first_line(path).startswith("{") else _items(path, columns))
    pairs = {str(item.tags.get("langpair")) for item in items}
    source, _, target = pairs.pop().partition("-") if len(pairs) == 1 else ("", "", "")
    known = is_language(source) and is_language(target)
    return Suite(files.suite_name(path), items, source if known else None, target if known else None, style="aces")


def _items(path: Path, columns: str | None) -> Iterator[Item]:
    rows = read_tab_lines(path)
    first = renamed(path, next(rows, TableRow(1, [""], (), 1)), columns)
    header = [unquoted(name.strip()) for name in first.cells]
    named = ",".join(f"NAME{n}" if name in header[:n] else name for n, name in enumerate(header))
    refuse_repeated(path, first, header, f"rename one, or name all columns after the path: ?columns={named}")
    if missing := [name for name in COLUMNS[:4] if name not in header]:
        raise InputError(path, f"expected the columns {', '.join(COLUMNS)}; missing: {', '.join(missing)}", line=1)
    for row in rows:
        if len(row.cells) > 1 or row.cells[0].strip(" "):
            cells = by_name(path, row, header)
            yield _item({name: unquoted(cell) for name, cell in cells.items()}, row.number - 1)


def _json_items(path: Path) -> Iterator[Item]:
    for number, row in read_json_lines(path, dict[str, Any], f"an object with {', '.join(COLUMNS[:4])}"):
        if missing := [name for name in COLUMNS[:4] if not isinstance(row.get(name), str)]:
            raise InputError(path, f'expected text in "{missing[0]}"', line=number)
        yield _item(row, number)


def _item(row: dict[str, Any], number: int) -> Item:
    phenomenon = str(row.get("phenomena") or "") or None
    tags: dict[str, Any] = {"phenomenon": phenomenon} if phenomenon else {}
    tags |= {name: value for name, value in row.items() if name not in _TEXTS}
    wrong = row["incorrect-translation"]
    spans = _marked(str(row.get("incorrect-translation-annotated") or ""), wrong)
    marked: dict[str, Any] = {"error_spans": spans} if spans else {}
    return Item(
        str(row.get("ID") or number),
        row["source"],
        (Variant(row["good-translation"]), Variant(wrong, error=phenomenon, tags=marked)),
        references=(Variant(row["reference"]),) if row["reference"] else (),
        tags=tags,
    )


def _marked(text: str, plain: str) -> list[list[int]]:
    """The places of marked words; none where the text is another."""
    spans, bare = [], ""
    for place, part in enumerate(re.split(r"</?\w+>", text)):
        if place % 2:
            spans.append([len(bare), len(bare) + len(part)])
        bare += part
    return spans if bare == plain else []


def write(suite: Suite, path: Path) -> list[Lost]:
    if any(len(item.variants) != 2 or len(item.references) > 1 for item in suite.items):
        raise KontrastError("the aces format stores only items of two variants and at most one reference")
    tags = {tag: None for item in suite.items for tag in item.tags if tag != "phenomenon"}
    own = (*_TEXTS, "langpair")
    header = [*_TEXTS, *(tag for tag in tags if tag not in own), "langpair"]
    pair = "-".join(filter(None, (suite.source_language, suite.target_language)))
    rows = [header]
    for item in suite.items:
        texts = (item.source, item.best.text, item.variants[1 - item.correct].text)
        reference = item.references[0].text if item.references else ""
        known = dict(zip(_TEXTS, (*texts, reference, item.phenomenon or ""), strict=True))
        values = {tag: as_text(value) for tag, value in item.tags.items()}
        rows.append([(known | {"langpair": pair} | values | known).get(name, "") for name in header])
    for number, row in enumerate(rows):
        if any(mark in field for field in row for mark in "\t\n\r"):
            raise KontrastError(f"the aces format cannot store a tab or a line end inside a text (item {number})")
    with files.writing(path) as out:
        for row in rows:
            quoted = ('"' + field.replace('"', '""') + '"' if field.startswith('"') else field for field in row)
            out.write("\t".join(quoted) + "\n")
    lost = losses(suite, {"references", "tags", "error", *({"id"} if "ID" in tags else ())})
    clashes = [Lost(f"tag {tag}", len(suite.items)) for tag in tags if tag in _TEXTS]
    # A table has text only: numbers, lists and null come back as text.
    as_other = Counter(tag for item in suite.items for tag in tags if not isinstance(item.tags.get(tag, ""), str))
    return lost + clashes + [Lost(f"tag {tag} as more than text", n) for tag, n in sorted(as_other.items())]


_CATEGORIES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["category"]
WEIGHTS: dict[str, float] = {each["name"]: each["weight"] for each in _CATEGORIES}


def category_of(phenomenon: str) -> str | None:
    """The category of one of ACES' 68 phenomena; None for any other."""
    for category in _CATEGORIES:
        for each in category["phenomena"]:
            if phenomenon == each or (each[-1] in "-_:" and phenomenon.startswith(each)):
                return str(category["name"])
    return None


def lines(suite: Suite, scores: Scores, options: Options) -> Iterator[str]:
    """What its script prints for one metric."""
    import numpy as np

    verdicts: dict[str, list[bool]] = {}
    for item, right in zip(suite.items, beats_all(suite, scores), strict=True):
        verdicts.setdefault(item.phenomenon or "", []).append(right)
    found: dict[str, list[float]] = {}
    yield f"phenomenon\tnum_examples\t{scores.system}"
    for name in sorted(verdicts):
        count, better = len(verdicts[name]), sum(verdicts[name])
        if (category := category_of(name)) is None:
            raise KontrastError(f"ACES has no phenomenon {name!r}, so its evaluation has no category for it")
        found.setdefault(category, []).append((2 * better - count) / count)
        yield f"{name}\t{count}\t{(2 * better - count) / count}"
    means = {name: float(np.mean(taus)) for name, taus in found.items()}
    if options["print_overview"]:
        yield from ("", "Results from top-level analysis:", "", "", scores.system)
        yield from (f"\t{name}\t{mean}" for name, mean in means.items())
    if options["print_aces_score"]:
        score = sum(weight * means.get(name, float("nan")) for name, weight in WEIGHTS.items())
        yield from ("", "Summary score results:", "", f"{scores.system}\tACES-score: {score}")
