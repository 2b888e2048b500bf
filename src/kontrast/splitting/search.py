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


def arrays_of(problem: Problem, aim: Aim, place: Array) -> moves.SplitArrays:
    """A split in the making, where the units are at these places."""
    place = place.astype(np.int8)
    atoms = _matrix(problem.atoms, aim.atom_alpha, place)
    compounds = _matrix(problem.compounds, aim.compound_alpha, place)
    masses = problem.atoms.mass, problem.compounds.mass
    sizes = np.stack([problem.sentences, problem.tokens, problem.weight, *masses], axis=1).astype(np.int64)
    sums = np.zeros((3, moves.SUMS), np.int64)
    for side in (moves.TRAIN, moves.TEST, moves.DISCARD):
        sums[side, : moves.SIZES] = sizes[place == side].sum(0)
    others = problem.atoms.other_mass, problem.compounds.other_mass
    sums[moves.TRAIN, : moves.SIZES] += np.array([problem.other_sentences, problem.other_tokens, 0, *others])
    sums[moves.TEST, moves.UNSEEN] = atoms.sides[atoms.sides[:, moves.TRAIN] == 0, moves.TEST].sum()
    order, rest = problem.movable.astype(np.int32), np.zeros(problem.units, np.int32)
    units = moves.UnitArrays(place, problem.allowed, sizes, order, rest)
    made = moves.SplitArrays(atoms, compounds, units, sums, np.zeros(2), aim.array())
    refresh(made)
    return made


def refresh(split: moves.SplitArrays) -> None:
    """Compute both similarities anew."""
    for i, matrix in enumerate((split.atoms, split.compounds)):
        split.similarities[i] = moves.similarity(matrix.sides, matrix.train_power, matrix.test_power)


def _matrix(features: Features, alpha: float, place: Array) -> moves.FeatureArrays:
    sides = np.zeros((len(features.totals), 2), np.int32)
    sides[:, moves.TRAIN] = features.other_train
    matrix = features.indptr, features.indices, features.data
    fill_sides(*matrix, place, sides)
    largest = int((features.totals + features.other_train).max(initial=0)) + 1
    counts = np.arange(largest, dtype=np.float64)
    return moves.FeatureArrays(*matrix, sides, counts**alpha, counts ** (1 - alpha))


def divergences(split: moves.SplitArrays) -> tuple[float, float]:
    """Of atoms and of compounds, as the incremental sums have them."""

    def divergence(matrix: int, mass: int, alpha: float) -> float:
        train, test = split.sums[: moves.DISCARD, mass].tolist()
        if not train or not test:
            return 1.0
        return float(1 - split.similarities[matrix] / (train**alpha * test ** (1 - alpha)))

    alphas = split.aim[[moves.ATOM_ALPHA, moves.COMPOUND_ALPHA]].tolist()
    return (
        divergence(moves.ATOMS, moves.ATOM_MASS, alphas[0]),
        divergence(moves.COMPOUNDS, moves.COMPOUND_MASS, alphas[1]),
    )


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
        raise KontrastError(f"{effort!r} is not a level of effort; expected one of {', '.join(EFFORTS)}")
    chosen = EFFORTS[effort]
    sweeps = int(min(chosen.most, max(chosen.least, chosen.visits / max(1, problem.entries))))
    place = random_place(problem, windows, seed) if start is None else start
    state = arrays_of(problem, aim, place)
    random = np.random.default_rng(seed).integers(1, 1 << 63, 1).astype(np.uint64)
    prices = np.zeros(moves.PRICES)
    hot = HOT if start is None else HOT / 5
    ends_at = None if seconds is None else time.monotonic() + seconds
    movable = len(state.units.order)
    trajectory: list[Step] = []

    def note(sweep: int, temperature: float) -> None:
        step = Step(sweep, temperature, *divergences(state))
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
        moves.sweep(*state, windows.array(problem, slack), prices, temperature, number, random)
        number += 1
        note(number, temperature)
    exact = windows.array(problem)
    prices[:] = 0
    state.units.rest[:] = 0
    energy = np.inf
    for _ in range(12 if problem.entries < LARGE or sweeps == 0 else 0):  # the last sweeps were cold enough
        moves.sweep(*state, exact, prices, 0.0, number, random)
        number += 1
        note(number, 0.0)
        before, energy = energy, aim.energy(*divergences(state))
        if before - energy < GAIN or (ends_at is not None and time.monotonic() >= ends_at):
            break
    if aim.no_unseen_atoms:
        _drop_unseen(state, exact)
    refresh(state)
    return SearchResult(state.units.place, *divergences(state), tuple(trajectory))


def with_excess(problem: Problem, aim: Aim, windows: Windows) -> Aim:
    """The aim with the atom divergence of a random split, beyond which atoms count more; only for high targets.

    It is the same random split for every seed.
    """
    atom, compound = divergences(arrays_of(problem, aim, random_place(problem, windows, SEED)))
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


def _drop_unseen(state: moves.SplitArrays, limits: Array) -> None:
    """Take what is left of unseen atoms out of test: discarded where there is room, else to train."""
    indptr, indices, sides = state.atoms.starts, state.atoms.features, state.atoms.sides
    for _ in range(50):
        unseen = (sides[:, moves.TRAIN] == 0) & (sides[:, moves.TEST] > 0)
        if not unseen.any():
            return
        has = np.add.reduceat(np.append(unseen[indices], False), indptr[:-1]) > 0
        has &= np.diff(indptr) > 0
        for unit in np.flatnonzero(has & (state.units.place == moves.TEST)).tolist():
            filled = state.sums[moves.DISCARD, : moves.SIZES] + state.units.sizes[unit]
            room = filled[moves.SENTENCES] <= limits[moves.MOST_DISCARDED]
            room &= filled[moves.WEIGHT] <= limits[moves.MOST_DISCARDED_WEIGHT]
            able = state.units.allowed[unit] & TO_DISCARD
            moves.apply_move(*state[:5], unit, moves.DISCARD if room and able else moves.TRAIN)
