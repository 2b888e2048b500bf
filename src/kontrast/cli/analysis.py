"""Commands that ask what systems use: context, cues, artefacts, items, memory, shorten."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click

from kontrast.cli.declared_options import command_options, declared_options, model_options
from kontrast.cli.suite_argument import suite_argument
from kontrast.errors import KontrastError
from kontrast.flows.analysis import ArtefactOptions, MemoryOptions
from kontrast.flows.context import ContextOptions
from kontrast.flows.cues import CueOptions
from kontrast.judging.options import Resampling, ScoresRead
from kontrast.reporting.terminal import print_json

if TYPE_CHECKING:
    from kontrast.reporting.section import Section


@click.command()
@suite_argument()
@click.argument("systems", nargs=-1, metavar="[WITHOUT WITH [CONTROL] | A=WITHOUT,WITH B=WITHOUT,WITH]")
@command_options(
    "context", model_options(ContextOptions, first=("without", "given", "control", "model", "context", "by"))
)
def context_command(suite: str, systems: tuple[str, ...], as_json: bool, **given: Any) -> None:
    """Test whether a system uses the context of SUITE or only changes with it.

    Give the scores of one model without context, with context and, preferably, with a wrong context (the control).
    Or give --model to compute them. docs/context.md has the formulas.

    Two systems, A=WITHOUT,WITH and B=WITHOUT,WITH: which one gains more from the context?
    """
    if any("=" in each for each in systems):
        _compare(suite, systems, as_json, given)
        return
    if systems:
        if given["without"] or given["given"] or given["model"] or len(systems) not in (2, 3):
            raise KontrastError(
                "expected the score files WITHOUT WITH [CONTROL], or A=WITHOUT,WITH B=WITHOUT,WITH; "
                f"found {len(systems)}"
            )
        given |= dict(zip(("without", "given", "control"), systems, strict=False))
    from kontrast.flows.context import context
    from kontrast.reporting.context import print_context

    result = context(suite, **given)
    print_json(result) if as_json else print_context(result)


def _compare(suite: str, systems: tuple[str, ...], as_json: bool, given: dict[str, Any]) -> None:
    from kontrast.flows.context import compare_context
    from kontrast.reporting.context import print_gains

    if given["without"] or given["given"] or given["model"] or len(systems) != 2:
        raise KontrastError("expected two systems, A=WITHOUT,WITH B=WITHOUT,WITH, without --with and --model")
    how = {name: given[name] for name in ("unit", "alpha", "level", "format")}
    result = compare_context(suite, *systems, **how)
    print_json(result) if as_json else print_gains(result)


@click.command()
@suite_argument()
@command_options("cues", model_options(CueOptions))
def cues_command(suite: str, model: str | None, as_json: bool, **given: Any) -> None:
    """Show which words of the context a system uses.

    The command leaves out each sentence of the context, then each word. The change of the margin is its weight.
    Interrupted runs resume when you repeat the command (see kontrast store). docs/context.md explains the shares.
    """
    from kontrast.flows.cues import cues
    from kontrast.reporting.analysis import cue_sections

    if model is None:
        raise KontrastError("give --model ENGINE:NAME")
    result = cues(suite, model, **given)
    _shown(result, as_json, cue_sections)


@click.command()
@suite_argument()
@click.argument("scores", nargs=-1)
@command_options("artefacts", model_options(ArtefactOptions))
def artefacts_command(suite: str, scores: tuple[str, ...], as_json: bool, **given: Any) -> None:
    """Show how well the suite can be solved without the source: by length, frequency, form, or the text of variants.

    With SCORES, also show how good systems are on the items that each of these gets wrong. See docs/analysis.md.
    """
    from kontrast.flows.analysis import artefacts
    from kontrast.reporting.analysis import artefact_sections

    result = artefacts(suite, *scores, **given)
    _shown(result, as_json, artefact_sections)


@click.command()
@suite_argument()
@click.argument("scores", nargs=-1, required=True)
@command_options("items", declared_options(ScoresRead))
def items_command(suite: str, scores: tuple[str, ...], suspects: str | None, as_json: bool, **options: Any) -> None:
    """Show difficulty, discrimination, suspected wrong keys and redundancy of items, from four or more SCORES."""
    from kontrast.flows.analysis import items
    from kontrast.reporting.analysis import item_sections

    result = items(suite, *scores, suspects=suspects, **options)
    if suspects is not None:
        click.echo(f"wrote {sum(each.suspect for each in result.items):,} items to {suspects}", err=True)
    _shown(result, as_json, item_sections)


@click.command()
@suite_argument()
@command_options("memory", model_options(MemoryOptions))
def memory_command(suite: str, model: str | None, as_json: bool, **given: Any) -> None:
    """Test whether SUITE was in the model's training data: compare items with copies that have other names.

    The lines below the numbers and docs/analysis.md explain the result.
    """
    from kontrast.flows.analysis import memory
    from kontrast.reporting.analysis import memory_sections

    if model is None:
        raise KontrastError("give --model ENGINE:NAME")
    result = memory(suite, model, **given)
    _shown(result, as_json, memory_sections)


@click.command()
@suite_argument()
@click.argument("scores", nargs=-1, required=True)
@command_options("shorten", declared_options(ScoresRead), declared_options(Resampling, only=("seed",)))
def shorten_command(
    suite: str, scores: tuple[str, ...], size: int | None, out: str | None, as_json: bool, **options: Any
) -> None:
    """Write a short version of SUITE that keeps the order of systems and the shares of phenomena.

    SCORES are from four or more systems. docs/analysis.md explains the method and its test on other systems.
    """
    from kontrast.flows.analysis import shorten
    from kontrast.reporting.analysis import short_sections
    from kontrast.reporting.render.terminal import print_sections

    if size is None or out is None:
        raise KontrastError("give --size N and --out FILE")
    result = shorten(suite, *scores, size=size, out=out, **options)
    if as_json:
        print_json({name: value for name, value in result.to_dict().items() if name != "suite"})
    else:
        print_sections(tuple(short_sections(result)))


def _shown(result: Any, as_json: bool, sections: Callable[[Any], Iterable[Section]]) -> None:
    from kontrast.reporting.render.terminal import print_sections

    print_json(result) if as_json else print_sections(tuple(sections(result)))
