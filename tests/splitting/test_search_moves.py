"""Every incremental value of the search against a direct computation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kontrast.splitting import compiled_loops
from kontrast.splitting import search_moves as moves
from kontrast.splitting.corpus_counts import Matrix
from kontrast.splitting.measured_divergence import divergence
from kontrast.splitting.search import arrays_of, divergences, random_place, search
from kontrast.splitting.search_problem import Aim, Windows, prepare

from .conftest import counts_of, random_counts

EXACT = 1e-9


def direct(matrix: Matrix, place: np.ndarray, alpha: float) -> float:
    """The divergence from a dense matrix, all features in it."""
    dense = np.zeros((matrix.rows, matrix.features))
    for row in range(matrix.rows):
        here = slice(matrix.indptr[row], matrix.indptr[row + 1])
        dense[row, matrix.indices[here]] = matrix.data[here]
    return divergence(dense[place == 0].sum(0), dense[place == 1].sum(0), alpha)


FEATURES = st.lists(st.lists(st.integers(0, 8), min_size=1, max_size=6), min_size=4, max_size=14)


@settings(max_examples=60, deadline=None)
@given(FEATURES, st.integers(0, 2**32 - 1), st.sampled_from([0.1, 0.5, 0.8]), st.sampled_from([0.0, 1e-3, 1.0]))
def test_every_value_after_moves(rows: list[list[int]], seed: int, alpha: float, temperature: float) -> None:
    counts = counts_of(rows, [[a * 9 + b for a, b in zip(r, r[1:] + r[:1], strict=True)] for r in rows])
    problem = prepare(counts)
    aim = Aim(compound=0.7, compound_alpha=alpha, no_unseen_atoms=True)
    windows = Windows(test_share=(0.2, 0.6), discard=0.4)
    state = arrays_of(problem, aim, random_place(problem, windows, seed))
    prices, random = np.zeros(moves.PRICES), np.array([seed + 1], np.uint64)
    for number in range(4):
        moves.sweep(*state, windows.array(problem), prices, temperature, number, random)
        atom, compound = divergences(state)
        assert atom == pytest.approx(direct(counts.atoms, state.units.place, 0.5), abs=EXACT)
        assert compound == pytest.approx(direct(counts.compounds, state.units.place, alpha), abs=EXACT)
        sides, sums, mass = state.atoms.sides, state.sums, counts.compounds.mass()
        assert sums[moves.TEST, moves.UNSEEN] == sides[sides[:, 0] == 0, 1].sum()
        for place in (moves.TRAIN, moves.TEST, moves.DISCARD):
            here = state.units.place == place
            assert sums[place, moves.SENTENCES] == here.sum()
            assert sums[place, moves.TOKENS] == counts.lengths[here].sum()
            assert sums[place, moves.WEIGHT] == sums[place, moves.COMPOUND_MASS] == mass[here].sum()
            assert sums[place, moves.ATOM_MASS] == counts.atoms.mass()[here].sum()


@settings(max_examples=40, deadline=None)
@given(FEATURES, st.integers(0, 2**32 - 1), st.sampled_from([moves.TRAIN, moves.TEST, moves.DISCARD]))
def test_energy_of_each_trial_move(rows: list[list[int]], seed: int, to: int) -> None:
    counts = counts_of(rows, rows)
    problem = prepare(counts)
    aim = Aim(atom=0.1, compound=0.6, atom_weight=2.0)
    state = arrays_of(problem, aim, random_place(problem, Windows(), seed))
    energies = moves.move_energy(*state, np.arange(problem.units), to)
    for unit, energy in enumerate(energies):
        place = state.units.place.copy()
        place[unit] = to
        if not (place == 0).any() or not (place == 1).any():
            assert energy == np.inf
            continue
        expected = aim.energy(direct(counts.atoms, place, 0.5), direct(counts.compounds, place, 0.1))
        assert energy == pytest.approx(expected, abs=EXACT)
        if unit != seed % problem.units:
            continue
        moved = arrays_of(problem, aim, state.units.place)
        moves.apply_move(*moved[:5], unit, to)
        assert aim.energy(*divergences(moved)) == pytest.approx(expected, abs=EXACT)


def test_large_counts_and_long_search_stay_exact() -> None:
    counts = random_counts(600)
    problem = prepare(counts)
    found = search(problem, Aim(), Windows(), effort="default")
    assert found.atom_divergence == pytest.approx(direct(counts.atoms, found.place, 0.5), abs=EXACT)
    assert found.compound_divergence == pytest.approx(direct(counts.compounds, found.place, 0.1), abs=EXACT)
    first, last = found.trajectory[0], found.trajectory[-1]
    assert last.compound_divergence > first.compound_divergence


def test_features_of_one_unit_are_dropped_and_their_mass_kept() -> None:
    counts = counts_of([[0, 1], [0, 2], [0, 3]], [[0], [1], [1]])
    problem = prepare(counts)
    assert len(problem.atoms.totals) == 1
    assert problem.atoms.mass.tolist() == [2, 2, 2]
    assert problem.atoms.has_unique.tolist() == [True, True, True]
    assert problem.compounds.has_unique.tolist() == [True, False, False]


def test_components_join_units_by_shared_features() -> None:
    problem = prepare(counts_of([[0]] * 5, [[0], [0, 1], [1], [2], [2]]))
    found = compiled_loops.components(
        problem.compounds.indptr, problem.compounds.indices, len(problem.compounds.totals)
    )
    assert found[0] == found[1] == found[2] != found[3] == found[4]
