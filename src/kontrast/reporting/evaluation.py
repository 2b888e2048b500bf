"""An evaluation on the terminal: the figure with its interval, what no skill would reach, then tables by tag."""

from __future__ import annotations

from typing import Any

from rich.markup import escape
from rich.text import Text

from kontrast.judging.clusters import MIN_CLUSTERS
from kontrast.judging.records import Breakdown, Evaluation, Evaluations, Interval, Runs
from kontrast.judging.verdict_text import no_skill, standing
from kontrast.judging.wording import counted, digits, groups_note, interval_method, share_text
from kontrast.reporting.terminal import print_lines, print_table, print_verdict, print_warnings
from kontrast.reporting.terms import legend


def percent(share: float | None, items: int | None) -> str:
    """A share as it is printed: one digit after the point, none where fewer than 100 items do not carry it.

    None for what is exact, such as the level of chance.
    """
    return "–" if share is None else share_text(share, items)


def span(interval: Interval | None, items: int | None) -> str:
    """An interval in percent; ``~`` where it holds within a few documents only."""
    if interval is None:
        return "–"
    places = digits(items)
    return f"[{100 * interval.low:.{places}f}, {100 * interval.high:.{places}f}]{'~' if interval.within else ''}"


def mark(share: float, interval: Interval, *bars: float, items: int | None) -> Any:
    """The share, green where its interval is above every bar (chance, majority), red where it is below the lowest."""
    style = "green" if interval.low > max(bars) else ("red" if interval.high < min(bars) else "yellow")
    return Text(percent(share, items), style=style)


def _ties(policy: str, ties: int) -> str:
    """How ties count, where there are any."""
    return f"; ties: {policy}" if ties else ""


def _with_spread(mean: float, spread: float, items: int) -> str:
    return f"{percent(mean, items)} ± {100 * spread:.{digits(items)}f}"


def print_evaluation(result: Evaluation, *, flips: int = 20) -> None:
    """One system whole."""
    other = result.as_items if result.unit == "pair" else result.as_pairs
    best = max(result.baselines, key=lambda baseline: baseline.accuracy)
    colour = "green" if result.interval.low > best.accuracy else "yellow"
    direction = f"the model's scores: {'lower' if result.lower_is_better else 'higher'} is better"
    if "engine:check" in (result.signature or "").split("|"):
        direction = "translations, judged by check"
    lines = [
        f"[bold]{escape(result.system)}[/bold] on [bold]{escape(result.suite)}[/bold]"
        f"  [dim]({direction}{_ties(result.tie_policy, result.ties)})[/dim]",
        f"  accuracy  [bold {colour}]{percent(result.accuracy, result.items)}[/]"
        f"  {escape(span(result.interval, result.items))}"
        f"  [dim]{interval_method(result)}[/dim]",
        f"  counts    {result.right:,} right · {result.wrong:,} wrong"
        + (f" · {result.ties:,} tied ({percent(result.tie_rate, result.items)})" if result.ties else "")
        + f" of {counted(result.items, result.unit)}",
        f"  no skill  {' · '.join(no_skill(result.baselines, result.items))}",
    ]
    if other.items != result.items:
        other_unit = "items (all rivals must lose)" if result.unit == "pair" else "pairs"
        lines.append(f"  as {other_unit}  {percent(other.accuracy, other.items)} of {other.items:,}")
    lines += _weighted_lines(result)
    lines += [f"  [dim]signature {escape(result.signature)}[/dim]"] if result.signature else []
    lines += [f"  [yellow]note[/yellow] {escape(note)}" for note in result.notes]
    print_warnings(result.notes)
    print_verdict(result.verdict)
    print_lines(*lines)
    for breakdown in result.by:
        _print_breakdown(breakdown, result.cluster is not None)
    if result.normalisations:
        _print_normalisations(result, flips)
    _print_legend(result)


def _weighted_lines(result: Evaluation) -> list[str]:
    """The accuracy under weights, and the phenomena that have none."""
    found = result.weighted
    if found is None:
        return []
    told = f"phenomena weighted by how often people mark them; {counted(found.items, result.unit)}"
    apart = ", ".join(f"{name} ({n})" for name, n in found.left_out.items())
    head = f"  weighted  [bold]{percent(found.accuracy, found.items)}[/]  {escape(span(found.interval, found.items))}"
    return [
        f"{head}  [dim]{told}; chance {percent(found.chance, None)}[/dim]",
        *([f"  [yellow]note[/yellow] without a weight, left out: {escape(apart)}"] if apart else []),
    ]


def _print_legend(result: Evaluation) -> None:
    method = "jackknife" if "jackknife" in interval_method(result) else "Wilson"
    words = legend("interval", method, *(["majority"] if result.by else []))
    print_lines("", *(f"[dim]{line}[/dim]" for line in words))


def _print_breakdown(breakdown: Breakdown, clustered: bool) -> None:
    mean = percent(breakdown.macro, sum(group.items for group in breakdown.groups))
    print_lines("", f"[bold]by {breakdown.by}[/bold]  [dim]mean over groups {mean}[/dim]")
    # The chance level is a column where it differs from group to group, ties where there are any.
    varies = len({round(group.chance, 6) for group in breakdown.groups}) > 1
    tied = any(group.ties for group in breakdown.groups)
    rows = []
    for group in breakdown.groups:
        accuracy = mark(group.accuracy, group.interval, group.chance, group.majority, items=group.items)
        cells = [*group.tags.values(), group.items, group.right, *([group.ties] if tied else []), accuracy]
        chance = [percent(group.chance, None)] if varies else []
        cells += [span(group.interval, group.items), *chance, percent(group.majority, group.items), standing(group)]
        rows.append(cells)
    columns = [*breakdown.tags, "items", "right", *(["tied"] if tied else []), "accuracy", "interval"]
    print_table([*columns, *(["chance"] if varies else []), "majority", "result"], rows)
    note = groups_note([group.interval for group in breakdown.groups], clustered)
    print_lines(
        f"[dim]result: above or below if the whole interval is above guessing and the majority, or below "
        f"guessing; otherwise, with ~ or with fewer than {MIN_CLUSTERS} items: unclear[/dim]"
    )
    print_lines(*([f"[dim]{note}[/dim]"] if note else []))


def _print_normalisations(result: Evaluation, flips: int) -> None:
    first = result.normalisations[0].normalise
    print_lines("", f"[bold]normalisation[/bold]  [dim]gained and lost against {first}[/dim]")
    print_table(
        ["normalise", "accuracy", "interval", "right", "wrong", "tied", "gained", "lost"],
        [
            (
                n.normalise,
                percent(n.accuracy, result.items),
                span(n.interval, result.items),
                n.right,
                n.wrong,
                n.ties,
                n.gained,
                n.lost,
            )
            for n in result.normalisations
        ],
    )
    if result.flips:
        names = [n.normalise for n in result.normalisations]
        more = len(result.flips) - flips
        print_lines(
            "", f"[bold]{len(result.flips):,} flip[/bold]" + (f"  [dim]first {flips}[/dim]" if more > 0 else "")
        )
        print_table(
            ["item", "variant", *names],
            [
                (flip.item, flip.variant, *(f"{flip.credits[name]:g}" for name in names))
                for flip in result.flips[:flips]
            ],
        )


def print_evaluations(result: Evaluations) -> None:
    """Several systems side by side: totals first, then one table by tag with a column a system."""
    first = result.systems[0]
    tied = any(s.ties for s in result.systems)
    size = f"{counted(first.items, first.unit)}{_ties(first.tie_policy, tied)}"
    print_verdict(result.verdict)
    print_lines(f"[bold]{escape(result.suite)}[/bold]  [dim]{size}[/dim]")
    bars = [baseline.accuracy for baseline in first.baselines]
    rows = []
    for s in result.systems:
        accuracy = mark(s.accuracy, s.interval, *bars, items=s.items)
        macro = percent(s.macro, s.items)
        ties = [s.ties] if tied else []
        rows.append((s.system, accuracy, span(s.interval, s.items), s.right, s.wrong, *ties, macro))
    print_warnings(dict.fromkeys(note for system in result.systems for note in system.notes))
    heads = ["system", "accuracy", "interval", "right", "wrong", *(["tied"] if tied else []), "mean by group"]
    print_table(heads, rows)
    print_lines(
        f"no skill: {' · '.join(no_skill(first.baselines, first.items))}", f"[dim]{interval_method(first)}[/dim]"
    )
    for s in result.systems:
        print_lines(*(f"{escape(s.system)}{line}" for line in _weighted_lines(s)))
    for note in dict.fromkeys(note for system in result.systems for note in system.notes):
        print_lines(f"[yellow]note[/yellow] {escape(note)}")
    for runs in result.runs:
        _print_runs(runs, first.items)
    for i in range(len(first.by)):
        _print_side_by_side(result, i)
    _print_legend(first)


def _print_side_by_side(result: Evaluations, index: int) -> None:
    """One breakdown: a column for each system, or for the mean and spread of its runs."""
    breakdown = result.systems[0].by[index]
    members = {run.name for runs in result.runs for run in runs.runs}
    alone = [system for system in result.systems if system.system not in members]
    print_lines("", f"[bold]by {breakdown.by}[/bold]")
    rows = []
    for j, group in enumerate(breakdown.groups):
        cells: list[Any] = [*group.tags.values(), group.items]
        for system in alone:
            own = system.by[index].groups[j]
            cells.append(mark(own.accuracy, own.interval, group.chance, group.majority, items=own.items))
        for runs in result.runs:
            over = runs.by[index].groups[j]
            cells.append(_with_spread(over.mean, over.spread, group.items))
        rows.append([*cells, percent(group.chance, None), percent(group.majority, group.items)])
    names = [*(system.system for system in alone), *(runs.system for runs in result.runs)]
    print_table([*breakdown.tags, "items", *names, "chance", "majority"], rows)


def _print_runs(runs: Runs, items: int) -> None:
    what = "checkpoints" if runs.curve else "runs"
    spread = f"mean {_with_spread(runs.mean, runs.spread, items)} over {len(runs.runs)} {what}"
    scope = "over decisions and seeds" if runs.over_seeds else "over decisions, for these runs only"
    interval = "" if runs.interval is None else f"{span(runs.interval, items)} {scope}; "
    around = f"{interval}lowest {percent(runs.low, items)}, highest {percent(runs.high, items)}"
    print_lines("", f"[bold]{escape(runs.system)}[/bold]  {spread}  [dim]{escape(around)}[/dim]")
    if not runs.curve:
        return
    width, gap = 24, runs.high - runs.low
    rows = []
    for run in runs.runs:
        length = 1 + round((width - 1) * ((run.accuracy - runs.low) / gap if gap else 1))
        rows.append((f"{run.step:g}", run.name, percent(run.accuracy, items), "█" * length))
    print_table(["step", "run", "accuracy", ""], rows)
