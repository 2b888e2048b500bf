"""A page about splits: what they reached and how, how long the sentences are, and what a system made of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kontrast.extras import altair as alt
from kontrast.io.files import writing
from kontrast.reporting.figures import PALETTE, to_svg
from kontrast.reporting.render.html import page
from kontrast.splitting.corpus_counts import CorpusCounts
from kontrast.splitting.generalisation import Generalisation
from kontrast.splitting.measured_divergence import SideDifference
from kontrast.splitting.split_files import Split


def save_split_report(
    path: str | Path,
    *,
    counts: CorpusCounts | None = None,
    splits: Sequence[Split] = (),
    generalisation: Generalisation | None = None,
) -> None:
    """Write one HTML file that needs nothing else."""
    figures: list[dict[str, str]] = []
    for split in splits:
        target = f"target {split.aim.compound:g}"
        figures.append(_figure(f"trajectory, {target}", "divergences after each sweep", _trajectory(split)))
        if counts is not None:
            figures.append(_figure(f"lengths, {target}", "tokens per sentence", _lengths(counts, split)))
    if generalisation is not None:
        for metric in generalisation.metrics:
            title = f"{metric.metric} against divergence"
            figures.append(_figure(title, f"with intervals; {metric.signature}", _levels(metric)))
    html = page(
        "splits.html.j2",
        subtitle=_subtitle(counts, splits),
        columns=COLUMNS,
        splits=[row for split in splits for row in _rows(split)],
        notes=[(f"{split.aim.compound:g}", note) for split in splits for note in split.notes],
        score=generalisation,
        figures=figures,
    )
    with writing(path) as out:
        out.write(html)


def _subtitle(counts: CorpusCounts | None, splits: Sequence[Split]) -> str:
    if counts is None:
        return "generalisation score"
    return (
        f"{counts.sentences:,} sentences, {counts.atoms.features:,} atoms, {counts.compounds.features:,} compounds; "
        f"{len(splits)} split{'s' * (len(splits) != 1)}"
    )


COLUMNS = (
    "target", "", "compound", "atom", "train", "test", "dev", "discarded", "featureless", "test share of compounds",
    "of sentences", "compounds new in test", "length ratio", "length distance", "duplicates", "documents",
)  # fmt: skip


def _rows(split: Split) -> list[list[str]]:
    """The split, and below it a random one of the same sentences and sizes."""
    measured = split.measured
    rows = [
        [f"{split.aim.compound:g}", f"seed {split.seed}", f"{split.compound_divergence:.4f}",
         f"{split.atom_divergence:.4f}", f"{len(split.train):,}", f"{len(split.test):,}", f"{len(split.dev):,}",
         f"{len(split.discarded):,}", f"{len(split.featureless):,}", f"{split.test_share_compounds:.1%}",
         f"{split.test_share_sentences:.1%}", f"{measured.unseen_compounds:.0%}", *_beside(measured.difference)]
    ]  # fmt: skip
    if measured.random_compound_divergence is not None:
        chance = f"{measured.random_compound_divergence:.4f}", f"{measured.random_atom_divergence or 0:.4f}"
        rows.append(["", "random", *chance, *[""] * 8, *_beside(measured.random_difference)])
    return rows


def _beside(difference: SideDifference | None) -> list[str]:
    if difference is None:
        return [""] * 4
    return [
        f"{difference.length_ratio:.2f}",
        f"{difference.length_distance:.2f}",
        f"{difference.duplicates:.1%}",
        f"{difference.document_divergence:.2f}",
    ]


def _figure(title: str, caption: str, chart: Any) -> dict[str, str]:
    return {"title": title, "caption": caption, "svg": to_svg(chart)}


def _lines(rows: list[dict[str, Any]], x: Any, y: Any, names: Sequence[str], **mark: Any) -> Any:
    lines = alt.Chart(alt.Data(values=rows)).mark_line(strokeWidth=2, **mark)
    scale = alt.Scale(domain=list(names), range=list(PALETTE[: len(names)]))
    colour = alt.Color("of:N", scale=scale, legend=alt.Legend(title=None, orient="top"))
    return lines.encode(x=x, y=y, color=colour).properties(width=400, height=220)


def _trajectory(split: Split) -> Any:
    every = max(1, len(split.trajectory) // 200)
    rows = [
        {"sweep": step.sweep, "divergence": value, "of": name}
        for step in [*split.trajectory[::every], *split.trajectory[-1:]]
        for name, value in (("atoms", step.atom_divergence), ("compounds", step.compound_divergence))
    ]
    y = alt.Y("divergence:Q", title="divergence", scale=alt.Scale(domain=[0, 1]))
    return _lines(rows, alt.X("sweep:Q", title="sweep"), y, ("atoms", "compounds"))


def _lengths(counts: CorpusCounts, split: Split) -> Any:
    top = int(np.quantile(counts.lengths, 0.99)) + 1
    edges = np.arange(0, top + 1, max(1, top // 30))
    rows = []
    for side, ids in (("train", split.train), ("test", split.test)):
        found, _ = np.histogram(np.minimum(counts.lengths[ids], top - 1), edges)
        shares = zip(edges[:-1].tolist(), (found / max(1, len(ids))).tolist(), strict=True)
        rows += [{"length": edge, "share": share, "of": side} for edge, share in shares]
    y = alt.Y("share:Q", title="share of sentences", axis=alt.Axis(format="%"))
    return _lines(rows, alt.X("length:Q", title="tokens"), y, ("train", "test"), interpolate="step-after")


def _levels(metric: Any) -> Any:
    data = alt.Data(
        values=[{"divergence": p.divergence, "score": p.score, "low": p.low, "high": p.high} for p in metric.levels]
    )
    scale = alt.Scale(zero=False, nice=True)
    x = alt.X("divergence:Q", title="compound divergence", scale=alt.Scale(domain=[0, 1]))
    base = alt.Chart(data).encode(x=x)
    rule = base.mark_rule(strokeWidth=2, opacity=0.6, color=PALETTE[0]).encode(
        y=alt.Y("low:Q", title=metric.metric, scale=scale), y2="high:Q"
    )
    line = base.mark_line(strokeWidth=2, color=PALETTE[0]).encode(y=alt.Y("score:Q", title=metric.metric))
    dots = base.mark_circle(size=60, opacity=1, color=PALETTE[0]).encode(y="score:Q")
    return alt.layer(rule, line, dots).properties(width=400, height=220)
