"""What the package brings along: two small suites and the documents they were made from (``docs/demo-data.md``).

A table to begin a suite of one's own with, explained in comments (``data/starter.toml``).
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from kontrast.errors import InputError, KontrastError
from kontrast.io.names import is_language
from kontrast.io.tables import is_table, write_rows

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


def init(path: str | Path, pair: str) -> Path:
    """Write a commented example of a table (``.csv``, ``.tsv`` or ``.xlsx``) for a pair of languages.

    An existing file is not changed. There is an example row for English into some languages; other pairs get only
    the columns and the comments.

    >>> import tempfile
    >>> path = init(Path(tempfile.mkdtemp()) / "my.csv", "en-pt")
    >>> path.read_text(encoding="utf-8").splitlines()[0]
    '# languages: en-pt'
    """
    path = Path(path)
    source, dash, target = pair.partition("-")
    if not dash or not (is_language(source) and is_language(target)):
        raise KontrastError(f"--pair: expected two languages as in en-pt, found {pair!r}")
    if not is_table(path):
        raise KontrastError(f"{path}: expected a name that ends in .csv, .tsv or .xlsx")
    if path.exists():
        raise InputError(path, "already exists; choose another name")
    known = tomllib.loads((_DATA / "starter.toml").read_text("utf-8"))
    rows = [[f"# languages: {pair}"], *([comment] for comment in known["comments"]), known["columns"]]
    write_rows(path, rows + ([known["rows"][target]] if source == "en" and target in known["rows"] else []))
    return path
