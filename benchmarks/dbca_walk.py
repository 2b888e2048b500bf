"""From treebanks to a generalisation score: count, split twice, train two small systems, translate, compare.

    python benchmarks/dbca_walk.py [--steps 150] [--target de]

PUD has 1,000 sentences. Systems trained on some 700 of them translate nothing; the walk shows that the parts fit
together, and its number means nothing.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "training"))

from small_marian import Example, Settings, train, translate  # noqa: E402

from kontrast.splitting import count, export_split, generalise, read_output, save_split, split  # noqa: E402

UD = ROOT.parent / "shared" / "data" / "ud"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--target", default="de", choices=("de", "fr", "fi"))
    parser.add_argument("--data", type=Path, default=UD)
    options = parser.parse_args()
    began = time.process_time()
    corpora = {lang: options.data / f"{lang}_pud-ud-test.conllu" for lang in ("en", options.target)}
    runs = []
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        counts = count(corpora["en"], work / "counts")
        for result in split(counts, compound=[0.0, 1.0], length_ratio=(0.9, 1.1)):
            level = result.aim.compound
            place = work / f"compound-{level:g}"
            save_split(result, place)
            export_split(result, corpora, place)
            print(f"target {level:g}: compound {result.compound_divergence:.4f}, atom {result.atom_divergence:.4f}")
            sides = [(place / f"train.{lang}").read_text("utf-8").splitlines() for lang in corpora]
            examples = [Example(options.target, (pair,)) for pair in zip(*sides, strict=True)]
            settings = replace(Settings(), steps=options.steps, warmup=options.steps // 5, vocabulary=1500)
            train(examples, place / "model", settings)
            sources = (place / "test.en").read_text("utf-8").splitlines()
            output = translate(place / "model", sources, options.target, beams=1)
            (place / "output").write_text("\n".join(output) + "\n", encoding="utf-8")
            runs.append(read_output(result.compound_divergence, place / f"test.{options.target}", place / "output"))
        score = generalise(runs)
    for metric in score.metrics:
        levels = ", ".join(f"{level.score:.2f} at {level.divergence:.3f}" for level in metric.levels)
        print(
            f"{metric.metric}: {levels}; ratio {metric.ratio:.3f} [{metric.ratio_low:.3f}, {metric.ratio_high:.3f}]"
        )
    print(f"generalisation score {score.score:.3f} [{score.low:.3f}, {score.high:.3f}]")
    print(f"A corpus of {counts.sentences} sentences is far too small: this number means nothing.")
    print(f"{time.process_time() - began:.0f} s of CPU")


if __name__ == "__main__":
    main()
