"""Which of two systems gains more from the context? The gain in accuracy of each, and the test of their difference.

Accuracy, and not bits: log-probabilities of models with other vocabularies cannot be held against each other.
"""

from collections.abc import Collection
from typing import Any

from kontrast.analysis.means import Mean, mean_of
from kontrast.defaults import ALPHA, LEVEL
from kontrast.errors import KontrastError
from kontrast.judging.decisions import decisions_of
from kontrast.judging.signatures import check_suite
from kontrast.judging.verdicts import check_count, larger_is_better, verdicts_of
from kontrast.judging.wording import p_is, p_value, points_text, share_text
from kontrast.record import Record
from kontrast.suites.model import Scores, Suite, Unit


class ContextGain(Record, frozen=True):
    """One system without context and with it; ``gain`` is the difference of its accuracies."""

    system: str
    context: str
    accuracy_without: float
    accuracy_with: float
    gain: Mean


class ContextGains(Record, frozen=True):
    """Two systems: what each gains from the context, and by how much more the second gains (``difference``)."""

    _parts = "systems"
    suite: str
    unit: Unit
    items: int
    systems: tuple[ContextGain, ContextGain]
    difference: Mean
    significant: bool
    alpha: float
    level: float
    verdict: str

    def _brief(self) -> list[dict[str, Any]]:
        return [
            {
                "": each.system,
                "items": self.items,
                "without": share_text(each.accuracy_without, self.items),
                "with": share_text(each.accuracy_with, self.items),
                "gain": points_text(each.gain.value, self.items),
            }
            for each in self.systems
        ]


def context_gains(
    suite: Suite,
    first: tuple[str, Scores, Scores],
    second: tuple[str, Scores, Scores],
    *,
    unit: Unit | None = None,
    alpha: float = ALPHA,
    level: float = LEVEL,
    allow: Collection[str] = (),
) -> ContextGains:
    """Compare the gains of two systems, each a name with its scores without and with context."""
    decisions = decisions_of(suite, unit)
    gains, systems = [], []
    for name, without, given in (first, second):
        credits = []
        for scores in (without, given):
            check_count(suite, scores)
            check_suite(suite, scores, allow)
            credits.append(verdicts_of(decisions, larger_is_better(scores)).credit)
        gains.append(credits[1] - credits[0])
        mean = _mean(gains[-1], decisions.clusters, level)
        context = given.signature.context if given.signature else "unknown"
        systems.append(ContextGain(name, context, float(credits[0].mean()), float(credits[1].mean()), mean))
    difference = _mean(gains[1] - gains[0], decisions.clusters, level)
    significant = difference.undecided is None and difference.p <= alpha
    pair = (systems[0], systems[1])
    told = _told(pair, difference, significant, len(decisions))
    return ContextGains(suite.name, decisions.unit, len(decisions), pair, difference, significant, alpha, level, told)


def _mean(values: Any, clusters: Any, level: float) -> Mean:
    found = mean_of(values, clusters, level=level)
    if found is None:
        raise KontrastError("there are no decisions to compare")
    return found


def _told(systems: tuple[ContextGain, ContextGain], difference: Mean, significant: bool, items: int) -> str:
    """Who gains more, and is it sure?"""
    more, less = systems if difference.value < 0 else systems[::-1]
    each = [
        f"{s.system} {'gains' if s.gain.value >= 0 else 'loses'} {points_text(abs(s.gain.value), items).lstrip('+')} "
        f"points with the context ({share_text(s.accuracy_without, items)} without, "
        f"{share_text(s.accuracy_with, items)} with)"
        for s in (more, less)
    ]
    text = f"{each[0]}; {each[1]}."
    if abs(difference.value) < 1e-9:
        return f"{text} The context does the same for both."
    gap = points_text(abs(difference.value), items).lstrip("+")
    first = f"gains {gap} points more from" if more.gain.value >= 0 else f"loses {gap} points less with"
    text = f"{more.system} {first} the context than {less.system}. {text}"
    if difference.undecided is not None:
        return f"{text} No test can decide whether this is chance: {difference.undecided}."
    sure = "The difference is significant" if significant else "The difference is not significant: it may be chance"
    return f"{text} {sure} ({p_is(p_value(difference.p))})."
