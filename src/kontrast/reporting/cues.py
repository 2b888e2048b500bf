"""Which words a system uses, as sections: shares beside chance, and the context with its heavy words marked."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.analysis.cues import Cues, ItemCues
from kontrast.judging.wording import over_clusters
from kontrast.reporting.context import estimate
from kontrast.reporting.section import Cell, Column, Section, Table, slug

__all__ = ["cue_sections", "marked_context"]

_SHOWN = 20
_HEAVY = 0.1


def cue_sections(found: Cues) -> Iterator[Section]:
    """The share on marked words, in total and by distance; then single items."""
    saved = f"{found.rows:,} rows needed, {found.calls:,} distinct pairs of {found.sources:,} sources scored"
    places = ", ".join(f"{100 * share:.0f}% {back} before" for back, share in found.by_place)
    lines = [f"{found.items:,} items, context {found.context}; {saved}."]
    lines += [f"Weight by sentence: {places}."] if places else []
    lines += [f"Note: {note}." for note in found.notes]
    groups = [*([found.total] if found.total else []), *found.by_distance]
    columns = (
        Column("distance"),
        Column("n", "count", "items"),
        Column("weight on marked words", "percent", "share"),
        Column("by length", "percent", "by_length"),
        Column("by recency", "percent", "by_recency"),
        Column("among rarer words", "percent", "by_content"),
        Column("p", "p"),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            g.label,
            g.items,
            estimate(g.share),
            g.by_length,
            g.by_recency,
            g.by_content,
            None if g.over_length.undecided else g.over_length.p,
        )
        for g in groups
    )
    over = f" over {over_clusters(groups[0].share.cluster, groups[0].share.clusters)}" if groups else ""
    caption = f"Share of weight in percent, and what chance gives; p: share minus that by length, jackknife{over}."
    name = slug(f"cues-{found.system}")
    title = f"Which words of the context does {found.system} use?"
    yield Section(name, title, tuple(lines), Table(columns, rows, caption) if rows else None)
    shown = sorted(found.cues, key=lambda each: -sum(abs(w.weight) for w in each.words))[:_SHOWN]
    if shown:
        about = (
            f"In brackets: words with {100 * _HEAVY:.0f}% of an item's weight or more, and their bits; * is marked."
        )
        table = Table(
            (Column("item"), Column("margin", "bits"), Column("context")),
            tuple((each.item, each.margin, marked_context(each)) for each in shown),
            about,
        )
        yield Section(f"{name}-items", "Contexts with their heavy words", table=table, folded=True)


def marked_context(each: ItemCues) -> str:
    """The context with its heavy words in brackets: ``I saw the [lamp +2.31*] there.``"""
    total = sum(abs(word.weight) for word in each.words)
    size = max(len(each.source_context), len(each.target_context))
    texts = []
    for side, sentences in (("source", each.source_context), ("target", each.target_context)):
        for k, text in enumerate(sentences):
            number = size - len(sentences) + k
            here = [w for w in each.words if w.side == side and w.sentence == number]
            for word in sorted(here, key=lambda w: -w.start):
                if total > 0 and abs(word.weight) >= _HEAVY * total:
                    star = "*" if word.marked else ""
                    text = f"{text[: word.start]}[{word.text} {word.weight:+.2f}{star}]{text[word.end :]}"
            texts.append(text)
    return " | ".join(texts)
