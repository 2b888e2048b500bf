"""DistilLingEval (Vamvas & Sennrich 2021, EN-DE): folders with three line-aligned files, one folder per type.

``src.en``, ``tgt.correct.de``, ``tgt.incorrect.de``. The folder's name says the type and where the correct text comes
from (``np_agreement.mt``); a folder of such folders is one suite, in the order of their names.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.io.names import file_name, language_code
from kontrast.suites.formats.format import Lost, Peek
from kontrast.suites.formats.loss import losses
from kontrast.suites.model import Item, Scores, Suite, Tags, Variant
from kontrast.testsets.originals import Options

_ORIGINS = ("human", "mt")
_PARTS = ("src", "tgt.correct", "tgt.incorrect")


def _folders(path: Path) -> list[Path]:
    """The folder itself, or those in it, that hold the three files."""
    try:
        folders = [path, *sorted(child for child in path.iterdir() if child.is_dir())]
        parts = {folder: [part for part in _PARTS if _find(folder, part)] for folder in folders}
    except OSError as error:
        raise InputError(path, f"cannot be read ({error.strerror or error})") from error
    if any(len(found) == len(_PARTS) for found in parts.values()):
        for folder, found in parts.items():
            if found and len(found) < len(_PARTS):
                missing = ", ".join(f"{part}.LANGUAGE" for part in _PARTS if part not in found)
                raise InputError(
                    folder, f"expected {missing} in addition to {', '.join(found)}; the folder is incomplete"
                )
    return [folder for folder, found in parts.items() if len(found) == len(_PARTS)]


def _find(folder: Path, part: str) -> list[Path]:
    return sorted(file for file in folder.glob(f"{part}.*") if file.name.count(".") == part.count(".") + 1)


def detect(peek: Peek) -> bool:
    return peek.is_folder and bool(_folders(peek.path))


def read(path: Path) -> Suite:
    folders = _folders(path) if path.is_dir() else []
    if not folders:
        raise InputError(path, "expected a folder with src.en, tgt.correct.de and tgt.incorrect.de")
    items: list[Item] = []
    languages: set[tuple[str, str]] = set()
    for folder in folders:
        found = {part: _find(folder, part) for part in _PARTS}
        for part, there in found.items():
            if len(there) != 1:
                names = ", ".join(file.name for file in there)
                raise InputError(folder, f"expected one file {part}.LANGUAGE, found {names}")
        source, correct, incorrect = (file for (file,) in found.values())
        languages.add((source.suffix[1:], correct.suffix[1:]))
        items.extend(_items(folder, files.read_aligned(source, correct, incorrect), start=len(items) + 1))
    if len(languages) != 1:
        raise InputError(path, "expected one pair of languages in all folders")
    ((source_language, target_language),) = languages
    name = files.suite_name(path.resolve())
    return Suite(name, tuple(items), source_language, target_language, style="distil-lingeval")


def _items(folder: Path, rows: Iterator[tuple[str, ...]], start: int) -> Iterator[Item]:
    phenomenon, _, origin = folder.resolve().name.rpartition(".")
    tags: Tags = {"origin": origin}
    if origin not in _ORIGINS or not phenomenon:
        phenomenon, tags = folder.resolve().name, {}
    for number, (source, correct, incorrect) in enumerate(rows, start=start):
        variants = (Variant(correct), Variant(incorrect, error=phenomenon))
        yield Item(str(number), source, variants, tags={"phenomenon": phenomenon, **tags})


def write(suite: Suite, path: Path) -> list[Lost]:
    """One folder per type within ``path``; ``path`` itself where there is only one and it bears its name."""
    source, target = language_code(suite.source_language or "en"), language_code(suite.target_language or "de")
    rows: dict[str, list[tuple[str, str, str]]] = {}
    in_order: list[tuple[str, str, str]] = []
    for item in suite.items:
        if suite.unit == "item" and (found := len(item.foils)) != 1:
            raise KontrastError(f"distil-lingeval has one wrong variant per item, but item {item.id} has {found}")
        for variant in item.foils:
            kind = variant.error or item.phenomenon or suite.name
            origin = item.tags.get("origin")
            folder = f"{kind}.{origin}" if origin in _ORIGINS else str(kind)
            row = (item.source, item.best.text, variant.text)
            in_order.append(row)
            rows.setdefault(file_name(re.sub(r"^\.|[^\w.-]", "_", folder)), []).append(row)
    if not rows:
        raise KontrastError("the distil-lingeval format has pairs of a correct and a wrong variant; found none")
    columns: dict[Path, Sequence[str]] = {}
    for folder, lines in rows.items():
        place = path if list(rows) == [path.name] else path / folder
        for part, texts in zip(_PARTS, zip(*lines, strict=True), strict=True):
            columns[place / f"{part}.{source if part == 'src' else target}"] = texts
    folders = _folders(path) if path.is_dir() else ()
    old = [file for folder in folders for part in _PARTS for file in _find(folder, part)]
    files.write_columns(columns, old)
    for emptied in {file.parent for file in old} - {file.parent for file in columns} - {path}:
        if not any(emptied.iterdir()):
            emptied.rmdir()
    written = [row for folder in sorted(rows) for row in rows[folder]]
    counts = {
        "tags": sum(
            not item.tags.keys() <= {"phenomenon", "origin"} or item.tags.get("origin", "mt") not in _ORIGINS
            for item in suite.items
        ),
        "items without a wrong variant": sum(len(item.variants) < 2 for item in suite.items),
    }
    lost = [Lost(field, count) for field, count in counts.items() if count]
    lost += [Lost("order of rows", 0)] if written != in_order else []
    return losses(suite, {"error", "id", "tags"}) + lost


def lines(suite: Suite, scores: Scores, options: Options) -> Iterator[str]:
    """Higher is better, a tie is right, and the score file has all correct rows, then all incorrect."""
    values = scores.values if not scores.lower_is_better else tuple(-value for value in scores.values)
    half = len(values) // 2
    if scores.signature is None:
        correct, incorrect = values[:half], values[half:]
    else:  # kontrast's own score files follow the rows
        correct, incorrect = values[::2], values[1::2]
    right = sum(good >= bad for good, bad in zip(correct, incorrect, strict=True))
    yield f"Accuracy: {100 * (right / half) if half else 0:.1f}"


def row_order(values: Sequence[float]) -> tuple[float, ...]:
    """Scores as its own script wants them, all correct and then all incorrect, in the order of rows."""
    half = len(values) // 2
    return tuple(chain.from_iterable(zip(values[:half], values[half:], strict=True)))
