"""Our search against the authors' greedy division with moves, under the same limits, on four treebanks.

    python benchmarks/dbca_greedy.py [--corpora ewt,de,fr,fi] [--seeds 1,2,3] [--targets 0,.25,.5,.75,1] [--json FILE]

The greedy division is described in the papers of Moisio, Creutz and Kurimo (2023): start with a random sentence in
train; each step tries 500 random sentences that are left and adds the best one to the better side, then moves the
best of 500 from train to test, and of 500 from test to train, where that helps. Here it has the compiled arithmetic
of our own search, so that times compare the ways of looking and not the languages; and it has to keep our limits: the
share of test in compounds, what may be discarded, and the length ratio.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from kontrast.reporting.terminal import print_table
from kontrast.splitting import search_moves as moves
from kontrast.splitting.corpus_counts import CorpusCounts
from kontrast.splitting.count_corpus import count
from kontrast.splitting.measured_divergence import measure
from kontrast.splitting.search import arrays_of, divergences, refresh
from kontrast.splitting.search_problem import Aim, Problem, Windows, prepare
from kontrast.splitting.split_corpus import LENGTH_RATIO, split

UD = Path(__file__).resolve().parents[2] / "shared" / "data" / "ud"
CORPORA = {
    "ewt": ("en_ewt-all.conllu.gz",),
    "de": ("de_gsd-ud-dev.conllu", "de_gsd-ud-test.conllu", "de_lit-ud-test.conllu"),
    "fr": ("fr_gsd-ud-dev.conllu", "fr_gsd-ud-test.conllu", "fr_pud-ud-test.conllu"),
    "fi": ("fi_pud-ud-test.conllu",),
}
CANDIDATES = 500


def corpus(name: str, work: Path) -> CorpusCounts:
    """The counts of a treebank, or of several one after another."""
    parts = [gzip.decompress(p.read_bytes()) if p.suffix == ".gz" else p.read_bytes()
             for p in (UD / file for file in CORPORA[name])]  # fmt: skip
    path = work / f"{name}.conllu"
    path.write_bytes(b"\n".join(parts))
    return count(path)


class Greedy:
    """The greedy division; sentences that are left are in the place of the discarded."""

    def __init__(self, problem: Problem, aim: Aim, windows: Windows, seed: int) -> None:
        self.problem, self.aim, self.windows = problem, aim, windows
        self.rng = np.random.default_rng(seed)
        self.state = arrays_of(problem, aim, np.full(problem.units, moves.DISCARD, np.int8))

    def run(self) -> np.ndarray:
        state, sums = self.state, self.state.sums
        limits = self.windows.array(self.problem)
        moves.apply_move(*state[:5], int(self.rng.integers(self.problem.units)), moves.TRAIN)
        step = 0
        while (sums[moves.DISCARD, moves.SENTENCES] > limits[moves.MOST_DISCARDED]
               or sums[moves.DISCARD, moves.WEIGHT] > limits[moves.MOST_DISCARDED_WEIGHT]):  # fmt: skip
            share = sums[moves.TEST, moves.WEIGHT] / sums[: moves.DISCARD, moves.WEIGHT].sum()
            low, high = self.windows.test_share
            sides = (moves.TRAIN,) if share > high else (moves.TEST,) if share < low else (moves.TRAIN, moves.TEST)
            candidates = self.sample(moves.DISCARD)
            _, unit, side = min((*self.best(candidates, side), side) for side in sides)
            moves.apply_move(*state[:5], unit, side)
            step += 1
            if step > 10:
                self.try_move(moves.TRAIN, moves.TEST)
                self.try_move(moves.TEST, moves.TRAIN)
            if step % 500 == 0:
                refresh(state)
        return state.units.place

    def sample(self, place: int) -> np.ndarray:
        there = np.flatnonzero(self.state.units.place == place)
        if len(there) <= CANDIDATES:
            return there
        return self.rng.choice(there, CANDIDATES, replace=False, shuffle=False)

    def best(self, candidates: np.ndarray, to: int) -> tuple[float, int]:
        """The candidate with the least energy among those that the length window admits."""
        energies = moves.move_energy(*self.state, candidates, to)
        off = self.length_violation(candidates, to)
        energies = np.where(off <= max(1e-12, off.min(), self.length_violation(candidates[:0], to)), energies, np.inf)
        at = int(energies.argmin())
        return float(energies[at]), int(candidates[at])

    def length_violation(self, candidates: np.ndarray, to: int) -> Any:
        """How far the length ratio is outside after each candidate's move; as it is now, for no candidate."""
        sums, problem = self.state.sums, self.problem
        if not len(candidates):
            change, tokens = np.zeros(1), np.zeros(1)
            old = np.full(1, moves.DISCARD)
            to = moves.DISCARD
        else:
            change, tokens, old = (
                problem.sentences[candidates],
                problem.tokens[candidates],
                self.state.units.place[candidates],
            )
        means = []
        for place in (moves.TRAIN, moves.TEST):
            sign = (to == place) * 1.0 - (old == place) * 1.0
            sentences = np.maximum(1, sums[place, moves.SENTENCES] + sign * change)
            means.append((sums[place, moves.TOKENS] + sign * tokens) / sentences)
        ratio = means[1] / np.maximum(means[0], 1e-9)
        low, high = self.windows.length_ratio or (0, np.inf)
        off = np.maximum(0, low - ratio) + np.maximum(0, ratio - high)
        return off if len(candidates) else float(off[0])

    def try_move(self, origin: int, to: int) -> None:
        candidates = self.sample(origin)
        if len(candidates) < 2:
            return
        share = self.state.sums[moves.TEST, moves.WEIGHT] / (
            self.state.sums[moves.TRAIN, moves.WEIGHT] + self.state.sums[moves.TEST, moves.WEIGHT]
        )
        if (to == moves.TEST and share >= self.windows.test_share[1]) or (
            to == moves.TRAIN and share <= self.windows.test_share[0]
        ):
            return
        energy, unit = self.best(candidates, to)
        if energy < self.aim.energy(*divergences(self.state)):
            moves.apply_move(*self.state[:5], unit, to)


def compare(counts: CorpusCounts, target: float, seed: int) -> dict[str, Any]:
    aim, windows = Aim(compound=target, atom_weight=1.0), Windows(length_ratio=LENGTH_RATIO)
    problem = prepare(counts)
    began = time.process_time()
    place = Greedy(problem, aim, windows, seed).run()
    theirs = time.process_time() - began
    where = np.where(problem.unit >= 0, place[problem.unit], -1)
    train, test = np.flatnonzero(where == moves.TRAIN), np.flatnonzero(where == moves.TEST)
    greedy = measure(counts, train, test, draws=0)
    mass = counts.compounds.mass()
    began = time.process_time()
    (ours,) = split(counts, compound=target, seed=seed)
    mine = time.process_time() - began
    return {
        "target": target, "seed": seed,
        "atom": ours.atom_divergence, "compound": ours.compound_divergence,
        "greedy atom": greedy.atom_divergence, "greedy compound": greedy.compound_divergence,
        "sum": ours.atom_divergence + abs(ours.compound_divergence - target),
        "greedy sum": greedy.atom_divergence + abs(greedy.compound_divergence - target),
        "share": ours.test_share_compounds, "greedy share": mass[test].sum() / mass[np.append(train, test)].sum(),
        "length": ours.length_ratio, "greedy length": greedy.test_length / greedy.train_length,
        "CPU s": mine, "greedy CPU s": theirs,
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", default=",".join(CORPORA))
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--targets", default="0,.25,.5,.75,1")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.corpora.split(","):
            counts = corpus(name, Path(folder))
            compare(counts, 0.5, 99) if not rows and counts.sentences < 2000 else split(
                counts, effort="fast"
            )  # compiled
            for target in map(float, options.targets.split(",")):
                found = [compare(counts, target, int(seed)) for seed in options.seeds.split(",")]
                rows += [{"corpus": name, **row} for row in found]
                for row in found:
                    print(name, " ".join(f"{key} {value:.4g}" for key, value in row.items()), flush=True)
    report(rows)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))


def report(rows: list[dict[str, Any]]) -> None:
    table = []
    for name, target in dict.fromkeys((row["corpus"], row["target"]) for row in rows):
        same = [row for row in rows if (row["corpus"], row["target"]) == (name, target)]
        mean = {key: float(np.mean([row[key] for row in same])) for key in same[0] if key != "corpus"}
        table.append(
            (name, f"{target:g}", f"{mean['atom']:.3f} / {mean['compound']:.3f}", f"{mean['sum']:.3f}",
             f"{mean['greedy atom']:.3f} / {mean['greedy compound']:.3f}", f"{mean['greedy sum']:.3f}",
             f"{mean['length']:.2f} / {mean['greedy length']:.2f}", f"{mean['greedy CPU s'] / mean['CPU s']:.1f}")
        )  # fmt: skip
    print_table(("corpus", "target", "ours: atom / compound", "sum", "greedy: atom / compound", "sum",
                 "length: ours / greedy", "CPU ratio"), table)  # fmt: skip
    better = sum(row["sum"] < row["greedy sum"] for row in rows)
    both = sum(
        row["atom"] <= row["greedy atom"] + 5e-4
        and abs(row["compound"] - row["target"]) <= abs(row["greedy compound"] - row["target"]) + 5e-4
        for row in rows
    )
    kept = sum(0.0995 <= row["share"] <= 0.2005 and 0.7995 <= row["length"] <= 1.2505 for row in rows)
    print(f"sum better in {better} of {len(rows)}; both divergences better or equal (three decimals) in {both};"
          f" limits kept in {kept}")  # fmt: skip


if __name__ == "__main__":
    main()
