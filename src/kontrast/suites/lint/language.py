"""Wrong script or language on a side, told by letters and by the commonest short words.

The word lists are our own; a word that two of these languages share stands in both, so that it tells nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator
from typing import Any

from kontrast.suites.lint.finding import Finding, LintCheck, Looking, found, words_of
from kontrast.suites.model import Item, Suite

LANGUAGES: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "en": "the a an and of to in is was are were be been it he she they we you i not that this with for on at"
        " have has had do does did will would can could his her their what who there from but as or by if my your",
        "de": "der die das den dem des ein eine einen einem einer und ist war sind waren nicht kein keine ich du er"
        " sie es wir ihr zu in im mit von auf für an am bei aus hat haben hatte wird werden kann auch als wie dass"
        " sich mein dein sein wenn aber oder noch nur was wer",
        "fr": "le la les un une des du de et est était sont étaient ne pas que qui il elle ils elles nous vous je tu"
        " on ce cette ces dans en à au aux pour par sur avec son sa ses mon ma mes leur a ont avait être mais ou où"
        " plus nos notre vos votre tes l d c j n s qu m t y",
        "es": "el la los las un una unos unas y es era son eran no que de del al en a por para con su sus se lo le"
        " les me te mi tu yo él ella ellos nosotros pero como más muy hay está están fue ser o si qué",
        "it": "il lo la gli le un una uno e è era sono non che di del della dei delle a al alla in nel nella per con"
        " su si mi ti ci suo sua io lui lei noi voi loro ma come più ha hanno o se questo questa anche",
        "nl": "de het een en is was zijn waren niet geen ik jij je hij zij ze wij we van in op met voor aan te dat"
        " die deze dit er heeft hebben had maar als ook nog naar bij om wat wie of zo kan mijn zijn haar hun",
        "pt": "o a os as um uma e é era são não que de do da dos das em no na nos nas por para com seu sua se me te"
        " eu ele ela eles nós mas como mais muito há está foi ser ou",
    }.items()
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

_SCRIPT_OF = {
    language: script
    for script, languages in {
        "Latin": "af az bs ca cs cy da de en es et eu fi fr ga gl hr hu id is it lt lv ms mt nb nl nn no pl pt ro sk"
        " sl sq sv sw tr vi",
        "Cyrillic": "be bg mk ru sr uk",
        "Greek": "el",
        "Arabic": "ar fa ps ur",
        "Hebrew": "he yi",
        "Devanagari": "hi mr ne",
        "East Asian": "ja ko zh",
    }.items()
    for language in languages.split()
}

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


def _script(suite: Suite) -> Looking:
    sides: list[tuple[Any, list[int]]] = [(side, []) for side in _sides(suite, _SCRIPT_OF)]
    while some := (yield None):
        for (_, language, text), places in sides:
            places += [i for i, item in some if _is_other_script(text(item), _SCRIPT_OF[language])]
    for (side, language, _), places in sides:
        message = f"in {{n}} the {side} is not in {_SCRIPT_OF[language]} letters, as {language} is"
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


def _unnamed(suite: Suite) -> Iterator[Finding]:
    if suite.items and not (suite.source_language and suite.target_language):
        message = "the languages are not named, and some models ask for them: SUITE?lang=en-pt names them"
        yield Finding("languages-missing", "note", len(suite.items), (), message)


CHECKS = (
    LintCheck("languages-missing", "note", "the suite does not name its languages", _unnamed),
    LintCheck("wrong-script", "warning", "most letters of a side are of another script than its language's", _script),
    LintCheck(
        "wrong-language",
        "warning",
        f"the common words of a side are another language's (knows {', '.join(sorted(LANGUAGES))})",
        _language,
    ),
)
