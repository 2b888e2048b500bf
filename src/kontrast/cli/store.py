"""``kontrast store``: what is kept of earlier runs."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from kontrast.errors import KontrastError

if TYPE_CHECKING:
    from kontrast.scoring.store import Store


@click.group(
    epilog="""\b
Examples:
  kontrast store info
  kontrast store export --model Helsinki-NLP/opus-mt-en-de --out rows.jsonl
  kontrast store prune --unused 90
"""
)
def command() -> None:
    """The store of scores: one SQLite file (KONTRAST_STORE, --store, or the user's cache folder)."""


_PATH = click.option("--store", "path", metavar="FILE", help="Another store than the default.")


@command.command(epilog="\b\nExample:\n  kontrast store info --json")
@_PATH
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def info(path: str | None, as_json: bool) -> None:
    """How many rows of which models, and when they were last used."""
    from kontrast.reporting.terminal import print_json, print_table
    from kontrast.scoring.store import open_existing

    store = open_existing(path)
    used = store.info()
    size = store.path.stat().st_size
    if as_json:
        print_json({"path": str(store.path), "bytes": size, "models": used})
        return
    print_table(
        ["model", "engine", "fingerprint", "rows", "last used"],
        [
            [m.name, m.engine, m.fingerprint[:8], m.rows, time.strftime("%Y-%m-%d %H:%M", time.localtime(m.used))]
            for m in used
        ],
        caption=f"{store.path}, {size / 1e6:.1f} MB",
    )


@command.command(epilog="\b\nExample:\n  kontrast store export --model Helsinki-NLP/opus-mt-en-de --out rows.jsonl")
@_PATH
@click.option("--model", metavar="NAME", help="Only this model (name or beginning of its fingerprint).")
@click.option("--out", default="-", metavar="FILE", help="Default: standard output.")
def export(path: str | None, model: str | None, out: str) -> None:
    """Every stored row as JSON lines: source, prefix, target, tokens, log-probabilities."""
    import msgspec

    from kontrast.io.files import writing

    encode = msgspec.json.Encoder().encode
    store = _holding(path, model)
    with writing(out) as stream:
        for row in store.export(model):
            stream.write(encode(row).decode() + "\n")


@command.command(epilog="\b\nExample:\n  kontrast store prune --unused 90")
@_PATH
@click.option("--model", metavar="NAME", help="Forget this model (name or beginning of its fingerprint).")
@click.option("--unused", "days", type=float, metavar="DAYS", help="Forget what was not used for so long.")
def prune(path: str | None, model: str | None, days: float | None) -> None:
    """Forget rows and give the space back."""
    gone = _holding(path, model).prune(model=model, unused_days=days)
    click.echo(f"{gone.rows} rows forgotten")
    for name in gone.in_use:
        click.echo(f"kontrast: {name} is kept: a run is using it", err=True)


def _holding(path: str | None, model: str | None) -> Store:
    """The store, which must know the model if one is named."""
    from kontrast.scoring.store import open_existing

    store = open_existing(path)
    known = store.info()
    if model is not None and not any(m.name == model or m.fingerprint.startswith(model) for m in known):
        names = ", ".join(dict.fromkeys(m.name for m in known)) or "none"
        raise KontrastError(f"{store.path}: there is no model {model!r} in it; there are {names}")
    return store
