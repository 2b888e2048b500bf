"""A split of a corpus with the divergences asked for: the public side of the search."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from kontrast.errors import InputError, KontrastError
from kontrast.splitting import moving
from kontrast.splitting.matrix import Counts, load_counts
from kontrast.splitting.measuring import Divergence, measure, read_ids
from kontrast.splitting.problem import Problem, prepare
from kontrast.splitting.searching import EFFORTS, Aim, Found, Step, Windows, search
from kontrast.splitting.tokens import Array

__all__ = ["Split", "load_split", "save_split", "split"]

CLOSE = 0.0005
"""A target counts as reached when three decimals are right."""


class Split(msgspec.Struct, frozen=True):
    """Sentence numbers of each side, what was asked, and what came out."""

    train: Array
    test: Array
    dev: Array
    discarded: Array
    atom_divergence: float
    compound_divergence: float
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

    @property
    def test_share(self) -> float:
        return len(self.test) / max(1, len(self.train) + len(self.dev) + len(self.test))


Report = Callable[[float, int, int, float, float], None]
"""Called with the compound target, the sweep, the number of sweeps, and both divergences."""


def split(
    counts: Counts | str | Path,
    *,
    atom: float = 0.0,
    compound: float | Sequence[float] = 1.0,
    test_share: tuple[float, float] = (0.1, 0.2),
    test_size: int | tuple[int, int] | None = None,
    discard: float = 0.25,
    length_ratio: tuple[float, float] | None = None,
    together: str = "",
    fixed_train: Sequence[int] | None = None,
    no_unseen_atoms: bool = False,
    atom_weight: float = 1.0,
    compound_weight: float = 1.0,
    atom_cap: float | None = None,
    atom_alpha: float = 0.5,
    compound_alpha: float = 0.1,
    dev: int | float = 0,
    seed: int = 1,
    effort: str = "default",
    seconds: float | None = None,
    resume: Split | None = None,
    report: Report | None = None,
) -> list[Split]:
    """Split a corpus so that test's atoms and compounds diverge from train's as asked; one split for each target.

    ``test_share`` is of train + test in sentences, ``discard`` of the corpus; ``dev`` is a number or share of
    train's sentences, set aside at random. ``seconds`` stops the search in time. The same seed gives the same
    split on the same machine, unless time runs out.
    """
    counts = counts if isinstance(counts, Counts) else load_counts(counts)
    targets = [float(t) for t in (compound if isinstance(compound, Sequence) else [compound])]
    sizes = (test_size, test_size) if isinstance(test_size, int) else test_size
    windows = Windows(_pair(test_share, "test share"), sizes, discard, length_ratio)
    aims = [
        Aim(atom, target, atom_weight, compound_weight, atom_cap, no_unseen_atoms, atom_alpha, compound_alpha)
        for target in targets
    ]
    for aim in aims:
        _check(aim, windows, counts.sentences)
    problem = prepare(
        counts,
        together=together,
        fixed_train=None if fixed_train is None else np.asarray(fixed_train, np.int64),
        no_unseen_atoms=no_unseen_atoms,
        discard=discard > 0,
    )
    start = None if resume is None else _places(problem, resume)

    def work(aim: Aim) -> Split:
        begun, cpu = time.perf_counter(), time.thread_time()
        told = None if report is None else (lambda s, n, a, c: report(aim.compound, s, n, a, c))
        found = _best_chain(problem, aim, windows, seed, effort, seconds, start, told)
        return _finished(counts, problem, aim, windows, found, seed, effort, dev, together, begun, cpu)

    if len(aims) == 1:
        return [work(aims[0])]
    with ThreadPoolExecutor(max_workers=2) as pool:  # the compiled loops do not hold the lock
        return list(pool.map(work, aims))


def _best_chain(
    problem: Problem, aim: Aim, windows: Windows, seed: int, effort: str, seconds: float | None,
    start: Array | None, report: Callable[[int, int, float, float], None] | None,
) -> Found:  # fmt: skip
    """One search, or several at the same time from different seeds, of which the best is kept."""
    if effort not in EFFORTS:
        raise KontrastError(f"{effort!r} is not an effort; expected one of {', '.join(EFFORTS)}")

    def chain(number: int) -> Found:
        return search(
            problem, aim, windows, seed=seed + 1000 * number, effort=effort, seconds=seconds, start=start,
            report=report if number == 0 else None,
        )  # fmt: skip

    chains = EFFORTS[effort].chains
    if chains == 1:
        return chain(0)
    with ThreadPoolExecutor(max_workers=chains) as pool:
        found = list(pool.map(chain, range(chains)))
    return min(found, key=lambda f: aim.energy(f.atom_divergence, f.compound_divergence))


def _finished(
    counts: Counts, problem: Problem, aim: Aim, windows: Windows, found: Found, seed: int, effort: str,
    dev: int | float, together: str, begun: float, cpu: float,
) -> Split:  # fmt: skip
    place = found.place[problem.unit]
    train, test = np.flatnonzero(place == moving.TRAIN), np.flatnonzero(place == moving.TEST)
    held = np.zeros(0, np.int64)
    if dev:
        size = int(dev) if dev >= 1 else round(dev * len(train))
        if size >= len(train):
            raise KontrastError(f"a dev set of {size} sentences leaves nothing of the {len(train)} in train")
        held = np.sort(np.random.default_rng([seed, 2]).permutation(train)[:size])
        train = np.setdiff1d(train, held)
    draws = 3 if counts.sentences < 200_000 else 1
    measured = measure(
        counts, train, test, atom_alpha=aim.atom_alpha, compound_alpha=aim.compound_alpha, draws=draws, seed=seed
    )
    off = abs(measured.compound_divergence - aim.compound)
    reached = off < CLOSE and (aim.atom_cap is None or measured.atom_divergence <= aim.atom_cap + CLOSE)
    return Split(
        train, test, held, np.flatnonzero(place == moving.DISCARD),
        measured.atom_divergence, measured.compound_divergence, aim, windows, measured, seed, effort,
        time.perf_counter() - begun, time.thread_time() - cpu, reached,
        tuple(_notes(problem, aim, windows, measured, len(held))), found.trajectory, together,
    )  # fmt: skip


def _notes(problem: Problem, aim: Aim, windows: Windows, measured: Divergence, dev: int) -> list[str]:
    """What a reader must know: targets missed and why, windows missed, a test set of other lengths."""
    notes = []
    got = measured.compound_divergence
    if abs(got - aim.compound) >= CLOSE:
        why = f"compound divergence {aim.compound:g} was not reached; the best found is {got:.4f}"
        if got > aim.compound and measured.compound_floor is not None:
            alone = 1 - problem.compounds.totals.sum() / max(1, problem.compounds.mass.sum())
            why += (
                f" (at these sizes no split of these counts is below {measured.compound_floor:.4f}:"
                f" {alone:.0%} of the occurrences are of compounds that one unit alone has)"
            )
        elif got < aim.compound:
            parts = moving.components(
                problem.compounds.indptr, problem.compounds.indices, len(problem.compounds.totals)
            )
            largest = np.bincount(parts, problem.sizes).max() / problem.sentences
            why += (
                f" ({largest:.0%} of the sentences hang together by shared compounds, directly or through others;"
                " more to discard or a smaller test share helps)"
            )
        notes.append(why)
    if aim.atom_cap is not None and measured.atom_divergence > aim.atom_cap + CLOSE:
        notes.append(f"the cap of {aim.atom_cap:g} on atom divergence is exceeded: {measured.atom_divergence:.4f}")
    train, test = measured.train_sentences + dev, measured.test_sentences
    if windows.test_size is not None:
        low, high = windows.test_size
        if not low <= test <= high:
            notes.append(f"test has {test} sentences, not {low if low == high else f'{low} to {high}'}")
    elif not windows.test_share[0] - 1e-9 <= test / (train + test) <= windows.test_share[1] + 1e-9:
        notes.append(f"the test share is {test / (train + test):.4f}, outside of {_text(windows.test_share)}")
    ratio = measured.test_length / max(1e-9, measured.train_length)
    if windows.length_ratio is not None and not windows.length_ratio[0] <= ratio <= windows.length_ratio[1]:
        notes.append(
            f"test sentences are {ratio:.2f} times as long as train's, outside of {_text(windows.length_ratio)}"
        )
    elif windows.length_ratio is None and not 0.75 <= ratio <= 1.33:
        notes.append(f"test sentences are {ratio:.2f} times as long as train's; a length window keeps them alike")
    return notes


def _text(window: tuple[float, float]) -> str:
    return f"{window[0]:g}:{window[1]:g}"


def _pair(window: tuple[float, float], what: str) -> tuple[float, float]:
    low, high = window
    if not 0 < low <= high < 1:
        raise KontrastError(f"the {what} must be a window within 0 and 1, such as 0.1:0.2, not {_text(window)}")
    return float(low), float(high)


def _check(aim: Aim, windows: Windows, sentences: int) -> None:
    for name, value in (("atom", aim.atom), ("compound", aim.compound)):
        if not 0 <= value <= 1:
            raise KontrastError(f"a target {name} divergence lies between 0 and 1, not at {value:g}")
    for name, value in (("atom", aim.atom_alpha), ("compound", aim.compound_alpha)):
        if not 0 < value < 1:
            raise KontrastError(f"the alpha of {name}s must lie between 0 and 1, not be {value:g}")
    if not 0 <= windows.discard < 1:
        raise KontrastError(f"the share to discard must be at least 0 and below 1, not {windows.discard:g}")
    if windows.test_size is not None and not 0 < windows.test_size[0] <= windows.test_size[1] < sentences:
        raise KontrastError(f"a test set of {windows.test_size[1]} cannot be taken from {sentences} sentences")


def _places(problem: Problem, earlier: Split) -> Array:
    place = np.full(problem.units, moving.DISCARD, np.int8)
    place[problem.unit[np.concatenate([earlier.train, earlier.dev])]] = moving.TRAIN
    place[problem.unit[earlier.test]] = moving.TEST
    return place


_SIDES = ("train", "test", "dev", "discarded")


def save_split(result: Split, folder: str | Path, *, counts: str = "") -> None:
    """Write ``train.ids``, ``test.ids`` (``dev.ids``) and ``split.json``, which says everything else."""
    from kontrast import __version__
    from kontrast.io.files import writing
    from kontrast.io.json_input import write_json

    folder = Path(folder)
    for side in ("train", "test", "dev"):
        ids: Array = getattr(result, side)
        if side == "dev" and not len(ids):
            (folder / "dev.ids").unlink(missing_ok=True)
            continue
        with writing(folder / f"{side}.ids") as out:
            out.write("".join(f"{i}\n" for i in ids.tolist()))
    write_json(folder / "split.json", {**summary_of(result), "counts": counts, "kontrast": __version__})


def summary_of(result: Split) -> dict[str, Any]:
    """A split without its lists of sentences, for JSON."""
    fields = {name: getattr(result, name) for name in result.__struct_fields__ if name not in _SIDES}
    sizes = {side: len(getattr(result, side)) for side in _SIDES}
    total = sum(sizes.values())
    return {
        "atom_divergence": result.atom_divergence,
        "compound_divergence": result.compound_divergence,
        "sentences": total,
        **sizes,
        "test_share": result.test_share,
        "discard_share": sizes["discarded"] / max(1, total),
        **fields,
    }


def load_split(folder: str | Path) -> Split:
    """Read back what `save_split` wrote."""
    folder = Path(folder)
    kept = [field for field in msgspec.structs.fields(Split) if field.name not in _SIDES]
    try:
        raw = msgspec.json.decode((folder / "split.json").read_bytes(), type=dict[str, Any])
        sentences = int(raw["sentences"])
        fields = {field.name: msgspec.convert(raw[field.name], field.type) for field in kept}
    except (OSError, KeyError, msgspec.DecodeError) as error:
        raise InputError(folder, "expected a folder written by `kontrast split` (it has split.json)") from error
    train, test = (read_ids(folder / f"{side}.ids", sentences) for side in ("train", "test"))
    dev_file = folder / "dev.ids"
    dev = read_ids(dev_file, sentences) if dev_file.exists() else np.zeros(0, np.int64)
    discarded = np.setdiff1d(np.arange(sentences), np.concatenate([train, test, dev]))
    return Split(train, test, dev, discarded, **fields)
