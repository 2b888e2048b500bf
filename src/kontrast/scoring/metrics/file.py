"""``file:PATH``: a metric's scores made elsewhere.

PATH is a score file (a line per row), a WMT segment-score file (``.seg.score``), or the beginning of the names of
the CSV files in which pro-errors keeps its language model's answers (``gpt_scores/doc_DA``).
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.io.tables import named_rows, read_rows
from kontrast.scoring.metrics.metric import Metric, MetricOptions
from kontrast.suites.judgements import is_segment_scores, read_segment_scores
from kontrast.suites.model import Scores, Signature, Suite
from kontrast.suites.scores import read_scores


def load(name: str, model: str, options: MetricOptions) -> Metric:
    """Score files belong to a suite's rows, not to segments: they are read by `read`."""
    raise KontrastError(f"{name}:{model} is a score file, not a metric")


def read(suite: Suite, path: str, options: MetricOptions) -> Scores:
    """The scores of a suite's rows. Lower is better unless a signature, ``maximize`` or the format says otherwise."""
    extra = options.only("file", "maximize", "systems")
    maximize = options.maximize
    if "maximize" in extra:
        maximize = extra["maximize"] in ("yes", "true", "1")
    place = Path(path)
    if not place.exists() and (csvs := sorted(place.parent.glob(f"{place.name}_ref*.csv"))):
        scores = _read_answers(suite, place, csvs)
    elif is_segment_scores(path):
        wanted = tuple(name for name in extra.get("systems", "").split(",") if name)
        scores = read_segment_scores(path, suite, systems=wanted, maximize=maximize is not False)
    else:
        scores = read_scores(path, suite, maximize=maximize)
    if scores.signature is not None:
        return scores
    made = Signature(suite.name, suite.fingerprint, "file", scores.system, normalise="none")
    return msgspec.structs.replace(scores, signature=made)


def _read_answers(suite: Suite, place: Path, csvs: list[Path]) -> Scores:
    """``NAME_ref-A.csv`` has the unperturbed lines' scores in the order of the items, ``NAME_perturbed_ref-A.csv``
    the perturbed ones'; higher is better."""
    columns = {}
    for path in csvs:
        letter = path.stem[-1]
        rest = path.name.removeprefix(f"{place.name}_")
        both = _column(path), _column(place.parent / f"{place.name}_perturbed_{rest}")
        count = sum(item.tags.get("reference") == letter for item in suite.items)
        for column in both:
            if len(column) != count:
                raise InputError(
                    path,
                    f"expected {count} scores, one per item of reference {letter}, found {len(column)}; "
                    "select a part of the items with --only TAG=VALUE",
                )
        columns[letter] = iter(zip(*both, strict=True))
    values: list[float] = []
    for item in suite.items:
        letter = str(item.tags.get("reference"))
        if letter not in columns:
            raise InputError(place, f"there are no scores for item {item.id} (reference {letter})")
        right, wrong = next(columns[letter])
        values += [right if i == item.correct else wrong for i in range(len(item.variants))]
    return Scores(place.name, tuple(values), lower_is_better=False)


def _column(path: Path) -> list[float]:
    values = []
    for line, row in named_rows(path, read_rows(path)):
        try:
            values.append(float(row.get("score") or ""))
        except ValueError:
            told = f'expected a number in the column "score", found {row.get("score")!r}'
            raise InputError(path, told, line=line) from None
    return values
