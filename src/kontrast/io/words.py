"""Words: one tokeniser, with what a language does to apostrophes; for check, lint and the builders of suites.

A word is a run of letters and digits with their combining marks. Hyphens part words (*donne-le*, *vê-lo*, *s-a*), but
for a few that are one (*peut-être*). An apostrophe of any shape is read by the language:

========  ==================================================  ==================================
elision   ``l'ami`` → ``l'`` ``ami``                           ca, es, fr, gl, it, oc, pt
clitics   ``it's`` → ``it`` ``'s``; ``isn't`` → ``is`` ``n't``  af, az, da, de, en, lb, nl, no, sv, tr
a letter  ``п'ять``                                            be, br, uk, uz
unknown   it parts words and is none: ``l'ami`` → ``l`` ``ami``  every other, and None
========  ==================================================  ==================================

Chinese and Japanese characters are words of their own. Words are compared in lower case, in Unicode normal form C,
with one apostrophe, without soft hyphens, joiners and direction marks; without vowel points (Hebrew, Arabic) and
stress marks (Cyrillic); Russian *ё* is *е*, which is how most texts write it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

__all__ = ["Word", "differing", "position", "spans", "words"]

_ELISION = frozenset("ca es fr gl it oc pt".split())
_CLITICS = frozenset("af az da de en lb nb nl nn no sv tr".split())
_LETTER = frozenset("be br uk uz".split())

_APOSTROPHES = "'’ʼ‘´`′＇"
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0900-\u0963\u0966-\u0dff\u0e31-\u0e3a\u0e47-\u0e4e"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
)
_HIDDEN = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"
_ALONE = "\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f"

_A = f"[{_APOSTROPHES}]"
_INSIDE = rf"(?:(?![{_ALONE}])[\w{_MARKS}{_HIDDEN}])"
_RUN = rf"(?:(?![{_ALONE}])\w{_INSIDE}*)"
_ONE_WORD = (
    rf"(?:aujourd{_A}hui|quelqu{_A}une?s?|prud{_A}hom\w+|presqu{_A}\w+|entr{_A}\w+|peut-être|rendez-vous)(?!\w)"
)
_ELIDED = rf"(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu){_A}"
_END = rf"(?!{_INSIDE})"

_FAMILIES = {
    "elision": rf"{_ONE_WORD}|{_RUN}{_A}(?=\w)|(?<!\w){_ELIDED}{_END}|{_RUN}",
    # Italian without accents writes e' for è: not the word e.
    "it": rf"{_RUN}{_A}(?=\w)|(?<!\w){_ELIDED}{_END}|(?<!\w)(?<!(?<!\w){_A}){_RUN}(?<=[aeiou]){_A}{_END}|{_RUN}",
    "clitics": (
        rf"ma{_A}am{_END}|(?<!\w)\w{_A}\w{_INSIDE}+|{_RUN}(?=n{_A}t{_END})|n{_A}t{_END}"
        rf"|(?<=\w){_A}{_RUN}|{_RUN}"
    ),
    "letter": rf"{_RUN}(?:{_A}{_RUN})*",
    "unknown": _RUN,
    "plain": r"\w+",
}
_DROPPED = re.compile(
    f"[{_HIDDEN}\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]"
    "|(?<=[\u0400-\u04ff])[\u0300\u0301]"
)
_APOSTROPHE = re.compile(_A)
_SPECIAL = re.compile(f"[{_APOSTROPHES}{_MARKS}{_HIDDEN}{_ALONE}\u0130\u212a\u212b]")
"""What needs a closer look; text without any is cut by the plain rule, which is many times faster."""
_PLAIN = re.compile(r"\w+")
_SPELT = frozenset(("az", "ru", "tr"))
_NEGATED = {"ca": "can", "wo": "will", "sha": "shall"}


class Word(NamedTuple):
    """A word in the form in which words are compared, and where it stands in its text."""

    text: str
    start: int
    end: int


def spans(text: str, language: str | None = None, *, signs: bool = False) -> list[Word]:
    """The words of a text with their places; with ``signs`` also every other character that is not white space.

    >>> [word.text for word in spans("Qu’a-t-il dit, aujourd’hui ?", "fr", signs=True)]
    ["qu'", 'a', '-', 't', '-', 'il', 'dit', ',', "aujourd'hui", '?']
    >>> spans("It isn't.", "en")
    [Word(text='it', start=0, end=2), Word(text='is', start=3, end=5), Word(text="n't", start=5, end=8)]
    """
    base = _base(language)
    family = "plain" if _is_plain(text, base) else _family(base)
    found = [Word(_plain(m[0], base), m.start(), m.end()) for m in _pattern(family, signs).finditer(text)]
    if base == "en":
        for i, word in enumerate(found[1:]):
            if word.text == "n't" and found[i].text in _NEGATED and found[i].end == word.start:
                found[i] = found[i]._replace(text=_NEGATED[found[i].text])
    return found


def words(text: str, language: str | None = None) -> list[str]:
    """The words of a text as they are compared.

    >>> words("Je t'aime : « Non ! »", "fr"), words("It's John’s", "en"), words("geht's", "de")
    (['je', "t'", 'aime', 'non'], ['it', "'s", 'john', "'s"], ['geht', "'s"])
    >>> words("L'eau, c'est 3,5 Liter!"), words("Её за́мок", "ru")
    (['l', 'eau', 'c', 'est', '3', '5', 'liter'], ['ее', 'замок'])
    """
    base = _base(language)
    if base in _SPELT or not _is_plain(text, base) or not unicodedata.is_normalized("NFC", text):
        return [word.text for word in spans(text, language)]
    return _PLAIN.findall(text.lower())


def differing(a: Sequence[str], b: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Both without what they begin with and end in alike.

    >>> differing(["so", "he", "left"], ["so", "she", "left"])
    (['he'], ['she'])
    """
    start, shorter = 0, min(len(a), len(b))
    while start < shorter and a[start] == b[start]:
        start += 1
    end = 0
    while end < shorter - start and a[-1 - end] == b[-1 - end]:
        end += 1
    return a[start : len(a) - end], b[start : len(b) - end]


def position(run: list[str], among: list[str]) -> int | None:
    """Where a run of words begins in a list of words, or None; a run of none is nowhere.

    >>> position(["a", "dit"], ["il", "l'", "a", "dit"]), position([], ["a"])
    (2, None)
    """
    if run:
        for i in range(len(among) - len(run) + 1):
            if among[i : i + len(run)] == run:
                return i
    return None


def _is_plain(text: str, base: str) -> bool:
    return not _SPECIAL.search(text) and not ("-" in text and base in _ELISION)


def _base(language: str | None) -> str:
    return (language or "").lower().replace("_", "-").partition("-")[0]


def _family(base: str) -> str:
    if base == "it":
        return "it"
    for family, languages in (("elision", _ELISION), ("clitics", _CLITICS), ("letter", _LETTER)):
        if base in languages:
            return family
    return "unknown"


@lru_cache
def _pattern(family: str, signs: bool) -> re.Pattern[str]:
    other = rf"|[^\w\s{_MARKS}{_HIDDEN}]" if signs else ""
    return re.compile(rf"(?:{_FAMILIES[family]})|[{_ALONE}]{other}", re.IGNORECASE)


@lru_cache(maxsize=1 << 16)
def _plain(word: str, base: str) -> str:
    """One word as it is compared."""
    if base in ("tr", "az"):
        word = word.replace("İ", "i").replace("I", "ı")
    plain = _DROPPED.sub("", unicodedata.normalize("NFC", word).lower())
    if base == "ru":
        plain = plain.replace("ё", "е")
    return _APOSTROPHE.sub("'", plain)
