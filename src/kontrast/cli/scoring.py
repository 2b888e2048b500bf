"""Commands that run models and keep their scores: score, translate, store."""

import time
from typing import Any

import click

from kontrast.cli.declared_options import command_options, model_options
from kontrast.cli.output import echo, ending_with, next_suite, told_next
from kontrast.cli.suite_argument import suite_argument
from kontrast.errors import KontrastError
from kontrast.io.json_input import write_json_lines
from kontrast.options import part
from kontrast.reporting.terminal import print_json, print_table
from kontrast.scoring.options import Score, Translate


@click.command()
@suite_argument()
@command_options("score", model_options(Score, first=("context", "documents", "system", "limit", "device")))
def score_command(suite: str, model: str | None, out: str | None, **given: Any) -> None:
    from kontrast.flows.inputs import as_suite
    from kontrast.flows.scoring import preview, score
    from kontrast.suites.scores import check_writable, write_scores

    asked = part(Score, given)
    if given["dry_run"]:
        _print_preview(preview(suite, model, show=given["show"], **asked), given["as_json"], given["tokens"])
        return
    if model is None or out is None:
        raise KontrastError("give --model ENGINE:NAME and --out FILE, or --dry-run")
    loaded = as_suite(suite, given["format"])
    check_writable(out, part=given["until"] is not None)
    made = score(loaded, model, verbose=True, **asked)
    write_scores(made, out)
    if out != "-" and made.stopped is None:
        told_next("evaluate", next_suite(suite, given["limit"], given["seed"]), out)
    if made.stopped is not None:
        from kontrast.reporting.gating import print_stopped

        with ending_with(1 if made.stopped.outcome == "failed" else 0):
            print_json(made.stopped) if given["as_json"] else print_stopped(made.system, made.stopped)


def _print_preview(shown: Any, as_json: bool, tokens: bool) -> None:
    if as_json:
        print_json(shown)
        return
    echo(f"{shown.rows} rows: {shown.targets} distinct targets of {shown.groups} sources; context {shown.context}")
    if tokens and shown.shown and not shown.tokens:
        raise KontrastError("--tokens: give a --model whose engine has a tokenizer (hf, ct2, marian)")
    for number, group in enumerate(shown.shown):
        pieces = [" ".join(cut) for cut in shown.tokens[number]] if tokens else []
        echo(f"\nsource  {group.source}")
        for cut in pieces[:1]:
            echo(f"        {cut}")
        for place, target in enumerate(group.targets, start=1):
            forced = f"[{target.prefix}]" if target.prefix else ""
            echo(f"target  {forced}{target.text}")
            for cut in pieces[place : place + 1]:
                echo(f"        {cut}")


_HELP = {
    "side": "Side of the context [source; with --own: both].",
    "seed": "Seed of sampling and of the wrong context.",
    "documents": "The suite's documents; without SUITE, documents to translate.",
    "own": "Translate each document from its beginning, with the system's own translations as context.",
}


@click.command()
@suite_argument(required=False)
@command_options("translate", model_options(Translate, help=_HELP))
def translate_command(suite: str | None, model: str, out: str | None, **given: Any) -> None:
    from kontrast.flows.translation import translate

    if out is None:
        raise KontrastError("give --out FILE")
    made = translate(suite, model, out=out, verbose=True, **given)
    if suite is not None and out != "-":
        samples = (f"{out}.{number}" for number, _ in enumerate(made.more, start=2))
        told_next("check", next_suite(suite, given["limit"], given["seed"]), out, *samples)


@click.group()
def store_command() -> None:
    """The score cache: one SQLite file (KONTRAST_STORE, --store, or the user's cache folder)."""


_PATH = click.option("--store", "path", metavar="FILE", help="The cache file, if not the default.")


@store_command.command()
@command_options("store info")
def info(path: str | None, as_json: bool) -> None:
    from kontrast.flows.scoring import store_info

    found = store_info(path)
    if as_json:
        print_json(found)
        return
    print_table(
        ["model", "engine", "fingerprint", "rows", "last used"],
        [
            [m.name, m.engine, m.fingerprint[:8], m.rows, time.strftime("%Y-%m-%d %H:%M", time.localtime(m.used))]
            for m in found.models
        ],
        caption=f"{found.path}, {found.bytes / 1e6:.1f} MB",
    )


@store_command.command()
@command_options("store export")
def export(path: str | None, model: str | None, out: str) -> None:
    from kontrast.flows.scoring import store_export

    write_json_lines(out, store_export(path, model=model))


@store_command.command()
@command_options("store prune")
def prune(path: str | None, model: str | None, days: float | None) -> None:
    from kontrast.flows.scoring import store_prune

    gone = store_prune(path, model=model, unused=days)
    click.echo(f"{gone.rows} rows deleted")
    for name in gone.in_use:
        click.echo(f"kontrast: {name} is not deleted, because a run is using it", err=True)
