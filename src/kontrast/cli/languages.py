"""``kontrast languages``: what can be built for which language on this machine."""

from __future__ import annotations

import click

EPILOG = """\b
Examples:
  kontrast languages
  kontrast languages --pair en-es
"""


@click.command(epilog=EPILOG)
@click.option("--pair", help="Languages, such as en-es: the target alone is shown, in full.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def command(pair: str | None, as_json: bool) -> None:
    """Suites that can be built for each target language with what is installed, and what each further package adds.

    Agreement suites (build agreement) need two parallel treebanks of any language; a lexicon gives more errors.
    """
    from kontrast.building.languages import languages
    from kontrast.reporting.terminal import print_json, print_table

    rows = languages(pair)
    if as_json:
        print_json([row.to_dict() for row in rows])
        return
    table = [
        (
            row.language,
            ", ".join(row.errors) if pair else str(len(row.errors)),
            ", ".join(row.lexicons) or "treebanks only",
            ", ".join(row.annotators) or "plain words",
            "; ".join(row.install),
        )
        for row in rows
    ]
    print_table(("language", "errors", "lexicons", "annotators", "one more install"), table)
