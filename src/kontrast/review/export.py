"""Out of the review: the reviewed suite in any format, the decisions, the datasheet.

The file forms of the set of mistranslated *it*: whole texts with the changed lines, and their numbers.
"""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from kontrast.errors import KontrastError
from kontrast.io import files
from kontrast.io.json_input import write_json_lines
from kontrast.io.names import plain_name
from kontrast.record import Record
from kontrast.review.candidates import Texts
from kontrast.review.datasheet import datasheet
from kontrast.review.outcome import Undecided, decisions, reviewed
from kontrast.review.session import Review
from kontrast.suites import formats
from kontrast.suites.formats.format import Lost
from kontrast.suites.lint import lint
from kontrast.suites.model import Item, Suite

ENDINGS = {"native": ".jsonl", "aces": ".tsv", "table": ".csv", "rows": "", "distil-lingeval": ""}
"""What the name of a suite ends in; all others are JSON."""


class Exported(Record, frozen=True):
    """What was written. ``left_out`` counts candidates by why they are not in the suite."""

    files: list[str]
    items: int
    accepted: int
    left_out: dict[str, int]
    lost: list[str]


def formats_for() -> list[str]:
    """The formats that can be written."""
    return [name for name in formats.names() if formats.get(name).write is not None]


def export_review(session: Review, out: str | Path, to: str = "native", *, undecided: Undecided = "drop") -> Exported:
    """Write the reviewed suite, ``decisions.jsonl``, ``datasheet.md`` and the guidelines into the folder ``out``.

    A folder that was reviewed gives a suite for each of its files. For candidates of ``build metrics-it``, the format
    pro-errors also writes the perturbed reference in full and the index file.

    >>> import tempfile
    >>> import kontrast
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = kontrast.save(kontrast.load("demo:fr?limit=3"), folder / "mine.jsonl")
    >>> review = kontrast.open_review(folder / "mine.jsonl")
    >>> export_review(review, folder / "reviewed", undecided="keep").items
    3
    >>> review.close()
    """
    folder = Path(out)
    suites, tally = reviewed(session.store, undecided)
    suites = {part: suite for part, suite in suites.items() if suite.items}
    if not suites:
        raise KontrastError("no candidate is accepted yet: there is nothing to export")
    written: list[str] = []
    lost: list[Lost] = []
    for suite in suites.values():
        lost += _write(suite, folder, to, written)
    if to == "pro-errors":
        written += whole_files(folder, [item for suite in suites.values() for item in suite.items], session.texts)
    write_json_lines(folder / "decisions.jsonl", decisions(session.store))
    findings = [finding for suite in suites.values() for finding in lint(suite)]
    with files.writing(folder / "datasheet.md") as stream:
        stream.write(datasheet(session.store, list(suites.values()), tally, findings, session.guide))
    written += ["decisions.jsonl", "datasheet.md"]
    if session.guide:
        with files.writing(folder / "guidelines.md") as stream:
            stream.write(session.guide)
        written.append("guidelines.md")
    left = {name: tally[name] for name in ("rejected", "disputed", "open") if tally[name]}
    if undecided == "keep":
        left.pop("open", None)
    items = sum(len(suite.items) for suite in suites.values())
    return Exported(written, items, tally["accepted"], left, [str(field) for field in lost])


def _write(suite: Suite, folder: Path, to: str, written: list[str]) -> list[Lost]:
    folder.mkdir(parents=True, exist_ok=True)
    name = "pro_errors" if to == "pro-errors" else plain_name(suite.name)
    path = folder / f"{name}{ENDINGS.get(to, '.json')}"
    if to == "pro-errors":
        # Its own file has texts only.
        plain = tuple(msgspec.structs.replace(item, tags={}) for item in suite.items)
        suite = msgspec.structs.replace(suite, items=plain)
    before = set(folder.rglob("*"))
    lost = formats.save(suite, path, to)
    made = [p for p in set(folder.rglob("*")) - before if p.is_file()] or ([path] if path.is_file() else [])
    written += sorted(p.relative_to(folder).as_posix() for p in made)
    return lost


def zipped(session: Review, to: str, undecided: Undecided) -> tuple[bytes, Exported]:
    """The same as one archive, for the browser."""
    with tempfile.TemporaryDirectory() as place:
        done = export_review(session, place, to, undecided=undecided)
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(Path(place).rglob("*")):
                if path.is_file():
                    archive.write(path, path.relative_to(place).as_posix())
    return made.getvalue(), done


def whole_files(folder: Path, items: Sequence[Item], texts: Texts) -> list[str]:
    """Write sources, references, the perturbed reference in full and the index file (lines from 0) below ``folder``.

    Nothing is written where the whole texts are not known. Two accepted candidates of one line are an error: a line
    of the perturbed reference has one text.
    """
    if texts.source is None or texts.reference is None:
        return []
    lines = files.read_lines(texts.reference)
    changed: dict[int, str] = {}
    for item in items:
        line = (item.segment or 0) - 1
        text = next(v.text for i, v in enumerate(item.variants) if i != item.correct)
        if not 0 <= line < len(lines) or lines[line] != item.best.text:
            raise KontrastError(f"{item.id} is not of {texts.reference}: its line {line + 1} has another text")
        if changed.get(line, text) != text:
            raise KontrastError(
                f"two candidates of line {line + 1} are accepted with different texts: reject one, or edit one "
                f"to contain both changes"
            )
        changed[line] = text
    perturbed = [changed.get(number, text) for number, text in enumerate(lines)]
    name = texts.reference.name
    made = {
        Path("sources") / texts.source.name: files.read_lines(texts.source),
        Path("references") / name: lines,
        Path("perturbed_refs") / f"corrupted_{name}": perturbed,
        Path("error_indices") / f"idx_errors_{Path(name).stem}.txt": [str(number) for number in sorted(changed)],
    }
    if texts.second is not None:
        made[Path("references") / texts.second.name] = files.read_lines(texts.second)
    for path, whole in made.items():
        files.write_lines(folder / path, whole)
    return [path.as_posix() for path in made]
