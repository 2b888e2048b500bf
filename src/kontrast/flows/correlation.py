"""Metrics against people, from files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kontrast.defaults import RESAMPLES, SEED
from kontrast.judging.correlation.correlate import Correlations
from kontrast.judging.correlation.correlate import correlate as correlate_judgements
from kontrast.suites.judgements import Judgements, read_judgements

__all__ = ["correlate"]

JudgementsLike = Judgements | str | Path


def correlate(
    scores: JudgementsLike | Sequence[JudgementsLike],
    human: JudgementsLike,
    *,
    minimize: Sequence[str] = (),
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Correlations:
    """Compare metrics' segment scores with human judgements of the same systems and segments.

    Both are files (``NAME.seg.score``, MQM or other TSV, JSON lines) or records; larger is better in both, except for
    the metrics that ``minimize`` names.

    >>> import kontrast
    >>> people = Judgements("da", {("a", "1"): 90.0, ("b", "1"): 40.0})
    >>> kontrast.correlate(Judgements("m", {("a", "1"): 0.8, ("b", "1"): 0.2}), people).metrics[0].segment_accuracy
    1.0
    """
    given = [scores] if isinstance(scores, Judgements | str | Path) else list(scores)
    metrics = [_read(each) for each in given]
    return correlate_judgements(_read(human), metrics, minimize=minimize, resamples=resamples, seed=seed)


def _read(given: JudgementsLike) -> Judgements:
    return given if isinstance(given, Judgements) else read_judgements(given)
