"""The DFKI test suite's JSON: ``{"items": [{source_sentence, positive_regex, negative_regex, positive_tokens, …}]}``.

``positive_tokens`` and ``negative_tokens`` are outputs that people judged: the first right one is the correct
variant, the wrong ones are its rivals, further right ones are references. The expressions are tags. An item without a
right output has one blank variant, so that scores decide nothing in it, and its wrong outputs in the tag
``judged_wrong``; without expressions it is left out. Both are counted in ``extra``.
"""

import importlib
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from kontrast.errors import InputError, KontrastError, MissingExtraError
from kontrast.io import files
from kontrast.io.json_input import read_json
from kontrast.suites.formats.entry import FileEntry
from kontrast.suites.lint import Finding, LintCheck, found
from kontrast.suites.model import Item, Suite, Tags, Variant


def read(path: Path) -> Suite:
    whole = read_json(path, dict[str, Any], expected="an object with items")
    listed = whole.get("items")
    entries = [
        FileEntry(path, f"item {i}", each)
        for i, each in enumerate(listed if isinstance(listed, list) else (), start=1)
    ]
    if not entries:
        raise InputError(path, 'expected a list of objects in "items", found none')
    pairs = {entry.text("langpair") for entry in entries}
    if len(pairs) != 1 or len(pair := pairs.pop()) != 4 or not pair.isalpha():
        raise InputError(
            path, f'expected one "langpair" of four letters such as ende, found {", ".join(sorted(pairs))}'
        )
    items = [item for entry in entries if (item := _item(entry)) is not None]
    blank = sum(not item.best.text for item in items)
    if dropped := len(entries) - len(items):
        told = f"{dropped} of {len(entries)} items have neither a right output nor an expression and are left out"
        print(f"kontrast: warning: {path}: {told}", file=sys.stderr)
    extra: Tags = {"without_right_output": blank, "without_output_and_expression": len(entries) - len(items)}
    name = files.suite_name(path)  # the repository has testset/en-de/items.json
    name = f"dfki-{pair[:2]}-{pair[2:]}" if name == "items" else name
    return Suite(name, tuple(items), pair[:2], pair[2:], style="dfki", extra=extra)


def _item(entry: FileEntry) -> Item | None:
    name, source = entry.text("id"), entry.text("source_sentence").strip()
    positive, negative = (
        [text.strip() for text in entry.texts(f"{kind}_tokens", least=0)] for kind in ("positive", "negative")
    )
    right = list(dict.fromkeys(text for text in positive if text))
    phenomenon = entry.text("phenomenon")
    wrong = [text for text in dict.fromkeys(negative) if text and text not in right]
    tags: Tags = {"phenomenon": phenomenon}
    if both := [text for text in dict.fromkeys(negative) if text in right]:
        tags["judged_both_ways"] = both
    tags |= {key: value for key, value in entry.rest().items() if value != ""}
    if not right:
        if not tags.keys() & {"positive_regex", "negative_regex"}:
            return None
        return Item(name, source, (Variant(""),), tags=tags | ({"judged_wrong": wrong} if wrong else {}))
    return Item(
        name,
        source,
        (Variant(right[0]), *(Variant(text, error=phenomenon) for text in wrong)),
        references=tuple(map(Variant, right[1:])),
        tags=tags,
    )


# The DFKI test suite's own check: its expressions are searched in the output; the rest is left to a person.
#
# An output that people have judged is decided by their judgement. Expressions come from data: each search has a limit
# of time.


Outcome = Literal["right", "wrong", "both", "neither"]

SECONDS = 1.0
"""How long a search may take."""


def outcomes(suite: Suite, translations: Sequence[str]) -> list[Outcome]:
    """One answer per item; ``neither`` is for a person to decide."""
    return [judged(item, text) or searched(item, text) for item, text in zip(suite.items, translations, strict=True)]


def judged(item: Item, text: str) -> Outcome | None:
    """What people said of this very output."""
    text = _normal(text)
    if not text:
        return None
    if text in map(_normal, item.tags.get("judged_wrong", ())):
        return "wrong"
    if text in map(_normal, (item.best.text, *(reference.text for reference in item.references))):
        return "both" if text in map(_normal, item.tags.get("judged_both_ways", ())) else "right"
    return "wrong" if text in (_normal(variant.text) for variant in item.variants) else None


def searched(item: Item, text: str) -> Outcome:
    """What the expressions say."""
    right, wrong = (_found(item, key, text) for key in ("positive_regex", "negative_regex"))
    if right and wrong:
        return "both"
    return "right" if right else "wrong" if wrong else "neither"


def _found(item: Item, key: str, text: str) -> bool:
    expression = item.tags.get(key)
    if not expression:
        return False
    try:
        regex = importlib.import_module("regex")
    except ImportError as error:
        raise MissingExtraError("check", "the DFKI test suite's expressions") from error
    try:
        found: bool = regex.search(str(expression), _normal(text), timeout=SECONDS) is not None
        return found
    except TimeoutError:
        raise KontrastError(f"item {item.id}: {key} took more than {SECONDS} s on {text[:60]!r}") from None
    except regex.error as error:
        raise KontrastError(f"item {item.id}: {key} is not a regular expression ({error})") from None


def _normal(text: str) -> str:
    """Letters with their marks as one character, as the set has them."""
    return unicodedata.normalize("NFC", text.strip())


# Where the DFKI test suite's expressions and the people who judged outputs disagree.


ID = "expression-against-label"


def disagreements(suite: Suite) -> Iterator[Finding]:
    """Items in which an expression decides an output otherwise than people did."""
    right, wrong = [], []
    for place, item in enumerate(suite.items):
        if any(searched(item, text.text) == "wrong" for text in (item.best, *item.references) if text.text):
            right.append(place)
        judged_wrong = (*(foil.text for foil in item.foils), *item.tags.get("judged_wrong", ()))
        if any(searched(item, text) == "right" for text in judged_wrong):
            wrong.append(place)
    for places, ours, theirs in ((right, "wrong", "right"), (wrong, "right", "wrong")):
        message = f"in {{n}} an expression judges an output as {ours} and people judge it as {theirs}"
        yield from found(ID, "warning", suite, places, message)


CHECKS = (LintCheck(ID, "warning", "an expression and people judge an output differently", disagreements),)
