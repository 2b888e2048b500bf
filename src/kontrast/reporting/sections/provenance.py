"""How the numbers were made, and how to cite the test set."""

from collections.abc import Iterator

from kontrast.reporting.judged import Judged
from kontrast.reporting.paper import KONTRAST, method_text
from kontrast.reporting.section import Section

PLACE = 90


def sections(judged: Judged) -> Iterator[Section]:
    """The signatures, then citation and licence where they are known."""
    systems = judged.evaluations.systems
    lines = [e.signature or f"{e.system}: no signature" for e in systems]
    method = method_text(systems, judged.comparison)
    yield Section("signatures", "How these numbers were made", (method,), verbatim=tuple(lines))
    suite = judged.suite
    licence = (f"Licence of the test set: {suite.licence}.",) if suite.licence else ()
    yield Section("citation", "To cite", licence, verbatim=(KONTRAST, *([suite.citation] if suite.citation else [])))
