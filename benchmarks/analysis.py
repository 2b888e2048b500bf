"""What the analyses cost and find: seconds an item with kontrast-tiny, calls saved, short versions, cues, memory.

    python benchmarks/analysis.py                                      # costs and simulated data: some minutes
    python benchmarks/analysis.py --data ../shared/data                # real sets too
    python benchmarks/analysis.py --data ../shared/data --only memory  # one part: costs, short, real, cues, memory

The tables are in docs/context.md and docs/analysis.md.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

import kontrast
from analysis_memory import doses, false_alarms
from kontrast.analysis.items import item_credits
from kontrast.analysis.shorten import choose_items, kendall
from kontrast.judging.floats import Floats, Ints

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))


def timed(name: str, items: int, work: Callable[[], Any]) -> Any:
    start = time.process_time()
    found = work()
    seconds = time.process_time() - start
    print(f"{name:10} {items:5} items  {seconds:6.1f} s (processor), {seconds / items:.3f} s an item", flush=True)
    return found


def costs(items: int) -> None:
    """Each analysis of the bundled suite with the bundled model, nothing stored; loading the model included."""
    suite = kontrast.load("demo:de")[:items]
    timed("context", items, lambda: kontrast.context(suite, model="tiny", control="random", threads=1))
    found = timed("cues", items, lambda: kontrast.cues(suite, "tiny", threads=1))
    print(f"           {found.rows:,} rows, {found.calls:,} distinct pairs, {found.sources:,} sources", flush=True)
    timed("artefacts", items, lambda: kontrast.artefacts(suite, model="tiny", threads=1))
    whole = kontrast.load("demo:de")  # names are swapped among items, and few have one
    timed("memory", len(whole), lambda: kontrast.memory(whole, "tiny", threads=1))


def short_versions() -> None:
    """A tenth of 12,000 simulated items, five of twenty systems left out."""
    from tests.analysis.test_items import simulated

    for seed in (3, 4, 5):
        credit, *_ = simulated(20, 12_000, seed)
        known = np.arange(20) % 4 != 0
        chosen = choose_items(credit[known], [f"p{i % 12}" for i in range(12_000)], 1200)
        plain = np.random.default_rng(seed).choice(12_000, 1200, replace=False)
        whole = credit.mean(axis=1)
        for name, own in (("shorten", chosen), ("random", plain)):
            gap = credit[:, own].mean(axis=1) - whole
            left = 100 * float(np.sqrt((gap[~known] ** 2).mean()))
            tau = kendall(whole, credit[:, own].mean(axis=1)) or 0.0
            print(
                f"{name:8} seed {seed}: tau {tau:.3f}, largest error of known "
                f"systems {100 * float(np.abs(gap[known]).max()):.2f} points, rms of those left out {left:.2f}",
                flush=True,
            )


def real_systems(data: Path, each: int = 200) -> None:
    """DEMETR with metrics as systems, each left out in turn; beside random items of the same number."""
    from kontrast.scoring.metrics.run import score_metrics

    sets = ("critical_id10_numbers_replaced", "critical_id11_gender", "critical_id8_negation", "major_id17_tense")
    sets += ("minor_id26_misspelled", "minor_id32_first_lower")
    loaded = [kontrast.load(data / "demetr-x-en" / f"{name}.json") for name in sets]
    items = tuple(
        msgspec.structs.replace(item, id=f"{suite.name}-{item.id}", tags={**item.tags, "phenomenon": suite.name})
        for suite in loaded
        for item in suite.items[:each]
    )
    whole = msgspec.structs.replace(loaded[0], items=items, name="demetr")
    names = [
        "chrF",
        "chrF++",
        "chrF?char_order=3",
        "chrF?lowercase=true",
        "BLEU",
        "BLEU?tokenize=char",
        "BLEU?lowercase=true",
    ]
    scores = score_metrics(whole, names)
    count = len(items) // 10
    short = kontrast.shorten(whole, scores, size=count)
    credit, _ = item_credits(whole, scores)
    chance = np.random.default_rng(1)
    found = [_fit(credit, chance.choice(len(items), count, replace=False)) for _ in range(200)]
    taus, errors = (float(np.mean(values)) for values in zip(*found, strict=True))
    print(
        f"demetr   {len(items):,} items, {len(names)} metrics, {count} kept: tau {short.tau:.3f}, of metrics left out"
    )
    print(
        f"         {short.left_out_tau:.3f}, error {100 * short.expected_error:.2f} points; "
        f"random {taus:.3f}, {100 * errors:.2f}"
    )
    print(
        "        ", [(s.system, round(s.accuracy, 3), round(s.short, 3), round(s.left_out, 3)) for s in short.systems]
    )


def _fit(credit: Floats, chosen: Ints) -> tuple[float, float]:
    whole, short = credit.mean(axis=1), credit[:, chosen].mean(axis=1)
    return kendall(whole, short) or 0.0, float(np.sqrt(((short - whole) ** 2).mean()))


def cue_shares(data: Path, calls: int) -> None:
    """kontrast-tiny on antecedents (ContraPro, distance 1) and on the words that people marked (SCAT)."""
    folder = data / "contrapro-en-de"
    groups = folder / "contrapro.subset.groups"
    rows = kontrast.load(folder, annotation=folder / "contrapro.subset.json", annotation_groups=groups)
    near = tuple(item for item in rows.items if item.tags.get("distance") == 1)
    contrapro = msgspec.structs.replace(rows, items=near)
    scat = kontrast.load(data / "scat", foils=str(data / "large-contrastive-en-fr" / "OpenSubs"))
    for suite in (contrapro, scat):
        found = kontrast.cues(suite, "tiny", context="prev:1", max_calls=calls, threads=1)
        saved = f"{found.rows:,} rows, {found.calls:,} pairs, {found.sources:,} sources"
        print(f"cues     {suite.name}: {found.items} items, {saved}", flush=True)
        if found.total is not None:
            total = found.total
            tests = (("length", total.over_length), ("recency", total.over_recency), ("nouns", total.over_nouns))
            chance = [total.by_length, total.by_recency, total.by_nouns]
            print(f"         share {total.share.value:.3f} {total.share.interval}, n {total.items}", flush=True)
            for (name, over), by in zip(tests, chance, strict=True):
                print(f"         by {name} {_rounded(by)}, p {_rounded(over and over.p)}")


def _rounded(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=40)
    parser.add_argument("--calls", type=int, default=6000, help="for cues on real sets")
    parser.add_argument("--data", metavar="DIR", type=Path, help="../shared/data")
    parser.add_argument("--only", choices=["costs", "short", "real", "cues", "memory"])
    chosen = parser.parse_args()
    parts: dict[str, Callable[[], None]] = {"costs": lambda: costs(chosen.items), "short": short_versions}
    if chosen.data is not None:
        parts["real"] = lambda: real_systems(chosen.data)
        parts["cues"] = lambda: cue_shares(chosen.data, chosen.calls)
        parts["memory"] = lambda: (false_alarms(chosen.data), doses(chosen.data))  # type: ignore[func-returns-value]
    for name, part in parts.items():
        if chosen.only in (None, name):
            part()
