"""``kontrast suites``: the catalogue — list, show, get, cite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import click

from kontrast.cli.declared_options import command_options
from kontrast.reporting.terminal import print_json, print_table

if TYPE_CHECKING:
    from kontrast.suites.fetch import Fetched


@click.group(invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_entries)


@command.command("list")
@command_options("suites list")
def list_entries(lang: str | None = None, kind: Any = None, as_json: bool = False) -> None:
    from kontrast.suites.catalogue import entries, folder_of

    chosen = entries(lang, kind)
    if as_json:
        print_json(chosen)
        return
    rows = [
        (e.name, e.kind, _short(e.languages), e.items, e.licence, "yes" if folder_of(e).is_dir() else "")
        for e in chosen
    ]
    print_table(("name", "kind", "languages", "items", "licence", "fetched"), rows)


def _short(languages: tuple[str, ...]) -> str:
    return (
        ", ".join(languages) if len(languages) <= 3 else f"{', '.join(languages[:2])} and {len(languages) - 2} more"
    )


@command.command("show")
@click.argument("name")
@command_options("suites show")
def show(name: str, as_json: bool) -> None:
    from kontrast.suites.catalogue import entry, entry_facts, folder_of

    found = entry(name)
    if as_json:
        print_json(found)
        return
    click.echo(f"{found.title}: {found.size}")
    facts = {**entry_facts(found), "fetched": str(folder_of(found)) if folder_of(found).is_dir() else "no"}
    width = max(map(len, facts))
    for label, value in facts.items():
        click.echo(f"{label:{width}}  {value}")
    click.echo(f"\n{found.citation.strip()}")


@command.command("cite")
@click.argument("names", nargs=-1, required=True, metavar="NAME…")
def cite_entries(names: tuple[str, ...]) -> None:
    from kontrast.flows.suites import cite

    click.echo(cite(*names))


@command.command("get")
@click.argument("name")
@command_options("suites get")
def get(name: str, source: str | None, documents: str | None, as_json: bool) -> None:
    from kontrast.flows.suites import fetch_suite

    done = fetch_suite(name, source=source, documents=documents)
    if as_json:
        print_json(done)
    else:
        _print(done)
    if not done.as_expected:
        fewer = (done.items or 0) < (done.expected_items or 0) or (done.rows or 0) < (done.expected_rows or 0)
        state = "incomplete" if fewer else "another version"
        _failed(
            f"{name} is {state}: expected {_counted(done.expected_items, done.expected_rows)}, "
            f"found {_counted(done.items, done.rows)}"
        )
    _reproduce(done)


def _counted(items: int | None, rows: int | None) -> str:
    counts = ((items, "items"), (rows, "rows"))
    return " and ".join(f"{count:,} {what}" for count, what in counts if count is not None)


def _failed(message: str) -> NoReturn:
    click.echo(f"kontrast: {message}", err=True)
    raise SystemExit(1)


def _print(done: Fetched) -> None:
    click.echo(f"{done.name} is in {done.folder}")
    if done.sets:
        click.echo(
            f"suites: {', '.join(done.name if len(done.sets) == 1 else f'{done.name}:{s}' for s in done.sets)}"
        )
    if done.missing:
        click.echo(f"kontrast: incomplete copy; missing: {', '.join(done.missing)}", err=True)
    if done.items is not None:
        known = " (as published)" if done.items == done.expected_items and not done.missing else ""
        click.echo(f"{done.items:,} items, {done.rows:,} rows{known}")
    click.echo(f"checksums verified: {done.checksums}" if done.checksums else "checksums: none known")
    if done.documents is not None:
        click.echo(f"{done.documents:,} documents")


def _reproduce(done: Fetched) -> None:
    """Compare with the published result where its score file came along."""
    from kontrast.suites.catalogue import entry

    published, right, total = entry(done.name).published, done.published_right, done.published_total
    if published is None or right is None:
        return
    if (right, total) != (published.right, published.total):
        _failed(
            f"{done.name}: expected the published {published.right} of {published.total} for {published.scores}, "
            f"found {right} of {total}"
        )
    click.echo(f"published result reproduced: {right:,} of {total:,}", err=True)
