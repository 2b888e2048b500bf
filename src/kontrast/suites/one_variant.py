"""Items with one variant: one policy for every command. They decide nothing, are not counted, and a note says so.

Where such an item names an expected form (CTXPro), `kontrast check` decides it; scores do not.
"""

from __future__ import annotations

from kontrast.errors import KontrastError
from kontrast.suites.model import Suite
from kontrast.suites.packed import shape_of


def left_out(suite: Suite) -> tuple[str, ...]:
    """A note on the items that scores do not decide; none where there are none."""
    alone = int((shape_of(suite.items)[0] < 2).sum())
    text = f"{alone} of {len(suite.items)} items have one variant; they decide nothing and are not counted"
    return (text,) if alone else ()


def refuse_undecided(suite: Suite) -> None:
    """Stop where no item has two variants, before anything is computed on it."""
    if suite.items and (shape_of(suite.items)[0] < 2).all():
        raise KontrastError(
            f"{suite.name} has no item with two variants, so scores decide nothing; "
            "`kontrast check` judges translations"
        )
