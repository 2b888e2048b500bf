"""Wrong script or language on a side, told by letters and by the commonest short words (``data/lint.toml``)."""

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator
from typing import Any

from kontrast.suites.lint import Finding, Looking, found, lint_check, lint_data, words_of
from kontrast.suites.model import Item, Suite

LANGUAGES: dict[str, frozenset[str]] = {
    language: frozenset(words) for language, words in lint_data()["common"].items()
}
"""The languages that are told apart by words."""
_COMMON = frozenset().union(*LANGUAGES.values())

SCRIPTS: dict[str, re.Pattern[str]] = {
    "Latin": re.compile("[A-Za-zªºÀ-ÖØ-öø-ʯḀ-ỿ]"),
    "Cyrillic": re.compile("[Ѐ-ԯ]"),
    "Greek": re.compile("[Ͱ-Ͽἀ-῿]"),
    "Arabic": re.compile("[\u0620-\u06ff\u0750-\u077f]"),
    "Hebrew": re.compile("[\u05d0-\u05ea]"),
    "Devanagari": re.compile("[\u0904-\u0939\u0958-\u097f]"),
    "East Asian": re.compile("[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]"),
}

_SCRIPT_OF = {language: script for script, languages in lint_data()["scripts"].items() for language in languages}
_LETTERS_NEEDED = 8


def _sides(suite: Suite, known: Container[str]) -> list[tuple[str, str, Callable[[Item], str]]]:
    """Each side whose language is stated and known, and how its text is found: the source or the correct variant."""
    sides: list[tuple[str, str, Callable[[Item], str]]] = [
        ("source", _base(suite.source_language or ""), lambda item: item.source),
        ("target", _base(suite.target_language or ""), lambda item: item.best.text),
    ]
    return [each for each in sides if each[1] in known]


def _base(language: str) -> str:
    return re.split("[-_]", language.lower())[0]


def foreign_script(language: str, text: str) -> str | None:
    """The script of a language, where a text is in another; None where it is in its own or that cannot be told.

    >>> foreign_script("zh", "They saw a seal."), foreign_script("de", "Sie sahen eine Robbe.")
    ('East Asian', None)
    """
    expected = _SCRIPT_OF.get(_base(language))
    return expected if expected and _is_other_script(text, expected) else None


@lint_check("wrong-script")
def _script(suite: Suite) -> Looking:
    sides: list[tuple[Any, list[int]]] = [(side, []) for side in _sides(suite, _SCRIPT_OF)]
    while some := (yield None):
        for (_, language, text), places in sides:
            places += [i for i, item in some if _is_other_script(text(item), _SCRIPT_OF[language])]
    for (side, language, _), places in sides:
        message = f"in {{n}} the {side} is not in {_SCRIPT_OF[language]} letters, although the language is {language}"
        yield from found("wrong-script", "warning", suite, places, message)


def _is_other_script(text: str, expected: str) -> bool:
    if expected == "Latin" and text.isascii():
        return False
    letters = len(SCRIPTS[expected].findall(text))
    if letters >= sum(map(str.isalpha, text)) / 2:
        return False
    others = (len(pattern.findall(text)) for name, pattern in SCRIPTS.items() if name != expected)
    return max(others) >= max(_LETTERS_NEEDED, letters)


def guess(words: list[str], expected: str) -> str | None:
    """Another language that fits clearly better than the expected one, or None."""
    if len(_COMMON.intersection(words)) < 3:
        return None
    own, distinct = LANGUAGES[expected], set(words)
    mine = len(own & distinct)
    if mine > len(distinct) / 8:  # in running text of a language a third or more are such words
        return None
    counts = {name: len(known & distinct) for name, known in LANGUAGES.items() if name != expected}
    best, count = max(counts.items(), key=lambda pair: pair[1])
    return best if count >= 3 + 2 * mine and count >= len(distinct) / 4 else None


@lint_check("wrong-language", languages=", ".join(sorted(LANGUAGES)))
def _language(suite: Suite) -> Looking:
    sides: list[tuple[Any, dict[int, str]]] = [(side, {}) for side in _sides(suite, LANGUAGES)]
    while some := (yield None):
        for (_, language, text), guesses in sides:
            for i, item in some:
                if other := guess(words_of(text(item)), language):
                    guesses[i] = other
    for (side, language, _), guesses in sides:
        usual = ", ".join(name for name, _ in Counter(guesses.values()).most_common(3))
        message = f"in {{n}} the {side} does not look like {language} (rather {usual})"
        yield from found("wrong-language", "warning", suite, guesses, message)


@lint_check("languages-missing")
def _unnamed(suite: Suite) -> Iterator[Finding]:
    if suite.items and not (suite.source_language and suite.target_language):
        message = "the suite does not name its languages, which some models need: use SUITE?lang=en-pt"
        yield Finding("languages-missing", "note", len(suite.items), (), message)


CHECKS = (_unnamed, _script, _language)
