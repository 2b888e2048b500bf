"""Learns the weights of ``data/models/antecedents.json``: which noun a target pronoun refers to.

    .venv/bin/python training/antecedents.py collect scat OUT.jsonl [--part development|figure] [--limit 2000]
    .venv/bin/python training/antecedents.py collect contrapro OUT.jsonl [--part …]
    .venv/bin/python training/antecedents.py collect read OUT.jsonl --pair en-de --documents FOLDER --alignment MODEL
        [--encoder FOLDER]
    .venv/bin/python training/antecedents.py fit SCAT.jsonl CONTRAPRO.jsonl READ.jsonl … --out FILE.json [--pair P]
        [--opinion]
    .venv/bin/python training/antecedents.py check SCAT.jsonl --pair en-fr

SCAT: a French noun is right if translators marked it. ContraPro: a German noun is right if it is the annotated
head. Both are cut in two by a hash of the last target sentence; weights come from the development half.
``read``: pronouns of ordinary text, each with the noun that a reader found or with none
(``training/antecedents.tsv``, by a hash of the two lines; ``training/antecedent_documents.py`` makes the documents).
A conditional logit: each item's right nouns, or *none* where there is none, against all its nouns. The published sets
hold pronouns that have a noun, so *none* has weights of its own there, which are not kept.
Where the encoder of ``language.pointing`` is here, it is asked about each read pronoun, and ``fit … --opinion``
learns weights of their own for that, kept beside the others, from pronouns that the network has not learnt from.
"""

from __future__ import annotations

import argparse
import hashlib
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
from pointing import near_key, read_places
from scipy.optimize import minimize

from kontrast.building.corpus import Document, parallel_documents
from kontrast.building.pronouns import load_recipe
from kontrast.building.pronouns.align import PronounPlace
from kontrast.building.pronouns.antecedents import load_ranker, with_opinion
from kontrast.building.pronouns.candidates import candidates, no_noun_features
from kontrast.building.pronouns.foils import target_side
from kontrast.building.pronouns.recipe import Recipe
from kontrast.building.pronouns.reference import clues_of
from kontrast.language import annotators, resolvers
from kontrast.language.aligners.fast_align import FastAlign, train
from kontrast.language.alignment import Links, spans
from kontrast.language.encoder import encoder_place
from kontrast.language.pointing import Pointer, load_pointer

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
PARTS = ("development", "figure")
LEAST = 15
"""A feature of fewer candidates gets no weight; one of *none* needs a third."""
PENALTIES = {"en-fr": (4.0, 0.5), "en-de": (8.0, 2.0), "en-es": (4.0, 0.5), "en-it": (4.0, 0.5), "any": (4.0, 0.5)}
"""Of the weights, and of those for *none*: smaller, for the uses that tell *none* are rare and tell it well."""
COUNTED = {"en-de": {"scat": 0.03, "contrapro": 0.3, "read": 0.5}}
"""What an item of a published set, or one read in another language, counts beside one read in the pair's own;
chosen with the penalties by ten folds of the German read text."""
NEUTRAL = {"en-de": 0.25}
"""Added to what speaks for *none* beside a neuter, so that one least confidence serves all: in ten folds neuters
of .65 to .7 were right in 2 of 9, the others in 15 of 18."""
CHOSEN = "chosen for the set"
READ = Path(__file__).with_suffix(".tsv")

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


def place_key(source: str, target: str) -> str:
    """Two lines, by which a reader's answer is found again."""
    return hashlib.blake2b(f"{source}\n{target}".encode(), digest_size=6).hexdigest()


def read_examples(pair: str, folder: Path) -> Iterator[Example]:
    """The pronouns of these documents that were read; each line once."""
    rows = [line.split("\t") for line in READ.read_text("utf-8").splitlines()[1:]]
    answers: dict[str, list[list[str]]] = {}
    for row in rows:
        if row[0] == pair:
            answers.setdefault(row[2], []).append(row)
    reach = load_recipe(pair).max_distance
    for document in parallel_documents(folder, *pair.split("-")):
        for line, (source, target) in enumerate(zip(document.source, document.target, strict=True)):
            for _, _, _, one, two, answer in answers.pop(place_key(source, target), []):
                lines = slice(max(line - reach, 0), line + 1)
                part = Document(f"{document.name}:{line}", document.source[lines], document.target[lines])
                yield part, int(one), int(two), set(answer.split()) - {"-"}


EXAMPLES = {"scat": ("en-fr", scat_examples), "contrapro": ("en-de", contrapro_examples)}


def collect(name: str, args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The candidates of each example, with their features and whether they are right."""
    if name == "read":
        pair, every = args.pair, list(read_examples(args.pair, args.documents))
        kept = every
    else:
        pair, examples = EXAMPLES[name]
        every = list(examples())
        kept = [e for e in every if is_part(e[0].target[-1], args.part)]
        kept = random.Random(1).sample(kept, min(args.limit or len(kept), len(kept)))
    recipe = load_recipe(pair)
    with tempfile.TemporaryDirectory() as place:
        model = args.alignment
        if model is None:
            model = Path(place) / "alignment"
            train((p for e in every for p in zip(e[0].source, e[0].target, strict=True) if all(p)), model)
        texts = list(dict.fromkeys(p for e in kept for p in zip(e[0].source, e[0].target, strict=True)))
        links = dict(zip(texts, FastAlign(model).align(texts), strict=True))
    english = list(dict.fromkeys(source for source, _ in texts))
    parsed = dict(zip(english, annotators.get("en", entities=True).annotate(english), strict=True))
    place = encoder_place(args.encoder)
    pointer = load_pointer(place) if place else None
    seen = read_places()
    for example in kept:
        row = _row(recipe, example, parsed, links, pointer)
        if row is not None:
            document, at, *_ = example
            row["learnt from"] = near_key(document.source[-1], at) in seen
            yield row if name == "read" else chosen(row)


def chosen(row: dict[str, Any]) -> dict[str, Any]:
    """Weights of its own for *none* where the pronouns were chosen because they have a noun."""
    return {**row, "none": {**row["none"], **{f"{CHOSEN}: {n}": v for n, v in row["none"].items() if n in _BY_SET}}}


_BY_SET = ("none", "none_neutral_form", "none_mixed_form", "none_plural", "none_first_sentence")


def _row(
    recipe: Recipe,
    example: Example,
    parsed: dict[str, Any],
    links: dict[Any, Links],
    pointer: Pointer | None = None,
) -> dict[str, Any] | None:
    document, source_place, target_place, right = example
    line = len(document.source) - 1
    words = spans(document.target[line])
    index = next(i for i, w in enumerate(words) if w.start <= target_place < w.end)
    side = target_side(recipe)
    form = side.form(document.target[line], words, index)
    source = next((w for w in spans(document.source[line]) if w.start == source_place), None)
    sentences = [parsed[text] for text in document.source]
    token = next((i for i, t in enumerate(sentences[line].tokens) if t.start <= source_place < t.end), None)
    if form is None or source is None or token is None:
        return None
    number = recipe.sources.get(source.text.lower())
    if number is None or form.number not in (None, number):
        return None
    own = {i: links[pair] for i, pair in enumerate(zip(document.source, document.target, strict=True))}
    at = spans(document.source[line]).index(source)
    linked = recipe.subjects_only or (at, index) in own[line]
    place = PronounPlace(line, source, form, index, linked)
    antecedents = resolvers.get("salience").antecedents("", sentences, line, token)
    salience = {(a.sentence, a.token): a.score for a in antecedents}
    clues = clues_of(recipe, side, document, place, sentences[line], token)
    if isinstance(clues, str):
        return None
    found = candidates(recipe, side, document, place, sentences, own, salience)
    none = no_noun_features(recipe, place, found, clues, salience, sentences)
    if pointer is not None and any(c.fits for c in found):
        found, more = with_opinion(pointer.point(sentences, line, token), sentences, found)
        none |= more
    fitting = [c for c in found if c.fits]
    return {
        "place": f"{document.name}:{source_place}",
        "lemmas": [c.noun.lemma.lower() for c in fitting],
        "features": [c.features for c in fitting],
        "right": [c.noun.text.lower() in right for c in fitting],
        "none": none,
    }


def is_of_none(name: str) -> bool:
    return name.removeprefix(f"{CHOSEN}: ").startswith("none")


def fit(rows: list[dict[str, Any]], pair: str) -> dict[str, float]:
    rows = [row for row in rows if row["features"]]
    counts = Counter(name for row in rows for features in (*row["features"], row["none"]) for name in features)
    often = [n for n, count in counts.items() if count >= (LEAST // 3 if is_of_none(n) else LEAST)]
    names = {name: i for i, name in enumerate(sorted(often))}
    costs = np.array([PENALTIES[pair][is_of_none(name)] for name in names])
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
    counted = np.array([1.0 if row["pair"] == pair and row["set"] == "read" else weight(row, pair) for row in rows])
    group = np.repeat(np.arange(len(begin)), np.diff([*begin, len(table)]))

    def loss(w: Any) -> tuple[float, Any]:
        sums = x @ w
        e = np.exp(sums - np.maximum.reduceat(sums, begin)[group])
        all_, good = np.add.reduceat(e, begin), np.add.reduceat(e * y, begin)
        gradient = x.T @ ((e * y / good[group] - e / all_[group]) * counted[group])
        return -(np.log(good / all_) @ counted) + costs @ (w * w) / 2, -gradient + costs * w

    found = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 500})
    weights = {name: round(float(found.x[i]), 3) for name, i in names.items() if not name.startswith(CHOSEN)}
    weights["none_neutral_form"] += NEUTRAL.get(pair, 0.0)
    return weights


def weight(row: dict[str, Any], pair: str) -> float:
    return COUNTED.get(pair, {}).get(row["set"], 1.0)


def for_pair(row: dict[str, Any], pair: str) -> dict[str, Any]:
    """Without what another language's side does not tell: roles by a parse, clauses by their opening words."""

    def is_known(name: str) -> bool:
        if name.startswith("target_role"):
            return pair == "en-fr"
        return not name.endswith("clauses_before") or row["pair"] == pair == "en-de"

    return {**row, "features": [{n: v for n, v in f.items() if is_known(n)} for f in row["features"]]}


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
    parser.add_argument("--documents", type=Path)
    parser.add_argument("--alignment", type=Path)
    parser.add_argument("--encoder", help="collect: the encoder of a second opinion, where it is not installed")
    parser.add_argument("--opinion", action="store_true", help="fit: the weights beside a second opinion")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    if args.what == "collect":
        name, out = args.files
        if name == "read" and not (args.pair and args.documents):
            parser.error("collect read needs --pair and --documents")
        pair = args.pair if name == "read" else EXAMPLES[name][0]
        rows = list(collect(name, args))
        Path(out).write_text("".join(json.dumps({"pair": pair, "set": name, **row}) + "\n" for row in rows), "utf-8")
        print(f"{out}: {len(rows)} items")
        return
    rows = [json.loads(line) for path in args.files for line in Path(path).read_text("utf-8").splitlines()]
    if args.opinion:  # what the pointing network has learnt by heart tells nothing
        rows = [row for row in rows if not row["learnt from"]]
    if args.what == "check":
        report(args.pair, rows, check(rows, load_ranker(args.pair).weights))
        return
    models = json.loads(args.out.read_text("utf-8")) if args.out and args.out.exists() else {}
    for pair in args.pair.split(",") if args.pair else PENALTIES:
        # ContraPro's two sentences alone teach nothing of longer documents; Spanish and Italian alone are too few.
        own = [for_pair(row, pair) for row in rows if pair != "en-fr" or row["pair"] == pair]
        read = [row for row in own if row["set"] == "read" and pair in (row["pair"], "any")]
        if pair not in COUNTED and pair != "any":
            own += read  # what was read of the pair itself counts twice
        random.Random(1).shuffle(read)
        held = [
            (read[k::5], fit([r for r in own if all(r is not one for one in read[k::5])], pair)) for k in range(5)
        ]
        report(f"{pair}, read, five folds", read, sorted((r for part in held for r in check(*part)), reverse=True))
        counts = Counter(row["set"] for row in ({id(row): row for row in own}).values())
        told = ", ".join(f"{n} of {name}" for name, n in sorted(counts.items()))
        models[f"{pair}, second opinion" if args.opinion else pair] = {
            "learnt_from": f"{told} (scat and contrapro: development halves)",
            "weights": fit(own, pair),
        }
    if args.out:
        args.out.write_text(json.dumps(models, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
