"""The generalisation score: how much quality is left when compounds are new, with an interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from kontrast.defaults import LEVEL, SEED, SPLIT_METRICS
from kontrast.errors import InputError, KontrastError
from kontrast.io.files import read_lines
from kontrast.io.numbers import finite_number
from kontrast.record import Record
from kontrast.splitting.token_table import Array


class SystemOutput(msgspec.Struct, frozen=True):
    """One system's output on the test set of one split; several runs of a divergence are its seeds.

    With ``values`` (a number per sentence, computed elsewhere) texts are not needed.
    """

    divergence: float
    predictions: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    values: tuple[float, ...] = ()
    name: str = ""


class Level(msgspec.Struct, frozen=True):
    """The score at one divergence: the mean of its runs."""

    divergence: float
    score: float
    low: float
    high: float
    runs: int
    sentences: int


class MetricResult(msgspec.Struct, frozen=True):
    """Scores over divergence: ratio of the highest divergence to the lowest, slope per unit of divergence.

    ``ratio`` is not a number where a score is negative, or 0 at the lowest divergence.
    """

    metric: str
    signature: str
    levels: tuple[Level, ...]
    ratio: float
    ratio_low: float
    ratio_high: float
    slope: float
    slope_low: float
    slope_high: float


class Generalisation(Record, frozen=True, omit_defaults=True):
    """``score`` is the first metric's ratio (chrF2++ if texts are given), with its interval.

    ``by_length`` has the scores of short and long sentences, if requested.
    """

    score: float
    low: float
    high: float
    metrics: tuple[MetricResult, ...]
    resamples: int
    level: float
    by_length: tuple[LengthResult, ...] = ()


def generalise(
    runs: Sequence[SystemOutput], *, metrics: Sequence[str] = SPLIT_METRICS, resamples: int = 1000,
    level: float = LEVEL, seed: int = SEED,
) -> Generalisation:  # fmt: skip
    """Score runs at two divergences or more, and divide the last by the first.

    The interval is a bootstrap over sentences, stratified by divergence and paired between runs of the same
    references, and over runs (seeds) where there are several.
    """
    _check_asked(runs, resamples, level)
    divergences = sorted({run.divergence for run in runs})
    if len(divergences) < 2:
        raise KontrastError("a generalisation score needs runs at two divergences or more, such as 0 and 1")
    texts = [run for run in runs if run.references]
    results = []
    if texts:
        _check_levels(texts, divergences, "predictions")
        for metric in metrics:
            made = [statistics(metric, run.predictions, run.references) for run in texts]
            results.append(_result(texts, made, divergences, resamples, level, seed))
    for name in dict.fromkeys(run.name for run in runs if run.values):
        chosen = [run for run in runs if run.values and run.name == name]
        _check_levels(chosen, divergences, f"values of {name}")
        made = [file_statistics(name, run.values) for run in chosen]
        results.append(_result(chosen, made, divergences, resamples, level, seed))
    first = results[0]
    return Generalisation(first.ratio, first.ratio_low, first.ratio_high, tuple(results), resamples, level)


class LengthResult(Record, frozen=True):
    """The score among sentences of one range of lengths (words of the reference)."""

    shortest: int
    longest: int | None
    sentences: tuple[int, ...]
    result: Generalisation


def generalise_by_length(
    runs: Sequence[SystemOutput], *, bounds: Sequence[int] = (1, 10, 20, 30), least: int = 20,
    metrics: Sequence[str] = SPLIT_METRICS[:1], resamples: int = 1000, level: float = LEVEL, seed: int = SEED,
) -> list[LengthResult]:  # fmt: skip
    """`generalise` for short, medium and long sentences apart, where each output has ``least`` of them.

    Where test sentences are longer at one divergence than at another, this tells length from compounds.
    """
    if any(not run.references for run in runs):
        raise KontrastError("results by length need references and predictions, not values from another program")
    found = []
    for low, high in zip(bounds, (*bounds[1:], None), strict=True):
        parts = []
        for run in runs:
            lengths = [len(reference.split()) for reference in run.references]
            keep = [i for i, n in enumerate(lengths) if n >= low and (high is None or n < high)]
            parts.append(
                SystemOutput(
                    run.divergence,
                    tuple(run.predictions[i] for i in keep),
                    tuple(run.references[i] for i in keep),
                    name=run.name,
                )
            )
        if min(len(part.references) for part in parts) >= least:
            result = generalise(parts, metrics=metrics, resamples=resamples, level=level, seed=seed)
            sizes = tuple(len(part.references) for part in parts)
            found.append(LengthResult(low, None if high is None else high - 1, sizes, result))
    if not found:
        raise KontrastError(f"no range of lengths has {least} sentences in every output")
    return found


def _check_asked(runs: Sequence[SystemOutput], resamples: int, level: float) -> None:
    if resamples < 1:
        raise KontrastError(f"an interval needs at least one resample, not {resamples}")
    if not 0 < level < 1:
        raise KontrastError(f"the level of an interval is between 0 and 1, such as 0.95, not {level:g}")
    known = set()
    for run in runs:
        if not 0 <= run.divergence <= 1:
            raise KontrastError(f"a divergence is from 0 to 1, not {run.divergence:g}")
        same = (run.divergence, run.predictions, run.references, run.values)
        if (run.predictions or len(set(run.values)) > 2) and (run.name if run.values else "", *same) in known:
            raise KontrastError(
                f"{run.name or 'a run'} is given twice at divergence {run.divergence:g}: give each seed once"
            )
        known.add((run.name if run.values else "", *same))


def _check_levels(runs: Sequence[SystemOutput], divergences: Sequence[float], what: str) -> None:
    for divergence in divergences:
        if not any(run.divergence == divergence for run in runs):
            raise KontrastError(f"there are no {what} at divergence {divergence:g}")


def _result(
    runs: Sequence[SystemOutput], made: Sequence[Statistics], divergences: Sequence[float], resamples: int,
    level: float, seed: int,
) -> MetricResult:  # fmt: skip
    rng = np.random.default_rng(seed)
    point, drawn, levels = [], [], []
    weights: dict[object, Array] = {}
    for divergence in divergences:
        here = [i for i, run in enumerate(runs) if run.divergence == divergence]
        score = float(np.mean([made[i].total() for i in here]))
        samples = np.stack([made[i].resampled(_weights(runs[i], made[i], weights, resamples, rng)) for i in here])
        picks = rng.integers(0, len(here), (resamples, len(here))) if len(here) > 1 else np.zeros((resamples, 1), int)
        means = samples[picks, np.arange(resamples)[:, None]].mean(1)
        low, high = _interval(means, level)
        levels.append(Level(divergence, score, low, high, len(here), len(made[here[0]].rows)))
        point.append(score)
        drawn.append(means)
    scores = np.stack(drawn, axis=1)
    x = np.asarray(divergences)
    ratio_low, ratio_high = _interval(_divide(scores[:, -1], scores[:, 0]), level)
    slope_low, slope_high = _interval(_slopes(x, scores), level)
    return MetricResult(
        made[0].metric, made[0].signature, tuple(levels),
        float(_divide(np.array(point[-1]), np.array(point[0]))), ratio_low, ratio_high,
        float(_slopes(x, np.array([point]))[0]), slope_low, slope_high,
    )  # fmt: skip


def _weights(
    run: SystemOutput, made: Statistics, known: dict[object, Array], resamples: int, rng: np.random.Generator
) -> Array:
    """How often each sentence is drawn; the same draw for all runs of the same references (of a divergence)."""
    key: object = run.references or run.divergence
    size = len(made.rows)
    if key not in known or known[key].shape[1] != size:
        known[key] = rng.multinomial(size, np.full(size, 1 / size), resamples).astype(np.float64)
    return known[key]


def _divide(above: Array, below: Array) -> Array:
    """A ratio says something only of scores that are not negative, and of more than nothing."""
    return np.asarray(above / np.where((below <= 0) | (above < 0), np.nan, below))


def _slopes(x: Array, scores: Array) -> Array:
    centred = x - x.mean()
    return np.asarray(scores @ centred / (centred @ centred))


def _interval(values: Array, level: float) -> tuple[float, float]:
    tail = (1 - level) / 2
    if np.isnan(values).any():
        return float("nan"), float("nan")
    low, high = np.quantile(values, [tail, 1 - tail])
    return float(low), float(high)


def read_output(divergence: float, references: str | Path, predictions: str | Path) -> SystemOutput:
    """A run from two files with a sentence per line."""
    reference_lines, lines = read_lines(references), read_lines(predictions)
    if len(reference_lines) != len(lines):
        raise InputError(predictions, f"has {len(lines)} lines, but {references} has {len(reference_lines)}")
    if not lines:
        raise InputError(predictions, "is empty")
    return SystemOutput(divergence, tuple(lines), tuple(reference_lines), name=Path(predictions).name)


def read_values(divergence: float, name: str, path: str | Path) -> SystemOutput:
    """A metric computed elsewhere: a number per line."""
    values = tuple(finite_number(line, path, number) for number, line in enumerate(read_lines(path), start=1))
    if not values:
        raise InputError(path, "is empty")
    return SystemOutput(divergence, values=values, name=name)


class Statistics(msgspec.Struct, frozen=True):
    """A row of statistics per sentence; a sample's score comes from the sum of its rows."""

    metric: str
    signature: str
    rows: Array
    score: Callable[[Array], Array]

    def total(self) -> float:
        """The score of all sentences."""
        return float(self.score(self.rows.sum(0, keepdims=True))[0])

    def resampled(self, weights: Array) -> Array:
        """Scores of samples, each a row of how often every sentence is in it."""
        return self.score(weights @ self.rows)


METRICS: dict[str, tuple[str, dict[str, Any]]] = {
    "chrF2++": ("CHRF", {"word_order": 2}),
    "chrF2": ("CHRF", {"word_order": 0}),
    "BLEU": ("BLEU", {}),
}
"""sacreBLEU's class with its options."""


def statistics(metric: str, predictions: Sequence[str], references: Sequence[str]) -> Statistics:
    """Statistics of each sentence."""
    if metric not in METRICS:
        raise KontrastError(f"{metric!r} is not a metric; expected one of {', '.join(METRICS)}")
    if len(predictions) != len(references):
        raise KontrastError(
            f"{len(predictions)} predictions and {len(references)} references; their numbers must be equal"
        )
    if not references:
        raise KontrastError("there is nothing to score: no predictions and no references")
    from sacrebleu import metrics

    kind, options = METRICS[metric]
    scorer = getattr(metrics, kind)(**options)
    rows = scorer._extract_corpus_statistics(list(predictions), [list(references)])

    def score(sums: Array) -> Array:
        return np.array([scorer._compute_score_from_stats(row).score for row in sums.tolist()])

    return Statistics(metric, str(scorer.get_signature()), np.array(rows, np.float64), score)


def file_statistics(name: str, values: Sequence[float]) -> Statistics:
    """A metric computed elsewhere, one number per sentence; its mean is the score."""
    rows = np.column_stack([np.asarray(values, np.float64), np.ones(len(values))])
    return Statistics(
        name, f"mean of {name}", rows, lambda sums: np.asarray(sums[:, 0] / np.maximum(1e-300, sums[:, 1]))
    )
