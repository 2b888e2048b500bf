"""Mistranslated anaphoric "it" for metrics (EN-DE): ``pro_errors.json`` or the folder it was made from.

The folder holds whole test sets: ``sources/``, ``references/``, ``perturbed_refs/`` (or ``perturbed_data/``) and
``error_indices/`` with the changed lines, counted from 0. The correct variant is the unperturbed reference, the wrong
one the perturbed, and ``references`` has the human translation that a metric compares with: A and B are each other's,
C and D are. The lines before are the context of every text, two of them in the JSON.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.io.json_input import write_json
from kontrast.io.numbers import whole_number
from kontrast.suites.formats.entry import FileEntry, read_entries
from kontrast.suites.formats.format import Lost, Peek
from kontrast.suites.formats.loss import losses
from kontrast.suites.model import Item, Suite, Variant

CONTEXT = 2
"""Sentences of context in the JSON."""
KEPT = 10
"""Sentences of context that items of the folder have, so that ``--context prev:N`` can take as many as it wants."""
PHENOMENON = "pronoun_it"

_PERTURBED = ("perturbed_refs", "perturbed_data")
PAIRS = "A:B,B:A,C:D,D:C"
"""Which reference is scored against which, as the authors did."""


class _Name(NamedTuple):
    """The year of a test set and the letter of a reference, in a file's name; empty where it has none."""

    year: str
    letter: str
    path: Path


class _Text:
    def __init__(self, path: Path) -> None:
        self.path, self.name = path, path.name.split(".")[0]
        self.lines = [line.strip() for line in files.read_lines(path)]


def detect(peek: Peek) -> bool:
    folder = peek.holds("sources", "references", "error_indices")
    return folder or peek.has_keys("wrong translation", "correct translation")


def read(path: Path, pairs: str = PAIRS, context: str = str(KEPT)) -> Suite:
    """``pairs`` (of a folder) says which second reference belongs to which, as in ``A:B,B:A``."""
    if (most := whole_number(context)) is None:
        raise KontrastError(f"context={context}: expected a number of sentences such as {KEPT}")
    items = tuple(_read_folder(path, _partners(pairs), most) if path.is_dir() else _read_json(path))
    return Suite(files.suite_name(path), items, "en", "de", style="pro-errors")


def _partners(pairs: str) -> dict[str, str]:
    partners: dict[str, str] = {}
    for pair in pairs.split(","):
        if not re.fullmatch(r"[A-Z]:[A-Z]", pair):
            raise KontrastError(f"pairs={pairs}: expected letters of references as in {PAIRS}, found {pair!r}")
        if partners.setdefault(pair[0], pair[2]) != pair[2]:
            raise KontrastError(f"pairs={pairs}: {pair[0]} has two partners; give each letter once")
    return partners


def _read_json(path: Path) -> Iterator[Item]:
    for i, entry in read_entries(path, "wrong translation, correct translation and reference"):
        right, wrong = Variant(entry.text("correct translation")), entry.text("wrong translation")
        reference = Variant(entry.text("reference"), context=_context(entry, "reference context"))
        yield Item(
            str(i),
            entry.text("source"),
            (right, Variant(wrong, error=PHENOMENON)),
            source_context=_context(entry, "source context"),
            target_context=_context(entry, "context"),
            references=(reference,),
            tags=entry.rest(),
        )


def _context(entry: FileEntry, key: str) -> tuple[str, ...]:
    """The sentences are joined by a blank in the file and cannot be told apart again."""
    text = entry.text(key)
    return (text,) if text else ()


def _read_folder(folder: Path, partners: dict[str, str], context: int) -> Iterator[Item]:
    sources = {name.year: _Text(name.path) for name in _named(folder / "sources")}
    references = {(name.year, name.letter): _Text(name.path) for name in _named(folder / "references")}
    perturbed_folder = next(
        (folder / name for name in _PERTURBED if (folder / name).is_dir()), folder / _PERTURBED[0]
    )
    perturbed = {(name.year, name.letter): _Text(name.path) for name in _named(perturbed_folder)}
    for name in _named(folder / "error_indices"):
        key = (name.year, name.letter)
        for found, kind in ((name.year in sources, "source"), (key in references, "reference")):
            if not found:
                raise InputError(name.path, f"there is no {kind} file for {name.year} {name.letter} in {folder}")
        if key not in perturbed:
            raise InputError(
                name.path, f"there is no perturbed file for {name.year} {name.letter} in {perturbed_folder}"
            )
        second = references.get((name.year, partners.get(name.letter, "")))
        texts = sources[name.year], references[key], perturbed[key], second
        for text in texts:
            if text is not None:
                files.refuse_length(text.path, len(text.lines), len(texts[0].lines), f" as in {texts[0].path.name}")
        for line in _indices(name.path, len(references[key].lines)):
            yield _item(name, line, context, *texts)


def _item(name: _Name, line: int, most: int, source: _Text, right: _Text, wrong: _Text, second: _Text | None) -> Item:
    before = slice(max(0, line - most), line)
    context, wrong_context = tuple(right.lines[before]), tuple(wrong.lines[before])
    foil = Variant(wrong.lines[line], PHENOMENON, wrong_context if wrong_context != context else None)
    others = (Variant(second.lines[line], context=tuple(second.lines[before])),) if second else ()
    return Item(
        f"{source.name}.{name.letter}.{line + 1}",
        source.lines[line],
        (Variant(right.lines[line]), foil),
        source_context=tuple(source.lines[before]),
        target_context=context,
        references=others,
        document=source.name,
        segment=line + 1,
        tags={"test_set": source.name, "reference": name.letter, "line": line + 1},
    )


def _named(folder: Path) -> list[_Name]:
    if not folder.is_dir():
        raise InputError(
            folder, "there is no such folder; expected sources, references, perturbed_refs, error_indices"
        )
    names = []
    for path in folder.iterdir():
        year = re.search(r"(?<!\d)(20\d\d)(?!\d)", path.name)
        letter = re.search(r"ref[-_.]?([A-Z])(?![A-Za-z])", path.name)
        if year and path.is_file() and not path.name.startswith("."):
            names.append(_Name(year[1], letter[1] if letter else "", path))
    return sorted(names)


def _indices(path: Path, length: int) -> Iterator[int]:
    for number, line in enumerate(files.read_lines(path), start=1):
        if not (text := line.strip()):
            continue
        if (index := whole_number(text)) is None or index >= length:
            told = f"expected a line's number from 0 to {length - 1}, found {text[:40]!r}"
            raise InputError(path, told, line=number)
        yield index


def write(suite: Suite, path: Path) -> list[Lost]:
    """The JSON form; the folder form is made of whole test sets, which a suite does not hold."""
    if any(len(item.variants) != 2 or len(item.references) > 1 for item in suite.items):
        raise KontrastError("the pro-errors format stores only items of two variants and at most one reference")
    entries = []
    lost: Counter[str] = Counter()
    for item in suite.items:
        reference = item.references[0] if item.references else Variant("")
        texts = {
            "wrong translation": item.variants[1 - item.correct].text,
            "correct translation": item.best.text,
            "context": _joined(item.target_context),
            "reference": reference.text,
            "reference context": _joined(reference.context),
            "source": item.source,
            "source context": _joined(item.source_context),
        }
        lost.update(f"tag {tag}" for tag in item.tags if tag in texts)
        contexts = (item.source_context, item.target_context, reference.context)
        lost["context as several sentences"] += any(len(context or ()) > 1 for context in contexts)
        lost[f"context beyond {CONTEXT} sentences"] += any(len(context or ()) > CONTEXT for context in contexts)
        entries.append({**item.tags, **texts})
    write_json(path, entries)
    kept = {"source_context", "target_context", "references", "tags"}
    own = {"error"} if suite.style == "pro-errors" else set()
    more = [Lost(field, count) for field, count in sorted(lost.items()) if count]
    return [each for each in losses(suite, kept) if each.field not in own] + more


def _joined(context: tuple[str, ...] | None) -> str:
    return " ".join((context or ())[-CONTEXT:])
