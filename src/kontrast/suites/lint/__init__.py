"""Lint: what is wrong with a test set, before it decides anything about a system.

To add a check: declare it in ``data/lint.toml``, write its function, of a suite (`lint_check`) or of one item
(`item_check`), and name that in the ``CHECKS`` of the file of its group, or of a new file named in `GROUPS`.
"""

import importlib
import tomllib
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from importlib import resources
from itertools import islice
from typing import Any, Literal

import msgspec

from kontrast.errors import KontrastError
from kontrast.io.words import words
from kontrast.record import Record
from kontrast.suites.model import Item, Suite, Variant
from kontrast.suites.packed import fields_of
from kontrast.suites.testset import testsets

GROUPS = ("text", "labels", "edits", "language", "pairing", "deciding")

_ORDER = {"error": 0, "warning": 1, "note": 2}
Level = Literal["error", "warning", "note"]


class Finding(Record, frozen=True):
    """One finding about a suite: the check, the level, the number of items, their ids, and a message."""

    id: str
    level: Level
    count: int
    items: tuple[str, ...]
    message: str


class Findings(list[Finding]):
    """All findings about one suite, the most serious first, with the suite's name and size."""

    def __init__(self, findings: Iterable[Finding], suite: Suite) -> None:
        super().__init__(findings)
        self.suite, self.items, self.rows = suite.name, len(suite.items), suite.row_count


Run = Callable[[Suite], Iterator[Finding | None]]


@dataclass(frozen=True)
class LintCheck:
    """One check: the id and usual level of its findings, a line for the documentation, and what does the work."""

    id: str
    level: Level
    summary: str
    run: Run


Looking = Generator[Finding | None, list[tuple[int, Item]], None]
"""What a check is that goes through the items with others: ``while some := (yield None)`` gives it the next ones."""

words_of = lru_cache(maxsize=1 << 13)(words)
"""The words of a text, kept while other checks look at the same items."""
_AT_ONCE = 500


def findings_of(suite: Suite, checks: Iterable[LintCheck]) -> list[Finding]:
    """What the checks find, in their order."""
    found: list[list[Finding]] = []
    looking: list[tuple[Any, list[Finding]]] = []
    for check in checks:
        found.append([])
        run = check.run(suite)
        for finding in run:
            if finding is None:
                looking.append((run, found[-1]))
                break
            found[-1].append(finding)
    items = enumerate(suite.items)
    while some := list(islice(items, _AT_ONCE)):
        for run, _ in looking:
            run.send(some)
    for run, own in looking:
        own.extend(run)
    return [finding for own in found for finding in own]


_parsed = cache(tomllib.loads)


def lint_data() -> dict[str, Any]:
    """The declarations of the checks, and the words of languages."""
    return _parsed(resources.files("kontrast").joinpath("data", "lint.toml").read_text("utf-8"))


def lint_check(id: str, **values: Any) -> Callable[[Run], LintCheck]:
    """Make a check of a function from a suite to findings. ``data/lint.toml`` has its level and summary.

    ``values`` are named in its summary.
    """
    declared = lint_data()["checks"].get(id)
    if declared is None:
        raise KontrastError(f"the lint check {id!r} is not declared: data/lint.toml has no [checks.{id}]")
    return partial(LintCheck, id, declared["level"], declared["summary"].format(**values))


def item_check(id: str) -> Callable[[Callable[[Item], bool]], LintCheck]:
    """Make a check of a test of each item by itself; its declaration has the message too."""

    def made(test: Callable[[Item], bool]) -> LintCheck:
        def run(suite: Suite) -> Looking:
            places: list[int] = []
            while some := (yield None):
                places += [i for i, item in some if test(item)]
            yield from found(check.id, check.level, suite, places, lint_data()["checks"][id]["found"])

        check = lint_check(id)(run)
        return check

    return made


class _Named(msgspec.Struct, gc=False):
    id: str


def found(id: str, level: Level, suite: Suite, places: Collection[int], message: str) -> Iterator[Finding]:
    """A finding about the items at these places, or none where there are none; ``{n}`` says "3 of 20 items"."""
    if places:
        chosen, total = set(places), len(suite.items)
        text = message.replace("{n}", f"{len(chosen)} of {total} item{'s' if total != 1 else ''}")
        named = enumerate(fields_of(suite.items, _Named))
        yield Finding(id, level, len(chosen), tuple(item.id for i, item in named if i in chosen), text)


def target_of(item: Item, variant: Variant) -> tuple[tuple[str, ...] | None, str]:
    """What is scored for a variant: its text in its context."""
    return variant.context if variant.context is not None else item.target_context, variant.text


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
