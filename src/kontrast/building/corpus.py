"""Parallel text: two files line by line, an OPUS archive, or the documents of a folder or archive."""

from __future__ import annotations

import random
import zipfile
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.io.files import open_lines, read_lines, refuse_overwriting
from kontrast.language.words import other_language
from kontrast.suites.documents import document_runs
from kontrast.suites.lint.language import foreign_script

SHARES = 64
"""An archive cannot be read in another order: by a seed, its documents are dealt out to so many readings."""


class Document(msgspec.Struct, frozen=True):
    """One document in two languages, line by line."""

    name: str
    source: tuple[str, ...]
    target: tuple[str, ...]
    links: tuple[frozenset[tuple[int, int]], ...] = ()
    """Word links that were made elsewhere, for each line; none where they are made here."""


def refuse_other_language(path: str | Path, language: str, lines: Iterable[str], pair: str) -> None:
    """An error where one side of a pair is rather in another language than the pair says, or in another script."""
    given = list(lines)
    if other := other_language(language, given):
        raise InputError(path, f"looks like {other!r}, not {language!r}: check --pair {pair}")
    if script := foreign_script(language, " ".join(given)):
        raise InputError(
            path, f"is not in {script} letters, but {language!r} is written in them: check --pair {pair}"
        )


def parallel_lines(source: str | Path, target: str | Path) -> Iterator[tuple[str, str]]:
    """Pairs of lines; files of unequal length are an error at the line where one ends."""
    for number, (a, b) in enumerate(zip_longest(open_lines(source), open_lines(target)), start=1):
        if a is None or b is None:
            short, long = (source, target) if a is None else (target, source)
            raise InputError(
                short, f"ends before this line, but {long} does not: expected files of equal length", line=number
            )
        yield a, b


class PairedLine(msgspec.Struct, frozen=True):
    """A line of both languages, and where it stands: its document, and its line there counted from 1."""

    source: str
    target: str
    document: str | None = None
    line: int | None = None


def parallel_pairs(
    source: str | Path, target: str | Path | None, source_language: str, target_language: str
) -> Iterator[PairedLine]:
    """Pairs of lines of two files; of an OPUS archive (``.txt.zip``) or a folder of documents where there is one."""
    place = Path(source)
    if target is not None or not (place.is_dir() or _has_ids(place)):
        codes = source_language, target_language
        sides = (source, target) if target is not None else [_member(source, f".{code}") for code in codes]
        yield from (PairedLine(a, b) for a, b in parallel_lines(*sides))
        return
    for document in parallel_documents(source, source_language, target_language):
        for number, (a, b) in enumerate(zip(document.source, document.target, strict=True), start=1):
            yield PairedLine(a, b, document.name, number)


def corpus_files(
    source: str | Path, target: str | Path | None, source_language: str, target_language: str
) -> Iterator[Path]:
    """The files that `parallel_pairs` and `parallel_documents` read."""
    if target is None and Path(source).is_dir():
        for paths in _documents(Path(source), source_language, target_language):
            yield from paths
    else:
        yield from map(Path, (source,) if target is None else (source, target))


def check_out(out: str | Path, inputs: Iterable[Path]) -> None:
    """An error where a result would be written over what it is made from, or over a folder."""
    if Path(out).is_dir():
        raise KontrastError(f"--out {out} is a folder; name a file")
    refuse_overwriting(out, inputs)


def parallel_documents(
    place: str | Path, source_language: str, target_language: str, seed: int | None = None
) -> Iterator[Document]:
    """The documents below a folder (``YEAR/NAME.LANGUAGE``) that have both languages, in the order of their names, or
    in an order by a ``seed``.

    In place of a folder, an OPUS archive with its ``.ids`` file: the documents in the order of their lines; with a
    ``seed`` it is read several times, some of the documents each time. A name that stands twice is an error: items
    name their document by it.
    """
    known: set[str] = set()
    for document in _each_document(Path(place), source_language, target_language, seed):
        if document.name in known:
            raise InputError(place, f"expected each document once, found {document.name} again")
        known.add(document.name)
        yield document


def _each_document(place: Path, source_language: str, target_language: str, seed: int | None) -> Iterator[Document]:
    if place.suffix.lower() == ".zip" and place.is_file():
        ids, *texts = (_member(place, ending) for ending in (".ids", f".{source_language}", f".{target_language}"))
        for share in range(SHARES if seed is not None else 1):
            for name, pairs in document_runs(ids, *texts):
                if seed is None or random.Random(f"{seed} {name}").randrange(SHARES) == share:
                    source, target = zip(*pairs, strict=True)
                    yield Document(name, source, target)
        return
    paths = list(_documents(place, source_language, target_language))
    if seed is not None:
        random.Random(seed).shuffle(paths)
    for path, other in paths:
        source, target = tuple(read_lines(path)), tuple(read_lines(other))
        if len(source) != len(target):
            line = min(len(source), len(target)) + 1
            raise InputError(other, f"has {len(target)} lines, but {path.name} has {len(source)}", line=line)
        yield Document(path.stem, source, target)
    if not paths:
        raise InputError(place, f"has no document in both {source_language} and {target_language}")


def _documents(folder: Path, source_language: str, target_language: str) -> Iterator[tuple[Path, Path]]:
    if not folder.is_dir():
        raise InputError(
            folder, "expected a folder of documents, YEAR/NAME.LANGUAGE, as written by `kontrast documents`"
        )
    for path in sorted(folder.rglob(f"*.{source_language}")):
        other = path.with_suffix(f".{target_language}")
        if other.exists():
            yield path, other


def single_documents(place: str | Path, source_language: str, target_language: str) -> list[str]:
    """The files below a folder that are a document in one of the two languages only; none in an archive."""
    found = {code: sorted(Path(place).rglob(f"*.{code}")) for code in (source_language, target_language)}
    stems = {code: {path.with_suffix("") for path in paths} for code, paths in found.items()}
    others = {source_language: target_language, target_language: source_language}
    return [p.name for code, paths in found.items() for p in paths if p.with_suffix("") not in stems[others[code]]]


def _has_ids(archive: Path) -> bool:
    return archive.is_file() and any(name.endswith(".ids") for name in _names(archive))


def _member(archive: str | Path, ending: str) -> Path:
    """The one file in an archive whose name ends so, as ``A.zip/NAME``."""
    names = [name for name in _names(archive) if name.endswith(ending)]
    if len(names) != 1:
        raise InputError(archive, f"expected one file in it that ends in {ending}, found {len(names)}")
    return Path(archive) / names[0]


def _names(archive: str | Path) -> list[str]:
    try:
        with zipfile.ZipFile(archive) as opened:
            return opened.namelist()
    except (OSError, zipfile.BadZipFile, NotImplementedError) as error:
        reason = "expected two files, a folder of documents, or an archive of OPUS (.txt.zip)"
        if Path(archive).is_file() and not str(archive).lower().endswith(".zip"):
            told = "found one file; a table of two columns becomes two files with cut -f1 and cut -f2"
            raise InputError(archive, f"{reason}; {told}") from error
        raise InputError(archive, f"{reason} ({error})") from error
