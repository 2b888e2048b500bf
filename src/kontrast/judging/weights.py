"""Accuracy with phenomena weighed by how often such errors occur in outputs that people marked."""

from collections import Counter

import numpy as np

from kontrast.errors import KontrastError
from kontrast.judging.clusters import MIN_CLUSTERS
from kontrast.judging.floats import Floats
from kontrast.judging.intervals import cluster_sums, clustered_share, jackknife
from kontrast.judging.records import Interval, Weighted
from kontrast.judging.verdicts import Verdicts
from kontrast.suites.error_shares import kind_of_error, real_shares


def weigh(verdicts: Verdicts, level: float) -> tuple[Weighted, tuple[str, ...]]:
    """The mean of the phenomena's accuracies by their real shares; decisions outside the table are counted apart.

    The note is on phenomena of so few items that a few answers decide what they add, and how much they weigh.
    """
    decisions = verdicts.decisions
    names = [str(value or "none") for value in decisions.tags.of_each("phenomenon")]
    counts = Counter(names)
    shares = real_shares(sorted(name for name in counts if kind_of_error(name)))
    if not shares:
        known = ", ".join(sorted(counts)[:5])
        raise KontrastError(
            f"--weights real: the phenomena of {decisions.suite.name} ({known}) are not in the table of marked errors"
        )
    chosen = np.array([name in shares for name in names])
    weights = np.array([shares[name] / counts[name] for name in names if name in shares])
    weights *= weights.sum() / (weights**2).sum()  # sums to the number of equally weighed decisions that say as much
    grouped = decisions.clusters.on(chosen)
    sums, sizes = (
        cluster_sums(each, grouped.number)[0][:, 0] for each in (weights * verdicts.credit[chosen], weights)
    )
    interval = clustered_share(jackknife(sums, sizes), level)
    found = Weighted(
        "real",
        _mean(verdicts.credit[chosen], weights),
        Interval(interval.low, interval.high, interval.method, level, grouped.scope),
        _mean(decisions.chance[chosen], weights),
        int(chosen.sum()),
        shares,
        {name: count for name, count in sorted(counts.items()) if name not in shares},
    )
    few = [name for name in shares if counts[name] < MIN_CLUSTERS]
    if not few:
        return found, ()
    share = sum(shares[name] for name in few)
    told = ", ".join(f"{name} ({counts[name]})" for name in few[:5])
    more = f" and {len(few) - 5} more" if len(few) > 5 else ""
    unit = "pairs" if decisions.unit == "pair" else "items"
    head = f"--weights real: {100 * share:.1f}% of the weight is on phenomena with fewer than {MIN_CLUSTERS} {unit}"
    return found, (f"{head}: {told}{more}",)


def _mean(values: Floats, weights: Floats) -> float:
    return float((weights * values).sum() / weights.sum())
