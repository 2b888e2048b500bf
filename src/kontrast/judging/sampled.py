"""How often a system writes an error where it is sampled, and how well its preference predicts that."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from kontrast.errors import KontrastError
from kontrast.judging.check_records import Sampled, SampledGroup
from kontrast.judging.clusters import clusters_of
from kontrast.judging.correlation.statistics import area
from kontrast.judging.floats import Floats
from kontrast.judging.intervals import share_interval
from kontrast.judging.verdicts import judge
from kontrast.judging.written import Written, by_decision
from kontrast.suites.model import Scores, Signature, Suite

EDGES = (0.0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0)
"""Bounds of the bins of predicted shares: most decisions of a good system are near 0."""
_OWN = ("seed", "weights")
"""What may differ from sample to sample; the digest of the weights covers the seed."""


def check_samples(scores: Scores, samples: Sequence[Signature]) -> None:
    """Refuse samples of several models or settings, or of one seed; warn where the scores say little about them."""
    for one, other in pairwise(samples):
        a, b = _drawn(one), _drawn(other)
        for part in (name for name in {**a, **b} if a.get(name) != b.get(name)):
            values = f"{a.get(part, 'none')} against {b.get(part, 'none')}"
            raise KontrastError(
                f"--samples: two samples differ in {part} ({values}): draw all samples with the same settings"
            )
    seeds = [each.details["seed"] for each in samples if "seed" in each.details]
    if len(set(seeds)) < len(seeds):
        raise KontrastError("--samples: two samples have the same seed, so they are the same sample")
    if not samples:
        return
    drawn = samples[0]
    told = []
    if (heat := drawn.details.get("temperature", "none")) != "1":
        told.append(f"they were drawn at temperature {heat}, but scores predict samples at temperature 1")
    if (of := scores.signature) is not None:
        if of.model != drawn.model:
            told.append(f"their model is {drawn.model}, the model of the scores is {of.model}")
        if (of.context == "none") != (drawn.context == "none"):
            told.append(f"their context is {drawn.context}, the context of the scores is {of.context}")
    for each in told:
        print(f"kontrast: warning: --samples: {each}", file=sys.stderr)


def _drawn(signature: Signature) -> Mapping[str, str | None]:
    kept = {name: value for name, value in signature.details.items() if name not in _OWN}
    return {"engine": signature.engine, "model": signature.model, "context": signature.context, **kept}


def sampled(suite: Suite, scores: Scores, samples: Sequence[Written], level: float) -> Sampled:
    """The errors in several samples of one system against its scores, by phenomenon and by predicted share."""
    if not scores.lower_is_better:
        raise KontrastError(f"--samples: {scores.system} has no log-probabilities from `kontrast score`")
    found = [by_decision(suite, each) for each in samples]
    places, phenomena, predicted, wrong, decided = [], [], [], [], []
    for verdict in judge(suite, scores):
        variant = -1 if verdict.variant_index is None else verdict.variant_index
        said = [each[verdict.item_index, variant].verdict for each in found]
        item = suite.items[verdict.item_index]
        tags = item.tags_of(None if variant < 0 else item.variants[variant])
        places.append(verdict.item_index)
        phenomena.append(str(tags.get("phenomenon", "all")))
        predicted.append(1 / (1 + np.exp(np.clip(verdict.margin, -500, 500))))
        wrong.append(said.count("wrong"))
        decided.append(said.count("wrong") + said.count("right"))
    shares, errors, counts = (np.array(column, np.float64) for column in (predicted, wrong, decided))
    if not counts.any():
        raise KontrastError(f"--samples: no item of {suite.name} is decided by the words of a sample")
    clusters = clusters_of(suite, np.array(places, np.int64))

    def group(label: str, chosen: Any) -> SampledGroup:
        chosen = chosen & (counts > 0)
        written = errors[chosen] / counts[chosen]
        interval = share_interval(written, clusters.on(chosen), level)
        area = _area(shares[chosen], errors[chosen], counts[chosen])
        return SampledGroup(
            label, int(chosen.sum()), float(shares[chosen].mean()), float(written.mean()), interval, area
        )

    names = np.array(phenomena, dtype=object)
    bins = np.clip(np.searchsorted(EDGES, shares, side="right") - 1, 0, len(EDGES) - 2)
    every = [group("all", np.ones(len(counts), np.bool_))] if len(set(phenomena)) > 1 else []
    groups = [group(name, names == name) for name in sorted(set(phenomena)) if counts[names == name].any()]
    curve = [
        group(f"{100 * EDGES[b]:g}–{100 * EDGES[b + 1]:g}%", bins == b)
        for b in range(len(EDGES) - 1)
        if counts[bins == b].any()
    ]
    total = sum(each.decisions for each in curve)
    gap = sum(each.decisions * abs(each.written - each.predicted) for each in curve) / total
    verdicts = int(counts.sum())
    left_out = len(samples) * len(counts) - verdicts
    return Sampled(suite.name, scores.system, len(samples), verdicts, left_out, gap, (*every, *groups), tuple(curve))


def _area(shares: Floats, errors: Floats, counts: Floats) -> float | None:
    """
    >>> _area(np.array([0.1, 0.9]), np.array([0.0, 2.0]), np.array([2.0, 2.0]))
    1.0
    """
    each = np.repeat(shares, counts.astype(np.int64))
    bad = np.concatenate([np.arange(int(n)) < int(e) for e, n in zip(errors, counts, strict=True)])
    return area(each[bad], each[~bad]) if bad.any() and not bad.all() else None
