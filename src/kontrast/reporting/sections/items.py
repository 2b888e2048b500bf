"""What the items are worth: where the report has four systems or more."""

from collections.abc import Iterator

import msgspec

from kontrast.analysis.items import LEAST, items
from kontrast.reporting.analysis import item_sections
from kontrast.reporting.judged import Judged
from kontrast.reporting.section import Section

PLACE = 70


def sections(judged: Judged) -> Iterator[Section]:
    """One section; nothing for fewer systems."""
    if len(judged.systems) >= LEAST:
        # Which files belong to the suite was decided before.
        bare = [msgspec.structs.replace(scores, signature=None) for scores in judged.systems]
        found = items(judged.suite, bare)
        yield from item_sections(msgspec.structs.replace(found, notes=(*judged.other_ties, *found.notes)))
