"""Check: the generative side. Is the correct form in what the system wrote, a wrong one, both, or neither?

Counts of what `check` found: in total, by rule, by tag, beside scores, and by words and distance.
"""

import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from kontrast.defaults import LEVEL
from kontrast.errors import KontrastError
from kontrast.io.words import segmenter
from kontrast.judging.check_records import Check, CheckBreakdown, CheckedItem, CheckGroup, TwoWays, VerdictAgreement
from kontrast.judging.clusters import clusters_of
from kontrast.judging.grouping import Grouping, TagColumns, group_by
from kontrast.judging.intervals import share_interval
from kontrast.judging.nearer import DISTANCE, nearer
from kontrast.judging.passages import Alignment, own_translation, resolve
from kontrast.judging.records import Interval
from kontrast.judging.signatures import check_suite
from kontrast.judging.verdicts import judge
from kontrast.judging.wording import cluster_notes
from kontrast.judging.written import Written, written
from kontrast.suites.form_search import Outcome, decisions, look, seek
from kontrast.suites.model import Scores, Suite
from kontrast.suites.testset import testsets


def judge_translations(
    suite: Suite,
    translations: Sequence[str],
    *,
    system: str = "system",
    style: Literal["original"] | None = None,
    align: Alignment = "auto",
    separator: str | None = None,
    context: int | None = None,
    by_distance: bool = False,
) -> Written:
    """The verdict on every item, with what was looked for and what was found where.

    Items that words cannot decide are counted apart, or, ``by_distance``, decided by the nearer variant.
    ``style="original"`` is the protocol of the suite's own authors.
    """
    if len(translations) != len(suite.items):
        raise KontrastError(
            f"{system}: expected {len(suite.items)} translations (one per item of {suite.name}), "
            f"found {len(translations)}"
        )
    if style == "original":
        if by_distance:
            raise KontrastError("--by-distance cannot be used with --style original, which has its own protocol")
        outcomes = _original(suite, translations)
        items = []
        for item, text, outcome in zip(suite.items, translations, outcomes, strict=True):
            expected = (str(item.tags["expected"]),) if "expected" in item.tags else ()
            items.append(CheckedItem(item.id, item.source, text, outcome, expected, by="original"))
        return written(suite, system, items, style, "last sentence")
    align, separator = resolve(suite.items, translations, align, separator, context)
    texts = [
        own_translation(item, text, align, separator, context)
        for item, text in zip(suite.items, translations, strict=True)
    ]
    used = f"separator {separator}" if align == "separator" else align
    parted = next(filter(None, (segmenter(item.best.text) for item in suite.items)), None)
    return written(suite, system, list(_checked(suite, texts, by_distance)), "kontrast", used, parted)


def _checked(suite: Suite, texts: Sequence[str], by_distance: bool) -> Iterator[CheckedItem]:
    """Word by word, by what tells the variants apart or by the form that the suite expects; else by distance."""
    language = suite.target_language
    for decision in decisions(suite):
        item, text = decision.item, texts[decision.item_index]
        sought = seek(item, language)
        outcome, found = look(sought, text)
        near = nearer(item, text, language) if by_distance and len(item.variants) > 1 else None
        by: Literal["words", "distance"] = "distance" if sought.why and near else "words"
        if sought.why:
            outcome, found = near or "undecidable", ()
        yield CheckedItem(
            item=item.id,
            source=item.source,
            text=text,
            verdict=outcome,
            expected=sought.expected,
            forbidden=sought.forbidden,
            found=found,
            variant=decision.variant,
            by=by,
            why=sought.why,
            nearer=near,
        )


def original_lines(suite: Suite, outcomes: Sequence[str], options: Sequence[str] = ()) -> tuple[str, ...]:
    """What the check of the suite's own authors prints for these outcomes; empty where it prints nothing known."""
    home = testsets().get(suite.style or "")
    if foreign := [name for name in options if home is None or name not in home.check_options]:
        raise KontrastError(f"the original check of {suite.name} has no --{foreign[0]}; leave it out")
    printed = getattr(home.parts(), "printed", None) if home is not None and home.check else None
    return () if printed is None else tuple(printed(suite, outcomes, **dict.fromkeys(options, True)))


def _original(suite: Suite, translations: Sequence[str]) -> list[Outcome]:
    """By the check of the suite's own authors."""
    home = testsets().get(suite.style or "")
    if home is None or not home.check:
        known = ", ".join(name for name, each in testsets().items() if each.check)
        raise KontrastError(f"{suite.name}: it has no original check (there are {known}); leave out --style")
    outcomes = home.parts().outcomes
    answers: list[Outcome] = outcomes(suite, translations)
    blank = Counter(answer for answer, text in zip(answers, translations, strict=True) if not text.strip())
    if blank:
        told = ", ".join(f"{count:,} as {answer}" for answer, count in blank.items())
        _warn(f"{blank.total():,} translations are blank; the authors' check counts {told}")
    plain = [unicodedata.normalize("NFC", text) for text in translations]
    if plain != list(translations):
        moved = sum(one != other for one, other in zip(answers, outcomes(suite, plain), strict=True))
        if moved:
            _warn(f"{moved:,} items change if the translations are in Unicode normal form C")
    return answers


def _warn(text: str) -> None:
    print(f"kontrast: warning: {text}", file=sys.stderr)


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
        unit=suite.unit,
    )


def _nothing(suite: Suite, items: Sequence[CheckedItem]) -> str:
    (why, _), *_ = Counter(item.why for item in items).most_common(1)
    return f"{suite.name}: words decide no item ({why}); --by-distance uses the nearer variant if there are two"


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
    for label, tags, chosen in grouping.parts():
        counts = Counter(kinds[chosen].tolist())
        found = {outcome: counts[outcome] for outcome in (*OUTCOMES, "undecidable")}
        decided = counts.total() - counts["undecidable"]
        accuracy = counts["right"] / decided if decided else None
        groups.append(CheckGroup(label, tags, counts.total(), **found, accuracy=accuracy, interval=interval(chosen)))
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
            f"{scores.system}: no item of {suite.name} is decided by both its translation and its scores"
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
