"""Readings: what readers said of the candidates of a sample, kept without the texts; shares, intervals, agreement.

A reading is ``benchmarks/readings/NAME.tsv``: lines ``# key: value`` (sample, language, reader, date, round, texts,
note), then a line per candidate: its id and its sentence's (hashes), type, kind of text, verdict, reason, and the
confidence that an item had, which the reader did not see. ``sample``
is a hash of the ids, so that a reading is of one sample only; a part read again names the whole in ``part_of``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kontrast.errors import InputError
from kontrast.io.files import read_lines, write_lines
from kontrast.judging.intervals import wilson
from kontrast.review.agreement import kappa

FOLDER = Path(__file__).resolve().parent / "readings"
VERDICTS = ("yes", "doubtful", "no")
KEYS = ("sample", "part_of", "language", "reader", "date", "round", "texts", "note")
COLUMNS = ("id", "sentence", "type", "kind", "verdict", "reason")
SURE = (*COLUMNS, "confidence")
"""The columns of a reading of items that say how sure they are."""


class Said(NamedTuple):
    """A verdict on one candidate."""

    id: str
    sentence: str
    type: str
    kind: str
    verdict: str
    reason: str
    confidence: str = ""


class Reading(NamedTuple):
    name: str
    about: dict[str, str]
    said: tuple[Said, ...]

    @property
    def round(self) -> int:
        return int(self.about["round"])


def digest(*parts: str) -> str:
    return hashlib.sha256("\t".join(parts).encode()).hexdigest()[:10]


def sample_digest(ids: Iterable[str]) -> str:
    """Names a sample by its candidates, in whatever order.

    >>> sample_digest(["a", "b"]) == sample_digest(["b", "a"]) != sample_digest(["a"])
    True
    """
    return digest(*sorted(ids))


def read_reading(path: Path) -> Reading:
    """The reading in a file; one whose candidates are not those of the sample that it names is refused."""
    lines = read_lines(path)
    head = [line[2:].partition(": ") for line in lines if line.startswith("# ")]
    about = {key: value for key, _, value in head}
    missing = [key for key in ("sample", "language", "reader", "round") if not about.get(key)]
    rows = [(i, line.split("\t")) for i, line in enumerate(lines, 1) if line and not line.startswith("# ")]
    columns = tuple(rows[0][1]) if rows else ()
    if missing or columns not in (COLUMNS, SURE):
        raise InputError(
            path, f"is no reading: expected '# {missing[0] if missing else 'sample'}: …' and the columns"
        )
    if not about["round"].isdigit():
        raise InputError(path, f"expected a number as round, found {about['round']!r}")
    for i, row in rows[1:]:
        if len(row) != len(columns) or row[4] not in VERDICTS:
            raise InputError(path, f"expected {len(columns)} columns and yes, doubtful or no as the verdict", line=i)
    said = tuple(Said(*row) for _, row in rows[1:])
    if sample_digest(one.id for one in said) != about["sample"]:
        raise InputError(path, f"its candidates are not those of the sample {about['sample']}")
    return Reading(path.stem, about, said)


def write_reading(path: Path, about: dict[str, str], said: Iterable[Said]) -> None:
    rows = sorted(said, key=lambda one: (one.type, one.kind, one.id))
    about = {"date": date.today().isoformat(), "round": "1", **about, "sample": sample_digest(r.id for r in rows)}
    head = [f"# {key}: {' '.join(about[key].split())}" for key in KEYS if about.get(key)]
    columns = SURE if any(row.confidence for row in rows) else COLUMNS
    cells = ("\t".join(" ".join(c.split()) for c in row[: len(columns)]) for row in rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_lines(path, [*head, "\t".join(columns), *cells])


def all_readings(folder: Path = FOLDER) -> list[Reading]:
    return [read_reading(path) for path in sorted(folder.glob("*.tsv"))]


def first_readers(readings: Sequence[Reading]) -> list[Reading]:
    """Those that read a sample first; the others read the same or a part of it again."""
    return [reading for reading in readings if not reading.about.get("part_of")]


def fresh(readings: Sequence[Reading]) -> list[Reading]:
    """Parts of samples that nobody read whole: no round of a type, hence beside its figure."""
    whole = {reading.about["sample"] for reading in first_readers(readings)}
    return [r for r in readings if r.about.get("part_of") and r.about["part_of"] not in whole]


def shares(said: Sequence[Said]) -> dict[str, Any]:
    """How many were read and accepted, with Wilson's 95% interval of the share.

    >>> shares([Said("1", "", "tense", "news", "yes", ""), Said("2", "", "tense", "news", "no", "")])["share"]
    0.5
    """
    yes = sum(one.verdict == "yes" for one in said)
    interval = wilson(yes, len(said))
    return {
        "read": len(said),
        "accepted": yes,
        "doubtful": sum(one.verdict == "doubtful" for one in said),
        "share": yes / len(said) if said else None,
        "low": interval.low,
        "high": interval.high,
    }


def table(readings: Sequence[Reading]) -> list[dict[str, Any]]:
    """A row per language, type and reading, then one per kind of text; the last round of a type is its figure."""
    rows: list[dict[str, Any]] = []
    first = first_readers(readings)
    types = sorted({(r.about["language"], one.type) for r in first for one in r.said})
    for language, name in types:
        found = [r for r in first if r.about["language"] == language and any(one.type == name for one in r.said)]
        for reading in sorted(found, key=lambda r: (r.round, r.name)):
            mine = [one for one in reading.said if one.type == name]
            last = reading.round == max(r.round for r in found)
            head = {"language": language, "type": name, "reading": reading.name, "round": reading.round, "last": last}
            rows.append({**head, "kind": "all", **shares(mine)})
            for kind in sorted({one.kind for one in mine}):
                rows.append({**head, "kind": kind, **shares([one for one in mine if one.kind == kind])})
    return rows


def agreements(readings: Sequence[Reading]) -> list[dict[str, Any]]:
    """Two readings of one sample, or of a sample and a part of it, on the candidates that both have."""
    rows = []
    for a, b in combinations(sorted(readings, key=lambda r: (bool(r.about.get("part_of")), r.name)), 2):
        whole = {r.about.get("part_of") or r.about["sample"] for r in (a, b)}
        if len(whole) == 1:
            rows.append(agreement(a, b))
    return rows


def agreement(a: Reading, b: Reading) -> dict[str, Any]:
    """Share of equal verdicts (accepted or not) and Cohen's kappa; readings of other samples are refused."""
    samples = [r.about.get("part_of") or r.about["sample"] for r in (a, b)]
    if samples[0] != samples[1]:
        raise InputError(b.name, f"is a reading of the sample {samples[1]}, but {a.name} is one of {samples[0]}")
    first, second = ({one.id: one.verdict == "yes" for one in r.said} for r in (a, b))
    both = sorted(first.keys() & second.keys())
    counts = np.zeros((2, 2))
    for key in both:
        counts[int(first[key]), int(second[key])] += 1
    value = float(kappa(counts)) if both else float("nan")
    return {
        "first": f"{a.about['reader']} ({a.name})",
        "second": f"{b.about['reader']} ({b.name})",
        "read by both": len(both),
        "agreed": round(float(np.trace(counts)) / len(both), 3) if both else None,
        "kappa": None if np.isnan(value) else round(value, 3),
        "accepted by first": sum(first[k] for k in both),
        "accepted by second": sum(second[k] for k in both),
    }
