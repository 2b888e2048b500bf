"""ContraPro's shared items put back as documents of two sentences: how many come out again, and how right.

    .venv/bin/python benchmarks/pronoun_suites.py [--json] [--jobs 2] [--min-confidence 0.5]

Kept: the pipeline gives an item for that pronoun. Head and gender: its antecedent is the annotated one by its
English head (``head_unknown``: the item has none; ``noun_right``: by its German head, where annotated). Found again:
the same pronoun with the same contrastives. One mention changes at a time, as in ContraPro; by default
every item counts, however unsure. Also the lines that the author of the metrics set changed,
among the candidates of `build metrics-it`; and speeds.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from kontrast.building.metrics_it import build_metrics_it
from kontrast.building.pronouns import build_pronouns
from kontrast.language.aligners.fast_align import FastAlign, train

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--min-confidence", type=float, default=0.0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        result = {**measure(Path(place), args.jobs, args.min_confidence), **metrics_it(Path(place))}
    if args.json:
        print(json.dumps(result, indent=1))
        return
    bars = {"head_right": 0.88, "kept": 0.70, "gender_right": 0.97, "found_again": 0.65, "changed_lines_found": 0.90}
    bars |= {"pairs_per_second": 100, "aligned_per_second": 5000}
    for name, value in result.items():
        print(f"{name:24}{value:10.3f}" + (f"   bar {bars[name]:g}" if name in bars else ""))


def measure(place: Path, jobs: int, confidence: float) -> dict[str, float]:
    folder = DATA / "contrapro-en-de"
    rows = [read(folder / f"rows.context1.{code}") for code in ("en", "de")]
    starts = [int(n) for n in read(folder / "group_starts.txt")][:-1]
    documents = [[cut(side[start]) for side in rows] for start in starts]
    pairs = [pair for d in documents for pair in zip(*d, strict=False) if all(pair)]
    began = time.perf_counter()
    train(pairs, place / "alignment")
    training = time.perf_counter() - began
    began = time.perf_counter()
    sum(1 for _ in FastAlign(place / "alignment").align(pairs))
    aligning = time.perf_counter() - began
    items = json.loads((folder / "contrapro.subset.json").read_text("utf-8"))
    groups = read(folder / "contrapro.subset.groups")
    wanted: dict[str, dict[str, Any]] = {}
    (place / "documents" / "2000").mkdir(parents=True)
    lines = 0
    for number, (item, group) in enumerate(zip(items, groups, strict=False)):
        if not group.strip():
            continue
        source, target = (list(side) for side in documents[int(group.split()[0])])
        source[-1], target[-1] = item["src segment"], item["ref segment"]
        name = f"2000_{number}_0"
        for code, text in (("en", source), ("de", target)):
            (place / "documents" / "2000" / f"{name}.{code}").write_text("\n".join(text) + "\n", "utf-8")
        wanted[f"{name}.de"] = item
        lines += len(source)
    began = time.perf_counter()
    built = place / "built.json"
    folder = place / "documents"
    build_pronouns(
        "en-de", folder, built, alignment=place / "alignment", jobs=jobs, min_confidence=confidence, together=False
    )
    building = time.perf_counter() - began
    found: dict[str, list[dict[str, Any]]] = {}
    for item in json.loads(built.read_text("utf-8")):
        found.setdefault(item["document id"], []).append(item)
    kept = head = unknown = gender = annotated = noun = nouns = again = 0
    for name, item in wanted.items():
        same = [f for f in found.get(name, []) if f["ref pronoun"] == item["ref pronoun"]]
        same = [f for f in same if f["ref segment"] == item["ref segment"]]
        if not same:
            continue
        equal = [f for f in same if contrasts(f) == contrasts(item)]
        again += bool(equal)
        best = (equal or same)[0]
        kept += 1
        head += (best["src ante head"] or "").lower() == (item["src ante head"] or "").lower()
        unknown += not best["src ante head"]
        if item["ref ante head"]:
            nouns += 1
            noun += best["ref ante head"].lower() == item["ref ante head"].lower()
        if item["ref ante head gender"]:
            annotated += 1
            gender += best["ref ante head gender"] == item["ref ante head gender"]
    n = len(wanted)
    return {
        "items": n,
        "kept": kept / n,
        "head_right": head / kept,
        "head_unknown": unknown / kept,
        "noun_right": noun / nouns,
        "gender_right": gender / annotated,
        "found_again": again / n,
        "pairs_per_second": lines / building,
        "aligned_per_second": len(pairs) / aligning,
        "trained_per_second": len(pairs) / training,
    }


def metrics_it(place: Path) -> dict[str, float]:
    folder = DATA / "pro-mistranslations-en-de"
    changed = found = before = 0
    for letter in "ABCD":
        wanted = {int(n) + 1 for n in read(folder / "error_indices" / f"idx_errors_news2021_ref{letter}.txt")}
        candidates = build_metrics_it(
            folder / "sources" / "newstest2021.en-de.src.en",
            folder / "references" / f"newstest2021.en-de.ref.ref-{letter}.de",
        ).candidates
        changed += len(wanted)
        found += len(wanted & {c.line for c in candidates})
        before += len(wanted & {c.line for c in candidates if c.distance})
    return {"changed_lines_found": found / changed, "changed_lines_with_antecedent_before": before / changed}


def contrasts(item: dict[str, Any]) -> set[str]:
    return {error["contrastive"] for error in item["errors"]}


def read(path: Path) -> list[str]:
    return path.read_text("utf-8").rstrip("\n").split("\n")


def cut(row: str) -> list[str]:
    return [part.strip() for part in row.split("<SEP>")]


if __name__ == "__main__":
    main()
