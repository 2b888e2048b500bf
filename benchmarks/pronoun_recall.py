"""How much of what a reader finds `kontrast build pronouns` keeps: sentences drawn, marked by hand, and counted.

    python benchmarks/pronoun_recall.py draw --pair en-de --text news=FOLDER --text subtitles=FOLDER -n 100 --out S
    python benchmarks/pronoun_recall.py record S MARKS --name de-1 --reader "A. Reader"
    python benchmarks/pronoun_recall.py report de-1 --text news=FOLDER --text subtitles=FOLDER --alignment MODEL

FOLDER has documents as `kontrast build pronouns --documents` takes them; ``training/antecedent_documents.py`` makes
some. ``draw`` takes ``-n`` sentences of each kind that have one of the recipe's pronouns on both sides and were never
drawn before, and prints them with the sentences before. MARKS has a line ``NUMBER NOUN …`` for each sentence with a
pronoun whose target antecedent is in reach (the noun as it is written; several where either would do); the others
have none. What is kept is a hash of the two lines with the nouns, no text. ``report`` builds a suite from the
documents that hold the marked sentences, at the recipe's own confidence or others, and counts the sentences that give
an item with that antecedent.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from kontrast.building.corpus import Document, parallel_documents
from kontrast.building.pronouns import build_pronouns, load_recipe
from kontrast.building.pronouns.item import surest
from kontrast.errors import InputError, KontrastError
from kontrast.io.files import read_lines, read_text, write_lines
from kontrast.reporting.terminal import print_json, print_table
from kontrast.suites.formats import load
from kontrast.suites.model import Item


def digest(*parts: str) -> str:
    return hashlib.sha256("\t".join(parts).encode()).hexdigest()[:10]


FOLDER = Path(__file__).resolve().parent / "readings" / "pronouns-found"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("draw", help="draw sentences and print them")
    one.add_argument("--pair", default="en-de")
    one.add_argument("--text", action="append", required=True, metavar="KIND=FOLDER")
    one.add_argument("-n", type=int, default=100, help="sentences of each kind")
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--out", type=Path, required=True)
    one = commands.add_parser("record", help="keep the marks of a sample")
    one.add_argument("sample", type=Path)
    one.add_argument("marks", type=Path)
    one.add_argument("--name", required=True)
    one.add_argument("--reader", required=True)
    one.add_argument("--texts", default="", help="where the texts are from")
    one = commands.add_parser("report", help="count what is kept")
    one.add_argument("name")
    one.add_argument("--text", action="append", required=True, metavar="KIND=FOLDER")
    one.add_argument("--alignment", type=Path)
    one.add_argument("--min-confidence", type=float, nargs="+", help="levels [the recipe's own]")
    one.add_argument("--second-opinion", default="auto")
    one.add_argument("--json", action="store_true")
    args = parser.parse_args()
    try:
        globals()[f"_{args.command}"](args)
    except KontrastError as error:
        sys.exit(f"pronoun_recall.py: {error}")


def _texts(args: argparse.Namespace, pair: str) -> dict[str, list[Document]]:
    found = {}
    for text in args.text:
        kind, equals, folder = text.partition("=")
        if not equals:
            raise KontrastError(f"expected KIND=FOLDER, found {text!r}")
        found[kind] = list(parallel_documents(folder, *pair.split("-")))
    return found


def _draw(args: argparse.Namespace) -> None:
    recipe = load_recipe(args.pair)
    drawn = {row.split("\t")[1] for path in FOLDER.glob("*.tsv") for row in read_lines(path) if "\t" in row}
    rows = []
    for kind, documents in _texts(args, args.pair).items():
        usable = [
            (kind, d.name, i, d)
            for d in documents
            for i, (source, target) in enumerate(zip(d.source, d.target, strict=True))
            if recipe.source_pattern.search(source) and recipe.target_pattern.search(target)
            if digest(source, target) not in drawn
        ]
        usable.sort(key=lambda row: row[1:3])
        rows += random.Random(args.seed).sample(usable, min(args.n, len(usable)))
    for number, (kind, name, i, d) in enumerate(rows, 1):
        print(f"{number} {kind} {name}:{i + 1}")
        for j in range(max(i - recipe.max_distance, 0), i):
            print(f"   < {d.source[j][-300:]} | {d.target[j][-300:]}")
        print(f"   E {d.source[i]}\n   T {d.target[i]}")
    entries = [{"kind": kind, "lines": digest(d.source[i], d.target[i])} for kind, _, i, d in rows]
    args.out.write_text(json.dumps({"pair": args.pair, "seed": args.seed, "sentences": entries}), "utf-8")


def _record(args: argparse.Namespace) -> None:
    sample = json.loads(read_text(args.sample))
    marks: dict[int, str] = {}
    for number, line in enumerate(read_lines(args.marks), 1):
        place, _, nouns = line.strip().partition(" ")
        if not place:
            continue
        if not place.isdigit() or not nouns or not 0 < int(place) <= len(sample["sentences"]):
            raise InputError(args.marks, f"expected NUMBER NOUN, found {line!r}", line=number)
        marks[int(place)] = nouns.lower()
    rows = [f"# pair: {sample['pair']}", f"# reader: {args.reader}", f"# texts: {args.texts}", "kind\tlines\tnouns"]
    rows += [f"{s['kind']}\t{s['lines']}\t{marks.get(i, '-')}" for i, s in enumerate(sample["sentences"], 1)]
    FOLDER.mkdir(parents=True, exist_ok=True)
    write_lines(FOLDER / f"{args.name}.tsv", rows)
    print(f"{len(sample['sentences'])} sentences read, {len(marks)} with an antecedent")


def _counted(
    marked: dict[tuple[str, str], set[str]], found: list[tuple[tuple[str, str], Item]], level: float
) -> list[dict[str, Any]]:
    """How many of the marked sentences give an item with a marked noun from a confidence on, by kind of text."""
    heads: dict[tuple[str, str], set[str]] = {}
    for place, item in found:
        if surest(item, level) is not None:
            heads.setdefault(place, set()).add(str(item.tags["ref_ante_head"]).lower())
    counts: dict[str, Counter[str]] = {}
    for place, nouns in marked.items():
        kept = heads.get(place, set())
        for name in (place[0], "all"):
            count = counts.setdefault(name, Counter())
            count["sentences"] += 1
            count["found"] += bool(nouns)
            count["kept"] += bool(nouns & kept)
            count["kept with another noun"] += bool(nouns and kept and not nouns & kept)
            count["kept without one"] += bool(kept and not nouns)
    return [{"from": level, "kind": kind, **n, "share": n["kept"] / n["found"]} for kind, n in counts.items()]


def _report(args: argparse.Namespace) -> None:
    path = FOLDER / f"{args.name}.tsv"
    lines = read_lines(path)
    pair = lines[0].removeprefix("# pair: ")
    rows = [line.split("\t") for line in lines if not line.startswith("#")][1:]
    recipe = load_recipe(pair)
    marked = {(kind, key): set(nouns.split()) - {"-"} for kind, key, nouns in rows}
    here: set[tuple[str, str]] = set()
    found: list[tuple[tuple[str, str], Item]] = []
    for kind, documents in _texts(args, pair).items():
        with tempfile.TemporaryDirectory() as place:
            for d in documents:
                keys = {(kind, digest(s, t)) for s, t in zip(d.source, d.target, strict=True)} & set(marked)
                if not keys:
                    continue
                here |= keys
                for code, side in zip(pair.split("-"), (d.source, d.target), strict=True):
                    write_lines(Path(place) / "documents" / f"{d.name}.{code}", side)
            built = Path(place) / "built.jsonl"
            build_pronouns(
                pair,
                Path(place) / "documents",
                built,
                format="native",
                alignment=args.alignment,
                min_confidence=0.0,
                second_opinion=args.second_opinion,
            )
            found += [((kind, digest(item.source, item.best.text)), item) for item in load(built).items]
    if here != set(marked):
        raise InputError(path, f"{len(set(marked) - here)} of its {len(marked)} sentences are not in these texts")
    own = recipe.soundness if any("judge" in item.tags for _, item in found) else recipe.confidence
    table = [row for level in args.min_confidence or [own] for row in _counted(marked, found, level)]
    if args.json:
        print_json(table)
        return
    columns = ("from", "kind", "sentences", "found", "kept", "kept with another noun", "kept without one", "share")
    print_table(columns, [[row.get(c, 0) for c in columns[:-1]] + [f"{row['share']:.2f}"] for row in table])


if __name__ == "__main__":
    main()
