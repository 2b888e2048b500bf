"""MT-GenEval's own check: a translation is wrong if it has a word that only the reference of the other gender has.

Words are in lower case, punctuation stands for a blank. In the counterfactual set an item is right only if both
genders of its pair are.
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from kontrast.errors import KontrastError
from kontrast.suites.model import Item, Suite
from kontrast.testsets.mt_geneval.format import GENDERS

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
    """Is it without the words that only the other gender's reference has?

    >>> from kontrast.suites.model import Variant
    >>> item = Item("1", "the author", (Variant("die Autorin"), Variant("der Autor")))
    >>> [clean(item, text) for text in ("Die Autorin!", "Der-Mann", "", "ein Auto")]
    [True, False, True, True]
    """
    (wrong,) = (variant for i, variant in enumerate(item.variants) if i != item.correct)
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
