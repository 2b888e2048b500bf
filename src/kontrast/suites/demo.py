"""What the package brings along: two small suites and the documents they were made from (``docs/demo-data.md``)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kontrast.errors import KontrastError

if TYPE_CHECKING:
    from kontrast.suites.model import Suite

_DATA = Path(__file__).resolve().parents[1] / "data"

BUNDLED = {"demo:de": "demo-de.jsonl", "demo:fr": "demo-fr.jsonl"}
"""Names that stand for a bundled suite wherever a suite's path is asked for."""


def locate(path: str | Path) -> Path:
    """The path itself, or where a bundled suite of that name is."""
    name = str(path)
    if name in BUNDLED:
        return _DATA / BUNDLED[name]
    if name.startswith("demo:") and not Path(name).exists():
        raise KontrastError(f"there is no bundled suite {name!r}; choose from {', '.join(BUNDLED)}")
    return Path(path)


def bundled(name: str) -> Suite:
    """A bundled suite.

    >>> suite = bundled("demo:fr")
    >>> suite.name, suite.target_language
    ('demo-fr', 'fr')
    """
    from kontrast.suites.formats import native

    if name not in BUNDLED:
        raise KontrastError(f"there is no bundled suite {name!r}; choose from {', '.join(BUNDLED)}")
    return native.read(locate(name))


def bundled_corpus() -> Path:
    """The folder of bundled documents, ``YEAR/NAME.LANG``, aligned sentence by sentence in en, de and fr.

    >>> sorted(path.name for path in bundled_corpus().glob("2021/2021_01_*"))
    ['2021_01_lamp.de', '2021_01_lamp.en', '2021_01_lamp.fr']
    """
    return _DATA / "corpus"


def bundled_ratings() -> Path:
    """A small table of marked errors, English-German, made for kontrast.

    >>> bundled_ratings().name
    'ratings-de.tsv'
    """
    return _DATA / "ratings-de.tsv"
