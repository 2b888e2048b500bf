"""Whether a system uses the context, as sections: for the terminal and for the report."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.analysis.context_gains import ContextGains
from kontrast.analysis.context_records import ContextBreakdown, ContextUse
from kontrast.analysis.means import Mean
from kontrast.judging.wording import over_clusters
from kontrast.reporting.evaluation import percent
from kontrast.reporting.section import Cell, Column, Estimate, Section, Table, slug


def context_sections(use: ContextUse) -> Iterator[Section]:
    """The verdict with its tests and bits, the curve over lengths, and a table a tag."""
    name = slug(f"context-{use.system}")
    lines = (f"{use.system} {use.verdict}: {use.because}.", *(f"Note: {note}." for note in use.notes))
    yield Section(name, f"Does the system {use.system} use the context?", lines, _summary(use), question="where")
    if use.curve:
        columns = (
            Column("sentences", "count"),
            Column("accuracy", "percent"),
            Column("gain", "bits"),
            Column("CXMI", "bits", "cxmi"),
            Column("p", "p"),
        )
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (w.sentences, w.accuracy, estimate(w.gain, w.helps), estimate(w.cxmi), None if w.gain.undecided else w.p)
            for w in use.curve
        )
        said = f"{use.smallest} is the fewest that helps" if use.smallest else "none helps"
        caption = f"Sentences of context: {said}. Gain over none in bits; p: Holm over all lengths."
        yield Section(f"{name}-curve", "Context by length", table=Table(columns, rows, caption), question="where")
    for breakdown in use.by:
        yield Section(
            slug(f"{name}-{breakdown.by}"),
            f"Context by {breakdown.by.replace(',', ' and ')}",
            table=_groups(use, breakdown),
            folded=True,
            question="where",
        )


def print_gains(result: ContextGains) -> None:
    """Two systems: the verdict, then what each gains."""
    from kontrast.reporting.render.terminal import print_section
    from kontrast.reporting.terminal import print_verdict

    print_verdict(result.verdict)
    rows: list[tuple[Cell, ...]] = [
        (s.system, result.items, s.accuracy_without, s.accuracy_with, estimate(s.gain), tested(s.gain))
        for s in result.systems
    ]
    gap = estimate(result.difference, result.significant)
    rows.append((f"{result.systems[1].system} − {result.systems[0].system}", result.items, None, None, gap,
                 tested(result.difference)))  # fmt: skip
    columns = (
        Column("system"),
        Column("items", "count"),
        Column("without", "percent"),
        Column("with", "percent"),
        Column("gain", "points"),
        Column("p", "p"),
    )
    over = over_clusters(result.difference.cluster, result.difference.clusters)
    caption = f"Gain in points of accuracy; {100 * result.level:g}% intervals and p: jackknife over {over}."
    print_section(Section("gains", result.suite, table=Table(columns, tuple(rows), caption)))


def _summary(use: ContextUse) -> Table:
    rows: list[tuple[Cell, ...]] = [
        ("margin, over no context", use.gain.n, estimate(use.gain), tested(use.gain)),
        *([("margin, over the control", use.gain.n, estimate(use.over_control), tested(use.over_control))]
          if use.over_control else []),
        ("size of the change", use.change.n, estimate(use.change), None),
    ]  # fmt: skip
    for bits, whose in ((use.bits, ""), (use.control_bits, " (control)")):
        if bits is None:
            continue
        parts = (
            ("CXMI, per sentence", bits.cxmi),
            ("per token", bits.per_token),
            ("deciding tokens", bits.deciding),
            ("other tokens", bits.other),
            ("end tokens", bits.end),
        )
        rows += [(name + whose, mean.n, estimate(mean), tested(mean)) for name, mean in parts if mean is not None]
    shares = {
        "without": use.accuracy_without,
        "with context": use.accuracy_with,
        "with the control": use.accuracy_control,
    }
    accuracy = ", ".join(f"{percent(s, use.items)} {name}" for name, s in shares.items() if s is not None)
    over = over_clusters(use.gain.cluster, use.gain.clusters)
    method = f"{100 * use.level:g}% intervals (jackknife over {over})"
    caption = f"Bits, with {method}; context {use.context}; accuracy {accuracy}."
    columns = (Column("bits"), Column("n", "count"), Column("mean", "bits"), Column("p", "p"))
    return Table(columns, tuple(rows), caption)


def _groups(use: ContextUse, breakdown: ContextBreakdown) -> Table:
    controlled = use.over_control is not None
    columns = (
        *(Column(tag) for tag in breakdown.tags),
        Column("n", "count", "items"),
        Column("without", "percent", "accuracy_without"),
        Column("with", "percent", "accuracy_with"),
        *([Column("control", "percent", "accuracy_control")] if controlled else []),
        Column("gain", "bits"),
        *([Column("over control", "bits", "over_control")] if controlled else []),
        *([Column("CXMI", "bits", "cxmi"), Column("deciding tokens", "bits", "deciding")] if use.bits else []),
        Column("p", "p"),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            *g.tags.values(),
            g.items,
            g.accuracy_without,
            g.accuracy_with,
            *([g.accuracy_control] if controlled else []),
            estimate(g.gain),
            *([estimate(g.over_control)] if controlled else []),
            *([estimate(g.cxmi), estimate(g.deciding)] if use.bits else []),
            None if (g.over_control or g.gain).undecided else g.p,
        )
        for g in breakdown.groups
    ]
    over = over_clusters(use.gain.cluster, use.gain.clusters)
    tested = "the control" if controlled else "no context"
    return Table(
        columns,
        tuple(rows),
        f"Accuracy in percent, the rest in bits; intervals: jackknife over {over}; p: gain over {tested}, Holm.",
    )


def estimate(mean: Mean | None, significant: bool | None = None) -> Cell:
    """A mean as a cell of a table, with its interval where it has one."""
    if mean is None:
        return None
    if mean.interval is None:
        return mean.value
    return Estimate(mean.value, mean.interval.low, mean.interval.high, significant)


def tested(mean: Mean | None) -> float | None:
    """The p of a mean, or nothing where too few clusters decide."""
    return None if mean is None or mean.undecided is not None else mean.p
