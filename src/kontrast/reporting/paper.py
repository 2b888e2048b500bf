"""What a paper needs of a report: one table, a sentence on the method, and BibTeX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kontrast import __version__
from kontrast.judging.records import Comparison, Evaluation
from kontrast.judging.verdict_text import listed, no_skill
from kontrast.judging.wording import counted, explained, over_clusters, share_text
from kontrast.reporting.section import Cell, Column, Section, measured, table

if TYPE_CHECKING:
    from kontrast.reporting.report import Report

KONTRAST = f"""@software{{kontrast,
  title = {{kontrast: contrastive and compositional evaluation of machine translation}},
  author = {{{{The kontrast developers}}}},
  version = {{{__version__}}},
  license = {{Apache-2.0}}
}}"""


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Names without the folders or the organisation before them, where that keeps them apart."""
    short = [name.rstrip("/").rsplit("/", 1)[-1] or name for name in names]
    return dict(zip(names, short if len(set(short)) == len(names) else names, strict=True))


def main_table(made: Report) -> Section:
    """The one table: each system's accuracy, and its difference from the first with its test."""
    names = short_names(made.systems)
    first = made.evaluations.systems[0]
    columns: list[str | Column] = ["system", "accuracy:percent", "macro:percent"]
    rows: list[tuple[Cell, ...]] = []
    differences = {row.b: row for row in made.comparison.total if row.a == first.system} if made.comparison else {}
    for e in made.evaluations.systems:
        row: list[Cell] = [names[e.system], measured(e.accuracy, e.interval), e.macro]
        if made.comparison:
            d = differences.get(e.system)
            found = measured(d.difference, d.interval, d.significant) if d else None
            row += [found, None if d is None or d.undecided else d.p]
        rows.append(tuple(row))
    if made.comparison:
        columns += [Column(f"difference from {names[first.system]}", "points", "difference"), Column("p", "p")]
    level = f"{100 * first.interval.level:g}%"
    caption = (
        f"Accuracy (%) on {counted(first.items, first.unit)} with {level} confidence intervals; macro: mean over "
        f"phenomena. Without skill: {', '.join(no_skill(first.baselines))}."
    )
    if made.comparison:
        caption += f" * p ≤ {made.comparison.alpha:g}, corrected for the number of pairs (Holm)."
    return Section("main", "Accuracy", table=table(columns, rows, caption))


def method_text(systems: Sequence[Evaluation], comparison: Comparison | None = None) -> str:
    """How the numbers were made, in sentences for a paper."""
    first = systems[0]
    names = short_names([each.system for each in systems])
    written = [names[each.system] for each in systems if "engine:check" in (each.signature or "").split("|")]
    who = listed([f"{names[each.system]}{_made_by(each)}" for each in systems], every=True)
    unit = counted(first.items, first.unit)
    sentences = [
        f"We evaluate {who} on the {unit} of {first.suite} (hash {(first.fingerprint or '')[:8]}) with kontrast "
        f"{__version__}."
    ]
    if written:
        of = f" of {listed(written, every=True)}" if len(written) < len(systems) else ""
        needs = "is right if it has the form that the correct variant needs and no wrong one"
        sentences.append(f"A translation{of} {needs}.")
    if len(written) < len(systems):
        scored = next(each for each in systems if names[each.system] not in written)
        better = "lower" if scored.lower_is_better else "higher"
        within = f"; scores within {first.epsilon:g} of each other tie" if first.epsilon else ""
        beaten = "the wrong one" if first.unit == "pair" else "every other"
        sentences.append(
            f"A decision is right if the correct variant has a {better} score than {beaten}; "
            f"{explained('ties')[first.tie_policy]}{within}."
        )
    level = f"{100 * first.interval.level:g}%"
    method = "jackknife" if first.cluster or "jackknife" in first.interval.method else "Wilson"
    sentences.append(
        f"We report accuracy with {level} confidence intervals ({method} over "
        f"{over_clusters(first.cluster, first.clusters)}); guessing gets {share_text(first.chance, None)}."
    )
    if comparison is not None:
        over = over_clusters(comparison.cluster, comparison.clusters)
        tests = {
            "jackknife": f"a paired jackknife t test over {over}",
            "permutation": f"a paired permutation test over {over} ({comparison.resamples:,} resamples)",
            "mcnemar": "McNemar's exact test",
        }
        sentences.append(
            f"Differences are tested with {tests[comparison.test]}, two-sided, with Holm's correction over each "
            "table."
        )
    return " ".join(sentences)


def _made_by(result: Evaluation) -> str:
    """Engine, model and context as the signature has them."""
    parts = dict(part.partition(":")[::2] for part in (result.signature or "").split("|"))
    if "engine" not in parts or parts["engine"] == "check":
        return ""
    model = f"{parts['engine']}:{parts.get('model', '')}".rstrip(":")
    context = "no context" if parts.get("context", "none") == "none" else f"context {parts['context']}"
    return f" ({model}, {context})"
