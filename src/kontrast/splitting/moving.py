"""The inner loops of the search: what moving one unit changes, and sweeps of such moves.

With train counts y and test counts x the similarity is S = Σ yᵅ x¹⁻ᵅ, the divergence 1 − S / (Yᵅ X¹⁻ᵅ) with Y and X
the totals. A unit's move touches its own features only; powers come from tables indexed by count.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kontrast.splitting.compiled import compiled, inlined

__all__ = [
    "DISCARD",
    "TEST",
    "TRAIN",
    "apply_move",
    "components",
    "drop_lonely",
    "fill_sides",
    "move_energy",
    "similarity",
    "sweep",
    "tally",
]

Array = np.ndarray[Any, Any]
Arrays = tuple[Array, ...]
Number = Any
"""The compiler finds out which."""

TRAIN, TEST, DISCARD = 0, 1, 2


@compiled
def _random(state: Array) -> Number:
    value = state[0]
    value ^= value << np.uint64(13)
    value ^= value >> np.uint64(7)
    value ^= value << np.uint64(17)
    state[0] = value
    return value


@compiled
def tally(indptr: Array, indices: Array, data: Array, features: Number) -> Arrays:
    """Of each feature, whether it occurs in no, one or more rows, and how often; of each row, its mass."""
    rows = np.zeros(features, np.uint8)
    totals = np.zeros(features, np.int64)
    mass = np.zeros(indptr.size - 1, np.int64)
    for row in range(indptr.size - 1):
        for j in range(indptr[row], indptr[row + 1]):
            feature = indices[j]
            if rows[feature] < 2:
                rows[feature] += 1
            totals[feature] += data[j]
            mass[row] += data[j]
    return rows, totals, mass


@compiled
def drop_lonely(indptr: Array, indices: Array, data: Array, new: Array, kept: Number) -> Arrays:
    """The matrix without the features whose new number is negative, the others renumbered."""
    starts = np.zeros(indptr.size, np.int64)
    numbers = np.empty(kept, np.int32)
    counts = np.empty(kept, data.dtype)
    at = 0
    for row in range(indptr.size - 1):
        for j in range(indptr[row], indptr[row + 1]):
            number = new[indices[j]]
            if number >= 0:
                numbers[at] = number
                counts[at] = data[j]
                at += 1
        starts[row + 1] = at
    return starts, numbers, counts


@compiled
def fill_sides(indptr: Array, indices: Array, data: Array, place: Array, sides: Array) -> None:
    """Counts of each feature in train and in test, from where every unit is."""
    sides[:] = 0
    for row in range(indptr.size - 1):
        side = place[row]
        if side != DISCARD:
            for j in range(indptr[row], indptr[row + 1]):
                sides[indices[j], side] += data[j]


@compiled
def similarity(sides: Array, train_power: Array, test_power: Array) -> Number:
    """S, computed anew."""
    total = 0.0
    for k in range(sides.shape[0]):
        total += train_power[sides[k, 0]] * test_power[sides[k, 1]]
    return total


@inlined
def _change(
    indptr: Array, indices: Array, data: Array, sides: Array, train_power: Array, test_power: Array,
    unit: Number, to_train: Number, to_test: Number,
) -> Number:  # fmt: skip
    """What S gains when the unit's counts go into (1) or out of (-1) train and test."""
    gain = 0.0
    for j in range(indptr[unit], indptr[unit + 1]):
        feature = indices[j]
        count = np.int64(data[j])
        train = np.int64(sides[feature, 0])
        test = np.int64(sides[feature, 1])
        gain += train_power[train + to_train * count] * test_power[test + to_test * count]
        gain -= train_power[train] * test_power[test]
    return gain


@inlined
def _unseen_change(
    indptr: Array, indices: Array, data: Array, sides: Array, unit: Number, to_train: Number, to_test: Number
) -> Number:
    """What the mass of test features that train lacks gains by the same move."""
    gain: Number = 0
    for j in range(indptr[unit], indptr[unit + 1]):
        feature = indices[j]
        count = np.int64(data[j])
        train = np.int64(sides[feature, 0])
        test = np.int64(sides[feature, 1])
        if train == 0:
            gain -= test
        if train + to_train * count == 0:
            gain += test + to_test * count
    return gain


@inlined
def _apply(
    indptr: Array, indices: Array, data: Array, sides: Array, unit: Number, to_train: Number, to_test: Number
) -> None:
    for j in range(indptr[unit], indptr[unit + 1]):
        sides[indices[j], 0] += to_train * np.int32(data[j])
        sides[indices[j], 1] += to_test * np.int32(data[j])


@inlined
def _trial(
    atoms: Arrays,
    compounds: Arrays,
    sums: Array, similarities: Array, aim: Array, unit: Number, to_train: Number, to_test: Number,
) -> tuple[Number, Number, Number, Number]:  # fmt: skip
    """The energy after a move, what both similarities gain, and the unseen mass; infinite where a side empties."""
    a_start, a_index, a_count, a_sides, a_train, a_test, a_mass = atoms
    c_start, c_index, c_count, c_sides, c_train, c_test, c_mass = compounds
    a_y, a_x = sums[5] + to_train * a_mass[unit], sums[6] + to_test * a_mass[unit]
    c_y, c_x = sums[7] + to_train * c_mass[unit], sums[8] + to_test * c_mass[unit]
    if a_y <= 0 or a_x <= 0 or c_y <= 0 or c_x <= 0:
        return np.inf, 0.0, 0.0, 0
    a_gain = _change(a_start, a_index, a_count, a_sides, a_train, a_test, unit, to_train, to_test)
    c_gain = _change(c_start, c_index, c_count, c_sides, c_train, c_test, unit, to_train, to_test)
    unseen = sums[9]
    if aim[5] > 0:
        unseen += _unseen_change(a_start, a_index, a_count, a_sides, unit, to_train, to_test)
    atom = 1 - (similarities[0] + a_gain) / (a_y ** aim[6] * a_x ** (1 - aim[6]))
    compound = 1 - (similarities[1] + c_gain) / (c_y ** aim[7] * c_x ** (1 - aim[7]))
    return _energy(atom, compound, unseen / a_x, aim), a_gain, c_gain, unseen


@compiled
def _energy(atom: Number, compound: Number, unseen: Number, aim: Array) -> Number:
    atom_off = max(0.0, atom - aim[0]) if aim[4] > 0 else abs(atom - aim[0])
    return aim[2] * atom_off + aim[3] * abs(compound - aim[1]) + aim[5] * unseen


@compiled
def _violation(
    train: Number, test: Number, discard: Number, train_length: Number, test_length: Number, windows: Array
) -> Number:
    """How far sizes are outside of their windows; 0 inside. ``windows``: share of test, number in test, number
    discarded, mean length of test over that of train: least and most of each; and sentences of slack."""
    slack, whole = windows[8], np.float64(train + test)
    off = max(0.0, windows[0] * whole - test - slack) + max(0.0, test - windows[1] * whole - slack)
    off += max(0.0, windows[2] - test - slack) + max(0.0, test - windows[3] - slack)
    off += max(0.0, discard - windows[5] - slack)
    if windows[6] > 0 or windows[7] < 1e9:
        ratio = (test_length * max(1, train)) / max(1.0, np.float64(train_length) * max(1, test))
        off += whole * (max(0.0, windows[6] - ratio) + max(0.0, ratio - windows[7]))
    return off


@inlined
def _violation_after(
    sums: Array, units: Arrays, windows: Array, unit: Number, to_train: Number, to_test: Number, partner: Number
) -> Number:
    """The violation after a move, and the opposite move of a partner where there is one."""
    size, length = np.int64(units[2][unit]), units[3][unit]
    if partner >= 0:
        size -= np.int64(units[2][partner])
        length -= units[3][partner]
    return _violation(
        sums[0] + to_train * size,
        sums[1] + to_test * size,
        sums[2] - (to_train + to_test) * size,
        sums[3] + to_train * length,
        sums[4] + to_test * length,
        windows,
    )


@compiled
def _set_prices(prices: Array, sums: Array, windows: Array, temperature: Number) -> None:
    """What a sentence discarded, or in test, costs or earns (prices of the discard cap, the least and the most test).

    Prices rise while a window is exceeded and fall while there is room, so that sizes stay at the edge of their
    windows and single moves go on there, where a hard limit would let nothing move.
    """
    slack = max(1.0, 0.001 * (sums[0] + sums[1] + sums[2]))
    step = 0.04 * temperature
    over = (sums[2] - windows[5]) / slack
    prices[0] = max(0.0, prices[0] + step * min(1.0, max(-1.0, over)))
    least = max(windows[2], windows[0] * (sums[0] + sums[1]))
    most = min(windows[3], windows[1] * (sums[0] + sums[1]))
    prices[1] = min(0.0, prices[1] - step * min(1.0, max(-1.0, (least - sums[1]) / slack)))
    prices[2] = max(0.0, prices[2] + step * min(1.0, max(-1.0, (sums[1] - most) / slack)))


@compiled
def sweep(
    atoms: Arrays,
    compounds: Arrays,
    units: Arrays,
    sums: Array,
    similarities: Array,
    aim: Array,
    windows: Array,
    prices: Array,
    temperature: Number,
    number: Number,
    begin: Number,
    end: Number,
    random: Array,
) -> Number:
    """Visit the units from ``begin`` to ``end`` of a random order, offering each a move; returns moves made.

    A matrix is (row starts, features, counts, sides, powers for train, powers for test, mass of units); units are
    (place, allowed places as bits, sentences in each, length, order, first sweep to be visited again); sums are
    sentences in train, test, discard, lengths in train, test, masses of atoms and of compounds in train, test,
    unseen atom mass; aim is (atom target, compound target, weights of both, whether the atom target is a cap,
    weight of unseen atoms, α of atoms and of compounds). A hopeless move lets its unit rest for a few sweeps. A move
    out of a window is tried together with the opposite move of another unit.
    """
    place, allowed, sizes, _, order, rest = units
    if begin == 0:  # afresh each sweep: rounding does not add up
        similarities[0] = similarity(atoms[3], atoms[4], atoms[5])
        similarities[1] = similarity(compounds[3], compounds[4], compounds[5])
    energy = _trial(atoms, compounds, sums, similarities, aim, order[0], 0, 0)[0]
    off = _violation(sums[0], sums[1], sums[2], sums[3], sums[4], windows)
    moves = 0
    count = order.size
    every = max(1, count // 64)
    for i in range(begin, end):
        if i % every == 0 and temperature > 0:
            _set_prices(prices, sums, windows, temperature)
        j = i + np.int64(_random(random) % np.uint64(count - i))
        unit = order[j]
        order[j] = order[i]
        order[i] = unit
        if rest[unit] > number:
            continue
        old = np.int64(place[unit])
        new = (old + 1 + np.int64((_random(random) >> np.uint64(40)) & np.uint64(1))) % 3
        if not (allowed[unit] >> new) & 1:
            new = 3 - old - new
            if not (allowed[unit] >> new) & 1:
                continue
        to_train = np.int64(new == TRAIN) - np.int64(old == TRAIN)
        to_test = np.int64(new == TEST) - np.int64(old == TEST)
        would = _violation_after(sums, units, windows, unit, to_train, to_test, -1)
        partner = -1
        if would > off:  # a window is in the way: another unit must come back for this one
            for _ in range(12):
                other = order[np.int64(_random(random) % np.uint64(count))]
                if place[other] == new and (allowed[other] >> old) & 1:
                    partner = other
                    break
            if partner < 0:
                continue
            would = _violation_after(sums, units, windows, unit, to_train, to_test, partner)
            if would > off:
                continue
        new_energy, a_gain, c_gain, unseen = _trial(
            atoms, compounds, sums, similarities, aim, unit, to_train, to_test
        )
        worse = new_energy - energy
        if partner < 0:
            size = sizes[unit]
            worse += size * (prices[1] + prices[2]) * to_test - size * prices[0] * (to_train + to_test)
        else:
            # first as if the two had nothing in common, which is nearly so, then exactly
            worse += _trial(atoms, compounds, sums, similarities, aim, partner, -to_train, -to_test)[0] - energy
        uniform = np.float64(_random(random) >> np.uint64(11)) / 9007199254740992.0
        if worse <= 0 or would < off or (temperature > 0 and uniform < np.exp(-worse / temperature)):
            _move(atoms, compounds, units, sums, unit, new, to_train, to_test)
            sums[9] = unseen
            similarities[0] += a_gain
            similarities[1] += c_gain
            if partner >= 0:
                unit, new, to_train, to_test = partner, old, -to_train, -to_test
                new_energy, a_gain, c_gain, unseen = _trial(
                    atoms, compounds, sums, similarities, aim, unit, to_train, to_test
                )
                _move(atoms, compounds, units, sums, unit, new, to_train, to_test)
                sums[9] = unseen
                similarities[0] += a_gain
                similarities[1] += c_gain
            energy = new_energy
            off = would
            moves += 1
        elif worse > 12 * temperature and temperature > 0:
            rest[unit] = number + 1 + np.int64(_random(random) % np.uint64(3))
    return moves


@inlined
def _move(
    atoms: Arrays,
    compounds: Arrays,
    units: Arrays,
    sums: Array, unit: Number, new: Number, to_train: Number, to_test: Number,
) -> None:  # fmt: skip
    _apply(atoms[0], atoms[1], atoms[2], atoms[3], unit, to_train, to_test)
    _apply(compounds[0], compounds[1], compounds[2], compounds[3], unit, to_train, to_test)
    units[0][unit] = new
    sums[0] += to_train * units[2][unit]
    sums[1] += to_test * units[2][unit]
    sums[2] -= (to_train + to_test) * units[2][unit]
    sums[3] += to_train * units[3][unit]
    sums[4] += to_test * units[3][unit]
    sums[5] += to_train * atoms[6][unit]
    sums[6] += to_test * atoms[6][unit]
    sums[7] += to_train * compounds[6][unit]
    sums[8] += to_test * compounds[6][unit]


@compiled
def apply_move(
    atoms: Arrays,
    compounds: Arrays,
    units: Arrays,
    sums: Array, similarities: Array, unit: Number, new: Number,
) -> None:  # fmt: skip
    """Move one unit, come what may."""
    old = units[0][unit]
    to_train = np.int64(new == TRAIN) - np.int64(old == TRAIN)
    to_test = np.int64(new == TEST) - np.int64(old == TEST)
    similarities[0] += _change(atoms[0], atoms[1], atoms[2], atoms[3], atoms[4], atoms[5], unit, to_train, to_test)
    similarities[1] += _change(
        compounds[0], compounds[1], compounds[2], compounds[3], compounds[4], compounds[5], unit, to_train, to_test
    )
    sums[9] += _unseen_change(atoms[0], atoms[1], atoms[2], atoms[3], unit, to_train, to_test)
    _move(atoms, compounds, units, sums, unit, new, to_train, to_test)


@compiled
def move_energy(
    atoms: Arrays,
    compounds: Arrays,
    place: Array, sums: Array, similarities: Array, aim: Array, candidates: Array, new: Number,
) -> Array:  # fmt: skip
    """The energy after each candidate's move to a place, one at a time; nothing is moved."""
    energies = np.empty(candidates.size)
    for i in range(candidates.size):
        old = place[candidates[i]]
        to_train = np.int64(new == TRAIN) - np.int64(old == TRAIN)
        to_test = np.int64(new == TEST) - np.int64(old == TEST)
        energies[i] = _trial(atoms, compounds, sums, similarities, aim, candidates[i], to_train, to_test)[0]
    return energies


@compiled
def components(indptr: Array, indices: Array, features: Number) -> Array:
    """Units that share features, directly or by way of others, have the same number."""
    parent = np.arange(indptr.size - 1).astype(np.int32)
    first = np.full(features, -1, np.int32)
    for unit in range(indptr.size - 1):
        for j in range(indptr[unit], indptr[unit + 1]):
            feature = indices[j]
            if first[feature] < 0:
                first[feature] = unit
                continue
            a, b = np.int64(first[feature]), np.int64(unit)
            while parent[a] != a:
                parent[a] = parent[parent[a]]
                a = np.int64(parent[a])
            while parent[b] != b:
                parent[b] = parent[parent[b]]
                b = np.int64(parent[b])
            parent[max(a, b)] = min(a, b)
    for unit in range(indptr.size - 1):
        parent[unit] = parent[parent[unit]]
    return parent
