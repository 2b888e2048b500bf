"""How good kontrast-tiny is, per phenomenon, on items it has not seen; baselines without skill beside it.

    python benchmarks/tiny.py [--data ../shared/data] [--model tiny] [--items 400] [--json]

Held out by document (training/corpora.py): the French and German pronoun sets and the word-order swaps. Never used in
training at all: DistilLingEval, DiscEvalMT, the bundled suites, ContraPro's context sentences.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "training"))

import corpora  # noqa: E402
from corpora import SUBTITLES_DE, SUBTITLES_FR, read_lines  # noqa: E402

from kontrast import Item, Scores, Suite, Variant, bundled, compare, evaluate, load  # noqa: E402
from kontrast.judging.records import Difference  # noqa: E402
from kontrast.reporting.terminal import print_json, print_table  # noqa: E402
from kontrast.scoring.context import parse_context  # noqa: E402
from kontrast.scoring.run import score  # noqa: E402
from kontrast.scoring.schemes import load_scheme  # noqa: E402

CONTEXTS = ("none", "prev:1", "other")


class Line(msgspec.Struct, frozen=True):
    """``per_token`` divides by length, ``shorter`` prefers fewer characters, ``majority`` the commonest form."""

    set: str
    context: str
    items: int
    accuracy: float
    low: float
    high: float
    per_token: float
    chance: float
    majority: float
    shorter: float


def french_pronouns(data: Path) -> Suite:
    """Items of held-out blocks of the large EN-FR set, with one sentence of context."""
    folder = data / SUBTITLES_FR
    parts = ("current", "c1.context")
    current, context = ([read_lines(folder / f"OpenSubs.{part}.{side}") for side in ("src", "trg")] for part in parts)
    items = [
        Item(
            str(i),
            current[0][2 * i],
            (Variant(current[1][2 * i]), Variant(current[1][2 * i + 1], error="pronoun_gender")),
            source_context=(context[0][2 * i],),
            target_context=(context[1][2 * i],),
            document=str(i // corpora.BLOCK),
        )
        for i in range(len(current[0]) // 2)
        if corpora.held_out_block(SUBTITLES_FR, i) and context[0][2 * i]
    ]
    return Suite("pronouns en-fr", tuple(items), "en", "fr")


def german_pronouns(data: Path) -> Suite:
    """Items of held-out documents of ContraPro (those whose document is known), first letters in capitals again."""
    folder = data / SUBTITLES_DE
    rows = [[row.split("<SEP>") for row in read_lines(folder / f"rows.context1.{side}")] for side in ("en", "de")]
    starts = [int(line) for line in read_lines(folder / "group_starts.txt")]
    items = []
    for group, document in sorted(corpora.contrapro_documents(folder).items()):
        if not corpora.held_out(document):
            continue
        before, source = rows[0][starts[group]]
        targets = [rows[1][row] for row in range(starts[group], starts[group + 1])]
        variants = [Variant(text.strip(), error=None if k == 0 else "pronoun") for k, (_, text) in enumerate(targets)]
        items.append(
            Item(
                str(group),
                _capital(source),
                tuple(variants),
                source_context=(_capital(before),),
                target_context=(_capital(targets[0][0]),),
                document=document,
            )
        )
    return Suite("pronouns en-de (ContraPro)", tuple(items), "en", "de")


def swaps(suite: Suite, name: str) -> Suite:
    """Two neighbouring words of the correct variant exchanged, at a seeded place."""
    chance, items = random.Random(1), []
    for item in suite.items:
        words = item.best.text.split()
        places = [i for i in range(len(words) - 1) if words[i].lower() != words[i + 1].lower()]
        if len(words) > 3 and places:
            at = chance.choice(places)
            words[at : at + 2] = words[at + 1], words[at]
            variants = (item.best, Variant(" ".join(words), error="word_order"))
            items.append(msgspec.structs.replace(item, variants=variants, correct=0))
    return msgspec.structs.replace(suite, name=name, items=tuple(items))


def suites(data: Path) -> Iterator[tuple[Suite, tuple[str, ...]]]:
    """Every suite with the contexts it is scored with."""
    german, french = german_pronouns(data), french_pronouns(data)
    yield swaps(german, "word order en-de"), ("none",)
    yield swaps(french, "word order en-fr"), ("none",)
    yield german, CONTEXTS
    yield french, CONTEXTS
    anaphora = load(str(data / "discevalmt-en-fr" / "anaphora.json"))
    yield msgspec.structs.replace(anaphora, name="DiscEvalMT anaphora", target_language="fr"), ("none", "prev:1")
    for folder in sorted((data / "distil-lingeval-en-de").iterdir()):
        source, right, wrong = (read_lines(folder / f) for f in ("src.en", "tgt.correct.de", "tgt.incorrect.de"))
        rows = zip(source, right, wrong, strict=True)
        items = [Item(str(i), s, (Variant(r), Variant(w, error=folder.name))) for i, (s, r, w) in enumerate(rows)]
        yield Suite(f"DistilLingEval {folder.name}", tuple(items), "en", "de"), ("none",)
    for name in ("demo:de", "demo:fr"):
        yield bundled(name), ("none", "prev:1")


def scored(suite: Suite, context: str, model: str) -> Scores:
    asked = parse_context(
        "prev:1" if context == "other" else context,
        scheme=load_scheme("sep"),
        scheme_name="sep",
        **({"control": "other-document"} if context == "other" else {}),
    )
    return msgspec.structs.replace(score(suite, model, context=asked), system=context)


def measure(suite: Suite, context: str, scores: Scores) -> Line:
    result = evaluate(suite, scores, normalise=["sum", "token"])
    per_token = next(n.accuracy for n in result.normalisations if n.normalise == "token")
    base = {baseline.name: baseline.accuracy for baseline in result.baselines}
    found = (result.accuracy, result.interval.low, result.interval.high, per_token)
    return Line(suite.name, context, result.items, *found, result.chance, base["majority"], base["shorter"])


def use_of_context(suite: Suite, runs: dict[str, Scores]) -> list[Difference]:
    """What the sentence before brings over none, and over one of another document."""
    pairs = [(runs[name], runs["prev:1"]) for name in ("none", "other") if name in runs and "prev:1" in runs]
    return [compare(suite, pair, test="mcnemar", allow=("context",)).total[0] for pair in pairs]


def _capital(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--model", default="tiny")
    parser.add_argument("--items", type=int, default=400, help="at most, per suite; drawn with a seed")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    lines, gains = [], []
    for suite, contexts in suites(options.data):
        if len(suite.items) > options.items:
            chosen = sorted(random.Random(1).sample(range(len(suite.items)), options.items))
            suite = msgspec.structs.replace(suite, items=tuple(suite.items[i] for i in chosen))
        runs = {context: scored(suite, context, options.model) for context in contexts}
        lines += [measure(suite, context, scores) for context, scores in runs.items()]
        gains += [(suite.name, difference) for difference in use_of_context(suite, runs)]
    if options.json:
        print_json({"sets": lines, "context": gains})
        return
    percent = [
        [line.set, line.context, line.items, *(f"{v:.1%}" for v in msgspec.structs.astuple(line)[3:])]
        for line in lines
    ]
    print_table([field.replace("_", " ") for field in Line.__struct_fields__], percent)
    print("\nWhat one sentence of context brings (McNemar's exact test)")
    against = [
        [name, gain.a, f"{100 * gain.difference:+.1f}", gain.b_better, gain.a_better, f"{gain.mcnemar:.4f}"]
        for name, gain in gains
    ]
    print_table(["set", "against", "points", "gained", "lost", "p"], against)


if __name__ == "__main__":
    main()
