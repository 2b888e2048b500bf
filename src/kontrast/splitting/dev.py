"""A dev set from the train side, at random: what is fixed stays in train, and what must not be torn apart is not."""

from __future__ import annotations

import numpy as np

from kontrast.errors import KontrastError
from kontrast.splitting import moving
from kontrast.splitting.matrix import CorpusCounts
from kontrast.splitting.problem import Problem
from kontrast.splitting.tokens import Array

__all__ = ["take_dev"]


def take_dev(
    counts: CorpusCounts,
    problem: Problem,
    place: Array,
    fixed: Array,
    dev: int | float,
    *,
    keep_atoms: bool,
    seed: int,
) -> Array:
    """Numbers of ``dev`` sentences (or that share) of train, by whole units, none of them fixed.

    With ``keep_atoms`` an atom of test that train has stays in train.
    """
    if not dev:
        return np.zeros(0, np.int64)
    train = np.flatnonzero(place == moving.TRAIN)
    size = int(dev) if dev >= 1 else round(dev * len(train))
    free = np.setdiff1d(train[problem.unit[train] >= 0], fixed)
    if size >= len(train):
        raise KontrastError(f"a dev set of {size} sentences leaves nothing of the {len(train)} in train")
    if size > len(free):
        raise KontrastError(f"a dev set of {size} sentences is more than the {len(free)} of train that are not fixed")
    units, number = np.unique(problem.unit[free], return_inverse=True)
    members = np.split(free[np.argsort(number, kind="stable")], np.cumsum(np.bincount(number))[:-1])
    needed, left = np.zeros(counts.atoms.features, np.bool_), np.zeros(0, np.int64)
    if keep_atoms:
        sides = counts.atoms.sides(place)
        needed, left = sides[:, moving.TEST] > 0, sides[:, moving.TRAIN].astype(np.int64)
    chosen: list[Array] = []
    room = size
    for i in np.random.default_rng([seed, 2]).permutation(len(units)).tolist():
        if not room:
            break
        if len(members[i]) > room:
            continue
        if keep_atoms:
            taken = counts.atoms.counts_in(members[i])
            if (needed[taken[0]] & (left[taken[0]] <= taken[1])).any():
                continue
            left[taken[0]] -= taken[1]
        chosen.append(members[i])
        room -= len(members[i])
    if room and keep_atoms:
        raise KontrastError(
            f"a dev set of {size} sentences cannot be taken without leaving test with atoms that train lacks; "
            f"{size - room} can"
        )
    return np.sort(np.concatenate(chosen)) if chosen else np.zeros(0, np.int64)
