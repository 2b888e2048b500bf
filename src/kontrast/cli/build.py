"""``kontrast build``: suites from parallel corpora, treebanks and ratings, a recipe a command."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from kontrast.cli.declared_options import command_options, declared_options
from kontrast.cli.lazy_group import LazyGroup
from kontrast.cli.output import echo, told_next
from kontrast.errors import KontrastError
from kontrast.options import Cluster
from kontrast.reporting.terminal import print_json, print_table


def _recipe(name: str) -> click.Command:
    command: click.Command = globals()[f"{name.replace('-', '_')}_command"]
    return command


def _told_next(command: str, out: str) -> None:
    """The next command for a suite that was written to a file."""
    if out != "-":
        told_next(command, out)


@click.group(cls=LazyGroup, find=_recipe, words="build")
def command() -> None:
    """Build a suite from parallel text, treebanks or ratings."""


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def corpus_arguments(target: str = "target") -> Decorator:
    """Add the two files of a recipe with the same sentences, source and translation, as arguments or options."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def command(files: tuple[str, ...], **options: Any) -> Any:
            named = tuple(path for path in (options.pop("source"), options.pop(target)) if path is not None)
            if len(files + named) != 2 or len(files) == 1:
                raise click.UsageError(
                    f"expected two files, SOURCE {target.upper()} or --source FILE --{target} FILE"
                )
            return function(*files, *named, **options)

        for name, told in ((target, "Its translation"), ("source", "The source")):
            command = click.option(f"--{name}", metavar="FILE", help=f"{told}, instead of the argument.")(command)
        return click.argument("files", nargs=-1, metavar=f"SOURCE {target.upper()}")(command)

    return add


def on_text(what: str) -> Decorator:
    """``--on`` of commands that build on a system's translations, too: a cluster, or where the translations are."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        workers = click.option("--workers", type=click.IntRange(1), help="With --on ray: workers [one per core].")
        told = f"Make foils in a system's translations: {what}. ray[:ADDRESS]: run on a Ray cluster (docs/scale.md)."
        return click.option("--on", multiple=True, metavar="TRANSLATIONS|ray[:ADDRESS]", help=told)(workers(command))

    return add


def split_on(given: tuple[str, ...]) -> dict[str, Any]:
    """The cluster and the translations among the values of ``--on``."""
    clusters = [each for each in given if each == "ray" or each.startswith("ray:")]
    texts = [each for each in given if each not in clusters]
    if len(clusters) > 1 or len(texts) > 1:
        raise KontrastError(
            f"--on: expected one cluster and one place of translations at most, found {', '.join(given)}"
        )
    return {"on": next(iter(clusters), None), "translations": next(iter(texts), None)}


@click.command()
@corpus_arguments()
@command_options("build agreement")
def agreement_command(source: str, target: str, out: str, as_json: bool, **options: Any) -> None:
    from kontrast.building.agreement.build import build_agreement
    from kontrast.suites.formats import save

    made = build_agreement(source, target, **options)
    save(made.suite, out)
    if as_json:
        counts = {"sentences": made.sentences, "covered": made.covered, "phenomena": made.phenomena}
        print_json({"items": len(made.suite.items), **counts, "left_out": made.left_out, "out": out})
        return
    caption = f"{made.covered} of {made.sentences} sentences have an error other than of a determiner; {out}"
    print_table(("phenomenon", "foils"), made.phenomena.items(), caption=caption)
    print_table(("left out", "cases"), made.left_out.items())


@click.command()
@corpus_arguments("reference")
@command_options("build metrics-it")
def metrics_it_command(
    source: str, reference: str, second: str | None, alignment: str | None, out: str, as_json: bool
) -> None:
    from kontrast.building.metrics_it import build_metrics_it, save_metrics_it

    built = build_metrics_it(source, reference, second=second, alignment=alignment)
    save_metrics_it(built, out)
    found = built.candidates
    if as_json:
        print_json(found)
        return
    for candidate in found:
        proposed = f"\t{candidate.antecedent}\t{candidate.distance}" if candidate.antecedent else ""
        echo(f"{candidate.line}\t{candidate.pair}\t{candidate.pronoun}{proposed}")
    before = sum(1 for candidate in found if candidate.distance)
    echo(f"{len(found)} candidates, {before} with an antecedent in a preceding line; see {out}", err=True)


@click.command()
@click.argument("source")
@click.argument("target")
@command_options("build alignment")
def alignment_command(source: str, target: str, out: str, as_json: bool) -> None:
    from kontrast.flows.building import build_alignment
    from kontrast.language.aligners.fast_align import FEW

    card = build_alignment(source, target, out)
    if card.pairs < FEW:
        click.echo(
            f"kontrast: {card.pairs} pairs are few; with fewer than {FEW:,} many words are not aligned", err=True
        )
    if as_json:
        print_json(card)
    else:
        click.echo(f"{out}: trained on {card.pairs:,} sentence pairs", err=True)


@click.command()
@click.argument("source")
@click.argument("reference", required=False)
@command_options("build errors", on_text("a line per source line"))
def errors_command(
    source: str, reference: str | None, out: str, pair: str, on: tuple[str, ...], as_json: bool, **options: Any
) -> None:
    from kontrast.flows.building import write_errors

    built = write_errors(out, source, reference, pair, **split_on(on), **options)
    if as_json:
        print_json(built)
    else:
        caption = f"{built.items} references in {out}"
        if built.mix != "all":
            kept = built.rows - built.items
            caption += f"; mix: {built.mix}, {kept} of {built.made} variants (--mix all keeps all)"
        print_table(("error", "variants"), built.errors.items(), caption=caption)
        if built.left_out:
            print_table(("not built on", "lines"), built.left_out.items())
        _told_next("lint", out)


@click.command()
@click.argument("ratings", nargs=-1, required=True)
@command_options("build marked", declared_options(Cluster))
def marked_command(ratings: tuple[str, ...], out: str, as_json: bool, **options: Any) -> None:
    from kontrast.flows.marked import write_marked

    built = write_marked(out, ratings, **options)
    if as_json:
        print_json(built)
        return
    share = f"{built.used} of {built.marks} marked errors gave an item; expected right: {built.expected:.0%}"
    rows = [(name, *counts) for name, counts in built.by_category.items()]
    print_table(("category · severity", "marked", "used"), rows, caption=f"{built.items} items in {out}; {share}")
    if built.unjudged:
        print_table(
            ("items", ""), [("before --judge", built.unjudged), ("left out by it", built.unjudged - built.items)]
        )
    print_table(("kind", "items"), built.kinds.items())
    if built.nothing:
        print_table(("no item", "marks"), built.nothing.items())
    _told_next("lint", out)


@click.command()
@command_options("build pronouns", on_text("a folder with NAME.LANGUAGE for each document"))
@click.argument("folder", metavar="[DOCUMENTS]", required=False)
def pronouns_command(
    out: str, as_json: bool, pair: str, folder: str | None, documents: str | None, on: tuple[str, ...], **options: Any
) -> None:
    from kontrast.cli.suite_files import print_counts
    from kontrast.flows.building import write_pronouns
    from kontrast.judging.wording import counted

    if folder and documents:
        raise KontrastError("give the documents once: as DOCUMENTS or with --documents")
    place = folder or documents
    if place is None:
        raise KontrastError("give DOCUMENTS: a folder with YEAR/NAME.LANGUAGE, or an OPUS archive")
    built = write_pronouns(out, pair, place, **split_on(on), **options)
    if as_json:
        print_json(built)
        return
    for table in built.by:
        print_counts(table)
    documents_read = counted(built.documents, "document")
    click.echo(f"{out}: {built.items} items of {built.found} found, from {documents_read}", err=True)
    for kind, count in built.short.items():
        click.echo(f"  too few items: {count} with an antecedent {kind} are missing", err=True)
    for reason, count in sorted(built.left_out.items(), key=lambda pair: -pair[1]):
        if count:
            click.echo(f"  left out: {count} ({reason})", err=True)
    _told_next("review", out)
