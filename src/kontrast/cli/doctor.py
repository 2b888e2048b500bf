"""``kontrast doctor``: what is installed, and does it work?"""

from __future__ import annotations

import click

from kontrast.cli.output import ending_with


@click.command(
    epilog="""\b
Examples:
  kontrast doctor
  kontrast doctor --load --json
""",
)
@click.option("--load", is_flag=True, help="Also score a few rows with the bundled model.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(load: bool, as_json: bool) -> None:
    """Show what is installed, what each missing extra adds, and whether cache, store and model work.

    Exit status 1 if something is broken; missing extras are optional.
    """
    from kontrast.flows.doctor import doctor
    from kontrast.reporting.terminal import print_json, print_table

    found = doctor(load=load)
    with ending_with(0 if found.healthy else 1):
        if as_json:
            print_json(found)
        else:
            caption = f"kontrast {found.kontrast}, Python {found.python}, {found.platform}"
            print_table(("part", "state", ""), [(f.part, f.state, f.text) for f in found.findings], caption=caption)
