"""Translations of `hf` models against Transformers' own generate: the same texts, and how much faster.

    python benchmarks/translate.py --equal            # five architectures and ct2, 200 sentences each
    python benchmarks/translate.py --equal --only t5,llama
    python benchmarks/translate.py --speed            # kontrast against a plain loop in file order
    python benchmarks/translate.py --realign          # windows without their separators

Models have random weights (tests/scoring/models.py) or are kontrast-tiny. Ratios are of the same run on this machine.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import kontrast
from kontrast import Item, Suite, Variant


def sentences(count: int) -> list[str]:
    """Distinct sentences of many lengths, from the words of the bundled suites, in no order."""
    draw = random.Random(5)
    words = [word for item in kontrast.load("demo:de") for word in item.source.rstrip(".?!").split()]
    return [" ".join(draw.choice(words) for _ in range(draw.randint(3, 40))) + "." for _ in range(count)]


def suite(texts: list[str], target: str = "de") -> Suite:
    items = [Item(str(n), text, (Variant("a"), Variant("b"))) for n, text in enumerate(texts)]
    return Suite("sentences", tuple(items), "en", target)


def equal(count: int, only: list[str]) -> None:
    """Share of equal translations, greedy and with four beams; the model itself is asked one sentence at a time."""
    from scoring.test_translate_generate import LENGTH, engine, plain, varied

    if "ct2" in only:
        equal_ct2(count)
    for name in (name for name in only if name != "ct2"):
        with tempfile.TemporaryDirectory() as folder:
            model, tokenizer = varied(name, Path(folder) / name)
        texts = sentences(count)
        given = {"template": "{source} = "} if name == "llama" else {}
        for beams in (1, 4):
            asked = [f"{text} =" for text in texts] if name == "llama" else texts
            expected = plain(model, tokenizer, name, beams, asked)
            made = kontrast.translate(
                suite(texts), engine(model, tokenizer, **given), beams=beams, max_length=LENGTH, clean=False
            )
            same = sum(a == b for a, b in zip(made.texts, expected, strict=True))
            print(f"{name}, {beams} beams: {same} of {count} equal ({len(set(expected))} distinct)", flush=True)


def equal_ct2(count: int) -> None:
    """kontrast-tiny converted, against `translate_batch` on one sentence at a time."""
    import ctranslate2
    from transformers import MarianTokenizer

    from kontrast.scoring.engines.hf import TINY

    tokenizer, texts = MarianTokenizer.from_pretrained(TINY), sentences(count)
    with tempfile.TemporaryDirectory() as folder:
        ctranslate2.converters.TransformersConverter(str(TINY)).convert(f"{folder}/tiny")
        plain = ctranslate2.Translator(f"{folder}/tiny", device="cpu", compute_type="float32", intra_threads=1)
        for beams in (1, 4):
            expected = []
            for text in texts:
                pieces = tokenizer.convert_ids_to_tokens(tokenizer(f">>de<< {text}")["input_ids"])
                [best] = plain.translate_batch([pieces], beam_size=beams, max_decoding_length=60)[0].hypotheses
                ids = tokenizer.convert_tokens_to_ids(best)
                expected.append(" ".join(tokenizer.decode(ids, skip_special_tokens=True).split()))
            asked = {"extra": {"tokenizer": str(TINY)}, "threads": 1, "device": "cpu", "max_length": 60}
            made = kontrast.translate(suite(texts), f"ct2:{folder}/tiny", beams=beams, **asked)  # type: ignore[arg-type]
            same = sum(a == b for a, b in zip(made.texts, expected, strict=True))
            print(f"ct2, {beams} beams: {same} of {count} equal ({len(set(expected))} distinct)", flush=True)


def speed(count: int) -> None:
    """kontrast-tiny on real sentences: file order in batches of 32, four beams, against kontrast."""
    import torch
    from transformers import MarianMTModel, MarianTokenizer

    from kontrast.scoring.engine import EngineOptions
    from kontrast.scoring.engines.hf import TINY, engine_of

    torch.set_num_threads(1)
    model = MarianMTModel.from_pretrained(TINY, dtype=torch.float32).eval()
    tokenizer = MarianTokenizer.from_pretrained(TINY)
    items = [item for name in ("demo:de", "demo:fr") for item in kontrast.load(name)]
    random.Random(1).shuffle(items)
    joined = [" ".join([*(item.source_context or ())[-(n % 4) :], item.source]) for n, item in enumerate(items)]
    texts = list(dict.fromkeys(joined))[:count]

    def loop() -> list[str]:
        found: list[str] = []
        for start in range(0, len(texts), 32):
            part = [f">>de<< {text}" for text in texts[start : start + 32]]
            given = tokenizer(part, return_tensors="pt", padding=True)
            with torch.inference_mode():
                rows = model.generate(**given, num_beams=4, max_new_tokens=256)
            found += tokenizer.batch_decode(rows, skip_special_tokens=True)
        return [" ".join(text.split()) for text in found]

    def ours() -> list[str]:
        options = EngineOptions(source_language="en", target_language="de", device="cpu")
        return list(kontrast.translate(suite(texts), engine_of(model, tokenizer, options, "tiny")).texts)

    took: dict[str, Any] = {}
    for name, run in (("plain loop", loop), ("kontrast", ours)):
        began, used = time.perf_counter(), time.process_time()
        took[name] = run(), time.perf_counter() - began, time.process_time() - used
        print(f"{name}: {took[name][1]:.1f} s, {took[name][2]:.1f} s of processor time", flush=True)
    same = sum(a == b for a, b in zip(took["plain loop"][0], took["kontrast"][0], strict=True))
    for number, what in ((1, "wall time"), (2, "processor time")):
        print(f"{took['plain loop'][number] / took['kontrast'][number]:.2f} times as fast by {what}")
    print(f"{same} of {len(texts)} equal")


def realigned(count: int) -> None:
    """Windows of real French sentences whose separators were lost: how many sentences get another's text."""
    from kontrast.scoring.translating.realigning import realign

    pairs = list(
        {item.source: item.best.text for name in ("demo:fr", "demo:de") for item in kontrast.load(name)}.items()
    )
    draw = random.Random(2)
    for name, spoil in (("separators lost", 0.0), ("and one pair in ten merged", 0.1)):
        wrong = total = 0
        for _ in range(count):
            window = [draw.choice(pairs) for _ in range(draw.randint(3, 12))]
            texts = [target for _, target in window]
            merged = [n for n in range(1, len(texts)) if draw.random() < spoil]
            shown = list(texts)
            for n in merged:
                shown[n - 1] = shown[n - 1].rstrip(".!?") + ","
            found = realign([source for source, _ in window], " ".join(shown))
            for n, text in enumerate(texts):
                if n in merged or n + 1 in merged:
                    continue
                total += 1
                wrong += found.text_of(n) != text
        print(f"{name}: {wrong} of {total} sentences with another text ({wrong / total:.2%})", flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--count", type=int, default=200)
    options.add_argument("--only", default="ct2,marian,m2m100,mbart50,t5,llama")
    for name in ("equal", "speed", "realign"):
        options.add_argument(f"--{name}", action="store_true")
    asked = options.parse_args()
    if asked.equal:
        equal(asked.count, asked.only.split(","))
    for name, run in (("speed", speed), ("realign", realigned)):
        if getattr(asked, name):
            run(asked.count)


if __name__ == "__main__":
    main()
