"""``kontrast report``: one self-contained HTML file, or tables and figures for a paper."""

from __future__ import annotations

import click


@click.command(
    epilog="""\b
Examples:
  kontrast report contrapro.json a.scores b.scores --out report.html
  kontrast report suite.jsonl a.scores --by distance --out table.tex --figures figures/
""",
)
@click.argument("suite")
@click.argument("scores", nargs=-1, required=True)
@click.option("--out", required=True, metavar="FILE", help="FILE.html, or tables as FILE.md, FILE.tex, FILE.csv.")
@click.option("--figures", metavar="DIR", help="Also write every figure as SVG and PNG.")
@click.option(
    "--by", multiple=True, metavar="TAG", help="Tags as `evaluate` takes them. Default: what the suite has."
)
@click.option("--maximize", is_flag=True, default=None, help="Higher is better. Default: lower, or the signature.")
@click.option("--ties", type=click.Choice(["report", "wrong", "right", "first"]), default="report", show_default=True)
@click.option("--epsilon", type=float, default=0.0, help="Scores this close are tied.")
@click.option("--unit", type=click.Choice(["item", "pair"]), help="What one decision is. Default: the suite's.")
@click.option("--most", type=int, default=2000, show_default=True, help="Wrong items to show at most.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--allow", multiple=True, metavar="PART", help="Compare although this part of the signatures differs.")
@click.option("--from", "format", metavar="FORMAT", help="The suite's format, if it is not recognised.")
def command(
    suite: str,
    scores: tuple[str, ...],
    out: str,
    figures: str | None,
    maximize: bool | None,
    format: str | None,
    **options: object,
) -> None:
    """Everything about some systems on a suite: a page to look at, tables and figures to cite."""
    from kontrast.reporting.report import report, save_figures, save_report
    from kontrast.suites.formats import load
    from kontrast.suites.scores import read_scores

    loaded = load(suite, format)
    systems = [read_scores(path, loaded, maximize=maximize) for path in scores]
    made = report(loaded, systems, **options)  # type: ignore[arg-type]
    save_report(made, out)
    click.echo(f"wrote {out}", err=True)
    if figures:
        paths = save_figures(made, figures)
        click.echo(f"wrote {len(paths)} figures to {figures}", err=True)
