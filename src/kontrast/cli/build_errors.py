"""``kontrast build errors``: LingEval97's errors in any parallel text."""

from typing import Any

import click

from kontrast.cli.build import on_text, split_on
from kontrast.cli.declared_options import command_options
from kontrast.reporting.terminal import print_json, print_table


@click.command()
@click.argument("source")
@click.argument("reference", required=False)
@command_options("build errors", on_text("a line per source line"))
def command(
    source: str, reference: str | None, out: str, pair: str, on: tuple[str, ...], as_json: bool, **options: Any
) -> None:
    """Build a suite of references and contrastive variants from SOURCE and REFERENCE, one sentence per line.

    SOURCE without REFERENCE is an OPUS archive (.txt.zip) or a folder of documents. Interrupted runs
    resume when you repeat the command.
    """
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
