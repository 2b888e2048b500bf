"""Commands that ask what systems use: context, cues, artefacts, items, memory, shorten."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click

from kontrast.cli.declared_options import command_options, declared_options, model_options
from kontrast.cli.suite_argument import suite_argument
from kontrast.errors import KontrastError
from kontrast.flows.analysis import ArtefactOptions, MemoryOptions, artefacts, items, memory, shorten
from kontrast.flows.context import ContextOptions, compare_context, context
from kontrast.flows.cues import CueOptions, cues
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
    from kontrast.reporting.context import print_context

    result = context(suite, **given)
    print_json(result) if as_json else print_context(result)


def _compare(suite: str, systems: tuple[str, ...], as_json: bool, given: dict[str, Any]) -> None:
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
    from kontrast.reporting.analysis import artefact_sections

    result = artefacts(suite, *scores, **given)
    _shown(result, as_json, artefact_sections)


@click.command()
@suite_argument()
@click.argument("scores", nargs=-1, required=True)
@command_options("items", declared_options(ScoresRead))
def items_command(suite: str, scores: tuple[str, ...], suspects: str | None, as_json: bool, **options: Any) -> None:
    from kontrast.reporting.analysis import item_sections

    result = items(suite, *scores, suspects=suspects, **options)
    if suspects is not None:
        click.echo(f"wrote {sum(each.suspect for each in result.items):,} items to {suspects}", err=True)
    _shown(result, as_json, item_sections)


@click.command()
@suite_argument()
@command_options("memory", model_options(MemoryOptions))
def memory_command(suite: str, model: str | None, as_json: bool, **given: Any) -> None:
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
