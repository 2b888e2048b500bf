"""The originals' own layouts of extracted text, one file each: a suite in, lines by file ending out."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kontrast.errors import InputError, KontrastError
from kontrast.suites.documents import Documents
from kontrast.suites.model import Item, Suite

__all__ = ["NAMES", "Request", "columns", "layout_of"]

NAMES = ("contrapro", "large-enfr", "lingeval97", "discevalmt")

Columns = dict[str, Sequence[str]]
"""Lines by the name of their file."""


@dataclass(frozen=True)
class Request:
    """What is asked for; ``name`` is the prefix of the files."""

    name: str
    source: str
    target: str
    context: int = 1
    documents: Documents | None = None
    context_json: bool = False
    contrastives: bool = True
    first_segment: int = 1

    def located(self, item: Item) -> tuple[list[str], list[str], int]:
        """The document of an item, source and target, and the place in it of the item's sentence."""
        if self.documents is None:
            raise KontrastError("this layout takes its text from documents: name their folder with --documents")
        if item.document is None or item.segment is None:
            raise KontrastError(f"item {item.id} does not say its document and segment")
        source, target = self.documents.pair(item.document)
        place = item.segment - self.first_segment
        if not 0 <= place < len(source):
            wanted = f"a segment from {self.first_segment} to {len(source) - 1 + self.first_segment}"
            path = self.documents.path(item.document)
            raise InputError(path, f"expected {wanted} in item {item.id}, found {item.segment}")
        return source, target, place


def columns(layout: str, suite: Suite, request: Request) -> Columns:
    """The lines of every file of that layout."""
    module = importlib.import_module(f"kontrast.testsets.{layout.replace('-', '_')}.layout")
    make: Callable[[Suite, Request], Columns] = module.columns
    for option, given in (("--context-json", request.context_json), ("--no-contrastives", not request.contrastives)):
        if given and layout != "contrapro":
            raise KontrastError(f"{option} belongs to ContraPro's layout, this one is {layout}")
    return make(suite, request)


def layout_of(suite: Suite, target: str | None) -> str:
    """The layout of the suite's own tool; French is told by the language asked for or the documents' ids alone."""
    if suite.style == "contrapro":
        return "large-enfr" if counts_from_zero(suite, target) else "contrapro"
    own = {"lingeval97": "lingeval97", "contrawsd": "lingeval97", "discevalmt": "discevalmt"}.get(suite.style or "")
    if own is None:
        known = ", ".join(NAMES)
        raise KontrastError(
            f"{suite.name}: no original tool extracts such a suite; choose a layout with --style ({known})"
        )
    return own


def counts_from_zero(suite: Suite, target: str | None) -> bool:
    """Do segments count from 0, as in the French set, rather than from 1?"""
    return target == "fr" or any(item.document and item.document.endswith(".fr") for item in suite.items)
