"""Learn the judge of errors: how likely does a reader take a candidate for a clean error of its type?

    python training/judge.py errors de               # learns, prints shares over texts, writes the weights
    python training/judge.py errors de --check       # only prints

It learns from ``training/readings/LANG*.tsv``: candidates that readers judged (columns text, type, verdict, source,
sentence, foil), and ``training/readings/rules-LANG.tsv.gz``: candidates on which the rules that kontrast had before
the judge said *clear* or *doubtful*, which count less. Each candidate is made anew by today's generators, so features
are today's; what they no longer make is left out and counted. Quality is estimated on texts that a fold has not seen.
The weights are ``src/kontrast/data/models/errors.LANG.json``: one logistic model per type, weights by feature name.
"""

from __future__ import annotations

import csv
import gzip
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import scipy.sparse as sp
from scipy.optimize import minimize

from kontrast.building.checks.judge import ALWAYS, FoilJudge
from kontrast.building.checks.soundness import text_flaws
from kontrast.building.errors.registry import get, known_names
from kontrast.building.errors.run import annotator_for, features_of

READINGS = Path(__file__).resolve().parent / "readings"
MODELS = Path(__file__).resolve().parents[1] / "src" / "kontrast" / "data" / "models"
FOLDS = 4
PENALTY, LEAST = 2.0, 4
"""Of squared weights; how often a feature must occur."""
READ = 3.0
"""How much a reader's verdict counts beside a rule's."""
DOUBTED = 0.5
SHARES = {
    "clause_omission": 0.4,
    "polarity_affix_ins": 0.3,
    "polarity_particle_nicht_del": 0.3,
    "pronoun_gender": 0.25,
    "tense": 0.6,
    "transliteration": 0.4,
    "verb_particle": 0.95,
}
"""Share of the doubtful that readers accept, by type; of 80 that an earlier judge refused they took 60."""
WANTED = 0.95
"""Share of right ones among the accepted that each type's start is set for."""
FEWEST = 30
"""Foils read, from which a type has a judge."""
SMALL = 0.04
"""Weights below this are not kept."""


class Row(NamedTuple):
    type: str
    text: str
    features: tuple[str, ...]
    right: float
    read: bool


def learn_errors(language: str, *, check: bool) -> None:
    """Learn all types of a language; with ``check`` write nothing."""
    by_type: dict[str, list[Row]] = defaultdict(list)
    for row in _rows(language):
        by_type[row.type].append(row)
    heads = "".join(f" {head:>8s}" for head in ("right", "accepted", "right", "bad kept", "of rules"))
    print(f"{'type':30s} {'read':>5s}{heads}")
    judges = {}
    for name in known_names(language):
        rows = by_type[name]
        if sum(row.read for row in rows) >= FEWEST:
            scores = _across(rows)
            start = _start(rows, scores)
            _report(name, rows, scores + start)
            judges[name] = _judge(rows, start)
    if not check:
        path = MODELS / f"errors.{language}.json"
        path.write_bytes(msgspec.json.format(msgspec.json.encode(judges), indent=0) + b"\n")
        print(f"{path.name}: {sum(len(judge.weights) for judge in judges.values())} weights")


def _rows(language: str) -> Iterator[Row]:
    """Every stored candidate that today's generators make, with its features."""
    types = {name: get(language, name) for name in known_names(language)}
    reader = annotator_for(language, list(types.values()))
    stored: dict[tuple[str, str, str], list[tuple[str, str, float, bool]]] = defaultdict(list)
    for record, read in _records(language):
        right = float(record["verdict"] in ("yes", "clear"))
        right = right or (0.0 if read else SHARES.get(record["type"], DOUBTED))
        key = (record["sentence"], record["source"], record["text"])
        stored[key].append((record["type"], record["foil"], right, read))
    gone: Counter[str] = Counter()
    for key, sentence in zip(stored, reader.annotate(sentence for sentence, _, _ in stored), strict=True):
        sentence = msgspec.structs.replace(sentence, source=key[1])
        flaws = text_flaws(sentence, language)
        for name in {type for type, *_ in stored[key]} & set(types):
            made = {c.text: c for c in types[name].function(sentence) if not c.plain}
            for type, foil, right, read in stored[key]:
                if type != name:
                    continue
                if foil not in made:
                    gone[name] += 1
                    continue
                yield Row(name, key[2], tuple(features_of(made[foil], sentence, language, flaws)), right, read)
    print(f"not made any more: {sum(gone.values())} ({', '.join(f'{n} {c}' for n, c in gone.most_common(5))})")


def _records(language: str) -> Iterator[tuple[dict[str, Any], bool]]:
    for path in sorted(READINGS.glob(f"{language}*.tsv")):
        with path.open(encoding="utf-8", newline="") as stream:
            yield from ((r, True) for r in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    rules = READINGS / f"rules-{language}.tsv.gz"
    if rules.exists():
        with gzip.open(rules, "rt", encoding="utf-8", newline="") as stream:
            yield from ((r, False) for r in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


def _across(rows: Sequence[Row]) -> np.ndarray:
    """The score of each row by a model that has not seen its text."""
    texts = sorted({row.text for row in rows})
    fold = {text: k % FOLDS for k, text in enumerate(texts)}
    scores = np.zeros(len(rows))
    for k in range(FOLDS):
        inside = [i for i, row in enumerate(rows) if fold[row.text] == k]
        others = [row for row in rows if fold[row.text] != k]
        if inside and others:
            vocabulary, weights = _fit(others)
            scores[inside] = _matrix([rows[i] for i in inside], vocabulary) @ weights[:-1] + weights[-1]
    return scores


def _matrix(rows: Sequence[Row], vocabulary: dict[str, int]) -> sp.csr_matrix:
    places = [(i, vocabulary[f]) for i, row in enumerate(rows) for f in row.features if f in vocabulary]
    shape = (len(rows), len(vocabulary))
    if not places:
        return sp.csr_matrix(shape)
    return sp.csr_matrix((np.ones(len(places)), tuple(zip(*places, strict=True))), shape=shape)


def _fit(rows: Sequence[Row]) -> tuple[dict[str, int], np.ndarray]:
    counts = Counter(feature for row in rows for feature in row.features)
    vocabulary = {f: i for i, f in enumerate(sorted(f for f, n in counts.items() if n >= LEAST))}
    matrix = _matrix(rows, vocabulary)
    right = np.array([row.right for row in rows])
    share = np.array([READ if row.read else 1.0 for row in rows])

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        score = matrix @ weights[:-1] + weights[-1]
        value = share @ (np.logaddexp(0, score) - right * score) + PENALTY / 2 * (weights[:-1] ** 2).sum()
        error = share * (1 / (1 + np.exp(-np.clip(score, -30, 30))) - right)
        return value, np.append(matrix.T @ error + PENALTY * weights[:-1], error.sum())

    found = minimize(loss, np.zeros(len(vocabulary) + 1), jac=True, method="L-BFGS-B", options={"maxiter": 150})
    return vocabulary, found.x


def _start(rows: Sequence[Row], scores: np.ndarray) -> float:
    """What to add so that of those above 0 the wanted share is right, as far as read ones and rules tell.

    The read ones were chosen by earlier rules and say little of what these doubted, so both are weighed: as they
    occur, but the doubtful never more than the clear.
    """
    order = np.argsort(-scores)
    right = np.array([rows[i].right for i in order])
    doubtful = np.array([not rows[i].read and rows[i].right < 1 for i in order])
    clear = sum(not row.read and row.right == 1 for row in rows)
    mass = np.where(doubtful, min(1.0, clear / max(1, doubtful.sum())), 1.0)
    share = np.cumsum(right * mass) / np.cumsum(mass)
    good = np.flatnonzero(share >= WANTED)
    if not len(good):
        return float(-scores[order[0]] - 0.1)
    return float(-scores[order[good[-1]]] + 1e-6)


def _report(name: str, rows: Sequence[Row], scores: np.ndarray) -> None:
    read = np.array([row.read for row in rows])
    right = np.array([row.right for row in rows])
    kept = scores > 0
    figures = (right[read], kept[read], right[read & kept], kept[read & (right == 0)], kept[~read])
    shares = " ".join(f"{part.mean() if len(part) else math.nan:8.1%}" for part in figures)
    print(f"{name:30s} {read.sum():5d} {shares}", flush=True)


def _judge(rows: Sequence[Row], start: float) -> FoilJudge:
    vocabulary, found = _fit(rows)
    kept = {f: round(float(found[i]), 2) for f, i in vocabulary.items() if f != ALWAYS and abs(found[i]) >= SMALL}
    first = float(found[-1] + found[vocabulary[ALWAYS]]) + start
    texts = ", ".join(sorted({row.text for row in rows}))
    learnt = f"{sum(row.read for row in rows)} foils read and {sum(not row.read for row in rows)} of rules ({texts})"
    return FoilJudge(learnt, {ALWAYS: round(first, 3), **kept}, {ALWAYS: 1.0})
