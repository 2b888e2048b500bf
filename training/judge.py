"""Learns the judges: of errors (``errors LANG``, `judge_errors`) and of pronoun foils.

Pronoun foils (``data/models/pronouns.json``) are learnt from what was read one by one:

    .venv/bin/python training/judge.py pronouns --pair en-de --documents FOLDER … --alignment MODEL --rows rows.jsonl
    .venv/bin/python training/judge.py pronouns --pair en-fr --scat 1500 --alignment MODEL --rows rows.jsonl
    .venv/bin/python training/judge.py pronouns --pair en-de --rows rows.jsonl … [--out MODELS.json]

The first two lines collect: they build the items of the documents and write the features of every foil that was read
(``foils.tsv``), of every pronoun whose noun was (``antecedents.tsv``), or whose noun translators marked (SCAT, the
development half). ``training/antecedent_documents.py`` and ``benchmarks/manuals.py`` make the documents; the texts
themselves stay outside the repository, and a reading is found again by a hash of its lines. The encoder is asked only
about pronouns that were read. The third line learns a logistic model (a foil is sound where the antecedent and the
foil were both signed), prints by five folds over documents what is kept from each confidence on and how the
confidence compares with the share that is sound, and writes the model where ``--out`` is given. Pronouns that the
pointing network has learnt from are left out. ``--from MODELS.json --only NAME …`` keeps the weights of a judge that
learnt from more, but for these; without a name it
fits scale and constant of its log odds alone.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from antecedents import READ as NOUNS_READ
from antecedents import is_part, place_key, scat_examples
from pointing import near_key, read_places
from scipy.optimize import minimize

from kontrast.building.checks.judge import FoilJudge
from kontrast.building.corpus import Document
from kontrast.building.pronouns import item, load_recipe, pipeline
from kontrast.building.pronouns.align import PronounPlace
from kontrast.building.pronouns.antecedents import Choice
from kontrast.building.pronouns.foils import Contrastive
from kontrast.building.pronouns.pipeline import Tools, composed_documents, find_in_documents
from kontrast.building.pronouns.recipe import Recipe
from kontrast.building.pronouns.reference import mean_the_same
from kontrast.building.pronouns.scene import Scene, prepare
from kontrast.language.encoder import encoder_place

READ = Path(__file__).with_name("foils.tsv")
LEAST = 12
"""A feature of fewer foils gets no weight."""
PENALTY, PENALTY_EARLIER = 30.0, 200.0
"""Of a weight's square, for features of standard deviation 1; of its distance from an earlier judge's. Chosen, with
what pronouns without a foil count, by five folds over the documents read (area and likelihood)."""
FOLDS = 5
ROMANCE = ("en-fr", "en-es", "en-it")
"""These learn from each other's foils too."""
COUNTED = 0.5
"""What a foil of another pair counts there."""
STRICTLY = "read_strictly"
"""A feature of foils that were refused where a careful reader might let them pass; none has it later."""
NOUN_ALONE = "noun_alone_was_read"
"""A feature of foils of which only the antecedent is known; none has it later."""
OF_READING = (STRICTLY, NOUN_ALONE)
COUNTED_ALONE = {"nouns": 1.0, "scat": 0.5}
"""What a pronoun counts of which only the antecedent is known: by a reader, or by SCAT, which has no *none*."""
LEVELS = (0.5, 0.6, 0.7, 0.8, 0.9)
TRUST, TRUSTED = 0.4, "pointed_given_gender"
"""What the second opinion counts beside the learnt weights. The foils read were chosen by earlier judges, which asked
for it, so its weight comes out too small: by folds its share costs less than .01 of the area."""

Row = dict[str, Any]


def foil_key(source: str, target: str, start: int, noun: str, foil: str) -> str:
    """A foil in its two lines with the claimed noun, by which a reader's answer is found again."""
    return hashlib.blake2b(f"{source}\n{target}\n{start}\n{noun}\n{foil}".encode(), digest_size=6).hexdigest()


def answers(pair: str) -> dict[str, tuple[str, str, str, str]]:
    """By key: of the antecedent, of the foil, by which question, in which kind of text."""
    rows = [line.split("\t") for line in READ.read_text("utf-8").splitlines() if not line.startswith("#")]
    return {key: (antecedent, foil, asked, kind) for own, kind, key, antecedent, foil, asked in rows if own == pair}


class Collector:
    """Looks over the builder's shoulder while it judges, and keeps what is known of the foils that were read.

    ``nouns`` are the right antecedents by two lines and the pronouns' places, ``foils`` the verdicts by `foil_key`.
    """

    def __init__(self, pair: str, nouns: dict[tuple[str, int, int], set[str]], kind: str) -> None:
        self.pair, self.nouns, self.kind, self.foils = pair, nouns, kind, answers(pair)
        self.rows: list[Row] = []
        self._learnt = read_places()
        self._features = item.foil_features
        item.foil_features = self.features  # type: ignore[attr-defined]
        pipeline.prepare = self.prepare  # type: ignore[attr-defined]

    def prepare(self, recipe: Recipe, document: Document, place: PronounPlace, *rest: Any) -> Scene | str:
        """Leaves out pronouns of which neither the noun nor a foil of a likely noun was read."""
        scene = prepare(recipe, document, place, *rest)
        if isinstance(scene, str) or self._noun_key(document, place) in self.nouns:
            return scene
        return scene if self._foil_was_read(scene) else "not read"

    def _noun_key(self, document: Document, place: Any) -> tuple[str, int, int]:
        lines = document.source[place.line], document.target[place.line]
        return place_key(*lines), place.source.start, place.target.start

    def _foil_was_read(self, scene: Scene) -> bool:
        side, place, text = scene.side, scene.place, scene.text
        alone = item.choose(scene)
        if alone is None:
            return False
        for one in (alone, *alone.alike):
            choice = msgspec.structs.replace(alone, line=one.line, noun=one.noun, source=one.source)
            own = scene.sentence, scene.links[place.line], one.line, one.noun
            same = mean_the_same(scene.recipe, side, scene.document, place, *own)
            made = side.contrast(text, place.target.start, place.target.end, is_subject=scene.subject, together=same)
            if any(self._key(scene, choice, other) in self.foils for other in made):
                return True
        return False

    def _key(self, scene: Scene, choice: Choice, other: Contrastive) -> str:
        place, document = scene.place, scene.document
        source = scene.sentences[choice.line].tokens[choice.source].text if choice.source is not None else None
        lines = document.source[place.line], document.target[place.line]
        return foil_key(*lines, place.source.start, f"{source}={choice.noun.text}", other.text)

    def features(self, scene: Scene, choice: Choice, other: Contrastive) -> dict[str, float]:
        features = self._features(scene, choice, other)
        place = scene.place
        name = f"{scene.document.name}:{place.line}:{place.source.start}"
        row: Row = {"pair": self.pair, "document": scene.document.name, "item": name, "kind": self.kind}
        row["learnt from"] = near_key(scene.sentence.text, place.source.start) in self._learnt
        found = self.foils.pop(self._key(scene, choice, other), None)
        if found is not None:
            antecedent, foil, asked, kind = found
            features_read = {**features, STRICTLY: 1.0} if asked == "s" else features
            self.rows.append({**row, "kind": kind, "read": antecedent + foil, "features": features_read})
        elif (right := self.nouns.get(self._noun_key(scene.document, place))) is not None:
            is_right = choice.noun.text.lower() in right
            alone = {**features, NOUN_ALONE: 1.0}
            self.rows.append({**row, "read": "y-" if is_right else "n-", "features": alone})
        return features


def collect(
    pair: str, documents: Sequence[Document], nouns: dict[Any, set[str]], kind: str, alignment: Path
) -> Iterator[Row]:
    """The rows of what was read, from the builder itself."""
    if (encoder := encoder_place()) is None:
        raise SystemExit("judge.py: the encoder is not here (python tools/encoder.py)")
    collector = Collector(pair, nouns, kind)
    tools = Tools(load_recipe(pair), alignment=str(alignment), encoder=encoder)
    for k in range(0, len(documents), 200):
        for _ in find_in_documents(documents[k : k + 200], tools):
            pass
        yield from collector.rows
        collector.rows.clear()
    print(f"{len(collector.foils)} of the foils read in {pair} are not among these")


def nouns_read(pair: str) -> dict[tuple[str, int, int], set[str]]:
    """The antecedents that readers found (none: the empty set), by two lines and the pronouns' places."""
    rows = [line.split("\t") for line in NOUNS_READ.read_text("utf-8").splitlines()[1:]]
    return {
        (key, int(one), int(two)): set(nouns.split()) - {"-"} for own, _, key, one, two, nouns in rows if own == pair
    }


def from_scat(limit: int) -> tuple[list[Document], dict[tuple[str, int, int], set[str]]]:
    """Items of SCAT's development half as documents, with the nouns that translators marked."""
    every = [e for e in scat_examples() if is_part(e[0].target[-1], "development")]
    kept = random.Random(1).sample(every, min(limit, len(every)))
    return [e[0] for e in kept], {
        (place_key(d.source[-1], d.target[-1]), one, two): words for d, one, two, words in kept
    }


def is_alone(row: Row) -> bool:
    return NOUN_ALONE in row["features"]


def is_sound(row: Row) -> bool:
    return bool(row["read"] == "yy" or (row["read"] == "y-" and is_alone(row)))


def worth(row: Row) -> float:
    """What confidence is scaled to: is nothing wrong with the foil? Something arguable is not wrong."""
    return float(is_sound(row) or not set(row["read"]) & {"n", "f", "-"})


def learn(
    rows: Sequence[Row],
    pair: str,
    learnt_from: str = "",
    without: frozenset[str] = frozenset(),
    earlier: FoilJudge | None = None,
    only: frozenset[str] | None = None,
) -> FoilJudge:
    """A logistic model of the features that are frequent enough, ``without`` some.

    Weights are drawn towards those of an ``earlier`` judge, or towards 0: what the rows do not tell stays as it was.
    Where ``only`` some may change, the others keep their shares.
    """
    before = earlier.weights if earlier else {}
    counts = Counter(name for row in rows for name in row["features"])
    often = {name for name, count in counts.items() if count >= LEAST}
    names = sorted((often | set(before)) - without)
    index = {name: i for i, name in enumerate(names)}
    x = np.zeros((len(rows), len(names)))
    for line, row in zip(x, rows, strict=True):
        for name, value in row["features"].items():
            if name in index:
                line[index[name]] = value
    y = np.array([float(is_sound(row)) for row in rows])
    counted = np.array(
        [(1.0 if r["pair"] == pair else COUNTED) * (COUNTED_ALONE[r["kind"]] if is_alone(r) else 1.0) for r in rows]
    )
    scale = x.std(0)
    scale[scale < 1e-3] = 1.0
    scaled = x / scale
    start = np.array([before.get(name, 0.0) for name in names]) * scale
    cost = np.full(len(names), PENALTY_EARLIER if earlier else PENALTY)
    cost[index["always"]] = 0.0
    bounds = None
    if only is not None:
        cost[[index[name] for name in only]] = PENALTY
        free = {*only, *OF_READING, "always"}
        bounds = [(None, None) if name in free else (w, w) for name, w in zip(names, start, strict=True)]

    def loss(w: Any) -> tuple[float, Any]:
        z = scaled @ w
        p = 1 / (1 + np.exp(-z))
        value = (np.logaddexp(0, z) - y * z) @ counted + cost @ ((w - start) ** 2) / 2
        return value, scaled.T @ ((p - y) * counted) + cost * (w - start)

    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 1000}).x / scale
    weights = {name: round(float(w), 3) for name, w in zip(names, found, strict=True) if abs(w) >= 0.0005}
    for name in OF_READING:
        weights.pop(name, None)
    means = {name: round(float(mean), 3) for name, mean in zip(names, x.mean(0), strict=True) if name in weights}
    means |= {name: earlier.means[name] for name in weights if earlier and name in earlier.means}
    return FoilJudge(learnt_from, weights, means)


def by_folds(
    rows: Sequence[Row],
    pair: str,
    without: frozenset[str] = frozenset(),
    earlier: FoilJudge | None = None,
    only: frozenset[str] | None = None,
) -> list[tuple[float, Row]]:
    """Each own row with what is said of it by a judge who learnt without its document."""
    said = []
    for fold in range(FOLDS):
        held = [zlib.crc32(row["document"].encode()) % FOLDS == fold for row in rows]
        others = [row for row, out in zip(rows, held, strict=True) if not out]
        judge = learn(others, pair, without=without, earlier=earlier, only=only)
        own = [row for row, out in zip(rows, held, strict=True) if out and row["pair"] == pair]
        said += [(judge.confidence(row["features"]), row) for row in own]
    return said


def trusting(
    judge: FoilJudge, said: Sequence[tuple[float, Row]], trust: float = TRUST
) -> tuple[FoilJudge, list[tuple[float, Row]]]:
    """The judge with more weight on the second opinion, its confidence scaled to what is sound in folds (`worth`);
    and what is then said in the folds.
    """
    sums = np.array([_mixed(p, row, trust) for p, row in said])
    sound = np.array([worth(row) for _, row in said])
    counted = np.array([COUNTED_ALONE[row["kind"]] if is_alone(row) else 1.0 for _, row in said])

    def loss(ab: Any) -> float:
        z = ab[0] * sums + ab[1]
        return float((np.logaddexp(0, z) - sound * z) @ counted)

    scale, shift = minimize(loss, np.array([1.0, 0.0])).x
    weights = {name: scale * (1 - trust) * w for name, w in judge.weights.items()}
    weights[TRUSTED] = weights.get(TRUSTED, 0.0) + scale * trust * 2
    weights["always"] = weights.get("always", 0.0) + shift
    folds = [(float(1 / (1 + np.exp(-scale * z - shift))), row) for z, (_, row) in zip(sums, said, strict=True)]
    rounded = {name: round(float(w), 3) for name, w in weights.items()}
    return msgspec.structs.replace(judge, weights=rounded), folds


def _mixed(p: float, row: Row, trust: float) -> float:
    p = min(max(p, 1e-4), 1 - 1e-4)
    return float((1 - trust) * np.log(p / (1 - p)) + trust * 2 * row["features"].get(TRUSTED, 0.0))


def area(said: Sequence[tuple[float, Row]]) -> float:
    """The area under the curve: how often a sound foil is surer than another."""
    ranked = sorted(said, key=lambda pair: pair[0])
    good = [k for k, (_, row) in enumerate(ranked) if is_sound(row)]
    bad = len(ranked) - len(good)
    return (sum(good) - len(good) * (len(good) - 1) / 2) / max(len(good) * bad, 1)


def report(said: Sequence[tuple[float, Row]], default: float) -> None:
    """A line for each level and for the recipe's own, then the confidence beside the share that is sound."""
    signed = {row["item"] for _, row in said if is_sound(row)}
    best: dict[str, float] = {}
    for p, row in said:
        best[row["item"]] = max(p, best.get(row["item"], 0.0))
    print(f"{len(said)} foils, {len(best)} items, {len(signed)} with a sound foil; area {area(said):.3f}")
    for level in sorted({*LEVELS, default}):
        kept = [row for p, row in said if p >= (level if p == best[row["item"]] else max(level, item.FURTHER))]
        made = {row["item"] for row in kept}
        whole = made - {row["item"] for row in kept if not is_sound(row)}
        told = sum(row["read"][0] == "y" for row in kept)
        print(
            f"from {level}: {len(made)} items, all foils sound in {len(whole) / max(len(made), 1):.3f}, antecedent "
            f"right {told / max(len(kept), 1):.3f}; {len(made & signed) / max(len(signed), 1):.2f} of those to be had"
        )
    for low in np.arange(0.3, 1.0, 0.1):
        inside = [(p, worth(row)) for p, row in said if low <= p < low + 0.1]
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
    parser.add_argument("--scat", type=int, metavar="N", help="collect the rows from so many items of SCAT")
    parser.add_argument("--alignment", type=Path)
    parser.add_argument("--from", dest="earlier", type=Path, help="draw the weights towards those of these models")
    parser.add_argument("--only", nargs="*", metavar="NAME", help="--from: keep its weights but for these features")
    parser.add_argument("--out", type=Path, help="put the weights into this file")
    args = root.parse_args()
    if args.what == "errors":
        from judge_errors import learn_errors

        learn_errors(args.language, check=args.check)
        return
    if args.documents or args.scat:
        if args.scat:
            documents, nouns = from_scat(args.scat)
        else:
            languages = args.pair.split("-")
            documents = [d for folder in args.documents for d in composed_documents(folder, *languages)]
            nouns = nouns_read(args.pair)
        kind = "scat" if args.scat else "nouns"
        with args.rows[0].open("a", encoding="utf-8") as file:
            for row in collect(args.pair, documents, nouns, kind, args.alignment):
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        return
    rows = read_rows(args.rows, args.pair)
    default = load_recipe(args.pair).soundness
    earlier = None
    if args.earlier is not None:
        earlier = msgspec.json.decode(args.earlier.read_bytes(), type=dict[str, FoilJudge])[args.pair]
        print("the earlier judge, on rows that it may have learnt from:")
        asked = [(earlier.confidence(row["features"]), row) for row in rows if row["pair"] == args.pair]
        report(asked, default)
    count = Counter(r["kind"] if is_alone(r) else "read" for r in rows if r["pair"] == args.pair)
    others = sum(r["pair"] != args.pair for r in rows)
    told = f"{count['read']} foils read in {args.pair}, {count['nouns']} of pronouns whose noun was read"
    told += f", {count['scat']} of SCAT" if count["scat"] else ""
    told += f", {others} of {', '.join(p for p in ROMANCE if p != args.pair)}" if others else ""
    only = frozenset(args.only) if earlier and args.only is not None else None
    said = by_folds(rows, args.pair, earlier=earlier, only=only)
    print(f"learnt weights alone, five folds: area {area(said):.3f}")
    if earlier:
        how = "drawn from there by" if only is None else f"{len(only)} weights and scale learnt again from"
        told = f"{earlier.learnt_from}; {how} {told}"
    judge, folds = trusting(
        learn(rows, args.pair, told, earlier=earlier, only=only), said, TRUST if only is None else 0
    )
    print(f"scaled (weight of the second opinion {judge.weights[TRUSTED]}, constant {judge.weights['always']}):")
    report(folds, default)
    if args.out is not None:
        models = json.loads(args.out.read_text("utf-8")) if args.out.exists() else {}
        models[args.pair] = msgspec.to_builtins(judge)
        args.out.write_text(json.dumps(dict(sorted(models.items())), indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
