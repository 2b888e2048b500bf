"""``kontrast translate``: what a system writes for a suite, or for plain documents."""

from typing import Any

import click

from kontrast.cli.declared_options import command_options, model_options
from kontrast.cli.output import next_suite, told_next
from kontrast.cli.suite_argument import suite_argument
from kontrast.errors import KontrastError
from kontrast.scoring.options import Translate

_HELP = {
    "side": "Side of the context [source; with --own: both].",
    "seed": "Seed of sampling and of the wrong context.",
    "documents": "The suite's documents; without SUITE, documents to translate.",
    "own": "Translate each document from its beginning, with the system's own translations as context.",
}


@click.command()
@suite_argument(required=False)
@command_options("translate", model_options(Translate, help=_HELP))
def command(suite: str | None, model: str, out: str | None, **given: Any) -> None:
    """Translate every item of SUITE into one line, for kontrast check.

    Without SUITE the documents of --documents are translated line by line into the folder --out. Interrupted runs
    resume when you repeat the command, and nothing is translated twice (see kontrast store).
    """
    from kontrast.flows.translation import translate

    if out is None:
        raise KontrastError("give --out FILE")
    made = translate(suite, model, out=out, verbose=True, **given)
    if suite is not None and out != "-":
        samples = (f"{out}.{number}" for number, _ in enumerate(made.more, start=2))
        told_next("check", next_suite(suite, given["limit"], given["seed"]), out, *samples)
