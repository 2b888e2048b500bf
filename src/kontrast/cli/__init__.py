"""The command line: a table of commands, each loaded only when it is called."""

import codecs
import gc
import importlib
import io
import os
import sys
from errno import EBADF
from typing import NoReturn

import click

from kontrast import __version__
from kontrast.cli.lazy_group import LazyGroup, sections
from kontrast.cli.output import LastingOutput, no_more_output
from kontrast.errors import KontrastError, without_credentials
from kontrast.io.files import guarded
from kontrast.reporting.terminal import clean

FAMILIES = {
    "analysis": ("context", "cues", "artefacts", "items", "memory", "shorten"),
    "judging": ("compare", "check", "gate", "report", "correlate"),
    "scoring": ("score", "translate", "store"),
    "setup": ("demo", "init", "doctor", "languages", "cite"),
    "splitting": ("count", "split", "divergence", "generalise"),
    "suite_files": ("convert", "describe", "lint", "publish"),
    "texts": ("extract", "documents", "exclude"),
}
"""Files with several commands, ``NAME_command`` each; any other has a file of its own with its ``command``."""
COMMANDS = {name: summary for group in sections().values() for name, summary in group.items()}
QUESTIONS = {
    "does it prefer right translations?": "score, evaluate",
    "does my model use the context?": "score --context, compare, context",
    "did the release get worse anywhere?": "compare, gate, report",
    "are the model's own translations right?": "translate, check",
    "does a metric detect the error?": "metrics, correlate",
    "how do I make a test set?": "init, perturb, build, lint, review",
    "does it translate new combinations?": "split, generalise",
}
"""What people ask, and the commands that answer it; the README has the same."""


class _Kontrast(LazyGroup):
    """The questions that people ask stand before the commands."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("You ask, you run"):
            formatter.write_dl(list(QUESTIONS.items()), col_max=40)
        super().format_commands(ctx, formatter)


def _command(name: str) -> click.Command:
    family = next((family for family, names in FAMILIES.items() if name in names), None)
    module = importlib.import_module(f"kontrast.cli.{family or name}")
    command: click.Command = getattr(module, f"{name}_command" if family else "command")
    return command


@click.group(
    cls=_Kontrast,
    find=_command,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Every command has --help with an example. Results go to stdout, progress and warnings to stderr. "
    "SUITE is a file, a folder, a name of the catalogue, demo:de or demo:fr.",
)
@click.version_option(__version__, message="kontrast %(version)s")
def kontrast() -> None:
    """Contrastive and compositional evaluation of machine translation."""


def main(args: list[str] | None = None) -> NoReturn:
    """Run a command. An error becomes one line and exit status 2; what nobody foresaw is also written to a file."""
    _standard_streams()
    gc.set_threshold(100_000)  # most objects live to the end: looking for cycles often costs a tenth of a large run
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
        no_more_output()
        sys.exit(0)
    except OSError as error:
        place = error.filename or ("standard output is closed" if error.errno == EBADF else "")
        told = error.strerror or str(error)
        click.echo(f"kontrast: {_one_line(f'{place}: {told}' if place else told)}", err=True)
        no_more_output()
    except UnicodeEncodeError as error:
        told = f"{error.object[error.start]!a} cannot be written as {error.encoding}; set PYTHONIOENCODING=utf-8"
        click.echo(f"kontrast: {told}", err=True)
        no_more_output()
    except MemoryError:
        click.echo("kontrast: not enough memory; use smaller files or fewer at a time", err=True)
    except Exception as error:
        _last_resort(error)
    sys.exit(2)


def _standard_streams() -> None:
    """Results are UTF-8 also where a locale says ASCII; output into a closed stream is an error, not a traceback."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    elif sys.stderr is sys.__stderr__ and isinstance(sys.stderr, io.TextIOWrapper):
        encoding, errors = sys.stderr.encoding, sys.stderr.errors
        sys.stderr = io.TextIOWrapper(LastingOutput(2, "w", closefd=False), encoding, errors, write_through=True)
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
        told += "; the details could not be saved"
    click.echo(f"{told})", err=True)


def _one_line(message: str) -> str:
    return without_credentials(" ".join(clean(message).split()).removesuffix("."))
