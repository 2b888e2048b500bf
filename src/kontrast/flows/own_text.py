"""Suites on what a system wrote: lines and items that something speaks against are left out and counted."""

import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.io.files import read_lines
from kontrast.suites.model import Item, Suite

Line = tuple[str | None, int]
"""A document and a line of it, from 0; a plain file has no name."""


@contextmanager
def screened_file(
    out: str | Path, source: str | Path, reference: str | Path, translations: str | Path, human: Suite
) -> Iterator[tuple[Path, Counter[str]]]:
    """A file beside ``out`` with the lines of a system's translations that nothing speaks against, others empty.

    ``human`` is the same suite on the references: where the system wrote one of its errors, `check` finds it.
    """
    from kontrast.building.corpus import check_out
    from kontrast.building.own_text import screened
    from kontrast.language.words import looks_like

    check_out(out, [Path(translations)])
    sources, references, own = (read_lines(path) for path in (source, reference, translations))
    if len(own) != len(sources):
        line = min(len(own), len(sources)) + 1
        raise InputError(translations, f"has {len(own)} lines, but {source} has {len(sources)}", line=line)
    language = human.target_language or ""
    if not looks_like(language, own):
        raise InputError(translations, f"does not look like {language!r}")
    lines, left_out = screened(sources, references, own, language)
    for _, number in wrote_error(human, {(None, n): text for n, text in enumerate(own)}):
        if lines[number]:
            lines[number] = ""
            left_out["it contains an error of the suite"] += 1
    if not any(lines):
        raise InputError(translations, f"has no usable line: {_told(left_out)}")
    place = Path(f"{out}.own")
    place.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    try:
        yield place, left_out
    finally:
        place.unlink(missing_ok=True)


@contextmanager
def screened_documents(
    out: str | Path, documents: str | Path, translations: str | Path, languages: tuple[str, str]
) -> Iterator[tuple[Path, dict[Line, str], dict[Line, str]]]:
    """A folder beside ``out`` of the sources with a system's translations; every line, and why some are left out."""
    from kontrast.building.corpus import parallel_documents
    from kontrast.building.own_text import screened

    place = Path(f"{out}.own")
    faults: dict[Line, str] = {}
    own: dict[Line, str] = {}
    for document in parallel_documents(documents, *languages):
        found = sorted(Path(translations).rglob(f"{document.name}.{languages[1]}"))
        if len(found) != 1:
            told = "is there twice" if found else "is missing"
            raise InputError(translations, f"{document.name}.{languages[1]} {told}: expected one file per document")
        texts = read_lines(found[0])
        if len(texts) != len(document.source):
            line = min(len(texts), len(document.source)) + 1
            told = f"has {len(texts)} lines, but the source of {document.name} has {len(document.source)}"
            raise InputError(found[0], told, line=line)
        lines, _ = screened(document.source, document.target, texts, languages[1])
        own |= {(document.name, n): text for n, text in enumerate(texts)}
        faults |= {(document.name, n): "source, reference or text" for n, text in enumerate(lines) if not text}
        place.mkdir(exist_ok=True)
        for side, language in zip((document.source, texts), languages, strict=True):
            (place / f"{document.name}.{language}").write_text("".join(f"{t}\n" for t in side), "utf-8")
    try:
        yield place, own, faults
    finally:
        shutil.rmtree(place, ignore_errors=True)


def wrote_error(human: Suite, own: Mapping[Line, str]) -> set[Line]:
    """The lines in which `check` finds an error of the suite on the references."""
    from kontrast.judging.check import judge_translations

    placed = [(item, place) for item in human.items if (place := _line_of(item, human)) in own]
    if not placed:
        return set()
    suite = msgspec.structs.replace(human, items=tuple(item for item, _ in placed))
    found = judge_translations(suite, [own[place] for _, place in placed])
    places = {item.id: place for item, place in placed}
    return {places[each.item] for each in found.items if each.verdict in ("wrong", "both")}


def _line_of(item: Item, suite: Suite) -> Line:
    """Where an item comes from: its document's line, or the number in its origin (``NAME.LINE``, from 1)."""
    if item.segment is not None:
        return item.document, item.segment - (suite.segment_base or 0)
    name, _, number = str(item.tags.get("origin", "")).rpartition(".")
    return None, int(number) - 1 if name and number.isdigit() else -1


def kept_items(suite: Suite, faulty: Mapping[Line, str], left_out: Counter[str]) -> Suite:
    """The suite, tagged ``text: own``, without items on a faulty line or that lint finds fault with."""
    from kontrast.building.own_text import by_lint

    linted = by_lint(suite)
    kept = []
    for item in suite.items:
        why = faulty.get(_line_of(item, suite)) or (f"lint: {linted[item.id]}" if item.id in linted else None)
        if why:
            left_out[why] += 1
        else:
            kept.append(msgspec.structs.replace(item, tags={**item.tags, "text": "own"}))
    if not kept:
        raise KontrastError(f"--on: no item is left ({_told(left_out)})")
    return msgspec.structs.replace(suite, items=tuple(kept))


def _told(left_out: Counter[str]) -> str:
    return ", ".join(f"{why} ({n})" for why, n in left_out.most_common(4))
