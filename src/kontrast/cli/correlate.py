"""``kontrast correlate``: do metrics agree with people?"""

from __future__ import annotations

import click

from kontrast.defaults import RESAMPLES, SEED


@click.command(
    epilog="""\b
Examples:
  kontrast correlate chrF.seg.score COMET.seg.score --human en-de.mqm.seg.score
  kontrast correlate BLEU.seg.score TER.seg.score --human mqm_newstest2021_ende.tsv --minimize TER
  kontrast correlate COMET.seg.score --human esa.jsonl --json
  kontrast correlate mt-metrics-eval-v2/wmt23?pair=en-de --human mqm
""",
)
@click.argument("scores", nargs=-1, required=True, metavar="SCORES…")
@click.option("--human", required=True, metavar="FILE", help="Judgements: NAME.seg.score, MQM or other TSV, JSONL.")
@click.option("--minimize", multiple=True, metavar="NAME", help="A metric whose lower scores are better.")
@click.option(
    "--resamples",
    default=RESAMPLES,
    show_default=True,
    type=click.IntRange(100),
    help="Number of resamples, for intervals and tests.",
)
@click.option("--seed", default=SEED, show_default=True, help="Random seed.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(
    scores: tuple[str, ...], human: str, minimize: tuple[str, ...], resamples: int, seed: int, as_json: bool
) -> None:
    """Compare metrics' segment SCORES with human judgements of the same systems and segments.

    Pairwise accuracy is WMT's: within each segment, ties included, with the threshold that suits each metric best.
    """
    from kontrast.flows.metrics import correlate
    from kontrast.reporting.metrics import print_correlations
    from kontrast.reporting.terminal import print_json

    result = correlate(scores, human, minimize=minimize, resamples=resamples, seed=seed)
    print_json(result) if as_json else print_correlations(result)
