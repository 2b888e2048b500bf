"""From the path that the user names to entries: a suite, candidates, or a folder of them."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.review.candidates import Texts, is_candidates, read_candidates
from kontrast.review.entries import ReviewEntry, entries_of, unique
from kontrast.suites import formats
from kontrast.suites.context import ContextSpan
from kontrast.suites.extraction import with_documents
from kontrast.suites.model import Suite

CANDIDATES = "candidates.jsonl"
FEWEST, MOST = 2, 10
"""Sentences before that documents give: as far back as antecedents stand, within these."""
ENDINGS = (".json", ".jsonl", ".tsv", ".csv")


class ReviewFiles(msgspec.Struct, frozen=True):
    """All entries, and for each part (file) the suite without its items, whose fields an export keeps."""

    name: str
    entries: tuple[ReviewEntry, ...]
    headers: dict[str, Suite]

    @property
    def languages(self) -> tuple[str | None, str | None]:
        found = next(iter(self.headers.values()), Suite("", ()))
        return found.source_language, found.target_language


def read(
    path: str | Path,
    *,
    format: str | None = None,
    pair: str | None = None,
    texts: Texts = Texts(),  # noqa: B008
) -> ReviewFiles:
    """Read what is to be reviewed. ``pair`` gives languages that the file does not say."""
    place = Path(path)
    if format is None and place.is_dir() and not _is_suite(place):
        if (place / CANDIDATES).exists():
            place = place / CANDIDATES
        else:
            return _folder(place, pair, texts)
    entries, header = _one(place if place.exists() else path, "", format, pair, texts)
    return ReviewFiles(header.name, tuple(unique(entries)), {"": header})


def _folder(folder: Path, pair: str | None, texts: Texts) -> ReviewFiles:
    """Every suite and every file of candidates in it, each a part of its own."""
    entries: list[ReviewEntry] = []
    headers: dict[str, Suite] = {}
    for path in sorted(folder.iterdir()):
        if not path.is_file() or path.name.startswith(".") or not _ending(path):
            continue
        if not is_candidates(path) and not _is_suite(path):
            continue
        found, headers[path.name] = _one(path, path.name, None, pair, texts)
        entries += found
    if not headers:
        raise InputError(folder, "has no suite and no candidates in it")
    return ReviewFiles(folder.resolve().name, tuple(unique(entries)), headers)


def _one(
    path: str | Path, part: str, format: str | None, pair: str | None, texts: Texts
) -> tuple[list[ReviewEntry], Suite]:
    if format is None and is_candidates(Path(path)):
        made = list(read_candidates(Path(path), texts))
        entries = [msgspec.structs.replace(e, part=part, key=f"{part}:{e.key}" if part else e.key) for e in made]
        aligned = any(entry.pair is not None for entry in entries)
        source, target = _pair(pair) if pair else ("en", "de") if aligned else (None, None)
        style = "pro-errors" if aligned else None
        name = files.suite_name(path)
        if name == files.suite_name(CANDIDATES):
            name = Path(path).resolve().parent.name
        return entries, Suite(name, (), source, target, style=style)
    suite = formats.load(path, format)
    if pair:
        source, target = _pair(pair)
        suite = msgspec.structs.replace(suite, source_language=source, target_language=target)
    if texts.documents is not None and any(item.document for item in suite.items):
        far = (str(item.tags.get("distance", "")) for item in suite.items)
        most = max([FEWEST, *(int(each) for each in far if each.isdecimal())])
        suite = with_documents(suite, texts.documents, ContextSpan(previous=min(most, MOST)))
    return list(entries_of(suite, part)), msgspec.structs.replace(suite, items=())


def _pair(pair: str) -> tuple[str, str]:
    source, _, target = pair.partition("-")
    if not source or not target:
        raise KontrastError(f"--pair: expected two languages as in en-pt, found {pair!r}")
    return source, target


def _is_suite(path: Path) -> bool:
    try:
        formats.detect(path)
    except KontrastError:
        return False
    return True


def _ending(path: Path) -> bool:
    return path.name.removesuffix(".gz").removesuffix(".zst").endswith(ENDINGS)


def fingerprint(path: str | Path, *others: Any) -> str | None:
    """Of the bytes of the file, or of all files of the folder; None where there is nothing on disk to look at."""
    place = Path(path)
    if not (place.is_file() or place.is_dir()):  # a pipe would never end; the reader says so
        return None
    digest = hashlib.sha256(repr(others).encode())
    named = sorted(p for p in place.rglob("*") if p.is_file()) if place.is_dir() else [place]
    for name in named:
        digest.update(f"{name.name}\0".encode())
        with open(name, "rb") as stream:
            while piece := stream.read(1 << 20):
                digest.update(piece)
    return digest.hexdigest()
