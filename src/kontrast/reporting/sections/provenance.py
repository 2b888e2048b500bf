"""How the numbers were made, and how to cite the test set."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.reporting.judged import Judged
from kontrast.reporting.section import Section

PLACE = 90


def sections(judged: Judged) -> Iterator[Section]:
    """The signatures, then citation and licence where they are known."""
    lines = [e.signature or f"{e.system}: no signature" for e in judged.evaluations.systems]
    yield Section("signatures", "How these numbers were made", verbatim=tuple(lines))
    suite = judged.suite
    if suite.citation or suite.licence:
        licence = (f"Licence of the test set: {suite.licence}.",) if suite.licence else ()
        yield Section("citation", "The test set", licence, verbatim=(suite.citation,) if suite.citation else ())
