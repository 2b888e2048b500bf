"""``kontrast report``: one self-contained HTML file, or tables and figures for a paper."""

from __future__ import annotations

from typing import Any

import click

from kontrast.cli.judging_options import options
from kontrast.cli.suite_argument import suite_argument


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
@click.option("--maximize", is_flag=True, default=None, help="Higher is better. Default: lower, or the signature.")
@click.option("--most", type=click.IntRange(0), default=2000, show_default=True, help="Wrong items to show at most.")
@click.option(
    "--also",
    multiple=True,
    metavar="FILE",
    help="What context, cues, artefacts, items or memory printed with --json.",
)
@click.option(
    "--tables", metavar="A,B", help="For .tex: main (the default), accuracy, compared, phenomenon … or all."
)
@click.option("--gate", metavar="FILE", help="A kontrast.toml: the page says who passes, as kontrast gate does.")
@options("by", "ties", "epsilon", "unit", "resamples", "seed", "allow", "from")
def command(
    suite: str,
    scores: tuple[str, ...],
    out: str | None,
    figures: str | None,
    maximize: bool | None,
    also: tuple[str, ...],
    gate: str | None,
    tables: str | None,
    format: str | None,
    **chosen: Any,
) -> None:
    """Everything about some systems on a suite: a page to look at, tables and figures to cite.

    Without --by: distance, frequency and pronouns, where the suite has them.
    """
    from kontrast.flows.judging import report
    from kontrast.reporting.render.terminal import print_sections
    from kontrast.reporting.report import check_ending, save_figures, save_report
    from kontrast.reporting.terminal import print_verdict

    if out is not None:
        check_ending(out)
    made = report(
        suite, *scores, maximize=maximize, also=also, gate=gate, tables=tables or (), format=format, **chosen
    )
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
