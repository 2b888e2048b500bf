"""The search: annealing over random orders of units, then descent. Deterministic for a seed."""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec
import numpy as np

from kontrast.errors import KontrastError
from kontrast.splitting import moving
from kontrast.splitting.problem import Features, Problem
from kontrast.splitting.tokens import Array

__all__ = ["EFFORTS", "Aim", "Found", "Step", "Windows", "search"]


class Aim(msgspec.Struct, frozen=True):
    """Divergences to reach and what a miss costs; with ``atom_cap`` the atom divergence need only stay below it."""

    atom: float = 0.0
    compound: float = 1.0
    atom_weight: float = 1.0
    compound_weight: float = 1.0
    atom_cap: float | None = None
    no_unseen_atoms: bool = False
    atom_alpha: float = 0.5
    compound_alpha: float = 0.1

    def energy(self, atom: float, compound: float) -> float:
        off = abs(atom - self.atom) if self.atom_cap is None else max(0.0, atom - self.atom_cap)
        return self.atom_weight * off + self.compound_weight * abs(compound - self.compound)

    def array(self) -> Array:
        capped = self.atom_cap is not None
        target = self.atom if self.atom_cap is None else self.atom_cap
        unseen = 20.0 if self.no_unseen_atoms else 0.0
        return np.array(
            [target, self.compound, self.atom_weight, self.compound_weight, capped, unseen,
             self.atom_alpha, self.compound_alpha]
        )  # fmt: skip


class Windows(msgspec.Struct, frozen=True):
    """Sizes a split must keep: share of test in train + test, sentences in test, share of the corpus discarded,
    mean length of test over that of train."""

    test_share: tuple[float, float] = (0.1, 0.2)
    test_size: tuple[int, int] | None = None
    discard: float = 0.25
    length_ratio: tuple[float, float] | None = None

    def array(self, sentences: int, slack: float = 0.0) -> Array:
        share, size = ((0.0, 1.0), self.test_size) if self.test_size else (self.test_share, (0, sentences))
        low, high = size
        ratio = self.length_ratio or (0.0, 1e9)
        return np.array([*share, low, high, 0, int(self.discard * sentences + 1e-9), *ratio, slack], np.float64)


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


class Found(msgspec.Struct, frozen=True):
    """Where each unit is (0 train, 1 test, 2 discarded), and how the search came there."""

    place: Array
    atom_divergence: float
    compound_divergence: float
    trajectory: tuple[Step, ...]


Report = Callable[[int, int, float, float], None]
"""Called with the sweep, the number of sweeps, and both divergences."""


class State:
    """A split in the making: where the units are, the counts on both sides, and the sums that depend on them."""

    def __init__(self, problem: Problem, aim: Aim, place: Array, seed: int) -> None:
        self.problem, self.aim = problem, aim
        self.place = place.astype(np.int8)
        self.atoms = self._matrix(problem.atoms, aim.atom_alpha)
        self.compounds = self._matrix(problem.compounds, aim.compound_alpha)
        order = np.arange(problem.units, dtype=np.int32)
        rest = np.zeros(problem.units, np.int32)
        self.units = (self.place, problem.allowed, problem.sizes, problem.lengths, order, rest)
        self.random = np.random.default_rng(seed).integers(1, 1 << 63, 1).astype(np.uint64)
        self.similarities = np.zeros(2)
        self.prices = np.zeros(3)
        self.sums = self._sums()

    def _matrix(self, features: Features, alpha: float) -> tuple[Array, ...]:
        sides = np.zeros((len(features.totals), 2), np.int32)
        moving.fill_sides(features.indptr, features.indices, features.data, self.place, sides)
        largest = int(features.totals.max(initial=0)) + 1
        counts = np.arange(largest, dtype=np.float64)
        return (features.indptr, features.indices, features.data, sides, counts**alpha, counts ** (1 - alpha),
                features.mass)  # fmt: skip

    def _sums(self) -> Array:
        problem, sums = self.problem, np.zeros(10, np.int64)
        for side in (moving.TRAIN, moving.TEST):
            here = self.place == side
            sums[side] = problem.sizes[here].sum()
            sums[3 + side] = problem.lengths[here].sum()
            sums[5 + side] = problem.atoms.mass[here].sum()
            sums[7 + side] = problem.compounds.mass[here].sum()
        sums[2] = problem.sentences - sums[0] - sums[1]
        sides = self.atoms[3]
        sums[9] = sides[sides[:, 0] == 0, 1].sum()
        return sums

    def sweep(self, windows: Array, temperature: float, number: int, parts: int = 1) -> int:
        moves, units = 0, self.problem.units
        for part in range(parts):
            moves += moving.sweep(
                self.atoms, self.compounds, self.units, self.sums, self.similarities, self.aim.array(), windows,
                self.prices, temperature, number, units * part // parts, units * (part + 1) // parts, self.random,
            )  # fmt: skip
        return moves

    def divergences(self) -> tuple[float, float]:
        """Both divergences as the incremental sums have them."""
        values = []
        for similarity, at, alpha in zip(
            self.similarities, (5, 7), (self.aim.atom_alpha, self.aim.compound_alpha), strict=True
        ):
            train, test = float(self.sums[at]), float(self.sums[at + 1])
            values.append(float(1 - similarity / (train**alpha * test ** (1 - alpha))) if train and test else 1.0)
        return values[0], values[1]

    def energies(self, candidates: Array, place: int) -> Array:
        """The energy after moving each candidate alone."""
        return moving.move_energy(
            self.atoms, self.compounds, self.place, self.sums, self.similarities, self.aim.array(), candidates, place
        )

    def refresh(self) -> None:
        """Compute both similarities anew."""
        for i, matrix in enumerate((self.atoms, self.compounds)):
            self.similarities[i] = moving.similarity(*matrix[3:6])

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
) -> Found:
    """Look for the split; ``start`` (a place for each unit) goes on from an earlier one, with less heat."""
    if effort not in EFFORTS:
        raise KontrastError(f"{effort!r} is not an effort; expected one of {', '.join(EFFORTS)}")
    chosen = EFFORTS[effort]
    sweeps = int(min(chosen.most, max(chosen.least, chosen.visits / max(1, problem.entries))))
    place = random_place(problem, windows, seed) if start is None else start
    state = State(problem, aim, place, seed)
    hot = HOT if start is None else HOT / 5
    ends_at = None if seconds is None else time.monotonic() + seconds
    slack = 0.01 * problem.sentences
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
        temperature = hot * (COLD / hot) ** done / problem.units
        room = slack * max(0.0, 1 - done / 0.8)  # windows close before the end
        state.sweep(windows.array(problem.sentences, room), temperature, number)
        number += 1
        note(number, temperature)
    exact = windows.array(problem.sentences)
    state.prices[:] = 0
    state.units[5][:] = 0
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
    return Found(state.place, *state.divergences(), tuple(trajectory))


def random_place(problem: Problem, windows: Windows, seed: int) -> Array:
    """A random split that keeps the windows, as nearly as whole units allow."""
    place = np.full(problem.units, moving.TRAIN, np.int8)
    free = np.flatnonzero(problem.allowed != 1 << moving.TRAIN)
    order = np.random.default_rng([seed, 1]).permutation(free)
    to_discard = int(0.9 * windows.discard * problem.sentences)
    kept = problem.sentences - to_discard
    test = sum(windows.test_size) / 2 if windows.test_size else kept * sum(windows.test_share) / 2
    filled = np.cumsum(problem.sizes[order])
    place[order[filled <= to_discard]] = moving.DISCARD
    in_test = (filled > to_discard) & (filled <= to_discard + test)
    chosen = order[in_test]
    place[chosen[(problem.allowed[chosen] >> moving.TEST) & 1 == 1]] = moving.TEST
    if not (place == moving.TEST).any():
        able = order[(problem.allowed[order] >> moving.TEST) & 1 == 1]
        if not able.size:
            raise KontrastError("no sentence may go to test: all are fixed in train or have an atom of their own")
        place[able[0]] = moving.TEST
    if not (place == moving.TRAIN).any():
        place[order[-1]] = moving.TRAIN
    return place


def _drop_unseen(state: State, windows: Array) -> None:
    """Take what is left of unseen atoms out of test: to train where the share of test allows, else discarded."""
    indptr, indices, _, sides, *_ = state.atoms
    for _ in range(50):
        unseen = (sides[:, 0] == 0) & (sides[:, 1] > 0)
        if not unseen.any():
            return
        has = np.add.reduceat(np.append(unseen[indices], False), indptr[:-1]) > 0
        has &= np.diff(indptr) > 0
        for unit in np.flatnonzero(has & (state.place == moving.TEST)).tolist():
            room = state.sums[2] + state.problem.sizes[unit] <= windows[5]
            able = (state.problem.allowed[unit] >> moving.DISCARD) & 1
            state.move(unit, moving.DISCARD if room and able else moving.TRAIN)
