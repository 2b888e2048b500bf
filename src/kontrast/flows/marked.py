"""Suites of marked errors from files of ratings."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kontrast.flows.inputs import names
from kontrast.suites.demo import bundled_ratings
from kontrast.suites.model import Suite

if TYPE_CHECKING:
    from kontrast.building.marked.build import BuiltMarked

Paths = str | Path | Sequence[str | Path]


def build_marked(ratings: Paths, **options: Any) -> Suite:
    """A suite of the errors that people marked, as `kontrast build marked` makes it; `save` writes it.

    ``options``: pair, texts, severities, categories, min_confidence, name, and ``on`` and ``workers`` of a cluster.

    >>> import kontrast
    >>> suite = kontrast.build_marked("demo:ratings", pair="en-de")
    >>> {item.tags["natural"] for item in suite}
    {True}
    """
    from kontrast.suites.formats import load

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "marked.jsonl"
        write_marked(place, ratings, **options)
        return load(place)


def write_marked(out: str | Path, ratings: Paths, **options: Any) -> BuiltMarked:
    """Build the suite of marked errors into a file, as `kontrast build marked` does; what was read and written.

    A run that was killed goes on (``OUT.work``). ``options`` are those of `build_marked`.

    >>> import kontrast
    >>> out = Path(tempfile.mkdtemp()) / "marked.jsonl"
    >>> kontrast.write_marked(out, kontrast.bundled_ratings(), pair="en-de").items == len(kontrast.load(out))
    True
    """
    from kontrast.building.marked.build import MarkedOptions, building_marked
    from kontrast.suites.formats import save

    for name in ("severities", "categories"):
        if options.get(name) is not None:
            options[name] = tuple(part.lower() for part in names(options[name]))
    given = [ratings] if isinstance(ratings, str | Path) else list(ratings)
    paths = [bundled_ratings() if str(path) == "demo:ratings" else path for path in given]
    cluster = {name: options.pop(name, None) for name in ("on", "workers")}
    with building_marked(out, paths, MarkedOptions(**options), **cluster) as (suite, built):
        save(suite, out)
    return built
