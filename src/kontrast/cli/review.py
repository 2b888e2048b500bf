"""``kontrast review``: the review app in the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from kontrast.cli.declared_options import command_options, declared_options
from kontrast.io.files import read_lines
from kontrast.reporting.terminal import print_json
from kontrast.review.options import ReviewOptions

if TYPE_CHECKING:
    from kontrast.review.session import Review


@click.command()
@click.argument("file")
@command_options("review", declared_options(ReviewOptions))
def command(file: str, out: str | None, **given: Any) -> None:
    import os

    from kontrast.review.session import open_review

    password = os.environ.get("KONTRAST_REVIEW_PASSWORD")
    if given["password_file"]:
        password = next(iter(read_lines(given["password_file"])), "")
    session = open_review(file, new=given["new"], **{name: given[name] for name in ReviewOptions.__struct_fields__})
    if session.changes and session.changes.reopened:
        click.echo(f"kontrast: {file} has changed since the last review: {session.changes}", err=True)
    if out is None and (lacking := int(session.store.get("without_context") or 0)):
        click.echo(
            f"kontrast: warning: {file}: {lacking:,} candidates depend on previous sentences that are not in the "
            f"file: give the folder of documents with --documents, or build the suite with --out FILE.jsonl",
            err=True,
        )
    try:
        if out is not None:
            _export(session, out, given["to_format"], given["keep_undecided"], given["as_json"])
            return
        from kontrast.review.serve import serve_review

        how = {name: given[name] for name in ("host", "port", "names", "hosts")}
        serve_review(session, password=password, browser=not given["no_browser"], **how)
    finally:
        session.close()


def _export(session: Review, out: str, to_format: str, keep_undecided: bool, as_json: bool) -> None:
    from kontrast.review.export import export_review

    done = export_review(session, out, to_format, undecided="keep" if keep_undecided else "drop")
    if as_json:
        print_json(done)
        return
    for name in done.files:
        click.echo(name)
    left = ", ".join(f"{n:,} {status}" for status, n in done.left_out.items()) or "none"
    click.echo(f"{done.items:,} items, {done.accepted:,} candidates accepted; left out: {left}", err=True)
    if done.lost:
        click.echo(f"kontrast: {to_format} cannot store: {', '.join(done.lost)}", err=True)
