"""The catalogue: which suites and corpora exist, their licence, size, citation and home, and where a fetched one is.

It is data: a ``NAME.toml`` for each test set, and ``catalogue.toml`` beside this file. ``docs/catalogue.md`` is made
of it. Fetched files lie in the cache: ``KONTRAST_CACHE``, else ``~/.cache/kontrast``.
"""

from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from kontrast.errors import KontrastError
from kontrast.io.files import cache_folder
from kontrast.io.toml_input import from_toml, read_toml
from kontrast.record import Record
from kontrast.suites.testset import testsets


class Published(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A published result: what the suite's own script gives for a score file that comes with it."""

    scores: str
    right: int
    total: int


class DocumentFiles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which of a corpus' files `documents` takes (patterns)."""

    ids: str
    source: str
    target: str


class Entry(Record, frozen=True, forbid_unknown_fields=True):
    """One suite or corpus. ``sets`` names the suites inside it; ``items`` and ``rows`` are over all of them
    together, ``set_items`` gives the items of each where they are known.
    """

    name: str
    title: str
    kind: Literal["suite", "splits", "corpus"]
    languages: tuple[str, ...]
    size: str
    licence: str
    home: str
    citation: str
    phenomena: tuple[str, ...] = ()
    items: int | None = None
    rows: int | None = None
    format: str | None = None
    paper: str | None = None
    note: str | None = None
    corpora: tuple[str, ...] = ()
    downloads: tuple[tuple[str, ...], ...] = ()
    sets: dict[str, str] = {}
    set_items: dict[str, int] = {}
    sha256: dict[str, str] = {}
    published: Published | None = None
    documents: DocumentFiles | None = None


def entries(lang: str | None = None, kind: Literal["suite", "splits", "corpus"] | None = None) -> list[Entry]:
    """The catalogue, as `kontrast suites list` shows it: all entries, or those of a language, pair or kind.

    >>> import kontrast
    >>> [each.name for each in kontrast.entries("en-de", "corpus")][:1]
    ['opensubtitles2018-en-de']
    >>> kontrast.entries("EN-DE") == kontrast.entries("en-de")
    True
    """
    asked = lang.lower() if lang is not None else None
    return [
        each
        for each in _all_entries()
        if kind in (None, each.kind)
        and (asked is None or any(asked in (low := pair.lower(), *low.split("-")) for pair in each.languages))
    ]


@cache
def _all_entries() -> tuple[Entry, ...]:
    paths = [each.catalogue for each in testsets().values()]
    paths = [*(path for path in paths if path.is_file()), Path(__file__).with_suffix(".toml")]
    return tuple(
        from_toml(path, each, Entry)
        for path in paths
        for each in read_toml(path)["entry"]  # the file may declare a format too
    )


def entry(name: str) -> Entry:
    """The entry of that name.

    >>> entry("contrapro").licence
    'MIT'
    """
    known = {each.name: each for each in entries()}
    if name not in known:
        import difflib

        near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]}?" if near else "see kontrast suites list"
        raise KontrastError(f"there is no {name!r} in the catalogue; {hint}")
    return known[name]


def folder_of(entry: Entry) -> Path:
    """The entry's folder in the cache, fetched or not."""
    return cache_folder() / "suites" / entry.name


def set_paths(entry: Entry, folder: Path) -> dict[str, Path]:
    """The suites of the entry that are in this folder, by name; a prefix of several files counts as there."""
    found = {}
    for name, pattern in entry.sets.items():
        place = folder / pattern
        if not place.exists():
            matches = sorted(folder.glob(pattern))
            beside = next(iter(place.parent.glob(f"{place.name}.*")), None) if "*" not in pattern else None
            place = matches[0] if matches else place
            if not matches and beside is None:
                continue
        found[name] = place
    return found


def fetched(name: str) -> Path | None:
    """Where a suite of this name lies in the cache: ``lingeval97``, or ``discevalmt:anaphora`` for one of several.

    None: the catalogue has no such name. A name that it has but that was not fetched is an error that says how.
    """
    whole, _, part = name.partition(":")
    if whole not in {each.name for each in entries()}:
        return None
    found = entry(whole)
    if not found.sets:
        raise KontrastError(f"{whole} is in the catalogue but is not a suite that kontrast can read ({found.home})")
    if not folder_of(found).is_dir():
        raise KontrastError(f"{whole} is in the catalogue but not downloaded yet: kontrast suites get {whole}")
    paths = set_paths(found, folder_of(found))
    if not part and len(found.sets) == 1:
        part = next(iter(found.sets))
    if part not in paths:
        names = ", ".join(f"{whole}:{each}" for each in paths)
        raise KontrastError(f"{name} is not one suite; choose one of {names or 'none: download it again'}")
    return paths[part]


def entry_facts(each: Entry) -> dict[str, str]:
    """What is known of an entry, by label; what is not known is left out."""
    counts = [f"{count:,} {what}" for count, what in ((each.items, "items"), (each.rows, "rows")) if count]
    known, found = len(each.sha256), each.published
    published = f"{found.right:,} of {found.total:,} right for {found.scores}" if found else None
    facts: dict[str, str | None] = {
        "languages": ", ".join(each.languages),
        "licence": each.licence,
        "home": each.home,
        "paper": each.paper,
        "phenomena": ", ".join(each.phenomena),
        "suites": ", ".join(each.name if len(each.sets) == 1 else f"{each.name}:{name}" for name in each.sets),
        "expected counts": ", ".join(counts),
        "published result": published,
        "corpora": ", ".join(each.corpora),
        "addresses": ", ".join(address for group in each.downloads for address in group) or "only at its home",
        "SHA-256": f"known for {known} {'file' if known == 1 else 'files'}" if known else "not known",
    }
    return {name: value for name, value in facts.items() if value}
