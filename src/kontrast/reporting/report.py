"""Report: everything about some systems on one suite, as one HTML page, or as tables and figures for a paper."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from kontrast.io import files
from kontrast.io.names import file_name
from kontrast.judging.records import Comparison, Evaluations, Gate
from kontrast.record import Record
from kontrast.reporting.judged import judge_systems
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

    @property
    def verdict(self) -> tuple[str, ...]:
        """The result in sentences: how good, or which is better; then what the gate says."""
        found = self.comparison.verdict if self.comparison else self.evaluations.systems[0].verdict
        return (found, *(gate.verdict for gate in self.gates))

    def section(self, name: str) -> Section:
        """The section of this name."""
        return next(section for section in self.sections if section.name == name)

    def to_dict(self) -> dict[str, Any]:
        from kontrast.reporting.render.json_file import as_dict

        return as_dict(self)

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
    """Write the report in the form that the ending of its name says; the files that were written.

    ``.html`` is a page, ``.md`` and ``.tex`` hold the tables, ``.json`` everything; ``.csv`` has the first table and
    beside it a file for each other one.

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
    """Write every figure for a paper, under its section's name in the folder.

    >>> import tempfile
    >>> import kontrast
    >>> suite = kontrast.load("demo:fr")
    >>> made = kontrast.report(suite, kontrast.Scores("made up", tuple(float(i % 3) for i in range(suite.row_count))))
    >>> [path.name for path in save_figures(made, tempfile.mkdtemp(), ["svg"])]
    ['phenomenon.svg', 'distance.svg', 'src_pronoun-ref_pronoun.svg', 'margins.svg']
    """
    from kontrast.reporting import figures

    paths = []
    for section in made.sections:
        if section.figure is not None:
            for ending in endings:
                paths.append(Path(folder) / file_name(f"{section.name}.{ending}"))
                figures.save_figure(section.figure.draw(), paths[-1])
    return paths
