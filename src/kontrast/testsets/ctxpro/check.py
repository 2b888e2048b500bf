"""CTXPro's own check: the last sentence, in lower case and without ASCII punctuation, contains the expected form.

The form is only put into lower case: its punctuation stays, so that a form with some is never found, and no-break
spaces are no blanks.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from kontrast.errors import KontrastError, MissingExtraError
from kontrast.suites.model import Suite

_PUNCTUATION = str.maketrans("", "", string.punctuation)


def outcomes(suite: Suite, translations: Sequence[str]) -> list[Literal["right", "neither"]]:
    """One answer per item."""
    if any("expected" not in item.tags for item in suite.items):
        raise KontrastError(f"CTXPro's check needs an expected form, and {suite.name} has items without one")
    split = _splitter(suite.target_language)
    return [
        "right" if contains(_last(text, split), str(item.tags["expected"])) else "neither"
        for item, text in zip(suite.items, translations, strict=True)
    ]


def contains(sentence: str, expected: str) -> bool:
    """Is the form there, between blanks?

    >>> contains("Er kommt, oder?", "er"), contains("", "-"), contains("Dis-le\\u00a0!", "dis-le")
    (True, False, False)
    """
    return f" {expected.lower()} " in f" {sentence.lower().translate(_PUNCTUATION)} "


def printed(suite: Suite, answers: Sequence[str], complete: bool = False, pretty: bool = False) -> Iterator[str]:
    """What ``ctxpro score`` prints: the share of right ones; ``complete``, ``pretty`` also by rule, in file order."""
    rules: dict[str, list[int]] = {}
    forms: dict[str, str] = {}
    for item, answer in zip(suite.items, answers, strict=True):
        rule = str(item.tags.get("rule"))
        forms.setdefault(rule, str(item.tags["expected"]))
        counts = rules.setdefault(rule, [0, 0])
        counts[0] += answer == "right"
        counts[1] += 1
    right, total = (sum(counts[i] for counts in rules.values()) for i in (0, 1))
    line = "-------------------------------------------"
    if pretty:
        yield "rule (expected)\tcorrect\ttotal\taccuracy"
        yield line
    if complete or pretty:
        for rule, (good, every) in rules.items():
            yield f"{rule} ({forms[rule]})\t{good}\t{every}\t{good * 100 / every:.1f}%"
    if pretty:
        yield line
        yield f"total\t\t\t{right}\t{total}\t{right * 100 / total:.1f}%"
    elif complete:
        yield f"total\t{right}\t{total}\t{right * 100 / total:.1f}"
    else:
        yield f"{right * 100 / total:.1f}"


def _last(text: str, split: Callable[[str], list[str]]) -> str:
    sentences = split(text.strip())
    return sentences[-1] if sentences else text.strip()


def _splitter(language: str | None) -> Callable[[str], list[str]]:
    try:
        from sentence_splitter import SentenceSplitter, SentenceSplitterException
    except ImportError as error:
        raise MissingExtraError("check", "CTXPro's protocol") from error
    if language is None:
        raise KontrastError(
            "CTXPro's protocol needs the target language, which the suite does not say: give it as SUITE?lang=en-de"
        )
    try:
        split: Callable[[str], list[str]] = SentenceSplitter(language=language).split
    except SentenceSplitterException as error:
        raise KontrastError(f"CTXPro's protocol: sentences in {language!r} cannot be split ({error})") from error
    return split
