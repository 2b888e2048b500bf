"""Which words a system uses, as sections: shares beside chance, and the context with its heavy words marked."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.analysis.cues import Cues, ItemCues
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
