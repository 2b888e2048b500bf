"""Learns the judge of marked errors (``data/models/marked.json``) from pairs that were read one by one.

    python training/marked.py en-de=RATINGS.tsv.gz zh-en=RATINGS.tsv.gz [--out MODELS.json]

``marked.tsv`` has what was read: the pair of languages, a hash of the output and its repair, and 1 where the repair
is better at the marked point and nowhere worse. Where other readers were stricter than the first, what is learnt is
what they would say. The texts stay outside the repository. The confidence is scaled to what folds over documents say
of the pairs that errors would give: the surest for each.
Prints what each document gives from each confidence on, by a judge that was learnt from the other documents: the
share of major errors with a pair, and how many of these pairs were read and are good. The same by a judge that was
learnt from the other languages.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from kontrast.building.checks.judge import ALWAYS, FoilJudge
from kontrast.building.marked.choosing import SECOND, unplaced
from kontrast.building.marked.evidence import add_closeness, add_features, habits_of
from kontrast.building.marked.partners import SideBySide
from kontrast.building.marked.reading import read_ratings
from kontrast.flows.reference_closeness import ReferenceCloseness

READ = Path(__file__).with_name("marked.tsv")
COUNTED = {"l": 0.25, "s": 0.5, "r": 1.0, "i": 2.0, "m": 2.0, "b": 2.0}
"""What a reading counts: those of earlier pairs less, those of readers who made no rule or saw no mark more."""
STRICT = {"en-de": "rmb", "zh-en": "imb"}
"""The readings that say what the judge should; from others it learns with a difference between readers."""
_ZH_EN = ("blamed_often", "often_unmarked", "others_marked", "rater_strict", "resembles", "similar")
USED = {
    "en-de": (
        *("capitals", "keeps_mark", "new_marked", "new_words", "often_unmarked", "only_here", "partner_errors"),
        *("partner_rater_strict", "preferred", "rater_strict", "new_here", "resembles"),
    ),
    "zh-en": _ZH_EN,
    SECOND: (*_ZH_EN, "closer"),
}
"""What judges weigh: features that make them surer of documents that they have not seen."""
PENALTY = 15.0
LEVELS = (0.5, 0.6, 0.7, 0.75, 0.78, 0.8, 0.81, 0.82, 0.83, 0.84, 0.86, 0.88, 0.9)
WANTED = ("accuracy", "terminology", "fluency/grammar")


class ReadPair(NamedTuple):
    pair: str
    features: dict[str, float]
    good: float
    how: str
    document: str | None

    @property
    def is_strict(self) -> bool:
        return self.how in STRICT.get(self.pair, "rimb")


class MajorError(NamedTuple):
    document: str | None
    marks: int
    found: dict[str, dict[str, float]]
    """The features of each candidate."""

    def surest(self, judge: FoilJudge) -> tuple[int, float, str]:
        """The marks, and the log odds and the hash of the candidate that would be taken."""
        values = {digest: odds(judge, features) for digest, features in self.found.items()}
        best = max(values, key=lambda digest: values[digest])
        return self.marks, values[best], best


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


def by_folds(rows: list[ReadPair], name: str) -> dict[str | None, FoilJudge]:
    """For each document the judge that was learnt from the others."""
    documents = sorted({str(row.document) for row in rows})
    return {one: learnt([row for row in rows if row.document != one], name) for one in documents}


def odds(judge: FoilJudge, features: dict[str, float]) -> float:
    return sum(judge.weights.get(name, 0.0) * value for name, value in features.items())


def scaled(judge: FoilJudge, slope: float, more: float) -> FoilJudge:
    weights = {name: round(weight * slope + more * (name == ALWAYS), 4) for name, weight in judge.weights.items()}
    return msgspec.structs.replace(judge, weights=weights)


def calibrated(
    name: str, pairs: list[str], rows: dict[tuple[str, str], ReadPair], majors: dict[str, list[MajorError]]
) -> tuple[FoilJudge, dict[str | None, FoilJudge]]:
    """The judge of some pairs of languages, and for each document the one that was learnt from the others."""
    table = [row for row in rows.values() if row.pair in pairs]
    folds = by_folds(table, name)
    strict = [row for row in table if row.is_strict]
    said = np.array([odds(folds[row.document], row.features) for row in strict])
    good = np.array([row.good for row in strict])
    better = np.mean([(a > b) + (a == b) / 2 for a in said[good > 0.5] for b in said[good < 0.5]])
    print(f"{len(strict)} pairs read, {good.mean():.0%} good; area under the curve {better:.3f}")
    surest = ((pair, major.surest(folds[major.document])) for pair in pairs for major in majors[pair] if major.found)
    places = {(pair, digest): value for pair, (_, value, digest) in surest}
    told = [place for place in places if place in rows and rows[place].is_strict]
    values, answers = np.array([[places[place]] for place in told]), np.array([rows[place].good for place in told])
    slope, more = learn(values, answers, np.ones(len(told)), each=1.0)
    folds = {document: scaled(judge, float(slope[0]), more) for document, judge in folds.items()}
    return scaled(learnt(table, name), float(slope[0]), more), folds


def tell(
    pair: str,
    majors: dict[str, list[MajorError]],
    rows: dict[tuple[str, str], ReadPair],
    judges: dict[str | None, FoilJudge],
) -> None:
    """From each confidence on: errors with a pair, and what was read of the pairs."""
    errors = sum(major.marks for major in majors[pair])
    print(f" {pair}, {errors} major errors")
    found = [(judges[m.document], *m.surest(judges[m.document]), m) for m in majors[pair] if m.found]
    sures = [(marks, judge.confidence(major.found[digest]), digest) for judge, marks, _, digest, major in found]
    for level in LEVELS:
        kept = [each for each in sures if each[1] >= level]
        pairs = {digest: sure for _, sure, digest in kept}
        good = [r.good for digest in pairs if (r := rows.get((pair, digest))) and r.is_strict]
        share = sum(n for n, *_ in kept) / errors
        told = (
            f"{np.mean(good):.0%} of {len(good)} read are good, {np.mean([*pairs.values()]):.0%} expected"
            if good
            else "-"
        )
        print(f"  from {level}: {share:5.1%} of the errors give one of {len(pairs):3} pairs; {told}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ratings", nargs="+", metavar="PAIR=FILE")
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    lines = [line.split("\t") for line in READ.read_text("utf-8").splitlines() if not line.startswith("#")]
    answers = {(pair, digest): (float(good), how) for pair, digest, good, how in lines}
    rows: dict[tuple[str, str], ReadPair] = {}
    majors: dict[str, list[MajorError]] = {}
    for pair, _, path in (each.partition("=") for each in asked.ratings):
        read = read_ratings([path])
        habits = habits_of(read.segments)
        closeness = ReferenceCloseness() if pair.endswith("-en") else None
        for segment in read.segments:
            scene = SideBySide(segment, pair.partition("-")[2])
            for error in scene.errors():
                if error.mark.severity.lower() != "major" or not error.mark.category.lower().startswith(WANTED):
                    continue
                found = [] if error.output.is_human or unplaced(error) else scene.candidates(error)[0]
                add_features(scene, error, found, habits)
                if closeness is not None:
                    add_closeness(scene, error, found, closeness)
                own = {key(error.output.text, c.text): c.features for c in found}
                majors.setdefault(pair, []).append(MajorError(segment.document, len(error.marks), own))
                for digest in own.keys() & {digest for known, digest in answers if known == pair}:
                    rows[pair, digest] = ReadPair(pair, own[digest], *answers[pair, digest], segment.document)
    judges: dict[str, FoilJudge] = {}
    for name, pairs in [("any", [*majors]), *((pair, [pair]) for pair in majors), (SECOND, ["zh-en"])]:
        print(f"{name}:", end=" ")
        judges[name], folds = calibrated(name, pairs, rows, majors)
        for pair in pairs:
            tell(pair, majors, rows, folds)
        print(judges[name].weights)
    for pair in majors:
        print(f"{pair} by other languages:", end=" ")
        judge, _ = calibrated("any", [other for other in majors if other != pair], rows, majors)
        tell(pair, majors, rows, dict.fromkeys([major.document for major in majors[pair]], judge))
    if asked.out:
        asked.out.write_bytes(msgspec.json.format(msgspec.json.encode(judges), indent=1) + b"\n")


if __name__ == "__main__":
    main()
