"""Two-parameter item response: how hard each item is, and how well it tells strong systems from weak ones.

The probability that a system of ability t is right is 1 / (1 + exp(-(slope t + intercept))), abilities being standard
normal. Marginal maximum a posteriori by EM over a grid of abilities; with few systems the priors (slope about 1,
intercept about 0) hold the estimates back. A slope below 0 is allowed: weak systems are right and strong ones wrong.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kontrast.judging.floats import Floats

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
    """From credits, a row a system and a column an item.

    >>> chance = np.random.default_rng(1)
    >>> ability, hard = chance.normal(size=200), np.linspace(-1, 1, 40)
    >>> right = chance.random((200, 40)) < _logistic(ability[:, None] - hard[None, :])
    >>> bool(np.corrcoef(fit_response(right.astype(float)).difficulty, hard)[0, 1] > 0.95)
    True
    """
    systems, items = credit.shape
    share = np.clip(credit.mean(axis=0), 0.02, 0.98)
    slope, intercept = np.ones(items), np.log(share / (1 - share))
    prior = np.exp(-(_NODES**2) / 2)
    posterior = np.empty((systems, len(_NODES)))
    for _ in range(rounds):
        z = slope[:, None] * _NODES[None, :] + intercept[:, None]
        right, wrong = -np.logaddexp(0, -z), -np.logaddexp(0, z)
        logs = credit @ right + (1 - credit) @ wrong + np.log(prior)
        posterior = np.exp(logs - logs.max(axis=1, keepdims=True))
        posterior /= posterior.sum(axis=1, keepdims=True)
        counts, rights = posterior.sum(axis=0), credit.T @ posterior
        slope, intercept = _maximise(slope, intercept, counts, rights)
    return Response(slope, intercept, posterior @ _NODES)


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
