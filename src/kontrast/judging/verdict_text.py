"""Results in one or two sentences, for readers who know neither the suite nor statistics.

Every command, page and table that opens with a verdict takes it from here.
"""

from collections.abc import Sequence

from kontrast.judging.clusters import MIN_CLUSTERS
from kontrast.judging.records import Baseline, Comparison, Difference, Evaluation, Evaluations, Gate, TagGroup
from kontrast.judging.wording import counted, explained, mdd_text, p_is, p_text, points_text, share_text

_MOST = 3
"""So many names stand in a sentence; the others are counted."""
_TIES = 0.05


def no_skill(baselines: Sequence[Baseline], items: int | None = None) -> list[str]:
    """What rules get that know nothing. Chance is known to any digit, the others are counted on the items."""
    rules, sizes = explained("no_skill"), (None if each.name == "chance" else items for each in baselines)
    named = zip(baselines, sizes, strict=True)
    return [f"{rules.get(each.name, each.name)} {share_text(each.accuracy, size)}" for each, size in named]


def evaluation_text(result: Evaluation) -> str:
    """One system: how often it is right, whether that is more than no skill gives, and where."""
    done = "writes the right form" if _is_written(result.signature) else "prefers the right translation"
    share = share_text(result.accuracy, result.items)
    first = f"{result.system} {done} in {share} of {counted(result.items, result.unit)}"
    written = _is_written(result.signature)  # what is written is not chosen: guessing has no share
    sentences = [f"{first}." if written else f"{first}, {_against_no_skill(result)}."]
    if result.interval.within:
        sentences.append(
            f"This holds for these {result.interval.within} only: they are too few for a general statement."
        )
    if result.tie_rate > _TIES:
        sentences.append(
            f"In {share_text(result.tie_rate, result.items)} it gives right and wrong variants the same score."
        )
    groups = next((b.groups for b in result.by if b.by == "phenomenon"), ())
    if len(groups) > 1 and not written:
        sentences.append(_by_phenomenon(groups))
    return " ".join(sentences)


def _is_written(signature: str | None) -> bool:
    return "engine:check" in (signature or "").split("|")


def _against_no_skill(result: Evaluation) -> str:
    """Beside guessing and the best rule that needs no knowledge."""
    chance = next((b.accuracy for b in result.baselines if b.name == "chance"), result.chance)
    best = max(result.baselines, key=lambda baseline: baseline.accuracy)
    guess = f"guessing ({share_text(chance, None)})"
    rule = f"{explained('no_skill').get(best.name, best.name)}, {share_text(best.accuracy, result.items)}"
    is_guess = best.accuracy <= chance + 1e-9
    if result.interval.high < chance:
        return f"clearly less than {guess}"
    if result.interval.low > best.accuracy:
        return f"clearly more than {guess}" + ("" if is_guess else f" and any simple rule ({rule})")
    if result.interval.low > chance:
        return f"more than {guess}, but not clearly more than a simple rule: {rule}"
    return f"not clearly more than {guess}"


def _by_phenomenon(groups: Sequence[TagGroup]) -> str:
    above = [g.label for g in groups if standing(g) == "above"]
    below = [g.label for g in groups if standing(g) == "below"]
    rest = len(groups) - len(above) - len(below)
    parts = [f"clearly above guessing and the most frequent form in {listed(above)}"] if above else []
    parts += [f"clearly below guessing in {listed(below)}"] if below else []
    if rest:
        parts.append(f"{rest} of {len(groups)} phenomena have too few items, or too mixed results, to tell")
    return f"By phenomenon: {'; '.join(parts)}."


def standing(group: TagGroup) -> str:
    """Is a group clearly above guessing and the most frequent form, clearly below guessing, or unclear?"""
    if group.items < MIN_CLUSTERS or group.interval.within:
        return "unclear"
    if group.interval.low > max(group.chance, group.majority):
        return "above"
    return "below" if group.interval.high < group.chance else "unclear"


def evaluations_text(result: Evaluations) -> str:
    """Several systems: who is highest, and that only `compare` tests the difference."""
    names = {run.name: runs.system for runs in result.runs for run in runs.runs}
    shares: dict[str, float] = {each.system: each.accuracy for each in result.systems if each.system not in names}
    shares |= {runs.system: runs.mean for runs in result.runs}
    first = result.systems[0]
    order = sorted(shares, key=lambda name: -shares[name])
    told = [f"{name} ({share_text(shares[name], first.items)})" for name in order]
    if len(order) == 1:
        return f"{told[0]} on {counted(first.items, first.unit)} (mean over its runs)."
    chance, size = share_text(first.chance, None), counted(first.items, first.unit)
    level = sum(shares[order[0]] - shares[name] < 1e-9 for name in order)
    best = f"{told[0]} is right most often on {size}"
    if level > 1:
        best = (
            f"{listed(order[:level])} are right equally often on {size} ({share_text(shares[order[0]], first.items)})"
        )
    rest = f", then {listed(told[level:])}" if told[level:] else ""
    return f"{best}{rest}; guessing gets {chance}. `kontrast compare` tests whether they differ significantly."


def comparison_text(result: Comparison) -> str:
    """Two systems: which is better, is it sure, which items and phenomena. Of more: the best, and whom it beats."""
    if len(result.total) > 1:
        return _several(result)
    row = result.total[0]
    unit = result.unit
    if row.same == row.items:
        return f"{row.a} and {row.b} have the same result on all {counted(row.items, unit)}."
    sentences = [f"{_difference(row)} {significance_text(row)}"]
    worse = counted(row.a_better, unit) if row.a_better else "none"
    better = f"{row.b_better:,}" if row.b_better else "none"
    sentences.append(f"{row.b} does worse on {worse} and better on {better}.")
    groups = next((b.groups for b in result.by if b.by == "phenomenon"), ())
    if len(groups) > 1:
        sentences.append(_changed_phenomena(groups))
    return " ".join(sentences)


def _difference(row: Difference) -> str:
    a, b = (share_text(share, row.items) for share in (row.accuracy_a, row.accuracy_b))
    if abs(row.difference) < 1e-9:
        return f"{row.b} and {row.a} have the same accuracy ({a})."
    points = points_text(row.difference, row.items).lstrip("+-")
    worse = "worse" if row.difference < 0 else "better"
    return f"{row.b} ({b}) is {points} points {worse} than {row.a} ({a})."


def significance_text(row: Difference) -> str:
    """Is it sure? With the p-value, and what the suite could have shown where it is not."""
    if row.undecided is not None:
        return f"No test can decide whether this is chance: {row.undecided}."
    shown = p_is(p_text(row))
    if row.significant:
        return f"That is significant ({shown})."
    text = f"That is not significant ({shown}): it may be chance"
    if row.minimum_detectable is not None:
        text += f" (this suite reliably shows differences of {mdd_text(row)} points or more)"
    return f"{text}."


def _changed_phenomena(groups: Sequence[Difference]) -> str:
    worse = [_with_points(g) for g in groups if g.significant and g.difference < 0]
    better = [_with_points(g) for g in groups if g.significant and g.difference > 0]
    lower = [g for g in groups if g.difference < 0 and g.undecided is None]
    open_ = sum(g.undecided is not None for g in groups)
    same = len(groups) - len(worse) - len(better) - open_
    parts = [f"significantly worse in {listed(worse)}"] if worse else []
    parts += [f"significantly better in {listed(better)}"] if better else []
    drop = ""
    if lower and not worse:
        least = min(lower, key=lambda g: g.difference)
        drop = f" (largest drop: {least.label}, {points_text(least.difference, least.items)})"
    parts += [f"no significant change in {same}{drop}"] if same else []
    parts += [f"too few items to decide in {open_}"] if open_ else []
    return f"Of {len(groups)} phenomena: {'; '.join(parts)}."


def _with_points(row: Difference) -> str:
    return f"{row.label} ({points_text(row.difference, row.items)})"


def _several(result: Comparison) -> str:
    """The best against each of the others, or each of the others against the baseline."""
    shares = {row.a: row.accuracy_a for row in result.total} | {row.b: row.accuracy_b for row in result.total}
    pairs = {(row.a, row.b): row for row in result.total}
    centre = next((name for name in shares if all(name in pair for pair in pairs)), None)
    best = max(shares, key=lambda name: shares[name])
    against = centre or best
    groups: dict[str, list[str]] = {"better": [], "worse": [], "same": [], "open": []}
    for row in result.total:
        if against not in (row.a, row.b):
            continue
        other = row.a if row.b == against else row.b
        gap = shares[other] - shares[against]
        kind = "open" if row.undecided else "same" if not row.significant else "better" if gap > 0 else "worse"
        shown = gap if centre else -gap
        groups[kind].append(f"{other} ({points_text(shown, row.items)})")
    told = {"worse": "significantly better than {}", "same": "not significantly better than {}"}
    parts = []
    if centre is None:
        items = result.total[0].items
        parts = [f"{best} is right most often ({share_text(shares[best], items)} of {counted(items, result.unit)})"]
    else:
        told = {name: f"significantly {name}: {{}}" for name in ("better", "worse")}
        told["same"] = "no significant difference: {}"
    parts += [text.format(listed(groups[kind])) for kind, text in told.items() if groups[kind]]
    parts += [f"too few items to decide about {listed(groups['open'])}"] if groups["open"] else []
    start = "" if centre is None else f"Against {centre} ({share_text(shares[centre], result.total[0].items)}): "
    return f"{start}{'; '.join(parts)}.{_differing(result, against)}"


def _differing(result: Comparison, system: str) -> str:
    """In which phenomena this system differs from another."""
    groups = next((b.groups for b in result.by if b.by == "phenomenon"), ())
    rows = [row for row in groups if system in (row.a, row.b)]
    if not rows:
        return ""
    differ = list(dict.fromkeys(row.label for row in rows if row.significant))
    where = (
        f"a significant difference in {listed(differ)}" if differ else "no phenomenon with a significant difference"
    )
    return f" Between {system} and the others: {where}."


def gate_text(result: Gate) -> str:
    """Passed or failed, and by which rules; losses that are not decided stand before a pass."""
    failed = [c for c in result.checks if not (c.passed or c.skipped)]
    open_ = [c for c in result.checks if c.skipped]
    total = len(result.checks)
    losses = [f"{c.lower[0].upper()}{c.lower[1:]}." for c in open_ if c.lower]
    every = f"all {total} rules" if total > 1 else "its one rule"
    subject = f"{result.system} {'fails' if failed else 'passes'} the gate on {result.suite}"
    if failed:
        why = listed([f"{c.on}: {c.message}" for c in failed], "; ")
        broken = f"{len(failed)} of {total} rules broken" if total > 1 else "its one rule is broken"
        told = [f"{subject}: {broken} ({why})."]
    elif result.passed:
        kept = counted(total - len(open_), "rule") if open_ else every
        told = [f"{subject}: {kept} {'is' if total - len(open_) == 1 else 'are'} kept."]
    else:
        told = [
            f"The gate decides nothing about {result.system} on {result.suite}: the suite is too small for {every}.",
            "It has neither passed nor failed.",
        ]
    if open_ and len(open_) < total:
        told.append(f"{len(open_)} of {total} could not be decided, because the suite is too small.")
    return " ".join([*told, *losses[:_MOST]] if failed else [*losses[:_MOST], *told])


def gates_text(results: Sequence[Gate]) -> list[str]:
    """The gates of several systems: what fails or is not decided one by one, those that pass in one sentence."""
    clear = [r for r in results if all(check.passed for check in r.checks)]
    if len(clear) < 2:
        return [gate_text(result) for result in results]
    told = [gate_text(result) for result in results if result not in clear]
    return [*told, f"{listed([r.system for r in clear], every=True)} pass the gate on {clear[0].suite}."]


def listed(names: Sequence[str], between: str = ", ", *, every: bool = False) -> str:
    """Names in a sentence; of many, the first and how many more, unless ``every`` one is wanted."""
    shown = [*names] if every or len(names) <= _MOST + 1 else [*names[:_MOST], f"{len(names) - _MOST} more"]
    return between.join(shown[:-1]) + f"{' and ' if shown[:-1] else ''}{shown[-1]}"
