"""A split of a corpus with the divergences asked for: the public side of the search."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np

from kontrast.errors import KontrastError
from kontrast.splitting import moving
from kontrast.splitting.dev import take_dev
from kontrast.splitting.matrix import CorpusCounts, load_counts
from kontrast.splitting.measuring import Divergence, compare_sets, measure
from kontrast.splitting.notes import CLOSE, check_reachable, split_notes, window_text
from kontrast.splitting.problem import Problem, prepare
from kontrast.splitting.searching import EFFORTS, Aim, SearchResult, Step, Windows, search, with_excess
from kontrast.splitting.tokens import Array

__all__ = ["LENGTH_RATIO", "Featureless", "Split", "split"]

LENGTH_RATIO = (0.8, 1.25)
"""The window on mean length of test over train's, unless another one is given."""
STRUCTURAL = ("length", "depth")
"""Features by which a split is about length, so that no window on it makes sense."""

Featureless = Literal["nowhere", "train", "anywhere"]


class Split(msgspec.Struct, frozen=True, kw_only=True):
    """Sentence numbers of each side, what was asked, and what came out.

    ``featureless`` are sentences without a compound, ``filtered`` those left out before counting: they take no part.
    Shares are test/(train + dev + test).
    """

    train: Array
    test: Array
    dev: Array
    discarded: Array
    featureless: Array
    filtered: Array
    atom_divergence: float
    compound_divergence: float
    test_share_compounds: float
    test_share_sentences: float
    test_share_tokens: float
    length_ratio: float
    aim: Aim
    windows: Windows
    measured: Divergence
    seed: int
    effort: str
    seconds: float
    cpu_seconds: float
    reached: bool
    notes: tuple[str, ...]
    trajectory: tuple[Step, ...]
    together: str = ""
    against: str = ""

    @property
    def sentences(self) -> int:
        """Sentences of the corpus, wherever they went."""
        sides = (self.train, self.test, self.dev, self.discarded, self.featureless, self.filtered)
        return sum(map(len, sides))

    @property
    def test_share(self) -> float:
        """The share of test in what its window measures."""
        return {
            "compounds": self.test_share_compounds,
            "sentences": self.test_share_sentences,
            "tokens": self.test_share_tokens,
        }[self.windows.measure]

    def to_dict(self) -> dict[str, Any]:
        """The split as `kontrast split --json` prints it: without its lists of sentences and the search's steps."""
        from kontrast.splitting.storing import summary_of

        summary = {name: value for name, value in summary_of(self).items() if name != "trajectory"}
        plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(summary))
        return plain


Report = Callable[[float, int, int, float, float], None]
"""Called with the compound target, the sweep, the number of sweeps, and both divergences."""


class _Task(msgspec.Struct, frozen=True):
    """One target and seed to search for."""

    aim: Aim
    seed: int


def split(
    counts: CorpusCounts | str | Path,
    *,
    atom: float = 0.0,
    compound: float | Sequence[float] = 1.0,
    test_share: tuple[float, float] = (0.1, 0.2),
    share_of: str = "compounds",
    test_size: int | tuple[int, int] | None = None,
    discard: float = 0.25,
    length_ratio: tuple[float, float] | Literal["auto", "open"] = "auto",
    featureless: str = "nowhere",
    together: str = "",
    fixed_train: Sequence[int] | None = None,
    no_unseen_atoms: bool = False,
    against: CorpusCounts | str | Path | None = None,
    atom_weight: float | None = None,
    compound_weight: float = 1.0,
    atom_cap: float | None = None,
    atom_alpha: float = 0.5,
    compound_alpha: float = 0.1,
    dev: int | float = 0,
    seed: int | Sequence[int] = 1,
    effort: str = "default",
    seconds: float | None = None,
    resume: Split | None = None,
    report: Report | None = None,
) -> list[Split]:
    """Split a corpus so that test's atoms and compounds diverge from train's as asked: one for each target and seed.

    ``test_share`` is of train + test, in ``share_of`` (compounds, sentences or tokens); ``discard`` of what takes
    part, in sentences and in the same measure. Test's mean length over train's stays within ``length_ratio``, .8:1.25
    unless it is "open". Sentences without a compound go ``nowhere``, to ``train``, or ``anywhere``. ``dev`` is a
    number or share of train's sentences, set aside at random. With ``against``, those counts are train and test is
    chosen from this corpus. ``atom_weight`` is what a miss of the atom divergence counts, one of the compounds'
    counting ``compound_weight``; without it 1, and 2.25 for what exceeds a random split's atom divergence where the
    compound target is above a random split's. ``seconds`` stops the search in time. The same
    seed gives the same split on the same machine, unless time runs out.
    """
    counts = counts if isinstance(counts, CorpusCounts) else load_counts(counts)
    other = load_counts(against) if isinstance(against, (str, Path)) else against
    targets = [float(t) for t in (compound if isinstance(compound, Sequence) else [compound])]
    sizes = (test_size, test_size) if isinstance(test_size, int) else test_size
    if length_ratio == "auto":
        length_ratio = "open" if counts.about.get("features") in STRUCTURAL else LENGTH_RATIO
    ratio = None if isinstance(length_ratio, str) else length_ratio
    windows = Windows(_pair(test_share, "test share"), sizes, discard, ratio, share_of)
    aims = [
        Aim(
            atom,
            target,
            1.0 if atom_weight is None else atom_weight,
            compound_weight,
            atom_cap,
            no_unseen_atoms,
            atom_alpha,
            compound_alpha,
        )
        for target in targets
    ]
    for aim in aims:
        _check(aim, windows, counts.sentences)
    if effort not in EFFORTS:
        raise KontrastError(f"{effort!r} is not an effort; expected one of {', '.join(EFFORTS)}")
    if featureless not in ("nowhere", "train", "anywhere"):
        raise KontrastError(f"featureless={featureless!r}: expected nowhere, train or anywhere")
    if other is not None and (fixed_train is not None or dev or resume is not None):
        raise KontrastError("--against: train is another corpus, so leave out --fixed-train, --resume and --dev")
    fixed = np.zeros(0, np.int64) if fixed_train is None else np.asarray(fixed_train, np.int64)
    if featureless == "train":
        fixed = np.union1d(fixed, np.flatnonzero((np.diff(counts.compounds.indptr) == 0) & counts.kept))
    problem = prepare(
        counts,
        together=together,
        share_of=windows.measure,
        featureless=featureless == "anywhere",
        fixed_train=fixed,
        no_unseen_atoms=no_unseen_atoms,
        discard=discard > 0,
        against=other,
    )
    check_reachable(problem, windows)
    if atom_weight is None:
        aims = [with_excess(problem, aim, windows) for aim in aims]
    start = None if resume is None else _places(problem, resume)

    def work(task: _Task) -> Split:
        begun, cpu = time.perf_counter(), time.thread_time()
        told = None if report is None else (lambda s, n, a, c: report(task.aim.compound, s, n, a, c))
        found = _best_chain(problem, task, windows, effort, seconds, start, told)
        result = _finished(counts, problem, task, windows, found, fixed, dev, other, effort, together)
        return msgspec.structs.replace(
            result, seconds=time.perf_counter() - begun, cpu_seconds=time.thread_time() - cpu
        )

    seeds = seed if isinstance(seed, Sequence) else [seed]
    tasks = [_Task(aim, each) for aim in aims for each in seeds]
    if len(tasks) == 1:
        return [work(tasks[0])]
    with ThreadPoolExecutor(max_workers=2) as pool:  # the compiled loops do not hold the lock
        return list(pool.map(work, tasks))


def _best_chain(
    problem: Problem, task: _Task, windows: Windows, effort: str, seconds: float | None,
    start: Array | None, report: Callable[[int, int, float, float], None] | None,
) -> SearchResult:  # fmt: skip
    """One search, or several at the same time from different seeds, of which the best is kept."""

    def chain(number: int) -> SearchResult:
        return search(
            problem, task.aim, windows, seed=task.seed + 1000 * number, effort=effort, seconds=seconds, start=start,
            report=report if number == 0 else None,
        )  # fmt: skip

    chains = EFFORTS[effort].chains
    if chains == 1:
        return chain(0)
    with ThreadPoolExecutor(max_workers=chains) as pool:
        found = list(pool.map(chain, range(chains)))
    return min(found, key=lambda f: task.aim.energy(f.atom_divergence, f.compound_divergence))


def _finished(
    counts: CorpusCounts, problem: Problem, task: _Task, windows: Windows, found: SearchResult, fixed: Array,
    dev: int | float, other: CorpusCounts | None, effort: str, together: str,
) -> Split:  # fmt: skip
    aim = task.aim
    place = np.where(problem.unit >= 0, found.place[problem.unit], -1)
    place[fixed] = moving.TRAIN  # also those that take no part in the search
    train, test = np.flatnonzero(place == moving.TRAIN), np.flatnonzero(place == moving.TEST)
    held = take_dev(counts, problem, place, fixed, dev, keep_atoms=aim.no_unseen_atoms, seed=task.seed)
    kept = np.setdiff1d(train, held)
    if other is not None:
        measured = compare_sets(
            [(other, None)], (counts, test), atom_alpha=aim.atom_alpha, compound_alpha=aim.compound_alpha
        )
    else:
        measured = measure(
            counts, kept, test, atom_alpha=aim.atom_alpha, compound_alpha=aim.compound_alpha, seed=task.seed,
            draws=3 if counts.sentences < 200_000 else 1,
        )  # fmt: skip
    shares = _shares(counts, problem, train, test)
    size = len(test) if windows.test_size else shares[windows.measure]
    off = abs(measured.compound_divergence - aim.compound)
    return Split(
        train=kept,
        test=test,
        dev=held,
        discarded=np.flatnonzero(place == moving.DISCARD),
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
        seed=task.seed,
        effort=effort,
        seconds=0.0,
        cpu_seconds=0.0,
        reached=off < CLOSE and (aim.atom_cap is None or measured.atom_divergence <= aim.atom_cap + CLOSE),
        notes=tuple(split_notes(problem, aim, windows, measured, size, together)),
        trajectory=found.trajectory,
        together=together,
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


def _pair(window: tuple[float, float], what: str) -> tuple[float, float]:
    low, high = window
    if not 0 < low <= high < 1:
        raise KontrastError(f"the {what} must be a window within 0 and 1, such as 0.1:0.2, not {window_text(window)}")
    return float(low), float(high)


def _check(aim: Aim, windows: Windows, sentences: int) -> None:
    for name, value in (("atom", aim.atom), ("compound", aim.compound)):
        if not 0 <= value <= 1:
            raise KontrastError(f"a target {name} divergence must be from 0 to 1, not {value:g}")
    for name, value in (("atom", aim.atom_alpha), ("compound", aim.compound_alpha)):
        if not 0 < value < 1:
            raise KontrastError(f"the alpha of {name}s must be above 0 and below 1, not {value:g}")
    if not 0 <= windows.discard < 1:
        raise KontrastError(f"the share to discard must be at least 0 and below 1, not {windows.discard:g}")
    if windows.test_size is not None and not 0 < windows.test_size[0] <= windows.test_size[1] < sentences:
        raise KontrastError(f"a test set of {windows.test_size[1]} cannot be taken from {sentences} sentences")
    ratio = windows.length_ratio
    if ratio is not None and not 0 <= ratio[0] < ratio[1]:
        raise KontrastError(f"the length ratio must be a window such as 0.8:1.25, not {window_text(ratio)}")


def _places(problem: Problem, earlier: Split) -> Array:
    place = np.full(problem.units, moving.DISCARD, np.int8)
    for side, ids in (
        (moving.TRAIN, np.concatenate([earlier.train, earlier.dev])),
        (moving.TEST, earlier.test),
    ):
        unit = problem.unit[ids]
        place[unit[unit >= 0]] = side
    return place
