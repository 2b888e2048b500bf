"""Lint: what is wrong with a test set, before it decides anything about a system.

To add a check: declare it in ``data/lint.toml``, write its function, of a suite (`lint_check`) or of one item
(`item_check`), and name that in the ``CHECKS`` of the file of its group, or of a new file named in `GROUPS`.
"""

import importlib
from collections.abc import Iterable

from kontrast.suites.lint.finding import Finding, Findings, Level, LintCheck, findings_of
from kontrast.suites.model import Suite
from kontrast.suites.testset import testsets

__all__ = ["GROUPS", "Finding", "Findings", "Level", "LintCheck", "checks", "lint"]

GROUPS = ("text", "labels", "edits", "language", "pairing", "deciding")

_ORDER = {"error": 0, "warning": 1, "note": 2}


def checks() -> tuple[LintCheck, ...]:
    """All checks that need no language model, in the order in which they run."""
    modules = (importlib.import_module(f"kontrast.suites.lint.{group}") for group in GROUPS)
    return tuple(check for module in modules for check in module.CHECKS)


def lint(suite: Suite, *, strict: bool = False, also: Iterable[LintCheck] = ()) -> Findings:
    """Run every check, those of the suite's own set and those given in ``also``; the worst findings come first.

    ``strict`` makes warnings errors.
    """
    home = testsets().get(suite.style or "")
    own: tuple[LintCheck, ...] = home.parts().CHECKS if home is not None and home.lint else ()
    findings = findings_of(suite, (*checks(), *own, *also))
    if strict:
        findings = [f.__replace__(level="error") if f.level == "warning" else f for f in findings]
    return Findings(sorted(findings, key=lambda finding: _ORDER[finding.level]), suite)
