"""Check: the generative side. Is the correct form in what the system wrote, a wrong one, both, or neither?"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from kontrast.defaults import LEVEL, SEED
from kontrast.errors import InputError, KontrastError, MissingExtraError
from kontrast.io import files
from kontrast.io.words import position, words
from kontrast.judging.decisions import clusters_of
from kontrast.judging.forms import found, needed
from kontrast.judging.grouping import Grouping, group_by
from kontrast.judging.intervals import cluster_interval, wilson
from kontrast.judging.passages import Alignment, own_translation, resolve
from kontrast.judging.records import Agreement, Check, CheckBreakdown, CheckGroup, Interval
from kontrast.judging.verdicts import judge
from kontrast.suites.model import Item, Scores, Suite

__all__ = ["check", "read_translations"]

Outcome = Literal["right", "wrong", "both", "neither"]
OUTCOMES: tuple[Outcome, ...] = ("right", "wrong", "both", "neither")
Chosen = NDArray[np.bool_]
IntervalOf = Callable[[Chosen], Interval]


def check(
    suite: Suite,
    translations: Sequence[str],
    *,
    system: str = "system",
    style: Literal["original"] | None = None,
    align: Alignment = "auto",
    separator: str | None = None,
    context: int | None = None,
    by: Sequence[str] = (),
    scores: Scores | None = None,
    level: float = LEVEL,
    seed: int = SEED,
) -> Check:
    """Judge translations, one per item: of its sentence, or of its sentence with context (``context`` sentences).

    ``style="original"`` is CTXPro's own protocol. With ``scores`` of the same system the contrastive verdicts
    stand beside the generative ones.

    >>> from kontrast import Item, Suite, Variant
    >>> item = Item("1", "It sleeps .", (Variant("Er schläft ."), Variant("Sie schläft .", error="pronoun")))
    >>> result = check(Suite("tiny", (item, item, item)), ["Er schläft jetzt.", "Sie pennt!", "Das schläft."])
    >>> result.right, result.wrong, result.neither
    (1, 1, 1)
    """
    if len(translations) != len(suite.items):
        raise KontrastError(
            f"{system}: expected {len(suite.items)} translations (one per item of {suite.name}), "
            f"found {len(translations)}"
        )
    notes = []
    blank = sum(not text.strip() for text in translations)
    if blank:
        notes.append(f"{blank} translations are blank and contain neither form")
    if style == "original":
        align_used, outcomes = "last sentence", _original(suite, translations)
    else:
        align, separator = resolve(suite.items, translations, align, separator)
        align_used = f"separator {separator}" if align == "separator" else align
        outcomes = [
            _outcome(item, own_translation(item, text, align, separator, context), suite.target_language)
            for item, text in zip(suite.items, translations, strict=True)
        ]
    right = np.array([outcome == "right" for outcome in outcomes], dtype=np.float64)
    cluster, numbers = clusters_of(suite, np.arange(len(outcomes)))

    def interval(chosen: Chosen) -> Interval:
        credit = right[chosen]
        if cluster is not None and len(np.unique(numbers[chosen])) < len(credit):
            return cluster_interval(credit, numbers[chosen], level=level, seed=seed)
        return wilson(float(credit.sum()), len(credit), level)

    tags = [item.tags_of() for item in suite.items]
    counts = Counter(outcomes)
    return Check(
        suite=suite.name,
        system=system,
        style=style or "kontrast",
        total=len(outcomes),
        right=counts["right"],
        wrong=counts["wrong"],
        both=counts["both"],
        neither=counts["neither"],
        accuracy=float(right.mean()) if outcomes else 0.0,
        interval=interval(np.ones(len(outcomes), dtype=np.bool_)),
        by_rule=_by_rule(suite.items, outcomes),
        align=align_used,
        by=tuple(_breakdown(group_by(tags, name), outcomes, interval) for name in by),
        agreement=None if scores is None else _agreement(suite, scores, outcomes),
        outcomes=tuple(outcomes),
        notes=tuple(notes),
    )


def read_translations(path: str | Path, suite: Suite) -> list[str]:
    """Read a line per item; a file with a line per row (as extracted text has) gives its items' correct rows."""
    lines = files.read_lines(path)
    if len(lines) == suite.row_count and suite.row_count != len(suite.items):
        rows = zip(suite.rows(), lines, strict=True)
        return [line for row, line in rows if row.variant_index == row.item.correct]
    if len(lines) != len(suite.items):
        raise InputError(
            path,
            f"expected {len(suite.items)} translations (one per item of {suite.name}), found {len(lines)}",
            line=min(len(lines), len(suite.items)) + 1,
        )
    return lines


def _outcome(item: Item, text: str, language: str | None) -> Outcome:
    """Word by word, by what tells the variants apart, or by the form that the suite expects."""
    own = words(text, language)
    counts = Counter(own)
    if len(item.variants) < 2:
        expected = item.tags.get("expected")
        if not isinstance(expected, str):
            raise KontrastError(f"item {item.id} has one variant and no expected form: nothing to look for")
        return "right" if position(words(expected, language), own) is not None else "neither"
    needs = needed(item, language)
    correct = found(needs[item.correct], counts)
    wrong = any(found(need, counts) for i, need in enumerate(needs) if i != item.correct)
    # A variant that merely lacks words is there when the others' words are not.
    if not wrong and not correct and text.strip():
        correct = not needs[item.correct]
        wrong = not correct and any(not need for need in needs)
    if correct and wrong:
        return "both"
    return "right" if correct else ("wrong" if wrong else "neither")


def _original(suite: Suite, translations: Sequence[str]) -> list[Outcome]:
    """CTXPro: the last sentence, in lower case and without ASCII punctuation, contains the expected words."""
    if any("expected" not in item.tags for item in suite.items):
        raise KontrastError(
            f"--style original is CTXPro's protocol, and {suite.name} has items without an expected form; "
            "leave the option out"
        )
    split = _splitter(suite.target_language)
    outcomes: list[Outcome] = []
    for item, text in zip(suite.items, translations, strict=True):
        sentences = split(text)
        last = _bare(sentences[-1]) if sentences else ""
        outcomes.append("right" if f" {_bare(str(item.tags['expected']))} " in f" {last} " else "neither")
    return outcomes


def _bare(text: str) -> str:
    return " ".join(text.lower().translate(str.maketrans("", "", string.punctuation)).split())


def _splitter(language: str | None) -> Callable[[str], list[str]]:
    try:
        from sentence_splitter import SentenceSplitter, SentenceSplitterException
    except ImportError as error:
        raise MissingExtraError("check", "CTXPro's protocol") from error
    if language is None:
        raise KontrastError(
            "CTXPro's protocol needs the target language, which the suite's name does not say (en-de)"
        )
    try:
        split: Callable[[str], list[str]] = SentenceSplitter(language=language).split
    except SentenceSplitterException as error:
        raise KontrastError(f"CTXPro's protocol: sentences in {language!r} cannot be split ({error})") from error
    return split


def _by_rule(items: Sequence[Item], outcomes: Sequence[Outcome]) -> dict[str, tuple[int, int]]:
    total: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for item, outcome in zip(items, outcomes, strict=True):
        rule = str(item.tags.get("rule", item.phenomenon or "all"))
        total[rule] += 1
        right[rule] += outcome == "right"
    return {rule: (right[rule], total[rule]) for rule in sorted(total)}


def _breakdown(grouping: Grouping, outcomes: Sequence[Outcome], interval: IntervalOf) -> CheckBreakdown:
    groups = []
    kinds = np.array(outcomes)
    for i, tags in enumerate(grouping.labels):
        chosen = grouping.number == i
        counts = Counter(kinds[chosen].tolist())
        total = int(chosen.sum())
        groups.append(
            CheckGroup(
                label=grouping.label(i),
                tags=tags,
                total=total,
                **{outcome: counts[outcome] for outcome in OUTCOMES},
                accuracy=counts["right"] / total,
                interval=interval(chosen),
            )
        )
    return CheckBreakdown(grouping.by, grouping.tags, tuple(groups))


def _agreement(suite: Suite, scores: Scores, outcomes: Sequence[Outcome]) -> Agreement:
    """Both verdicts on the items that scores can judge."""
    verdicts = list(judge(suite, scores, unit="item"))
    table: dict[str, dict[str, int]] = {row: dict.fromkeys(OUTCOMES, 0) for row in ("right", "wrong", "tie")}
    for verdict in verdicts:
        table[verdict.outcome][outcomes[verdict.item_index]] += 1
    a, b = table["right"]["right"], table["right"]["wrong"]
    c, d = table["wrong"]["right"], table["wrong"]["wrong"]
    decided = a + b + c + d
    agreement = kappa = None
    if decided:
        agreement = (a + d) / decided
        by_luck = ((a + b) * (a + c) + (c + d) * (b + d)) / decided**2
        kappa = (agreement - by_luck) / (1 - by_luck) if by_luck < 1 else None
    return Agreement(
        scores=scores.system,
        items=len(verdicts),
        contrastive=sum(verdict.credit for verdict in verdicts) / len(verdicts),
        generative=sum(outcomes[verdict.item_index] == "right" for verdict in verdicts) / len(verdicts),
        decided=decided,
        agreement=agreement,
        kappa=kappa,
        table=table,
    )
