"""Learns the weights of ``data/models/foils.json``: how likely a foil of a pronoun item is sound.

    .venv/bin/python training/foils.py collect OUT.jsonl --pair en-de --documents FOLDER --alignment MODEL
    .venv/bin/python training/foils.py fit ROWS.jsonl … --pair en-de [--out FILE.json]

``training/foils.tsv`` has what readers said of foils of ordinary text, by a hash of the two lines, of the pronoun's
place, of the noun and of the foil: whether the claimed antecedent is what is meant (``y``, ``d``: arguable, ``n``),
and whether the foil is wrong and well formed (``f``: it has a fault of form). They were asked whether a reviser would
mark it (``r``), or, before, whether no careful reader might let it pass (``s``, strict).
``training/antecedent_documents.py`` and ``benchmarks/manuals.py`` make the documents. ``collect`` finds the items of
these documents again and writes the features of the foils that were read, with a second opinion. ``fit`` (with
scikit-learn) leaves out those whose pronoun the pointing network has learnt from, learns a logistic model and boosted
trees, of which the mean counts (a foil is sound where both answers are ``y``; that it was read strictly is a feature
that no foil has later), prints by five folds of documents how many foils and items are kept from each confidence on
and how many of them are sound, and puts what it has learnt beside the others. Where revisers' answers are there, the
figures are of these.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from pointing import near_key, read_places
from scipy.optimize import minimize

from kontrast.building.pronouns import items, load_recipe
from kontrast.building.pronouns.contrast import Contrastive
from kontrast.building.pronouns.judge import FoilJudge
from kontrast.building.pronouns.pipeline import Tools, composed_documents, find_in_documents
from kontrast.building.pronouns.recipe import Recipe
from kontrast.building.pronouns.scene import Scene
from kontrast.building.pronouns.sound import foil_features
from kontrast.language.pointing import encoder_place

READ = Path(__file__).with_suffix(".tsv")
MODELS = Path(__file__).resolve().parents[1] / "src" / "kontrast" / "data" / "models" / "foils.json"
LEAST = 12
"""A feature of fewer foils gets no weight."""
PENALTY = 60.0
"""Of a weight's square, for features of standard deviation 1."""
TREES, LEAVES = 100, 14
FOLDS = 5
ROMANCE = ("en-fr", "en-es", "en-it")
"""These learn from each other's foils too."""
COUNTED = 0.5
"""What a foil of another pair counts there."""
STRICTLY = "read strictly"
LEVELS = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)


def foil_key(source: str, target: str, start: int, noun: str, foil: str) -> str:
    """A foil in its two lines with the claimed noun, by which a reader's answer is found again."""
    return hashlib.blake2b(f"{source}\n{target}\n{start}\n{noun}\n{foil}".encode(), digest_size=6).hexdigest()


def _claim(scene: Scene) -> str:
    choice = scene.choice
    source = scene.sentences[choice.line].tokens[choice.source].text if choice.source is not None else None
    return f"{source}={choice.noun.text}"


def answers(pair: str) -> dict[str, tuple[str, str, str, str]]:
    """By key: of the antecedent, of the foil, by which question, in which kind of text."""
    rows = [line.split("\t") for line in READ.read_text("utf-8").splitlines() if not line.startswith("#")]
    return {key: (antecedent, foil, asked, kind) for own, kind, key, antecedent, foil, asked in rows if own == pair}


def collect(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    read, seen = answers(args.pair), read_places()
    recipe = load_recipe(args.pair)
    encoder = encoder_place()
    if encoder is None:
        raise SystemExit("foils.py: the encoder is not here (python tools/encoder.py)")
    found: list[dict[str, Any]] = []

    def kept(recipe: Recipe, scene: Scene, other: Contrastive, doubts: Any) -> dict[str, float]:
        features = foil_features(recipe, scene, other, doubts)
        key = foil_key(scene.sentence.text, scene.text, scene.place.source.start, _claim(scene), other.text)
        if key in read:
            antecedent, foil, asked, kind = read.pop(key)
            item = f"{scene.document.name}:{scene.place.line}:{scene.place.source.start}"
            row = {"pair": args.pair, "document": scene.document.name, "item": item, "read": antecedent + foil}
            row |= {"asked": asked, "kind": kind}
            if asked == "s":
                features = {**features, STRICTLY: 1.0}
            row["learnt from"] = near_key(scene.sentence.text, scene.place.source.start) in seen
            found.append({**row, "noun": scene.choice.noun.text, "foil": other.text, "features": features})
        return features

    items.foil_features = kept  # type: ignore[attr-defined] # the builder itself, looked at while it judges
    items.load_judge = lambda pair: FoilJudge("", {})  # type: ignore[attr-defined]
    tools = Tools(recipe, alignment=str(args.alignment), encoder=encoder)
    documents = list(composed_documents(args.documents, recipe.source_language, recipe.target_language))
    for k in range(0, len(documents), 50):
        for _ in find_in_documents(documents[k : k + 50], tools):
            pass
        yield from found
        found.clear()
    print(f"{len(read)} of the foils read in {args.pair} are not among these")


class Table:
    """Rows as a matrix over the features that are frequent enough."""

    def __init__(self, rows: list[dict[str, Any]], pair: str) -> None:
        counts = Counter(name for row in rows for name in row["features"])
        self.names = sorted(name for name, count in counts.items() if count >= LEAST)
        self.index = {name: i for i, name in enumerate(self.names)}
        self.x = np.zeros((len(rows), len(self.names)))
        for line, row in zip(self.x, rows, strict=True):
            for name, value in row["features"].items():
                if name in self.index:
                    line[self.index[name]] = value
        self.y = np.array([float(row["read"] == "yy") for row in rows])
        self.counted = np.array([1.0 if row["pair"] == pair else COUNTED for row in rows])

    def judge(self, learnt_from: str = "") -> FoilJudge:
        start, trees = self._trees()
        weights = {name: round(float(w), 3) for name, w in zip(self.names, self._weights(), strict=True)}
        return FoilJudge(learnt_from, weights, start, trees)

    def _weights(self) -> Any:
        scale = self.x.std(0)
        scale[scale < 1e-3] = 1.0
        x = self.x / scale
        cost = np.full(len(self.names), PENALTY)
        cost[self.index["always"]] = 0.0

        def loss(w: Any) -> tuple[float, Any]:
            z = x @ w
            p = 1 / (1 + np.exp(-z))
            value = (np.logaddexp(0, z) - self.y * z) @ self.counted + cost @ (w * w) / 2
            return value, x.T @ ((p - self.y) * self.counted) + cost * w

        start = np.zeros(len(self.names))
        return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 1000}).x / scale

    def _trees(self) -> tuple[float, list[Any]]:
        from sklearn.ensemble import HistGradientBoostingClassifier  # type: ignore[import-untyped]

        model = HistGradientBoostingClassifier(
            max_iter=TREES,
            learning_rate=0.04,
            max_leaf_nodes=LEAVES,
            l2_regularization=10,
            min_samples_leaf=20,
            early_stopping=False,
            random_state=1,
        ).fit(self.x, self.y, sample_weight=self.counted)
        return float(model._baseline_prediction.item()), [self._tree(p[0].nodes, 0) for p in model._predictors]

    def _tree(self, nodes: Any, at: int) -> Any:
        node = nodes[at]
        if node["is_leaf"]:
            return round(float(node["value"]), 4)
        low, high = (self._tree(nodes, int(node[side])) for side in ("left", "right"))
        return [self.names[int(node["feature_idx"])], round(float(node["num_threshold"]), 4), low, high]


def by_folds(rows: list[dict[str, Any]], pair: str) -> list[tuple[float, dict[str, Any]]]:
    """Each own row with what is said of it by a judge who learnt without its document."""
    said = []
    for fold in range(FOLDS):
        held = [zlib.crc32(row["document"].encode()) % FOLDS == fold for row in rows]
        judge = Table([row for row, out in zip(rows, held, strict=True) if not out], pair).judge()
        own = [row for row, out in zip(rows, held, strict=True) if out and row["pair"] == pair]
        said += [(judge.soundness({**row["features"], STRICTLY: 0.0}), row) for row in own]
    return said


def report(said: list[tuple[float, dict[str, Any]]], default: float) -> None:
    """A line for each level and for the recipe's own: foils, items, antecedents that are right.

    As in ``surest``: an item's surest foil is kept from the level on, its others where they are surer.
    """
    signed = {row["item"] for _, row in said if row["read"] == "yy"}
    best: dict[str, float] = {}
    for p, row in said:
        best[row["item"]] = max(p, best.get(row["item"], 0.0))
    print(f"{len(said)} foils, {len(best)} items, {len(signed)} with a sound foil")
    for level in sorted({*LEVELS, default}):
        kept = [row for p, row in said if p >= (level if p == best[row["item"]] else max(level, items.FURTHER))]
        made = {row["item"] for row in kept}
        sound = sum(row["read"] == "yy" for row in kept)
        whole = sum(all(r["read"] == "yy" for r in kept if r["item"] == item) for item in made)
        told = sum(row["read"][0] == "y" for row in kept)
        n, m = max(len(kept), 1), max(len(made), 1)
        print(
            f"≥ {level}: {len(kept)} foils, sound {sound / n:.3f}, antecedent {told / n:.3f}; {len(made)} items, "
            f"all sound in {whole / m:.3f}; {len(made & signed) / len(signed):.2f} of the items to be had"
        )


def fit(args: argparse.Namespace) -> None:
    rows = [json.loads(line) for path in args.rows for line in path.read_text("utf-8").splitlines()]
    rows = [r for r in rows if r["pair"] == args.pair or (args.pair in ROMANCE and r["pair"] in ROMANCE)]
    print(f"{sum(r['learnt from'] for r in rows)} of {len(rows)} left out: the network has learnt from their pronoun")
    rows = [r for r in rows if not r["learnt from"]]
    said = by_folds(rows, args.pair)
    said = [(p, row) for p, row in said if row["asked"] == "r"] or said
    for kind in ("all", *sorted({row["kind"] for _, row in said})):
        print(kind)
        report([(p, row) for p, row in said if kind in ("all", row["kind"])], load_recipe(args.pair).soundness)
    own = sum(r["pair"] == args.pair for r in rows)
    others = f" and {len(rows) - own} of {', '.join(p for p in ROMANCE if p != args.pair)}" if len(rows) > own else ""
    judge = Table(rows, args.pair).judge(f"{own} foils read in {args.pair}{others}")
    if args.out is None:
        for name, weight in sorted(judge.weights.items(), key=lambda pair: pair[1]):
            print(f"{weight:7.3f} {name}")
        return
    models = json.loads(args.out.read_text("utf-8")) if args.out.exists() else {}
    models[args.pair] = msgspec.to_builtins(judge)
    lines = (f"{json.dumps(name)}: {json.dumps(models[name], ensure_ascii=False)}" for name in sorted(models))
    args.out.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("collect")
    one.add_argument("out", type=Path)
    one.add_argument("--pair", required=True)
    one.add_argument("--documents", type=Path, required=True)
    one.add_argument("--alignment", type=Path, required=True)
    one = commands.add_parser("fit")
    one.add_argument("rows", type=Path, nargs="+")
    one.add_argument("--pair", required=True)
    one.add_argument("--out", type=Path, help="put the weights into this file [print them]")
    args = parser.parse_args()
    if args.command == "fit":
        fit(args)
        return
    with args.out.open("w", encoding="utf-8") as file:
        for row in collect(args):
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
