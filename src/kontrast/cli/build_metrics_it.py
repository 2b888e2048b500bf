"""``kontrast build metrics-it``: candidates for mistranslated *it*."""

from __future__ import annotations

import click

from kontrast.cli.build_options import corpus_arguments
from kontrast.cli.output import echo


@click.command(
    epilog="""\b
Example:
  kontrast build metrics-it news.en news.refA.de --second news.refB.de --out candidates/
"""
)
@corpus_arguments("REFERENCE")
@click.option("--second", metavar="REF2", help="Another human translation, for the metric to compare with.")
@click.option("--alignment", metavar="DIR", help="A model by `build alignment`. Default: trained on these files.")
@click.option("--out", required=True, metavar="DIR", help="candidates.jsonl and a draft pro_errors.json go there.")
@click.option("--json", "as_json", is_flag=True, help="Print the candidates as JSON.")
def command(source: str, target: str, second: str | None, alignment: str | None, out: str, as_json: bool) -> None:
    """Lines of SOURCE (English) where it is aligned to er, sie or es of REFERENCE, with the antecedent proposed.

    Prints for each candidate the line (from 1), the pair of word numbers and the pronoun, then the proposed
    antecedent and how many lines before it stands.
    """
    from kontrast.building.metrics_it import build_metrics_it, save_metrics_it
    from kontrast.reporting.terminal import print_json

    built = build_metrics_it(source, target, second=second, alignment=alignment)
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
