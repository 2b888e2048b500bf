"""How far the correct variant is ahead of its best rival."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from kontrast.judging.written import Written
from kontrast.reporting import figures
from kontrast.reporting.judged import Judged
from kontrast.reporting.section import Column, Figure, Section, table

PLACE = 40


def sections(judged: Judged) -> Iterator[Section]:
    """The distribution of margins; translations have none."""
    every = zip(judged.evaluations.systems, judged.systems, judged.verdicts, strict=True)
    scored = [(e, v) for e, scores, v in every if not isinstance(scores, Written)]
    if not scored:
        return
    systems = [e for e, _ in scored]
    # A difference of two finite scores may be too large for a float.
    margins = {e.system: np.nan_to_num(v.margin).tolist() for e, v in scored}
    caption = "Margin of the correct variant over its best rival; left of the dashed line the system is wrong."
    points = list(systems[0].margins.quantiles)
    quantiles = (Column(f"{100 * float(p):g}%", "number", f"quantile_{p}") for p in points)
    made = table(
        ("system:system", "mean:number", *quantiles),
        ((e.system, e.margins.mean, *(e.margins.quantiles[p] for p in points)) for e in systems),
        "Margins in units of the score: mean and quantiles.",
    )
    figure = Figure(partial(figures.histogram, margins, x="margin"), caption)
    yield Section("margins", "Distribution of margins", table=made, figure=figure, folded=True, question="where")
