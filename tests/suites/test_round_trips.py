"""Every format that can be written: a random suite comes back equal, or what is lost is among the losses.

Names of tags are often those of the formats' own keys, which must neither replace a text nor be dropped in silence. A
context that is not known (None) and one that is empty are taken as the same, for most formats cannot tell them apart.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kontrast import Item, KontrastError, Suite, Variant, load, save
from kontrast.suites.formats import get, names
from kontrast.suites.model import Unit

WRITABLE = [name for name in names() if get(name).write is not None]
CASES = 100

PLAIN = ("note", "distance", "severity", "phenomenon", "src_pronoun", "json:distance")
KEYS = (
    *("src", "dst", "true_ind", "ctx_dist"),
    *("id", "src_sent", "eng_sent", "mt_sent", "pert_sent", "pert_name"),
    *("src segment", "ref segment", "expected", "document id", "segment id", "ante distance"),
    *("source", "reference", "errors", "contrastive", "type", "origin", "ambig word", "ambig_word"),
    *("block", "grade", "trg", "correct", "incorrect", "semi-correct", "examples"),
    *("wrong", "right", "wrong2", "wrong_phenomenon", "context", "document", "tags", "error"),
    *("phenomena", "langpair", "ID", "good-translation", "incorrect-translation"),
    *("wrong translation", "correct translation", "reference context", "source context"),
)
PAIRS = {"aces", "demetr", "discevalmt", "pro-errors"}
NEEDED = {"contrawsd": ("ambig_word",), "ctxpro": ("expected",), "mucow": ("ambig_word", "origin")}
FILES = {"table": "en-de.csv", "aces": "en-de.tsv", "native": "en-de.jsonl", "rows": "en-de", "distil-lingeval": "x"}


def random_suite(dice: random.Random, format: str) -> Suite:
    fmt = get(format)
    items = tuple(random_item(dice, format, number) for number in range(1, dice.randint(2, 5)))
    source, target = fmt.languages or (None, None)
    unit: Unit = fmt.unit or ("item" if dice.random() < 0.5 else "pair")
    languages = dice.choice(((source, target), ("en", "de"), ("fr", "ru"), (None, None)))
    return Suite("random", items, *languages, unit=unit, style=dice.choice((None, format, "lingeval97")))


def random_item(dice: random.Random, format: str, number: int) -> Item:
    size = 2 if format in PAIRS or (format == "distil-lingeval" and dice.random() < 0.8) else dice.randint(1, 4)
    correct = dice.choice((0, 0, dice.randrange(size)))
    variants = tuple(random_variant(dice, place == correct) for place in range(size))
    needed = {tag: text(dice) for tag in NEEDED.get(format, ())}
    return Item(
        dice.choice((str(number), f"x.{number}")),
        text(dice),
        variants,
        correct,
        source_context=context(dice),
        target_context=context(dice),
        source_next=context(dice),
        target_next=context(dice),
        references=(Variant(text(dice)),) if format == "demetr" or dice.random() < 0.3 else (),
        document=dice.choice((None, None, "d1")),
        segment=dice.choice((None, None, 7)),
        tags={**some_tags(dice), **needed},
    )


def random_variant(dice: random.Random, correct: bool) -> Variant:
    error = None if correct and dice.random() < 0.9 else dice.choice((None, "gender", "number"))
    tags = some_tags(dice) if dice.random() < 0.3 else {}
    return Variant(text(dice), error, context(dice) if dice.random() < 0.2 else None, tags)


def text(dice: random.Random) -> str:
    odd = ('"er"', "a, b; c", "=1+1", "'x", "7", "été 猫", "None")
    return f"{dice.choice((*odd, 'er', 'sie', 'das Haus'))} {dice.randint(0, 99)}"


def context(dice: random.Random) -> tuple[str, ...] | None:
    return dice.choice((None, None, None, (), (text(dice),), (text(dice), text(dice))))


def some_tags(dice: random.Random) -> dict[str, Any]:
    chosen = [*dice.sample(PLAIN, dice.randint(0, 2)), *dice.sample(KEYS, dice.choice((0, 0, 1, 3)))]
    return {tag: dice.choice((text(dice), text(dice), 3, 0.5, True, None, ["a", "b"])) for tag in chosen}


def differences(suite: Suite, back: Suite, lost: list[str]) -> Iterator[str]:
    """Fields in which the two differ, as `Lost` names them; a leading ``!`` is a difference that no loss excuses."""
    for field in ("source_language", "target_language"):
        if getattr(suite, field) not in (None, getattr(back, field)):
            yield f"{field} {getattr(suite, field)}"
    grouped = "grouping of rows into items" in lost
    if suite.unit != back.unit and not grouped and any(len(item.variants) > 2 for item in suite.items):
        yield f"unit {suite.unit}"
    before = [(str(n), i) for n, i in enumerate(suite.items, start=1)]
    after = list(back.items)
    if "items without a wrong variant" in lost:
        before = [(place, item) for place, item in before if len(item.variants) > 1]
    if "order of rows" in lost:
        before.sort(key=lambda placed: texts(placed[1]))
        after.sort(key=texts)
    if len(before) != len(after):
        yield "grouping of rows into items"
        return
    for (place, item), again in zip(before, after, strict=True):
        if item.id not in (place, again.id):
            yield "id"
        yield from item_differences(item, again, lost)


def texts(item: Item) -> list[str]:
    return [item.source, item.best.text, *(v.text for i, v in enumerate(item.variants) if i != item.correct)]


def item_differences(item: Item, again: Item, lost: list[str]) -> Iterator[str]:
    if item.source != again.source:
        yield "!source"
    for field in ("document", "segment"):
        if getattr(item, field) not in (None, getattr(again, field)):
            yield field
    for field in ("source_next", "target_next"):
        if (getattr(item, field) or ()) != (getattr(again, field) or ()):
            yield field
    if (item.source_context or ()) != (again.source_context or ()):
        yield "source_context"
    if [v.text for v in item.references] != [v.text for v in again.references if v.text]:
        yield "references"
    yield from tag_differences(item.tags, again.tags, "tags")
    if item.correct != again.correct and "wrong variants" not in lost:
        yield "correct"
    before = [item.best, *(v for i, v in enumerate(item.variants) if i != item.correct)]
    after = [again.best, *(v for i, v in enumerate(again.variants) if i != again.correct)]
    if "wrong variants" in lost:
        del before[1:]
    if [v.text for v in before] != [v.text for v in after]:
        yield "!texts"
        return
    for place, (one, other) in enumerate(zip(before, after, strict=True)):
        kept = [
            (v.context if v.context is not None else i.target_context) or () for v, i in ((one, item), (other, again))
        ]
        if kept[0] != kept[1]:
            yield "target_context" if one.context is None else "variant.context"
        if one.error not in (None, other.error):
            yield "error" if place else "correct.error"
        yield from tag_differences(one.tags, other.tags, "variant.tags" if place else "correct.tags")


def tag_differences(before: dict[str, Any], after: dict[str, Any], field: str) -> Iterator[str]:
    for tag in before:
        if tag not in after or after[tag] != before[tag] or type(after[tag]) is not type(before[tag]):
            yield f"{field}: {tag}"


def excused(difference: str, lost: list[str]) -> bool:
    field, _, tag = difference.partition(": ")
    if tag:
        return field in lost or any(each == f"tag {tag}" or each.startswith(f"tag {tag} ") for each in lost)
    joined = ("context as several sentences",) if "context" in field else ()
    left_open = ("error left open",) if field == "error" else ()
    return any(each in lost for each in (field, *joined, *left_open))


@pytest.mark.parametrize("format", WRITABLE)
def test_what_is_lost_is_named(format: str, tmp_path: Path) -> None:
    held = 0
    for seed in range(CASES):
        suite = random_suite(random.Random(f"{format} {seed}"), format)
        path = tmp_path / str(seed) / FILES.get(format, "en-de.json")
        path.parent.mkdir()
        try:
            lost = [each.field for each in save(suite, path, format)]
        except KontrastError:
            assert list(path.parent.iterdir()) == []
            continue
        back = load(path, format)
        held += 1
        silent = [each for each in differences(suite, back, lost) if not excused(each, lost)]
        assert not silent, (seed, silent, lost, msgspec.to_builtins(suite), msgspec.to_builtins(back))
    assert held >= CASES / 4, held


OWN_KEYS = {
    "demetr": ("src_sent", "eng_sent", "mt_sent", "pert_sent", "id", "pert_name"),
    "ctxpro": ("src segment", "ref segment"),
    "consistency": ("src", "dst", "true_ind", "ctx_dist"),
    "discevalmt": ("src", "trg"),
}


@pytest.mark.parametrize(("format", "key"), [(name, key) for name, keys in OWN_KEYS.items() for key in keys])
@pytest.mark.parametrize("standard_output", [False, True])
def test_a_tag_named_like_an_own_key(
    format: str, key: str, standard_output: bool, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The text stays, and the tag is named as lost."""
    tags = {key: "x", "expected": "b", "distance": 1}
    item = Item("1", "a", (Variant("b"), Variant("c", "e")), references=(Variant("r"),), tags=tags)
    path = tmp_path / "a.json"
    lost = save(Suite("s", (item,)), Path("-") if standard_output else path, format)
    assert f"tag {key}" in [each.field for each in lost]
    if standard_output:
        path.write_text(capfd.readouterr().out)
    again = load(path, format).items[0]
    assert (again.source, again.best.text, again.tags.get("distance")) == ("a", "b", 1)
