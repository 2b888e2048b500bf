"""Signs of memory as a section."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.analysis.memory import Memory
from kontrast.judging.wording import over_clusters
from kontrast.reporting.context import estimate, tested
from kontrast.reporting.section import Cell, Column, Section, Table, slug


def memory_sections(found: Memory) -> Iterator[Section]:
    """The verdict, what it shows, and the numbers."""
    parts = (
        (f"Min-{100 * found.k:g}%, bits per token", found.least),
        ("all tokens, bits per token", found.whole),
        ("second half reproduced, share", found.completion),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, mean.n, estimate(mean), found.p if mean is found.least else tested(mean))
        for name, mean in parts
        if mean is not None
    )
    lines = [f"{found.system}: {found.verdict}. {found.shows}"]
    if found.against is not None:
        a = found.against
        lines.append(
            f"Against {a.suite} ({a.items:,} items): area under the curve {a.auc:.3f} [{a.low:.3f}, {a.high:.3f}] "
            "(Hanley and McNeil, items taken as independent); other texts differ in more than having been seen."
        )
    lines += [f"Note: {note}." for note in found.notes]
    columns = (Column("items minus twins"), Column("n", "count"), Column("mean", "bits"), Column("p", "p"))
    method = ""
    if found.least is not None and found.least.interval is not None:
        over = over_clusters(found.least.cluster, found.least.clusters)
        method = f"{100 * found.least.interval.level:g}% intervals: jackknife over {over} (t); "
    caption = (
        f"{method}p of Min-{100 * found.k:g}%: ahead by more than {found.natural:g} bits, one-sided; of the others: "
        "not 0, two-sided."
    )
    title = f"Was {found.suite} in the training data of {found.system}?"
    yield Section(slug(f"memory-{found.system}"), title, tuple(lines), Table(columns, rows, caption))
