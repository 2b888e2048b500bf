"""kontrast generalise."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import click

from kontrast.cli.output import echo
from kontrast.defaults import LEVEL, SEED, SPLIT_METRICS

if TYPE_CHECKING:
    from kontrast.splitting.compound_errors import CompoundErrors
    from kontrast.splitting.generalisation import Generalisation

WORST = 10
"""Compounds of a test set that are shown, those with most errors first."""
EPILOG = """\b
Examples:
  kontrast generalise --at 0 easy/test.de easy/output.de --at 1 hard/test.de hard/output.de
  kontrast generalise --at 0 ref0 seed1.out --at 0 ref0 seed2.out --at 1 ref1 seed1.hard --at 1 ref1 seed2.hard
  kontrast generalise --values 0 comet easy.comet --values 1 comet hard.comet --json
  kontrast generalise --compounds hard --counts en.counts --corpus en.conllu --translation de.txt --output a.de
  kontrast generalise --compounds 'cg-test/NP.en?lexicon=eval/lexicon' --output a.zh --output b.zh
"""


@click.command(epilog=EPILOG)
@click.option("--at", "--runs", "runs", multiple=True, nargs=3, type=(float, click.Path(), click.Path()),
              metavar="DIVERGENCE REFERENCES OUTPUT", help="A system's output; again for more seeds.")  # fmt: skip
@click.option("--values", multiple=True, nargs=3, type=(float, str, click.Path()), metavar="DIVERGENCE NAME FILE",
              help="A metric computed elsewhere, a number per sentence.")  # fmt: skip
@click.option("--metric", "--metrics", "metrics", default=",".join(SPLIT_METRICS), show_default=True,
              help="Metrics to compute; the first gives the score.")  # fmt: skip
@click.option("--by", type=click.Choice(["length"]), help="Also the score of short and long sentences apart.")
@click.option("--compounds", "compounds", metavar="DIR",
              help="A split's folder, or CoGnition's files: how often its compounds are right.")  # fmt: skip
@click.option("--counts", "counts", metavar="DIR", help="With --compounds: the counts that were split.")
@click.option("--corpus", "corpus", metavar="FILE",
              help="With --compounds: the CoNLL-U file that was counted.")  # fmt: skip
@click.option("--translation", "translation", metavar="FILE",
              help="With --compounds: the corpus's translation, one sentence per line.")  # fmt: skip
@click.option("--output", "--outputs", "outputs", multiple=True, metavar="FILE",
              help="With --compounds: a system's output for the test side; again for more systems.")  # fmt: skip
@click.option("--alignment", metavar="FILE", help="Word links of the corpus (0-0 1-2). Default: made by fast_align.")
@click.option(
    "--dictionary", is_flag=True, help="Also accept the words to which a lemma is aligned on the train side."
)
@click.option("--resamples", default=1000, show_default=True, help="Number of resamples, for the interval.")
@click.option("--level", default=LEVEL, show_default=True, help="Confidence level of the interval.")
@click.option("--seed", default=SEED, show_default=True, help="Random seed.")
@click.option("--report", "report", metavar="FILE", help="Also write an HTML report.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(runs: tuple[tuple[float, str, str], ...], as_json: bool, **given: Any) -> None:
    """The generalisation score: quality at the highest compound divergence over that at the lowest.

    Files have a sentence per line. Intervals are bootstraps over sentences, and over seeds where there are several.
    With --compounds, the error rate of seen and unseen compounds on one split, by relation, frequency and distance.
    """
    from kontrast.flows.splitting import generalise
    from kontrast.reporting.terminal import print_json
    from kontrast.splitting.compound_errors import CompoundErrors

    result: Generalisation | CompoundErrors = generalise(runs, **given)
    if as_json:
        print_json(result)
    elif isinstance(result, CompoundErrors):
        _print_compounds(result, given["seed"])
    else:
        _print_scores(result, given["seed"])


def _print_scores(result: Generalisation, seed: int) -> None:
    from kontrast.reporting.terminal import print_table

    first = result.metrics[0].metric
    drawn = f"{result.resamples:,} resamples, seed {seed}"
    echo(f"{100 * result.level:g}% intervals: bootstrap over sentences and runs, {drawn}")
    for metric in result.metrics:
        rows = [
            (f"{p.divergence:g}", p.score, f"[{p.low:.2f}, {p.high:.2f}]", p.runs, p.sentences) for p in metric.levels
        ]
        caption = (
            f"ratio {_ratio(metric.ratio, metric.ratio_low, metric.ratio_high)}, "
            f"slope {metric.slope:.2f} [{metric.slope_low:.2f}, {metric.slope_high:.2f}]; {metric.signature}"
        )
        print_table(("divergence", metric.metric, "interval", "runs", "sentences"), rows)
        echo(f"{caption}\n")
    if result.by_length:
        parts = [
            (f"{p.shortest}-{p.longest}" if p.longest else f"{p.shortest} or more", ", ".join(map(str, p.sentences)),
             p.result.score, f"[{p.result.low:.3f}, {p.result.high:.3f}]")
            for p in result.by_length
        ]  # fmt: skip
        print_table(("words", "sentences", f"ratio of {first}", "interval"), parts)
    echo(f"generalisation score ({first}): {_ratio(result.score, result.low, result.high)}")


def _print_compounds(result: CompoundErrors, seed: int) -> None:
    from kontrast.reporting.terminal import print_table
    from kontrast.splitting.compound_errors import RESAMPLES

    given = not any(system.seen.compounds for system in result.systems)  # of a test set, all are new
    over = "compounds" if given else "sentences"
    echo(f"{100 * result.level:g}% intervals: bootstrap over {over}, {RESAMPLES:,} resamples, seed {seed}")
    for system in result.systems:
        rates = [rate for rate in system.rates if rate.by != "compound"]
        worst = sorted((rate for rate in system.rates if rate.by == "compound"), key=lambda rate: -rate.error_rate)
        rows = [
            (rate.by or "all", rate.group if rate.by else "", "seen" if rate.seen else "unseen", rate.compounds,
             rate.right, rate.error_rate, "" if rate.by == "compound" else f"[{rate.low:.3f}, {rate.high:.3f}]")
            for rate in (*(() if given else (system.seen,)), system.unseen, *rates, *worst[:WORST])
        ]  # fmt: skip
        print_table(("by", "", "compounds", "decided", "right", "error rate", "interval"), rows, title=system.name)
        if len(worst) > WORST:
            echo(f"{len(worst) - WORST} more compounds: --json has all")
        interval = f"[{system.difference_low:+.3f}, {system.difference_high:+.3f}]"
        between = "" if given else f"unseen minus seen: {system.difference:+.3f} {interval}; "
        types = "compounds with an error in any sentence" if given else "unseen types with an error anywhere"
        echo(f"{between}{types}: {system.unseen_types_error_rate:.3f}\n")
    for pair in result.comparisons:
        echo(f"unseen compounds, {pair.first} minus {pair.second}: {pair.difference:+.3f} "
                   f"[{pair.low:+.3f}, {pair.high:+.3f}], p = {pair.p:.4f}")  # fmt: skip
    left = "" if given else f"; {result.undecided} not, for lack of an aligned word"
    echo(f"{result.compounds} compounds of {result.sentences} test sentences decided{left}")


def _ratio(ratio: float, low: float, high: float) -> str:
    if math.isnan(ratio):
        return "not defined (a score is negative, or 0 at the lowest divergence)"
    return f"{ratio:.3f} " + ("[not defined]" if math.isnan(low) else f"[{low:.3f}, {high:.3f}]")
