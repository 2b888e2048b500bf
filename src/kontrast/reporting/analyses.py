"""Which words a system uses, as sections: shares beside chance, and the context with its heavy words marked.

Signs of memory as a section.
"""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.analysis.cues import Cues, ItemCues
from kontrast.analysis.memory import Memory
from kontrast.judging.wording import over_clusters
from kontrast.reporting.context import estimate, tested
from kontrast.reporting.section import Cell, Column, MarkedText, Piece, Section, Table, slug

_SHOWN = 12
_HEAVY = 0.1


def cue_sections(found: Cues) -> Iterator[Section]:
    """The share on marked words, in total and by distance; then single items."""
    saved = f"{found.rows:,} rows needed, {found.calls:,} pairs scored, {found.sources:,} sources read"
    places = ", ".join(f"{100 * share:.0f}% {back} before" for back, share in found.by_place)
    lines = [f"{found.items:,} items, context {found.context}; {saved}."]
    lines += [f"Weight by sentence: {places}."] if places else []
    lines += [f"Note: {note}." for note in found.notes]
    groups = [*([found.total] if found.total else []), *found.by_distance]
    nouns = any(g.by_nouns is not None for g in groups)
    columns = (
        Column("distance"),
        Column("n", "count", "items"),
        Column("weight on marked words", "percent", "share"),
        Column("by length", "percent", "by_length"),
        Column("p", "p", "p_length"),
        Column("by recency", "percent", "by_recency"),
        Column("p", "p", "p_recency"),
        *((Column("by nouns", "percent", "by_nouns"), Column("p", "p", "p_nouns")) if nouns else ()),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            g.label,
            g.items,
            estimate(g.share),
            g.by_length,
            tested(g.over_length),
            g.by_recency,
            tested(g.over_recency),
            *((g.by_nouns, tested(g.over_nouns)) if nouns else ()),
        )
        for g in groups
    )
    over = f" over {over_clusters(groups[0].share.cluster, groups[0].share.clusters)}" if groups else ""
    caption = f"Share of weight in percent, beside what chance gives; p: share minus that chance, jackknife{over}."
    name = slug(f"cues-{found.system}")
    title = f"Which words of the context does {found.system} use?"
    yield Section(name, title, tuple(lines), Table(columns, rows, caption) if rows else None)
    shown = sorted(found.cues, key=lambda each: -sum(abs(w.weight) for w in each.words))[:_SHOWN]
    if shown:
        about = (
            f"Words with {100 * _HEAVY:.0f}% of an item's weight or more, and their bits: positive speaks for the "
            "correct variant. Underlined, or with *: what was annotated."
        )
        table = Table(
            (Column("item"), Column("margin", "bits"), Column("context")),
            tuple((each.item, each.margin, marked_context(each)) for each in shown),
            about,
        )
        yield Section(f"{name}-items", "Contexts with their heavy words", table=table)


def marked_context(each: ItemCues) -> MarkedText:
    """The context with its heavy words: as text ``I saw the [lamp +2.31*] there.``"""
    total = sum(abs(word.weight) for word in each.words)
    strongest = max((abs(word.weight) for word in each.words), default=0.0)
    size = max(len(each.source_context), len(each.target_context))
    pieces: list[Piece] = []
    for side, sentences in (("source", each.source_context), ("target", each.target_context)):
        for k, text in enumerate(sentences):
            number, at = size - len(sentences) + k, 0
            pieces += [Piece(" | ")] if pieces else []
            here = [w for w in each.words if w.side == side and w.sentence == number]
            for word in sorted(here, key=lambda w: w.start):
                heavy = word.weight / strongest if total > 0 and abs(word.weight) >= _HEAVY * total else 0.0
                shown = text[word.start : word.end]
                pieces += [Piece(text[at : word.start]), Piece(shown, heavy, word.weight, word.marked)]
                at = word.end
            pieces.append(Piece(text[at:]))
    return MarkedText(tuple(pieces))


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
