"""How results are put into words: p-values, clusters and methods, each said in one place for every table."""

import math
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Literal

from kontrast.judging.check_records import Check
from kontrast.judging.clusters import MIN_CLUSTERS, Grouped
from kontrast.judging.records import Comparison, Difference, Evaluation, Interval

_LEAST_P = 0.0005


def digits(items: int | None) -> int:
    """How many digits after the point a percentage of so many decisions carries: none under 100."""
    return 0 if items is not None and items < 100 else 1


def counted(number: int, noun: str) -> str:
    """So many of them.

    >>> counted(1, "item"), counted(10500, "pair")
    ('1 item', '10,500 pairs')
    """
    return f"{number:,} {noun}{'s' if number != 1 else ''}"


def share_text(share: float, items: int | None, against: float | None = None) -> str:
    """A share in percent; with more digits where it would else read as if on the other side of ``against``.

    >>> share_text(0.4706, 17), share_text(0.4706, 170), share_text(0.7959, 49, against=0.8)
    ('47%', '47.1%', '79.6%')
    >>> share_text(0.9132, 48, against=0.913194)
    '91.32%'

    Only all is 100%, and only nothing 0%:

    >>> share_text(0.9996, 2500), share_text(0.0004, 2500), share_text(1.0, 2500)
    ('99.96%', '0.04%', '100.0%')
    """
    places = _places(share, items, against, 0.0, 1.0)
    return f"{100 * share:.{places}f}%"


def points_text(difference: float, items: int | None, against: float | None = None) -> str:
    """A difference in points, with its sign.

    >>> points_text(-0.0588, 17), points_text(-0.0588, 170), points_text(-0.0199, 50, against=-0.02)
    ('-6', '-5.9', '-1.99')
    >>> points_text(-0.0004, 2500), points_text(0.0, 2500)
    ('-0.04', '+0.0')
    """
    places = _places(difference, items, against, 0.0)
    return f"{100 * difference + 0.0:+.{places}f}"


def _places(value: float, items: int | None, against: float | None, *exact: float) -> int:
    places = digits(items)
    if against is not None:
        limit = round(100 * against, 6)
        while places < 6 and _order(float(f"{100 * value:.{places}f}"), limit) != _order(value, against):
            places += 1
    return max(places, told_from(value, places, *exact))


def told_from(value: float, places: int, *exact: float) -> int:
    """As many digits as tell a share from those that only an exact one reads as.

    >>> told_from(0.9996, 1, 0.0, 1.0), told_from(0.5, 1, 0.0, 1.0), told_from(1 - 1e-12, 1, 1.0)
    (2, 1, 1)
    """
    for limit in exact:
        while places < 6 and abs(value - limit) > 1e-7 and float(f"{100 * value:.{places}f}") == 100 * limit:
            places += 1
    return places


def _order(value: float, other: float) -> int:
    return (value > other) - (value < other)


Texts = Literal["parts", "terms", "artefacts", "memory", "context", "no_skill", "ties"]


def explained(what: Texts) -> dict[str, str]:
    """What ``data/explained.toml`` says: of parts of signatures, of technical words, of results."""
    return _explained()[what]


@cache
def _explained() -> dict[str, dict[str, str]]:
    return tomllib.loads((Path(__file__).parents[1] / "data" / "explained.toml").read_text("utf-8"))


def differing_text(parts: Sequence[str]) -> str:
    """The parts of their signatures in which systems differ, in words.

    >>> differing_text(["model", "dtype", "x_y"])
    'the model, the precision of numbers and the setting "x y"'
    """
    named = [part for part in parts if not (part == "sentences" and "context" in parts)]
    known = explained("parts")
    told = [known.get(part, f'the setting "{part.replace("_", " ")}"') for part in named]
    return " and ".join([", ".join(told[:-1]), told[-1]] if len(told) > 1 else told)


def over_clusters(name: str | None, count: int | None) -> str:
    """What an interval is over: "40 documents"."""
    return f"{count:,} {name}s" if name else "decisions, taken as independent"


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
    return p_value(row.p)


def p_value(value: float) -> str:
    """A p-value without its leading zero.

    >>> [p_value(p) for p in (0.0001, 0.0349, 1.0)]
    ['< .0005', '.035', '1']
    """
    if value < _LEAST_P:
        return "< .0005"
    return f"{value:.3f}".lstrip("0") if value < 0.9995 else "1"


def p_is(shown: str) -> str:
    """A p-value as it was printed, in a sentence.

    >>> p_is("< .0005"), p_is(".035")
    ('p < .0005', 'p = .035')
    """
    return f"p {shown}" if shown.startswith("<") else f"p = {shown}"


def mdd_text(row: Difference) -> str:
    """The smallest difference found with 80% power, in points."""
    return "–" if row.minimum_detectable is None else points_text(row.minimum_detectable, row.items).lstrip("+")


def interval_method(result: Evaluation | Check) -> str:
    """Clusters and method of an evaluation's intervals, in one line under its tables."""
    return shares_method(result.cluster, result.clusters, result.interval)


def shares_method(cluster: str | None, clusters: int | None, *intervals: Interval) -> str:
    """The same of the intervals of several shares on the same decisions."""
    level = f"{100 * intervals[0].level:g}% intervals"
    methods = {interval.method for interval in intervals}
    if cluster is not None:
        text = f"{level}: jackknife over {clusters:,} {cluster}s (t)"
    elif methods == {"wilson"}:
        text = f"{level}: Wilson, assuming independent decisions"
    elif "wilson" in methods:
        text = f"{level}: Wilson, or jackknife (t) if ties share the credit, assuming independent decisions"
    else:
        text = f"{level}: jackknife over decisions (t)"
    return text + (f"; within these {intervals[0].within} only" if intervals[0].within else "")


def groups_note(intervals: Sequence[Interval], clustered: bool) -> str:
    """Which rows of a table have the interval of single decisions where others have that of documents."""
    told = []
    if clustered and any(each.method == "wilson" and not each.within for each in intervals):
        told.append("rows with all items from different documents, or all from one document, have a Wilson interval")
    if any(each.within for each in intervals):
        told.append("~ too few documents, or nearly all items in one: the interval applies only to these")
    return "; ".join(told)


def comparison_method(result: Comparison, *, tested: bool = True) -> str:
    """Clusters, test and correction of a comparison, in one line under its tables; not ``tested``: no p."""
    over = over_clusters(result.cluster, result.clusters)
    names = {
        "jackknife": f"jackknife t test over {over}",
        "permutation": f"sign-flip permutation of {over}, {result.resamples:,} resamples, seed {result.seed}",
        "mcnemar": "exact McNemar test, assuming independent decisions",
    }
    seeds = " and seeds" if result.seeds else ""
    if not tested:
        return f"{100 * result.level:g}% intervals: jackknife over {over}{seeds} (t)"
    return (
        f"p: {names[result.test]}{seeds}, two-sided, Holm over each table; * p ≤ {result.alpha:g}; "
        f"{100 * result.level:g}% intervals: jackknife{seeds} (t), not corrected for the number of rows"
    )


def cluster_notes(grouped: Grouped) -> tuple[str, ...]:
    """What must be said about the clusters of a result."""
    if grouped.within is None:
        return ()
    name, count = grouped.within
    if count >= MIN_CLUSTERS:
        return (
            f"one of {count} {name}s has nearly all decisions, which does not show how much {name}s differ: "
            f"intervals apply within these {count} {name}s only, and no test decides",
        )
    return (
        f"{count} {name}s are too few to show how much {name}s differ ({MIN_CLUSTERS} or more are needed): "
        f"intervals apply within these {count} {name}s only, and no test decides",
    )
