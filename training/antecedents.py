"""Learns the weights of ``data/models/antecedents.json``: which noun a target pronoun refers to.

    .venv/bin/python training/antecedents.py collect scat OUT.jsonl [--part development|figure] [--limit 2000]
    .venv/bin/python training/antecedents.py collect contrapro OUT.jsonl [--part …]
    .venv/bin/python training/antecedents.py fit SCAT.jsonl CONTRAPRO.jsonl --out antecedents.json
    .venv/bin/python training/antecedents.py check SCAT.jsonl --pair en-fr

SCAT: a French noun is right if translators marked it. ContraPro: a German noun is right if it is the annotated
head. Both are cut in two by a hash of the last target sentence; weights come from the development half.
A conditional logit: each item's right nouns, or *none* where there is none, against all its nouns.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

from kontrast.building.parallel import Document
from kontrast.building.pronouns import load_recipe
from kontrast.building.pronouns.candidates import candidates, no_noun_features
from kontrast.building.pronouns.places import PronounPlace
from kontrast.building.pronouns.recipe import Recipe
from kontrast.building.pronouns.target import plain_form, target_side
from kontrast.building.pronouns.weigh import is_neutral
from kontrast.language import annotators, resolvers
from kontrast.language.aligners.fast_align import FastAlign, train
from kontrast.language.alignment import Links, spans

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
PARTS = ("development", "figure")
LEAST = 15
"""A feature of fewer candidates gets no weight."""
PENALTY = 4.0

Example = tuple[Document, int, int, set[str]]
"""A document, where the two pronouns begin in its last line, and the target nouns that are right."""


def is_part(text: str, part: str) -> bool:
    return PARTS[zlib.crc32(text.encode()) % 2] == part


def scat_examples() -> Iterator[Example]:
    import scat

    for number, m in enumerate(scat.read(DATA / "scat")):
        document = Document(f"scat{number}", tuple(m.source), tuple(m.target))
        yield document, m.source_place, m.target_place, m.words


def contrapro_examples() -> Iterator[Example]:
    folder = DATA / "contrapro-en-de"
    rows = [(folder / f"rows.context1.{code}").read_text("utf-8").split("\n") for code in ("en", "de")]
    starts = [int(n) for n in (folder / "group_starts.txt").read_text().split()]
    items = json.loads((folder / "contrapro.subset.json").read_text("utf-8"))
    groups = (folder / "contrapro.subset.groups").read_text("utf-8").split("\n")
    for number, (item, group) in enumerate(zip(items, groups, strict=False)):
        if not group.strip():
            continue
        start = starts[int(group.split()[0])]
        source, target = ([part.strip() for part in side[start].split("<SEP>")] for side in rows)
        source[-1], target[-1] = item["src segment"], item["ref segment"]
        places = [[w.start for w in spans(t) if w.text == p] for t, p in _pronouns(item)]
        if len(source) == len(target) and all(places):
            document = Document(f"contrapro{number}", tuple(source), tuple(target))
            yield document, places[0][0], places[1][0], {item["ref ante head"].lower()}


def _pronouns(item: dict[str, Any]) -> list[tuple[str, str]]:
    return [(item["src segment"], item["src pronoun"]), (item["ref segment"], item["ref pronoun"])]


EXAMPLES = {"scat": ("en-fr", scat_examples), "contrapro": ("en-de", contrapro_examples)}


def collect(name: str, part: str, limit: int | None) -> Iterator[dict[str, Any]]:
    """The candidates of each example, with their features and whether they are right."""
    pair, examples = EXAMPLES[name]
    recipe = load_recipe(pair)
    every = list(examples())
    kept = [e for e in every if is_part(e[0].target[-1], part)]
    kept = random.Random(1).sample(kept, min(limit or len(kept), len(kept)))
    with tempfile.TemporaryDirectory() as place:
        pairs = (p for e in every for p in zip(e[0].source, e[0].target, strict=True) if all(p))
        train(pairs, Path(place) / "alignment")
        texts = list(dict.fromkeys(p for e in kept for p in zip(e[0].source, e[0].target, strict=True)))
        links = dict(zip(texts, FastAlign(Path(place) / "alignment").align(texts), strict=True))
    english = list(dict.fromkeys(source for source, _ in texts))
    parsed = dict(zip(english, annotators.get("en", entities=True).annotate(english), strict=True))
    for example in kept:
        row = _row(recipe, example, parsed, links)
        if row is not None:
            yield row


def _row(recipe: Recipe, example: Example, parsed: dict[str, Any], links: dict[Any, Links]) -> dict[str, Any] | None:
    document, source_place, target_place, right = example
    line = len(document.source) - 1
    words = spans(document.target[line])
    index = next(i for i, w in enumerate(words) if w.start <= target_place < w.end)
    form = plain_form(recipe, words[index])
    source = next((w for w in spans(document.source[line]) if w.start == source_place), None)
    sentences = [parsed[text] for text in document.source]
    token = next((i for i, t in enumerate(sentences[line].tokens) if t.start <= source_place < t.end), None)
    if form is None or source is None or token is None:
        return None
    number = recipe.sources.get(source.text.lower())
    if number is None or form.number not in (None, number):
        return None
    place = PronounPlace(line, source, form, index)
    antecedents = resolvers.get("salience").antecedents("", sentences, line, token)
    salience = {(a.sentence, a.token): a.score for a in antecedents}
    own = {i: links[pair] for i, pair in enumerate(zip(document.source, document.target, strict=True))}
    found = candidates(recipe, target_side(recipe), document, place, sentences, own, salience)
    fitting = [c for c in found if c.fits]
    return {
        "lemmas": [c.noun.lemma.lower() for c in fitting],
        "features": [c.features for c in fitting],
        "right": [c.noun.text.lower() in right for c in fitting],
        "none": no_noun_features(found, neutral=is_neutral(recipe, place), number=number),
    }


def fit(rows: list[dict[str, Any]], penalty: float = PENALTY) -> dict[str, float]:
    rows = [row for row in rows if row["features"]]
    counts = Counter(name for row in rows for features in (*row["features"], row["none"]) for name in features)
    names = {name: i for i, name in enumerate(sorted(n for n, count in counts.items() if count >= LEAST))}
    table: list[Any] = []
    right: list[bool] = []
    starts: list[int] = []
    for row in rows:
        starts.append(len(table))
        for features in (*row["features"], row["none"]):
            line = np.zeros(len(names))
            for name, value in features.items():
                if name in names:
                    line[names[name]] = value
            table.append(line)
        right += [*row["right"], not any(row["right"])]
    x, y, begin = np.array(table), np.array(right, float), np.array(starts)
    group = np.repeat(np.arange(len(begin)), np.diff([*begin, len(table)]))

    def loss(w: Any) -> tuple[float, Any]:
        sums = x @ w
        e = np.exp(sums - np.maximum.reduceat(sums, begin)[group])
        all_, good = np.add.reduceat(e, begin), np.add.reduceat(e * y, begin)
        gradient = x.T @ (e * y / good[group] - e / all_[group])
        return -np.log(good / all_).sum() + penalty * (w @ w) / 2, -gradient + penalty * w

    found = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 500})
    return {name: round(float(found.x[i]), 3) for name, i in names.items()}


def without_roles(row: dict[str, Any]) -> dict[str, Any]:
    """For any other pair, whose target side tells no roles."""
    plain = [{n: v for n, v in features.items() if not n.startswith("target role")} for features in row["features"]]
    return {**row, "features": plain}


def check(rows: list[dict[str, Any]], weights: dict[str, float]) -> list[tuple[float, bool]]:
    """How sure the choice of each item is, and whether it is right; items without a candidate are left out."""

    def sum_of(features: dict[str, float]) -> float:
        return sum(weights.get(name, 0.0) * value for name, value in features.items())

    result = []
    for row in rows:
        if not row["features"]:
            continue
        e = [math.exp(sum_of(f)) for f in row["features"]]
        best = max(range(len(e)), key=lambda i: e[i])
        same = sum(a for a, lemma in zip(e, row["lemmas"], strict=True) if lemma == row["lemmas"][best])
        result.append((same / (sum(e) + math.exp(sum_of(row["none"]))), row["right"][best]))
    return sorted(result, reverse=True)


def report(name: str, rows: list[dict[str, Any]], result: list[tuple[float, bool]]) -> None:
    print(f"{name}: {len(rows)} items, {len(result)} with a candidate")
    for share in (1.0, 0.85, 0.75, 0.65, 0.5):
        kept = result[: int(share * len(rows))]
        right = sum(r for _, r in kept) / len(kept)
        print(f"  answered {len(kept) / len(rows):.3f}: right {right:.3f}, least sure {kept[-1][0]:.2f}")
    for low in (0.3, 0.5, 0.6, 0.7, 0.8, 0.9):
        inside = [r for c, r in result if low <= c < low + 0.1]
        print(f"  sure {low:.1f}-{low + 0.1:.1f}: {len(inside)} items, right {sum(inside) / max(len(inside), 1):.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("collect", "fit", "check"))
    parser.add_argument("files", nargs="+")
    parser.add_argument("--part", choices=PARTS, default="development")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--pair")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    if args.what == "collect":
        name, out = args.files
        rows = list(collect(name, args.part, args.limit))
        Path(out).write_text("".join(json.dumps({"pair": EXAMPLES[name][0], **row}) + "\n" for row in rows), "utf-8")
        print(f"{out}: {len(rows)} items")
        return
    rows = [json.loads(line) for path in args.files for line in Path(path).read_text("utf-8").splitlines()]
    if args.what == "check":
        from kontrast.building.pronouns.rank import load_ranker

        report(args.pair, rows, check(rows, load_ranker(args.pair).weights))
        return
    models = {}
    for pair in ("en-fr", "any"):  # ContraPro's two sentences alone teach nothing of longer documents
        own = [row for row in rows if pair == row["pair"]] or [without_roles(row) for row in rows]
        folds = [check(own[k::4], fit([r for i, r in enumerate(own) if i % 4 != k])) for k in range(4)]
        report(f"{pair}, four folds", own, sorted((r for fold in folds for r in fold), reverse=True))
        sources = " and ".join(sorted({n for n, (p, _) in EXAMPLES.items() if pair in (p, "any")}))
        models[pair] = {"learnt_from": f"{len(own)} items, development half of {sources}", "weights": fit(own)}
    if args.out:
        args.out.write_text(json.dumps(models, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
