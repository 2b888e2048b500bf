"""``kontrast store``: what is kept of earlier runs."""

import time

import click

from kontrast.cli.declared_options import command_options
from kontrast.reporting.terminal import print_json, print_table


@click.group()
def command() -> None:
    """The score cache: one SQLite file (KONTRAST_STORE, --store, or the user's cache folder)."""


_PATH = click.option("--store", "path", metavar="FILE", help="The cache file, if not the default.")


@command.command()
@command_options("store info")
def info(path: str | None, as_json: bool) -> None:
    """Show the number of rows and the last use for each model."""
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


@command.command()
@command_options("store export")
def export(path: str | None, model: str | None, out: str) -> None:
    """Print every stored row as JSON lines: source, prefix, target, tokens, log-probabilities."""
    from kontrast.flows.scoring import store_export
    from kontrast.io.json_input import write_json_lines

    write_json_lines(out, store_export(path, model=model))


@command.command()
@command_options("store prune")
def prune(path: str | None, model: str | None, days: float | None) -> None:
    """Delete rows and free disk space."""
    from kontrast.flows.scoring import store_prune

    gone = store_prune(path, model=model, unused=days)
    click.echo(f"{gone.rows} rows deleted")
    for name in gone.in_use:
        click.echo(f"kontrast: {name} is kept: a run is using it", err=True)
