"""The command line: a table of commands, each loaded only when it is called."""

from __future__ import annotations

import codecs
import importlib
import io
import os
import sys
from errno import EBADF
from typing import NoReturn

import click

from kontrast import __version__
from kontrast.errors import KontrastError, without_credentials
from kontrast.io.overwriting import guarded

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
    "report": "One HTML page, or tables and figures for a paper.",
    "gate": "A CI gate: thresholds in, exit status out.",
    "perturb": "Sentences in, contrastive variants out.",
    "build": "A suite from a parallel corpus.",
    "translate": "Translate a suite or documents: one line per item.",
    "context": "Does a system use the context, or merely change with it?",
    "cues": "Which words of the context does a system use?",
    "artefacts": "What can be had without the source, and skill beyond it.",
    "items": "Which items are worth their cost, which keys may be wrong.",
    "shorten": "A short version of a suite that keeps the order of systems.",
    "memory": "Was a suite in a model's training data?",
    "correlate": "Metrics against people: correlations and pairwise accuracy.",
    "review": "Review and explore a suite in the browser.",
    "languages": "What can be built for which language on this machine.",
    "publish": "A suite as a data set folder: card, licence, datasheet.",
    "init": "A table to begin a suite of your own with.",
    "count": "DBCA: count atoms and compounds of a corpus.",
    "divergence": "DBCA: divergence of two sets.",
    "split": "DBCA: train and test of chosen divergences.",
    "generalise": "DBCA: generalisation score of predictions.",
    "store": "The store of scores: info, export, prune.",
    "doctor": "What is installed, what is missing, what works.",
    "demo": "The whole chain on bundled data, offline.",
}


class _Commands(click.Group):
    """Finds ``kontrast.cli.NAME`` and takes its ``command``; listing them imports none."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            import difflib

            if (close := difflib.get_close_matches(cmd_name, COMMANDS, n=1)) and not ctx.resilient_parsing:
                ctx.fail(f"No such command {cmd_name!r}; did you mean {close[0]}?")
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
    """Run a command. An error becomes one line and exit status 2; what nobody foresaw is also written to a file."""
    _standard_streams()
    try:
        status = _run(sys.argv[1:] if args is None else args)
        sys.stdout.flush()
        sys.exit(status)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
    except click.UsageError as error:
        called = error.ctx.command_path if error.ctx else "kontrast"
        click.echo(f"{called}: {_one_line(error.format_message())} (see {called} --help)", err=True)
    except (KontrastError, click.ClickException) as error:
        click.echo(f"kontrast: {_one_line(str(error))}", err=True)
    except (click.Abort, KeyboardInterrupt):
        click.echo("kontrast: interrupted", err=True)
        sys.exit(130)
    except BrokenPipeError:  # the reader (head, less) has what it wanted
        _no_more_output()
        sys.exit(0)
    except OSError as error:
        place = error.filename or ("standard output is closed" if error.errno == EBADF else "")
        told = error.strerror or str(error)
        click.echo(f"kontrast: {_one_line(f'{place}: {told}' if place else told)}", err=True)
        _no_more_output()
    except UnicodeEncodeError as error:
        told = f"{error.object[error.start]!a} cannot be written as {error.encoding}; set PYTHONIOENCODING=utf-8"
        click.echo(f"kontrast: {told}", err=True)
        _no_more_output()
    except MemoryError:
        click.echo("kontrast: the memory is not enough; take smaller files or fewer at a time", err=True)
    except Exception as error:
        _last_resort(error)
    sys.exit(2)


def _no_more_output() -> None:
    from kontrast.cli.output import no_more_output

    no_more_output()


def _standard_streams() -> None:
    """Results are UTF-8 also where a locale says ASCII; output into a closed stream is an error, not a traceback."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if sys.stdout is None:  # what is written fails, as it should: devnull is open for reading
        os.dup2(os.open(os.devnull, os.O_RDONLY), 1)
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and codecs.lookup(stream.encoding).name == "ascii":
            stream.reconfigure(encoding="utf-8")


def _run(args: list[str]) -> int:
    """The exit status of a command that ends without an error."""
    if "_KONTRAST_COMPLETE" in os.environ:
        kontrast.main(args=args, prog_name="kontrast", complete_var="_KONTRAST_COMPLETE")
    try:
        with guarded(), kontrast.make_context("kontrast", list(args)) as context:
            status = kontrast.invoke(context)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    return status if isinstance(status, int) else 0


def _last_resort(error: Exception) -> None:
    """One line for what should not happen: what, which version, and where the details are."""
    import tempfile
    import traceback

    if os.environ.get("KONTRAST_DEBUG"):
        raise error
    told = f"kontrast: unexpected {type(error).__name__}: {_one_line(str(error))[:200]} (kontrast {__version__}"
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", errors="backslashreplace", prefix="kontrast-error-", suffix=".txt", delete=False
        ) as file:
            told_in_full = f"{' '.join(sys.argv)}\n\n{''.join(traceback.format_exception(error))}"
            file.write(f"kontrast {__version__}, Python {sys.version}\n{without_credentials(told_in_full)}")
        told += f"; details in {file.name}"
    except OSError:
        told += "; the details could not be written"
    click.echo(f"{told})", err=True)


def _one_line(message: str) -> str:
    from kontrast.reporting.terminal import clean

    return without_credentials(" ".join(clean(message).split()).removesuffix("."))
