"""``kontrast check``: is the right form in what the system wrote?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kontrast.errors import KontrastError


@click.command(
    epilog="""\b
Examples:
  kontrast check contrapro.json system.de --by distance
  kontrast check contrapro.json system.de --scores system.scores
  kontrast check contrapro.json system.de --items system.verdicts
  kontrast check suite.jsonl passages.de --align separator --separator "<sep>"
  kontrast check gender.opensubtitles.en-de.test.json system.de --style original --json
"""
)
@click.argument("suite")
@click.argument("translations", nargs=-1, required=True)
@click.option(
    "--style", type=click.Choice(["original"]), help="The check of the set's own authors (CTXPro, MT-GenEval)."
)
@click.option(
    "--align",
    type=click.Choice(["auto", "whole", "separator", "count", "length"]),
    default="auto",
    show_default=True,
    help="Where the item's sentence is in a translated passage.",
)
@click.option("--separator", metavar="TEXT", help="What stands between the sentences of a passage.")
@click.option("--context", type=click.IntRange(0), metavar="N", help="Passages had N sentences before. Default: all.")
@click.option("--by-distance", is_flag=True, help="Decide by the nearer variant what words cannot tell apart.")
@click.option("--by", multiple=True, metavar="TAG[:RULE][,TAG]", help="Also by tag: distance, frequency:log …")
@click.option(
    "--items",
    "--out",
    "items",
    metavar="FILE",
    help="Write each verdict with what was looked for and found; compare, gate, report read it. Several: a folder.",
)
@click.option("--scores", metavar="FILE", help="The same system's scores: both verdicts side by side.")
@click.option("--maximize", is_flag=True, help="Higher scores are better. Default: lower, or the signature.")
@click.option("--level", type=click.FloatRange(0.5, 0.9999), default=0.95, show_default=True)
@click.option("--allow", multiple=True, type=click.Choice(["suite"]), help="Take scores of another suite.")
@click.option("--from", "format", metavar="FORMAT", help="The suite's format, if it is not recognised.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    suite: str,
    translations: tuple[str, ...],
    items: str | None,
    scores: str | None,
    maximize: bool,
    by: tuple[str, ...],
    level: float,
    allow: tuple[str, ...],
    format: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Look for the right and wrong forms in TRANSLATIONS: a line per item of SUITE, of its sentence or passage.

    `-` is standard input.
    """
    from kontrast.judging.check import judge_translations, original_lines, read_translations
    from kontrast.judging.check_records import Checks
    from kontrast.judging.check_summary import summarise
    from kontrast.judging.systems import distinct
    from kontrast.judging.written import write_verdicts
    from kontrast.reporting.checking import print_check, print_checks
    from kontrast.reporting.terminal import print_json
    from kontrast.suites.formats import load
    from kontrast.suites.scores import read_scores

    loaded = load(suite, format)
    if scores is not None and len(translations) > 1:
        raise KontrastError("--scores goes with one file of translations")
    if translations.count("-") > 1:
        raise KontrastError("standard input (-) can be read once")
    judged = None if scores is None else read_scores(scores, loaded, maximize=True if maximize else None)
    names = distinct(["stdin" if path == "-" else Path(path).name for path in translations])
    found = [
        judge_translations(loaded, read_translations(path, loaded), system=name, **options)
        for path, name in zip(translations, names, strict=True)
    ]
    results = tuple(summarise(loaded, each, by=by, scores=judged, level=level, allow=allow) for each in found)
    if items is not None:
        for each in found:
            write_verdicts(each, items if len(found) == 1 else Path(items) / f"{each.system}.verdicts")
    if options["style"] == "original" and not as_json:
        told = [original_lines(loaded, [item.verdict for item in each.items]) for each in found]
        if None not in told:
            click.echo("\n".join(line for lines in told for line in lines or ()))
            return
    if len(results) == 1:
        print_json(results[0]) if as_json else print_check(results[0])
    else:
        several = Checks(loaded.name, results)
        print_json(several) if as_json else print_checks(several)
