"""How well the suite can be solved without the source, and how good the systems are beyond that."""

from collections.abc import Iterator, Sequence

import msgspec

from kontrast.analysis.artefacts import artefacts
from kontrast.reporting.analysis import artefact_sections
from kontrast.reporting.judged import Judged
from kontrast.reporting.section import Section
from kontrast.suites.model import Scores, Suite
from kontrast.suites.packed import row_starts
from kontrast.suites.subset import scores_of_rows

PLACE = 65
_LEAST = 50
"""Decisions below which an artefact is not told from chance."""
_MOST = 20_000
"""Items of which artefacts are learnt; of a larger suite every k-th is taken."""


def sections(judged: Judged) -> Iterator[Section]:
    """From the suite and the score files alone; `kontrast artefacts` can add a model that never saw the source."""
    if judged.first.items < _LEAST:
        return
    # Which files belong to the suite was decided before.
    bare = [msgspec.structs.replace(scores, signature=None) for scores in judged.systems]
    suite = judged.suite
    notes = judged.other_ties
    every = -(-len(suite.items) // _MOST)
    if every > 1:
        notes += (f"on a sample, one item in {every}; kontrast artefacts takes all {len(suite):,}",)
        suite, bare = _sample(suite, bare, every)
    found = artefacts(suite, bare, unit=judged.first.unit)
    yield from artefact_sections(msgspec.structs.replace(found, notes=notes))


def _sample(suite: Suite, systems: Sequence[Scores], every: int) -> tuple[Suite, list[Scores]]:
    """Every k-th item and its rows."""
    starts = row_starts(suite.items)
    rows = [row for i in range(0, len(suite.items), every) for row in range(starts[i], starts[i + 1])]
    cut = msgspec.structs.replace(suite, items=suite.items[::every])
    return cut, [scores_of_rows(scores, rows, None, cut) for scores in systems]
