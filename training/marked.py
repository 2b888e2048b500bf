"""Learns the judge of marked errors (``data/models/marked.json``) from pairs that were read one by one.

    python training/marked.py en-de=RATINGS.tsv.gz zh-en=RATINGS.tsv.gz [--out MODELS.json]

``marked.tsv`` has what was read: the pair of languages, a hash of the output and its repair, and 1 where the repair
is better at the marked point and nowhere worse. Where a second reader was stricter than the first, what is learnt
is what the second would say. The texts stay outside the repository. Documents of `HELD` are kept
for the test: nothing is learnt from them. Prints, by folds over sources, what is kept from each confidence on and how
much of it is good, and the share of major errors with a pair.
"""

from __future__ import annotations

import argparse
import hashlib
import zlib
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from kontrast.building.checks.judge import ALWAYS, FoilJudge
from kontrast.building.marked.build import unplaced
from kontrast.building.marked.partners import SideBySide
from kontrast.building.marked.rating_habits import habits_of
from kontrast.building.marked.ratings import errors_of
from kontrast.building.marked.reading import read_ratings

READ = Path(__file__).with_name("marked.tsv")
HELD = {"en-de": ("talk.3", "talk.4"), "zh-en": ("talk.5", "talk.7", "talk.9")}
COUNTED = {"l": 0.25, "s": 0.5, "r": 1.0, "i": 2.0}
"""What a reading counts: those of earlier pairs less, those of a reader who made no rule more."""
PENALTY = 15.0
FOLDS = 12
LEVELS = (0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
WANTED = ("accuracy", "terminology", "fluency/grammar")


class ReadPair(NamedTuple):
    pair: str
    features: dict[str, float]
    good: float
    how: str
    fold: int


def key(wrong: str, right: str) -> str:
    return hashlib.blake2b(f"{wrong}\n{right}".encode(), digest_size=6).hexdigest()


def learn(x: np.ndarray, y: np.ndarray, count: np.ndarray) -> tuple[np.ndarray, float]:
    """Weights and bias of a logistic model; the penalty is on features of standard deviation 1."""
    mean, scale = x.mean(0), x.std(0) + 1e-6
    scaled = np.hstack([(x - mean) / scale, np.ones((len(x), 1))])
    penalty = np.array([PENALTY] * x.shape[1] + [1e-6])
    w = np.zeros(scaled.shape[1])
    for _ in range(10):
        likely = 1 / (1 + np.exp(-(scaled @ w)))
        slope = scaled.T @ (count * (likely - y)) + penalty * w
        curve = (scaled * (count * likely * (1 - likely))[:, None]).T @ scaled + np.diag(penalty)
        w = w - np.linalg.solve(curve, slope)
    return w[:-1] / scale, float(w[-1] - (w[:-1] * mean / scale).sum())


def learnt(table: list[ReadPair], pairs: list[str]) -> FoilJudge:
    """The judge of some pairs of languages."""
    rows = [row for row in table if row.pair in pairs]
    names = sorted(rows[0].features.keys() - {ALWAYS})
    twice = {row.pair for row in rows if row.how == "i"}
    first = [(float(row.how == "l"), float(row.pair in twice and row.how != "i")) for row in rows]
    x = np.array([[*who, *(row.features[name] for name in names)] for who, row in zip(first, rows, strict=True)])
    good, count = np.array([row.good for row in rows]), np.array([COUNTED[row.how] for row in rows])
    weights, bias = learn(x, good, count)
    told = sorted(zip(names, weights[2:], strict=True), key=lambda pair: -pair[1])
    about = f"{len(rows)} pairs of marked errors, read one by one ({', '.join(pairs)})"
    return FoilJudge(about, {ALWAYS: round(bias, 4), **{name: round(float(w), 4) for name, w in told}})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ratings", nargs="+", metavar="PAIR=FILE")
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    lines = [line.split("\t") for line in READ.read_text("utf-8").splitlines() if not line.startswith("#")]
    answers = {(pair, digest): (float(good), how) for pair, digest, good, how in lines}
    rows: dict[tuple[str, str], ReadPair] = {}
    majors: dict[str, list[tuple[int, list[dict[str, float]]]]] = {}
    for pair, _, path in (each.partition("=") for each in asked.ratings):
        read = read_ratings([path])
        habits = habits_of(read.segments)
        for segment in read.segments:
            scene = SideBySide(segment, habits)
            for error in (e for output in scene.outputs for e in errors_of(output)):
                if error.mark.severity.lower() != "major" or not error.mark.category.lower().startswith(WANTED):
                    continue
                found = [] if error.output.is_human or unplaced(error) else scene.candidates(error)[0]
                majors.setdefault(pair, []).append((len(error.marks), [c.features for c in found]))
                for c in found:
                    known = pair, key(error.output.text, c.text)
                    if known in answers and segment.document not in HELD.get(pair, ()):
                        rows[known] = ReadPair(
                            pair, c.features, *answers[known], zlib.crc32(segment.source.encode()) % FOLDS
                        )
    table = list(rows.values())
    judges = {"any": learnt(table, [*majors])} | {pair: learnt(table, [pair]) for pair in majors}
    for pair, errors in majors.items():
        own = [row for row in table if row.pair == pair]
        said = np.zeros(len(own))
        folds = np.array([row.fold for row in own])
        for n in range(FOLDS):
            judge = learnt([row for row in own if row.fold != n], [pair])
            said[folds == n] = [judge.confidence(row.features) for row in own if row.fold == n]
        best_read = "i" if any(row.how == "i" for row in own) else "r"
        strict = np.array([row.how == best_read for row in own])
        y = np.array([row.good for row in own])
        best = [max((judges[pair].confidence(f) for f in found), default=0.0) for _, found in errors]
        marks = [n for n, _ in errors]
        area = np.mean([(a > b) + (a == b) / 2 for a in said[strict & (y > 0.5)] for b in said[strict & (y < 0.5)]])
        print(
            f"{pair}: area under the curve {area:.3f}; "
            f"{strict.sum()} pairs read, {y[strict].mean():.0%} good; {sum(marks)} major errors"
        )
        for level in LEVELS:
            kept = strict & (said >= level)
            share = sum(n for n, b in zip(marks, best, strict=True) if b >= level) / sum(marks)
            good = f"{y[kept].mean():.0%} good" if kept.any() else "-"
            print(f"  from {level}: {kept.sum():4} read, {good}; {share:.0%} of the errors give one")
        print(judges[pair].weights)
    if asked.out:
        asked.out.write_bytes(msgspec.json.format(msgspec.json.encode(judges), indent=1) + b"\n")


if __name__ == "__main__":
    main()
