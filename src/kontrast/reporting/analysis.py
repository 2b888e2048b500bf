"""Results of artefacts, items, shorten, cues, memory, check --samples and marked errors as sections."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial

from kontrast.analysis.artefacts import Artefacts
from kontrast.analysis.cues import Cues, ItemCues
from kontrast.analysis.items import Items
from kontrast.analysis.memory import Memory
from kontrast.analysis.shorten import Shortened
from kontrast.defaults import ALPHA
from kontrast.errors import KontrastError
from kontrast.judging.check_records import Checks, SampledGroup
from kontrast.judging.intervals import wilson
from kontrast.judging.records import Evaluation, TagGroup
from kontrast.judging.sampled import EDGES
from kontrast.judging.wording import over_clusters, share_text, shares_method
from kontrast.reporting import figures
from kontrast.reporting.context import estimate, tested
from kontrast.reporting.section import Cell, Column, Figure, MarkedText, Piece, Section, Table, measured, slug, table
from kontrast.suites.error_shares import kind_of_error

_SHOWN = 20


def artefact_sections(found: Artefacts) -> Iterator[Section]:
    """The artefacts alone, systems where each is wrong, and accuracy by difference of length."""
    rows = [(a.name, measured(a.accuracy, a.interval), a.chance, a.solved, a.summary) for a in found.artefacts]
    columns = ("artefact", "accuracy:percent", "chance:percent", "solved:percent", "takes:text:summary")
    method = shares_method(found.cluster, found.clusters, *(a.interval for a in found.artefacts))
    about = f"Accuracy in percent without the source, {method}; solved: share of the way from chance to 100%."
    best = max(found.artefacts, key=lambda a: a.accuracy)
    told = (
        f"A rule that does not see the source is right in {share_text(best.accuracy, None)} ({best.summary}); "
        f"guessing gets {share_text(best.chance, None)}. The next table shows the skill of systems beyond such rules."
    )
    notes = (told, *(f"Note: {note}." for note in found.notes))
    title = "How well can the suite be solved without the source?"
    yield Section("artefacts", title, notes, table(columns, rows, about))
    if found.beyond:
        skills = [
            (b.system, b.artefact, b.items, measured(b.accuracy, b.interval), b.chance, "yes" if b.skill else "no")
            for b in found.beyond
        ]
        heads = ("system:system", "where this is wrong:text:artefact", "n:count:items", "accuracy:percent",
                 "chance:percent", "above chance:text:skill")  # fmt: skip
        said = (
            "Accuracy of each system on the items that an artefact gets wrong; above chance: the whole interval "
            "is above chance."
        )
        yield Section("beyond", "Skill beyond artefacts", table=table(heads, skills, said))
        systems = list(found.strata[0].accuracies) if found.strata else []
        by_length = table(
            ("correct variant is", "n:count:items", *(Column(s, "percent") for s in systems)),
            ((s.label, s.items, *(s.accuracies[name] for name in systems)) for s in found.strata),
            f"Accuracy in percent by length in {found.lengths}, against the mean of the rivals.",
        )
        yield Section("by-length", "Accuracy by difference of length", table=by_length, folded=True)


def item_sections(found: Items) -> Iterator[Section]:
    """What the items are worth, then those that should be looked at."""
    accuracies = ", ".join(f"{n} {100 * a:.1f}%" for n, a in zip(found.systems, found.accuracies, strict=True))
    lines = (
        f"{len(found.items):,} items, {len(found.systems)} systems: {accuracies}.",
        f"All systems right: {found.unanimous_right:,}; all wrong: {found.unanimous_wrong:,}; these do not "
        f"distinguish systems.",
        f"Suspected wrong keys: {found.suspects:,} ({found.suspects_by_chance:.1f} expected by chance).",
        f"Redundant (same source, forms and outcomes as an earlier item): {found.redundant:,}.",
        *(f"Note: {note}." for note in found.notes),
    )
    more = found.suspects_p <= ALPHA  # a list of what chance gives would be read as a list of wrong keys
    suspects = sorted((i for i in found.items if i.suspect and more), key=lambda i: (i.discrimination, i.item))[
        :_SHOWN
    ]
    columns = ("item", "phenomenon", "right:percent", "difficulty:number", "discrimination:number",
               "weak − strong:points:turned")  # fmt: skip
    rows = [
        (i.item, i.phenomenon, i.right, round(i.difficulty, 2), round(i.discrimination, 2), i.turned)
        for i in suspects
    ]
    caption = f"Suspected wrong keys, the {len(rows)} clearest: the best system fails, weaker systems do better."
    yield Section("items", "How informative the items are", lines, table(columns, rows, caption) if rows else None)


def short_sections(found: Shortened) -> Iterator[Section]:
    """Systems on the whole suite and on the short one; then phenomena."""
    lines = (
        f"{found.kept:,} of {found.items:,} items; Kendall's tau {_tau(found.tau)}, for systems that were left "
        f"out of the choice {_tau(found.left_out_tau)}; expected error of an accuracy "
        f"{100 * found.expected_error:.2f} points.",
        *(f"Note: {note}." for note in found.notes),
    )
    columns = (
        "system:system",
        "whole:percent:accuracy",
        "short:percent",
        "short, chosen without it:percent:left_out",
    )
    rows = ((s.system, s.accuracy, s.short, s.left_out) for s in found.systems)
    title = f"Short version of {found.items:,} items"
    yield Section("short", title, lines, table(columns, rows, "Accuracy in percent."))
    kept = table(
        ("phenomenon", "whole:count", "short:count"), ((name, *counts) for name, counts in found.phenomena.items())
    )
    yield Section("short-phenomena", "Items by phenomenon", table=kept, folded=True)


def _tau(value: float | None) -> str:
    return "undefined (all systems tie)" if value is None else f"{value:.3f}"


_WORDS_SHOWN = 12
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
    columns = ["distance", "n:count:items", "weight on marked words:percent:share", "by length:percent:by_length",
               "p:p:p_length", "by recency:percent:by_recency", "p:p:p_recency"]  # fmt: skip
    columns += ["by nouns:percent:by_nouns", "p:p:p_nouns"] if nouns else []
    rows = []
    for g in groups:
        by_length, by_recency = (g.by_length, tested(g.over_length)), (g.by_recency, tested(g.over_recency))
        by_nouns = (g.by_nouns, tested(g.over_nouns)) if nouns else ()
        rows.append((g.label, g.items, estimate(g.share), *by_length, *by_recency, *by_nouns))
    over = f" over {over_clusters(groups[0].share.cluster, groups[0].share.clusters)}" if groups else ""
    caption = f"Share of weight in percent, and chance levels; p: share minus chance level, jackknife{over}."
    name = slug(f"cues-{found.system}")
    title = f"Which words of the context does {found.system} use?"
    yield Section(name, title, tuple(lines), table(columns, rows, caption) if rows else None)
    shown = sorted(found.cues, key=lambda each: -sum(abs(w.weight) for w in each.words))[:_WORDS_SHOWN]
    if shown:
        about = (
            f"Words with {100 * _HEAVY:.0f}% of an item's weight or more, and their bits: positive values "
            f"support the correct variant. Underlined, or with *: annotated words."
        )
        heavy = ((each.item, each.margin, marked_context(each)) for each in shown)
        made = table(("item", "margin:bits", "context"), heavy, about)
        yield Section(f"{name}-items", "Contexts with their heavy words", table=made)


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
    rows = (
        (name, mean.n, estimate(mean), found.p if mean is found.least else tested(mean))
        for name, mean in parts
        if mean is not None
    )
    lines = [f"{found.system}: {found.verdict}. {found.shows}"]
    if found.against is not None:
        a = found.against
        lines.append(
            f"Against {a.suite} ({a.items:,} items): area under the curve {a.auc:.3f} [{a.low:.3f}, {a.high:.3f}] "
            "(Hanley and McNeil, assuming independent items); two suites also differ in other ways."
        )
    lines += [f"Note: {note}." for note in found.notes]
    columns = ("items minus twins", "n:count", "mean:bits", "p:p")
    method = ""
    if found.least is not None and found.least.interval is not None:
        over = over_clusters(found.least.cluster, found.least.clusters)
        method = f"{100 * found.least.interval.level:g}% intervals: jackknife over {over} (t); "
    caption = (
        f"{method}p of Min-{100 * found.k:g}%: lead of more than {found.natural:g} bits, one-sided; of the "
        f"others: difference from 0, two-sided."
    )
    title = f"Was {found.suite} in the training data of {found.system}?"
    yield Section(slug(f"memory-{found.system}"), title, tuple(lines), table(columns, rows, caption))


def natural_sections(natural: Evaluation, made: Sequence[Evaluation]) -> Iterator[Section]:
    """A row for each kind that ``natural``, an evaluation of marked errors, or the generated errors have."""
    own = next((each for each in made if each.system == natural.system), made[0] if len(made) == 1 else None)
    if own is None:
        raise KontrastError(
            f"{natural.system} is not among the systems of the report, {', '.join(e.system for e in made)}"
        )
    if natural.suite == own.suite:
        raise KontrastError(f"{natural.suite} is the suite of the report; give an evaluation of marked errors")
    marked, errors = _by_kind(natural), _by_kind(own)
    known = [group.label for groups in marked.values() for group in groups if kind_of_error(group.label)]
    if 2 * sum(kind_of_error(label) != label for label in known) > len(known):
        names = ", ".join(known[:3])
        raise KontrastError(f"{natural.suite} has generated errors ({names}); give an evaluation of marked errors")
    rows = [
        (kind, *_cells(marked.get(kind, [])), *_cells(errors.get(kind, [])), ", ".join(g.label for g in errors[kind]))
        for kind in sorted({*marked, *errors}, key=lambda kind: -sum(g.items for g in marked.get(kind, [])))
    ]
    columns = ("kind", "marked:count:marked_items", "right:percent:marked_accuracy", "generated:count:made_items",
               "right of generated:percent:made_accuracy", "generated as:text:made as")  # fmt: skip
    note = (
        f"Marked: errors that people marked in translations ({natural.suite}). Generated: the errors of {own.suite}. "
        f"{100 * own.interval.level:g}% Wilson intervals, assuming independent decisions."
    )
    title = f"Marked and generated errors: {own.system}"
    yield Section("natural-made", title, (note,), table(columns, rows), question="where")


def _by_kind(found: Evaluation) -> dict[str, list[TagGroup]]:
    groups = next((b.groups for b in found.by if b.by == "phenomenon"), None)
    if groups is None:
        raise KontrastError(
            f"the evaluation of {found.suite} is not by phenomenon: kontrast evaluate --by phenomenon"
        )
    kinds: dict[str, list[TagGroup]] = defaultdict(list)
    for group in groups:
        kinds[kind_of_error(group.label) or group.label].append(group)
    return kinds


def _cells(groups: list[TagGroup]) -> tuple[Cell, ...]:
    items = sum(group.items for group in groups)
    if not items:
        return 0, None
    right = sum(group.accuracy * group.items for group in groups)
    return items, measured(right / items, wilson(right, items, groups[0].interval.level))


_SAMPLED = ("decisions:count", "predicted:percent", "written:percent", "area:number")


def sampled_sections(found: Checks) -> Iterator[Section]:
    """By phenomenon, and as a calibration curve; nothing where no samples were checked."""
    if found.sampled is None:
        return
    result = found.sampled
    note = (
        f"Shares in percent. Written: share of {result.samples} samples with the wrong form and not the right one. "
        f"Predicted: probability of the wrong variant among the two, from the scores. {result.left_out:,} "
        f"verdicts that are neither right nor wrong are left out ({result.verdicts:,} count). Area: how often a "
        f"sample with the error has a larger predicted share than one without (.5: the preference predicts nothing)."
    )
    title = f"Errors in samples: {result.system}"
    yield Section("sampled", title, (note,), _sampled_table("phenomenon", result.groups), question="items")
    points = [
        (g.predicted, figures.Point(g.label, "written", g.written, g.interval.low, g.interval.high, g.decisions))
        for g in result.curve
    ]
    caption = (
        "A dot for each bin of predicted shares, with its interval. The nearer the dots are to the dashed line, "
        "the better the preference predicts the frequency of the error. Their mean distance is "
        f"{100 * result.gap:.1f} points. Both axes are on a square-root scale."
    )
    draw = partial(figures.calibration, points, x="predicted share", y="share of samples with the error", ticks=EDGES)
    yield Section(
        "calibration",
        f"Does the preference predict the translations? {result.system}",
        table=_sampled_table("predicted share", result.curve, len(_SAMPLED)),
        figure=Figure(draw, caption),
        question="items",
    )


def _sampled_table(name: str, groups: tuple[SampledGroup, ...], columns: int | None = None) -> Table:
    rows = [(g.label, g.decisions, g.predicted, measured(g.written, g.interval), g.area) for g in groups]
    return table((name, *_SAMPLED)[:columns], (row[:columns] for row in rows))
