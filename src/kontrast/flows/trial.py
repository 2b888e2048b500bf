"""A first trial: a part of a suite, and how long the whole would take."""

from __future__ import annotations

from kontrast.defaults import SEED
from kontrast.suites.model import Suite
from kontrast.suites.sample import sampled


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
