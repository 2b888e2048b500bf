"""The systems compared in each group of a tag."""

from collections.abc import Iterator

from kontrast.reporting.judged import Judged
from kontrast.reporting.section import Section, slug
from kontrast.reporting.sections.compared import difference_table

PLACE = 35


def sections(judged: Judged) -> Iterator[Section]:
    """One for each breakdown; nothing for a single system."""
    for b in judged.comparison.by if judged.comparison is not None else ():
        title = f"Compared by {b.by.replace(',', ' and ')}"
        table = difference_table(judged, b.groups, b.tags)
        yield Section(slug(f"compared-{b.by}"), title, table=table, folded=True, question="where")
