"""Suites from marked errors: what they take from real ratings, how fast, and what string metrics see of them.

python benchmarks/marked.py [--data ../shared/data] [--json]

For the MQM ratings of talks: the major errors of accuracy, terminology and grammar that give an item, by category;
why others give none; ratings a second of processor time, without a second opinion. Then the accuracy of metrics on
the default items that have a reference, and on those whose right words are not the reference's; beside them how often
the metrics put the output of a segment with the fewest points of MQM before the one with the most.
`training/marked.py` prints shares by confidence.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec

import kontrast
from kontrast.building.marked.ratings import RatedOutput
from kontrast.building.marked.reading import read_ratings
from kontrast.reporting.terminal import print_json, print_table

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
FILES = {"en-de": "mqm/mqm_ted_ende.tsv.gz", "zh-en": "mqm/mqm_ted_zhen.tsv.gz"}
WANTED = ("Accuracy", "Terminology", "Fluency/Grammar")
METRICS = {"en-de": ("chrF", "chrF++", "BLEU", "TER"), "zh-en": ("chrF", "chrF++", "BLEU", "TER", "BERTScore:minilm")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    told: dict[str, Any] = {}
    for pair, name in FILES.items():
        with tempfile.TemporaryDirectory() as folder:
            told[pair] = _measured(args.data / name, pair, Path(folder))
    if args.json:
        print_json(told)
        return
    for pair, found in told.items():
        caption = (
            f"{pair}: {found['used']} of {found['majors']} majors of accuracy, terminology and grammar give an item"
        )
        rows = [(k, *v) for k, v in found["by_category"].items()]
        print_table(
            ("category", "marked", "used"), rows, caption=f"{caption}; {found['expected']:.0%} right expected"
        )
        print_table(("no item", "marks"), found["nothing"].items())
        rows = [(name, *(f"{a:.1%}" for a in three)) for name, three in found["metrics"].items()]
        sizes = " and ".join(map(str, found["items_with_reference"]))
        heading = ("metric", "accuracy", "not the reference's words", "whole outputs")
        sizes = f"{sizes} items and {found['segments_with_points']} segments"
        print_table(heading, rows, caption=f"{pair}: string metrics on {sizes}; {found['rate']:,.0f} ratings/s")


def _measured(path: Path, pair: str, folder: Path) -> dict[str, Any]:
    started = time.process_time()
    plain = kontrast.write_marked(folder / "plain.jsonl", path, pair=pair, second_opinion="none")
    rate = plain.ratings / (time.process_time() - started)
    built = kontrast.write_marked(folder / "default.jsonl", path, pair=pair)
    majors = {k: v for k, v in built.by_category.items() if k.startswith(WANTED) and k.endswith("Major")}
    suite = kontrast.load(folder / "default.jsonl")
    whole = [item for item in suite if item.references]
    other = [item for item in whole if not _holds(item)]
    accuracies: dict[str, list[float]] = {name: [] for name in METRICS[pair]}
    for items in (whole, other, _rated(path)):
        part = msgspec.structs.replace(suite, items=tuple(items))
        kontrast.save(part, folder / "part.jsonl")
        found = kontrast.metrics(folder / "part.jsonl", list(METRICS[pair]))
        for name, result in zip(METRICS[pair], found.metrics, strict=True):
            accuracies[name].append(float(result.evaluation.accuracy))
    return {
        "majors": sum(n for n, _ in majors.values()),
        "used": sum(used for _, used in majors.values()),
        "expected": built.expected,
        "rate": rate,
        "by_category": majors,
        "nothing": built.nothing,
        "items_with_reference": (len(whole), len(other)),
        "segments_with_points": len(items),
        "metrics": accuracies,
    }


def _rated(path: Path) -> list[kontrast.Item]:
    """The best and the worst output of each segment that has a reference and outputs of different points."""
    items = []
    for segment in read_ratings([path]).segments:
        references = [output.text for output in segment.outputs.values() if output.is_human]
        outputs = sorted((o for o in segment.outputs.values() if not o.is_human and o.raters), key=_points)
        if references and outputs and _points(outputs[0]) < _points(outputs[-1]):
            variants = tuple(kontrast.Variant(outputs[n].text) for n in (0, -1))
            reference = (kontrast.Variant(references[0]),)
            items.append(kontrast.Item(str(len(items)), segment.source, variants, references=reference))
    return items


def _points(output: RatedOutput) -> float:
    """Five for a severe error, one for another, by rater."""
    return sum(5 if mark.is_severe else 1 for mark in output.marks) / len(output.raters)


def _holds(item: kontrast.Item) -> bool:
    """Has the reference the words that only the right variant has?"""
    right, wrong, reference = (
        set(text.lower().split()) for text in (item.best.text, item.variants[1].text, item.references[0].text)
    )
    return bool((right - wrong) & reference)


if __name__ == "__main__":
    main()
