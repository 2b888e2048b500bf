"""MT-GenEval's line files, named by one of them; the others lie beside it.

Contextual: ``geneval-context-wikiprofessions-original-test.en_de.de`` (right), ``…-flipped-…`` (the other gender) and
``…-2to1-test.en_de.en`` (the sentence before, ``<sep>``, the sentence). Counterfactual:
``geneval-sentences-feminine-test.en_de.en``, ``.de`` and the same with ``masculine``; each line is two items, all
feminine ones first, and each gender's reference is the other's wrong variant.
"""

import re
import string
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.suites.formats.format import Peek
from kontrast.suites.model import Item, Suite, Variant

SEPARATOR = "<sep>"
GENDERS = ("feminine", "masculine")

_NAME = re.compile(
    r"geneval-(?:context-(?P<domain>\w+)-(?:original|flipped|2to1)|sentences-(?:feminine|masculine))"
    r"-(?P<split>dev|test)\.(?P<source>[a-z]{2,3})_(?P<target>[a-z]{2,3})\.[a-z]{2,3}"
)


def detect(peek: Peek) -> bool:
    return _NAME.fullmatch(peek.path.name) is not None


def read(path: Path) -> Suite:
    named = _NAME.fullmatch(path.name)
    if named is None:
        wanted = "geneval-context-wikiprofessions-original-test.en_de.de or geneval-sentences-feminine-test.en_de.de"
        raise InputError(path, f"expected a file named as {wanted}")
    split, source, target = named["split"], named["source"], named["target"]

    def beside(kind: str, language: str) -> Path:
        return path.with_name(f"geneval-{kind}-{split}.{source}_{target}.{language}")

    if named["domain"]:
        kind = "contextual"
        names = [beside(f"context-{named['domain']}-{part}", target) for part in ("original", "flipped")]
        items = _contextual(beside(f"context-{named['domain']}-2to1", source), *names)
    else:
        kind = "counterfactual"
        items = _counterfactual({g: [beside(f"sentences-{g}", x) for x in (source, target)] for g in GENDERS})
    name = f"geneval-{kind}-{split}.{source}_{target}"
    return Suite(name, items, source, target, style="mt-geneval", extra={"set": kind, "split": split})


def _contextual(sources: Path, right: Path, wrong: Path) -> tuple[Item, ...]:
    items = []
    for number, (both, original, flipped) in enumerate(files.read_aligned(sources, right, wrong), start=1):
        *before, source = (part.strip() for part in both.split(SEPARATOR))
        variants = (Variant(original), Variant(flipped, error="gender"))
        items.append(Item(str(number), source, variants, source_context=tuple(before), tags={"phenomenon": "gender"}))
    return tuple(items)


def _counterfactual(paths: dict[str, list[Path]]) -> tuple[Item, ...]:
    (feminine, masculine), order = paths.values(), GENDERS
    rows = list(files.read_aligned(*feminine, *masculine))
    items = []
    for gender, here, there in zip(order, (0, 2), (2, 0), strict=True):
        for number, row in enumerate(rows, start=1):
            variants = (Variant(row[here + 1]), Variant(row[there + 1], error="gender"))
            tags = {"phenomenon": "gender", "gender": gender, "pair": number}
            items.append(Item(f"{gender}.{number}", row[here], variants, tags=tags))
    return tuple(items)


# MT-GenEval's own check: a translation is wrong if it has a word that only the reference of the other gender has.
#
# Words are in lower case, punctuation stands for a blank. In the counterfactual set an item is right only if both
# genders of its pair are.


_BLANKS = str.maketrans(dict.fromkeys(string.punctuation, " "))


def outcomes(suite: Suite, translations: Sequence[str]) -> list[Literal["right", "wrong"]]:
    """One answer per item."""
    answers = [clean(item, text) for item, text in zip(suite.items, translations, strict=True)]
    if suite.extra.get("set") == "counterfactual":
        half = len(answers) // 2
        both = [one and other for one, other in zip(answers[:half], answers[half:], strict=True)]
        answers = both + both
    return ["right" if answer else "wrong" for answer in answers]


def clean(item: Item, text: str) -> bool:
    """Is it without the words that only the other gender's reference has?"""
    (wrong,) = item.foils
    return not _words(text) & (_words(wrong.text) - _words(item.best.text))


def _words(text: str) -> set[str]:
    return set(text.lower().translate(_BLANKS).split())


def printed(suite: Suite, answers: Sequence[str]) -> Iterator[str]:
    """What its script prints."""
    if not answers:
        raise KontrastError(f"{suite.name} has no items")
    share = answers.count("right") / len(answers)
    pair = f"{suite.source_language}_{suite.target_language}"
    yield f"MTGenEval Accuracy for the {pair} {suite.extra['set']} {suite.extra['split']} subset is {share}"


def companions(suite: Suite, path: Path) -> list[Path]:
    """The files of translations that belong together: the counterfactual set has one per gender."""
    if suite.extra.get("set") != "counterfactual" or GENDERS[0] not in path.name:
        return [path]
    return [path, path.with_name(path.name.replace(*GENDERS))]
