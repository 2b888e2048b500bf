"""Learns the judges: of errors (``errors LANG``, `judge_errors`) and of pronoun foils.

Pronoun foils (``data/models/pronouns.json``) are learnt from foils that were read one by one:

    .venv/bin/python training/judge.py pronouns --pair en-de --documents FOLDER … --alignment MODEL --rows rows.jsonl
    .venv/bin/python training/judge.py pronouns --pair en-de --rows rows.jsonl [--out MODELS.json]

The first line collects: it builds the items of the documents and writes the features of every foil that was read
(``foils.tsv``) to the file of rows. ``training/antecedent_documents.py`` and ``benchmarks/manuals.py`` make the
documents; the texts themselves stay outside the repository, and a reading is found again by a hash of its two lines,
the pronoun's place, the noun and the foil. The second line learns a logistic model (a foil is sound where the
antecedent and the foil were both signed), prints by five folds over documents what is kept from each confidence on
and how the confidence compares with the share that is sound, and writes the model where ``--out`` is given. Foils
whose pronoun the pointing network has learnt from are left out.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from pointing import near_key, read_places
from scipy.optimize import minimize

from kontrast.building.checks.judge import FoilJudge
from kontrast.building.pronouns import item, load_recipe
from kontrast.building.pronouns.features import Scene, foil_features
from kontrast.building.pronouns.foils import Contrastive
from kontrast.building.pronouns.pipeline import Tools, composed_documents, find_in_documents
from kontrast.building.pronouns.recipe import Recipe
from kontrast.language.pointing import encoder_place

READ = Path(__file__).with_name("foils.tsv")
LEAST = 12
"""A feature of fewer foils gets no weight."""
PENALTY = 30.0
"""Of a weight's square, for features of standard deviation 1."""
FOLDS = 5
ROMANCE = ("en-fr", "en-es", "en-it")
"""These learn from each other's foils too."""
COUNTED = 0.5
"""What a foil of another pair counts there."""
STRICTLY = "read_strictly"
"""A feature of foils that were refused where a careful reader might let them pass; none has it later."""
LEVELS = (0.5, 0.6, 0.7, 0.8, 0.9)

Row = dict[str, Any]


def foil_key(source: str, target: str, start: int, noun: str, foil: str) -> str:
    """A foil in its two lines with the claimed noun, by which a reader's answer is found again."""
    return hashlib.blake2b(f"{source}\n{target}\n{start}\n{noun}\n{foil}".encode(), digest_size=6).hexdigest()


def answers(pair: str) -> dict[str, tuple[str, str, str, str]]:
    """By key: of the antecedent, of the foil, by which question, in which kind of text."""
    rows = [line.split("\t") for line in READ.read_text("utf-8").splitlines() if not line.startswith("#")]
    return {key: (antecedent, foil, asked, kind) for own, kind, key, antecedent, foil, asked in rows if own == pair}


def collect(pair: str, folders: Sequence[Path], alignment: Path) -> Iterator[Row]:
    """The rows of foils that were read, from the builder itself, looked at while it judges."""
    read, seen = answers(pair), read_places()
    encoder = encoder_place()
    if encoder is None:
        raise SystemExit("judge.py: the encoder is not here (python tools/encoder.py)")
    found: list[Row] = []

    def kept(recipe: Recipe, scene: Scene, other: Contrastive) -> dict[str, float]:
        features = foil_features(recipe, scene, other)
        choice = scene.choice
        source = scene.sentences[choice.line].tokens[choice.source].text if choice.source is not None else None
        claim = f"{source}={choice.noun.text}"
        key = foil_key(scene.sentence.text, scene.text, scene.place.source.start, claim, other.text)
        if key in read:
            antecedent, foil, asked, kind = read.pop(key)
            name = f"{scene.document.name}:{scene.place.line}:{scene.place.source.start}"
            row: Row = {"pair": pair, "document": scene.document.name, "item": name, "read": antecedent + foil}
            row |= {"kind": kind, "learnt from": near_key(scene.sentence.text, scene.place.source.start) in seen}
            found.append({**row, "features": {**features, STRICTLY: 1.0} if asked == "s" else features})
        return features

    item.foil_features = kept  # type: ignore[attr-defined]
    recipe = load_recipe(pair)
    tools = Tools(recipe, alignment=str(alignment), encoder=encoder)
    for folder in folders:
        documents = list(composed_documents(folder, recipe.source_language, recipe.target_language))
        for k in range(0, len(documents), 50):
            for _ in find_in_documents(documents[k : k + 50], tools):
                pass
            yield from found
            found.clear()
    print(f"{len(read)} of the foils read in {pair} are not among these")


def learn(rows: Sequence[Row], pair: str, learnt_from: str = "", without: frozenset[str] = frozenset()) -> FoilJudge:
    """A logistic model of the features that are frequent enough, ``without`` some."""
    counts = Counter(name for row in rows for name in row["features"])
    names = sorted(name for name, count in counts.items() if count >= LEAST and name not in without)
    index = {name: i for i, name in enumerate(names)}
    x = np.zeros((len(rows), len(names)))
    for line, row in zip(x, rows, strict=True):
        for name, value in row["features"].items():
            if name in index:
                line[index[name]] = value
    y = np.array([float(row["read"] == "yy") for row in rows])
    counted = np.array([1.0 if row["pair"] == pair else COUNTED for row in rows])
    scale = x.std(0)
    scale[scale < 1e-3] = 1.0
    scaled = x / scale
    cost = np.full(len(names), PENALTY)
    cost[index["always"]] = 0.0

    def loss(w: Any) -> tuple[float, Any]:
        z = scaled @ w
        p = 1 / (1 + np.exp(-z))
        value = (np.logaddexp(0, z) - y * z) @ counted + cost @ (w * w) / 2
        return value, scaled.T @ ((p - y) * counted) + cost * w

    found = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 1000}).x / scale
    weights = {name: round(float(w), 3) for name, w in zip(names, found, strict=True) if abs(w) >= 0.0005}
    weights.pop(STRICTLY, None)  # no foil is read strictly later
    means = {name: round(float(mean), 3) for name, mean in zip(names, x.mean(0), strict=True) if name in weights}
    return FoilJudge(learnt_from, weights, means)


def by_folds(rows: Sequence[Row], pair: str, without: frozenset[str] = frozenset()) -> list[tuple[float, Row]]:
    """Each own row with what is said of it by a judge who learnt without its document."""
    said = []
    for fold in range(FOLDS):
        held = [zlib.crc32(row["document"].encode()) % FOLDS == fold for row in rows]
        judge = learn([row for row, out in zip(rows, held, strict=True) if not out], pair, without=without)
        own = [row for row, out in zip(rows, held, strict=True) if out and row["pair"] == pair]
        said += [(judge.confidence(row["features"]), row) for row in own]
    return said


def area(said: Sequence[tuple[float, Row]]) -> float:
    """The area under the curve: how often a sound foil is surer than another."""
    ranked = sorted(said, key=lambda pair: pair[0])
    good = [k for k, (_, row) in enumerate(ranked) if row["read"] == "yy"]
    bad = len(ranked) - len(good)
    return (sum(good) - len(good) * (len(good) - 1) / 2) / max(len(good) * bad, 1)


def report(said: Sequence[tuple[float, Row]], default: float) -> None:
    """A line for each level and for the recipe's own, then the confidence beside the share that is sound."""
    signed = {row["item"] for _, row in said if row["read"] == "yy"}
    best: dict[str, float] = {}
    for p, row in said:
        best[row["item"]] = max(p, best.get(row["item"], 0.0))
    print(f"{len(said)} foils, {len(best)} items, {len(signed)} with a sound foil; area {area(said):.3f}")
    for level in sorted({*LEVELS, default}):
        kept = [row for p, row in said if p >= (level if p == best[row["item"]] else max(level, item.FURTHER))]
        made = {row["item"] for row in kept}
        whole = made - {row["item"] for row in kept if row["read"] != "yy"}
        told = sum(row["read"][0] == "y" for row in kept)
        print(
            f"from {level}: {len(made)} items, all foils sound in {len(whole) / max(len(made), 1):.3f}, antecedent "
            f"right {told / max(len(kept), 1):.3f}; {len(made & signed) / max(len(signed), 1):.2f} of those to be had"
        )
    for low in np.arange(0.3, 1.0, 0.1):
        inside = [(p, row["read"] == "yy") for p, row in said if low <= p < low + 0.1]
        if len(inside) >= 30:
            mean, share = (sum(values) / len(inside) for values in zip(*inside, strict=True))
            print(f"confidence {low:.1f} to {low + 0.1:.1f}: {len(inside)} foils, mean {mean:.2f}, sound {share:.2f}")


def read_rows(paths: Sequence[Path], pair: str) -> list[Row]:
    """The rows that a pair learns from."""
    rows = [json.loads(line) for path in paths for line in path.read_text("utf-8").splitlines()]
    rows = [r for r in rows if r["pair"] == pair or (pair in ROMANCE and r["pair"] in ROMANCE)]
    return [r for r in rows if not r["learnt from"]]


def main() -> None:
    root = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = root.add_subparsers(dest="what", required=True)
    errors = commands.add_parser("errors", help="the judge of errors (judge_errors.py)")
    errors.add_argument("language")
    errors.add_argument("--check", action="store_true", help="write nothing")
    parser = commands.add_parser("pronouns", help="the judge of pronoun foils")
    parser.add_argument("--pair", required=True)
    parser.add_argument("--rows", type=Path, nargs="+", required=True)
    parser.add_argument("--documents", type=Path, nargs="+", help="collect the rows from these [learn from the rows]")
    parser.add_argument("--alignment", type=Path)
    parser.add_argument("--out", type=Path, help="put the weights into this file")
    args = root.parse_args()
    if args.what == "errors":
        from judge_errors import learn_errors

        learn_errors(args.language, check=args.check)
        return
    if args.documents:
        with args.rows[0].open("a", encoding="utf-8") as file:
            for row in collect(args.pair, args.documents, args.alignment):
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        return
    rows = read_rows(args.rows, args.pair)
    report(by_folds(rows, args.pair), load_recipe(args.pair).soundness)
    own = sum(r["pair"] == args.pair for r in rows)
    others = f" and {len(rows) - own} of {', '.join(p for p in ROMANCE if p != args.pair)}" if len(rows) > own else ""
    judge = learn(rows, args.pair, f"{own} foils read in {args.pair}{others}")
    if args.out is not None:
        models = json.loads(args.out.read_text("utf-8")) if args.out.exists() else {}
        models[args.pair] = msgspec.to_builtins(judge)
        args.out.write_text(json.dumps(dict(sorted(models.items())), indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
