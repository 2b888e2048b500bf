"""``kontrast report``: one self-contained HTML file, or tables and figures for a paper."""

from __future__ import annotations

from typing import Any

import click

from kontrast.cli.declared_options import declared_options
from kontrast.cli.suite_argument import suite_argument
from kontrast.flows.judging import Reporting


@click.command(
    epilog="""\b
Examples:
  kontrast report contrapro.json a.scores b.scores --out report.html
  kontrast report suite.jsonl a.scores --also cues.json --also memory.json --out report.html
  kontrast report suite.jsonl base=a.scores new=b.scores --by distance --out table.tex --figures figures/
""",
)
@suite_argument()
@click.argument("scores", nargs=-1, required=True)
@click.option("--out", metavar="FILE", help="FILE.html, or .md, .tex, .csv, .json. Default: tables on the terminal.")
@click.option("--figures", metavar="DIR", help="Also write every figure as SVG, PNG and PDF, in a column's width.")
@declared_options(Reporting)
def command(suite: str, scores: tuple[str, ...], out: str | None, figures: str | None, **options: Any) -> None:
    """A report on systems and a suite: an HTML page, and tables and figures for a paper.

    Without --by: distance, frequency and pronouns, where the suite has them.
    """
    from kontrast.flows.judging import report
    from kontrast.reporting.render.terminal import print_sections
    from kontrast.reporting.report import check_ending, save_figures, save_report
    from kontrast.reporting.terminal import print_verdict

    if out is not None:
        check_ending(out)
    made = report(suite, *scores, **options)
    if out is None:
        for sentence in made.verdict:
            print_verdict(sentence)
        print_sections(made.sections)
    else:
        for path in save_report(made, out):
            click.echo(f"wrote {path}", err=True)
    if figures:
        paths = save_figures(made, figures)
        click.echo(f"wrote {len(paths)} figures to {figures}", err=True)
