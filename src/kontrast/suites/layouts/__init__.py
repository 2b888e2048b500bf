"""The originals' own layouts of extracted text, in the folders of their sets: a suite in, lines by file name out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kontrast.errors import InputError, KontrastError
from kontrast.suites.documents import Documents
from kontrast.suites.model import Item, Suite
from kontrast.suites.testset import TextLayout, owner, testset, testsets

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
    tokens: int | None = None
    spm: str | None = None

    def located(self, item: Item) -> tuple[list[str], list[str], int]:
        """The document of an item, source and target, and the place in it of the item's sentence."""
        if self.documents is None:
            raise KontrastError("this layout takes its text from documents: give their folder with --documents")
        if item.document is None or item.segment is None:
            raise KontrastError(f"item {item.id} does not name its document and segment")
        source, target = self.documents.pair(item.document)
        place = item.segment - self.first_segment
        if not 0 <= place < len(source):
            wanted = f"a segment from {self.first_segment} to {len(source) - 1 + self.first_segment}"
            path = self.documents.path(item.document)
            raise InputError(path, f"expected {wanted} in item {item.id}, found {item.segment}")
        return source, target, place


def names() -> list[str]:
    """Every layout: the sets whose own tool extracts text."""
    return [name for name, each in testsets().items() if isinstance(each.layout, TextLayout)]


def columns(layout: str, suite: Suite, request: Request) -> Columns:
    """The lines of every file of that layout."""
    home = testset(layout)
    known = home.layout.options if isinstance(home.layout, TextLayout) else ()
    for option, given in (("context_json", request.context_json), ("no_contrastives", not request.contrastives)):
        if given and option not in known:
            raise KontrastError(f"--{option.replace('_', '-')} is not an option of the layout {layout}")
    found: Columns = home.parts().columns(suite, request)
    return found


def layout_of(suite: Suite, target: str | None) -> str:
    """The layout of the suite's own tool."""
    home = owner(suite, target)
    found = home.own_layout() if home is not None else None
    if found is None:
        raise KontrastError(
            f"{suite.name}: no original tool extracts this suite; choose a layout with --style ({', '.join(names())})"
        )
    return found[0].name


def first_segment(suite: Suite, target: str | None = None, layout: str | None = None) -> int:
    """The number of a document's first line: what the suite says, else how the layout's or the set's tool counts."""
    if suite.segment_base is not None:
        return suite.segment_base
    home = testset(layout) if layout is not None else owner(suite, target)
    found = home.own_layout() if home is not None else None
    return found[1].first_segment if found is not None else 1
