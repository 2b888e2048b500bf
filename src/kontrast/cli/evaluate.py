"""``kontrast evaluate``: accuracy from scores, in the toolkit's statistics or as the suite's own script prints it."""

from __future__ import annotations

import json
from typing import Any

import click

from kontrast.errors import KontrastError


class _Evaluate(click.Command):
    """Takes ``--categories a b`` as the original does, beside the contract's ``--categories a,b``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        from kontrast.reporting.originals.lingeval97 import CATEGORIES

        joined: list[str] = []
        for arg in args:
            if len(joined) > 1 and joined[-2] == "--categories" and arg in CATEGORIES:
                joined[-1] += f",{arg}"
            else:
                joined.append(arg)
        return super().parse_args(ctx, joined)


@click.command(
    cls=_Evaluate,
    epilog="""\b
Examples:
  kontrast evaluate lingeval97.json system.scores --style original
  kontrast evaluate lingeval97.json - --style original --categories compound,auxiliary < system.scores
""",
)
@click.argument("suite")
@click.argument("scores", nargs=-1, required=True)
@click.option(
    "--maximize", is_flag=True, help="Higher is better (log-probability). Default: lower, or the signature."
)
@click.option("--style", type=click.Choice(["original"]), help="Print what the suite's own script prints.")
@click.option("--categories", multiple=True, metavar="A,B", help="Original LingEval97: only these categories.")
@click.option("--fd", is_flag=True, help="Original LingEval97: also by frequency and distance.")
@click.option("--latex", is_flag=True, help="Original LingEval97: also the paper's table.")
@click.option("--latex-polarity", is_flag=True, help="Original LingEval97: also the polarity table.")
@click.option("-v", "verbose", is_flag=True, help="Originals: print the examples too.")
@click.option("--outputs", metavar="JSON", help='Original LingEval97, with -v: {"newstest2014": "FILE", …}.')
@click.option("--from", "format", metavar="FORMAT", help="The suite's format, if it is not recognised.")
def command(suite: str, scores: tuple[str, ...], style: str | None, format: str | None, **options: Any) -> None:
    """Accuracy from SCORES (one number per row of SUITE; - is standard input)."""
    if style == "original":
        _original(suite, scores, format, options)
        return
    raise KontrastError("only --style original is there yet")


def _original(suite_path: str, paths: tuple[str, ...], format: str | None, options: dict[str, Any]) -> None:
    from kontrast.reporting.originals import Options, original_texts

    chosen = Options(
        maximize=options["maximize"],
        categories=tuple(name for group in options["categories"] for name in group.split(",") if name),
        fd=options["fd"],
        latex=options["latex"],
        latex_polarity=options["latex_polarity"],
        v=options["verbose"],
        outputs=_outputs(options["outputs"]),
    )
    for path, text in zip(paths, original_texts(suite_path, paths, chosen, format), strict=True):
        if len(paths) > 1:
            click.echo(f"== {path}")
        click.echo(text, nl=False)


def _outputs(text: str | None) -> dict[str, str]:
    if text is None:
        return {}
    try:
        outputs = json.loads(text)
    except ValueError as error:
        raise KontrastError(f'--outputs: expected JSON such as {{"newstest2014": "FILE"}} ({error})') from None
    if not isinstance(outputs, dict) or not all(isinstance(path, str) for path in outputs.values()):
        raise KontrastError('--outputs: expected an object of test sets and files, {"newstest2014": "FILE"}')
    return outputs
