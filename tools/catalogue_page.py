"""Write docs/catalogue.md from the entries of the catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kontrast.suites.catalogue import Entry, entries, entry_facts
from kontrast.suites.testset import testsets

PAGE = Path(__file__).resolve().parents[1] / "docs/catalogue.md"

_HEAD = """\
# Catalogue

Made from the TOML file of every test set and the `catalogue.toml` of `kontrast.suites` by
`python tools/catalogue_page.py`; do not edit.

`kontrast suites get NAME` fetches an entry into the cache (`KONTRAST_CACHE`, else `~/.cache/kontrast`), resumes a
download that broke off, checks what can be checked and says so; `--from DIR|FILE` takes a copy on disk instead.
A fetched suite's name then stands for its file in every command: `kontrast describe discevalmt:anaphora`.

Checksums are given where the published file had one version and a verbatim copy could be hashed. Where there is none,
the counts below, and a published result where there is one, are what `get` compares with.
"""


def catalogue_page() -> str:
    """What the page should say."""
    lines = [_HEAD, "## What kontrast reads", "", *_readers(), "", "## All entries", ""]
    lines += ["| name | kind | languages | size | licence | format |", "|---|---|---|---|---|---|"]
    for each in entries():
        cells = (each.kind, ", ".join(each.languages), each.size, each.licence, each.format or "–")
        lines.append(f"| [{each.name}](#{each.name}) | {' | '.join(cells)} |")
    for each in entries():
        lines += ["", *_section(each)]
    return "\n".join(lines) + "\n"


def _readers() -> Iterator[str]:
    """The sets that are read, and what else of each is here."""
    yield "| set | languages | items | its own evaluation | read by |"
    yield "|---|---|---|---|---|"
    for each in entries():
        home = testsets().get(each.format or "")
        if each.kind != "suite" or home is None:
            continue
        own = ["`evaluate --style original`"] if home.own_original() is not None else []
        own += ["`check --style original`"] if home.check else []
        by = f"a declaration of {_declared_lines(home.home)} lines" if isinstance(home.home, Path) else "code"
        parts = each.set_items.values()
        items = (
            f"{each.items:,}"
            if each.items
            else f"{sum(parts):,} in {len(parts)} part{'s' * (len(parts) > 1)}"
            if parts
            else ""
        )
        cells = (", ".join(each.languages), items, ", ".join(own), by)
        yield f"| [{each.title}](#{each.name}) | {' | '.join(cells)} |"


def _declared_lines(path: Path) -> int:
    """How many lines of TOML its format takes."""
    table = path.read_text("utf-8").partition("[format]\n")[2].partition("\n[[entry]]")[0]
    return sum(bool(line.strip()) for line in table.splitlines())


def _section(each: Entry) -> Iterator[str]:
    yield f"## {each.name}"
    yield ""
    yield f"{each.title}: {each.size}."
    if each.note:
        yield each.note
    yield ""
    yield from (f"- {name}: {value}" for name, value in entry_facts(each).items())
    yield ""
    yield "```bibtex"
    yield each.citation.strip()
    yield "```"


if __name__ == "__main__":
    PAGE.write_text(catalogue_page(), encoding="utf-8")
