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
LOOSE = "read_loosely"
"""A feature of pairs that were read by one who let weak ones pass; none has it later."""
HELD = "h"
"""Pairs that were read blind after learning: they only test."""
COUNTED = 0.5
"""What such a reading counts."""
PENALTY = 8.0
FOLDS = 10
LEVELS = (0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
WANTED = ("accuracy", "terminology", "fluency/grammar")


def key(wrong: str, right: str) -> str:
    return hashlib.blake2b(f"{wrong}\n{right}".encode(), digest_size=6).hexdigest()


def learn(x: np.ndarray, y: np.ndarray, count: np.ndarray) -> tuple[np.ndarray, float]:
    """Weights and bias of a logistic model; the penalty is on features of standard deviation 1."""
    mean, scale = x.mean(0), x.std(0) + 1e-6
    scaled = np.hstack([(x - mean) / scale, np.ones((len(x), 1))])

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        odds = scaled @ w
        slope = scaled.T @ (count * (1 / (1 + np.exp(-odds)) - y))
        slope[:-1] += PENALTY * w[:-1]
        lost = (count * np.logaddexp(0, -odds * (2 * y - 1))).sum()
        return lost + PENALTY / 2 * (w[:-1] ** 2).sum(), slope

    w = minimize(loss, np.zeros(scaled.shape[1]), jac=True).x
    return w[:-1] / scale, float(w[-1] - (w[:-1] * mean / scale).sum())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ratings", nargs="+", metavar="PAIR=FILE")
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    lines = [line.split("\t") for line in READ.read_text("utf-8").splitlines() if not line.startswith("#")]
    answers = {(pair, digest): (float(good), how == "l") for pair, digest, good, how in lines if how != HELD}
    kept_aside = {(pair, digest): float(good) for pair, digest, good, how in lines if how == HELD}
    held: dict[tuple[str, str], tuple[dict[str, float], float]] = {}
    rows: dict[tuple[str, str], tuple[str, dict[str, float], float, bool, int]] = {}
    majors: dict[str, list[list[dict[str, float]]]] = {}
    for pair, _, path in (each.partition("=") for each in asked.ratings):
        read = read_ratings([path])
        habits = habits_of(read.segments)
        for segment in read.segments:
            scene = SideBySide(segment, habits)
            for error in (e for output in scene.outputs for e in errors_of(output)):
                if error.mark.severity.lower() != "major" or not error.mark.category.lower().startswith(WANTED):
                    continue
                usable = not error.output.is_human and (error.mark.start is not None or error.is_placeless)
                found = scene.candidates(error)[0] if usable else []
                majors.setdefault(pair, []).append([c.features for c in found])
                for c in found:
                    known = pair, key(error.output.text, c.text)
                    if known in kept_aside:
                        held[known] = c.features, kept_aside[known]
                    if known in answers:
                        fold = zlib.crc32(segment.source.encode()) % FOLDS
                        rows[known] = pair, c.features, *answers[known], fold
    table = list(rows.values())
    names = [LOOSE, *sorted({name for _, f, *_ in table for name in f} - {ALWAYS, *LEFT_OUT})]
    x = np.array([[float(loose), *(f[name] for name in names[1:])] for _, f, _, loose, _ in table])
    y = np.array([good for _, _, good, _, _ in table])
    strict = np.array([not loose for *_, loose, _ in table])
    count = np.where(strict, 1.0, COUNTED)
    folds = np.array([fold for *_, fold in table])
    said = np.zeros(len(y))
    for n in range(FOLDS):
        weights, bias = learn(x[folds != n], y[folds != n], count[folds != n])
        said[folds == n] = 1 / (1 + np.exp(-(x[folds == n] @ weights + bias)))
    weights, bias = learn(x, y, count)
    weights, names = weights[1:], names[1:]
    for pair, errors in majors.items():
        own = strict & np.array([p == pair for p, *_ in table])
        best = [
            max((1 / (1 + np.exp(-(np.array([f[n] for n in names]) @ weights + bias))) for f in e), default=0.0)
            for e in errors
        ]
        print(f"{pair}: {own.sum()} pairs read strictly, {y[own].mean():.0%} good; {len(errors)} major errors")
        for level in LEVELS:
            kept = own & (said >= level)
            share = np.mean([b >= level for b in best])
            good = f"{y[kept].mean():.0%} good" if kept.any() else "-"
            said_of = [
                (np.array([f[n] for n in names]) @ weights + bias, g) for (p, _), (f, g) in held.items() if p == pair
            ]
            tested = [g for odds, g in said_of if 1 / (1 + np.exp(-odds)) >= level]
            aside = f"{np.mean(tested):.0%} of {len(tested)} held out" if tested else "none held out"
            print(f"  from {level}: {kept.sum():4} read, {good}; {aside}; {share:.0%} of the errors give one")
    told = {name: round(float(w), 4) for name, w in sorted(zip(names, weights, strict=True), key=lambda p: -p[1])}
    print(told)
    if asked.out:
        learnt_from = f"{len(table)} pairs of marked errors, read one by one ({', '.join(majors)})"
        judge = FoilJudge(learnt_from, {ALWAYS: round(bias, 4), **told})
        asked.out.write_bytes(msgspec.json.format(msgspec.json.encode({"any": judge}), indent=1) + b"\n")


if __name__ == "__main__":
    main()
