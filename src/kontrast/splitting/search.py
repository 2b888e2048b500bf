"""The search: annealing over random orders of units, then descent. Deterministic for a seed."""

import time
from collections.abc import Callable

import msgspec
import numpy as np

from kontrast.defaults import SEED
from kontrast.errors import KontrastError
from kontrast.splitting import search_moves as moves
from kontrast.splitting.compiled_loops import fill_sides
from kontrast.splitting.search_problem import TO_DISCARD, TO_TEST, Aim, Features, Problem, Windows
from kontrast.splitting.token_table import Array


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
        sizes = problem.sentences, problem.tokens, problem.weight, problem.atoms.mass, problem.compounds.mass
        self.units = moves.UnitArrays(
            self.place, problem.allowed, np.stack(sizes, axis=1).astype(np.int64), problem.movable.astype(np.int32),
            np.zeros(problem.units, np.int32),
        )  # fmt: skip
        self.random = np.random.default_rng(seed).integers(1, 1 << 63, 1).astype(np.uint64)
        self.similarities = np.zeros(2)
        self.prices = np.zeros(moves.PRICES)
        self.sums = self._sums()

    def _matrix(self, features: Features, alpha: float) -> moves.FeatureArrays:
        sides = np.zeros((len(features.totals), 2), np.int32)
        sides[:, moves.TRAIN] = features.other_train
        fill_sides(features.indptr, features.indices, features.data, self.place, sides)
        largest = int((features.totals + features.other_train).max(initial=0)) + 1
        counts = np.arange(largest, dtype=np.float64)
        return moves.FeatureArrays(
            features.indptr, features.indices, features.data, sides, counts**alpha, counts ** (1 - alpha)
        )

    def _sums(self) -> Array:
        problem, sums = self.problem, np.zeros((3, moves.SUMS), np.int64)
        for place in (moves.TRAIN, moves.TEST, moves.DISCARD):
            sums[place, : moves.SIZES] = self.units.sizes[self.place == place].sum(0)
        masses = problem.atoms.other_mass, problem.compounds.other_mass
        sums[moves.TRAIN, : moves.SIZES] += np.array([problem.other_sentences, problem.other_tokens, 0, *masses])
        sides = self.atoms.sides
        sums[moves.TEST, moves.UNSEEN] = sides[sides[:, moves.TRAIN] == 0, moves.TEST].sum()
        return sums

    def sweep(self, limits: Array, temperature: float, number: int) -> None:
        moves.sweep(
            self.atoms, self.compounds, self.units, self.sums, self.similarities, self.aim.array(), limits,
            self.prices, temperature, number, self.random,
        )  # fmt: skip

    def divergences(self) -> tuple[float, float]:
        """Both divergences as the incremental sums have them."""

        def divergence(matrix: int, mass: int, alpha: float) -> float:
            train, test = self.sums[: moves.DISCARD, mass].tolist()
            if not train or not test:
                return 1.0
            return float(1 - self.similarities[matrix] / (train**alpha * test ** (1 - alpha)))

        return (
            divergence(moves.ATOMS, moves.ATOM_MASS, self.aim.atom_alpha),
            divergence(moves.COMPOUNDS, moves.COMPOUND_MASS, self.aim.compound_alpha),
        )

    def energies(self, candidates: Array, place: int) -> Array:
        """The energy after moving each candidate alone."""
        return moves.move_energy(
            self.atoms, self.compounds, self.units, self.sums, self.similarities, self.aim.array(), candidates, place
        )

    def refresh(self) -> None:
        """Compute both similarities anew."""
        for i, matrix in enumerate((self.atoms, self.compounds)):
            self.similarities[i] = moves.similarity(matrix.sides, matrix.train_power, matrix.test_power)

    def move(self, unit: int, place: int) -> None:
        moves.apply_move(self.atoms, self.compounds, self.units, self.sums, self.similarities, unit, place)


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
    rest = moves.DISCARD if problem.against else moves.TRAIN
    place = np.full(problem.units, rest, np.int8)
    order = np.random.default_rng([seed, 1]).permutation(problem.movable)
    if not (problem.allowed[order] & TO_TEST).any():
        raise KontrastError(
            "no sentence can be in test: all are fixed in train or have an atom that no other sentence has"
        )
    to_discard = 0 if problem.against else 0.9 * windows.discard * weight
    test = sum(windows.test_size) / 2 if windows.test_size else (weight - to_discard) * sum(windows.test_share) / 2
    filled = np.cumsum(problem.weight[order])
    first = order[filled <= to_discard]
    place[first[problem.allowed[first] & TO_DISCARD > 0]] = moves.DISCARD
    chosen = order[(filled > to_discard) & (filled <= to_discard + test)]
    place[chosen[problem.allowed[chosen] & TO_TEST > 0]] = moves.TEST
    if not (place == moves.TEST).any():
        place[order[problem.allowed[order] & TO_TEST > 0][0]] = moves.TEST
    if not (place == moves.TRAIN).any() and not problem.against:
        place[order[-1]] = moves.TRAIN
    return place


def _drop_unseen(state: SearchState, limits: Array) -> None:
    """Take what is left of unseen atoms out of test: discarded where there is room, else to train."""
    indptr, indices, sides = state.atoms.starts, state.atoms.features, state.atoms.sides
    for _ in range(50):
        unseen = (sides[:, moves.TRAIN] == 0) & (sides[:, moves.TEST] > 0)
        if not unseen.any():
            return
        has = np.add.reduceat(np.append(unseen[indices], False), indptr[:-1]) > 0
        has &= np.diff(indptr) > 0
        for unit in np.flatnonzero(has & (state.place == moves.TEST)).tolist():
            filled = state.sums[moves.DISCARD, : moves.SIZES] + state.units.sizes[unit]
            room = filled[moves.SENTENCES] <= limits[moves.MOST_DISCARDED]
            room &= filled[moves.WEIGHT] <= limits[moves.MOST_DISCARDED_WEIGHT]
            able = state.problem.allowed[unit] & TO_DISCARD
            state.move(unit, moves.DISCARD if room and able else moves.TRAIN)
