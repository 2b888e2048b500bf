"""kontrast generalise."""

from __future__ import annotations

import click

from kontrast.cli.output import echo
from kontrast.defaults import SEED

__all__ = ["command"]

EPILOG = """\b
Examples:
  kontrast generalise --at 0 easy/test.de easy/output.de --at 1 hard/test.de hard/output.de
  kontrast generalise --at 0 ref0 seed1.out --at 0 ref0 seed2.out --at 1 ref1 seed1.hard --at 1 ref1 seed2.hard
  kontrast generalise --values 0 comet easy.comet --values 1 comet hard.comet --json
"""


@click.command(epilog=EPILOG)
@click.option("--at", "texts", multiple=True, nargs=3, type=(float, click.Path(), click.Path()),
              metavar="DIVERGENCE REFERENCES OUTPUT", help="A system's output; again for more seeds.")  # fmt: skip
@click.option("--values", multiple=True, nargs=3, type=(float, str, click.Path()), metavar="DIVERGENCE NAME FILE",
              help="A metric computed elsewhere, a number per sentence.")  # fmt: skip
@click.option(
    "--metric",
    "--metrics",
    "metrics",
    default="chrF2++,chrF2,BLEU",
    show_default=True,
    help="The first gives the score.",
)
@click.option("--resamples", default=1000, show_default=True)
@click.option("--level", default=0.95, show_default=True, help="Of the interval.")
@click.option("--seed", default=SEED, show_default=True)
@click.option("--report", "report_file", metavar="FILE", help="Also write an HTML report.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(texts: tuple[tuple[float, str, str], ...], values: tuple[tuple[float, str, str], ...], metrics: str,
            resamples: int, level: float, seed: int, report_file: str | None, as_json: bool) -> None:  # fmt: skip
    """The generalisation score: quality at the highest compound divergence over that at the lowest.

    Files have a sentence per line. Intervals are bootstraps over sentences, and over seeds where there are several.
    """
    from kontrast.flows.splitting import generalise
    from kontrast.reporting.terminal import print_json, print_table

    result = generalise(texts, values=values, metrics=metrics.split(","), resamples=resamples, level=level, seed=seed)
    if report_file:
        from kontrast.reporting.splits import save_split_report

        save_split_report(report_file, generalisation=result)
    if as_json:
        print_json(result)
        return
    for metric in result.metrics:
        rows = [
            (
                f"{p.divergence:g}",
                p.score,
                f"[{p.low:.2f}, {p.high:.2f}]",
                p.runs,
                p.sentences,
            )
            for p in metric.levels
        ]
        caption = (
            f"ratio {metric.ratio:.3f} [{metric.ratio_low:.3f}, {metric.ratio_high:.3f}], "
            f"slope {metric.slope:.2f} [{metric.slope_low:.2f}, {metric.slope_high:.2f}]; {metric.signature}"
        )
        print_table(("divergence", metric.metric, "interval", "runs", "sentences"), rows)
        echo(f"{caption}\n")
    echo(f"generalisation score ({result.metrics[0].metric}): "
               f"{result.score:.3f} [{result.low:.3f}, {result.high:.3f}]")  # fmt: skip
