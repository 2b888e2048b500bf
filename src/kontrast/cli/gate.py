"""``kontrast gate``: thresholds in, exit status out."""

from __future__ import annotations

from typing import Any

import click

from kontrast.cli.declared_options import declared_options, json_option
from kontrast.cli.output import ending_with
from kontrast.cli.suite_argument import suite_argument
from kontrast.judging.options import Judging, ScoresRead


@click.command(
    epilog="""\b
Example:
  kontrast gate suite.jsonl system.scores --config kontrast.toml --junit gate.xml
\b
kontrast.toml:
  [gate]
  accuracy = 0.80
  tie_rate = 0.02
  [gate.baseline]
  scores = "last-release.scores"
  margin = 0.02
  [gate.phenomenon.negation]
  accuracy = 0.95
"""
)
@suite_argument()
@click.argument("scores")
@click.option(
    "--config", default="kontrast.toml", show_default=True, metavar="FILE", help="TOML file with the thresholds."
)
@click.option("--junit", "junit_file", metavar="FILE", help="Also write JUnit XML.")
@click.option("--annotate", is_flag=True, help="Also print failures as annotations of GitHub Actions.")
@declared_options(ScoresRead)
@declared_options(Judging, only=("allow",))
@json_option
def command(
    suite: str, scores: str, config: str, junit_file: str | None, annotate: bool, as_json: bool, **options: Any
) -> None:
    """Check SCORES of one system on SUITE against thresholds. Exit status 1: some failed, 0: none did.

    accuracy and tie_rate rules compare the measured share, not its interval; with confident = true in the file an
    accuracy rule compares the interval's lower end. A rule that the suite cannot decide is shown as not decided; it
    fails with undecided = "fail".
    """
    from kontrast.flows.judging import gate
    from kontrast.io import files
    from kontrast.reporting.gating import github_annotations, junit, print_gate
    from kontrast.reporting.terminal import print_json

    result = gate(suite, scores, config, **options)
    if junit_file is not None:
        with files.writing(junit_file) as out:
            out.write(junit(result))
    with ending_with(1 if result.failed else 0):
        print_json(result) if as_json else print_gate(result)
        if annotate:
            for line in github_annotations(result):
                click.echo(line, err=as_json)
