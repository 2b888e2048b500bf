"""Gate: thresholds from ``kontrast.toml`` against one system's scores; passed or not, and why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.judging.compare import compare
from kontrast.judging.evaluate import evaluate
from kontrast.judging.failing import failing
from kontrast.judging.records import Difference, Gate, GateCheck, Test, TiePolicy
from kontrast.judging.verdicts import judge
from kontrast.suites.model import Scores, Suite, Unit
from kontrast.suites.one_variant import left_out

__all__ = ["BaselineRule", "GateConfig", "Limits", "gate", "read_gate"]


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a phenomenon must reach: accuracy at least, tie rate at most."""

    accuracy: float | None = None
    tie_rate: float | None = None


class BaselineRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Not significantly worse than these scores, in total and, where wanted, in any phenomenon (Holm-corrected)."""

    scores: str
    test: Test = "permutation"
    alpha: float = 0.05
    by_phenomenon: bool = True


class GateConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table ``[gate]``. ``confident`` holds the lower end of the interval against the thresholds."""

    accuracy: float | None = None
    tie_rate: float | None = None
    confident: bool = False
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


def read_gate(path: str | Path) -> GateConfig:
    """Read a gate file; what it does not know is an error, for a misspelt threshold would pass everything."""
    try:
        config = msgspec.toml.decode(files.read_text(path), type=_File).gate
    except msgspec.ValidationError as error:
        known = {"$": _keys(_File), "$.gate": _keys(GateConfig), "$.gate.baseline": _keys(BaselineRule)}
        message, _, where = str(error).partition(" - at ")
        where = where.strip("`") or "$"
        expected = known.get(where, _keys(Limits) if where.startswith("$.gate.phenomenon") else "")
        hint = f"; known: {expected}" if expected and "unknown field" in message else ""
        place = "[" + where.removeprefix("$").removeprefix(".") + "]" if where != "$" else "the top level"
        raise InputError(path, f"in {place}: {message[0].lower()}{message[1:]}{hint}") from error
    except ValueError as error:
        raise InputError(path, f"expected TOML: {error}") from error
    _check_shares(path, config)
    return config


def gate(suite: Suite, scores: Scores, config: GateConfig, baseline: Scores | None = None) -> Gate:
    """Hold one system against the thresholds.

    >>> from kontrast import Item, Scores, Suite, Variant
    >>> pair = Variant("ein Hund"), Variant("eine Hund", error="np_agreement")
    >>> suite = Suite("tiny", (Item("1", "a dog", pair), Item("2", "a dog", pair)))
    >>> result = gate(suite, Scores("mine", (1.0, 2.0, 2.0, 1.0)), GateConfig(accuracy=0.9))
    >>> result.passed, result.checks[0].message
    (False, 'accuracy 50.0%, expected at least 90.0%')
    """
    ties, epsilon, unit = config.ties, config.epsilon, config.unit
    by = ["phenomenon"] if config.phenomenon else []
    result = evaluate(suite, scores, by=by, ties=ties, epsilon=epsilon, unit=unit)
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
    if config.baseline is not None:
        if baseline is None:
            raise KontrastError("the gate names a baseline, but its scores were not given")
        rule = config.baseline
        pair = [baseline, scores]
        comparison = compare(suite, pair, test=rule.test, alpha=rule.alpha, ties=ties, epsilon=epsilon, unit=unit)
        rows = [row for breakdown in comparison.by for row in breakdown.groups] if rule.by_phenomenon else []
        checks += [_not_worse(row, rule.test) for row in (*comparison.total, *rows)]
    if not checks:
        raise KontrastError("the gate has no threshold: set accuracy, tie_rate, baseline or a phenomenon")
    if not all(check.passed for check in checks):
        verdicts = judge(suite, scores, ties=ties, epsilon=epsilon, unit=unit)
        missed = failing(suite, scores, verdicts, {check.on for check in checks if not check.passed})
        checks = [
            check if check.passed else msgspec.structs.replace(check, items=missed.get(check.on, ()))
            for check in checks
        ]
    return Gate(suite.name, scores.system, all(check.passed for check in checks), tuple(checks), left_out(suite))


def _within(name: str, found: Any, limits: Limits, confident: bool) -> list[GateCheck]:
    """``found`` is an evaluation or one of its groups: both have the counts and an interval."""
    checks = []
    if limits.accuracy is not None:
        value = found.interval.low if confident else found.accuracy
        what = "lower end of accuracy" if confident else "accuracy"
        message = f"{what} {100 * value:.1f}%, expected at least {100 * limits.accuracy:.1f}%"
        checks.append(GateCheck(name, "accuracy", value >= limits.accuracy, value, limits.accuracy, message))
    if limits.tie_rate is not None:
        rate = found.ties / found.items
        message = f"tie rate {100 * rate:.1f}%, expected at most {100 * limits.tie_rate:.1f}%"
        checks.append(GateCheck(name, "tie_rate", rate <= limits.tie_rate, rate, limits.tie_rate, message))
    return checks


def _not_worse(row: Difference, test: Test) -> GateCheck:
    p = "<.001" if row.p < 0.001 else f"= {row.p:.3f}"
    message = f"{100 * row.difference:+.1f} points against {row.a} (p {p}, {test})"
    return GateCheck(
        row.label, "baseline", not (row.significant and row.difference < 0), row.difference, 0.0, message
    )


def _keys(record: type[msgspec.Struct]) -> str:
    return ", ".join(record.__struct_fields__)


def _check_shares(path: str | Path, config: GateConfig) -> None:
    """A threshold of 80 instead of .8 would fail (or pass) everything."""
    named = {"gate": Limits(config.accuracy, config.tie_rate), **config.phenomenon}
    for name, limits in named.items():
        for key in ("accuracy", "tie_rate"):
            value = getattr(limits, key)
            if value is not None and not 0 <= value <= 1:
                raise InputError(path, f"{name}: {key} is a share between 0 and 1, not {value:g}")
