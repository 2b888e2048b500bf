"""What figures are compared with: a plain reader of CoNLL-U, and the greedy division as its authors published it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np

from kontrast.splitting.matrix import CorpusCounts, Matrix

__all__ = ["greedy", "plain_reader"]


def plain_reader(path: Path) -> tuple[int, int, int]:
    """Lines split at tabs, counts in dictionaries: (tokens, atom types, compound types)."""
    atoms: Counter[str] = Counter()
    compounds: Counter[tuple[str, str, str]] = Counter()
    tokens = 0
    sentence: list[tuple[str, int, str]] = []

    def flush() -> None:
        in_compound = set()
        for i, (lemma, head, relation) in enumerate(sentence):
            if head == 0 or relation == "root" or relation.startswith("punct"):
                continue
            compounds[sentence[head - 1][0], relation, lemma] += 1
            atoms["relation:" + relation] += 1
            in_compound.update((i, head - 1))
        for i in in_compound:
            atoms["lemma:" + sentence[i][0]] += 1
        sentence.clear()

    with path.open(encoding="utf-8") as lines:
        for line in lines:
            line = line.rstrip("\n")
            if not line:
                flush()
            elif line[0] != "#":
                columns = line.split("\t")
                if columns[0].isdigit():
                    sentence.append((columns[2].lower(), int(columns[6]), columns[7]))
                    tokens += 1
    flush()
    return tokens, len(atoms), len(compounds)


class _Side:
    """Counts of one matrix on both sides, the similarity kept up to date; candidates are tried all at once."""

    def __init__(self, matrix: Matrix, alpha: float) -> None:
        self.indptr, self.indices = np.asarray(matrix.indptr), np.asarray(matrix.indices)
        self.data = np.asarray(matrix.data, np.int64)
        largest = int(np.bincount(self.indices, self.data, minlength=matrix.features).max()) + 1
        self.power = (np.arange(largest) ** alpha, np.arange(largest) ** (1 - alpha))
        self.alpha = alpha
        self.counts = np.zeros((2, matrix.features), np.int64)
        self.mass = np.zeros(2)
        self.similarity = 0.0

    def rows(self, sentences: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Places of the sentences' entries, and where each sentence begins among them."""
        sizes = self.indptr[sentences + 1] - self.indptr[sentences]
        starts = np.cumsum(sizes) - sizes
        places = np.repeat(self.indptr[sentences] - starts, sizes) + np.arange(sizes.sum())
        return places, starts

    def divergences(self, sentences: np.ndarray, to: int) -> np.ndarray:
        """Divergence after adding each sentence to one side (0 train, 1 test)."""
        places, starts = self.rows(sentences)
        feature, count = self.indices[places], self.data[places]
        here, other = self.counts[to, feature], self.counts[1 - to, feature]
        gain = (self.power[to][here + count] - self.power[to][here]) * self.power[1 - to][other]
        owner = np.repeat(np.arange(len(sentences)), np.diff(np.append(starts, len(places))))
        gains = np.bincount(owner, gain, minlength=len(sentences))
        added = np.bincount(owner, count, minlength=len(sentences))
        train, test = self.mass[0] + (added if to == 0 else 0), self.mass[1] + (added if to == 1 else 0)
        norm = np.maximum(train, 1e-300) ** self.alpha * np.maximum(test, 1e-300) ** (1 - self.alpha)
        return 1 - np.where((train > 0) & (test > 0), (self.similarity + gains) / norm, 0.0)

    def add(self, sentence: int, to: int) -> None:
        places, _ = self.rows(np.array([sentence]))
        feature, count = self.indices[places], self.data[places]
        here, other = self.counts[to, feature], self.counts[1 - to, feature]
        self.similarity += float(
            ((self.power[to][here + count] - self.power[to][here]) * self.power[1 - to][other]).sum()
        )
        self.counts[to, feature] += count
        self.mass[to] += count.sum()


def greedy(
    counts: CorpusCounts, *, atom: float, compound: float, share: tuple[float, float], leave_out: float, seed: int,
    candidates: int = 500,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Train and test, a sentence at a time: of a random subset of those left, the best one to the better side.

    As published: start with one random sentence in train; where the test share is outside of its window, the side
    that mends it is taken; the score is minus the sum of both distances from the targets. Their matrices are dense;
    these are sparse, and all candidates are tried in one go.
    """
    rng = np.random.default_rng(seed)
    atoms, compounds = _Side(counts.atoms, 0.5), _Side(counts.compounds, 0.1)
    left = np.arange(counts.sentences)
    remaining = counts.sentences
    sides: list[list[int]] = [[], []]

    def take(place: int, to: int) -> None:
        nonlocal remaining
        sentence = int(left[place])
        left[place] = left[remaining - 1]
        remaining -= 1
        sides[to].append(sentence)
        atoms.add(sentence, to)
        compounds.add(sentence, to)

    take(int(rng.integers(remaining)), 0)
    for _ in range(int((1 - leave_out) * counts.sentences) - 1):
        places = rng.choice(remaining, candidates, replace=False) if remaining > candidates else np.arange(remaining)
        chosen = left[places]
        now = len(sides[1]) / (len(sides[0]) + len(sides[1]))
        options = (0,) if now > share[1] else (1,) if now < share[0] else (0, 1)
        best: tuple[float, int, int] | None = None
        for to in options:
            off = np.abs(atoms.divergences(chosen, to) - atom) + np.abs(compounds.divergences(chosen, to) - compound)
            at = int(off.argmin())
            if best is None or off[at] < best[0]:
                best = (float(off[at]), int(places[at]), to)
        assert best is not None
        take(best[1], best[2])
    return np.sort(sides[0]), np.sort(sides[1])
