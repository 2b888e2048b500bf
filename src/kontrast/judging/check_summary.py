"""Counts of what `check` found: in total, by rule, by tag, beside scores, and by words and distance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from kontrast.defaults import LEVEL
from kontrast.errors import KontrastError
from kontrast.judging.check_records import Check, CheckBreakdown, CheckedItem, CheckGroup, TwoWays, VerdictAgreement
from kontrast.judging.clusters import clusters_of
from kontrast.judging.grouping import Grouping, group_by
from kontrast.judging.intervals import share_interval
from kontrast.judging.nearer import DISTANCE
from kontrast.judging.records import Interval
from kontrast.judging.signatures import check_suite
from kontrast.judging.tag_columns import TagColumns
from kontrast.judging.verdicts import judge
from kontrast.judging.wording import cluster_notes
from kontrast.judging.written import Written
from kontrast.suites.looking import decisions
from kontrast.suites.model import Scores, Suite

OUTCOMES = ("right", "wrong", "both", "neither")
Table = dict[str, dict[str, int]]
IntervalOf = Callable[[NDArray[np.bool_]], Interval]


def summarise(
    suite: Suite,
    found: Written,
    *,
    by: Sequence[str] = (),
    scores: Scores | None = None,
    level: float = LEVEL,
    allow: Collection[str] = (),
) -> Check:
    """Count verdicts; with ``scores`` of the same system the contrastive verdicts stand beside them."""
    kinds = np.array([item.verdict for item in found.items], dtype=object)
    right = (kinds == "right").astype(np.float64)
    decided = kinds != "undecidable"
    if not decided.any():
        raise KontrastError(_nothing(suite, found.items))
    clusters = clusters_of(suite, np.fromiter((d.item_index for d in decisions(suite)), np.int64))
    grouped = clusters.on(decided)

    def interval(chosen: NDArray[np.bool_]) -> Interval:
        return share_interval(right[chosen & decided], clusters.on(chosen & decided), level)

    tags = TagColumns(
        lambda: (d.item.tags_of(None if d.variant is None else d.item.variants[1]) for d in decisions(suite))
    )
    counts = Counter(kinds.tolist())
    return Check(
        suite=suite.name,
        system=found.system,
        style=found.style,
        total=len(kinds),
        right=counts["right"],
        wrong=counts["wrong"],
        both=counts["both"],
        neither=counts["neither"],
        undecidable=counts["undecidable"],
        accuracy=float(right[decided].mean()),
        interval=interval(np.ones(len(kinds), dtype=np.bool_)),
        by_rule=_by_rule(tags, found.items),
        align=found.align,
        by=tuple(_breakdown(group_by(tags, name), kinds, interval) for name in by),
        agreement=None if scores is None else _agreement(suite, scores, found.items, allow),
        two_ways=_two_ways(found.items),
        outcomes=tuple(kinds.tolist()),
        notes=(*cluster_notes(grouped), *_notes(found.items)),
        cluster=grouped.name,
        clusters=grouped.count if grouped.name else None,
    )


def _nothing(suite: Suite, items: Sequence[CheckedItem]) -> str:
    (why, _), *_ = Counter(item.why for item in items).most_common(1)
    return f"{suite.name}: words decide no item ({why}); --by-distance takes the nearer variant where there are two"


def _notes(items: Sequence[CheckedItem]) -> tuple[str, ...]:
    notes = []
    if blank := sum(not item.text.strip() for item in items):
        notes.append(f"{blank} translations are blank and contain neither form")
    reasons = Counter(item.why for item in items if item.verdict == "undecidable")
    notes += [f"{n} cannot be decided by words: {why}" for why, n in reasons.items()]
    return tuple(notes)


def _by_rule(tags: TagColumns, items: Sequence[CheckedItem]) -> dict[str, tuple[int, int]]:
    total: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for own, item in zip(tags.rows(), items, strict=True):
        if item.verdict != "undecidable":
            rule = str(own.get("rule", own.get("phenomenon", "all")))
            total[rule] += 1
            right[rule] += item.verdict == "right"
    return {rule: (right[rule], total[rule]) for rule in sorted(total)}


def _breakdown(grouping: Grouping, kinds: NDArray[np.object_], interval: IntervalOf) -> CheckBreakdown:
    groups = []
    for i, tags in enumerate(grouping.labels):
        chosen = grouping.number == i
        counts = Counter(kinds[chosen].tolist())
        total = int(chosen.sum())
        decided = total - counts["undecidable"]
        groups.append(
            CheckGroup(
                label=grouping.label(i),
                tags=tags,
                total=total,
                **{outcome: counts[outcome] for outcome in OUTCOMES},
                undecidable=counts["undecidable"],
                accuracy=counts["right"] / decided if decided else None,
                interval=interval(chosen),
            )
        )
    return CheckBreakdown(grouping.by, grouping.tags, tuple(groups))


def _agreement(
    suite: Suite, scores: Scores, items: Sequence[CheckedItem], allow: Collection[str]
) -> VerdictAgreement:
    """Both verdicts on the decisions that both can judge."""
    check_suite(suite, scores, allow)
    outcomes = {(d.item_index, d.variant): item.verdict for d, item in zip(decisions(suite), items, strict=True)}
    verdicts = [(v, outcomes[v.item_index, v.variant_index]) for v in judge(suite, scores)]
    verdicts = [(v, outcome) for v, outcome in verdicts if outcome != "undecidable"]
    if not verdicts:
        raise KontrastError(
            f"{scores.system}: no item of {suite.name} is decided both by its translation and by its scores"
        )
    table: Table = {row: dict.fromkeys(OUTCOMES, 0) for row in ("right", "wrong", "tie")}
    for verdict, outcome in verdicts:
        table[verdict.outcome][outcome] += 1
    decided, agreement, kappa = _agreed(table)
    return VerdictAgreement(
        scores=scores.system,
        items=len(verdicts),
        contrastive=sum(verdict.credit for verdict, _ in verdicts) / len(verdicts),
        generative=sum(outcome == "right" for _, outcome in verdicts) / len(verdicts),
        decided=decided,
        agreement=agreement,
        kappa=kappa,
        table=table,
    )


def _two_ways(items: Sequence[CheckedItem]) -> TwoWays | None:
    """How often the nearer variant says what words say; None where distance was not asked for."""
    if not any(item.nearer for item in items):
        return None
    table: Table = {row: dict.fromkeys(("right", "wrong", "neither"), 0) for row in OUTCOMES}
    for item in items:
        if item.nearer and item.by == "words":
            table[item.verdict][item.nearer] += 1
    open_ = [item for item in items if item.why]
    return TwoWays(
        DISTANCE, len(open_), sum(item.nearer in ("right", "wrong") for item in open_), *_agreed(table), table
    )


def _agreed(table: Table) -> tuple[int, float | None, float | None]:
    """How many both decide, the share on which they agree, and Cohen's kappa."""
    a, b = table["right"]["right"], table["right"]["wrong"]
    c, d = table["wrong"]["right"], table["wrong"]["wrong"]
    decided = a + b + c + d
    if not decided:
        return 0, None, None
    agreement = (a + d) / decided
    by_luck = ((a + b) * (a + c) + (c + d) * (b + d)) / decided**2
    return decided, agreement, (agreement - by_luck) / (1 - by_luck) if by_luck < 1 else None
