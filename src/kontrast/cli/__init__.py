"""The command line: a table of commands, each loaded only when it is called."""

from __future__ import annotations

import importlib
import os
import sys
from typing import NoReturn

import click

from kontrast import __version__
from kontrast.errors import KontrastError

__all__ = ["main"]

COMMANDS = {
    "suites": "The catalogue: what exists, its licence, fetch and cite it.",
    "describe": "What is in a suite: counts by tag.",
    "convert": "Any format to any other that can hold it.",
    "lint": "What is wrong with a test set.",
    "documents": "OPUS ids and aligned text into one file per document.",
    "exclude": "Take a suite's documents and sentences out of training data.",
    "extract": "A suite's text and context as plain files.",
    "score": "Score a suite with a translation model.",
    "evaluate": "Accuracy from scores, by phenomenon and any tag.",
    "compare": "Paired comparison of systems, contexts, normalisations.",
    "check": "Generative check: is the right form in what the system wrote?",
    "metrics": "Meta-evaluation of metrics on a suite.",
    "correlate": "Metrics against people: correlations and pairwise accuracy.",
    "report": "One self-contained HTML file.",
    "gate": "A CI gate: thresholds in, exit status out.",
    "perturb": "Sentences in, contrastive variants out.",
    "build": "A suite from a parallel corpus.",
    "review": "Review and explore a suite in the browser.",
    "count": "DBCA: count atoms and compounds of a corpus.",
    "divergence": "DBCA: divergence of two sets.",
    "split": "DBCA: train and test of chosen divergences.",
    "generalise": "DBCA: generalisation score of predictions.",
    "store": "The store of scores: info, export, prune.",
    "demo": "The whole chain on bundled data, offline.",
}


class _Commands(click.Group):
    """Finds ``kontrast.cli.NAME`` and takes its ``command``; listing them imports none."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"kontrast.cli.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Every command has --help with an example. Results go to stdout, progress and warnings to stderr.",
)
@click.version_option(__version__, message="kontrast %(version)s")
def kontrast() -> None:
    """Contrastive and compositional evaluation of machine translation."""


def main(args: list[str] | None = None) -> NoReturn:
    """Run a command; what a person can mend becomes one line and exit status 2."""
    try:
        status = kontrast.main(args=args, prog_name="kontrast", standalone_mode=False)
        sys.exit(status if isinstance(status, int) else 0)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
    except click.UsageError as error:
        called = error.ctx.command_path if error.ctx else "kontrast"
        click.echo(f"{called}: {_one_line(error.format_message())} (see {called} --help)", err=True)
    except (KontrastError, click.ClickException) as error:
        click.echo(f"kontrast: {_one_line(str(error))}", err=True)
    except click.Abort:
        click.echo("kontrast: interrupted", err=True)
        sys.exit(130)
    except BrokenPipeError:
        # The reader (head, less) has what it wanted; a flush at exit must not complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        named = f"{error.filename}: " if error.filename else ""
        click.echo(f"kontrast: {named}{_one_line(error.strerror or str(error))}", err=True)
    sys.exit(2)


def _one_line(message: str) -> str:
    return " ".join(message.split()).removesuffix(".")
