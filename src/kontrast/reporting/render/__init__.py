"""Renderers: one file for each form of a report, chosen by the ending of its name."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING

from kontrast.errors import InputError

if TYPE_CHECKING:
    from kontrast.reporting.report import Report

ENDINGS = {"html": "html", "htm": "html", "md": "markdown", "tex": "latex", "csv": "csv_files", "json": "json_file"}
"""The ending and the module with ``files(report, path)``: what is written where."""


def check_ending(path: str | Path) -> str:
    """The ending of a report's name, which says what is written."""
    ending = Path(path).suffix.removeprefix(".").lower()
    if ending not in ENDINGS:
        raise InputError(path, "the name of a report must end in .html, .md, .tex, .csv or .json")
    return ending


def rendered(made: Report, path: str | Path) -> dict[Path, str]:
    """The files of a report: path and text of each."""
    module = importlib.import_module(f"{__name__}.{ENDINGS[check_ending(path)]}")
    files: dict[Path, str] = module.files(made, Path(path))
    return files
