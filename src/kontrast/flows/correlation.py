"""Metrics against people, from files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kontrast.defaults import RESAMPLES, SEED
from kontrast.errors import KontrastError
from kontrast.judging.correlation.correlate import Correlations
from kontrast.judging.correlation.correlate import correlate as correlate_judgements
from kontrast.suites.judgements import Judgements, read_judgements

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
    the metrics that ``minimize`` names. A folder stands for all its ``.seg.score`` files. ``FOLDER?pair=en-de`` is a
    test set of mt-metrics-eval: all its metrics, and ``human`` may be a name such as ``mqm``.

    >>> import kontrast
    >>> people = Judgements("da", {("a", "1"): 90.0, ("b", "1"): 40.0})
    >>> kontrast.correlate(Judgements("m", {("a", "1"): 0.8, ("b", "1"): 0.2}), people).metrics[0].segment_accuracy
    1.0
    """
    given = [scores] if isinstance(scores, Judgements | str | Path) else list(scores)
    metrics = [_read(file) for each in given for file in _files(each)]
    people = _read(_human(human, given))
    return correlate_judgements(people, metrics, minimize=minimize, resamples=resamples, seed=seed)


def _files(given: JudgementsLike) -> list[JudgementsLike]:
    """What a folder stands for: its segment scores, or the metrics of a pair in mt-metrics-eval's layout."""
    if isinstance(given, Judgements):
        return [given]
    name, _, pair = str(given).partition("?pair=")
    folder = Path(name)
    if pair:
        folder = folder / "metric-scores" / pair
    elif (folder / "metric-scores").is_dir():
        pairs = ", ".join(sorted(path.name for path in (folder / "metric-scores").iterdir()))
        raise KontrastError(f"{folder}: a test set of mt-metrics-eval has several pairs: {folder}?pair=… ({pairs})")
    if not pair and not folder.is_dir():
        return [given]
    found: list[JudgementsLike] = [*sorted(folder.glob("*.seg.score"))]
    if not found:
        raise KontrastError(f"{folder}: expected metrics' scores, NAME.seg.score, found none")
    return found


def _human(human: JudgementsLike, scores: Sequence[JudgementsLike]) -> JudgementsLike:
    """The file of a name such as ``mqm`` where the scores are a test set of mt-metrics-eval."""
    sets = [str(each).partition("?pair=") for each in scores if "?pair=" in str(each)]
    if not sets or isinstance(human, Judgements) or Path(human).exists():
        return human
    root, _, pair = sets[0]
    found = Path(root) / "human-scores" / f"{pair}.{human}.seg.score"
    if not found.is_file():
        there = sorted(path.name.removeprefix(f"{pair}.") for path in found.parent.glob(f"{pair}.*.seg.score"))
        names = ", ".join(name.removesuffix(".seg.score") for name in there) or "none"
        raise KontrastError(f"{root}: there are no judgements {human} for {pair}; there are {names}")
    return found


def _read(given: JudgementsLike) -> Judgements:
    return given if isinstance(given, Judgements) else read_judgements(given)
