"""The catalogue: choose from it, cite it, fetch and verify a suite."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from kontrast.suites.catalogue import Entry, entry
from kontrast.suites.fetch import Fetched


def entries(lang: str | None = None, kind: Literal["suite", "splits", "corpus"] | None = None) -> list[Entry]:
    """What exists, as `kontrast suites list` shows it: all, or those with a language or pair, or of a kind.

    >>> import kontrast
    >>> [each.name for each in kontrast.entries("en-de", "corpus")][:1]
    ['opensubtitles2018-en-de']
    """
    from kontrast.suites import catalogue as room

    return [
        each
        for each in room.entries()
        if (kind is None or each.kind == kind)
        and (lang is None or any(lang == pair or lang in pair.split("-") for pair in each.languages))
    ]


def cite(*names: str) -> str:
    """BibTeX of these, each citation once, as `kontrast cite` prints it: entries of the catalogue, suites, kontrast.

    >>> import kontrast
    >>> kontrast.cite("contrapro").startswith("@")
    True
    """
    return "\n\n".join(dict.fromkeys(text for name in names if (text := _citation(name).strip())))


def _citation(name: str) -> str:
    from kontrast.reporting.paper import KONTRAST
    from kontrast.suites.formats import load

    if name == "kontrast":
        return KONTRAST
    bare = name.partition("?")[0]
    if Path(bare).exists() or bare.startswith("demo:"):
        return load(name).citation or ""
    return entry(bare).citation


def fetch_suite(
    name: str | Entry, *, source: str | Path | None = None, documents: str | Path | None = None
) -> Fetched:
    """Fetch an entry into the cache and verify it, as `kontrast suites get` does.

    Where a score file with a published result came along, its result is computed again: ``published_right`` and
    ``published_total`` are what was found.

    >>> import tempfile
    >>> import kontrast
    >>> kontrast.fetch_suite("contrapo")
    Traceback (most recent call last):
    kontrast.errors.KontrastError: there is no 'contrapo' in the catalogue; did you mean contrapro?
    """
    from kontrast.suites import fetch as room
    from kontrast.testsets.originals import original_texts

    done = room.fetch_suite(name, source=source, documents=documents)
    published = entry(done.name).published
    if published is None or not done.sets:
        return done
    scores = Path(done.folder) / published.scores
    if not scores.is_file():
        return done
    text = next(original_texts(next(iter(done.sets.values())), [scores]))
    right, total = map(int, text.partition("\n")[0].split()[2:4])
    return msgspec.structs.replace(done, published_right=right, published_total=total)
