"""Items by the systems that solved them: difficulty, discrimination, suspected wrong keys, redundancy.

Two-parameter item response: how hard each item is, and how well it tells strong systems from weak ones.

The probability that a system of ability t is right is 1 / (1 + exp(-(slope t + intercept))), abilities being standard
normal. Marginal maximum a posteriori by EM over a grid of abilities; with few systems the priors (slope about 1,
intercept about 0) hold the estimates back. A slope below 0 is allowed: weak systems are right and strong ones wrong.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kontrast.defaults import ALPHA
from kontrast.errors import KontrastError
from kontrast.judging.decisions import Decisions, decisions_of
from kontrast.judging.floats import Floats
from kontrast.judging.signatures import check_suite
from kontrast.judging.systems import names_of
from kontrast.judging.verdicts import check_count, larger_is_better, verdicts_of
from kontrast.record import Record
from kontrast.suites.form_search import forms
from kontrast.suites.model import Scores, Suite

LEAST = 4
"""Systems that are needed."""
_TURNED = 0.5


class ItemResponse(Record, frozen=True):
    """One item. ``right`` is the mean credit of the systems; ``turned`` that of the weaker half minus the stronger.

    ``suspect``: the best system fails it, and the weaker half does much better than the stronger.
    """

    item: str
    phenomenon: str | None
    right: float
    difficulty: float
    discrimination: float
    rest_correlation: float | None
    turned: float
    suspect: bool
    redundant_with: str | None = None


class Items(Record, frozen=True):
    """How informative the items of a suite are, according to these systems.

    ``suspects_by_chance``: the number expected if systems failed at random with their own error rates;
    ``suspects_p``: the probability of at least the number found.
    """

    _parts = "items"
    suite: str
    systems: tuple[str, ...]
    accuracies: tuple[float, ...]
    items: tuple[ItemResponse, ...]
    unanimous_right: int
    unanimous_wrong: int
    suspects: int
    suspects_by_chance: float
    suspects_p: float
    redundant: int
    notes: tuple[str, ...] = ()


def item_credits(suite: Suite, systems: Sequence[Scores]) -> tuple[Floats, Decisions]:
    """Mean credit of each system on each item that decides something: a row a system."""
    if len(systems) < LEAST:
        raise KontrastError(f"expected the scores of {LEAST} systems or more, found {len(systems)}")
    decisions = decisions_of(suite)
    rows = []
    for scores in systems:
        check_count(suite, scores)
        check_suite(suite, scores)
        credit = verdicts_of(decisions, larger_is_better(scores)).credit
        sums = np.bincount(decisions.item, weights=credit, minlength=len(suite.items))
        rows.append(sums / np.maximum(np.bincount(decisions.item, minlength=len(suite.items)), 1))
    return np.array(rows, dtype=np.float64), decisions


def items(suite: Suite, systems: Sequence[Scores], *, seed: int = 1) -> Items:
    """What each item is worth, from four systems or more."""
    credit, decisions = item_credits(suite, systems)
    decided = np.unique(decisions.item)
    accuracies = credit[:, decided].mean(axis=1)
    response = fit_response(credit)
    order = np.argsort(accuracies, kind="stable")
    half = len(order) // 2
    weak, strong = credit[order[:half]].mean(axis=0), credit[order[-half:]].mean(axis=0)
    turned = weak - strong
    suspect = (turned >= _TURNED) & (credit[order[-1]] < 0.5)
    rest = _rest_correlations(credit, decided)
    twins, difficulty = _redundant(suite, credit), response.difficulty
    single = tuple(
        ItemResponse(
            item=suite.items[i].id,
            phenomenon=suite.items[i].phenomenon,
            right=float(credit[:, i].mean()),
            difficulty=float(difficulty[i]),
            discrimination=float(response.slope[i]),
            rest_correlation=None if np.isnan(rest[i]) else float(rest[i]),
            turned=float(turned[i]),
            suspect=bool(suspect[i]),
            redundant_with=twins.get(i),
        )
        for i in decided.tolist()
    )
    suspects, by_chance = int(suspect[decided].sum()), _by_chance(accuracies[order], len(decided), seed)
    likely = _at_least(suspects, by_chance)
    notes = []
    if suspects and likely > ALPHA:
        notes.append(
            f"{suspects:,} suspects are not more than expected by chance ({by_chance:.1f}): no sign of wrong keys"
        )
    if len(systems) < 20:
        notes.append(
            f"{len(systems)} systems: difficulty and discrimination depend on their priors; use them only to "
            f"rank items"
        )
    return Items(
        suite=suite.name,
        systems=tuple(names_of(systems)),
        accuracies=tuple(accuracies.tolist()),
        items=single,
        unanimous_right=int((credit[:, decided] == 1).all(axis=0).sum()),
        unanimous_wrong=int((credit[:, decided] == 0).all(axis=0).sum()),
        suspects=suspects,
        suspects_by_chance=by_chance,
        suspects_p=likely,
        redundant=len(twins),
        notes=tuple(notes),
    )


def _rest_correlations(credit: Floats, decided: Any) -> Floats:
    """Of each item with the systems' accuracy on all others; NaN where all systems agree."""
    total = credit[:, decided].sum(axis=1)[:, None] - credit
    gap, own = total - total.mean(axis=0), credit - credit.mean(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = (gap * own).sum(axis=0) / np.sqrt((gap**2).sum(axis=0) * (own**2).sum(axis=0))
    return found


def _redundant(suite: Suite, credit: Floats) -> dict[int, str]:
    """Items that ask what an earlier one asked: the same source, forms and outcomes."""
    seen: dict[Any, str] = {}
    twins: dict[int, str] = {}
    groups: dict[str, list[int]] = defaultdict(list)
    for i, item in enumerate(suite.items):
        groups[item.source].append(i)
    for source, members in groups.items():
        for i in members if len(members) > 1 else ():
            item = suite.items[i]
            key = (source, tuple(sorted(forms(item, suite.target_language))), credit[:, i].tobytes())
            if key in seen:
                twins[i] = seen[key]
            else:
                seen[key] = item.id
    return twins


def _by_chance(accuracies: Floats, count: int, seed: int) -> float:
    """Expected suspects where each system is right as often as it is, wherever that falls; weakest first."""
    chance = np.random.default_rng(seed)
    drawn = (chance.random((20_000, len(accuracies))) < accuracies).astype(np.float64)
    half = len(accuracies) // 2
    turned = drawn[:, :half].mean(axis=1) - drawn[:, -half:].mean(axis=1)
    return float(((turned >= _TURNED) & (drawn[:, -1] < 0.5)).mean() * count)


def _at_least(found: int, expected: float) -> float:
    """How likely this many are, or more, where so many are expected (Poisson)."""
    fewer = (math.exp(k * math.log(expected) - expected - math.lgamma(k + 1)) for k in range(found) if expected > 0)
    return min(1.0, max(0.0, 1.0 - math.fsum(fewer))) if expected > 0 else float(found == 0)


_NODES = np.linspace(-4.0, 4.0, 31)
_SLOPE_MEAN, _SLOPE_VARIANCE, _INTERCEPT_VARIANCE = 1.0, 1.0, 9.0


@dataclass(frozen=True)
class Response:
    """Slope and intercept of each item, ability of each system."""

    slope: Floats
    intercept: Floats
    ability: Floats

    @property
    def difficulty(self) -> Floats:
        """The ability at which an item is right half of the time; far out where it tells nothing apart."""
        safe = np.where(np.abs(self.slope) < 0.1, 0.1, self.slope)
        return np.clip(-self.intercept / safe, -6.0, 6.0)

    def information(self) -> Floats:
        """Fisher information of each item, summed over the systems' abilities."""
        p = _logistic(self.slope[:, None] * self.ability[None, :] + self.intercept[:, None])
        found: Floats = (self.slope[:, None] ** 2 * p * (1 - p)).sum(axis=1)
        return found


def fit_response(credit: Floats, *, rounds: int = 25) -> Response:
    """From credits, a row a system and a column an item. Items with the same credits are fitted once."""
    credit, each, times = np.unique(credit, axis=1, return_inverse=True, return_counts=True)
    systems, items = credit.shape
    share = np.clip(credit.mean(axis=0), 0.02, 0.98)
    slope, intercept = np.ones(items), np.log(share / (1 - share))
    prior = np.exp(-(_NODES**2) / 2)
    posterior = np.empty((systems, len(_NODES)))
    for _ in range(rounds):
        z = slope[:, None] * _NODES[None, :] + intercept[:, None]
        right, wrong = -np.logaddexp(0, -z), -np.logaddexp(0, z)
        logs = (times * credit) @ right + (times * (1 - credit)) @ wrong + np.log(prior)
        posterior = np.exp(logs - logs.max(axis=1, keepdims=True))
        posterior /= posterior.sum(axis=1, keepdims=True)
        counts, rights = posterior.sum(axis=0), credit.T @ posterior
        slope, intercept = _maximise(slope, intercept, counts, rights)
    return Response(slope[each], intercept[each], posterior @ _NODES)


def _maximise(slope: Floats, intercept: Floats, counts: Floats, rights: Floats) -> tuple[Floats, Floats]:
    """Newton's steps for every item at once, given expected counts at each ability."""
    for _ in range(4):
        p = _logistic(slope[:, None] * _NODES[None, :] + intercept[:, None])
        gap, spread = rights - counts * p, counts * p * (1 - p)
        to_slope = gap @ _NODES - (slope - _SLOPE_MEAN) / _SLOPE_VARIANCE
        to_intercept = gap.sum(axis=1) - intercept / _INTERCEPT_VARIANCE
        aa = spread @ _NODES**2 + 1 / _SLOPE_VARIANCE
        ad = spread @ _NODES
        dd = spread.sum(axis=1) + 1 / _INTERCEPT_VARIANCE
        determinant = aa * dd - ad**2
        slope = slope + np.clip((dd * to_slope - ad * to_intercept) / determinant, -1, 1)
        intercept = intercept + np.clip((aa * to_intercept - ad * to_slope) / determinant, -1, 1)
    return slope, intercept


def _logistic(z: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(z, -40, 40))), dtype=np.float64)
