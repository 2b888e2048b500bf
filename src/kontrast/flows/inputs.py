"""Suites and systems as users give them: a record, a path, or what the command line takes.

A first trial: a part of a suite, and how long the whole would take.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from kontrast.defaults import SEED
from kontrast.judging.systems import System, named_by_file, read_named, read_system, single_systems
from kontrast.options import read_names as names
from kontrast.options import refuse_unknown
from kontrast.suites.formats import SuiteLike, as_suite
from kontrast.suites.model import Scores, Suite
from kontrast.suites.subset import cut_scores, sampled

__all__ = ["ScoresLike", "SuiteLike", "SystemLike", "as_scores", "as_suite", "as_systems", "names", "refuse_unknown"]

ScoresLike = Scores | str | Path
"""Scores, or their file."""
SystemLike = ScoresLike | tuple[str, Sequence[ScoresLike]]
"""Scores, their file, ``"NAME=FILE,FILE"``, or a name and the scores of several seeds or checkpoints."""


def as_systems(
    suite: Suite,
    given: Sequence[SystemLike | Sequence[SystemLike]],
    *,
    maximize: bool | None = None,
    tokens: bool = False,
) -> list[System]:
    """Every system, read where it is a path. One list of systems is taken as well as several systems."""
    if len(given) == 1 and not isinstance(given[0], Scores | str | Path) and not _is_named(given[0]):
        given = list(cast(Sequence[SystemLike], given[0]))
    systems: list[System] = []
    for each in given:
        if isinstance(each, str):
            systems.append(read_named(each, suite, maximize=maximize, tokens=tokens))
        elif isinstance(each, Scores | Path):
            systems.append(as_scores(suite, each, maximize=maximize, tokens=tokens))
        else:
            name, several = cast(tuple[str, Sequence[ScoresLike]], each)
            systems.append((name, [as_scores(suite, one, maximize=maximize, tokens=tokens) for one in several]))
    return named_by_file(systems, given)


def as_single(suite: Suite, given: Sequence[SystemLike | Sequence[SystemLike]], **how: bool | None) -> list[Scores]:
    """Systems of one file each; ``how`` is what `as_systems` takes."""
    return single_systems(as_systems(suite, given, **how))  # type: ignore[arg-type]


def as_scores(suite: Suite, given: ScoresLike, *, maximize: bool | None = None, tokens: bool = False) -> Scores:
    """One system's scores, read where they are a path."""
    if isinstance(given, Scores):
        return cut_scores(given, suite)
    return read_system(given, suite, maximize=maximize, tokens=tokens)


def _is_named(given: object) -> bool:
    """Whether this is one system with a name: ``("base", [first, second])``."""
    return (
        isinstance(given, tuple)
        and len(given) == 2
        and isinstance(given[0], str)
        and isinstance(given[1], Sequence)
        and not isinstance(given[1], str)
    )


def part_of(suite: Suite, limit: int | None, seed: int = SEED) -> Suite:
    """So many items of the suite as ``SUITE?limit=N&seed=N`` has, or all of it.

    >>> from kontrast.suites.demo import bundled
    >>> len(part_of(bundled("demo:fr"), 20)), len(part_of(bundled("demo:fr"), None))
    (20, 176)
    """
    return suite if limit is None else sampled(suite, limit, seed)


def times_longer(whole: Suite, part: Suite) -> float | None:
    """How many times the rows of a part the whole has; None where the part is the whole."""
    return None if len(part.items) == len(whole.items) else whole.row_count / max(1, part.row_count)
