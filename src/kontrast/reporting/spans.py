"""Marked error spans on a terminal."""

from __future__ import annotations

from kontrast.judging.meta.spans import SpanScores
from kontrast.reporting.terminal import print_lines, print_table


def print_spans(result: SpanScores) -> None:
    """Total, then a line a phenomenon: by error, by character, and false alarms in correct variants."""
    columns = ["phenomenon", "errors", "found", "precision", "recall", "F1"]
    columns += ["characters: P", "R", "F1", "weighted P", "false alarms", "correct"]
    rows = [
        (
            g.label,
            g.errors,
            g.found,
            *map(_share, (g.precision, g.recall, g.f1)),
            *map(_share, (g.character_precision, g.character_recall, g.character_f1, g.weighted_precision)),
            g.false_alarms,
            g.correct,
        )
        for g in result.groups
    ]
    title = f"{result.metric} on {result.suite}: {result.spans:,} spans in {result.rows:,} texts"
    print_table(columns, rows, title=title)
    print_lines("[dim]weighted: minor 1, major 5, critical 25; false alarms: correct variants with a mark[/dim]")


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
