"""How fast and how lean is `kontrast evaluate --style original` on a suite of LingEval97's size?

Makes such a suite from real sentences (21,722 references, 97,408 errors), then runs spine_baseline.py and kontrast in
turn, whole processes, and compares what they print, the median of their wall times and kontrast's peak memory.
One run of each is not counted. Both keep their bytecode (in bench-out), as any installed package does.

    python benchmarks/spine.py [--runs 7] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
OUT = ROOT / "bench-out"
REFERENCES, ERRORS = 21_722, 97_408
RATIO_BAR, MEMORY_BAR = 0.7, 300.0

ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
ENVIRONMENT["PYTHONPYCACHEPREFIX"] = str(OUT / "bytecode")

# errors of each type in LingEval97, and whether a distance and a frequency belong to them
TYPES = {
    "np_agreement": (21813, True, True),
    "subj_verb_agreement": (35105, True, True),
    "subj_adequacy": (2520, False, False),
    "polarity_particle_nicht_del": (2919, False, False),
    "polarity_particle_kein_del": (538, False, False),
    "polarity_affix_del": (586, False, False),
    "polarity_particle_nicht_ins": (1297, False, False),
    "polarity_particle_kein_ins": (10219, False, False),
    "polarity_affix_ins": (11244, False, True),
    "auxiliary": (4950, True, False),
    "verb_particle": (2450, True, True),
    "compound": (277, False, True),
    "transliteration": (3490, False, True),
}


def make_suite(path: Path) -> None:
    """References are real pairs; an error is the reference with two neighbouring words swapped."""
    rng = random.Random(97)
    pairs = []
    for folder in sorted((DATA / "distil-lingeval-en-de").iterdir()):
        source, target = ((folder / name).read_text().splitlines() for name in ("src.en", "tgt.correct.de"))
        pairs += [pair for pair in zip(source, target, strict=True) if len(pair[1].split()) >= 8]
    chosen = [pairs[i % len(pairs)] for i in range(REFERENCES)]
    kinds = [kind for kind, (count, _, _) in TYPES.items() for _ in range(count)]
    rng.shuffle(kinds)
    owners = [i % REFERENCES for i in range(ERRORS)]
    errors: list[list[dict[str, object]]] = [[] for _ in chosen]
    for kind, owner in zip(kinds, owners, strict=True):
        words = chosen[owner][1].split()
        place = rng.randrange(len(words) - 1)
        words[place], words[place + 1] = words[place + 1], words[place]
        error: dict[str, object] = {"type": kind, "contrastive": " ".join(words)}
        if TYPES[kind][1]:
            error["distance"] = min(int(rng.expovariate(0.5)) + 1, 40)
        if TYPES[kind][2]:
            error["frequency"] = int(rng.lognormvariate(6, 3))
        errors[owner].append(error)
    suite = [
        {"source": source, "reference": target, "origin": f"newstest{2009 + i % 8}.{i // 8 + 1}", "errors": errors[i]}
        for i, (source, target) in enumerate(chosen)
    ]
    path.write_text(json.dumps(suite, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def run(command: list[str]) -> tuple[float, float, str]:
    """Wall seconds, peak megabytes and standard output of one process."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
    assert process.stdout is not None
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with status {process.returncode}")
    return seconds, usage.ru_maxrss / 1024, output


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--make", type=Path, help="only make the suite")
    arguments = parser.parse_args()
    if arguments.make:
        make_suite(arguments.make)
        return
    if not DATA.is_dir():
        raise SystemExit("spine: the real data is not beside this checkout (../shared/data)")
    OUT.mkdir(exist_ok=True)
    suite, scores = OUT / "lingeval97-sized.json", DATA / "lingeval97-baselines" / "sennrich2016.scores"
    # in a process of its own: a child's peak memory begins with its parent's
    subprocess.run([sys.executable, __file__, "--make", str(suite)], check=True)
    commands = {
        "baseline": [sys.executable, str(Path(__file__).with_name("spine_baseline.py")), str(suite), str(scores)],
        "kontrast": [
            *(str(Path(sys.executable).with_name("kontrast")), "evaluate", str(suite), str(scores)),
            *("--style", "original"),
        ],
    }
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    peak: dict[str, float] = dict.fromkeys(commands, 0.0)
    printed: dict[str, str] = {}
    for number in range(arguments.runs + 1):
        for name, command in commands.items():
            taken, memory, printed[name] = run(command)
            peak[name] = max(peak[name], memory)
            if number:
                seconds[name].append(taken)
    median = {name: statistics.median(times) for name, times in seconds.items()}
    result = {
        "ratio": median["kontrast"] / median["baseline"],
        "ratio_bar": RATIO_BAR,
        "seconds": median,
        "peak_mb": peak,
        "peak_mb_bar": MEMORY_BAR,
        "identical_output": printed["kontrast"] == printed["baseline"],
        "runs": arguments.runs,
    }
    if arguments.json:
        print(json.dumps(result, indent=1))
        return
    print(f"LingEval97-sized suite, {suite.stat().st_size / 1e6:.0f} MB, median of {arguments.runs} alternating runs")
    print(f"{'':10}{'seconds':>9}{'peak MB':>9}")
    for name in commands:
        print(f"{name:10}{median[name]:9.2f}{peak[name]:9.0f}")
    print(f"wall-time ratio {result['ratio']:.2f} (at most {RATIO_BAR}), peak {peak['kontrast']:.0f} MB (under 300)")
    print(f"output identical: {'yes' if result['identical_output'] else 'NO'}")


if __name__ == "__main__":
    main()
