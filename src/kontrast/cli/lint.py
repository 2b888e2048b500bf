"""``kontrast lint``: what is wrong with a test set."""

import click

from kontrast.cli.declared_options import command_options, declared_options
from kontrast.cli.output import echo, ending_with
from kontrast.cli.suite_argument import suite_argument
from kontrast.options import Suites
from kontrast.reporting.terminal import print_json
from kontrast.suites.lint import Level

_COLOURS: dict[Level, str] = {"error": "red", "warning": "yellow", "note": "cyan"}
_SHOWN = 3


@click.command()
@suite_argument(metavar="SUITE")
@command_options("lint", declared_options(Suites))
def command(suite: str, format: str | None, strict: bool, deep: bool, tokenizer: str | None, as_json: bool) -> None:
    """Find errors in the test set SUITE (a file, a folder, demo:de or demo:fr)."""
    from kontrast.flows.suites import lint
    from kontrast.judging.wording import counted

    findings = lint(suite, strict=strict, deep=deep, tokenizer=tokenizer, format=format)
    with ending_with(1 if any(finding.level == "error" for finding in findings) else 0):
        if as_json:
            print_json(findings)
        else:
            for finding in findings:
                click.secho(f"{finding.level:7}", fg=_COLOURS[finding.level], nl=False)
                echo(f"  {finding.id}: {finding.message}")
                if finding.items:
                    more = finding.count - _SHOWN
                    named = ", ".join(finding.items[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
                    echo(f"         items {named}", dim=True)
            levels = [finding.level for finding in findings]
            counts = ", ".join(counted(levels.count(level), level) for level in _COLOURS)
            size = f"{counted(findings.items, 'item')}, {counted(findings.rows, 'row')}"
            echo(f"{findings.suite}: {size}; {counts}")
