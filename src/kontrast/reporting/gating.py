"""A gate's result: a short table, and JUnit XML for CI systems.

A gate's failures as GitHub shows them beside a change: workflow commands, one line each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.etree import ElementTree

from rich.markup import escape
from rich.text import Text

from kontrast.judging.records import Gate, GateItem
from kontrast.reporting.section import Section, table
from kontrast.reporting.terminal import print_lines, print_table, print_verdict, print_warnings
from kontrast.reporting.terms import legend, used
from kontrast.suites.model import Stopped


def print_gate(result: Gate) -> None:
    """The verdict, every rule in a row, the failed ones first; then what the gate would find."""
    print_warnings(result.notes)
    checks = sorted(result.checks, key=lambda check: (check.passed, check.skipped))
    print_verdict(result.verdict)
    undecided = Text("not decided", style="yellow")
    mark = {True: Text("pass", style="green"), False: Text("FAIL", style="bold red")}
    rows = [(undecided if c.skipped else mark[c.passed], c.on, c.rule, c.message) for c in checks]
    print_table(["", "on", "rule", "found"], rows)
    print_lines(*(f"[dim]{escape(line)}[/dim]" for line in (*result.method, *result.power)))
    if any(check.skipped and check.lower for check in checks):
        print_lines('[dim]a rule that is not decided fails only with undecided = "fail" in the file[/dim]')
    if words := used(result.method):
        print_lines(*(f"[dim]{line}[/dim]" for line in legend(*words)))
    print_lines(*(f"[yellow]note[/yellow] {escape(note)}" for note in result.notes))


def print_stopped(system: str, found: Stopped) -> None:
    """What scoring decided and where it stopped."""
    colours = {"passed": "green", "better": "green", "failed": "bold red", "worse": "bold red"}
    colour = colours.get(found.outcome, "yellow")
    after = str(found).removeprefix(found.outcome)
    print_lines(f"[bold]{escape(system)}[/bold]: [{colour}]{found.outcome}[/{colour}]{escape(after)}")
    level = f"{100 - 50 * found.alpha:g}%"
    rows = []
    for rule in found.rules:
        scale = [f"{100 * value:.1f}" for value in (rule.low, rule.high, rule.threshold)]
        seen = f"between {scale[0]} and {scale[1]}"
        outcome = Text(rule.outcome, style=colours.get(rule.outcome, "yellow"))
        rows.append((outcome, rule.on, rule.rule, seen, scale[2], "" if rule.after is None else f"{rule.after:,}"))
    if found.whole_message:
        print_lines(escape(f"not decided during the run; on the whole suite: {found.whole_message}"))
    print_table(["", "on", "rule", f"{level} interval", "against", f"{found.cluster}s"], rows)
    print_lines(
        f"[dim]points; test over {found.cluster}s in random order (seed {found.seed}), alpha {found.alpha:g}: "
        f"half during the run, half on the whole suite; the intervals are valid at any stop[/dim]"
    )
    if found.partial:
        print_lines("[yellow]note[/yellow] the scores cover only part of the suite; other commands refuse them")


def gate_section(results: Sequence[Gate]) -> Section:
    """The gates of some systems as a part of a report, failures first."""
    every = [(result.system, check) for result in results for check in result.checks]
    every.sort(key=lambda pair: (pair[1].passed, pair[1].skipped))
    marks = {(True, False): "pass", (False, True): "not decided", (False, False): "FAIL"}
    rows = ((marks[c.passed, c.skipped], system, c.on, c.rule, c.message) for system, c in every)
    made = table(("result", "system:system", "on", "rule", "found"), rows)
    said = dict.fromkeys(line for result in results for line in (*result.power, *result.notes))
    title = "Does it pass the gate?" if len(results) == 1 else "Who passes the gate?"
    return Section("gate", title, tuple(said), made, question="changed" if len(results) > 1 else "good")


def _told(item: GateItem) -> str:
    """An item in three lines; XML has no place for control characters."""
    lines = (
        f"{item.item} [{item.phenomenon}] {item.source}",
        f"    expected: {item.expected}",
        f"    found: {item.found}",
    )
    return "\n".join("".join(c for c in line if c.isprintable()) for line in lines)


def junit(result: Gate) -> str:
    """The result as a JUnit test suite, a test case a rule; what has not passed lists its items.

    What was not decided is *skipped*, as JUnit calls it.
    """
    failures = sum(not (check.passed or check.skipped) for check in result.checks)
    root = ElementTree.Element(
        "testsuite", name=f"kontrast gate: {result.suite}", tests=str(len(result.checks)), failures=str(failures)
    )
    root.set("errors", "0")
    root.set("skipped", str(sum(check.skipped for check in result.checks)))
    for check in result.checks:
        case = ElementTree.SubElement(
            root, "testcase", classname=f"{result.suite}.{result.system}", name=f"{check.on}: {check.rule}"
        )
        if check.passed:
            continue
        found = ElementTree.SubElement(case, "skipped" if check.skipped else "failure")
        found.set("message", (check.skipped and check.lower) or check.message)
        if not check.skipped:
            found.set("type", check.rule)
        found.text = "\n".join((check.message, *map(_told, check.items)))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


ITEMS = 8
"""GitHub shows ten annotations of a step: the rules, and so many items."""


def github_annotations(result: Gate) -> Iterator[str]:
    """``::error`` for rules that failed and the first items behind them, ``::warning`` for what is not decided."""
    failed = [check for check in result.checks if not check.passed and not check.skipped]
    for check in failed:
        yield _command("error", f"kontrast gate: {check.on}: {check.rule}", check.message)
    shown = {item.item: item for check in failed for item in check.items}
    for item in list(shown.values())[:ITEMS]:
        told = f"{item.source}\nexpected: {item.expected}\nfound: {item.found}"
        yield _command("error", f"{item.item} [{item.phenomenon}]", told)
    for check in result.checks:
        if check.skipped:
            yield _command("warning", f"not decided: {check.on}: {check.rule}", check.message)


def _command(level: str, title: str, text: str) -> str:
    r"""
    >>> _command("error", "a: b, c", "50%\nof items")
    '::error title=a%3A b%2C c::50%25%0Aof items'
    """
    return f"::{level} title={_escaped(title).replace(':', '%3A').replace(',', '%2C')}::{_escaped(text)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
