"""The whole chain on the shared sets: convert, score with several models and contexts, evaluate, compare, report.

    .venv/bin/python benchmarks/chain.py [--items 0] [--models tiny m2m100 llama] [--out bench-out/chain]

Prints accuracy by suite, model and context. Scores are kept in ``OUT/scores.sqlite``: a run that was stopped goes on
where it was (its rows/s then count what was found there too). The M2M100 and the Llama are small and their weights
random: they show that the chain runs and nothing else. Most documents of ContraPro and the EN-FR set were in
kontrast-tiny's training: its honest figures are in ``benchmarks/tiny.py``.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

import kontrast

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=0, help="the first so many items of each suite (0: all)")
    parser.add_argument("--models", nargs="*", default=["tiny", "m2m100", "llama"])
    parser.add_argument("--out", type=Path, default=ROOT / "bench-out" / "chain")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    store = args.out / "scores.sqlite"
    models = {name: _model(name, args.out) for name in args.models}
    print(f"{'suite':12}{'model':10}{'context':10}{'rows':>8}{'rows/s':>9}{'accuracy':>10}{'chance':>8}")
    for name, (suite, contexts) in _suites(args.items).items():
        path = args.out / f"{name}.jsonl"
        kontrast.save(suite, path)
        for model, place in models.items():
            files = []
            for context in contexts:
                scores = args.out / f"{name}.{model}.{context.replace(':', '')}.scores"
                began = time.perf_counter()
                asked = ["--model", place, "--context", context, "--scheme", "sep", "--store", store]
                _run("score", path, *asked, "--out", scores)
                seconds = time.perf_counter() - began
                result = kontrast.evaluate(suite, kontrast.read_scores(scores, suite), resamples=200)
                print(
                    f"{name:12}{model:10}{context:10}{suite.row_count:8}{suite.row_count / seconds:9.0f}"
                    f"{result.accuracy:10.3f}{result.chance:8.3f}",
                    flush=True,
                )
                files.append(scores)
            if len(files) > 1:
                (args.out / f"{name}.{model}.compare.json").write_text(_run("compare", path, *files, "--json"))
            _run("report", path, *files, "--out", args.out / f"{name}.{model}.html")


def _suites(items: int) -> dict[str, tuple[kontrast.Suite, list[str]]]:
    folder = DATA / "contrapro-en-de"
    whole = kontrast.load(
        folder, annotation=folder / "contrapro.subset.json", annotation_groups=folder / "contrapro.subset.groups"
    )
    annotated = tuple(item for item in whole.items if item.tags.get("ref_pronoun"))
    contrapro = whole.__replace__(items=annotated)
    french = kontrast.load(DATA / "large-contrastive-en-fr" / "OpenSubs", context=3)
    negation = kontrast.load(DATA / "distil-lingeval-en-de" / "polarity_particle_nicht_del.human")
    suites = {
        "contrapro": (contrapro, ["none", "prev:1"]),
        "en-fr": (french, ["none", "prev:1", "prev:2", "prev:3"]),
        "nicht_del": (negation, ["none"]),
    }
    return {n: (s.__replace__(items=s.items[: items or None]), c) for n, (s, c) in suites.items()}


def _model(name: str, out: Path) -> str:
    if name == "tiny":
        return "tiny"
    sys.path.insert(0, str(ROOT / "tests"))
    from scoring.models import make

    made = (out / name / "config.json").exists()
    return f"hf:{out / name if made else make(name, out / name)}"


def _run(*arguments: object) -> str:
    command = [sys.executable, "-m", "kontrast", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
