"""How often the canary warns of sound models, and how often of planted faults.

    python benchmarks/canary.py                # kontrast-tiny with hf and ct2; apertium where it is installed
    python benchmarks/canary.py --argos DIR    # an unpacked Argos package (zh-en) too

Every line is a model or a fault on draws of 60 items from a suite. The limits of the canary were chosen before it was
run, and not changed after; the faults are those of its messages.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

import kontrast
from kontrast import Item, Suite, Variant
from kontrast.scoring import canary
from kontrast.scoring.engine import EngineOptions
from kontrast.scoring.engines import load_engine
from kontrast.scoring.engines.hf import TINY
from kontrast.scoring.translator import Decoding

_VARYING = re.compile(r"\(.*?\)|\d[\d.%]*")
"""What differs between two messages of one kind: numbers, and the texts in brackets."""

SHARED = Path(__file__).parents[2] / "shared" / "data"
CHINESE = [
    ("我有三只猫。", "I have three cats.", "I have five cats."),
    ("他昨天买了一本新书。", "He bought a new book yesterday.", "He sold a new book yesterday."),
    ("孩子们在学校学习英语。", "The children study English at school.", "The children study French at school."),
    ("这座桥是去年建成的。", "The bridge was built last year.", "The bridge was built this year."),
    (
        "我们明天早上去北京。",
        "We are going to Beijing tomorrow morning.",
        "We are going to Beijing tomorrow evening.",
    ),
    ("她不知道该说什么。", "She does not know what to say.", "She knows what to say."),
    ("今天的天气非常好。", "The weather is very good today.", "The weather is very bad today."),
    ("请把门打开。", "Please open the door.", "Please close the door."),
    ("这家公司有五百名员工。", "The company has five hundred employees.", "The company has three hundred employees."),
    ("他的父亲是医生。", "His father is a doctor.", "His mother is a doctor."),
    ("我每天坐火车去上班。", "I go to work by train every day.", "I go to work by bus every day."),
    ("这个问题很难回答。", "This question is difficult to answer.", "This question is easy to answer."),
    ("中国的经济发展很快。", "China's economy is developing rapidly.", "China's economy is developing slowly."),
    ("我们在公园里看到了很多花。", "We saw many flowers in the park.", "We saw few flowers in the park."),
    ("他们已经等了两个小时。", "They have been waiting for two hours.", "They have been waiting for six hours."),
]


def part(suite: Suite, seed: int) -> Suite:
    chosen = random.Random(seed).sample(suite.items, min(60, len(suite.items)))
    return msgspec.structs.replace(suite, items=tuple(chosen))


def other_pieces(folder: Path) -> Path:
    """A SentencePiece model of English alone, as the source's is."""
    import sentencepiece as spm

    lines = [item.source for name in ("demo:de", "demo:fr") for item in kontrast.load(name)]
    spm.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_prefix=str(folder / "english"),
        vocab_size=1000,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    return folder / "english.model"


def settings(folder: Path, argos: Path | None) -> Iterator[tuple[str, bool, Suite, str, dict[str, Any], bool]]:
    """(what, sound or not, suite, model, options, whether it translates)."""
    import ctranslate2

    converted = folder / "tiny"
    ctranslate2.converters.TransformersConverter(str(TINY)).convert(str(converted))
    english = other_pieces(folder)
    own = {"extra": {"tokenizer": str(TINY)}}
    for name, code, other in (("demo:de", "de", "fr"), ("demo:fr", "fr", "de")):
        suite = kontrast.load(name)
        yield f"hf, tiny, {name}", True, suite, "tiny", {}, False
        yield f"ct2, tiny, {name}", True, suite, f"ct2:{converted}", own, False
        yield (
            f"ct2, wrong language token, {name}",
            False,
            suite,
            f"ct2:{converted}",
            own | {"target_language": other},
            False,
        )
        yield f"ct2, missing prefix, {name}", False, suite, f"ct2:{converted}", own | {"template": "{source}"}, False
        sides = {"extra": {"spm": f"{TINY / 'source.spm'},{english}"}, "template": f">>{code}<< {{source}}"}
        yield f"ct2, target cut by the source's pieces, {name}", False, suite, f"ct2:{converted}", sides, False
        sides = {"extra": {"spm": f"{english},{TINY / 'target.spm'}"}, "template": f">>{code}<< {{source}}"}
        yield f"ct2, source cut by other pieces, {name}", False, suite, f"ct2:{converted}", sides, False
    german = kontrast.load("demo:de")
    yield "command, copies its source", False, german, "command:cat", {}, True
    yield "command, one answer for all", False, german, "command:sed s/.*/Ja./", {}, True
    yield "command, blank lines", False, german, "command:sed s/.*//", {}, True
    spanish = SHARED / "mt-geneval"
    if shutil.which("apertium") and spanish.is_dir():
        found = kontrast.load(spanish / "geneval-sentences-feminine-test.en_es.en")
        yield "command, apertium eng-spa, MT-GenEval", True, found, "command:apertium -u eng-spa", {}, True
        yield "command, apertium into Catalan", False, found, "command:apertium -u eng-cat", {}, True
        yield "command, apertium the wrong way", False, found, "command:apertium -u spa-eng", {}, True
    if argos is not None:
        chinese = [Item(str(n), s, (Variant(r), Variant(f))) for n, (s, r, f) in enumerate(CHINESE)]
        suite = Suite("zh-en", tuple(chinese), "zh", "en")
        one = argos / "sentencepiece.model"
        yield (
            "ct2, Argos zh-en, source's pieces for both",
            False,
            suite,
            f"ct2:{argos / 'model'}",
            {"extra": {"spm": f"{one},{one}"}},
            False,
        )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--draws", type=int, default=20)
    options.add_argument("--argos", type=Path)
    options.add_argument("--only", default="", help="lines that contain this")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for what, sound, suite, model, given, writes in settings(Path(folder), asked.argos):
            if asked.only not in what:
                continue
            languages = {"source_language": suite.source_language, "target_language": suite.target_language}
            engine: Any = load_engine(model, EngineOptions(**{**languages, "threads": 1, "device": "cpu", **given}))
            warned, by = 0, Counter[str]()
            for seed in range(asked.draws):
                found = canary.problems(engine, part(suite, seed), Decoding() if writes else None)
                warned += bool(found)
                by.update({_VARYING.sub("…", problem).partition(": ")[0] for problem in found})
            engine.close()
            told = ", ".join(f"{kind} {count}" for kind, count in by.most_common())
            print(f"{'sound' if sound else 'FAULT'} {what}: warned {warned} of {asked.draws} ({told})", flush=True)


if __name__ == "__main__":
    main()
