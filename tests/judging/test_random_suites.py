"""Random suites, judged by `evaluate` and `compare` and by a judge that is written here from the definitions alone.

The definitions are those of docs/statistics.md and docs/glossary.md. The judge counts in sixtieths of a credit, so
that every share 1/k is whole, and uses nothing of kontrast but the records of suites and scores.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from typing import Any, NamedTuple

import pytest

import kontrast
from kontrast import Item, Scores, Suite, Variant
from kontrast.judging.records import Counts, Evaluation, TagGroup, TiePolicy
from kontrast.suites.model import Unit

WHOLE = 60
"""A credit of 1: divisible by every number of variants."""
POLICIES: tuple[TiePolicy, ...] = ("report", "wrong", "right", "first")
UNITS: tuple[Unit, ...] = ("item", "pair")


def random_suite(dice: random.Random) -> Suite:
    """Items of one to six variants, the correct one anywhere, with tags on items and variants, now and then."""
    sources = [f"source {n}" for n in range(dice.choice((2, 8, 60)))]
    documents = dice.choice(((), ("a", "b"), tuple("abcdefghij"), (None, *"abcdefg")))
    items = []
    for number in range(dice.choice((1, 3, 12, 30))):
        size = dice.choice((1, 2, 2, 2, 3, 4, 5, 6)) if number else dice.randint(2, 6)
        correct = dice.randrange(size)
        variants = tuple(random_variant(dice, place == correct) for place in range(size))
        items.append(
            Item(
                str(number),
                dice.choice(sources),
                variants,
                correct,
                document=dice.choice(documents) if documents else None,
                tags=some_tags(dice, kind=("A", "b"), phenomenon=("gender", "number"), ref_pronoun=("Er", "er")),
            )
        )
    return Suite("random", tuple(items), "en", "de", unit=dice.choice(UNITS))


def random_variant(dice: random.Random, correct: bool) -> Variant:
    text = " ".join(dice.choice(("er", "sie", "das Haus")) for _ in range(dice.randint(1, 4)))
    error = None if correct else dice.choice((None, "gender", "case"))
    return Variant(text, error, tags=some_tags(dice, distance=(0, 1, 2, 3.5), kind=("A", "c")))


def some_tags(dice: random.Random, **values: tuple[Any, ...]) -> dict[str, Any]:
    return {tag: dice.choice(choice) for tag, choice in values.items() if dice.random() < 0.5}


def random_scores(dice: random.Random, suite: Suite, system: str, lower_is_better: bool) -> Scores:
    """Few different values (many ties), many, or one for everything; halves, so that sums are exact."""
    top = dice.choice((0, 2, 5, 1000))
    values = tuple(dice.randint(-top, top) / 2 for item in suite.items for _ in item.variants)
    return Scores(system, values, lower_is_better)


class Decision(NamedTuple):
    """What the plain judge knows of one decision."""

    item: Item
    place: int
    tags: dict[str, Any]
    options: int
    margin: float
    tied: bool
    credit: int


def plain_verdicts(suite: Suite, scores: Scores, unit: Unit, ties: str, epsilon: float) -> list[Decision]:
    found = []
    values = iter(scores.values)
    for place, item in enumerate(suite.items):
        own = [next(values) * (-1 if scores.lower_is_better else 1) for _ in item.variants]
        wrong = [v for v in range(len(item.variants)) if v != item.correct]
        for rivals in [[v] for v in wrong] if unit == "pair" else [wrong] if wrong else []:
            margin = own[item.correct] - max(own[v] for v in rivals)
            tied = abs(margin) <= epsilon
            level = [v for v in rivals if max(own[item.correct], *(own[r] for r in rivals)) - own[v] <= epsilon]
            if not tied:
                credit = WHOLE * (margin > 0)
            elif ties == "report":
                credit = WHOLE // (1 + len(level))
            elif ties == "first":
                credit = WHOLE * all(item.correct < v for v in level)
            else:
                credit = WHOLE * (ties == "right")
            tags = plain_tags(item, rivals, unit)
            found.append(Decision(item, place, tags, 1 + len(rivals), margin, tied, credit))
    return found


def plain_tags(item: Item, rivals: list[int], unit: Unit) -> dict[str, Any]:
    """A pair has its wrong variant's tags; an item has those that all its wrong variants share, and its own."""
    foils = [item.variants[v] for v in rivals]
    shared = {tag: value for tag, value in foils[0].tags.items() if all(f.tags.get(tag) == value for f in foils)}
    tags = {**item.tags, **shared} if unit == "pair" else {**shared, **item.tags}
    errors = [v.error for i, v in enumerate(item.variants) if i != item.correct]
    kind = item.tags.get("phenomenon", errors[0])
    if unit == "pair":
        kind = foils[0].error or kind
    found = {**tags, "phenomenon": kind, "document": item.document}
    return {tag: value for tag, value in found.items() if value is not None}


def plain_label(tag: str, value: Any) -> str:
    if value is None:
        return "(none)"
    return str(value).lower() if tag.endswith("pronoun") else f"{value:g}" if not isinstance(value, str) else value


def plain_groups(decisions: list[Decision], by: str) -> dict[str, list[Decision]]:
    """Numbers by size, then texts by alphabet, then those without the tag."""
    tags = by.removesuffix(":cap=1").split(",")
    groups: dict[tuple[tuple[bool, bool, Any], ...], list[Decision]] = {}
    labels = {}
    for each in decisions:
        key, label = [], []
        for tag in tags:
            value = each.tags.get(tag)
            over = by.endswith(":cap=1") and value is not None and value > 1
            label.append(">1" if over else plain_label(tag, value))
            comparable = 2 if over else value if isinstance(value, int | float) else label[-1]
            key.append((value is None, isinstance(value, str), comparable))
        groups.setdefault(tuple(key), []).append(each)
        labels[tuple(key)] = " · ".join(label)
    return {labels[key]: groups[key] for key in sorted(groups)}


def share(decisions: list[Decision]) -> float:
    return sum(d.credit for d in decisions) / (WHOLE * len(decisions))


def agree(found: Evaluation | Counts | TagGroup, decisions: list[Decision], ties: str) -> None:
    tied = sum(d.tied for d in decisions)
    right = sum(d.credit == WHOLE and not (d.tied and ties == "report") for d in decisions)
    wrong = len(decisions) - right - (tied if ties == "report" else 0)
    assert (found.items, found.right, found.wrong, found.ties) == (len(decisions), right, wrong, tied)
    assert found.accuracy == pytest.approx(share(decisions))
    assert found.chance == pytest.approx(sum(1 / d.options for d in decisions) / len(decisions))


def some_breakdowns(dice: random.Random, decisions: list[Decision]) -> list[str]:
    """Tags that some decision has, alone, in bins and crossed."""
    tags = {tag for each in decisions for tag in each.tags} - {"phenomenon"}
    wanted = ("kind", "distance", "distance:cap=1", "ref_pronoun", "document", "kind,distance", "phenomenon,kind")
    known = [by for by in wanted if {*by.removesuffix(":cap=1").split(",")} - {"phenomenon"} <= tags]
    known = [by for by in known if "phenomenon" not in by or any("phenomenon" in d.tags for d in decisions)]
    return dice.sample(known, min(len(known), 2))


def with_phenomena(decisions: list[Decision], by: list[str]) -> list[str]:
    """The phenomenon comes first by itself where there are several."""
    return [*(["phenomenon"] if len({d.tags.get("phenomenon") for d in decisions}) > 1 else []), *by]


@pytest.mark.parametrize("seed", range(300))
def test_evaluate(seed: int) -> None:
    dice = random.Random(seed)
    suite = random_suite(dice)
    scores = random_scores(dice, suite, "made", dice.random() < 0.5)
    ties, epsilon = dice.choice(POLICIES), dice.choice((0.0, 0.0, 0.5, 2.0))
    unit = dice.choice((None, *UNITS))
    decisions = plain_verdicts(suite, scores, unit or suite.unit, ties, epsilon)
    by = some_breakdowns(dice, decisions)
    found = kontrast.evaluate(suite, scores, ties=ties, epsilon=epsilon, unit=unit, by=by)

    agree(found, decisions, ties)
    agree(found.as_items, plain_verdicts(suite, scores, "item", ties, epsilon), ties)
    agree(found.as_pairs, plain_verdicts(suite, scores, "pair", ties, epsilon), ties)
    assert found.tie_rate == pytest.approx(sum(d.tied for d in decisions) / len(decisions))
    assert found.margins.mean == pytest.approx(sum(d.margin for d in decisions) / len(decisions))
    assert (found.wilson.low, found.wilson.high) == pytest.approx(plain_wilson(decisions), abs=1e-9)
    assert [b.by for b in found.by] == with_phenomena(decisions, by)
    for breakdown in found.by:
        groups = plain_groups(decisions, breakdown.by)
        assert [group.label for group in breakdown.groups] == list(groups)
        for group in breakdown.groups:
            agree(group, groups[group.label], ties)
        rates = [share(group) for group in groups.values()]
        assert breakdown.macro == pytest.approx(sum(rates) / len(rates))

    constant = Scores("constant", (1.0,) * suite.row_count)
    lengths = Scores("shorter", tuple(float(len(row.variant.text)) for row in suite.rows()))
    for name, values in (("constant", constant), ("shorter", lengths)):
        baseline = next(each for each in found.baselines if each.name == name)
        alone = plain_verdicts(suite, values, unit or suite.unit, ties, 0.0)
        assert baseline.accuracy == pytest.approx(share(alone))


def plain_wilson(decisions: list[Decision]) -> tuple[float, float]:
    n, p, z = len(decisions), share(decisions), 1.959963984540054
    middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return max(0.0, (middle - half) / (1 + z * z / n)), min(1.0, (middle + half) / (1 + z * z / n))


@pytest.mark.parametrize("seed", range(300, 450))
def test_compare(seed: int) -> None:
    dice = random.Random(seed)
    suite = random_suite(dice)
    lower = dice.random() < 0.5
    systems = [random_scores(dice, suite, name, lower) for name in "abc"[: dice.choice((2, 2, 3))]]
    ties, epsilon = dice.choice(POLICIES), dice.choice((0.0, 0.0, 0.5))
    unit = dice.choice((None, *UNITS))
    judged = {each.system: plain_verdicts(suite, each, unit or suite.unit, ties, epsilon) for each in systems}
    by = some_breakdowns(dice, judged["a"])
    found = kontrast.compare(suite, *systems, ties=ties, epsilon=epsilon, unit=unit, by=by, resamples=4096)

    whole = all(d.credit in (0, WHOLE) for decisions in judged.values() for d in decisions)
    assert [(d.a, d.b) for d in found.total] == list(itertools.combinations(judged, 2))
    assert [b.by for b in found.by] == with_phenomena(judged["a"], by)
    tables = [("", found.total), *((each.by, each.groups) for each in found.by)]
    for name, rows in tables:
        groups = {system: plain_groups(own, name) if name else {"total": own} for system, own in judged.items()}
        assert list(dict.fromkeys(row.label for row in rows)) == list(groups["a"])
        for row in rows:
            compare_row(row, groups[row.a][row.label], groups[row.b][row.label], whole)


def compare_row(row: kontrast.Difference, a: list[Decision], b: list[Decision], whole: bool) -> None:
    gaps = [second.credit - first.credit for first, second in zip(a, b, strict=True)]
    signs = Counter((gap > 0) - (gap < 0) for gap in gaps)
    assert (row.items, row.a_better, row.b_better, row.same) == (len(a), signs[-1], signs[1], signs[0])
    rates = share(a), share(b)
    assert (row.accuracy_a, row.accuracy_b) == pytest.approx(rates)
    assert row.difference == pytest.approx(sum(gaps) / (WHOLE * len(gaps)))
    assert row.cohens_h == pytest.approx(2 * math.asin(math.sqrt(rates[1])) - 2 * math.asin(math.sqrt(rates[0])))
    assert row.mcnemar == (pytest.approx(plain_mcnemar(signs[-1], signs[1])) if whole else None)
    sums: dict[object, int] = {}
    for cluster, gap in zip(plain_clusters(a), gaps, strict=True):
        sums[cluster] = sums.get(cluster, 0) + gap
    if len(moving := [abs(each) for each in sums.values() if each]) <= 9:  # all signs are tried
        totals = [abs(sum(way)) for way in itertools.product(*((-each, each) for each in moving))]
        extreme = sum(total >= abs(sum(gaps)) for total in totals)
        assert row.permutation == pytest.approx(extreme / len(totals))


def plain_mcnemar(a_better: int, b_better: int) -> float:
    """Twice the smaller tail of a fair coin thrown once for each decision on which the systems differ."""
    thrown = a_better + b_better
    tail = sum(math.comb(thrown, k) for k in range(min(a_better, b_better) + 1))
    return min(1.0, math.ldexp(tail, 1 - thrown))


def plain_clusters(decisions: list[Decision]) -> list[object]:
    """Documents, else sources, else items, else every decision: the first that joins some and is not too few."""
    kinds: list[list[object]] = [[d.item.source for d in decisions], [d.place for d in decisions]]
    if any(d.item.document is not None for d in decisions):
        outside = [("document", d.item.document) if d.item.document else ("source", d.item.source) for d in decisions]
        kinds.insert(0, list(outside))
    for kind in kinds:
        sizes = Counter(kind).values()
        effective = len(kind) ** 2 / sum(size * size for size in sizes)
        if 6 <= len(sizes) < len(kind) and effective >= 2:
            return kind
    return list(range(len(decisions)))
