"""How metrics agree with people, on a terminal."""

from __future__ import annotations

from kontrast.judging.correlation.correlate import Correlations
from kontrast.reporting.terminal import print_lines, print_table


def print_correlations(result: Correlations) -> None:
    """One line a metric, then the pairs of metrics with their tests."""
    from rich.markup import escape

    left = f"; {result.left_out:,} scores of translations that nobody judged left out" if result.left_out else ""
    print_lines(
        f"[bold]{escape(result.human)}[/bold]  [dim]{result.kind}: {result.systems} systems, {result.segments:,} "
        f"segments, {result.judged:,} judged translations, {result.pairs:,} pairs ({result.tied_pairs:,} tied)"
        f"{left}[/dim]"
    )
    columns = ["metric", "accuracy", "ε", "at ε = 0", "Pearson", "Kendall", "within segments"]
    columns += ["systems: accuracy", "Pearson", "Spearman", "Kendall"]
    rows = []
    for m in result.metrics:
        segment = (m.segment_accuracy, m.accuracy_at_zero, m.segment_pearson, m.segment_kendall)
        accuracy, zero, pearson, kendall = map(_number, segment)
        systems = (m.system_accuracy, m.system_pearson, m.system_spearman, m.system_kendall)
        epsilon = "–" if m.epsilon is None else f"{m.epsilon:.4g}"
        within = _number(m.segment_kendall_by_segment)
        rows.append((m.metric, accuracy, epsilon, zero, pearson, kendall, within, *map(_number, systems)))
    print_table(columns, rows)
    print_lines(
        "[dim]accuracy: pairs of systems within a segment, ties included, ε chosen for each metric on these data; "
        "within segments: Kendall's tau-b, averaged[/dim]"
    )
    if not result.differences:
        return
    print_table(
        ["A", "B", "accuracy A−B", "p (flips by segment)", "system Pearson A−B", "p (swaps)", "p (Williams)"],
        [
            (d.a, d.b, _number(d.segment_accuracy), _p(d.segment_p), _number(d.system_pearson), _p(d.system_p),
             _p(d.williams_p))
            for d in result.differences
        ],
    )  # fmt: skip
    print_lines("[dim]p values are not corrected for the number of pairs of metrics[/dim]")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _p(value: float | None) -> str:
    return "–" if value is None else ("<.001" if value < 0.001 else f"{value:.3f}")
