"""``kontrast build alignment``: a word alignment trained once and kept."""

from __future__ import annotations

import click


@click.command(
    epilog="""\b
Example:
  kontrast build alignment train.en train.de --out alignment.en-de
  kontrast build pronouns few/ --pair en-de --alignment alignment.en-de --out suite.json
"""
)
@click.argument("source")
@click.argument("target")
@click.option("--out", required=True, metavar="DIR", help="The folder of the model.")
@click.option("--json", "as_json", is_flag=True, help="Print the model's card as JSON.")
def command(source: str, target: str, out: str, as_json: bool) -> None:
    """Train a word alignment (fast_align) on the line-aligned files SOURCE and TARGET; the more text the better."""
    from kontrast.flows.building import build_alignment
    from kontrast.language.aligners.fast_align import FEW
    from kontrast.reporting.terminal import print_json

    card = build_alignment(source, target, out)
    if card.pairs < FEW:
        click.echo(f"kontrast: {card.pairs} pairs are few; below {FEW:,} many words stay unaligned", err=True)
    if as_json:
        print_json(card)
    else:
        click.echo(f"{out}: trained on {card.pairs:,} sentence pairs", err=True)
