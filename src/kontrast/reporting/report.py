"""Report: everything about some systems on one suite, as one HTML page, or as tables and figures for a paper.

Results of other commands as sections of a report: what ``kontrast cues --json`` and its like printed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from kontrast.analysis.artefacts import Artefacts
from kontrast.analysis.context_records import ContextUse
from kontrast.analysis.cues import Cues
from kontrast.analysis.items import Items
from kontrast.analysis.memory import Memory
from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.io.json_input import FAILURES, read_json
from kontrast.io.names import file_name
from kontrast.judging.check_records import Checks
from kontrast.judging.records import Comparison, Evaluation, Evaluations, Gate
from kontrast.judging.verdict_text import gates_text, listed
from kontrast.record import Record
from kontrast.reporting import figures
from kontrast.reporting.analysis import (
    artefact_sections,
    cue_sections,
    item_sections,
    memory_sections,
    natural_sections,
    sampled_sections,
)
from kontrast.reporting.context import context_sections
from kontrast.reporting.judged import judge_systems
from kontrast.reporting.paper import main_table, method_text, short_names
from kontrast.reporting.render import check_ending, rendered
from kontrast.reporting.section import Section, plain_rows
from kontrast.reporting.sections import all_sections
from kontrast.suites.model import Scores, Suite

__all__ = ["Report", "check_ending", "report", "save_figures", "save_report"]

FIGURES = ("svg", "png", "pdf")


class Report(Record, frozen=True):
    """A list of sections about some systems on a suite, with the records that they show."""

    suite: str
    systems: tuple[str, ...]
    languages: str
    evaluations: Evaluations
    comparison: Comparison | None
    sections: tuple[Section, ...]
    gates: tuple[Gate, ...] = ()
    tables: tuple[str, ...] = ()

    @property
    def verdict(self) -> tuple[str, ...]:
        """The result in sentences: how good, or which is better; then what the gate says."""
        found = self.comparison.verdict if self.comparison else self.evaluations.systems[0].verdict
        return (found, *gates_text(self.gates))

    def section(self, name: str) -> Section:
        """The section of this name."""
        return next(section for section in self.sections if section.name == name)

    @property
    def method(self) -> str:
        """How the numbers were made, in sentences for a paper."""
        return method_text(self.evaluations.systems, self.comparison)

    def chosen_tables(self) -> tuple[Section, ...]:
        """The sections that ``tables`` names, or none; ``all`` is every table that is meant to be read."""
        known = {s.name: s for s in (main_table(self), *self.sections) if s.table is not None and not s.data}
        if self.tables == ("all",):
            return tuple(known.values())
        if unknown := [name for name in self.tables if name not in known]:
            raise KontrastError(f"--tables {unknown[0]}: there is no such table; choose from {', '.join(known)}")
        return tuple(known[name] for name in self.tables)

    def to_dict(self) -> dict[str, Any]:
        from kontrast.reporting.render.json_file import as_dict

        return as_dict(self)

    def _said(self) -> str:
        return " ".join(self.verdict)

    def _brief(self) -> list[dict[str, Any]]:
        return self.evaluations._brief()

    def _rows(self) -> list[dict[str, Any]]:
        table = self.sections[0].table
        return [dict(row) for row in plain_rows(table)] if table else []


def report(suite: Suite, systems: Sequence[Scores], **judging: Any) -> Report:
    """Judge the systems once and gather every section.

    ``judging`` is what `judge_systems` takes: ``by`` names tags as `evaluate` takes them; without it the suite's
    distance, frequency and pronouns are taken where it has them. ``most`` limits the wrong items that are kept.
    """
    judged = judge_systems(suite, systems, **judging)
    return Report(
        suite.name,
        tuple(scores.system for scores in judged.systems),
        "→".join(code for code in (suite.source_language, suite.target_language) if code),
        judged.evaluations,
        judged.comparison,
        all_sections(judged),
    )


def save_report(made: Report, path: str | Path) -> list[Path]:
    """Write the report in the format of the file ending and return the files.

    ``.html`` is a page, ``.tex`` the one table for a paper (or those of ``tables``), ``.md`` has all tables,
    ``.json`` everything; ``.csv`` has the first table, and one file for each other table.

    >>> import tempfile
    >>> import kontrast
    >>> suite = kontrast.load("demo:fr?limit=10")
    >>> made = kontrast.report(suite, kontrast.Scores("made up", tuple(float(i % 3) for i in range(suite.row_count))))
    >>> [path.name for path in save_report(made, Path(tempfile.mkdtemp()) / "tables.tex")]
    ['tables.tex']
    """
    written = rendered(made, path)
    for place, text in written.items():
        with files.writing(place) as out:
            out.write(text)
    return list(written)


def save_figures(made: Report, folder: str | Path, endings: Collection[str] = FIGURES) -> list[Path]:
    """Write every figure for a paper into the folder, with the name of its section, and ``figures.tex`` with
    captions.

    >>> import tempfile
    >>> import kontrast
    >>> suite = kontrast.load("demo:fr")
    >>> made = kontrast.report(suite, kontrast.Scores("made up", tuple(float(i % 3) for i in range(suite.row_count))))
    >>> [path.name for path in save_figures(made, tempfile.mkdtemp(), ["svg"])]
    ['phenomenon.svg', 'distance.svg', 'src_pronoun-ref_pronoun.svg', 'margins.svg', 'figures.tex']
    """
    from kontrast.reporting.render.latex import figure_latex

    paths: list[Path] = []
    shown = []
    for section in made.sections:
        if section.figure is not None:
            for ending in endings:
                paths.append(Path(folder) / file_name(f"{section.name}.{ending}"))
                figures.save_figure(section.figure.draw(), paths[-1])
            shown.append(figure_latex(section, made.suite, file_name(section.name), figure_caption(made, section)))
    if shown:
        paths.append(Path(folder) / "figures.tex")
        with files.writing(paths[-1]) as out:
            out.write("\n\n".join(shown) + "\n")
    return paths


def figure_caption(made: Report, section: Section) -> str:
    """What is shown, of which systems, on which suite; then how to read it."""
    assert section.figure is not None
    who = listed(list(short_names(made.systems).values()), every=True)
    return f"{section.title}: {who} on {made.suite}. {section.figure.caption}"


Analysis: TypeAlias = ContextUse | Cues | Artefacts | Items | Memory | Checks | Evaluation
_KINDS: tuple[tuple[str, type[Any], Callable[..., Iterator[Section]]], ...] = (
    ("ignored_below", ContextUse, context_sections),
    ("by_place", Cues, cue_sections),
    ("beyond", Artefacts, artefact_sections),
    ("suspects_by_chance", Items, item_sections),
    ("completed_twins", Memory, memory_sections),
    ("sampled", Checks, sampled_sections),
    ("tie_policy", Evaluation, natural_sections),
)


def sections_of(given: Analysis | str | Path, made: Report) -> Iterator[Section]:
    """The sections of a result, or of the file that its command wrote with ``--json``.

    It is about the report's suite; but an evaluation of marked errors is about its own.
    """
    result = given
    if isinstance(given, str | Path):
        result = _read(given)
    assert not isinstance(result, str | Path)
    if isinstance(result, Evaluation):
        yield from natural_sections(result, made.evaluations.systems)
        return
    if result.suite != made.suite:
        raise InputError(
            given if isinstance(given, str | Path) else type(given).__name__,
            f"is about {result.suite}, not about {made.suite}",
        )
    make = next(make for _, kind, make in _KINDS if isinstance(result, kind))
    yield from make(result)


def _read(path: str | Path) -> Analysis:
    expected = "expected the --json output of context, cues, artefacts, items, memory, check --samples or evaluate"
    try:
        plain = read_json(path, object, expected=expected.removeprefix("expected "))
        kind = next((kind for key, kind, _ in _KINDS if isinstance(plain, dict) and key in plain), None)
        if kind is None:
            raise InputError(path, expected)
        found: Analysis = msgspec.convert(plain, kind)
    except FAILURES as error:
        raise InputError(path, f"{expected} ({error})") from error
    return found
