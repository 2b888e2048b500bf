"""``kontrast metrics``: do metrics see what people see?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from kontrast.cli.cluster_options import cluster_options
from kontrast.cli.judging_options import RESAMPLING, options
from kontrast.cli.scoring_options import scoring_options
from kontrast.cli.suite_argument import suite_argument
from kontrast.errors import KontrastError

if TYPE_CHECKING:
    from kontrast.judging.meta.records import Metrics
    from kontrast.judging.meta.spans import MarkedSpans


@click.command(
    epilog="""\b
Examples:
  kontrast metrics pro-mistranslations-en-de --metric chrF --metric BLEU --by test_set,reference
  kontrast metrics demetr-x-en --metric chrF++ --metric TER --metric BERTScore --report demetr.html
  kontrast metrics pro-mistranslations-en-de --metric chrF --context prev:2 --control random
  kontrast metrics pro-mistranslations-en-de --only test_set=newstest2021 --metric file:gpt_scores/doc_DA
  kontrast metrics suite.jsonl --references second.de --metric COMET:Unbabel/wmt22-comet-da --out scores/
  kontrast metrics suite.jsonl --spans xcomet-spans.jsonl
  kontrast metrics suite.jsonl --metric judge-da:qwen@http://localhost:8000/v1
""",
)
@suite_argument(required=False)
@click.option(
    "--metric", "names", multiple=True, metavar="NAME[:MODEL][?KEY=VALUE&…]", help="A metric; may be repeated."
)
@click.option("--list", "as_list", is_flag=True, help="Name all metrics.")
@click.option(
    "--references", multiple=True, metavar="FILE", help="References, a line per item, in place of the suite's."
)
@click.option(
    "--context",
    multiple=True,
    metavar="prev:N",
    help="Beside sentence level: previous sentences joined before each text.",
)
@click.option("--separator", metavar="TEXT", help="Between context and sentence. Default: the metric's own.")
@click.option(
    "--control",
    multiple=True,
    type=click.Choice(["random", "shuffled", "other-document"]),
    help="Also with a wrong context.",
)
@click.option("--reference-context", is_flag=True, help="Translations after the reference's previous sentences.")
@click.option("--window", type=click.IntRange(2), help="N sentences up to the item's as one text.")
@click.option(
    "--stride", type=click.IntRange(1), default=1, show_default=True, help="Sentences from one window to the next."
)
@click.option("--spans", multiple=True, metavar="FILE", help="Error spans marked by a metric: JSON lines.")
@click.option("--outputs", metavar="FILE", help="A system's translations, a line per item: the metrics' spread.")
@click.option("--maximize/--minimize", "maximize", default=None, help="For file: and command: which is better.")
@scoring_options("source")
@scoring_options("target")
@scoring_options("device")
@click.option(
    "--batch", default=32, show_default=True, type=click.IntRange(1), help="Segments at once, for neural metrics."
)
@click.option(
    "--jobs", "processes", type=click.IntRange(1), help="Processes for sacreBLEU's metrics. Default: one a core."
)
@scoring_options("limit")
@cluster_options
@click.option("--out", metavar="DIR", help="Write each metric's scores: NAME.scores for evaluate, compare, report.")
@click.option("--wmt", is_flag=True, help="With --out: also NAME.seg.score as WMT's metrics task has it.")
@click.option("--report", metavar="FILE", help="Also one HTML page (or .md, .tex, .csv).")
@options(*RESAMPLING, "from", "json")
def command(suite: str | None, names: tuple[str, ...], as_list: bool, as_json: bool, **given: Any) -> None:
    """Score every variant of SUITE with metrics, and see whether they prefer the correct one.

    A metric compares with the item's references, its source, or both; verdicts, intervals and tests are those of
    evaluate and compare.
    """
    from kontrast.flows.metrics import metrics
    from kontrast.judging.meta.spans import MarkedSpans
    from kontrast.reporting.metrics import print_metrics
    from kontrast.reporting.spans import print_spans
    from kontrast.reporting.terminal import print_json, print_table

    if as_list:
        from kontrast.plugins import plugin_names, plugin_package
        from kontrast.scoring.metrics import METRICS

        explained = {name: summary for name, (_, summary) in METRICS.items()}
        explained |= {name: plugin_package("metrics", name) for name in plugin_names("metrics", METRICS)}
        print_json(explained) if as_json else print_table(["metric", "what it is"], explained.items())
        return
    if suite is None or not (names or given["spans"]):
        raise KontrastError("give SUITE and --metric NAME; --list prints the metrics")
    result: Metrics | MarkedSpans = metrics(suite, names, **given)
    if given["out"]:
        click.echo(f"wrote every metric's scores to {given['out']}", err=True)
    if given["report"]:
        click.echo(f"wrote {given['report']}", err=True)
    if as_json:
        print_json(result)
    elif isinstance(result, MarkedSpans):
        for each in result.spans:
            print_spans(each)
    else:
        print_metrics(result)
