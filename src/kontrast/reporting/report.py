"""Report: everything about some systems on one suite, as one HTML page, or as tables and figures for a paper."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

import msgspec

from kontrast.defaults import RESAMPLES, SEED
from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.judging.compare import compare
from kontrast.judging.decisions import Decisions
from kontrast.judging.evaluate import evaluate_all
from kontrast.judging.grouping import MISSING, known_tags
from kontrast.judging.records import Breakdown, Comparison, Difference, Evaluation, Evaluations, TiePolicy
from kontrast.judging.verdicts import Verdicts, judge
from kontrast.reporting import figures
from kontrast.reporting.figures import Point
from kontrast.reporting.tables import RENDERERS, Table
from kontrast.reporting.wrong import WrongItem, wrong_items
from kontrast.suites.model import Scores, Suite, Unit

__all__ = ["Figure", "Report", "check_ending", "report", "save_figures", "save_report"]

CURVES = ("distance", "frequency", "length", "position")
"""Tags whose bins have an order that is drawn as a curve."""
PAGES = ("html", "htm")


class Figure(msgspec.Struct, frozen=True):
    """A chart with its name (of a file), title and caption."""

    name: str
    title: str
    caption: str
    chart: object


class Report(msgspec.Struct, frozen=True):
    """All that a page shows. ``missed`` counts what some system gets wrong; ``wrong`` are the clearest of these."""

    suite: Suite
    systems: tuple[Scores, ...]
    evaluations: Evaluations
    comparison: Comparison | None
    figures: tuple[Figure, ...]
    tables: tuple[Table, ...]
    wrong: tuple[WrongItem, ...]
    missed: int


def report(
    suite: Suite,
    systems: Sequence[Scores],
    *,
    by: Sequence[str] = (),
    ties: TiePolicy = "report",
    epsilon: float = 0.0,
    unit: Unit | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    most: int = 2000,
    allow: Collection[str] = (),
) -> Report:
    """Evaluate and compare the systems, and gather figures, tables and wrong items.

    ``by`` names tags as `evaluate` takes them; without it the suite's distance, frequency and pronouns are taken
    where it has them. ``most`` limits the wrong items that are kept.
    """
    if not systems:
        raise KontrastError("a report takes one score file or more")
    verdicts = [judge(suite, scores, ties=ties, epsilon=epsilon, unit=unit) for scores in systems]
    by = tuple(by) or _usual(verdicts[0].decisions)
    evaluations = evaluate_all(
        suite, systems, by=by, ties=ties, epsilon=epsilon, unit=unit, resamples=resamples, seed=seed, allow=allow
    )
    comparison = None
    if len(systems) > 1:
        comparison = compare(
            suite,
            systems,
            by=[b.by for b in evaluations.systems[0].by],
            ties=ties,
            epsilon=epsilon,
            unit=unit,
            resamples=resamples,
            seed=seed,
            allow=allow,
        )
    wrong, missed = wrong_items(suite, systems, verdicts, most)
    tables = [_breakdown_table(evaluations.systems, i) for i in range(len(evaluations.systems[0].by))]
    if comparison is not None:
        tables = [_comparison_table(comparison.total, "Compared on the same items", comparison), *tables]
        tables += [_comparison_table(b.groups, f"Compared by {b.by}", comparison) for b in comparison.by]
    return Report(
        suite,
        tuple(systems),
        evaluations,
        comparison,
        tuple(_figures(evaluations.systems, verdicts)),
        tuple(tables),
        tuple(wrong),
        missed,
    )


def _usual(decisions: Decisions) -> tuple[str, ...]:
    """The breakdowns worth showing without being asked: those that the suites' own scripts print."""
    tags = set(known_tags(decisions.tags))
    numbers = {
        tag: len({t.get(tag) for t in decisions.tags if isinstance(t.get(tag), int | float)}) for tag in CURVES
    }
    usual = [f"{tag}:log" if tag == "frequency" else tag for tag in CURVES if tag in tags and numbers[tag] > 1]
    if {"src_pronoun", "ref_pronoun"} <= tags:
        usual.append("src_pronoun,ref_pronoun")
    return tuple(usual)


def _figures(systems: Sequence[Evaluation], verdicts: Sequence[Verdicts]) -> list[Figure]:
    drawn = []
    for i, breakdown in enumerate(systems[0].by):
        points = [
            Point(g.label, e.system, g.accuracy, g.interval.low, g.interval.high, g.items)
            for e in systems
            for g in e.by[i].groups
            if set(g.tags.values()) != {MISSING}
        ]
        name = breakdown.by.replace(",", "-").replace(":", "-")
        if breakdown.tags[0] in CURVES and len(breakdown.tags) == 1:
            if len({p.group for p in points}) < 2:
                continue
            chart = figures.curves(points, x=breakdown.by)
            drawn.append(Figure(name, f"Accuracy by {breakdown.tags[0]}", "The band is the 95% interval.", chart))
        elif len(breakdown.groups) <= 40:
            chance = {g.label: g.chance for g in breakdown.groups}
            chart = figures.intervals(points, reference=chance)
            caption = "Dots with 95% intervals; the grey tick is chance."
            drawn.append(Figure(name, f"Accuracy by {breakdown.by.replace(',', ' and ')}", caption, chart))
    margins = {e.system: v.margin.tolist() for e, v in zip(systems, verdicts, strict=True)}
    caption = "How far the correct variant is ahead of its best rival; left of the dashed line the system is wrong."
    chart = figures.histogram(margins, x="margin")
    return [*drawn, Figure("margins", "Distribution of margins", caption, chart)]


def _breakdown_table(systems: Sequence[Evaluation], index: int) -> Table:
    breakdowns: list[Breakdown] = [e.by[index] for e in systems]
    names = [f"{e.system}" for e in systems]
    rows: list[tuple[str, ...]] = []
    for groups in zip(*(b.groups for b in breakdowns), strict=True):
        cells = [f"{percent(g.accuracy)} [{percent(g.interval.low)}, {percent(g.interval.high)}]" for g in groups]
        rows.append((groups[0].label, f"{groups[0].items:,}", *cells, percent(groups[0].chance)))
    macro = tuple(percent(b.macro) for b in breakdowns)
    rows.append(("mean over groups", "", *macro, ""))
    by = breakdowns[0].by
    return Table(f"By {by.replace(',', ' and ')}", (by.replace(",", " · "), "n", *names, "chance"), tuple(rows))


def _comparison_table(rows: Sequence[Difference], title: str, comparison: Comparison) -> Table:
    body = tuple(
        (
            f"{d.label}: {d.b} − {d.a}" if d.label != "total" else f"{d.b} − {d.a}",
            f"{d.items:,}",
            f"{100 * d.difference:+.1f}{' *' if d.significant else ''}",
            f"[{100 * d.interval.low:+.1f}, {100 * d.interval.high:+.1f}]",
            f"{d.a_better:,} : {d.b_better:,}",
            _p(d.p),
        )
        for d in rows
    )
    caption = (
        f"Difference in points of accuracy, {comparison.test} test, p after Holm's correction over this table; "
        f"* below {comparison.alpha:g}."
    )
    if comparison.differs:
        caption += f" The systems differ in {', '.join(comparison.differs)}."
    return Table(title, ("pair", "n", "difference", "95%", "better : better", "p"), body, caption)


def percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _p(value: float) -> str:
    return "< .001" if value < 0.001 else f"{value:.3f}".lstrip("0") if value < 1 else "1"


def check_ending(path: str | Path) -> str:
    """The ending of a report's name, which says what is written."""
    ending = Path(path).suffix.removeprefix(".").lower()
    if ending not in PAGES and ending not in RENDERERS:
        raise InputError(path, "a report's name ends in .html, .md, .tex or .csv")
    return ending


def save_report(made: Report, path: str | Path) -> None:
    """Write the report: ``.html`` is the page; ``.md``, ``.tex`` and ``.csv`` hold its tables."""
    ending = check_ending(path)
    if ending in PAGES:
        from kontrast.reporting.page import page

        text = page(made)
    else:
        tables = [_summary_table(made.evaluations.systems), *made.tables]
        marks = {"md": "## {}\n\n", "tex": "% {}\n", "csv": "# {}\n"}
        text = "\n\n".join(marks[ending].format(t.title) + RENDERERS[ending](t).rstrip("\n") for t in tables) + "\n"
    with files.writing(path) as out:
        out.write(text)


def _summary_table(systems: Sequence[Evaluation]) -> Table:
    rows = tuple(
        (
            e.system,
            f"{e.items:,}",
            percent(e.accuracy),
            f"[{percent(e.interval.low)}, {percent(e.interval.high)}]",
            e.right,
            e.wrong,
            e.ties,
            percent(e.chance),
        )
        for e in systems
    )
    return Table("Accuracy", ("system", "n", "accuracy", "95%", "right", "wrong", "ties", "chance"), rows)


def save_figures(made: Report, folder: str | Path, endings: Collection[str] = ("svg", "png")) -> list[Path]:
    """Write every figure for a paper, under its name in the folder."""
    paths = [Path(folder) / f"{figure.name}.{ending}" for figure in made.figures for ending in endings]
    charts = [figure.chart for figure in made.figures for _ in endings]
    for chart, path in zip(charts, paths, strict=True):
        figures.save_figure(chart, path)
    return paths
