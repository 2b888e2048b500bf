"""Learns the judge of marked errors (``data/models/marked.json``) from pairs that were read one by one.

    python training/marked.py en-de=RATINGS.tsv.gz zh-en=RATINGS.tsv.gz [--out MODELS.json]

``marked.tsv`` has what was read: the pair of languages, a hash of the output and its repair, and 1 where the repair
is better at the marked point and nowhere worse. Where other readers were stricter than the first, what is learnt is
what they would say. The texts stay outside the repository. Documents of `HELD` are kept for the test: nothing is
learnt from them. The confidence is scaled to what folds over documents say. Prints, by these folds, what is kept from
each confidence on and how much of it is good, the share of major errors with a pair, and the readings of the test
documents in the same way.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from kontrast.building.checks.judge import ALWAYS, FoilJudge
from kontrast.building.marked.build import SECOND, unplaced
from kontrast.building.marked.partners import SideBySide
from kontrast.building.marked.rating_habits import habits_of
from kontrast.building.marked.ratings import errors_of
from kontrast.building.marked.reading import read_ratings
from kontrast.flows.reference_closeness import ReferenceCloseness

READ = Path(__file__).with_name("marked.tsv")
HELD = {"en-de": ("talk.3", "talk.4"), "zh-en": ("talk.5", "talk.7")}
COUNTED = {"l": 0.25, "s": 0.5, "r": 1.0, "i": 2.0, "m": 2.0}
"""What a reading counts: those of earlier pairs less, those of readers who made no rule or saw no mark more."""
STRICT = {"en-de": "rm", "zh-en": "im"}
"""The readings that say what the judge should; from others it learns with a difference between readers."""
_ZH_EN = ("blamed_often", "errors_here", "new_here", "often_unmarked", "rater_strict", "similar")
USED = {
    "en-de": (
        *("errors_here", "keeps_mark", "new_marked", "new_words", "often_unmarked", "only_here", "partner_errors"),
        *("partner_rater_strict", "preferred", "rater_strict", "several_supporters"),
        "untranslated",
    ),
    "zh-en": _ZH_EN,
    SECOND: (*_ZH_EN, "closer"),
}
"""What judges weigh: features that make them surer of documents that they have not seen."""
PENALTY = 15.0
LEVELS = (0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
WANTED = ("accuracy", "terminology", "fluency/grammar")


class ReadPair(NamedTuple):
    pair: str
    features: dict[str, float]
    good: float
    how: str
    document: str | None

    @property
    def is_strict(self) -> bool:
        return self.how in STRICT.get(self.pair, "rim")


def key(wrong: str, right: str) -> str:
    return hashlib.blake2b(f"{wrong}\n{right}".encode(), digest_size=6).hexdigest()


def learn(x: np.ndarray, y: np.ndarray, count: np.ndarray, each: float = PENALTY) -> tuple[np.ndarray, float]:
    """Weights and bias of a logistic model; the penalty is on features of standard deviation 1."""
    mean, scale = x.mean(0), x.std(0) + 1e-6
    scaled = np.hstack([(x - mean) / scale, np.ones((len(x), 1))])
    penalty = np.array([each] * x.shape[1] + [1e-6])
    w = np.zeros(scaled.shape[1])
    for _ in range(10):
        likely = 1 / (1 + np.exp(-(scaled @ w)))
        slope = scaled.T @ (count * (likely - y)) + penalty * w
        curve = (scaled * (count * likely * (1 - likely))[:, None]).T @ scaled + np.diag(penalty)
        w = w - np.linalg.solve(curve, slope)
    return w[:-1] / scale, float(w[-1] - (w[:-1] * mean / scale).sum())


def learnt(rows: list[ReadPair], name: str) -> FoilJudge:
    """The judge of some pairs of languages."""
    names = USED.get(name) or sorted(rows[0].features.keys() - {ALWAYS, "closer"})
    pairs = sorted({row.pair for row in rows})
    reader = [(float(row.how == "l"), float(row.how != "l" and not row.is_strict)) for row in rows]
    x = np.array(
        [[*who, *(row.features.get(name, 0.0) for name in names)] for who, row in zip(reader, rows, strict=True)]
    )
    good, count = np.array([row.good for row in rows]), np.array([COUNTED[row.how] for row in rows])
    weights, bias = learn(x, good, count)
    told = sorted(zip(names, weights[2:], strict=True), key=lambda pair: -pair[1])
    about = f"{len(rows)} pairs of marked errors, read one by one ({', '.join(pairs)})"
    return FoilJudge(about, {ALWAYS: bias, **{name: float(w) for name, w in told}})


def by_folds(rows: list[ReadPair], name: str) -> np.ndarray:
    """The log odds of each by a judge that was learnt from other documents."""
    odds = np.zeros(len(rows))
    for document in {row.document for row in rows}:
        judge = learnt([row for row in rows if row.document != document], name)
        for n, row in enumerate(rows):
            if row.document == document:
                odds[n] = sum(judge.weights.get(name, 0.0) * value for name, value in row.features.items())
    return odds


def scaled(judge: FoilJudge, slope: float, more: float) -> FoilJudge:
    weights = {name: round(weight * slope + more * (name == ALWAYS), 4) for name, weight in judge.weights.items()}
    return msgspec.structs.replace(judge, weights=weights)


def tell(said: np.ndarray, good: np.ndarray, shares: dict[float, float]) -> None:
    better = np.mean([(a > b) + (a == b) / 2 for a in said[good > 0.5] for b in said[good < 0.5]])
    print(f"  {len(good)} pairs read, {good.mean():.0%} good; area under the curve {better:.3f}")
    for level in LEVELS:
        kept = said >= level
        told = f"{good[kept].mean():.0%} good, {said[kept].mean():.0%} expected" if kept.any() else "-"
        print(f"  from {level}: {kept.sum():4} read, {told}; {shares[level]:.1%} of the errors give one")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ratings", nargs="+", metavar="PAIR=FILE")
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    lines = [line.split("\t") for line in READ.read_text("utf-8").splitlines() if not line.startswith("#")]
    answers = {(pair, digest): (float(good), how) for pair, digest, good, how in lines}
    rows: dict[tuple[str, str], ReadPair] = {}
    majors: dict[str, list[tuple[str | None, int, list[dict[str, float]]]]] = {}
    for pair, _, path in (each.partition("=") for each in asked.ratings):
        read = read_ratings([path])
        habits = habits_of(read.segments)
        closeness = ReferenceCloseness() if pair.endswith("-en") else None
        for segment in read.segments:
            scene = SideBySide(segment, habits, closeness)
            for error in (e for output in scene.outputs for e in errors_of(output)):
                if error.mark.severity.lower() != "major" or not error.mark.category.lower().startswith(WANTED):
                    continue
                found = [] if error.output.is_human or unplaced(error) else scene.candidates(error)[0]
                scene.add_closeness(error, found)
                majors.setdefault(pair, []).append((segment.document, len(error.marks), [c.features for c in found]))
                for c in found:
                    known = pair, key(error.output.text, c.text)
                    if known in answers:
                        rows[known] = ReadPair(pair, c.features, *answers[known], segment.document)
    table = [row for row in rows.values() if row.document not in HELD.get(row.pair, ())]
    judges: dict[str, FoilJudge] = {}
    for name, pairs in [("any", [*majors]), *((pair, [pair]) for pair in majors), (SECOND, ["zh-en"])]:
        own = [row for row in table if row.pair in pairs]
        strict, good = np.array([row.is_strict for row in own]), np.array([row.good for row in own])
        odds = by_folds(own, name)
        slope, more = learn(odds[strict][:, None], good[strict], np.ones(strict.sum()), each=1.0)
        judge = judges[name] = scaled(learnt(own, name), float(slope[0]), more)
        errors = [each for pair in pairs for each in majors[pair]]
        for what, held in (("by folds over documents", False), ("test documents", True)):
            shares = {}
            for level in LEVELS:
                some = [
                    (n, max(map(judge.confidence, found), default=0.0))
                    for pair in pairs
                    for document, n, found in majors[pair]
                    if not held or document in HELD.get(pair, ())
                ]
                shares[level] = sum(n for n, best in some if best >= level) / sum(n for n, _ in some)
            print(f"{name}, {what}; {sum(n for _, n, _ in errors)} major errors")
            if not held:
                tell(1 / (1 + np.exp(-(odds[strict] * slope[0] + more))), good[strict], shares)
                continue
            test = [row for row in rows.values() if row.pair in pairs and row not in own and row.how == "m"]
            if test:
                said = np.array([judge.confidence(row.features) for row in test])
                tell(said, np.array([row.good for row in test]), shares)
        print(judge.weights)
    if asked.out:
        asked.out.write_bytes(msgspec.json.format(msgspec.json.encode(judges), indent=1) + b"\n")


if __name__ == "__main__":
    main()
