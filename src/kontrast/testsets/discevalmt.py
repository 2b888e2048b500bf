"""DiscEvalMT (Bawden et al. 2018, EN-FR): numbered blocks of contrastive pairs, context before each sentence.

``anaphora.json`` has one ``src`` [previous, current] and several ``trg`` per block, each ``correct`` or
``semi-correct`` (the tag ``grade``) and ``incorrect``; ``lexical-choice.json`` has ``examples`` with a ``src`` and a
``trg`` each. The previous *target* differs between entries, so every variant has its own context.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kontrast.errors import KontrastError
from kontrast.io import files
from kontrast.io.json_input import read_json, write_json
from kontrast.suites.formats.entry import FileEntry
from kontrast.suites.formats.format import Lost, Peek
from kontrast.suites.formats.loss import losses
from kontrast.suites.model import Item, Scores, Suite, Variant
from kontrast.suites.testset import Columns, Request
from kontrast.testsets.originals import Options, Tally, beats_all

_GRADES = ("correct", "semi-correct")


def detect(peek: Peek) -> bool:
    return peek.head[:1] == "{" and peek.has_keys("src", "trg", "incorrect")


def read(path: Path) -> Suite:
    blocks = read_json(path, dict[str, Any], expected="numbered blocks with src and trg, or with examples")
    items: list[Item] = []
    beside: dict[str, Any] = {}
    empty: dict[str, Any] = {}
    kinds = set()
    for number in sorted(blocks, key=numeric):
        block = FileEntry(path, f"block {number if number.isdecimal() else ascii(number)}", blocks[number])
        kinds.add("lexical-choice" if "examples" in block else "anaphora")
        pairs = list(_pairs(block))
        if not pairs:  # it counts as right in the original
            empty[number] = blocks[number]
            continue
        for place, (source, pair, tags) in enumerate(pairs, start=1):
            items.append(_item(f"{number}.{place}", source, pair, {"block": number, **tags}))
        if left := block.rest():
            beside[number] = left
    if len(kinds) > 1:
        raise FileEntry(path, "these blocks", {}).fault('expected all with "examples" or all with "trg", found both')
    extra = {"set": kinds.pop() if kinds else "anaphora", **({"blocks": beside} if beside else {})}
    extra |= {"empty": empty} if empty else {}
    return Suite(files.suite_name(path), tuple(items), "en", "fr", style="discevalmt", extra=extra)


def numeric(name: str) -> tuple[bool, int, str]:
    """Sorts by number, whatever its length; names that are none come last."""
    digits = name.lstrip("0")
    return not name.isdecimal(), len(digits), digits


Pair = tuple[list[str], list[str]]


def _pairs(block: FileEntry) -> Iterator[tuple[list[str], Pair, dict[str, Any]]]:
    """Source, right and wrong sentences, and tags."""
    if "examples" not in block:
        source = block.texts("src")
        for target in block.entries("trg"):
            grade = next((grade for grade in _GRADES if grade in target), "correct")
            pair = target.texts(grade), target.texts("incorrect")
            yield source, pair, {"phenomenon": "anaphora", "grade": grade, **target.rest()}
        return
    examples = block.entries("examples")
    shared = {"type": block.text("type")} if block.holds_text("type") else {}
    for example in examples:
        target = example.entry("trg")
        pair = target.texts("correct"), target.texts("incorrect")
        yield example.texts("src"), pair, {"phenomenon": "lexical_choice", **shared, **example.rest()}


def _item(name: str, source: list[str], pair: Pair, tags: dict[str, Any]) -> Item:
    right, wrong = pair
    variants = (
        Variant(right[-1], context=tuple(right[:-1])),
        Variant(wrong[-1], error=tags["phenomenon"], context=tuple(wrong[:-1])),
    )
    return Item(name, source[-1], variants, source_context=tuple(source[:-1]), tags=tags)


def write(suite: Suite, path: Path) -> list[Lost]:
    if any(len(item.variants) != 2 for item in suite.items):
        raise KontrastError("the discevalmt format stores only items of exactly two variants")
    anaphora = suite.extra.get("set") == "anaphora"
    beside = suite.extra.get("blocks", {})
    kind = "trg" if anaphora else "examples"
    blocks: dict[str, dict[str, Any]] = dict(suite.extra.get("empty", {}))
    order: list[str] = []
    for number, item in enumerate(suite.items, start=1):
        name = str(item.tags.get("block", number))
        if name not in blocks:
            blocks[name] = {**beside.get(name, {}), kind: []}
        block, texts = blocks[name], _texts(item)
        dropped = {"block", "phenomenon"} | ({"grade"} if anaphora else {"type"})
        tags = {key: value for key, value in item.tags.items() if key not in dropped}
        order.append(name)
        if anaphora:
            if block.setdefault("src", texts[0]) != texts[0]:
                raise KontrastError(f"the discevalmt format has one source per block, but block {name} has several")
            grade = str(item.tags.get("grade", "correct"))
            block["trg"].append({**tags, grade: texts[1], "incorrect": texts[2]})
        else:
            if "type" in item.tags:
                block["type"] = item.tags["type"]
            block["examples"].append({**tags, "src": texts[0], "trg": {"correct": texts[1], "incorrect": texts[2]}})
    write_json(path, blocks, indent=2)
    kept = {"source_context", "target_context", "tags", "variant.context"}
    own = {"id", "error"} if suite.style == "discevalmt" else set()
    moved = [Lost("order of rows", 0)] if order != sorted(order, key=numeric) else []
    return [lost for lost in losses(suite, kept) if lost.field not in own] + moved


def _texts(item: Item) -> tuple[list[str], list[str], list[str]]:
    wrong = item.variants[1 - item.correct]
    right = item.best
    shared = item.target_context or ()
    return (
        [*(item.source_context or ()), item.source],
        [*(shared if right.context is None else right.context), right.text],
        [*(shared if wrong.context is None else wrong.context), wrong.text],
    )


def columns(suite: Suite, request: Request) -> Columns:
    """DiscEvalMT's layout: ``NAME.current.LANG`` with a row a line, ``NAME.prev.LANG`` with the sentence before each.

    NAME is the kind of set, whatever the JSON file is called.
    """
    name = "lexical_choice" if suite.extra.get("set") == "lexical-choice" else "anaphora"
    rows = list(suite.rows())
    sources = [(*(row.item.source_context or ("",)), row.item.source) for row in rows]
    targets = [(*(row.target_context or ("",)), row.variant.text) for row in rows]
    return {  # the first two sentences, as the original takes them
        f"{name}.{part}.{language}": [sentences[i] for sentences in texts]
        for i, part in ((1, "current"), (0, "prev"))
        for language, texts in ((request.source, sources), (request.target, targets))
    }


_PRONOUNS = ("m.sg", "f.sg", "m.pl", "f.pl")


def lines(suite: Suite, scores: Scores, options: Options) -> Iterator[str]:
    """Its two sets print different summaries; a pair is right where the correct one is strictly better."""
    decisions = list(beats_all(suite, scores))
    blocks: dict[str, list[bool]] = {number: [] for number in suite.extra.get("empty", ())}
    for item, right in zip(suite.items, decisions, strict=True):
        blocks.setdefault(str(item.tags.get("block")), []).append(right)
    whole = sorted((block for block, answers in blocks.items() if all(answers)), key=numeric)
    if suite.extra.get("set") == "anaphora":
        yield from _anaphora_lines(suite, decisions, whole)
    else:
        yield from _lexical_choice_lines(suite, decisions, whole)


def _anaphora_lines(suite: Suite, decisions: list[bool], whole: list[str]) -> Iterator[str]:
    tally = Tally()
    for item, right in zip(suite.items, decisions, strict=True):
        tally.add(f"{item.tags.get('type')} {item.tags.get('grade')}", right)

    yield "Distribution of pronoun types (in examples): "
    for pronoun in _PRONOUNS:
        (_, full), (_, half) = (tally.counts(f"{pronoun} {grade}") for grade in _GRADES)
        yield f"\t{pronoun}\ttotal: {full + half}"
        yield f"\t\t\t: correct: {full}, semi-correct: {half}"
    yield "----------------"
    yield "Number correct of each type:"
    for pronoun in _PRONOUNS:
        (right_full, all_full), (right_half, all_half) = (tally.counts(f"{pronoun} {grade}") for grade in _GRADES)
        yield f"\t{pronoun}\tTotal correct: {right_full + right_half}"
        yield f"\t\t\t: correct: {right_full} correct, {right_half} semi-correct"
        yield f"\t\t\t: incorrect: {all_full - right_full} correct, {all_half - right_half} semi-correct"
    yield "----------------"
    yield "How many example blocks (of 4 contrastive pairs) are systematically right?"
    yield f"Number of examples where all right: {len(whole)}"
    yield f"\tCorresponds to examples:{whole}"
    yield ""
    yield "-------- Summary ---------"
    yield f"Overall precision = {_share(sum(decisions), len(decisions))}"


def _lexical_choice_lines(suite: Suite, decisions: list[bool], whole: list[str]) -> Iterator[str]:
    tally = Tally()
    for item, right in zip(suite.items, decisions, strict=True):
        tally.add(str(item.tags.get("type")), right)

    yield f"Total correct: {sum(decisions)}"
    yield f"Total incorrect: {len(decisions) - sum(decisions)}"
    yield ""
    yield f"Number of example blocks entirely correct: {len(whole)}"
    # the original subtracts blocks from examples; kept as it prints
    yield f"Number of example blocks not entirely correct: {len(decisions) - len(whole)}"
    yield ""
    yield "--------- By type of example -----------"
    for kind in ("repet", "disambig"):
        right_count, total = tally.counts(kind)
        yield f"{kind.title()}: Total: {total}, #correct: {right_count}, #incorrect: {total - right_count}"
    yield ""
    yield "--------- Summary ---------"
    yield f"Total precision = {_share(sum(decisions), len(decisions))}"
    yield ""


def _share(right: int, total: int) -> str:
    return f"{right}/{total} = {right / total if total else 0.0}"
