"""``kontrast build``: suites from parallel corpora, one recipe a command, each loaded only when it is called."""

from __future__ import annotations

import importlib

import click

RECIPES = {
    "errors": "LingEval97's errors made anew in any parallel text.",
    "marked": "Real errors that people marked in translations (MQM, ESA, a table of one's own).",
    "agreement": "Agreement errors from parallel treebanks, for any language.",
    "pronouns": "Pronoun suites from documents, as ContraPro and the large EN-FR set.",
    "metrics-it": "Candidates for mistranslated it, for the test of metrics.",
    "alignment": "Train a word alignment once, for the other recipes.",
}


class _Recipes(click.Group):
    """Finds ``kontrast.cli.build_NAME`` and takes its ``command``."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(RECIPES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in RECIPES:
            return None
        command: click.Command = importlib.import_module(f"kontrast.cli.build_{cmd_name.replace('-', '_')}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Recipes"):
            formatter.write_dl(list(RECIPES.items()))


@click.group(
    cls=_Recipes,
    epilog="""\b
Example:
  kontrast build pronouns --pair en-de --documents documents/ --out pronouns.json
""",
)
def command() -> None:
    """A suite from a parallel corpus."""
