"""Artefacts, items and short versions as sections, for the terminal and the report."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.analysis.artefacts import Artefacts
from kontrast.analysis.items import Items
from kontrast.analysis.shorten import Shortened
from kontrast.defaults import ALPHA
from kontrast.judging.records import Interval
from kontrast.judging.wording import share_text, shares_method
from kontrast.reporting.section import Cell, Column, Estimate, Section, Table

_SHOWN = 20


def artefact_sections(found: Artefacts) -> Iterator[Section]:
    """The artefacts alone, systems where each is wrong, and accuracy by difference of length."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (a.name, _share(a.accuracy, a.interval), a.chance, a.solved, a.summary) for a in found.artefacts
    )
    columns = (
        Column("artefact"),
        Column("accuracy", "percent"),
        Column("chance", "percent"),
        Column("solved", "percent"),
        Column("takes", key="summary"),
    )
    method = shares_method(found.cluster, found.clusters, *(a.interval for a in found.artefacts))
    about = f"Accuracy in percent without the source, {method}; solved: how far from chance to 100%."
    best = max(found.artefacts, key=lambda a: a.accuracy)
    told = (
        f"A rule that never sees the source is right in {share_text(best.accuracy, None)} ({best.summary}); guessing "
        f"gets {share_text(best.chance, None)}. What a system gets beyond such rules is below."
    )
    notes = (told, *(f"Note: {note}." for note in found.notes))
    yield Section(
        "artefacts", "How well can the suite be solved without the source?", notes, Table(columns, rows, about)
    )
    if found.beyond:
        skills: tuple[tuple[Cell, ...], ...] = tuple(
            (b.system, b.artefact, b.items, _share(b.accuracy, b.interval), b.chance, "yes" if b.skill else "no")
            for b in found.beyond
        )
        heads = (
            Column("system", "system"),
            Column("where this is wrong", key="artefact"),
            Column("n", "count", "items"),
            Column("accuracy", "percent"),
            Column("chance", "percent"),
            Column("above chance", key="skill"),
        )
        said = (
            "Accuracy of each system on the items that an artefact gets wrong; above chance: the whole interval is."
        )
        yield Section("beyond", "Skill beyond artefacts", table=Table(heads, skills, said))
        systems = list(found.strata[0].accuracies) if found.strata else []
        by_length = Table(
            (Column("correct variant is"), Column("n", "count", "items"), *(Column(s, "percent") for s in systems)),
            tuple((s.label, s.items, *(s.accuracies[name] for name in systems)) for s in found.strata),
            f"Accuracy in percent by length in {found.lengths}, against the mean of the rivals.",
        )
        yield Section("by-length", "Accuracy by difference of length", table=by_length, folded=True)


def item_sections(found: Items) -> Iterator[Section]:
    """What the items are worth, then those that should be looked at."""
    accuracies = ", ".join(f"{n} {100 * a:.1f}%" for n, a in zip(found.systems, found.accuracies, strict=True))
    lines = (
        f"{len(found.items):,} items, {len(found.systems)} systems: {accuracies}.",
        f"All systems right: {found.unanimous_right:,}; all wrong: {found.unanimous_wrong:,}; they tell nothing.",
        f"Suspected wrong keys: {found.suspects:,} ({found.suspects_by_chance:.1f} would be expected by chance).",
        f"Redundant (same source, forms and outcomes as an earlier item): {found.redundant:,}.",
        *(f"Note: {note}." for note in found.notes),
    )
    more = found.suspects_p <= ALPHA  # a list of what chance gives would be read as a list of wrong keys
    suspects = sorted((i for i in found.items if i.suspect and more), key=lambda i: (i.discrimination, i.item))[
        :_SHOWN
    ]
    columns = (
        Column("item"),
        Column("phenomenon"),
        Column("right", "percent"),
        Column("difficulty", "number"),
        Column("discrimination", "number"),
        Column("weak − strong", "points", "turned"),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (i.item, i.phenomenon, i.right, round(i.difficulty, 2), round(i.discrimination, 2), i.turned)
        for i in suspects
    )
    caption = f"Suspected wrong keys, the {len(rows)} clearest: the best system fails, weaker ones do better."
    yield Section("items", "What the items are worth", lines, Table(columns, rows, caption) if rows else None)


def short_sections(found: Shortened) -> Iterator[Section]:
    """Systems on the whole suite and on the short one; then phenomena."""
    lines = (
        f"{found.kept:,} of {found.items:,} items; Kendall's tau {_tau(found.tau)}, for systems left out of the "
        f"choice {_tau(found.left_out_tau)}; expected error of an accuracy {100 * found.expected_error:.2f} points.",
        *(f"Note: {note}." for note in found.notes),
    )
    columns = (
        Column("system", "system"),
        Column("whole", "percent", "accuracy"),
        Column("short", "percent"),
        Column("short, made without it", "percent", "left_out"),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple((s.system, s.accuracy, s.short, s.left_out) for s in found.systems)
    yield Section(
        "short", f"Short version of {found.items:,} items", lines, Table(columns, rows, "Accuracy in percent.")
    )
    kept: tuple[tuple[Cell, ...], ...] = tuple((name, a, b) for name, (a, b) in found.phenomena.items())
    parts = (Column("phenomenon"), Column("whole", "count"), Column("short", "count"))
    yield Section("short-phenomena", "Items by phenomenon", table=Table(parts, kept), folded=True)


def _tau(value: float | None) -> str:
    return "undefined (all systems tie)" if value is None else f"{value:.3f}"


def _share(value: float, interval: Interval) -> Estimate:
    return Estimate(value, interval.low, interval.high)
