"""ContraCAT (Stojanovski et al. 2020, EN-DE): ContraPro changed so that a system without coreference is misled.

The adversarial sets are ``en.txt`` and ``de.txt`` (or ``…_en_tok.txt`` and ``…_de_tok.txt``), a line per row with the
context before the sentence, and ``sentence_groups.txt`` with the first and the last row of each item (from 0, the end
not included), beside them or in a folder above. Without that file rows of one source form an item. The templates and
the synonyms come as ContraPro's JSON, which the ``contrapro`` format reads.
"""

import re
from itertools import accumulate, groupby, pairwise
from pathlib import Path

from kontrast.errors import InputError
from kontrast.io import files
from kontrast.suites.formats.format import Peek
from kontrast.suites.model import Item, Suite, Variant

GROUPS = "sentence_groups.txt"
_NAME = re.compile(r"(?P<before>.*_)?(?:en|de)(?P<behind>_tok|_bpe)?\.txt")
_SEPARATOR = re.compile(r"\s*(?:<SEP>|_eos)\s*")


def _files(path: Path) -> tuple[Path, Path] | None:
    if path.is_dir():
        found = [pair for file in sorted(path.glob("*en*.txt")) if (pair := _files(file))]
        return found[0] if len(found) == 1 else None
    named = _NAME.fullmatch(path.name)
    if named is None:
        return None
    before, behind = named["before"] or "", named["behind"] or ""
    english, german = (path.with_name(f"{before}{code}{behind}.txt") for code in ("en", "de"))
    return (english, german) if english.is_file() and german.is_file() else None


def _groups(path: Path) -> Path | None:
    """The file of groups, in the folder or in one of three above it."""
    start = path.resolve() if path.is_dir() else path.resolve().parent
    return next((p for folder in (start, *start.parents[:3]) if (p := folder / GROUPS).is_file()), None)


def detect(peek: Peek) -> bool:
    return _files(peek.path) is not None and _groups(peek.path) is not None


def read(path: Path, groups: str | None = None) -> Suite:
    pair = _files(path)
    if pair is None:
        raise InputError(path, "expected en.txt and de.txt, or …_en_tok.txt and …_de_tok.txt")
    rows = list(files.read_aligned(*pair))
    named = Path(groups) if groups else _groups(path)
    sizes = (len(list(group)) for _, group in groupby(rows, key=lambda row: row[0]))
    bounds = _bounds(named, len(rows)) if named else list(pairwise(accumulate(sizes, initial=0)))
    items = tuple(_item(str(n), rows[start:end], pair[0], start) for n, (start, end) in enumerate(bounds, start=1))
    return Suite(files.suite_name(path), items, "en", "de", style="contracat")


def _bounds(path: Path, count: int) -> list[tuple[int, int]]:
    bounds: list[tuple[int, int]] = []
    for number, line in enumerate(files.read_lines(path), start=1):
        found = re.fullmatch(r"(\d{1,9})\s+(\d{1,9})", line.strip(), re.ASCII)
        start, end = (int(found[1]), int(found[2])) if found else (-1, -1)
        if start != (bounds[-1][1] if bounds else 0) or end <= start:
            wanted = "expected the first row of an item and that of the next item"
            raise InputError(path, f"{wanted}, found {line[:40]!r}", line=number)
        bounds.append((start, end))
    if not bounds or bounds[-1][1] != count:
        told = f"expected groups of {count} rows in all, found {bounds[-1][1] if bounds else 0}"
        raise InputError(path, f"{told}; ?groups=FILE names the groups of a part")
    return bounds


def _item(id: str, rows: list[tuple[str, ...]], path: Path, start: int) -> Item:
    if len({row[0] for row in rows}) > 1:
        raise InputError(path, "expected the same source in all rows of an item", line=start + 2)
    *before, source = _SEPARATOR.split(rows[0][0])
    targets = [_SEPARATOR.split(row[1]) for row in rows]
    contexts = [tuple(parts[:-1]) for parts in targets]
    shared = len(set(contexts)) == 1
    variants = (
        Variant(parts[-1], error="pronoun" if n else None, context=None if shared else contexts[n])
        for n, parts in enumerate(targets)
    )
    return Item(
        id,
        source,
        tuple(variants),
        source_context=tuple(before),
        target_context=contexts[0] if shared else None,
        tags={"phenomenon": "pronoun"},
    )
