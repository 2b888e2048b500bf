"""Learns the judge of marked errors (``data/models/marked.json``) from pairs that were read one by one.

    python training/marked.py en-de=RATINGS.tsv.gz zh-en=RATINGS.tsv.gz [--out MODELS.json]

``marked.tsv`` has what was read: the pair of languages, a hash of the output and its repair, and 1 where the repair
is better at the marked point and nowhere worse. The texts stay outside the repository. Prints, by ten folds over
sources, what is kept from each confidence on and how much of it is good, and the share of major errors with a pair.
"""

from __future__ import annotations

import argparse
import hashlib
import zlib
from pathlib import Path

import msgspec
import numpy as np
from scipy.optimize import minimize

from kontrast.building.checks.judge import ALWAYS, FoilJudge
from kontrast.building.marked.partners import SideBySide
from kontrast.building.marked.rating_habits import habits_of
from kontrast.building.marked.ratings import errors_of
from kontrast.building.marked.reading import read_ratings

READ = Path(__file__).with_name("marked.tsv")
LEFT_OUT = ("open_sides",)
"""Features that only others are made of."""
PENALTY = 10.0
FOLDS = 10
LEVELS = (0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
WANTED = ("accuracy", "terminology", "fluency/grammar")


def key(wrong: str, right: str) -> str:
    return hashlib.blake2b(f"{wrong}\n{right}".encode(), digest_size=6).hexdigest()


def learn(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, float]:
    """Weights and bias of a logistic model; the penalty is on features of standard deviation 1."""
    mean, scale = x.mean(0), x.std(0) + 1e-6
    scaled = np.hstack([(x - mean) / scale, np.ones((len(x), 1))])

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        odds = scaled @ w
        slope = scaled.T @ (1 / (1 + np.exp(-odds)) - y)
        slope[:-1] += PENALTY * w[:-1]
        return np.logaddexp(0, -odds * (2 * y - 1)).sum() + PENALTY / 2 * (w[:-1] ** 2).sum(), slope

    w = minimize(loss, np.zeros(scaled.shape[1]), jac=True).x
    return w[:-1] / scale, float(w[-1] - (w[:-1] * mean / scale).sum())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ratings", nargs="+", metavar="PAIR=FILE")
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    lines = [line.split("\t") for line in READ.read_text("utf-8").splitlines() if not line.startswith("#")]
    answers = {(pair, digest): float(good) for pair, digest, good in lines}
    rows: list[tuple[str, dict[str, float], float, int]] = []
    majors: dict[str, list[list[dict[str, float]]]] = {}
    for pair, _, path in (each.partition("=") for each in asked.ratings):
        read = read_ratings([path])
        habits = habits_of(read.segments)
        for segment in read.segments:
            scene = SideBySide(segment, habits)
            for error in (e for output in scene.outputs for e in errors_of(output)):
                if error.mark.severity.lower() != "major" or not error.mark.category.lower().startswith(WANTED):
                    continue
                found = [] if error.mark.start is None and not error.is_placeless else scene.candidates(error)[0]
                majors.setdefault(pair, []).append([c.features for c in found])
                for c in found:
                    good = answers.get((pair, key(error.output.text, c.text)))
                    if good is not None:
                        rows.append((pair, c.features, good, zlib.crc32(segment.source.encode()) % FOLDS))
    names = sorted({name for _, features, _, _ in rows for name in features} - {ALWAYS, *LEFT_OUT})
    x = np.array([[features[name] for name in names] for _, features, _, _ in rows])
    y = np.array([good for *_, good, _ in rows])
    fold = np.array([n for *_, n in rows])
    said = np.zeros(len(y))
    for n in range(FOLDS):
        weights, bias = learn(x[fold != n], y[fold != n])
        said[fold == n] = 1 / (1 + np.exp(-(x[fold == n] @ weights + bias)))
    weights, bias = learn(x, y)
    for pair, errors in majors.items():
        own = np.array([p == pair for p, *_ in rows])
        best = [
            max((1 / (1 + np.exp(-(np.array([f[n] for n in names]) @ weights + bias))) for f in e), default=0.0)
            for e in errors
        ]
        print(f"{pair}: {own.sum()} pairs read, {y[own].mean():.0%} good; {len(errors)} major errors")
        for level in LEVELS:
            kept = own & (said >= level)
            share = np.mean([b >= level for b in best])
            print(
                f"  from {level}: {kept.sum():4} read, {y[kept].mean():.0%} good, {share:.0%} of the errors give one"
            )
    told = {name: round(float(w), 4) for name, w in sorted(zip(names, weights, strict=True), key=lambda p: -p[1])}
    print(told)
    if asked.out:
        learnt_from = f"{len(rows)} pairs of marked errors, read one by one ({', '.join(majors)})"
        judge = FoilJudge(learnt_from, {ALWAYS: round(bias, 4), **told})
        asked.out.write_bytes(msgspec.json.format(msgspec.json.encode({"any": judge}), indent=1) + b"\n")


if __name__ == "__main__":
    main()
