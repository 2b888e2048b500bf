"""``kontrast demo``: the whole chain on bundled data, offline."""

from pathlib import Path
from typing import Any

import click

from kontrast.cli.declared_options import command_options
from kontrast.cli.output import echo
from kontrast.errors import install_command
from kontrast.reporting.terminal import print_json, print_table

MOST = 10
"""Phenomena in the table on the terminal."""


@click.command()
@command_options("demo")
def command(out: str, suites: tuple[str, ...], as_json: bool) -> None:
    """Score the bundled suites with the bundled model, without and with context, and report."""
    from kontrast.flows.demo import SUITES, demo

    results = demo(out, suites=suites or SUITES)
    if as_json:
        print_json(results)
        return
    for result in results:
        _print(result)
    echo(
        "\nkontrast-tiny is a very small model. The demo shows what results look like; the accuracy itself means "
        "little.\n"
        "Next: open a report in a browser, then score your own model, a small part first:\n"
        "  kontrast score demo:de --model hf:Helsinki-NLP/opus-mt-en-de --limit 50 --out mine.scores\n"
        "  kontrast report 'demo:de?limit=50' mine.scores --out mine.html"
    )


def _print(result: Any) -> None:
    from kontrast.reporting.evaluation import percent

    written = {group.label: group for group in result.check.by[0].groups}
    groups = list(zip(result.without.by[0].groups, result.context.by[0].groups, strict=True))
    groups.sort(key=lambda pair: -pair[0].items)
    rows = [
        (
            a.label,
            a.items,
            percent(a.accuracy, a.items),
            percent(b.accuracy, b.items),
            percent(written[a.label].accuracy, a.items),
            percent(a.chance, a.items),
        )
        for a, b in groups[:MOST]
    ]
    whole, items = (result.without, result.context), result.without.items
    shares = [*(each.accuracy for each in whole), result.check.accuracy, whole[0].chance]
    rows.append(("all", items, *(percent(share, items) for share in shares)))
    echo()
    print_table(
        ("phenomenon", "items", "prefers right", "with context", "writes right", "chance"),
        rows,
        title=f"{result.suite}, kontrast-tiny",
    )
    if len(groups) > MOST:
        echo(f"The {MOST} largest of {len(groups)} phenomena; the report has all of them.")
    total = result.comparison.total[0]
    echo(
        f"Context changes the accuracy by {100 * total.difference:+.1f} points "
        f"(95% interval {100 * total.interval.low:+.1f} to {100 * total.interval.high:+.1f}, p = {total.p:.3f}): "
        f"{total.b_better} items better with it, {total.a_better} worse."
    )
    table = result.check.agreement.table
    lost = sum(table["right"].values()) - table["right"]["right"]
    echo(
        f"Preferred and not written: {lost} items; written and not preferred: "
        f"{table['wrong']['right'] + table['tie']['right']}."
    )
    for flipped in result.flipped[:1]:
        echo("An item that is right only with the previous sentence:")
        echo(f"  en    {flipped.context} | {flipped.source}")
        echo(f"  right {flipped.target_context} | {flipped.right}")
        echo(f"  wrong {flipped.preferred_without}   (preferred without it)")
    *files, report = result.files
    if not report.endswith(".html"):
        echo(f"For a page with figures: {install_command('report')}")
    echo(f"Report: {report} (beside it: {', '.join(Path(file).name for file in files)})")
