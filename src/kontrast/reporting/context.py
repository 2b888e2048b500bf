"""Whether a system uses the context, as sections: for the terminal and for the report."""

from collections.abc import Iterable, Iterator

import msgspec

from kontrast.analysis.context_gains import ContextGains
from kontrast.analysis.context_records import ContextBreakdown, ContextUse
from kontrast.analysis.means import Mean
from kontrast.judging.wording import over_clusters
from kontrast.reporting.render.terminal import print_section
from kontrast.reporting.section import Cell, Column, Columns, Section, Table, measured, slug, table
from kontrast.reporting.terminal import print_lines, print_verdict
from kontrast.reporting.terms import legend


def context_sections(use: ContextUse) -> Iterator[Section]:
    """The verdict with its tests and bits, the curve over lengths, and a table a tag."""
    name = slug(f"context-{use.system}")
    lines = (use.text, *(f"Note: {note}." for note in use.notes))
    yield Section(name, f"Does the system {use.system} use the context?", lines, _summary(use), question="where")
    if use.curve:
        columns = ("sentences:count", "accuracy:percent", "gain:bits", "CXMI:bits:cxmi", "p:p")
        rows = (
            (w.sentences, w.accuracy, estimate(w.gain, w.helps), estimate(w.cxmi), None if w.gain.undecided else w.p)
            for w in use.curve
        )
        said = f"{use.smallest} is the smallest window that helps" if use.smallest else "none helps"
        caption = f"Sentences of context: {said}. Gain over none in bits; p: Holm over all lengths."
        yield Section(f"{name}-curve", "Context by length", table=table(columns, rows, caption), question="where")
    for breakdown in use.by:
        yield Section(
            slug(f"{name}-{breakdown.by}"),
            f"Context by {breakdown.by.replace(',', ' and ')}",
            table=_groups(use, breakdown),
            folded=True,
            question="where",
        )


def print_context(use: ContextUse) -> None:
    """The verdict, the tables, then what their words mean."""
    print_verdict(use.text)
    first, *others = context_sections(use)
    print_section(msgspec.structs.replace(first, title=use.suite, text=first.text[1:]))
    for section in others:
        print_lines("")
        print_section(section)
    words = ("bits", "margin", *(["CXMI", "deciding words"] if use.bits else []), "jackknife", "Holm")
    print_lines("", *(f"[dim]{line}[/dim]" for line in legend(*words)))


def print_gains(result: ContextGains) -> None:
    """Two systems: the verdict, then what each gains."""
    print_verdict(result.verdict)
    rows: list[tuple[Cell, ...]] = [
        (s.system, result.items, s.accuracy_without, s.accuracy_with, estimate(s.gain), tested(s.gain))
        for s in result.systems
    ]
    gap = estimate(result.difference, result.significant)
    rows.append((f"{result.systems[1].system} − {result.systems[0].system}", result.items, None, None, gap,
                 tested(result.difference)))  # fmt: skip
    columns = ("system", "items:count", "without:percent", "with:percent", "gain:points", "p:p")
    over = over_clusters(result.difference.cluster, result.difference.clusters)
    caption = f"Gain in points of accuracy; {100 * result.level:g}% intervals and p: jackknife over {over}."
    print_section(Section("gains", result.suite, table=table(columns, rows, caption)))


def _summary(use: ContextUse) -> Table:
    rows: list[tuple[Cell, ...]] = [
        ("margin: gain over no context", use.gain.n, estimate(use.gain), tested(use.gain)),
        *([("margin: gain over the control", use.gain.n, estimate(use.over_control), tested(use.over_control))]
          if use.over_control else []),
        ("margin: size of the change", use.change.n, estimate(use.change), None),
    ]  # fmt: skip
    hidden: list[tuple[Cell, ...]] = []
    for bits, whose in ((use.bits, ""), (use.control_bits, ", control")):
        if bits is None:
            continue
        shown = (("per sentence", bits.cxmi), ("per token", bits.per_token), ("deciding words", bits.deciding))
        rows += _bits(shown, whose)
        hidden += _bits((("other tokens", bits.other), ("end tokens", bits.end)), whose)
    over = over_clusters(use.gain.cluster, use.gain.clusters)
    method = f"{100 * use.level:g}% intervals (jackknife over {over})"
    made = table(("bits", "n:count", "mean:bits", "p:p"), rows, f"Bits, with {method}; context {use.context}.")
    return msgspec.structs.replace(made, hidden=tuple(hidden))


def _bits(parts: Iterable[tuple[str, Mean | None]], whose: str) -> list[tuple[Cell, ...]]:
    return [(f"CXMI, {n}{whose}", m.n, estimate(m), tested(m)) for n, m in parts if m is not None]


def _groups(use: ContextUse, breakdown: ContextBreakdown) -> Table:
    controlled = use.over_control is not None
    why = any((g.over_control or g.gain).undecided for g in breakdown.groups)
    columns: Columns = [
        *(Column(tag) for tag in breakdown.tags),
        *("n:count:items", "without:percent:accuracy_without", "with:percent:accuracy_with"),
        *(["control:percent:accuracy_control"] if controlled else []),
        "gain:bits",
        *(["over control:bits:over_control"] if controlled else []),
        *([Column(n, "bits", k, aside=True) for n, k in (("CXMI", "cxmi"), ("deciding words", "deciding"))]
          if use.bits else []),
        "p:p",
        *(["not decided because:text:undecided"] if why else []),
    ]  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for g in breakdown.groups:
        control, over_control = ([g.accuracy_control], [estimate(g.over_control)]) if controlled else ([], [])
        bits = [estimate(g.cxmi), estimate(g.deciding)] if use.bits else []
        shares = (*g.tags.values(), g.items, g.accuracy_without, g.accuracy_with, *control)
        undecided = (g.over_control or g.gain).undecided
        p = [None if undecided else g.p, *([undecided] if why else [])]
        rows.append((*shares, estimate(g.gain), *over_control, *bits, *p))
    over = over_clusters(use.gain.cluster, use.gain.clusters)
    tested = "the control" if controlled else "no context"
    caption = f"Accuracy in percent, the rest in bits; intervals: jackknife over {over}; p: gain over {tested}, Holm."
    return table(columns, rows, caption)


def estimate(mean: Mean | None, significant: bool | None = None) -> Cell:
    """A mean as a cell of a table, with its interval where it has one."""
    if mean is None:
        return None
    return mean.value if mean.interval is None else measured(mean.value, mean.interval, significant)


def tested(mean: Mean | None) -> float | None:
    """The p of a mean, or nothing where too few clusters decide."""
    return None if mean is None or mean.undecided is not None else mean.p
