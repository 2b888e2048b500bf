"""``kontrast review``: the review app in the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from kontrast.review.session import Review

EPILOG = """\b
Example:
  kontrast review suite.jsonl --guidelines guidelines.md
  kontrast review suite.jsonl --scores a.scores --scores b.scores --translations a.hyp
  kontrast review --new my-suite.jsonl --pair en-pt
  kontrast review suite.jsonl --export reviewed/ --to contrapro
  kontrast review candidates/ --source-text news.en --reference news.refA.de --second news.refB.de
"""


@click.command(epilog=EPILOG)
@click.argument("file")
@click.option("--new", is_flag=True, help="FILE is a new suite (.jsonl), to be written in the app; with --pair.")
@click.option("--store", metavar="FILE", help="Where the review is kept (default: FILE.review.sqlite).")
@click.option("--from", "format", metavar="FORMAT", help="Format of FILE, if it is not recognised.")
@click.option("--pair", metavar="SRC-TRG", help="Languages that FILE does not say, such as en-pt.")
@click.option(
    "--guidelines", metavar="FILE", help="Markdown to show beside; a list under 'Reasons' names the reasons."
)
@click.option("--source-text", "source", metavar="FILE", help="For candidates: the source, a sentence per line.")
@click.option("--source", "named_source", hidden=True)
@click.option("--reference", metavar="FILE", help="For candidates: the reference, a sentence per line.")
@click.option("--second", metavar="FILE", help="For candidates: another human reference.")
@click.option("--scores", multiple=True, metavar="FILE", help="Explore: a system's scores of the suite (repeat).")
@click.option("--translations", multiple=True, metavar="FILE", help="Explore: a system's translations (repeat).")
@click.option(
    "--order", default="random", show_default=True, help="random, unsure (least sure first), file or sample."
)
@click.option("--seed", default=1, show_default=True, help="Seed of the random order and of the sample.")
@click.option("--sample", "per", default=100, show_default=True, help="How many of each phenomenon the sample takes.")
@click.option(
    "--export", "out", metavar="DIR", help="Start no server: write the reviewed suite, decisions, datasheet."
)
@click.option(
    "--to",
    "to_format",
    default="native",
    show_default=True,
    metavar="FORMAT",
    help="With --export: the format of the suite.",
)
@click.option("--keep-undecided", is_flag=True, help="With --export: keep candidates that nobody decided.")
@click.option("--json", "as_json", is_flag=True, help="With --export: print what was written as JSON.")
@click.option("--annotator", "names", multiple=True, metavar="NAME", help="A link for this annotator only (repeat).")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; others need a password.")
@click.option("--port", type=int, help="Port to listen on (default: 8347, or any if that is taken).")
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME", help="A further name of this machine.")
@click.option("--password-file", metavar="FILE", help="Its first line is the password (or KONTRAST_REVIEW_PASSWORD).")
@click.option("--no-browser", is_flag=True, help="Print the link, open no browser.")
def command(
    file: str,
    out: str | None,
    to_format: str,
    keep_undecided: bool,
    as_json: bool,
    names: tuple[str, ...],
    host: str,
    port: int | None,
    hosts: tuple[str, ...],
    password_file: str | None,
    no_browser: bool,
    source: str | None,
    named_source: str | None,
    **review: Any,
) -> None:
    """Review FILE in the browser: a suite, the candidates of perturb or build, or a folder of them.

    Every decision is kept in FILE.review.sqlite before the page says so; start again to go on.
    """
    import os

    from kontrast.flows.review import open_review
    from kontrast.io.files import read_lines

    password = os.environ.get("KONTRAST_REVIEW_PASSWORD")
    if password_file:
        password = next(iter(read_lines(password_file)), "")
    session = open_review(file, source=source or named_source, **review)
    if session.changes and session.changes.reopened:
        click.echo(f"kontrast: {file} has changed since: {session.changes}", err=True)
    if out is None and (lacking := int(session.store.get("without_context") or 0)):
        click.echo(
            f"kontrast: warning: {file}: {lacking:,} candidates depend on sentences before, which the file does "
            "not hold; a suite built with --out FILE.jsonl keeps them",
            err=True,
        )
    try:
        if out is not None:
            _export(session, out, to_format, keep_undecided, as_json)
            return
        from kontrast.review.serve import serve_review

        serve_review(
            session, host=host, port=port, password=password, names=names, hosts=hosts, browser=not no_browser
        )
    finally:
        session.close()


def _export(session: Review, out: str, to_format: str, keep_undecided: bool, as_json: bool) -> None:
    from kontrast.reporting.terminal import print_json
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
        click.echo(f"kontrast: {to_format} cannot hold: {', '.join(done.lost)}", err=True)
