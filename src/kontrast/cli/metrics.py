"""``kontrast metrics``: do metrics see what people see?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kontrast.cli.judging_options import JUDGING, judging_options
from kontrast.errors import KontrastError


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
@click.argument("suite", required=False)
@click.option(
    "--metric", "names", multiple=True, metavar="NAME[:MODEL][?KEY=VALUE&…]", help="Several times for several."
)
@click.option("--list", "as_list", is_flag=True, help="Name all metrics.")
@click.option(
    "--references", multiple=True, metavar="FILE", help="References, a line per item, in place of the suite's."
)
@click.option("--only", "conditions", multiple=True, metavar="TAG=VALUE", help="Only the items with this tag.")
@click.option(
    "--context",
    "context_texts",
    multiple=True,
    metavar="prev:N",
    help="Beside sentence level: previous sentences joined before each text.",
)
@click.option("--separator", metavar="TEXT", help="Between context and sentence. Default: the metric's own.")
@click.option(
    "--control",
    "controls",
    multiple=True,
    type=click.Choice(["random", "shuffled", "other-document"]),
    help="Also with a wrong context.",
)
@click.option("--reference-context", is_flag=True, help="Translations after the reference's previous sentences.")
@click.option("--window", type=click.IntRange(2), help="N sentences up to the item's as one text.")
@click.option("--stride", type=click.IntRange(1), default=1, show_default=True, help="Between windows.")
@click.option("--spans", multiple=True, metavar="FILE", help="Error spans marked by a metric: JSON lines.")
@click.option("--outputs", metavar="FILE", help="A system's translations, a line per item: the metrics' spread.")
@click.option("--maximize/--minimize", "maximize", default=None, help="For file: and command: which is better.")
@click.option("--source", "--source-language", "source_language", metavar="LANG", help="Default: the suite's.")
@click.option("--target", "--target-language", "target_language", metavar="LANG", help="Default: the suite's.")
@click.option("--device", default="auto", show_default=True)
@click.option("--batch", default=32, show_default=True, type=click.IntRange(1))
@click.option("--processes", type=click.IntRange(1), help="For sacreBLEU's metrics. Default: a process a core.")
@click.option("--out", metavar="DIR", help="Write each metric's scores: NAME.scores for evaluate, compare, report.")
@click.option("--wmt", is_flag=True, help="With --out: also NAME.seg.score as WMT's metrics task has it.")
@click.option("--report", "report_path", metavar="FILE", help="Also one HTML page (or .md, .tex, .csv).")
@judging_options
def command(suite: str | None, names: tuple[str, ...], as_list: bool, as_json: bool, **given: Any) -> None:
    """Score every variant of SUITE with metrics, and see whether they prefer the correct one.

    A metric compares with the item's references, its source, or both; verdicts, intervals and tests are those of
    evaluate and compare.
    """
    from kontrast.judging.meta.evaluate import meta_evaluate
    from kontrast.reporting.metrics import only, print_metrics, score_all, spread_scores
    from kontrast.reporting.terminal import print_json, print_table
    from kontrast.scoring.metrics.metric import MetricOptions
    from kontrast.scoring.metrics.segments import with_references
    from kontrast.suites.formats import load

    if as_list:
        from kontrast.scoring.metrics import METRICS

        explained = {name: summary for name, (_, summary) in METRICS.items()}
        print_json(explained) if as_json else print_table(["metric", "what it is"], explained.items())
        return
    if suite is None or not (names or given["spans"]):
        raise KontrastError("expected SUITE and --metric NAME; --list names the metrics")
    if given["spans"]:
        if names:
            raise KontrastError("--spans and --metric: one at a time")
        _spans(only(load(suite, given["format"]), given["conditions"]), given["spans"], as_json)
        return
    loaded = only(with_references(load(suite, given["format"]), given["references"]), given["conditions"])
    asked: dict[str, Any] = {
        "options": MetricOptions(
            source_language=given["source_language"],
            target_language=given["target_language"],
            device=given["device"],
            batch=given["batch"],
            processes=given["processes"],
            maximize=given["maximize"],
            reference_context=given["reference_context"],
            window=given["window"],
            stride=given["stride"],
        ),
        "contexts": _contexts(given),
    }
    scores = score_all(loaded, names, **asked)
    spread = spread_scores(loaded, names, given["outputs"], **asked) if given["outputs"] else None
    judging = {name: given[name] for name in JUDGING}
    result = meta_evaluate(loaded, scores, outputs=spread, **judging)
    if given["out"]:
        _write(loaded, scores, Path(given["out"]), given["wmt"])
    if given["report_path"]:
        _report(loaded, scores, given)
    print_json(result) if as_json else print_metrics(result)


def _spans(suite: Any, paths: tuple[str, ...], as_json: bool) -> None:
    from kontrast.judging.meta.spans import read_spans, score_spans
    from kontrast.reporting.spans import print_spans
    from kontrast.reporting.terminal import print_json

    results = [score_spans(suite, read_spans(path, suite), Path(path).stem) for path in paths]
    if as_json:
        print_json({"spans": results})
        return
    for result in results:
        print_spans(result)


def _contexts(given: dict[str, Any]) -> list[Any]:
    from kontrast.scoring.context import parse_context
    from kontrast.scoring.schemes import Scheme

    if given["controls"] and not given["context_texts"]:
        raise KontrastError("--control: say how much context with --context prev:N")
    options: dict[str, Any] = {"seed": given["seed"]}
    if given["separator"] is not None:
        options |= {"scheme": Scheme(given["separator"].replace("\\n", "\n")), "scheme_name": "own"}
    found = []
    for text in given["context_texts"]:
        context = parse_context(text, **options)
        if context.span is not None:
            found.append(context)
            found += [parse_context(text, control=control, **options) for control in given["controls"]]
    return found


def _write(suite: Any, scores: list[Any], folder: Path, wmt: bool) -> None:
    from kontrast.suites.scores import write_scores
    from kontrast.suites.segment_scores import write_segment_scores

    for each in scores:
        name = "".join(c if c.isalnum() or c in "+-._" else "_" for c in each.system)
        write_scores(each, folder / f"{name}.scores")
        if wmt:
            write_segment_scores(each, suite, folder / f"{name}.seg.score")
    click.echo(f"wrote {len(scores)} metrics' scores to {folder}", err=True)


def _report(suite: Any, scores: list[Any], given: dict[str, Any]) -> None:
    from kontrast.judging.meta.evaluate import leave_out_unchanged
    from kontrast.reporting.report import report, save_report

    kept, values = leave_out_unchanged(suite, scores)
    judging = {name: given[name] for name in ("by", "ties", "epsilon", "unit", "resamples", "seed")}
    allowed = (*given["allow"], "direction", "normalise")
    save_report(report(kept, values, allow=allowed, **judging), given["report_path"])
    click.echo(f"wrote {given['report_path']}", err=True)
