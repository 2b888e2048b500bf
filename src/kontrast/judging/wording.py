"""How results are put into words: p-values, clusters and methods, each said in one place for every table."""

from __future__ import annotations

import math

from kontrast.judging.check_records import Check
from kontrast.judging.clusters import MIN_CLUSTERS, Grouped
from kontrast.judging.records import Comparison, Difference, Evaluation

__all__ = ["cluster_notes", "comparison_method", "interval_method", "mdd_text", "p_text"]

_LEAST_P = 0.0005


def p_text(row: Difference) -> str:
    """A p-value as it is printed; ``< .0005`` under that, or ``< .002`` where the test's resamples end there.

    "–" stands where nothing can be decided.
    """
    if row.undecided is not None:
        return "–"
    if row.p <= max(row.floor, _LEAST_P):
        bound = max(row.floor, _LEAST_P)
        step = 10 ** math.floor(math.log10(bound))
        return "< " + f"{min(1.0, math.ceil(bound / step - 1e-9) * step):.4g}".lstrip("0")
    return f"{row.p:.3f}".lstrip("0") if row.p < 0.9995 else "1"


def mdd_text(row: Difference) -> str:
    """The smallest difference found with 80% power, in points."""
    return "n/a" if row.minimum_detectable is None else f"{100 * row.minimum_detectable:.1f}"


def interval_method(result: Evaluation | Check) -> str:
    """Clusters and method of an evaluation's intervals, in one line under its tables."""
    interval = result.interval
    level = f"{100 * interval.level:g}% intervals"
    if result.cluster is not None:
        text = f"{level}: jackknife over {result.clusters:,} {result.cluster}s (t)"
    elif interval.method == "wilson":
        text = f"{level}: Wilson, decisions taken as independent"
    else:
        text = f"{level}: jackknife over decisions (t)"
    return text + (f"; within these {interval.within} only" if interval.within else "")


def comparison_method(result: Comparison) -> str:
    """Clusters, test and correction of a comparison, in one line under its tables."""
    over = f"{result.clusters:,} {result.cluster}s" if result.cluster else "decisions, taken as independent"
    names = {
        "jackknife": f"jackknife t test over {over}",
        "permutation": f"sign-flip permutation of {over}, {result.resamples:,} resamples, seed {result.seed}",
        "mcnemar": "exact McNemar test, decisions taken as independent",
    }
    seeds = " and seeds" if result.seeds else ""
    return (
        f"p: {names[result.test]}{seeds}, two-sided, Holm over each table; * p ≤ {result.alpha:g}; "
        f"{100 * result.level:g}% intervals: jackknife{seeds} (t), not corrected for the number of rows"
    )


def cluster_notes(grouped: Grouped) -> tuple[str, ...]:
    """What must be said about the clusters of a result."""
    if grouped.within is None:
        return ()
    name, count = grouped.within
    return (
        f"{count} {name}s are too few to tell how far {name}s differ ({MIN_CLUSTERS} or more are needed): "
        f"intervals hold within these {count} {name}s only, and no test decides",
    )
