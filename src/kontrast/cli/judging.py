"""Commands that judge scores and translations: compare, check, gate, report, correlate."""

from typing import Any

import click

from kontrast.cli.declared_options import command_options, declared_options
from kontrast.cli.output import echo, ending_with
from kontrast.cli.suite_argument import suite_argument
from kontrast.flows.judging import Reporting, compare, gate, report
from kontrast.io import files
from kontrast.judging.check_records import Checks
from kontrast.judging.options import Checking, Comparing, Judging, ScoresRead
from kontrast.reporting.analysis import sampled_sections
from kontrast.reporting.render.terminal import print_sections
from kontrast.reporting.report import check_ending, save_figures, save_report
from kontrast.reporting.terminal import print_json, print_verdict


@click.command()
@suite_argument()
@click.argument("scores", nargs=-1, required=True)
@command_options("compare", declared_options(Comparing))
def compare_command(suite: str, scores: tuple[str, ...], every: bool, as_json: bool, **options: Any) -> None:
    from kontrast.reporting.comparison import print_comparison

    result = compare(suite, *scores, **options)
    print_json(result) if as_json else print_comparison(result, every=every)


@click.command()
@suite_argument()
@click.argument("translations", nargs=-1, required=True)
@command_options("check", declared_options(Checking))
def check_command(suite: str, translations: tuple[str, ...], as_json: bool, **options: Any) -> None:
    from kontrast.flows.checking import check
    from kontrast.reporting.checking import print_check, print_checks

    result = check(suite, *translations, **options)
    systems = result.systems if isinstance(result, Checks) else (result,)
    if as_json:
        print_json(result)
    elif all(each.printed for each in systems):
        echo("\n".join(line for each in systems for line in each.printed))
        for each in systems:
            if left := each.total - each.right - each.wrong:
                told = f"{left:,} of {each.total:,} translations are neither right nor wrong in the set's own check"
                click.echo(f"kontrast: {each.system}: {told}", err=True)
    elif isinstance(result, Checks):
        print_checks(result)
        print_sections(tuple(sampled_sections(result)))
    else:
        print_check(result)


@click.command()
@suite_argument()
@click.argument("scores")
@command_options("gate", declared_options(ScoresRead), declared_options(Judging, only=("allow",)))
def gate_command(
    suite: str, scores: str, config: str, junit_file: str | None, annotate: bool, as_json: bool, **options: Any
) -> None:
    from kontrast.reporting.gating import github_annotations, junit, print_gate

    result = gate(suite, scores, config, **options)
    if junit_file is not None:
        with files.writing(junit_file) as out:
            out.write(junit(result))
    with ending_with(1 if result.failed else 0):
        print_json(result) if as_json else print_gate(result)
        if annotate:
            for line in github_annotations(result):
                click.echo(line, err=as_json)


@click.command()
@suite_argument()
@click.argument("scores", nargs=-1, required=True)
@command_options("report", declared_options(Reporting))
def report_command(suite: str, scores: tuple[str, ...], out: str | None, figures: str | None, **options: Any) -> None:
    if out is not None:
        check_ending(out)
    made = report(suite, *scores, **options)
    if out is None:
        for sentence in made.verdict:
            print_verdict(sentence)
        print_sections(made.sections)
    else:
        for path in save_report(made, out):
            click.echo(f"wrote {path}", err=True)
    if figures:
        paths = save_figures(made, figures)
        click.echo(f"wrote {len(paths)} figures to {figures}", err=True)


@click.command()
@click.argument("scores", nargs=-1, required=True, metavar="SCORES…")
@command_options("correlate")
def correlate_command(
    scores: tuple[str, ...], human: str, minimize: tuple[str, ...], resamples: int, seed: int, as_json: bool
) -> None:
    from kontrast.flows.metrics import correlate
    from kontrast.reporting.metrics import print_correlations

    result = correlate(scores, human, minimize=minimize, resamples=resamples, seed=seed)
    print_json(result) if as_json else print_correlations(result)
