"""The search: annealing over random orders of units, then descent. Deterministic for a seed."""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec
import numpy as np

from kontrast.defaults import SEED
from kontrast.errors import KontrastError
from kontrast.splitting import moving
from kontrast.splitting.problem import TO_DISCARD, TO_TEST, Features, Problem
from kontrast.splitting.tallying import fill_sides
from kontrast.splitting.tokens import Array

__all__ = ["EFFORTS", "Aim", "SearchResult", "Step", "Windows", "search", "with_excess"]


EXCESS_WEIGHT = 1.25
"""What atom divergence beyond a random split's counts in addition, where the compound target lies above a random
split's: compounds are not to be bought with atoms that diverge more than by chance."""


class Aim(msgspec.Struct, frozen=True):
    """Divergences to reach and what a miss costs; with ``atom_cap`` the atom divergence need only stay below it,
    and beyond ``excess_from`` it counts more."""

    atom: float = 0.0
    compound: float = 1.0
    atom_weight: float = 1.0
    compound_weight: float = 1.0
    atom_cap: float | None = None
    no_unseen_atoms: bool = False
    atom_alpha: float = 0.5
    compound_alpha: float = 0.1
    excess_from: float | None = None

    def energy(self, atom: float, compound: float) -> float:
        off = abs(atom - self.atom) if self.atom_cap is None else max(0.0, atom - self.atom_cap)
        if self.excess_from is not None:
            off += EXCESS_WEIGHT * max(0.0, atom - self.excess_from)
        return self.atom_weight * off + self.compound_weight * abs(compound - self.compound)

    def array(self) -> Array:
        aim = np.zeros(moving.AIMS)
        aim[moving.ATOM_TARGET] = self.atom if self.atom_cap is None else self.atom_cap
        aim[moving.COMPOUND_TARGET] = self.compound
        aim[moving.ATOM_WEIGHT], aim[moving.COMPOUND_WEIGHT] = self.atom_weight, self.compound_weight
        aim[moving.ATOM_CAPPED] = self.atom_cap is not None
        if self.excess_from is not None:
            aim[moving.EXCESS_FROM], aim[moving.EXCESS_WEIGHT] = self.excess_from, EXCESS_WEIGHT
        aim[moving.UNSEEN_WEIGHT] = 20.0 if self.no_unseen_atoms else 0.0
        aim[moving.ATOM_ALPHA], aim[moving.COMPOUND_ALPHA] = self.atom_alpha, self.compound_alpha
        return aim


class Windows(msgspec.Struct, frozen=True):
    """Sizes a split must keep: share of test in train + test, sentences in test, share of the corpus discarded, mean
    length of test over that of train. ``share_of`` says what the share of test is a share of."""

    test_share: tuple[float, float] = (0.1, 0.2)
    test_size: tuple[int, int] | None = None
    discard: float = 0.25
    length_ratio: tuple[float, float] | None = None
    share_of: str = "compounds"

    @property
    def measure(self) -> str:
        """What test is measured in: a fixed size is a number of sentences."""
        return "sentences" if self.test_size else self.share_of

    def array(self, problem: Problem, slack: float = 0.0) -> Array:
        """The limits as the search has them; ``slack`` is how much they give way, as a share of the corpus."""
        sentences, weight = int(problem.sentences.sum()), int(problem.weight.sum())
        limits = np.zeros(moving.LIMITS)
        limits[moving.LEAST_SHARE], limits[moving.MOST_SHARE] = (0.0, 1.0) if self.test_size else self.test_share
        limits[moving.LEAST_TEST], limits[moving.MOST_TEST] = self.test_size or (0, weight)
        limits[moving.MOST_DISCARDED] = sentences if problem.against else int(self.discard * sentences + 1e-9)
        limits[moving.MOST_DISCARDED_WEIGHT] = weight if problem.against else int(self.discard * weight + 1e-9)
        limits[moving.LEAST_RATIO], limits[moving.MOST_RATIO] = self.length_ratio or (0.0, 1e9)
        limits[moving.ALL_SENTENCES], limits[moving.ALL_WEIGHT] = sentences, weight
        limits[moving.SHARE_OF_ALL] = problem.against
        limits[moving.SLACK] = slack
        return limits


class Effort(msgspec.Struct, frozen=True):
    """How long to look: a number of entries to visit, within bounds on sweeps, in independent chains."""

    visits: float
    least: int
    most: int
    chains: int = 1


EFFORTS = {
    "fast": Effort(0, 0, 0),
    "default": Effort(5e7, 7, 250),
    "thorough": Effort(3e8, 30, 1600, chains=2),
}

HOT, COLD = 0.4, 0.01
"""Temperatures at the beginning and the end, over the number of units."""
LARGE = 20_000_000
GAIN = 5e-4
"""Descent goes on while a sweep gains this much."""


class Step(msgspec.Struct, frozen=True):
    """One sweep of the trajectory."""

    sweep: int
    temperature: float
    atom_divergence: float
    compound_divergence: float


class SearchResult(msgspec.Struct, frozen=True):
    """Where each unit is (0 train, 1 test, 2 discarded), and how the search came there."""

    place: Array
    atom_divergence: float
    compound_divergence: float
    trajectory: tuple[Step, ...]


Report = Callable[[int, int, float, float], None]
"""Called with the sweep, the number of sweeps, and both divergences."""


class SearchState:
    """A split in the making: where the units are, the counts on both sides, and the sums that depend on them."""

    def __init__(self, problem: Problem, aim: Aim, place: Array, seed: int) -> None:
        self.problem, self.aim = problem, aim
        self.place = place.astype(np.int8)
        self.atoms = self._matrix(problem.atoms, aim.atom_alpha)
        self.compounds = self._matrix(problem.compounds, aim.compound_alpha)
        self.units = moving.UnitArrays(
            self.place, problem.allowed, problem.sentences, problem.tokens, problem.weight,
            problem.movable.astype(np.int32), np.zeros(problem.units, np.int32),
        )  # fmt: skip
        self.random = np.random.default_rng(seed).integers(1, 1 << 63, 1).astype(np.uint64)
        self.similarities = np.zeros(2)
        self.prices = np.zeros(moving.PRICES)
        self.sums = self._sums()

    def _matrix(self, features: Features, alpha: float) -> moving.FeatureArrays:
        sides = np.zeros((len(features.totals), 2), np.int32)
        sides[:, moving.TRAIN] = features.other_train
        fill_sides(features.indptr, features.indices, features.data, self.place, sides)
        largest = int((features.totals + features.other_train).max(initial=0)) + 1
        counts = np.arange(largest, dtype=np.float64)
        return moving.FeatureArrays(
            features.indptr, features.indices, features.data, sides, counts**alpha, counts ** (1 - alpha),
            features.mass,
        )  # fmt: skip

    def _sums(self) -> Array:
        problem, sums = self.problem, np.zeros(moving.SUMS, np.int64)
        train, test, discarded = (self.place == p for p in (moving.TRAIN, moving.TEST, moving.DISCARD))
        sums[moving.TRAIN_SENTENCES] = problem.sentences[train].sum() + problem.other_sentences
        sums[moving.TEST_SENTENCES] = problem.sentences[test].sum()
        sums[moving.DISCARDED_SENTENCES] = problem.sentences[discarded].sum()
        sums[moving.TRAIN_TOKENS] = problem.tokens[train].sum() + problem.other_tokens
        sums[moving.TEST_TOKENS] = problem.tokens[test].sum()
        sums[moving.TRAIN_WEIGHT] = problem.weight[train].sum()
        sums[moving.TEST_WEIGHT] = problem.weight[test].sum()
        sums[moving.DISCARDED_WEIGHT] = problem.weight[discarded].sum()
        sums[moving.TRAIN_ATOMS] = problem.atoms.mass[train].sum() + problem.atoms.other_mass
        sums[moving.TEST_ATOMS] = problem.atoms.mass[test].sum()
        sums[moving.TRAIN_COMPOUNDS] = problem.compounds.mass[train].sum() + problem.compounds.other_mass
        sums[moving.TEST_COMPOUNDS] = problem.compounds.mass[test].sum()
        sides = self.atoms.sides
        sums[moving.UNSEEN_ATOMS] = sides[sides[:, moving.TRAIN] == 0, moving.TEST].sum()
        return sums

    def sweep(self, limits: Array, temperature: float, number: int) -> None:
        moving.sweep(
            self.atoms, self.compounds, self.units, self.sums, self.similarities, self.aim.array(), limits,
            self.prices, temperature, number, self.random,
        )  # fmt: skip

    def divergences(self) -> tuple[float, float]:
        """Both divergences as the incremental sums have them."""

        def divergence(matrix: int, train: float, test: float, alpha: float) -> float:
            if not train or not test:
                return 1.0
            return float(1 - self.similarities[matrix] / (train**alpha * test ** (1 - alpha)))

        atoms = float(self.sums[moving.TRAIN_ATOMS]), float(self.sums[moving.TEST_ATOMS])
        compounds = float(self.sums[moving.TRAIN_COMPOUNDS]), float(self.sums[moving.TEST_COMPOUNDS])
        return (
            divergence(moving.ATOMS, *atoms, self.aim.atom_alpha),
            divergence(moving.COMPOUNDS, *compounds, self.aim.compound_alpha),
        )

    def energies(self, candidates: Array, place: int) -> Array:
        """The energy after moving each candidate alone."""
        return moving.move_energy(
            self.atoms, self.compounds, self.place, self.sums, self.similarities, self.aim.array(), candidates, place
        )

    def refresh(self) -> None:
        """Compute both similarities anew."""
        for i, matrix in enumerate((self.atoms, self.compounds)):
            self.similarities[i] = moving.similarity(matrix.sides, matrix.train_power, matrix.test_power)

    def move(self, unit: int, place: int) -> None:
        moving.apply_move(self.atoms, self.compounds, self.units, self.sums, self.similarities, unit, place)


def search(
    problem: Problem,
    aim: Aim,
    windows: Windows,
    *,
    seed: int = 1,
    effort: str = "default",
    seconds: float | None = None,
    start: Array | None = None,
    report: Report | None = None,
) -> SearchResult:
    """Look for the split; ``start`` (a place for each unit) goes on from an earlier one, with less heat."""
    if effort not in EFFORTS:
        raise KontrastError(f"{effort!r} is not an effort; expected one of {', '.join(EFFORTS)}")
    chosen = EFFORTS[effort]
    sweeps = int(min(chosen.most, max(chosen.least, chosen.visits / max(1, problem.entries))))
    place = random_place(problem, windows, seed) if start is None else start
    state = SearchState(problem, aim, place, seed)
    hot = HOT if start is None else HOT / 5
    ends_at = None if seconds is None else time.monotonic() + seconds
    movable = len(state.units.order)
    trajectory: list[Step] = []

    def note(sweep: int, temperature: float) -> None:
        step = Step(sweep, temperature, *state.divergences())
        trajectory.append(step)
        if report:
            report(sweep, sweeps, step.atom_divergence, step.compound_divergence)

    begun = time.monotonic()
    number = 0
    while number < sweeps:
        done = number / max(1, sweeps - 1)
        if ends_at is not None:
            done = max(done, (time.monotonic() - begun) / max(1e-9, ends_at - begun))
            if done >= 1:
                break
        temperature = hot * (COLD / hot) ** done / movable
        slack = 0.01 * max(0.0, 1 - done / 0.8)  # limits close before the end
        state.sweep(windows.array(problem, slack), temperature, number)
        number += 1
        note(number, temperature)
    exact = windows.array(problem)
    state.prices[:] = 0
    state.units.rest[:] = 0
    energy = np.inf
    for _ in range(12 if problem.entries < LARGE or sweeps == 0 else 0):  # the last sweeps were cold enough
        state.sweep(exact, 0.0, number)
        number += 1
        note(number, 0.0)
        before, energy = energy, aim.energy(*state.divergences())
        if before - energy < GAIN or (ends_at is not None and time.monotonic() >= ends_at):
            break
    if aim.no_unseen_atoms:
        _drop_unseen(state, exact)
    state.refresh()
    return SearchResult(state.place, *state.divergences(), tuple(trajectory))


def with_excess(problem: Problem, aim: Aim, windows: Windows) -> Aim:
    """The aim with the atom divergence of a random split, beyond which atoms count more; only for high targets.

    It is the same random split for every seed.
    """
    state = SearchState(problem, aim, random_place(problem, windows, SEED), SEED)
    state.refresh()
    atom, compound = state.divergences()
    high = aim.compound > compound and aim.atom_cap is None
    return msgspec.structs.replace(aim, excess_from=max(atom, aim.atom)) if high else aim


def random_place(problem: Problem, windows: Windows, seed: int) -> Array:
    """A random split that keeps the sizes, as nearly as whole units allow."""
    weight = int(problem.weight.sum())
    rest = moving.DISCARD if problem.against else moving.TRAIN
    place = np.full(problem.units, rest, np.int8)
    order = np.random.default_rng([seed, 1]).permutation(problem.movable)
    if not (problem.allowed[order] & TO_TEST).any():
        raise KontrastError("no sentence may go to test: all are fixed in train or have an atom of their own")
    to_discard = 0 if problem.against else 0.9 * windows.discard * weight
    test = sum(windows.test_size) / 2 if windows.test_size else (weight - to_discard) * sum(windows.test_share) / 2
    filled = np.cumsum(problem.weight[order])
    first = order[filled <= to_discard]
    place[first[problem.allowed[first] & TO_DISCARD > 0]] = moving.DISCARD
    chosen = order[(filled > to_discard) & (filled <= to_discard + test)]
    place[chosen[problem.allowed[chosen] & TO_TEST > 0]] = moving.TEST
    if not (place == moving.TEST).any():
        place[order[problem.allowed[order] & TO_TEST > 0][0]] = moving.TEST
    if not (place == moving.TRAIN).any() and not problem.against:
        place[order[-1]] = moving.TRAIN
    return place


def _drop_unseen(state: SearchState, limits: Array) -> None:
    """Take what is left of unseen atoms out of test: discarded where there is room, else to train."""
    indptr, indices, sides = state.atoms.starts, state.atoms.features, state.atoms.sides
    for _ in range(50):
        unseen = (sides[:, moving.TRAIN] == 0) & (sides[:, moving.TEST] > 0)
        if not unseen.any():
            return
        has = np.add.reduceat(np.append(unseen[indices], False), indptr[:-1]) > 0
        has &= np.diff(indptr) > 0
        for unit in np.flatnonzero(has & (state.place == moving.TEST)).tolist():
            room = (
                state.sums[moving.DISCARDED_SENTENCES] + state.units.sentences[unit] <= limits[moving.MOST_DISCARDED]
            )
            room &= (
                state.sums[moving.DISCARDED_WEIGHT] + state.units.weight[unit] <= limits[moving.MOST_DISCARDED_WEIGHT]
            )
            able = state.problem.allowed[unit] & TO_DISCARD
            state.move(unit, moving.DISCARD if room and able else moving.TRAIN)
