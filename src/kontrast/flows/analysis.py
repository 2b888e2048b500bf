"""Artefacts, items and short versions, from files or records."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Unpack

import msgspec

from kontrast.analysis.artefacts import Artefacts
from kontrast.analysis.items import Items
from kontrast.analysis.shorten import Shortened
from kontrast.defaults import SEED
from kontrast.errors import KontrastError
from kontrast.flows.inputs import ScoresLike, SuiteLike, SystemLike, as_suite, as_systems
from kontrast.flows.scoring import score
from kontrast.judging.options import UnitOfDecision
from kontrast.judging.systems import read_system, single_systems
from kontrast.options import keywords, option, part
from kontrast.scoring.engine import Engine
from kontrast.scoring.options import ScoringModel, asked
from kontrast.shared_options import Level, SuiteFormat
from kontrast.suites.model import Scores, Suite


class ArtefactOptions(ScoringModel, total=False):
    """All of `kontrast artefacts`."""

    target_only: Annotated[ScoresLike | None, option("Scores of a model that never saw the source.", metavar="FILE")]
    model: Annotated[
        str | Engine | None,
        option("Make these scores with this model and an empty source.", metavar="ENGINE:NAME"),
    ]
    frequencies: Annotated[
        str | Path | None, option("Count words here. Default: the suite's other items.", metavar="TEXT")
    ]
    unit: UnitOfDecision
    level: Level
    format: SuiteFormat


@keywords(ArtefactOptions)
def artefacts(
    suite: SuiteLike, /, *scores: SystemLike | Sequence[SystemLike], **options: Unpack[ArtefactOptions]
) -> Artefacts:
    """How well the suite can be solved without the source, and what systems do beyond that, as `kontrast artefacts`.

    ``target_only`` are scores of a model that never saw the source (a language model); with ``model`` they are made,
    with an empty source. ``frequencies`` is a text to count words in.

    >>> import kontrast
    >>> {found.name for found in kontrast.artefacts("demo:fr").artefacts} >= {"shorter", "giveaway"}
    True
    """
    from kontrast.analysis import artefacts as room

    how = asked(ArtefactOptions, options, artefacts)
    target_only, model, frequencies = how["target_only"], how["model"], how["frequencies"]
    loaded = as_suite(suite, how["format"])
    systems = single_systems(as_systems(loaded, scores, tokens=True)) if scores else []
    if target_only is not None and model is not None:
        raise KontrastError("--target-only FILE and --model make the same scores: give one of them")
    only: Scores | None = None
    if target_only is not None:
        only = target_only if isinstance(target_only, Scores) else read_system(target_only, loaded)
    elif model is not None:
        only = score(_sourceless(loaded), model, verbose=True, **part(ScoringModel, how))
    counts = None
    if frequencies is not None:
        from collections import Counter

        from kontrast.io import files
        from kontrast.io.words import words

        counts = Counter(w for line in files.open_lines(frequencies) for w in words(line, loaded.target_language))
    return room.artefacts(loaded, systems, target_only=only, frequencies=counts, unit=how["unit"], level=how["level"])


def _sourceless(suite: Suite) -> Suite:
    """The same variants with nothing to translate."""
    bare = {"source": "", "source_context": None, "target_context": None, "source_next": None, "target_next": None}
    return msgspec.structs.replace(
        suite,
        items=tuple(msgspec.structs.replace(item, **bare) for item in suite.items),
        name=f"{suite.name}-no-source",
        extra={**suite.extra, "sources_removed": True},
    )


def items(
    suite: SuiteLike,
    /,
    *scores: SystemLike | Sequence[SystemLike],
    suspects: str | Path | None = None,
    maximize: bool | None = None,
    format: str | None = None,
) -> Items:
    """Difficulty, discrimination, suspected wrong keys and redundancy, from four systems or more; `kontrast items`.

    ``suspects`` is a file for the items whose key may be wrong, for `kontrast review`.

    >>> import kontrast
    >>> suite = kontrast.load("demo:fr")
    >>> rows = [[float(i * k % 7) for i in range(suite.row_count)] for k in range(1, 6)]
    >>> systems = [kontrast.Scores(str(k), tuple(row)) for k, row in enumerate(rows)]
    >>> len(kontrast.items(suite, systems).items) == len(suite)
    True
    """
    from kontrast.analysis import items as room

    loaded = as_suite(suite, format)
    found = room.items(loaded, single_systems(as_systems(loaded, scores, maximize=maximize)))
    if suspects is not None:
        _save_suspects(loaded, found, suspects)
    return found


def _save_suspects(suite: Suite, found: Items, out: str | Path) -> None:
    from kontrast.suites.formats import save

    decided = (item for item in suite.items if len(item.variants) > 1)  # by place: an id may come twice
    chosen = tuple(
        msgspec.structs.replace(item, tags={**item.tags, "weak_minus_strong": round(each.turned, 3)})
        for item, each in zip(decided, found.items, strict=True)
        if each.suspect
    )
    if not chosen:
        raise KontrastError(f"{out}: no item of {suite.name} is suspected, nothing is written")
    save(msgspec.structs.replace(suite, items=chosen, name=f"{suite.name}-suspects"), out)


def shorten(
    suite: SuiteLike,
    /,
    *scores: SystemLike | Sequence[SystemLike],
    size: int,
    out: str | Path | None = None,
    maximize: bool | None = None,
    seed: int = SEED,
    format: str | None = None,
) -> Shortened:
    """A short version of a suite that keeps the order of systems, as `kontrast shorten`; written to ``out``.

    >>> import kontrast
    >>> suite = kontrast.load("demo:fr")
    >>> rows = [[float(i * k % 7) for i in range(suite.row_count)] for k in range(1, 6)]
    >>> systems = [kontrast.Scores(str(k), tuple(row)) for k, row in enumerate(rows)]
    >>> kontrast.shorten(suite, systems, size=40).kept
    40
    """
    from kontrast.analysis import shorten as room
    from kontrast.suites.formats import save

    loaded = as_suite(suite, format)
    found = room.shorten(loaded, single_systems(as_systems(loaded, scores, maximize=maximize)), size, seed=seed)
    if out is not None:
        save(found.suite, out)
    return found
