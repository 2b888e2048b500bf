"""``metrics``: score a suite with metrics and meta-evaluate them; and how the result looks on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.reporting.evaluation import mark, span
from kontrast.reporting.metric_tables import (
    accuracy_table,
    aces_table,
    calibration_table,
    pairs_table,
    severity_table,
)
from kontrast.reporting.terminal import print_lines, print_table
from kontrast.suites.model import Scores, Suite, Variant

if TYPE_CHECKING:
    from kontrast.judging.meta.records import Metrics
    from kontrast.scoring.context import Context
    from kontrast.scoring.metrics.metric import MetricOptions

__all__ = ["metrics", "only", "print_metrics", "score_all", "spread_scores"]


def metrics(
    suite: Suite,
    names: Sequence[str],
    *,
    options: MetricOptions | None = None,
    contexts: Sequence[Context] = (),
    outputs: str | Path | None = None,
    **judging: Any,
) -> Metrics:
    """Score a suite with metrics and judge them, as verdicts and as metrics.

    ``names`` are as on the command line (``chrF``, ``BERTScore:MODEL?layer=5``, ``file:scores``). ``outputs`` is a
    file with a real system's translations, a line per item, for the metrics' spread. What else `meta_evaluate` takes
    (``by``, ``ties``, ``epsilon`` …) goes to it.

    >>> import kontrast
    >>> from kontrast import Item
    >>> variants = Variant("The dog sleeps."), Variant("The dog sleep.", error="agreement")
    >>> item = Item("1", "Der Hund schläft.", variants, references=(Variant("The dog sleeps now."),))
    >>> result = kontrast.metrics(Suite("tiny", (item,)), ["chrF", "TER"])
    >>> [(each.metric, each.evaluation.accuracy) for each in result.metrics]
    [('chrF', 1.0), ('TER', 0.5)]
    """
    from kontrast.judging.meta.evaluate import meta_evaluate

    scores = score_all(suite, names, options=options, contexts=contexts)
    spread = spread_scores(suite, names, outputs, options=options, contexts=contexts) if outputs else None
    return meta_evaluate(suite, scores, outputs=spread, **judging)


def score_all(
    suite: Suite,
    names: Sequence[str],
    *,
    options: MetricOptions | None = None,
    contexts: Sequence[Context] = (),
) -> list[Scores]:
    """The scores that `metrics` judges, in the order in which it shows them."""
    from kontrast.scoring.metrics.run import score_metrics

    if not names:
        raise KontrastError("metrics takes one --metric or more; --list names them")
    return score_metrics(suite, names, options=options, contexts=contexts)


def spread_scores(
    suite: Suite,
    names: Sequence[str],
    path: str | Path,
    *,
    options: MetricOptions | None = None,
    contexts: Sequence[Context] = (),
) -> list[list[float]]:
    """Each metric's scores of a system's translations of the items, a line each."""
    lines = files.read_lines(path)
    if len(lines) != len(suite.items):
        message = f"expected {len(suite.items)} lines, one per item of {suite.name}, found {len(lines)}"
        raise InputError(path, message, line=min(len(lines), len(suite.items)) + 1)
    if any(name.lower().startswith("file:") for name in names):
        raise KontrastError("--outputs: scores from a file: cannot be made for other translations")
    replaced = (
        msgspec.structs.replace(item, variants=(Variant(line),), correct=0)
        for item, line in zip(suite.items, lines, strict=True)
    )
    other = msgspec.structs.replace(suite, items=tuple(replaced))
    return [list(each.values) for each in score_all(other, names, options=options, contexts=contexts)]


def only(suite: Suite, conditions: Sequence[str]) -> Suite:
    """The items that have these tags, each written ``TAG=VALUE`` or ``TAG=VALUE,VALUE``.

    >>> from kontrast import Item
    >>> items = (Item("1", "a", (Variant("b"),), tags={"set": 1}), Item("2", "a", (Variant("b"),), tags={"set": 2}))
    >>> [item.id for item in only(Suite("s", items), ["set=2,3"]).items]
    ['2']
    """
    items = suite.items
    for condition in conditions:
        tag, equals, text = condition.partition("=")
        if not equals:
            raise KontrastError(f"--only {condition}: expected TAG=VALUE or TAG=VALUE,VALUE")
        wanted = set(text.split(","))
        items = tuple(item for item in items if str(item.tags_of().get(tag)) in wanted)
    if not items:
        raise KontrastError(f"--only {' '.join(conditions)}: {suite.name} has no such item")
    return msgspec.structs.replace(suite, items=items)


def print_metrics(result: Metrics) -> None:
    """All metrics on one suite: decisions, means, sensitivity, severities, ties, and how alike they are."""
    from rich.markup import escape

    left = "".join(f"; {count:,} left out ({reason})" for reason, count in result.reasons.items())
    first = result.metrics[0].evaluation
    unit = "pairs" if first.unit == "pair" else "items"
    size = f"{first.items:,} {unit}; ties: {first.tie_policy}{left}"
    print_lines(f"[bold]{escape(result.suite)}[/bold]  [dim]{size}[/dim]")
    rows = []
    for each in result.metrics:
        e, mean = each.evaluation, each.means[0]
        accuracy = mark(e.accuracy, e.interval, e.chance)
        better = "↓" if each.lower_is_better else "↑"
        numbers = (f"{mean.original:.4f}", f"{mean.perturbed:.4f}", f"{each.sensitivity[0].effect:+.3f}")
        tau = f"{each.taus.total.tau:+.3f}"
        rows.append((f"{each.metric} {better}", accuracy, span(e.interval), e.right, e.wrong, e.ties, tau, *numbers))
    columns = ["metric", "accuracy", "interval", "right", "wrong", "tied", "tau", "original", "perturbed", "effect"]
    print_table(columns, rows)
    over = result.metrics[0].sensitivity[0].over
    print_lines(
        "[dim]tau: ties are discordant (ACES); original, perturbed: mean scores; "
        f"effect: mean margin over the metric's standard deviation on {over}[/dim]",
        *(f"[yellow]note[/yellow] {escape(m.metric)} {escape(note)}" for m in result.metrics for note in m.notes),
    )
    _print_groups(result)
    spread = "what errors cost in the metric's spread; graver: share of pairs in which the graver one costs more"
    ties = "pairs of translations of one source, accuracy with the metric's own ties and at the best threshold"
    for table, meaning in (
        (aces_table(result), "mean tau of each category's phenomena; the score weights them"),
        (severity_table(result), spread),
        (calibration_table(result), ties),
        (pairs_table(result), "b − a in points; p after Holm; agreement of decisions"),
    ):
        if table is not None:
            print_lines("", f"[bold]{table.title}[/bold]  [dim]{meaning}[/dim]")
            print_table(table.columns, table.rows)


def _print_groups(result: Metrics) -> None:
    if len(result.metrics[0].means) < 2:
        return
    first = result.metrics[0].means[1]
    name = ",".join(first.tags) or "phenomenon"
    print_lines("", f"[bold]by {name}[/bold]  [dim]mean original → perturbed, effect[/dim]")
    rows = []
    for i, mean in enumerate(result.metrics[0].means[1:], start=1):
        cells = [
            f"{m.means[i].original:.2f} → {m.means[i].perturbed:.2f}  {m.sensitivity[i].effect:+.2f}"
            for m in result.metrics
        ]
        rows.append((mean.label, mean.items, *cells))
    print_table([name, "items", *(m.metric for m in result.metrics)], rows)
    for k in range(len(result.metrics[0].evaluation.by)):
        table = accuracy_table(result, k)
        print_lines("", f"[bold]{table.title}[/bold]")
        print_table(table.columns, table.rows)
