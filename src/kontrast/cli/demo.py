"""``kontrast demo``: the whole chain on bundled data, offline."""

from __future__ import annotations

from typing import Any

import click

from kontrast.cli.output import echo


@click.command(
    epilog="""\b
Examples:
  kontrast demo
  kontrast demo --out somewhere --suite demo:fr
"""
)
@click.option("--out", default="kontrast-demo", show_default=True, metavar="DIR", help="Scores and reports go here.")
@click.option("--suite", "suites", multiple=True, type=click.Choice(["demo:de", "demo:fr"]), help="Default: both.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def command(out: str, suites: tuple[str, ...], as_json: bool) -> None:
    """Score the bundled suites with the bundled model, without and with context, and report."""
    from kontrast.flows.demo import SUITES, demo
    from kontrast.reporting.terminal import print_json

    results = demo(out, suites=suites or SUITES)
    if as_json:
        print_json(results)
        return
    for result in results:
        _print(result)
    echo(
        "\nkontrast-tiny is a very small model (docs/kontrast-tiny.md): look at how results are shown,\n"
        "not at how good they are. The same with a model and a suite of yours:\n"
        "  kontrast score SUITE --model hf:NAME --out a.scores\n"
        "  kontrast report SUITE a.scores --out report.html"
    )


def _print(result: Any) -> None:
    from kontrast.reporting.evaluation import percent
    from kontrast.reporting.terminal import print_table

    groups = zip(result.without.by[0].groups, result.context.by[0].groups, strict=True)
    rows = [
        (a.label, a.items, percent(a.accuracy, a.items), percent(b.accuracy, b.items), percent(a.chance, None))
        for a, b in sorted(groups, key=lambda pair: -pair[0].items)
    ]
    whole = (result.without, result.context)
    rows.append(
        ("all", whole[0].items, *(percent(e.accuracy, e.items) for e in whole), percent(whole[0].chance, None))
    )
    echo()
    print_table(
        ("phenomenon", "items", "no context", "one sentence", "chance"),
        rows,
        title=f"{result.suite}, kontrast-tiny",
    )
    total = result.comparison.total[0]
    echo(
        f"Context changes the accuracy by {100 * total.difference:+.1f} points "
        f"(95% interval {100 * total.interval.low:+.1f} to {100 * total.interval.high:+.1f}, p = {total.p:.3f}): "
        f"{total.b_better} items better with it, {total.a_better} worse."
    )
    table, both = result.check.agreement.table, result.check.agreement
    echo(
        f"What it writes: the right form in {both.generative:.1%} of {both.items} translations, preferred in "
        f"{both.contrastive:.1%} of them; right in both {table['right']['right']}, preferred and not written "
        f"{sum(table['right'].values()) - table['right']['right']}, written and not preferred "
        f"{table['wrong']['right'] + table['tie']['right']} (the report has them by phenomenon)."
    )
    for flipped in result.flipped[:1]:
        echo("One that is right only with the sentence before:")
        echo(f"  en    {flipped.context} | {flipped.source}")
        echo(f"  right {flipped.target_context} | {flipped.right}")
        echo(f"  wrong {flipped.preferred_without}   (preferred without it)")
    echo(f"Written: {', '.join(result.files)}")
