"""Writes the tables of docs/errors-read.md and pronouns-read.md from the readings; the text around them is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import reading_files as store
from reading_files import Reading, Said

DOCS = Path(__file__).resolve().parents[1] / "docs"
ERRORS, PRONOUNS = DOCS / "errors-read.md", DOCS / "pronouns-read.md"
START, END = "<!-- readings: written by benchmarks/read.py page -->", "<!-- readings: end -->"
LANGUAGES = {
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "it": "Italian",
    "en-de": "English–German",
    "en-fr": "English–French",
}
SHOWN = 4  # reasons per type


def write_page(readings: Sequence[Reading], page: Path = ERRORS) -> None:
    """Errors, or pronoun items for a page of that name."""
    text = page.read_text("utf-8")
    before, _, rest = text.partition(START)
    made = "\n".join((pronoun_lines if page.name == PRONOUNS.name else lines)(readings))
    page.write_text(f"{before}{START}\n\n{made}\n{END}{rest.partition(END)[2]}", "utf-8")


def lines(readings: Sequence[Reading]) -> Iterator[str]:
    rows = store.table(readings)
    for language in sorted({row["language"] for row in rows}):
        mine = [row for row in rows if row["language"] == language]
        yield from _shares(LANGUAGES.get(language, language), mine)
        yield from _reasons(language, store.first_readers(readings))
    yield from _fresh(store.fresh(readings))
    yield from _agreement(readings)
    yield from _files(readings)


_LEVELS = (0.7, 0.75, 0.8, 0.85, 0.9)
"""Confidences from which on items are counted apart."""


def pronoun_lines(readings: Sequence[Reading]) -> Iterator[str]:
    """What readers who wrote no rule said of pronoun items, by language and text, the last reading first."""
    for language in ("de", "fr", "es", "it"):
        yield from (f"## {LANGUAGES[language]}", "")
        yield _row("reading", "text", "read", "right", "doubtful", "share (95% interval)")
        yield _row(*["---"] * 6)
        mine = [r for r in readings if r.about["language"] == language and "blind" in r.name]
        for reading in sorted(mine, key=lambda r: (-r.round, r.name)):
            kinds = sorted({one.kind for one in reading.said})
            parts = {"all": reading.said} | {kind: [o for o in reading.said if o.kind == kind] for kind in kinds}
            for level in _LEVELS if any(one.confidence for one in reading.said) else ():
                parts[f"from {level}"] = [one for one in reading.said if float(one.confidence) >= level]
            for part, said in parts.items():
                row = store.shares(said)
                share = f"{row['share']:.0%} ({row['low']:.0%}–{row['high']:.0%})" if said else ""
                yield _row(reading.name, part, row["read"], row["accepted"], row["doubtful"], share)
        yield ""
    yield from _agreement([r for r in readings if "blind" in r.name])
    yield from _files(readings)


def _shares(language: str, rows: list[dict[str, object]]) -> Iterator[str]:
    """A row per type of its last reading, each kind of text in a column, and the readings before it."""
    kinds = sorted({str(row["kind"]) for row in rows if row["last"]} - {"all"})
    yield from (f"## {language}", "")
    yield _row("error", "reading", "read", "accepted", "doubtful", "share (95% interval)", *kinds, "readings before")
    yield _row(*["---"] * (7 + len(kinds)))
    for name in dict.fromkeys(str(row["type"]) for row in rows):
        mine = [row for row in rows if row["type"] == name]
        for whole in (row for row in mine if row["last"] and row["kind"] == "all"):
            cells = {row["kind"]: row for row in mine if row["reading"] == whole["reading"]}
            earlier = [row for row in mine if row["kind"] == "all" and not row["last"]]
            yield _row(
                f"`{name}`",
                whole["reading"],
                whole["read"],
                whole["accepted"],
                whole["doubtful"],
                f"{whole['share']:.0%} ({whole['low']:.0%}–{whole['high']:.0%})",
                *(f"{cells[k]['accepted']}/{cells[k]['read']}" if k in cells else "" for k in kinds),
                ", ".join(f"{row['share']:.0%} of {row['read']} ({row['reading']})" for row in earlier),
            )
    yield ""


def _reasons(language: str, readings: Sequence[Reading]) -> Iterator[str]:
    """What was not accepted in the last reading of each type."""
    last: dict[str, tuple[int, list[Said]]] = {}
    for reading in (r for r in readings if r.about["language"] == language):
        for name in {one.type for one in reading.said}:
            if reading.round >= last.get(name, (-1, []))[0]:
                last[name] = reading.round, [o for o in reading.said if o.type == name and o.verdict != "yes"]
    yield from (_row("error", "not accepted"), _row("---", "---"))
    for name, (_, refused) in sorted(last.items()):
        counts = Counter(one.reason for one in refused if one.reason)
        said = [f"{reason} ({n})" if n > 1 else reason for reason, n in counts.most_common(SHOWN)]
        if said:
            yield _row(f"`{name}`", "; ".join(said))
    yield ""


def _fresh(readings: Sequence[Reading]) -> Iterator[str]:
    """Samples that only a reader who wrote none of the rules has read: shares over all types and of each."""
    if not readings:
        return
    yield from ("## Read blind", "")
    yield _row("reading", "error", "read", "accepted", "doubtful", "share (95% interval)", "not accepted")
    yield _row(*["---"] * 7)
    for reading in readings:
        for name in ("", *sorted({one.type for one in reading.said})):
            mine = [one for one in reading.said if name in ("", one.type)]
            row = store.shares(mine)
            counts = Counter(one.reason for one in mine if name and one.verdict != "yes" and one.reason)
            yield _row(
                reading.name,
                f"`{name}`" if name else "all",
                row["read"],
                row["accepted"],
                row["doubtful"],
                f"{row['share']:.0%} ({row['low']:.0%}–{row['high']:.0%})",
                "; ".join(f"{reason} ({n})" if n > 1 else reason for reason, n in counts.most_common()),
            )
    yield ""


def _agreement(readings: Sequence[Reading]) -> Iterator[str]:
    rows = store.agreements(readings)
    if rows:
        yield from ("## Read twice", "", _row(*rows[0]), _row(*["---"] * len(rows[0])))
        yield from (_row(*("–" if cell is None else cell for cell in row.values())) for row in rows)
        yield ""


def _files(readings: Sequence[Reading]) -> Iterator[str]:
    yield from ("## The readings", "")
    for reading in readings:
        about = reading.about
        what = f"{about['language']}, {len(reading.said)} candidates, {about.get('date', 'no date')}"
        more = _sentence(about.get("texts", "")) + _sentence(about.get("note", ""))
        yield f"- **{reading.name}** ({what}), read by {about['reader']}. {more}".rstrip()
    yield ""


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}. " if text else ""


def _row(*cells: object) -> str:
    return f"| {' | '.join(str(cell).replace('|', '/') for cell in cells)} |"
