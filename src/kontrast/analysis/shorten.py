"""A short version of a suite that keeps the order of systems and the breakdown by phenomenon.

Stratified, then information: each phenomenon keeps its share; in it items are sorted by difficulty and cut into as
many cells as it may keep items. Each cell gives one item: first one of its more informative half, then, cell by cell,
the one that brings every known system's accuracy closest to that on the whole suite. (Information alone prefers items
on which strong systems are right and weak ones wrong, and makes systems look further apart than they are.) What that
is worth for systems that it has not seen is measured by leaving systems out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import msgspec
import numpy as np

from kontrast.analysis.items import fit_response, item_credits
from kontrast.errors import KontrastError
from kontrast.judging.correlation.statistics import kendall
from kontrast.judging.floats import Floats, Ints
from kontrast.judging.systems import names_of
from kontrast.record import Record
from kontrast.suites.model import Scores, Suite

_FOLDS, _ONE_BY_ONE = 5, 12
"""Up to so many systems are left out one at a time, more in folds."""


class ShortSystem(msgspec.Struct, frozen=True):
    """A system on the whole suite, on the short one, and on a short one that was made without it."""

    system: str
    accuracy: float
    short: float
    left_out: float


class Shortened(Record, frozen=True):
    """The short suite and how well it represents the whole.

    ``tau`` is Kendall's correlation of accuracies, short with whole (None where all systems tie). ``left_out_tau``
    and ``expected_error`` (root mean square, in shares) are those of systems that had no part in the choice.
    """

    suite: Suite
    items: int
    kept: int
    phenomena: dict[str, tuple[int, int]]
    """Items of each phenomenon: in the whole suite, in the short one."""
    systems: tuple[ShortSystem, ...]
    tau: float | None
    left_out_tau: float | None
    expected_error: float
    seed: int
    notes: tuple[str, ...] = ()


def shorten(suite: Suite, systems: Sequence[Scores], count: int, *, seed: int = 1) -> Shortened:
    """A version with ``count`` items, from the scores of four systems or more."""
    credit, decisions = item_credits(suite, systems)
    decided = np.unique(decisions.item)
    if not 1 <= count < len(decided):
        raise KontrastError(f"--size {count}: expected fewer items than {suite.name} has ({len(decided):,})")
    weights = np.bincount(decisions.item, minlength=len(suite.items)).astype(np.float64)
    strata = [suite.items[i].phenomenon or "(none)" for i in decided.tolist()]
    own, sizes = credit[:, decided], weights[decided]
    chosen = choose_items(own, strata, count, seed=seed)
    whole, short = _accuracy(own, sizes, None), _accuracy(own, sizes, chosen)
    left_out = _left_out(own, sizes, strata, count, seed)
    kept = [suite.items[i] for i in sorted(decided[chosen].tolist())]
    before, after = Counter(strata), Counter(strata[i] for i in chosen.tolist())
    notes = []
    if missing := [name for name in before if name not in after]:
        notes.append(f"--size is less than the number of phenomena: no item of {', '.join(missing)} is left")
    return Shortened(
        suite=msgspec.structs.replace(
            suite,
            items=tuple(kept),
            name=f"{suite.name}-{len(kept)}",
            extra={**suite.extra, "shortened_from": suite.name, "shortened_hash": suite.fingerprint[:8]},
        ),
        items=len(decided),
        kept=len(kept),
        phenomena={name: (n, after[name]) for name, n in before.items()},
        systems=tuple(
            ShortSystem(*row)
            for row in zip(names_of(systems), whole.tolist(), short.tolist(), left_out.tolist(), strict=True)
        ),
        tau=kendall(whole, short),
        left_out_tau=kendall(whole, left_out),
        expected_error=float(np.sqrt(((left_out - whole) ** 2).mean())),
        seed=seed,
        notes=tuple(notes),
    )


def choose_items(credit: Floats, strata: Sequence[str], count: int, *, seed: int = 1) -> Ints:
    """Indices of the items to keep; ``credit`` has a row a system."""
    chance = np.random.default_rng(seed)
    response = fit_response(credit)
    information = response.information()
    members: dict[str, list[int]] = defaultdict(list)
    for i, name in enumerate(strata):
        members[name].append(i)
    cells: list[Ints] = []
    for name, share in _allocate({name: len(own) for name, own in members.items()}, count).items():
        own = np.array(members[name])
        # Sorted by difficulty; chance decides among equals, so that cells are not those of the file's order.
        order = own[np.lexsort((chance.random(len(own)), -credit[:, own].mean(axis=0)))]
        if share:
            cells += [np.asarray(cell, dtype=np.int64) for cell in np.array_split(order, share)]
    target = credit.mean(axis=1) * len(cells)
    # Of each cell the half that tells most.
    ranked = (cell[np.argsort(-information[cell], kind="stable")] for cell in cells)
    picked = np.array([chance.choice(cell[: max(1, (len(cell) + 1) // 2)]) for cell in ranked], dtype=np.int64)
    error = credit[:, picked].sum(axis=1) - target
    for _ in range(2):
        for k in chance.permutation(len(cells)).tolist():
            others = error - credit[:, picked[k]]
            trial = ((others[:, None] + credit[:, cells[k]]) ** 2).sum(axis=0)
            best = int(cells[k][int(np.argmin(trial))])
            if trial.min() < (error**2).sum() - 1e-12:
                error = others + credit[:, best]
                picked[k] = best
    return np.sort(picked)


def _allocate(sizes: dict[str, int], count: int) -> dict[str, int]:
    """Shares in proportion, by largest remainders; each stratum keeps one where there is room."""
    total = sum(sizes.values())
    exact = {name: count * size / total for name, size in sizes.items()}
    least = 1 if count >= len(sizes) else 0
    given = {name: max(least, int(value)) for name, value in exact.items()}
    while sum(given.values()) > count:
        name = max((n for n in given if given[n] > least), key=lambda n: given[n] - exact[n])
        given[name] -= 1
    while sum(given.values()) < count:
        name = max((n for n in given if given[n] < sizes[n]), key=lambda n: exact[n] - given[n])
        given[name] += 1
    return given


def _left_out(credit: Floats, sizes: Floats, strata: Sequence[str], count: int, seed: int) -> Floats:
    """Each system's accuracy on items that were chosen without it."""
    systems = len(credit)
    fold = np.random.default_rng(seed).permutation(systems) % (systems if systems <= _ONE_BY_ONE else _FOLDS)
    found = np.empty(systems)
    for held in range(int(fold.max()) + 1):
        rest = credit[fold != held]
        chosen = choose_items(rest, strata, count, seed=seed)
        found[fold == held] = _accuracy(credit[fold == held], sizes, chosen)
    return found


def _accuracy(credit: Floats, sizes: Floats, chosen: Ints | None) -> Floats:
    if chosen is not None:
        credit, sizes = credit[:, chosen], sizes[chosen]
    found: Floats = (credit * sizes).sum(axis=1) / sizes.sum()
    return found
