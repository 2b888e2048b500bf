"""Out of the review: the reviewed suite in any format, the decisions, the datasheet.

The file forms of the set of mistranslated *it*: whole texts with the changed lines, and their numbers. The datasheet
of a reviewed suite: who decided what, when, how well they agreed, by which guidelines.
"""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

import msgspec

from kontrast import __version__
from kontrast.errors import KontrastError
from kontrast.io import files
from kontrast.io.json_input import write_json_lines
from kontrast.io.names import plain_name
from kontrast.record import Record
from kontrast.review.entries import Texts
from kontrast.review.index import FINAL
from kontrast.review.outcome import Agreement, Measure, Undecided, agreed, decisions, reviewed
from kontrast.review.session import Review
from kontrast.review.store import ReviewDecision, ReviewStore
from kontrast.suites import formats
from kontrast.suites.formats.format import Lost
from kontrast.suites.lint import Finding, lint
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


def datasheet(
    store: ReviewStore, suites: Sequence[Suite], tally: Counter[str], findings: Sequence[Finding], guide: str
) -> str:
    """The datasheet as Markdown."""
    return "\n".join(_lines(store, suites, tally, findings, guide)) + "\n"


def _lines(
    store: ReviewStore, suites: Sequence[Suite], tally: Counter[str], findings: Sequence[Finding], guide: str
) -> Iterator[str]:
    standing = list(store.standing())
    names = store.names()
    yield from (f"# {store.get('name')}: datasheet of the review", "")
    for suite in suites:
        languages = "→".join(code or "?" for code in (suite.source_language, suite.target_language))
        size = f"{len(suite.items):,} items, {suite.row_count:,} variants"
        yield f"- {suite.name}: {size}, {languages}, hash {suite.fingerprint[:8]}"
    yield f"- read from a file with SHA-256 {(store.get('fingerprint') or 'unknown')[:16]}…; kontrast {__version__}"
    yield from ("", "## Decisions", "", "| outcome | candidates |", "|---|---|")
    for status, words in (
        ("accepted", "accepted"),
        ("rejected", "rejected"),
        ("disputed", "annotators differ, not adjudicated (left out)"),
        ("open", "not decided"),
    ):
        yield f"| {words} | {tally[status]:,} |"
    yield from (
        "",
        "## Annotators",
        "",
        "| annotator | decisions | accepted | changed | rejected | first | last | median seconds |",
    )
    yield "|---|---|---|---|---|---|---|---|"
    for number in sorted({made.made_by for made in standing}):
        own = [made for made in standing if made.made_by == number and made.annotator != FINAL]
        final = [made for made in standing if made.made_by == number and made.annotator == FINAL]
        for label, made in ((names[number], own), (f"{names[number]} (adjudication)", final)):
            if made:
                yield _reader(label, made)
    yield from _agreement(agreed(store))
    reasons = Counter(made.reason for made in standing if made.status == "rejected")
    if reasons:
        yield from ("", "## Reasons for rejecting", "", "| reason | decisions |", "|---|---|")
        yield from (f"| {_cell(reason) or 'none given'} | {n:,} |" for reason, n in reasons.most_common())
    yield from ("", "## Lint of the exported suite", "")
    yield from [f"- {f.level}: {f.message} (`{f.id}`)" for f in findings] or ["Nothing was found."]
    yield from ("", "## Guidelines", "")
    yield from [f"> {line}".rstrip() for line in guide.splitlines()] or ["None were given."]


def _reader(label: str, made: Sequence[ReviewDecision]) -> str:
    tally = Counter(decision.status for decision in made)
    times = sorted(decision.at for decision in made)
    seconds = [decision.seconds for decision in made if decision.seconds is not None]
    pace = f"{median(seconds):.1f}" if seconds else "–"
    counts = f"{len(made):,} | {tally['accepted']:,} | {tally['changed']:,} | {tally['rejected']:,}"
    return f"| {_cell(label)} | {counts} | {times[0][:10]} | {times[-1][:10]} | {pace} |"


def _agreement(found: Agreement) -> Iterator[str]:
    yield from ("", "## Agreement", "")
    if not found.entries:
        yield "No candidate was decided by two annotators."
        return
    yield (
        f"Accept or reject, {found.entries:,} candidates that two or more of {found.readers} annotators decided: "
        f"Krippendorff's α {_measure(found.alpha)}."
    )
    yield from ("", "| readers | candidates | agreed | Cohen's κ |", "|---|---|---|---|")
    for pair in found.pairs:
        kappa = _measure(pair.kappa)
        yield f"| {_cell(pair.a)}, {_cell(pair.b)} | {pair.entries:,} | {100 * pair.agreed:.1f}% | {kappa} |"
    yield from ("", "Intervals: 95%, bootstrap over candidates.")


def _measure(found: Measure) -> str:
    if found.value is None:
        return "not defined (one category was used)"
    return f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}]"


def _cell(text: str) -> str:
    """Text that cannot break the table, nor be markup."""
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")
