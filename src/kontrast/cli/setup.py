"""Small commands to begin and to end with: demo, init, doctor, languages, cite."""

from pathlib import Path
from typing import Any

import click

from kontrast.cli.declared_options import command_options
from kontrast.cli.output import echo, ending_with
from kontrast.cli.suite_argument import suite_argument
from kontrast.errors import install_command
from kontrast.reporting.terminal import print_json, print_table


@click.command()
@click.argument("path", metavar="FILE")
@command_options("init")
def init_command(path: str, pair: str) -> None:
    from kontrast.suites.demo import init

    click.echo(f"{init(path, pair)}: fill in rows, then try kontrast lint {path}", err=True)


@click.command()
@command_options("doctor")
def doctor_command(load: bool, as_json: bool) -> None:
    from kontrast.flows.doctor import doctor

    found = doctor(load=load)
    with ending_with(0 if found.healthy else 1):
        if as_json:
            print_json(found)
        else:
            caption = f"kontrast {found.kontrast}, Python {found.python}, {found.platform}"
            print_table(("part", "state", ""), [(f.part, f.state, f.text) for f in found.findings], caption=caption)


@click.command()
@command_options("languages")
def languages_command(pair: str | None, as_json: bool) -> None:
    from kontrast.building.languages import languages

    rows = languages(pair)
    if as_json:
        print_json([row.to_dict() for row in rows])
        return
    table = [
        (
            row.language,
            ", ".join(row.errors) if pair else str(len(row.errors)),
            ", ".join(row.lexicons) or "treebanks only",
            ", ".join(row.annotators) or "plain words",
            "; ".join(row.install),
        )
        for row in rows
    ]
    print_table(("language", "errors", "lexicons", "annotators", "one more install"), table)


@click.command()
@suite_argument(default="kontrast")
@click.argument("scores", nargs=-1)
def cite_command(suite: str, scores: tuple[str, ...]) -> None:
    from kontrast.cli.output import echo
    from kontrast.flows.judging import describe_method
    from kontrast.flows.suites import cite

    if scores:
        echo(describe_method(suite, *scores))
        echo()
    echo(cite(*dict.fromkeys([suite, "kontrast"])))


_MOST = 10
"""Phenomena in the table on the terminal."""


@click.command()
@command_options("demo")
def demo_command(out: str, suites: tuple[str, ...], as_json: bool) -> None:
    from kontrast.flows.demo import SUITES, demo

    results = demo(out, suites=suites or SUITES)
    if as_json:
        print_json(results)
        return
    for result in results:
        _print_demo(result)
    echo(
        "\nkontrast-tiny is a very small model. The demo shows what results look like; the accuracy itself means "
        "little.\n"
        "Next: open a report in a browser, then score your own model, a small part first:\n"
        "  kontrast score demo:de --model hf:Helsinki-NLP/opus-mt-en-de --limit 50 --out mine.scores\n"
        "  kontrast report 'demo:de?limit=50' mine.scores --out mine.html"
    )


def _print_demo(result: Any) -> None:
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
        for a, b in groups[:_MOST]
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
    if len(groups) > _MOST:
        echo(f"The {_MOST} largest of {len(groups)} phenomena; the report has all of them.")
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
