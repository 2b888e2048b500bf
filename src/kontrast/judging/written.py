"""What a system wrote, judged: verdicts that stand beside scores wherever scores are compared.

A `Written` is a `Scores`: in the rows of a decision that is right the correct variant leads, else the variant whose
form was found does (all of them where none was). *Both* and *neither* therefore count as not right, as in `check`.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from kontrast.errors import InputError
from kontrast.io import files
from kontrast.io.json_input import decode, write_json_lines
from kontrast.judging.check_records import CheckedItem
from kontrast.suites.form_search import decisions
from kontrast.suites.model import Scores, Signature, Suite
from kontrast.suites.packed import row_starts
from kontrast.suites.subset import Subset


class Written(Scores, frozen=True):
    """The verdicts of `check` on one system's translations, one per decision of the suite."""

    items: tuple[CheckedItem, ...] = ()
    style: str = "kontrast"
    align: str = "whole"


class _Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a verdict file."""

    verdicts: int
    system: str
    suite: str
    fingerprint: str
    style: str
    align: str
    kontrast: str
    segmenter: str | None = None


def written(
    suite: Suite, system: str, items: Sequence[CheckedItem], style: str, align: str, segmenter: str | None = None
) -> Written:
    """Verdicts as a system's scores; ``segmenter`` is what parted words of a script without blanks."""
    by = "distance" if any(item.by == "distance" for item in items) else "words"
    details = {"style": style, "align": align, "by": by, **({"segmenter": segmenter} if segmenter else {})}
    return Written(
        system=system,
        values=tuple(_values(suite, items)),
        signature=Signature(suite.name, suite.fingerprint, "check", details=details),
        items=tuple(items),
        style=style,
        align=align,
    )


def write_verdicts(found: Written, path: str | Path) -> None:
    """Write a line that says what these are, then a JSON object per decision."""
    signature = found.signature or Signature()
    head = _Head(
        1,
        found.system,
        signature.suite or "",
        signature.fingerprint or "",
        found.style,
        found.align,
        signature.version,
        signature.details.get("segmenter"),
    )
    write_json_lines(path, (head, *found.items))


def is_verdicts(path: str | Path) -> bool:
    """Does this file begin as a file of verdicts does? A score file begins with a number."""
    if str(path) == "-" or not Path(path).is_file():
        return False
    return files.first_line(path).startswith('{"verdicts":')


def read_verdicts(path: str | Path, suite: Suite) -> Written:
    """Read verdicts that `kontrast check --items` wrote on this very suite."""
    lines = files.read_lines(path)
    head = decode(
        msgspec.json.Decoder(_Head), lines[0] if lines else "", path, 1, "a file of `kontrast check --items`"
    )
    cut = suite.cut if isinstance(suite, Subset) else None
    whole = cut is not None and head.fingerprint == cut.fingerprint
    if not whole and head.fingerprint != suite.fingerprint:
        raise InputError(
            path,
            f"these verdicts belong to {head.suite} (hash {head.fingerprint[:8]}), not to {suite.name} in its "
            f"present form (hash {suite.fingerprint[:8]}); run `kontrast check` again",
            line=1,
        )
    decoder = msgspec.json.Decoder(CheckedItem)
    items = [decode(decoder, line, path, number, "a verdict") for number, line in enumerate(lines[1:], start=2)]
    if whole and cut is not None and cut.decisions[-1] < len(items):
        items = [items[i] for i in cut.decisions]
    expected = list(decisions(suite))
    if len(items) != len(expected):
        raise InputError(
            path,
            f"expected {len(expected)} verdicts (one per decision of {suite.name}), found {len(items)}",
            line=min(len(items), len(expected)) + 2,
        )
    for decision, item in zip(expected, items, strict=True):
        if item.item != decision.item.id or item.variant not in (None, decision.variant):
            told = f"expected the verdict on item {decision.item.id}, found that on item {item.item}"
            raise InputError(path, f"{told}: the lines are not in the order of the suite")
    return written(suite, head.system, items, head.style, head.align, head.segmenter)


def by_decision(suite: Suite, found: Written) -> dict[tuple[int, int], CheckedItem]:
    """The verdict on each item and wrong variant (-1: the whole item), whichever of the two the suite decides by."""
    verdicts: dict[tuple[int, int], CheckedItem] = {}
    for decision, checked in zip(decisions(suite), found.items, strict=True):
        every = range(len(suite.items[decision.item_index].variants))
        for variant in (-1, *(every if decision.variant is None else (decision.variant,))):
            verdicts.setdefault((decision.item_index, variant), checked)
    return verdicts


def _values(suite: Suite, items: Sequence[CheckedItem]) -> list[float]:
    """Lower is better: 0 for the correct row, above it for a variant that loses to it, below for one that wins."""
    starts = row_starts(suite.items)
    values = [0.0] * starts[-1]
    for decision, checked in zip(decisions(suite), items, strict=True):
        item, start = suite.items[decision.item_index], starts[decision.item_index]
        seen = {found.variant for found in checked.found}
        for j in range(len(item.variants)):
            if j == item.correct or decision.variant not in (None, j):
                continue
            if checked.verdict == "right":
                values[start + j] = 1.0
            else:
                found = decision.variant is not None or not (seen - {item.correct}) or j in seen
                values[start + j] = -1.0 if found else 1.0
    return values
