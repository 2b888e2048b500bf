"""Figures of counting and splitting, each beside its baseline in the same run. CPU seconds, children included.

python benchmarks/dbca.py                 all but the largest corpus and the greedy baseline on 50,000 sentences
python benchmarks/dbca.py count ewt price synthetic intermediate grow
python benchmarks/dbca.py grow --largest 1900000
python benchmarks/dbca_greedy.py          against the greedy division with moves, on four treebanks
"""

from __future__ import annotations

import argparse
import gzip
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from dbca_baselines import plain_reader
from dbca_corpus import synthetic
from dbca_greedy import Greedy
from kontrast.reporting.terminal import print_table
from kontrast.splitting import search_moves as moves
from kontrast.splitting.corpus_counts import CorpusCounts, load_counts, save_counts
from kontrast.splitting.count_corpus import count, count_table
from kontrast.splitting.measured_divergence import measure
from kontrast.splitting.search_problem import Aim, Windows, prepare
from kontrast.splitting.split_corpus import LENGTH_RATIO, split

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "ud"
Row = dict[str, Any]


def cpu(work: Callable[[], Any]) -> tuple[float, Any]:
    began = time.process_time()
    made = work()
    return time.process_time() - began, made


def bench_count(work: Path) -> list[Row]:
    """Our reader and the plain one in turn, on EWT four times over; compiling and imports are told apart."""
    once = gzip.decompress((DATA / "en_ewt-all.conllu.gz").read_bytes())
    path = work / "ewt4.conllu"
    path.write_bytes(once * 4)
    first, _ = cpu(lambda: count(path, work / "counts"))
    ours, plain = [], []
    for _ in range(5):
        seconds, counts = cpu(lambda: count(path, work / "counts"))
        ours.append(seconds)
        seconds, (tokens, atoms, compounds) = cpu(lambda: plain_reader(path))
        plain.append(seconds)
        assert (counts.atoms.features, counts.compounds.features) == (atoms, compounds)
    ratio = statistics.median(p / o for p, o in zip(plain, ours, strict=True))
    mine, theirs = statistics.median(ours), statistics.median(plain)
    return [
        {"what": "count, tokens/s", "ours": tokens / mine, "baseline": tokens / theirs, "ratio": ratio},
        {"what": "count, first call in a process, s", "ours": first},
    ]


def ewt(work: Path) -> CorpusCounts:
    count(DATA / "en_ewt-all.conllu.gz", work / "ewt")
    return load_counts(work / "ewt")


def off(counts: CorpusCounts, train: np.ndarray, test: np.ndarray, target: float) -> tuple[float, float, float]:
    found = measure(counts, train, test, draws=0)
    return (
        found.atom_divergence,
        found.compound_divergence,
        found.atom_divergence + abs(found.compound_divergence - target),
    )


PRICES: dict[str, dict[str, Any]] = {
    "defaults": {},
    "without the length window": {"length_ratio": "open"},
    "share of sentences": {"share_of": "sentences"},
    "share of sentences, no length window": {"share_of": "sentences", "length_ratio": "open"},
    "bare sentences anywhere, share of sentences, no length window": {
        "featureless": "anywhere", "share_of": "sentences", "length_ratio": "open"},
    "length ratio .9:1.1": {"length_ratio": (0.9, 1.1)},
    "duplicates together": {"together": "duplicates"},
    "documents together": {"together": "documents"},
    "no unseen atoms": {"no_unseen_atoms": True},
    "nothing discarded": {"discard": 0.0},
}  # fmt: skip


def bench_price(work: Path) -> list[Row]:
    """What each constraint costs: both divergences on EWT with and without it, and what test looks like."""
    counts = ewt(work)
    rows = []
    for name, options in PRICES.items():
        for result in split(counts, compound=[1.0, 0.0], atom_weight=1.0, **options):
            difference = result.measured.difference
            assert difference is not None
            rows.append(
                {"limits": name, "target": result.aim.compound, "atom": result.atom_divergence,
                 "compound": result.compound_divergence,
                 "sum": result.atom_divergence + abs(result.compound_divergence - result.aim.compound),
                 "test compounds": result.test_share_compounds, "test sentences": result.test_share_sentences,
                 "length": result.length_ratio, "bare": difference.test_featureless,
                 "duplicates": difference.duplicates}
            )  # fmt: skip
    return rows


def bench_ewt(work: Path) -> list[Row]:
    counts = ewt(work)
    split(counts, effort="fast")  # compiled or loaded
    rows = []
    for target, effort in ((1.0, "fast"), (1.0, "default"), (1.0, "thorough"), (0.0, "default")):
        times, result = [], None
        for _ in range(3):
            seconds, (result,) = cpu(lambda t=target, e=effort: split(counts, compound=t, effort=e))
            times.append(seconds)
        assert result is not None
        atom, compound, both = off(counts, result.train, result.test, target)
        rows.append(
            {"what": f"EWT, target {target:g}, {effort}", "atom": atom, "compound": compound, "sum": both,
             "CPU s": statistics.median(times)}
        )  # fmt: skip
    command = [sys.executable, "-m", "kontrast", "split", str(work / "ewt"), "--out", str(work / "s")]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    rows.append({"what": "the whole command, imports included", "CPU s": spent})
    return rows


def bench_synthetic(work: Path) -> list[Row]:
    """50,000 sentences with nothing discarded: our search beside the greedy division with moves."""
    real, made = ewt(work), count_table(synthetic(int(ewt(work).lengths.sum()) // 20))
    rows: list[Row] = [
        {"what": f"compound types seen once, {name}", "share": seen_once(counts)}
        for name, counts in (("EWT", real), ("synthetic", made))
    ]
    counts = count_table(synthetic(50_000))
    split(counts, effort="fast")
    windows = Windows(discard=0.0, length_ratio=LENGTH_RATIO)
    began = time.process_time()
    place = Greedy(prepare(counts), Aim(atom_weight=1.0), windows, 1).run()
    seconds = time.process_time() - began
    for effort in ("fast", "default"):
        mine, (result,) = cpu(lambda e=effort: split(counts, discard=0, effort=e))
        atom, compound, both = off(counts, result.train, result.test, 1.0)
        rows.append({"what": f"50,000 sentences, {effort}", "atom": atom, "compound": compound, "sum": both,
                     "CPU s": mine, "ratio": seconds / mine})  # fmt: skip
    atom, compound, both = off(counts, np.flatnonzero(place == moves.TRAIN), np.flatnonzero(place == moves.TEST), 1.0)
    rows.append({"what": "50,000 sentences, greedy", "atom": atom, "compound": compound, "sum": both,
                 "CPU s": seconds})  # fmt: skip
    return rows


def seen_once(counts: CorpusCounts) -> float:
    totals = counts.compounds.sides(np.zeros(counts.sentences, np.int8))[:, 0]
    return float((totals == 1).mean())


def bench_intermediate(work: Path) -> list[Row]:
    counts = count_table(synthetic(10_000))
    seconds, results = cpu(lambda: split(counts, compound=[0.5, 0.75]))
    return [
        {"what": f"10,000 sentences, target {r.aim.compound:g}", "atom": r.atom_divergence,
         "compound": r.compound_divergence, "CPU s": seconds / 2}
        for r in results
    ]  # fmt: skip


def bench_grow(work: Path, largest: int) -> list[Row]:
    """Each size in a process of its own, for its memory; counting is not part of the time."""
    rows = []
    for size in [n for n in (2_000, 10_000, 50_000, 200_000, 1_900_000) if n <= largest]:
        folder = work / f"grow{size}"
        made, counts = cpu(lambda n=size: count_table(synthetic(n)))
        save_counts(counts, folder)
        compounds, tokens = counts.compounds.features, int(counts.lengths.sum())
        del counts
        code = (
            "import json, pathlib, time\n"
            "from kontrast.splitting.corpus_counts import load_counts\n"
            "from kontrast.splitting.split_corpus import split\n"
            f"(r,) = split(load_counts({str(folder)!r}))\n"
            "m = r.measured\n"
            # Not ru_maxrss, which starts from what the parent held when it forked.
            "held = next(line for line in pathlib.Path('/proc/self/status').open() if line.startswith('VmHWM'))\n"
            "print(json.dumps([r.atom_divergence, r.compound_divergence, m.random_atom_divergence,"
            " m.random_compound_divergence, time.process_time(),"
            " int(held.split()[1]) / 1e6, len(r.trajectory)]))\n"
        )
        ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        atom, compound, random_atom, random_compound, seconds, memory, sweeps = json.loads(ran.stdout)
        rows.append(
            {"what": f"{size:,} sentences", "tokens": tokens, "compound types": compounds, "count CPU s": made,
             "atom": atom, "compound": compound, "random atom": random_atom, "random compound": random_compound,
             "CPU s": seconds, "GB": memory, "sweeps": sweeps}
        )  # fmt: skip
    return rows


BENCHES = {"count": bench_count, "ewt": bench_ewt, "price": bench_price, "synthetic": bench_synthetic,
           "intermediate": bench_intermediate}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description="Figures of counting and splitting beside their baselines.")
    parser.add_argument("what", nargs="*", help=f"{', '.join(BENCHES)}, grow; all but synthetic by default")
    parser.add_argument("--largest", type=int, default=50_000, help="largest corpus of grow")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    chosen = options.what or ["count", "ewt", "price", "intermediate", "grow"]
    results: dict[str, list[Row]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in chosen:
            work = Path(folder)
            results[name] = bench_grow(work, options.largest) if name == "grow" else BENCHES[name](work)
            if not options.json:
                columns = list(dict.fromkeys(key for row in results[name] for key in row))
                print_table(columns, [[row.get(column) for column in columns] for row in results[name]], title=name)
    if options.json:
        print(json.dumps(results, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
