"""``kontrast metrics``: do metrics see what people see?"""

from __future__ import annotations

from typing import Any

import click

from kontrast.cli.declared_options import command_options, declared_options
from kontrast.cli.suite_argument import suite_argument
from kontrast.errors import KontrastError
from kontrast.flows.metrics import MetricsAsked, metrics
from kontrast.judging.meta.records import Metrics
from kontrast.judging.meta.spans import MarkedSpans
from kontrast.reporting.terminal import print_json, print_table


@click.command()
@suite_argument(required=False)
@command_options("metrics", declared_options(MetricsAsked))
def command(suite: str | None, metric: tuple[str, ...], as_list: bool, as_json: bool, **given: Any) -> None:
    from kontrast.reporting.metrics import print_metrics, print_spans

    if as_list:
        from kontrast.plugins import plugin_names, plugin_package
        from kontrast.scoring.metrics import METRICS

        explained = {name: summary for name, (_, summary) in METRICS.items()}
        explained |= {name: plugin_package("metrics", name) for name in plugin_names("metrics", METRICS)}
        print_json(explained) if as_json else print_table(["metric", "what it is"], explained.items())
        return
    if suite is None or not (metric or given["spans"]):
        raise KontrastError("give SUITE and --metric NAME; --list prints the metrics")
    result: Metrics | MarkedSpans = metrics(suite, metric, **given)
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
