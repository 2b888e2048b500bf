"""Meta-evaluate: metrics' scores on a suite, judged as any scores are, with what only metrics are asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import compress
from typing import Unpack

import msgspec
import numpy as np

from kontrast.errors import KontrastError
from kontrast.judging.compare import compare
from kontrast.judging.decisions import Floats
from kontrast.judging.evaluate import evaluate_all
from kontrast.judging.grouping import group_by, with_phenomenon
from kontrast.judging.meta.records import MetaEvaluation, Metrics
from kontrast.judging.meta.statistics import agreements, calibration_of, means, sensitivities, severities, taus
from kontrast.judging.options import Judging, Resampling, Weighing
from kontrast.judging.records import Evaluation
from kontrast.judging.systems import distinct
from kontrast.judging.verdicts import Verdicts, check_count, judge, larger_is_better
from kontrast.options import filled, part
from kontrast.suites.model import Item, Scores, Suite
from kontrast.suites.packed import as_held
from kontrast.suites.scores import vote_notes
from kontrast.suites.subset import scores_of_rows


def meta_evaluate(
    suite: Suite,
    scores: Sequence[Scores],
    *,
    outputs: Sequence[Sequence[float]] | None = None,
    **judging: Unpack[Resampling],
) -> Metrics:
    """Judge metrics on a suite and on each other.

    Items that do not test a metric (see `why_no_test`) are left out and counted. ``outputs`` are the scores of
    a real system's output, for the metric's standard deviation; the default is the suite's correct variants.

    >>> from kontrast import Item, Variant
    >>> item = Item("1", "x", (Variant("good"), Variant("bad", error="e")))
    >>> result = meta_evaluate(Suite("tiny", (item,)), [Scores("m", (90.0, 80.0), lower_is_better=False)])
    >>> result.metrics[0].means[0].original, result.metrics[0].taus.total.tau
    (90.0, 1.0)
    """
    asked = filled(Resampling, judging, meta_evaluate)
    whole = suite
    for each in scores:
        check_count(whole, each)
    suite, scores = leave_out_unchanged(whole, scores)
    names = distinct([each.system for each in scores])
    scores = [msgspec.structs.replace(each, system=name) for each, name in zip(scores, names, strict=True)]
    evaluations = evaluate_all(suite, scores, **part(Judging, asked))
    verdicts = [judge(suite, each, **part(Weighing, asked)) for each in scores]
    comparison = None
    if len(scores) > 1:
        # A metric may count errors and another successes: the verdicts are what is compared.
        asked["allow"] = (*asked["allow"], "direction", "normalise")
        comparison = compare(suite, scores, **asked)
    results = [
        _one(suite, each, evaluation, verdict, asked, outputs[i] if outputs else None)
        for i, (each, evaluation, verdict) in enumerate(zip(scores, evaluations.systems, verdicts, strict=True))
    ]
    return Metrics(
        suite.name,
        len(suite.items),
        len(whole.items) - len(suite.items),
        tuple(results),
        comparison,
        agreements(names, verdicts),
        dict(Counter(reason for item in whole.items if (reason := why_no_test(item)))),
    )


def leave_out_unchanged(suite: Suite, scores: Sequence[Scores]) -> tuple[Suite, list[Scores]]:
    """The suite and its scores without the items that do not test a metric."""
    reasons = [why_no_test(item) for item in suite.items]
    keep = [reason is None for reason in reasons]
    if all(keep):
        return suite, list(scores)
    if not any(keep):
        raise KontrastError(f"{suite.name}: no item tests a metric ({reasons[0]})")
    rows = [number for number, row in enumerate(suite.rows()) if keep[row.item_index]]
    smaller = msgspec.structs.replace(suite, items=as_held(compress(suite.items, keep), suite.items))
    return smaller, [scores_of_rows(each, rows, suite.fingerprint, smaller) for each in scores]


def why_no_test(item: Item) -> str | None:
    """Why a metric need not prefer the correct variant: DEMETR has items in which nothing was changed, and some whose
    changed text is the reference itself (``base_id35_reference``), which every metric should prefer."""
    if item.tags.get("pert_check") is False:
        return "pert_check is false"
    references = {reference.text for reference in item.references}
    wrong = (variant.text for i, variant in enumerate(item.variants) if i != item.correct)
    if item.best.text not in references and any(text in references for text in wrong):
        return "the changed text equals the reference"
    return None


def _one(
    suite: Suite,
    scores: Scores,
    evaluation: Evaluation,
    verdicts: Verdicts,
    asked: Judging,
    outputs: Sequence[float] | None,
) -> MetaEvaluation:
    by, level = asked["by"], asked["level"]
    tags = verdicts.decisions.tags
    values = larger_is_better(scores)
    asked_by = list(by[:1]) or with_phenomenon(tags, ())
    grouping = group_by(tags, asked_by[0]) if asked_by else None
    spread, over = _spread(verdicts, values, outputs)
    constant = bool(len(scores.values)) and len(set(scores.values)) == 1
    notes = ["gives every row the same score: 100% ties, no decision"] if constant else []
    if not constant and verdicts.tied.all():
        notes.append("ties on every item: 100% ties, no decision")
    notes += vote_notes(scores)
    return MetaEvaluation(
        metric=scores.system,
        signature=str(scores.signature) if scores.signature else None,
        lower_is_better=scores.lower_is_better,
        evaluation=evaluation,
        means=means(verdicts, np.array(scores.values, dtype=np.float64), grouping),
        taus=taus(verdicts, tags.of_each("phenomenon")),
        sensitivity=sensitivities(
            verdicts, spread, over, grouping, level, values[verdicts.decisions.correct] if outputs is None else None
        ),
        severities=severities(verdicts, tags.of_each("severity"), spread, level=level),
        calibration=calibration_of(suite, values),
        notes=tuple(notes),
    )


def _spread(verdicts: Verdicts, values: Floats, outputs: Sequence[float] | None) -> tuple[float, str]:
    if outputs is not None and len(outputs) > 1:
        found, over = np.array(outputs, dtype=np.float64), "a system's output"
    else:
        found, over = values[np.unique(verdicts.decisions.correct)], "the correct variants"
    # Of equal values rounding would leave a deviation that is not 0, and effects without bounds.
    alike = len(found) < 2 or np.ptp(found) <= 1e-9 * np.abs(found).max()
    return (0.0 if alike else float(found.std(ddof=1))), over
