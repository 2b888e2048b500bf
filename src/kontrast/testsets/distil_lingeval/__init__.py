"""DistilLingEval (Vamvas and Sennrich 2021, EN-DE): minimal pairs, one folder per kind of error."""

from collections.abc import Sequence
from itertools import chain

from kontrast.suites.testset import Original, TestSet


def row_order(values: Sequence[float]) -> tuple[float, ...]:
    """Scores as its own script wants them, all correct and then all incorrect, in the order of rows.

    >>> row_order([1, 2, 8, 9])
    (1, 8, 2, 9)
    """
    half = len(values) // 2
    return tuple(chain.from_iterable(zip(values[:half], values[half:], strict=True)))


TESTSET = TestSet("distil-lingeval", original=Original(higher_is_better=True), row_order=row_order)
