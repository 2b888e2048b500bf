"""Small commands to begin and to end with: init, doctor, languages, cite."""

import click

from kontrast.cli.declared_options import command_options
from kontrast.cli.output import ending_with
from kontrast.cli.suite_argument import suite_argument
from kontrast.reporting.terminal import print_json, print_table


@click.command()
@click.argument("path", metavar="FILE")
@command_options("init")
def init_command(path: str, pair: str) -> None:
    """Write FILE (.csv, .tsv or .xlsx) with the columns of a suite, explanations and an example row."""
    from kontrast.suites.demo import init

    click.echo(f"{init(path, pair)}: fill in rows, then try kontrast lint {path}", err=True)


@click.command()
@command_options("doctor")
def doctor_command(load: bool, as_json: bool) -> None:
    """Show what is installed, what each missing extra adds, and whether cache, store and model work.

    Exit status 1 if something is broken; missing extras are optional.
    """
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
    """Show which suites you can build for each target language on this machine, and what further packages add.

    Agreement suites (build agreement) need two parallel treebanks in any languages; a lexicon gives more errors.
    """
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
    """Print BibTeX of SUITE (a name of the catalogue or a file) and of kontrast.

    With SCORES, also describe the method in sentences for a paper.
    """
    from kontrast.cli.output import echo
    from kontrast.flows.judging import describe_method
    from kontrast.flows.suites import cite

    if scores:
        echo(describe_method(suite, *scores))
        echo()
    echo(cite(*dict.fromkeys([suite, "kontrast"])))
