"""Learn the judge of errors: how likely does a reader take a candidate for a clean error of its type?

    python training/judge.py errors de               # learns, prints shares over texts, writes the weights
    python training/judge.py errors de --check       # only prints

It learns from ``training/readings/LANG*.tsv``: candidates that readers judged (columns text, type, verdict, source,
sentence, foil), and ``training/readings/rules-LANG.tsv.gz``: candidates on which the rules that kontrast had before
the judge said *clear* or *doubtful*. A clear one counts as right, a doubtful one as right by the share that a reader
took of a sample of each type (the reading ``LANG-doubtful``); both count little. Each candidate is made anew by
today's generators and asked its source, so features are today's; what is no longer made is left out and counted.

A type of which fewer than `AIM` are right among the accepted is trusted less: its log odds are lowered.

All types are learnt at once: a logistic model whose weights belong to a feature (in every type) or to a feature of
one type. Most of them are driven to zero by their cost, those of doubts to what an unread doubt weighs. Quality and
calibration are estimated on texts that a fold has not seen. The weights are
``src/kontrast/data/models/errors.LANG.json``, added up for each type.
"""

from __future__ import annotations

import csv
import gzip
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import scipy.sparse as sp

from kontrast.building.checks.judge import ALWAYS, DOUBT, DOUBTS, START, FoilJudge
from kontrast.building.checks.source import weighed
from kontrast.building.errors.registry import get, known_names
from kontrast.building.errors.run import annotator_for, features_of
from kontrast.defaults import ERROR_CONFIDENCE

READINGS = Path(__file__).resolve().parent / "readings"
MODELS = Path(__file__).resolve().parents[1] / "src" / "kontrast" / "data" / "models"
FOLDS = 8
COST, SQUARED = 1.0, 0.5
"""Of a weight and of its square; the first sets most weights to zero."""
LEAST = 8
"""How often a feature must occur."""
RULE = 0.15
"""How much a rule's verdict counts beside a reader's."""
CLEAR, DOUBTFUL = 0.97, 0.5
"""Of what rules called so, how many readers take where no sample of the type was read."""
STEPS = 400
SMALL = 0.05
"""Weights below this are not kept."""
AIM = 0.96
"""The share right of what is accepted, on texts not seen, that each type is to reach."""
SHIFTS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
"""By how much the log odds of a type that falls short may be lowered: from 0.6 on it is accepted as if from 0.91."""
NEAR = 0.005
"""A shift that gains no more than this is not worth what it leaves out."""
BANDS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0)


class Row(NamedTuple):
    type: str
    text: str
    features: tuple[str, ...]
    right: float
    read: bool
    weight: float


Model = tuple[dict[str, int], np.ndarray]


def learn_errors(language: str, *, check: bool) -> None:
    """Learn all types of a language; with ``check`` write nothing."""
    rows = list(read_rows(language))
    said = across(rows)
    shifts = cautions(rows, said)
    print("lowered log odds:", ", ".join(f"{name} {shift}" for name, shift in shifts.items() if shift))
    report(rows, lowered(rows, said, shifts))
    if check:
        return
    model = fit(rows)
    judges = {
        name: _judge(model, name, rows, shifts[name])
        for name in known_names(language)
        if any(r.type == name for r in rows)
    }
    path = MODELS / f"errors.{language}.json"
    path.write_bytes(msgspec.json.format(msgspec.json.encode(judges), indent=0) + b"\n")
    print(f"{path.name}: {np.count_nonzero(np.abs(model[1]) >= SMALL)} weights learnt")


def read_rows(language: str) -> Iterator[Row]:
    """Every stored candidate that today's generators make and the source does not speak for, with its features."""
    types = {name: get(language, name) for name in known_names(language)}
    reader = annotator_for(language, list(types.values()))
    records = list(_records(language))
    shares = _shares(language, records)
    stored: dict[tuple[str, str, str], list[tuple[str, str, float, bool]]] = defaultdict(list)
    for record, read in records:
        name, verdict = record["type"], record["verdict"]
        right = float(verdict == "yes") if read else CLEAR if verdict == "clear" else shares.get(name, DOUBTFUL)
        stored[record["sentence"], record["source"], record["text"]].append((name, record["foil"], right, read))
    gone, left = Counter[str](), Counter[str]()
    for key, sentence in zip(stored, reader.annotate(sentence for sentence, _, _ in stored), strict=True):
        sentence = msgspec.structs.replace(sentence, source=key[1])
        for name in {type for type, *_ in stored[key]} & set(types):
            made = {c.text: c for c in types[name].candidates(sentence) if not c.plain}
            for foil, right, read in (row[1:] for row in stored[key] if row[0] == name):
                if foil not in made:
                    gone[name] += 1
                    continue
                kept = weighed([made[foil]], sentence, language, left) if key[1].strip() else [made[foil]]
                for found in kept:
                    said = tuple(features_of(found, sentence, language))
                    yield Row(name, key[2], said, right, read, 1.0 if read else RULE)
    print(f"not made any more: {gone.total()} ({', '.join(f'{n} {c}' for n, c in gone.most_common(5))})")
    print(f"left out for their source: {left.total()}")


def _records(language: str) -> Iterator[tuple[dict[str, Any], bool]]:
    def lines(stream: Any) -> Iterator[dict[str, Any]]:
        yield from csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)

    for path in sorted(READINGS.glob(f"{language}*.tsv")):
        with path.open(encoding="utf-8", newline="") as stream:
            yield from ((record, True) for record in lines(stream))
    rules = READINGS / f"rules-{language}.tsv.gz"
    if rules.exists():
        with gzip.open(rules, "rt", encoding="utf-8", newline="") as stream:
            yield from ((record, False) for record in lines(stream))


def _shares(language: str, records: Sequence[tuple[dict[str, Any], bool]]) -> dict[str, float]:
    """Of what rules doubted, how many a reader took, by type."""
    read = defaultdict(list)
    for record, _ in records:
        if record.get("reading") == f"{language}-doubtful":
            read[record["type"]].append(record["verdict"] == "yes")
    return {name: sum(verdicts) / len(verdicts) for name, verdicts in read.items()}


def _columns(row: Row) -> Iterator[str]:
    """The columns of a row: its type, its features, and its features in its type."""
    yield f"{row.type}/{ALWAYS}"
    for name in row.features:
        if name != ALWAYS:
            yield f"{row.type}/{name}"
            if not name.startswith("own."):
                yield f"/{name}"


def _matrix(rows: Sequence[Row], vocabulary: dict[str, int]) -> sp.csr_matrix:
    places = [(i, vocabulary[c]) for i, row in enumerate(rows) for c in _columns(row) if c in vocabulary]
    shape = (len(rows), len(vocabulary))
    return sp.csr_matrix((np.ones(len(places)), tuple(zip(*places, strict=True))), shape=shape)


def fit(rows: Sequence[Row]) -> Model:
    """The weights with the least loss and cost, by accelerated proximal steps."""
    counts = Counter(column for row in rows for column in _columns(row))
    vocabulary = {c: i for i, c in enumerate(sorted(c for c, n in counts.items() if n >= LEAST or _is_start(c)))}
    matrix = _matrix(rows, vocabulary)
    right, share = np.array([row.right for row in rows]), np.array([row.weight for row in rows])
    cost = np.array([0.0 if _is_start(column) else 1.0 for column in vocabulary])
    step = 1 / (0.25 * _norm(matrix, share) + SQUARED)
    prior = np.array([DOUBT if _is_doubt(c) else START if _is_start(c) else 0.0 for c in vocabulary])
    weights = ahead = prior
    pace = 1.0
    for _ in range(STEPS):
        slope = matrix.T @ (share * (1 / (1 + np.exp(-(matrix @ ahead))) - right)) + SQUARED * (ahead - prior)
        moved = ahead - step * slope - prior
        new = prior + np.sign(moved) * np.maximum(np.abs(moved) - step * COST * cost, 0)
        faster = (1 + (1 + 4 * pace * pace) ** 0.5) / 2
        ahead = new + (pace - 1) / faster * (new - weights)
        weights, pace = new, faster
    return vocabulary, weights


def _is_start(column: str) -> bool:
    """Is it where a type starts: at what an unread one has, until readings say more?"""
    return column.endswith(f"/{ALWAYS}")


def _is_doubt(column: str) -> bool:
    """Is it a doubt of one type, or a flaw in any?"""
    type, _, feature = column.partition("/")
    return feature.startswith(DOUBTS) and bool(type) == feature.startswith("own.")


def _norm(matrix: sp.csr_matrix, share: np.ndarray) -> float:
    """The largest curvature, by power iteration."""
    vector = np.ones(matrix.shape[1])
    for _ in range(20):
        vector = matrix.T @ (share * (matrix @ vector))
        size = float(np.linalg.norm(vector))
        vector = vector / size
    return size


def across(rows: Sequence[Row], learn: Callable[[Sequence[Row]], Model] = fit) -> np.ndarray:
    """The confidence in each row by a model that has not seen its text."""
    fold = {text: k % FOLDS for k, text in enumerate(sorted({row.text for row in rows}))}
    said = np.zeros(len(rows))
    for k in range(FOLDS):
        inside = [i for i, row in enumerate(rows) if fold[row.text] == k]
        vocabulary, weights = learn([row for row in rows if fold[row.text] != k])
        said[inside] = 1 / (1 + np.exp(-(_matrix([rows[i] for i in inside], vocabulary) @ weights)))
    return said


def cautions(rows: Sequence[Row], said: np.ndarray) -> dict[str, float]:
    """For each type the smallest shift with which enough of what is accepted is right, or nearly the most."""
    found = {}
    for name in sorted({row.type for row in rows}):
        own = np.array([row.type == name and row.read for row in rows])
        right = np.array([row.right for row in rows])[own]

        def share(shift: float, own: np.ndarray = own, right: np.ndarray = right) -> float:
            kept = right[_shifted(said[own], shift) >= ERROR_CONFIDENCE]
            return float(kept.mean()) if len(kept) else 0.0

        least = min(AIM, max(map(share, SHIFTS)) - NEAR)
        found[name] = next(shift for shift in SHIFTS if share(shift) >= least)
    return found


def _shifted(said: np.ndarray, shift: float) -> np.ndarray:
    """The confidences with lower log odds."""
    return said / (said + (1 - said) * np.exp(shift))


def lowered(rows: Sequence[Row], said: np.ndarray, shifts: dict[str, float]) -> np.ndarray:
    return _shifted(said, np.array([shifts[row.type] for row in rows]))


def report(rows: Sequence[Row], said: np.ndarray, least: float = ERROR_CONFIDENCE) -> None:
    """By type: readers' verdicts, the share right among the accepted, and what is accepted; then the calibration."""
    read = np.array([row.read for row in rows])
    right, kept = np.array([row.right for row in rows]), said >= least
    clear = ~read & (right == CLEAR)
    heads = ("right", "accepted", "of right", "clear", "doubtful")
    print(f"from {least}, on texts not seen\n{'type':30s} {'read':>5s}" + "".join(f" {head:>8s}" for head in heads))
    for name in (*sorted({row.type for row in rows}), ""):
        own = np.array([not name or row.type == name for row in rows])
        parts = (right[own & read], right[own & read & kept], kept[own & read & (right == 1)])
        parts += kept[own & clear], kept[own & ~read & ~clear]
        shares = " ".join(f"{part.mean():8.1%}" if len(part) else f"{'–':>8s}" for part in parts)
        print(f"{name or 'all':30s} {(own & read).sum():5d} {shares}", flush=True)
    for low, high in pairwise(BANDS):
        inside = read & (said >= low) & (said < high)
        if inside.sum() >= 30:
            mean, share = said[inside].mean(), right[inside].mean()
            print(f"confidence {low:.2f} to {high:.2f}: {inside.sum()} read, mean {mean:.3f}, right {share:.3f}")


def _counts(feature: str, weight: float) -> bool:
    return abs(weight) >= SMALL or feature.startswith(DOUBTS)


def _judge(model: Model, name: str, rows: Sequence[Row], shift: float) -> FoilJudge:
    """The weights of one type: its own and those of every type, added up, with its log odds lowered by the shift."""
    vocabulary, found = model
    weights: dict[str, float] = defaultdict(float)
    for column, i in vocabulary.items():
        type, _, feature = column.partition("/")
        if type in (name, ""):
            weights[feature] += float(found[i])
    own = [row for row in rows if row.type == name]
    means = Counter(feature for row in own for feature in row.features)
    kept = {
        f: round(w, 2)
        for f, w in sorted(weights.items())
        if _counts(f, w) and f != ALWAYS and (f in means or f.startswith(DOUBTS))
    }
    texts = ", ".join(sorted({row.text for row in own}))
    learnt = f"{sum(row.read for row in own)} foils read and {sum(not row.read for row in own)} of rules ({texts})"
    shares = {f: round(means[f] / len(own), 2) for f in kept}
    return FoilJudge(learnt, {ALWAYS: round(weights[ALWAYS] - shift, 3), **kept}, {ALWAYS: 1.0, **shares})
