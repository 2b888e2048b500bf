"""A split of a corpus with the divergences asked for: the public side of the search."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from kontrast.errors import KontrastError
from kontrast.options import keywords, records
from kontrast.splitting import search_moves as moves
from kontrast.splitting.compiled_loops import components
from kontrast.splitting.corpus_counts import CorpusCounts, load_counts
from kontrast.splitting.measured_divergence import (
    Divergence,
    compare_sets,
    measure,
    refuse_other_features,
    warnings_of,
)
from kontrast.splitting.options import SplitOptions
from kontrast.splitting.search import EFFORTS, SearchResult, search, with_excess
from kontrast.splitting.search_problem import TO_TEST, Aim, Problem, Windows, prepare
from kontrast.splitting.split_files import Split, ids_of, load_split
from kontrast.splitting.token_table import Array

LENGTH_RATIO = (0.8, 1.25)
"""The window on mean length of test over train's, unless another one is given."""
STRUCTURAL = ("length", "depth")
"""Features by which a split is about length, so that no window on it makes sense."""

CLOSE = 0.0005
"""A target counts as reached when three decimals are right."""

Report = Callable[[float, int, int, float, float], None]
"""Called with the compound target, the sweep, the number of sweeps, and both divergences."""


@keywords(SplitOptions)
def split(
    counts: CorpusCounts | str | Path,
    options: SplitOptions | None = None,
    *,
    report: Report | None = None,
    **given: Any,
) -> list[Split]:
    """Split a corpus so that test's atoms and compounds diverge from train's as the options say.

    Options are a record or keywords: one split for each of their compound targets and seeds. Without
    ``atom_weight`` a miss of the atom divergence counts 1, and 2.25 where it exceeds a random split's and the
    compound target is above a random split's.
    """
    if options is None:
        [options] = records(given, split, SplitOptions)
    counts = counts if isinstance(counts, CorpusCounts) else load_counts(counts)
    other = load_counts(options.against) if isinstance(options.against, (str, Path)) else options.against
    fixed = np.zeros(0, np.int64)
    if options.fixed_train is not None:
        fixed = ids_of(options.fixed_train, counts.sentences)
    resume = load_split(options.resume) if isinstance(options.resume, (str, Path)) else options.resume
    windows = _windows(options, counts)
    aims = [
        Aim(
            options.atom, target, 1.0 if options.atom_weight is None else options.atom_weight,
            options.compound_weight, options.atom_cap, options.no_unseen_atoms, options.atom_alpha,
            options.compound_alpha,
        )
        for target in options.compound
    ]  # fmt: skip
    for aim in aims:
        _check(aim, windows, counts.sentences)
    if options.effort not in EFFORTS:
        raise KontrastError(f"{options.effort!r} is not a level of effort; expected one of {', '.join(EFFORTS)}")
    if options.featureless not in ("nowhere", "train", "anywhere"):
        raise KontrastError(f"featureless={options.featureless!r}: expected nowhere, train or anywhere")
    if other is not None:
        refuse_other_features(other, counts)
    if resume is not None and resume.sentences != counts.sentences:
        told = f"it has {resume.sentences} sentences, and the counts have {counts.sentences}"
        raise KontrastError(f"--resume: the split belongs to another corpus ({told})")
    if other is not None and (options.fixed_train is not None or options.dev or resume is not None):
        raise KontrastError("--against: train is another corpus, so leave out --fixed-train, --resume and --dev")
    if options.featureless == "train":
        fixed = np.union1d(fixed, np.flatnonzero((np.diff(counts.compounds.indptr) == 0) & counts.kept))
    problem = prepare(
        counts,
        together=options.together,
        share_of=windows.measure,
        featureless=options.featureless == "anywhere",
        fixed_train=fixed,
        no_unseen_atoms=options.no_unseen_atoms,
        discard=options.discard > 0,
        against=other,
    )
    _check_reachable(problem, windows)
    if options.atom_weight is None:
        aims = [with_excess(problem, aim, windows) for aim in aims]
    start = None if resume is None else _places(problem, resume)

    def work(aim: Aim, seed: int) -> Split:
        begun, cpu = time.perf_counter(), time.thread_time()
        found = _best_chain(problem, aim, seed, windows, options, start, report)
        result = _finished(counts, problem, aim, seed, windows, found, fixed, other, options)
        return msgspec.structs.replace(
            result, seconds=time.perf_counter() - begun, cpu_seconds=time.thread_time() - cpu
        )

    tasks = list(product(aims, options.seed))
    if len(tasks) == 1:
        return [work(*tasks[0])]
    with ThreadPoolExecutor(max_workers=2) as pool:  # the compiled loops do not hold the lock
        return list(pool.map(work, *zip(*tasks, strict=True)))


def _windows(options: SplitOptions, counts: CorpusCounts) -> Windows:
    low, high = options.test_share
    if not 0 < low <= high < 1:
        shown = window_text(options.test_share)
        raise KontrastError(f"the test share must be a window within 0 and 1, such as 0.1:0.2, not {shown}")
    size, ratio = options.test_size, options.length_ratio
    if ratio == "auto":
        ratio = "open" if counts.about.get("features") in STRUCTURAL else LENGTH_RATIO
    return Windows(
        (float(low), float(high)), (size, size) if isinstance(size, int) else size, options.discard,
        None if isinstance(ratio, str) else ratio, options.share_of,
    )  # fmt: skip


def _best_chain(
    problem: Problem, aim: Aim, seed: int, windows: Windows, options: SplitOptions, start: Array | None,
    report: Report | None,
) -> SearchResult:  # fmt: skip
    """One search, or several at the same time from different seeds, of which the best is kept."""

    def chain(number: int) -> SearchResult:
        told = None if report is None or number else partial(report, aim.compound)
        return search(
            problem, aim, windows, seed=seed + 1000 * number, effort=options.effort, seconds=options.seconds,
            start=start, report=told,
        )  # fmt: skip

    chains = EFFORTS[options.effort].chains
    if chains == 1:
        return chain(0)
    with ThreadPoolExecutor(max_workers=chains) as pool:
        found = list(pool.map(chain, range(chains)))
    return min(found, key=lambda f: aim.energy(f.atom_divergence, f.compound_divergence))


def _finished(
    counts: CorpusCounts, problem: Problem, aim: Aim, seed: int, windows: Windows, found: SearchResult, fixed: Array,
    other: CorpusCounts | None, options: SplitOptions,
) -> Split:  # fmt: skip
    place = np.where(problem.unit >= 0, found.place[problem.unit], -1)
    place[fixed] = moves.TRAIN  # also those that take no part in the search
    train, test = np.flatnonzero(place == moves.TRAIN), np.flatnonzero(place == moves.TEST)
    held = _take_dev(counts, problem, place, fixed, options.dev, keep_atoms=aim.no_unseen_atoms, seed=seed)
    kept = np.setdiff1d(train, held)
    if other is not None:
        measured = compare_sets(
            [(other, None)], (counts, test), atom_alpha=aim.atom_alpha, compound_alpha=aim.compound_alpha
        )
    else:
        measured = measure(
            counts, kept, test, atom_alpha=aim.atom_alpha, compound_alpha=aim.compound_alpha, seed=seed,
            draws=3 if counts.sentences < 200_000 else 1,
        )  # fmt: skip
    shares = _shares(counts, problem, train, test)
    size = len(test) if windows.test_size else shares[windows.measure]
    off = abs(measured.compound_divergence - aim.compound)
    return Split(
        train=kept,
        test=test,
        dev=held,
        discarded=np.flatnonzero(place == moves.DISCARD),
        featureless=np.flatnonzero((place == -1) & counts.kept),
        filtered=np.flatnonzero((place == -1) & ~counts.kept),
        atom_divergence=measured.atom_divergence,
        compound_divergence=measured.compound_divergence,
        test_share_compounds=shares["compounds"],
        test_share_sentences=shares["sentences"],
        test_share_tokens=shares["tokens"],
        length_ratio=measured.test_length / max(1e-9, measured.train_length),
        aim=aim,
        windows=windows,
        measured=measured,
        seed=seed,
        effort=options.effort,
        seconds=0.0,
        cpu_seconds=0.0,
        reached=off < CLOSE and (aim.atom_cap is None or measured.atom_divergence <= aim.atom_cap + CLOSE),
        notes=tuple(_notes(problem, aim, windows, measured, size, options.together)),
        trajectory=found.trajectory,
        together=options.together,
        against="" if other is None else str(other.about.get("corpus", "another corpus")),
    )


def _shares(counts: CorpusCounts, problem: Problem, train: Array, test: Array) -> dict[str, float]:
    """Test's share of train and test together, in each measure; of the whole corpus where train is another one."""
    whole = np.flatnonzero(problem.unit >= 0) if problem.against else np.concatenate([train, test])
    mass = counts.compounds.mass()
    return {
        "compounds": float(mass[test].sum() / max(1, mass[whole].sum())),
        "sentences": len(test) / max(1, len(whole)),
        "tokens": float(counts.lengths[test].sum() / max(1, counts.lengths[whole].sum())),
    }


def _check(aim: Aim, windows: Windows, sentences: int) -> None:
    for name, value in (("atom", aim.atom), ("compound", aim.compound)):
        if not 0 <= value <= 1:
            raise KontrastError(f"a target {name} divergence must be from 0 to 1, not {value:g}")
    for name, value in (("atom", aim.atom_alpha), ("compound", aim.compound_alpha)):
        if not 0 < value < 1:
            raise KontrastError(f"the alpha of {name}s must be above 0 and below 1, not {value:g}")
    for name, weight in (("atom", aim.atom_weight), ("compound", aim.compound_weight)):
        if not 0 <= weight < np.inf:
            raise KontrastError(f"the weight of {name}s must be a number from 0 on, not {weight:g}")
    if not 0 <= windows.discard < 1:
        raise KontrastError(f"the share to discard must be at least 0 and below 1, not {windows.discard:g}")
    if windows.test_size is not None and not 0 < windows.test_size[0] <= windows.test_size[1] < sentences:
        raise KontrastError(f"a test set of {windows.test_size[1]} cannot be taken from {sentences} sentences")
    ratio = windows.length_ratio
    if ratio is not None and not 0 <= ratio[0] < ratio[1]:
        raise KontrastError(f"the length ratio must be a window such as 0.8:1.25, not {window_text(ratio)}")


def _places(problem: Problem, earlier: Split) -> Array:
    place = np.full(problem.units, moves.DISCARD, np.int8)
    for side, ids in (
        (moves.TRAIN, np.concatenate([earlier.train, earlier.dev])),
        (moves.TEST, earlier.test),
    ):
        unit = problem.unit[ids]
        place[unit[unit >= 0]] = side
    return place


def _take_dev(
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
    train = np.flatnonzero(place == moves.TRAIN)
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
        needed, left = sides[:, moves.TEST] > 0, sides[:, moves.TRAIN].astype(np.int64)
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
            f"a dev set of {size} sentences leaves train without atoms of test; {size - room} sentences are possible"
        )
    return np.sort(np.concatenate(chosen)) if chosen else np.zeros(0, np.int64)


def _check_reachable(problem: Problem, windows: Windows) -> None:
    """Refuse sizes that no split can have, before the search, and say which wish is in the way."""
    able = (problem.allowed & TO_TEST) > 0
    whole = int(problem.weight.sum())
    most = int(problem.weight[able].sum())
    if windows.test_size is not None:
        least, wish = float(windows.test_size[0]), f"a test side of {windows.test_size[0]} sentences"
    else:
        kept = 1.0 if problem.against else 1 - windows.discard
        least = windows.test_share[0] * kept * whole
        wish = f"a test share of at least {windows.test_share[0]:g}"
    if most < least:
        raise KontrastError(
            f"{wish} is not possible: the sentences that can be in test have {most} of {whole} {windows.measure};"
            " the others are fixed in train, or have an atom that no other sentence has (--no-unseen-atoms)"
        )
    if windows.length_ratio is not None:
        length = problem.tokens / np.maximum(1, problem.sentences)
        longest, shortest = float(length[able].max(initial=0)), float(length[able].min(initial=0))
        if problem.against:
            low = high = problem.other_tokens / problem.other_sentences
        else:
            low, high = float(length.min()), float(length.max())
        if longest < windows.length_ratio[0] * low or shortest > windows.length_ratio[1] * high:
            raise KontrastError(
                f"a length ratio of {window_text(windows.length_ratio)} is not possible: test sentences have "
                f"{shortest:g} to {longest:g} tokens, and train's mean is between {low:g} and {high:g}"
            )


def _notes(
    problem: Problem, aim: Aim, windows: Windows, measured: Divergence, test: float, together: str = ""
) -> list[str]:
    """One sentence for each thing to know; ``test`` is its share or size in what the window measures."""
    notes = []
    if abs(measured.compound_divergence - aim.compound) >= CLOSE:
        notes.append(_missed(problem, aim, measured))
    if aim.atom_cap is not None and measured.atom_divergence > aim.atom_cap + CLOSE:
        notes.append(f"the cap of {aim.atom_cap:g} on atom divergence is exceeded: {measured.atom_divergence:.4f}")
    if windows.test_size is not None:
        low, high = windows.test_size
        if not low <= test <= high:
            notes.append(f"test has {test:.0f} sentences, not {low if low == high else f'{low} to {high}'}")
    elif not windows.test_share[0] - 1e-9 <= test <= windows.test_share[1] + 1e-9:
        notes.append(
            f"the share of test in {windows.share_of} is {test:.4f}, outside of {window_text(windows.test_share)}"
        )
    ratio = measured.test_length / max(1e-9, measured.train_length)
    if windows.length_ratio is not None and not windows.length_ratio[0] <= ratio <= windows.length_ratio[1]:
        notes.append(
            f"test sentences are {ratio:.2f} times as long as train's, outside of {window_text(windows.length_ratio)}"
        )
    if measured.difference is not None:
        notes.extend(
            warnings_of(measured.difference, measured.random_difference, whole_documents=together == "documents")
        )
    return notes


def _missed(problem: Problem, aim: Aim, measured: Divergence) -> str:
    got = measured.compound_divergence
    why = f"compound divergence {aim.compound:g} was not reached; the best found is {got:.4f}"
    if got > aim.compound and measured.compound_floor is not None:
        alone = 1 - problem.compounds.totals.sum() / max(1, problem.compounds.mass.sum())
        why += (
            f" (at these sizes no split of these counts is below {measured.compound_floor:.4f}:"
            f" {alone:.0%} of the occurrences are of compounds that only one unit has)"
        )
    elif got < aim.compound and not problem.against:
        parts = components(problem.compounds.indptr, problem.compounds.indices, len(problem.compounds.totals))
        largest = np.bincount(parts, problem.sentences).max() / problem.sentences.sum()
        why += (
            f" ({largest:.0%} of the sentences are connected by shared compounds, directly or indirectly; a "
            f"larger --discard, a smaller test share or a wider length range helps)"
        )
    return why


def window_text(window: tuple[float, float]) -> str:
    return f"{window[0]:g}:{window[1]:g}"
