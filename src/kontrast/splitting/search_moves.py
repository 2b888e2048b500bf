"""The inner loops of the search: what moving one unit changes, and sweeps of such moves.

With train counts y and test counts x the similarity is S = Σ yᵅ x¹⁻ᵅ, the divergence 1 − S / (Yᵅ X¹⁻ᵅ) with Y and X
the totals. A unit's move touches its own features only; powers come from tables indexed by count.

The names of array elements below are constants to the compiler. They stay in this file: compiled code is kept between
runs as long as the file it stands in is unchanged.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kontrast.splitting.compiled_loops import compiled, inlined

Array = np.ndarray[Any, Any]
Number = Any
"""The compiler finds out which."""

TRAIN, TEST, DISCARD = 0, 1, 2

# what to reach
(ATOM_TARGET, COMPOUND_TARGET, ATOM_WEIGHT, COMPOUND_WEIGHT, ATOM_CAPPED, EXCESS_FROM, EXCESS_WEIGHT, UNSEEN_WEIGHT,
 ATOM_ALPHA, COMPOUND_ALPHA, AIMS) = range(11)  # fmt: skip

# sizes of a unit, and their sums at each place; weight is what the share of test is a share of
SENTENCES, TOKENS, WEIGHT, ATOM_MASS, COMPOUND_MASS, SIZES = range(6)
# beside the sums of test: the mass of its atoms that train lacks
UNSEEN, SUMS = SIZES, SIZES + 1

# limits to keep; SHARE_OF_ALL is 1 where the share of test is of the whole corpus, discarded sentences included
(LEAST_SHARE, MOST_SHARE, SHARE_OF_ALL, LEAST_TEST, MOST_TEST, MOST_DISCARDED, MOST_DISCARDED_WEIGHT, LEAST_RATIO,
 MOST_RATIO, ALL_SENTENCES, ALL_WEIGHT, SLACK, LIMITS) = range(13)  # fmt: skip

# what a unit pays for taking up room at the edge of a limit
(DISCARD_PRICE, DISCARD_WEIGHT_PRICE, LEAST_TEST_PRICE, MOST_TEST_PRICE, SHORT_PRICE, LONG_PRICE, PRICES) = range(7)

ATOMS, COMPOUNDS = 0, 1


class FeatureArrays(NamedTuple):
    """A sparse matrix of units and features, each feature's counts in train and test, and tables of powers."""

    starts: Array
    features: Array
    counts: Array
    sides: Array
    train_power: Array
    test_power: Array


class UnitArrays(NamedTuple):
    """Of each unit: its place, the places it may take as bits, a row of its sizes, and from which sweep on it is
    visited again; ``order`` lists the units that may move."""

    place: Array
    allowed: Array
    sizes: Array
    order: Array
    rest: Array


class SplitArrays(NamedTuple):
    """A split in the making: the sums of sizes at each place, both similarities, and what to reach.

    The loops take them one by one: arrays in a tuple in a tuple cost them a third of their speed.
    """

    atoms: FeatureArrays
    compounds: FeatureArrays
    units: UnitArrays
    sums: Array
    similarities: Array
    aim: Array


@compiled
def _random(state: Array) -> Number:
    value = state[0]
    value ^= value << np.uint64(13)
    value ^= value >> np.uint64(7)
    value ^= value << np.uint64(17)
    state[0] = value
    return value


@compiled
def similarity(sides: Array, train_power: Array, test_power: Array) -> Number:
    """S, computed anew."""
    total = 0.0
    for k in range(sides.shape[0]):
        total += train_power[sides[k, TRAIN]] * test_power[sides[k, TEST]]
    return total


@inlined
def _change(matrix: FeatureArrays, unit: Number, to_train: Number, to_test: Number) -> Number:
    """What S gains when the unit's counts go into (1) or out of (-1) train and test."""
    gain = 0.0
    for j in range(matrix.starts[unit], matrix.starts[unit + 1]):
        feature = matrix.features[j]
        count = np.int64(matrix.counts[j])
        train = np.int64(matrix.sides[feature, TRAIN])
        test = np.int64(matrix.sides[feature, TEST])
        gain += matrix.train_power[train + to_train * count] * matrix.test_power[test + to_test * count]
        gain -= matrix.train_power[train] * matrix.test_power[test]
    return gain


@inlined
def _unseen_change(matrix: FeatureArrays, unit: Number, to_train: Number, to_test: Number) -> Number:
    """What the mass of test features that train lacks gains by the same move."""
    gain: Number = 0
    for j in range(matrix.starts[unit], matrix.starts[unit + 1]):
        feature = matrix.features[j]
        count = np.int64(matrix.counts[j])
        train = np.int64(matrix.sides[feature, TRAIN])
        test = np.int64(matrix.sides[feature, TEST])
        if train == 0:
            gain -= test
        if train + to_train * count == 0:
            gain += test + to_test * count
    return gain


@inlined
def _apply(matrix: FeatureArrays, unit: Number, to_train: Number, to_test: Number) -> None:
    for j in range(matrix.starts[unit], matrix.starts[unit + 1]):
        matrix.sides[matrix.features[j], TRAIN] += to_train * np.int32(matrix.counts[j])
        matrix.sides[matrix.features[j], TEST] += to_test * np.int32(matrix.counts[j])


@inlined
def _trial(
    atoms: FeatureArrays,
    compounds: FeatureArrays,
    units: UnitArrays,
    sums: Array, similarities: Array, aim: Array, unit: Number, to_train: Number, to_test: Number,
) -> tuple[Number, Number]:  # fmt: skip
    """The energy after a move, infinite where a side empties; what both similarities gain and the unseen mass."""
    train_atoms = sums[TRAIN, ATOM_MASS] + to_train * units.sizes[unit, ATOM_MASS]
    test_atoms = sums[TEST, ATOM_MASS] + to_test * units.sizes[unit, ATOM_MASS]
    train_compounds = sums[TRAIN, COMPOUND_MASS] + to_train * units.sizes[unit, COMPOUND_MASS]
    test_compounds = sums[TEST, COMPOUND_MASS] + to_test * units.sizes[unit, COMPOUND_MASS]
    if train_atoms <= 0 or test_atoms <= 0 or train_compounds <= 0 or test_compounds <= 0:
        return np.inf, (0.0, 0.0, np.int64(0))
    atom_gain = _change(atoms, unit, to_train, to_test)
    compound_gain = _change(compounds, unit, to_train, to_test)
    unseen = sums[TEST, UNSEEN]
    if aim[UNSEEN_WEIGHT] > 0:
        unseen += _unseen_change(atoms, unit, to_train, to_test)
    alpha = aim[ATOM_ALPHA]
    atom = 1 - (similarities[ATOMS] + atom_gain) / (train_atoms**alpha * test_atoms ** (1 - alpha))
    alpha = aim[COMPOUND_ALPHA]
    compound = 1 - (similarities[COMPOUNDS] + compound_gain) / (
        train_compounds**alpha * test_compounds ** (1 - alpha)
    )
    return _energy(atom, compound, unseen / test_atoms, aim), (atom_gain, compound_gain, unseen)


@compiled
def _energy(atom: Number, compound: Number, unseen: Number, aim: Array) -> Number:
    off = atom - aim[ATOM_TARGET]
    atom_off = max(0.0, off) if aim[ATOM_CAPPED] > 0 else abs(off)
    atom_off += aim[EXCESS_WEIGHT] * max(0.0, atom - aim[EXCESS_FROM])
    compound_off = abs(compound - aim[COMPOUND_TARGET])
    return aim[ATOM_WEIGHT] * atom_off + aim[COMPOUND_WEIGHT] * compound_off + aim[UNSEEN_WEIGHT] * unseen


@compiled
def _violation(
    sums: Array, limits: Array, to_train: Number, to_test: Number, sentences: Number, tokens: Number, weight: Number
) -> Number:
    """How far outside of the limits sums are after so much has moved, as shares of the corpus; 0 inside."""
    slack = limits[SLACK]
    discarded = sums[DISCARD, WEIGHT] - (to_train + to_test) * weight
    test = sums[TEST, WEIGHT] + to_test * weight
    whole = limits[ALL_WEIGHT] - (1 - limits[SHARE_OF_ALL]) * discarded
    least = max(limits[LEAST_TEST], limits[LEAST_SHARE] * whole)
    most = min(limits[MOST_TEST], limits[MOST_SHARE] * whole)
    off = max(0.0, (least - test) / limits[ALL_WEIGHT] - slack)
    off += max(0.0, (test - most) / limits[ALL_WEIGHT] - slack)
    off += max(0.0, (discarded - limits[MOST_DISCARDED_WEIGHT]) / limits[ALL_WEIGHT] - slack)
    discarded = sums[DISCARD, SENTENCES] - (to_train + to_test) * sentences
    off += max(0.0, (discarded - limits[MOST_DISCARDED]) / limits[ALL_SENTENCES] - slack)
    if limits[LEAST_RATIO] > 0 or limits[MOST_RATIO] < 1e9:
        ratio = (sums[TEST, TOKENS] + to_test * tokens) / max(1.0, sums[TEST, SENTENCES] + to_test * sentences)
        ratio *= max(1.0, sums[TRAIN, SENTENCES] + to_train * sentences)
        ratio /= max(1.0, sums[TRAIN, TOKENS] + to_train * tokens)
        off += max(0.0, limits[LEAST_RATIO] - ratio - 5 * slack) + max(0.0, ratio - limits[MOST_RATIO] - 5 * slack)
    return off


@compiled
def _set_prices(prices: Array, sums: Array, limits: Array, temperature: Number) -> None:
    """Raise the price of a limit that is exceeded, lower it while there is room.

    So sums stay at the edge of their limits and single moves go on there, where a hard limit would let nothing move.
    """
    step = 0.04 * temperature
    room = 0.001 * limits[ALL_WEIGHT]
    whole = limits[ALL_WEIGHT] - (1 - limits[SHARE_OF_ALL]) * sums[DISCARD, WEIGHT]
    least = max(limits[LEAST_TEST], limits[LEAST_SHARE] * whole)
    most = min(limits[MOST_TEST], limits[MOST_SHARE] * whole)
    ratio = np.float64(sums[TEST, TOKENS]) * max(1, sums[TRAIN, SENTENCES])
    ratio /= max(1.0, np.float64(sums[TRAIN, TOKENS]) * max(1, sums[TEST, SENTENCES]))
    for price in range(PRICES):
        if price == DISCARD_PRICE:
            over = (sums[DISCARD, SENTENCES] - limits[MOST_DISCARDED]) / (0.001 * limits[ALL_SENTENCES])
        elif price == DISCARD_WEIGHT_PRICE:
            over = (sums[DISCARD, WEIGHT] - limits[MOST_DISCARDED_WEIGHT]) / room
        elif price == LEAST_TEST_PRICE:
            over = (least - sums[TEST, WEIGHT]) / room
        elif price == MOST_TEST_PRICE:
            over = (sums[TEST, WEIGHT] - most) / room
        elif price == SHORT_PRICE:
            over = (limits[LEAST_RATIO] - ratio) / 0.005
        else:
            over = (ratio - limits[MOST_RATIO]) / 0.005
        prices[price] = max(0.0, prices[price] + step * min(1.0, max(-1.0, over)))


@inlined
def _priced(
    prices: Array, sums: Array, limits: Array, units: Number, to_train: Number, to_test: Number, sentences: Number,
    tokens: Number, weight: Number,
) -> Number:  # fmt: skip
    """What a move costs or earns at these prices."""
    per_weight = units / limits[ALL_WEIGHT]
    per_sentence = units / limits[ALL_SENTENCES]
    length = sums[TRAIN, TOKENS] / max(1.0, np.float64(sums[TRAIN, SENTENCES]))
    in_test = (prices[MOST_TEST_PRICE] - prices[LEAST_TEST_PRICE]) * weight * per_weight
    if prices[SHORT_PRICE] > 0:
        in_test += prices[SHORT_PRICE] * (limits[LEAST_RATIO] * sentences - tokens / length) * per_sentence
    if prices[LONG_PRICE] > 0:
        in_test += prices[LONG_PRICE] * (tokens / length - limits[MOST_RATIO] * sentences) * per_sentence
    kept = prices[DISCARD_PRICE] * sentences * per_sentence + prices[DISCARD_WEIGHT_PRICE] * weight * per_weight
    return to_test * in_test - (to_train + to_test) * kept


@compiled
def sweep(
    atoms: FeatureArrays,
    compounds: FeatureArrays,
    units: UnitArrays,
    sums: Array,
    similarities: Array,
    aim: Array,
    limits: Array,
    prices: Array,
    temperature: Number,
    number: Number,
    random: Array,
) -> None:
    """Visit the units in a random order, offering each a move.

    A hopeless move lets its unit rest for a few sweeps. A move across a limit is tried together with the opposite
    move of another unit.
    """
    similarities[ATOMS] = similarity(atoms.sides, atoms.train_power, atoms.test_power)
    similarities[COMPOUNDS] = similarity(compounds.sides, compounds.train_power, compounds.test_power)
    order = units.order
    count = order.size
    energy = _trial(atoms, compounds, units, sums, similarities, aim, order[0], 0, 0)[0]
    off = _violation(sums, limits, 0, 0, 0, 0, 0)
    every = max(1, count // 64)
    for i in range(count):
        if i % every == 0 and temperature > 0:
            _set_prices(prices, sums, limits, temperature)
        j = i + np.int64(_random(random) % np.uint64(count - i))
        unit = order[j]
        order[j] = order[i]
        order[i] = unit
        if units.rest[unit] > number:
            continue
        old = np.int64(units.place[unit])
        new = (old + 1 + np.int64((_random(random) >> np.uint64(40)) & np.uint64(1))) % 3
        if not (units.allowed[unit] >> new) & 1:
            new = 3 - old - new
            if not (units.allowed[unit] >> new) & 1:
                continue
        to_train = np.int64(new == TRAIN) - np.int64(old == TRAIN)
        to_test = np.int64(new == TEST) - np.int64(old == TEST)
        sentences, tokens = units.sizes[unit, SENTENCES], units.sizes[unit, TOKENS]
        weight = units.sizes[unit, WEIGHT]
        would = _violation(sums, limits, to_train, to_test, sentences, tokens, weight)
        partner = -1
        if would > off:  # a limit is in the way: another unit must come back for this one
            for _ in range(12):
                other = order[np.int64(_random(random) % np.uint64(count))]
                if units.place[other] == new and (units.allowed[other] >> old) & 1:
                    partner = other
                    break
            if partner < 0:
                continue
            sentences -= units.sizes[partner, SENTENCES]
            tokens -= units.sizes[partner, TOKENS]
            weight -= units.sizes[partner, WEIGHT]
            would = _violation(sums, limits, to_train, to_test, sentences, tokens, weight)
            if would > off:
                continue
        new_energy, gains = _trial(atoms, compounds, units, sums, similarities, aim, unit, to_train, to_test)
        if new_energy == np.inf:  # a side would be left without features
            continue
        worse = new_energy - energy
        worse += _priced(prices, sums, limits, count, to_train, to_test, sentences, tokens, weight)
        if partner >= 0:  # as if the two had nothing in common, which is nearly so
            back = _trial(atoms, compounds, units, sums, similarities, aim, partner, -to_train, -to_test)[0]
            worse += back - energy
        uniform = np.float64(_random(random) >> np.uint64(11)) / 9007199254740992.0
        if worse <= 0 or would < off or (temperature > 0 and uniform < np.exp(-worse / temperature)):
            _move(atoms, compounds, units, sums, similarities, unit, new, gains)
            if partner >= 0:
                unit, new = partner, old
                new_energy, gains = _trial(
                    atoms, compounds, units, sums, similarities, aim, unit, -to_train, -to_test
                )
                _move(atoms, compounds, units, sums, similarities, unit, new, gains)
            energy = new_energy
            off = would
        elif worse > 12 * temperature and temperature > 0:
            units.rest[unit] = number + 1 + np.int64(_random(random) % np.uint64(3))


@inlined
def _move(
    atoms: FeatureArrays,
    compounds: FeatureArrays,
    units: UnitArrays,
    sums: Array, similarities: Array, unit: Number, new: Number, gains: Number,
) -> None:  # fmt: skip
    old = np.int64(units.place[unit])
    to_train = np.int64(new == TRAIN) - np.int64(old == TRAIN)
    to_test = np.int64(new == TEST) - np.int64(old == TEST)
    _apply(atoms, unit, to_train, to_test)
    _apply(compounds, unit, to_train, to_test)
    units.place[unit] = new
    for size in range(SIZES):
        sums[old, size] -= units.sizes[unit, size]
        sums[new, size] += units.sizes[unit, size]
    similarities[ATOMS] += gains[0]
    similarities[COMPOUNDS] += gains[1]
    sums[TEST, UNSEEN] = gains[2]


@compiled
def apply_move(
    atoms: FeatureArrays,
    compounds: FeatureArrays,
    units: UnitArrays,
    sums: Array, similarities: Array, unit: Number, new: Number,
) -> None:  # fmt: skip
    """Move one unit, whatever it costs."""
    old = units.place[unit]
    to_train = np.int64(new == TRAIN) - np.int64(old == TRAIN)
    to_test = np.int64(new == TEST) - np.int64(old == TEST)
    unseen = sums[TEST, UNSEEN] + _unseen_change(atoms, unit, to_train, to_test)
    gains = _change(atoms, unit, to_train, to_test), _change(compounds, unit, to_train, to_test), unseen
    _move(atoms, compounds, units, sums, similarities, unit, new, gains)


@compiled
def move_energy(
    atoms: FeatureArrays,
    compounds: FeatureArrays,
    units: UnitArrays,
    sums: Array, similarities: Array, aim: Array, candidates: Array, new: Number,
) -> Array:  # fmt: skip
    """The energy after each candidate's move to a place, one at a time; nothing is moved."""
    energies = np.empty(candidates.size)
    for i in range(candidates.size):
        old = units.place[candidates[i]]
        to_train = np.int64(new == TRAIN) - np.int64(old == TRAIN)
        to_test = np.int64(new == TEST) - np.int64(old == TEST)
        energies[i] = _trial(atoms, compounds, units, sums, similarities, aim, candidates[i], to_train, to_test)[0]
    return energies
