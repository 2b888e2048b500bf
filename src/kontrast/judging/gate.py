"""Gate: one system's scores against the rules of ``kontrast.toml``; passed or not, why, and what it would find."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any, Literal

import msgspec

from kontrast.defaults import ALPHA, LEVEL
from kontrast.errors import InputError, KontrastError
from kontrast.io.toml_input import from_toml, read_toml
from kontrast.judging.compare import compare
from kontrast.judging.contrast import Contrast, contrast_of
from kontrast.judging.evaluate import evaluate
from kontrast.judging.per_item import with_items
from kontrast.judging.records import Difference, Gate, GateCheck, Test, TiePolicy
from kontrast.judging.signatures import made_elsewhere
from kontrast.judging.systems import System, runs_of
from kontrast.judging.verdict_text import gate_text
from kontrast.judging.verdicts import judge
from kontrast.judging.wording import comparison_method, interval_method, p_is, p_text, points_text, share_text
from kontrast.suites.description import left_out
from kontrast.suites.model import Scores, Suite, Unit

LOSS = 0.02
"""The loss that is told where the rule names no margin: how often it is found, and where it is not decided."""
FALSE_ALARMS = 0.05


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a phenomenon must reach: accuracy at least, tie rate at most."""

    accuracy: float | None = None
    tie_rate: float | None = None


class BaselineRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Not worse than these scores (of one run, or of several seeds).

    With a ``margin`` the lower end of the difference's interval must be above −margin: what passes is shown to be at
    most that much worse. Where the suite is so small that more than 5% of systems as good would fail, what is not
    shown to be worse is undecided. Without one, the system must not be *significantly* worse, in total and in any
    phenomenon (Holm-corrected). ``by_phenomenon`` is true without a margin and false with one unless it is set.
    """

    scores: str | list[str]
    margin: float | None = None
    test: Test = "jackknife"
    alpha: float = ALPHA
    by_phenomenon: bool | None = None


class GateConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table ``[gate]``. ``confident`` compares the lower end of the interval with the thresholds.

    ``undecided``: whether a rule that the suite cannot decide (too few documents, or too few items for a margin) is
    skipped or fails.
    """

    accuracy: float | None = None
    tie_rate: float | None = None
    confident: bool = False
    undecided: Literal["skip", "fail"] = "skip"
    ties: TiePolicy = "report"
    epsilon: float = 0.0
    unit: Unit | None = None
    maximize: bool | None = None
    baseline: BaselineRule | None = None
    phenomenon: dict[str, Limits] = {}


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tables of ``kontrast.toml``: the gate, and the context schemes that `score` reads."""

    gate: GateConfig
    context: dict[str, Any] = {}


def read_gate(path: str | Path | GateConfig) -> GateConfig:
    """Read a gate file; an unknown key is an error, because a misspelt rule would have no effect.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "kontrast.toml"
    >>> _ = file.write_text("[gate]\\naccuracy = 0.8\\n[gate.phenomenon.negation]\\naccuracy = 0.95\\n")
    >>> config = read_gate(file)
    >>> config.accuracy, config.phenomenon["negation"].accuracy
    (0.8, 0.95)
    """
    if isinstance(path, GateConfig):
        _check_shares("the gate", path)
        return path
    if not Path(path).exists():
        raise InputError(path, "there is no such file; `kontrast gate --help` shows an example of one")
    config = from_toml(path, read_toml(path), _File).gate
    _check_shares(path, config)
    return config


def has_gate(path: str | Path) -> bool:
    """Does this configuration have a gate, and not context schemes alone?"""
    return "gate" in read_toml(path)


def gate(
    suite: Suite,
    scores: Scores,
    config: GateConfig,
    baseline: System | None = None,
    *,
    allow: Collection[str] = (),
    level: float = LEVEL,
) -> Gate:
    """Hold one system against the rules; ``allow`` takes scores whose signatures differ in these parts.

    ``level`` is that of the intervals of ``confident`` thresholds.
    """
    ties, epsilon, unit = config.ties, config.epsilon, config.unit
    by = ["phenomenon"] if config.phenomenon else []
    result = evaluate(suite, scores, by=by, ties=ties, epsilon=epsilon, unit=unit, allow=allow, level=level)
    limits = Limits(config.accuracy, config.tie_rate)
    checks = _within("total", result, limits, config.confident)
    groups = {group.label: group for breakdown in result.by for group in breakdown.groups}
    for name, own in config.phenomenon.items():
        if name not in groups:
            raise KontrastError(
                f"the gate names the phenomenon {name!r}, which {suite.name} does not have; "
                f"known: {', '.join(groups) or 'none'}"
            )
        checks += _within(name, groups[name], own, config.confident)
    power: tuple[str, ...] = ()
    method: tuple[str, ...] = (interval_method(result),) if config.confident else ()
    if not config.confident and any(check.rule == "accuracy" for check in checks):
        method = (
            "accuracy rules compare the measured share, not its interval; "
            "with confident = true they compare the interval's lower end",
        )
    if config.baseline is not None:
        if baseline is None:
            raise KontrastError("the gate has a [gate.baseline], but its scores were not given")
        rule = config.baseline
        baseline = _called_baseline(baseline, scores)
        comparison = compare(
            suite,
            [baseline, scores],
            test=rule.test,
            alpha=rule.alpha,
            level=1 - rule.alpha,
            ties=ties,
            epsilon=epsilon,
            unit=unit,
            allow=allow,
        )
        by_phenomenon = rule.margin is None if rule.by_phenomenon is None else rule.by_phenomenon
        rows = [row for breakdown in comparison.by for row in breakdown.groups] if by_phenomenon else []
        checks += [_not_worse(row, rule) for row in (*comparison.total, *rows)]
        power = power_of(comparison.total[0], rule)
        method += (comparison_method(comparison, tested=rule.margin is None),)
    if not checks:
        raise KontrastError("the gate has no rule: set accuracy, tie_rate, baseline or a phenomenon")
    checks = [msgspec.structs.replace(c, skipped=c.undecided and config.undecided == "skip") for c in checks]
    failed = any(not (check.passed or check.skipped) for check in checks)
    runs = () if baseline is None else runs_of(baseline)
    if not all(check.passed for check in checks):
        judged = [judge(suite, each, ties=ties, epsilon=epsilon, unit=unit) for each in (scores, *runs)]
        checks = with_items(suite, scores, checks, *judged)
    # A gate that could decide nothing has neither passed nor failed.
    passed = not failed and any(check.passed for check in checks)
    notes = (*left_out(suite), *(note for each in (scores, *runs) for note in made_elsewhere(suite, each)))
    found = Gate(suite.name, scores.system, passed, tuple(checks), notes, power, method, failed)
    return msgspec.structs.replace(found, verdict=gate_text(found))


def power_of(row: Difference, rule: BaselineRule) -> tuple[str, ...]:
    """What this rule finds on a suite of this size, in words; nothing where it cannot decide."""
    if row.undecided is not None or row.error <= 0:
        return ()
    own = contrast_of(row)
    if rule.margin is not None and rule.margin >= row.accuracy_a > 0:
        had = share_text(row.accuracy_a, row.items, rule.margin)
        return (
            f"{row.a} has {had}: no system can lose {100 * rule.margin:g} points against it; use a smaller margin",
        )
    loss = rule.margin or LOSS
    small = rule.margin is not None and gate_power(own, rule, 0.0) > FALSE_ALARMS
    lines = [
        f"at this size a system that is {100 * loss:g} points worse "
        f"{_fails(own, rule, loss, small, ' of the cases')}; one as good as {row.a} {_fails(own, rule, 0.0, small)}"
    ]
    if small:
        margins = (m / 1000 for m in range(1, 1000))
        passing = 1 - FALSE_ALARMS
        enough = next((m for m in margins if own.found(0.0, -m, rule.alpha, above=True) >= passing), None)
        need = f"a margin of {enough:.3f} ({100 * enough:.1f} points), or " if enough is not None else ""
        lines.append(
            f"the suite is small for this margin: to decide in {100 - 100 * FALSE_ALARMS:g}% of the cases needs "
            f"{need}more items"
        )
    return tuple(lines)


def _fails(found: Contrast, rule: BaselineRule, loss: float, small: bool, of: str = "") -> str:
    """How often a system that is truly worse by ``loss`` fails; on a small suite, how often it is not decided too."""
    out = gate_power(found, rule, loss)
    if not small:
        return f"fails in {100 * out:.0f}%{of}"
    failed = min(out, found.found(-loss, 0.0, rule.alpha, above=False))
    return f"fails in {100 * failed:.0f}%{of} and is not decided in {100 * (out - failed):.0f}%"


def gate_power(found: Contrast, rule: BaselineRule, loss: float) -> float:
    """In which share of the cases a system that is truly worse by ``loss`` does not pass the rule in total."""
    if rule.margin is None:
        return found.found(-loss, 0.0, rule.alpha, above=False)
    # What is as good passes if it is found to be above the margin; what is as bad as that passes in alpha / 2.
    return 1 - found.found(-loss, -rule.margin, rule.alpha, above=True)


def _within(name: str, found: Any, limits: Limits, confident: bool) -> list[GateCheck]:
    """``found`` is an evaluation or one of its groups: both have the counts and an interval."""
    checks = []
    if limits.accuracy is not None:
        value = found.interval.low if confident else found.accuracy
        what = "lower end of accuracy" if confident else "accuracy"
        found_text = share_text(value, found.items, limits.accuracy)
        message = f"{what} {found_text} of {found.items:,}, expected at least {_limit(limits.accuracy)}"
        undecided = confident and found.interval.within is not None
        lower = None
        if undecided:
            why = f"the interval applies within {found.interval.within} only"
            message += f"; cannot decide: {why}"
            if found.accuracy < limits.accuracy:
                has = share_text(found.accuracy, found.items, limits.accuracy)
                lower = f"not decided: accuracy is {has}, below {_limit(limits.accuracy)} ({name}); {why}"
        passed = value >= limits.accuracy and not undecided
        checks.append(
            GateCheck(name, "accuracy", passed, value, limits.accuracy, message, undecided=undecided, lower=lower)
        )
    if limits.tie_rate is not None:
        rate = found.ties / found.items
        rate_text = share_text(rate, found.items, limits.tie_rate)
        message = f"tie rate {rate_text} of {found.items:,}, expected at most {_limit(limits.tie_rate)}"
        checks.append(GateCheck(name, "tie_rate", rate <= limits.tie_rate, rate, limits.tie_rate, message))
    return checks


def _not_worse(row: Difference, rule: BaselineRule) -> GateCheck:
    points = f"{points_text(row.difference, row.items)} points against {row.a}"
    lowest = points_text(row.interval.low, row.items, None if rule.margin is None else -rule.margin)
    low = f"{100 * row.interval.level:g}% interval from {lowest}"
    if row.same == row.items:
        message = f"+0 points against {row.a}: the same on all {row.items:,} decisions"
        return GateCheck(row.label, "baseline", True, 0.0, -(rule.margin or 0.0), message)
    if row.undecided is not None:
        message, lower = f"{points}; cannot decide: {row.undecided}", _lower(row, rule, row.undecided)
        threshold = -(rule.margin or 0.0)
        return GateCheck(
            row.label, "baseline", False, row.difference, threshold, message, undecided=True, lower=lower
        )
    if rule.margin is not None:
        message = f"{points}, {low}; its lower end must be above {round(-100 * rule.margin, 6):+g}"
        passed = row.interval.low > -rule.margin
        # Would too many systems that are as good fail this margin?
        small = row.error > 0 and gate_power(contrast_of(row), rule, 0.0) > FALSE_ALARMS
        undecided = not passed and row.interval.high >= 0 and small
        lower = None
        if undecided:
            why = "the suite is small for this margin"
            message, lower = f"{message}; cannot decide: {why}", _lower(row, rule, why)
        return GateCheck(
            row.label, "baseline", passed, row.interval.low, -rule.margin, message, undecided=undecided, lower=lower
        )
    message = f"{points} ({p_is(p_text(row))}, {rule.test})"
    passed = not (row.significant and row.difference < 0)
    return GateCheck(row.label, "baseline", passed, row.difference, 0.0, message)


def _lower(row: Difference, rule: BaselineRule, why: str) -> str | None:
    """A loss beyond the margin that is not decided, in words; None where there is none."""
    if row.difference >= -(rule.margin or LOSS):
        return None
    points = points_text(row.difference, row.items).lstrip("-")
    return f"not decided: {row.b} is {points} points lower than {row.a} ({row.label}); {why}"


def _called_baseline(baseline: System, scores: Scores) -> System:
    """Under the candidate's own name the last release is called what it is."""
    if isinstance(baseline, tuple):
        return ("the baseline", baseline[1]) if baseline[0] == scores.system else baseline
    same = baseline.system == scores.system
    return msgspec.structs.replace(baseline, system="the baseline") if same else baseline


def _limit(share: float) -> str:
    """A threshold as it was given."""
    return f"{round(100 * share, 6):g}%"


def _check_shares(path: str | Path, config: GateConfig) -> None:
    """A threshold of 80 instead of .8 would fail (or pass) everything."""
    named = {"gate": Limits(config.accuracy, config.tie_rate), **config.phenomenon}
    for name, limits in named.items():
        for key in ("accuracy", "tie_rate"):
            value = getattr(limits, key)
            if value is not None and not 0 <= value <= 1:
                raise InputError(path, f"{name}: {key} must be a share between 0 and 1, not {value:g}")
        if limits == Limits() and name != "gate":
            raise InputError(path, f"gate.phenomenon.{name} has no rule: set accuracy or tie_rate, or remove it")
    rule = config.baseline
    if rule is not None and rule.margin is not None and not 0 < rule.margin < 1:
        raise InputError(path, f"gate.baseline: margin must be a share (0.02 is two points), not {rule.margin:g}")
    if rule is not None and not 0 < rule.alpha < 1:
        raise InputError(
            path, f"gate.baseline: alpha must be a level between 0 and 1, such as 0.05, not {rule.alpha:g}"
        )
    if rule is not None and not rule.scores:
        raise InputError(path, "gate.baseline: scores must be a file or a list of files")
