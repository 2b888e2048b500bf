"""Words: one tokeniser, with what a language does to apostrophes; for check, lint and the builders of suites.

A word is a run of letters and digits with their combining marks. Hyphens part words (*donne-le*, *vê-lo*, *s-a*), but
for a few that are one (*peut-être*). An apostrophe of any shape is read by the language:

========  ==================================================  ==================================
elision   ``l'ami`` → ``l'`` ``ami``                           ca, es, fr, gl, it, oc, pt
clitics   ``it's`` → ``it`` ``'s``; ``geht's``                  af, az, da, de, en, lb, nl, no, sv, tr
a letter  ``п'ять``                                            be, br, uk, uz
unknown   it parts words and is none: ``l'ami`` → ``l`` ``ami``  every other, and None
========  ==================================================  ==================================

English *n't* is *not* and *cannot* two words; Italian *e'*, *perche'* and *perché* are *è* and *perchè*.

Chinese and Japanese characters are words of their own. Thai, Lao, Khmer and Burmese are parted by the dictionaries
of ICU (extra ``check``); without it a run of them is one word, and `unparted` says so.

Words are compared in lower case, in Unicode normal form C, with one apostrophe, without soft hyphens, joiners and
direction marks; without vowel points (Hebrew, Arabic) and stress marks (Cyrillic); Russian *ё* is *е*, which is how
most texts write it.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

_ELISION = frozenset("ca es fr gl it oc pt".split())
_CLITICS = frozenset("af az da de en lb nb nl nn no sv tr".split())
_LETTER = frozenset("be br uk uz".split())
_FAMILY_OF = {**dict.fromkeys(_ELISION, "elision"), **dict.fromkeys(_CLITICS, "clitics")}
_FAMILY_OF |= {**dict.fromkeys(_LETTER, "letter"), "it": "it"}

_APOSTROPHES = "'’ʼ‘´`′＇"
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3\u0900-\u0963\u0966-\u0dff"
    "\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u0f18\u0f19\u0f35\u0f37\u0f39\u0f3e\u0f3f\u0f71-\u0f84\u0f86\u0f87"
    "\u0f8d-\u0fbc\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u108f\u109a-\u109d"
    "\u135d-\u135f\u1712-\u1715\u1732-\u1734\u17b4-\u17d3\u17dd\u180b-\u180d\u1920-\u193b\u1a17-\u1a1b\u1a55-\u1a7f\u1b00-\u1b04"
    "\u1b34-\u1b44\u1b80-\u1b82\u1ba1-\u1bad\u1be6-\u1bf3\u1c24-\u1c37\ua8e0-\ua8f1\ua980-\ua983\ua9b3-\ua9c0\ua9e5\uaa7b-\uaa7d"
    "\uaab0-\uaabf\uabe3-\uabea\uabec\uabed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
)
_HIDDEN = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"
_ALONE = "\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f"

_BY_DICTIONARY = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\ua9e0-\ua9ff\uaa60-\uaa7f"
_DICTIONARY = re.compile(f"[{_BY_DICTIONARY}]")
"""Thai, Lao, Burmese, Khmer: no blanks between words, and ICU has a dictionary."""
_NO_BLANKS = re.compile("[\u1950-\u19df\u1a20-\u1aaf\u1b00-\u1b7f\ua980-\ua9df\uaa80-\uaadf]")
"""Tai scripts, Balinese, Javanese: no blanks between words, and no dictionary."""

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
_OPENING, _CLOSING = re.compile(rf"(?<!\w){_A}(?=\w)"), re.compile(rf"{_A}(?!\w)")
_SPECIAL = re.compile(f"[{_APOSTROPHES}{_MARKS}{_HIDDEN}{_ALONE}{_BY_DICTIONARY}\u0130\u212a\u212b]")
"""What needs a closer look; text without any is cut by the plain rule, which is many times faster."""
_PLAIN = re.compile(r"\w+")
_ASCII = {i: chr(i).lower() if _PLAIN.match(chr(i)) else " " for i in range(128)}
"""Each ASCII character as it stands in a word; a blank for those between words."""
_SPELT = frozenset(("az", "it", "ru", "tr"))
_NEGATED = {"ca": "can", "wo": "will", "sha": "shall"}
_CONTRACTED = {"n't": "not", "'m": "am", "'re": "are", "'ve": "have", "'ll": "will"}
_GRAVE = dict(zip("aeiouéó", "àèìòùèò", strict=True))


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
    [Word(text='it', start=0, end=2), Word(text='is', start=3, end=5), Word(text='not', start=5, end=8)]
    """
    base = _base(language)
    family = "plain" if _is_plain(text, base) else _FAMILY_OF.get(base, "unknown")
    found = [word for m in _pattern(family, signs).finditer(text) for word in _parted(m[0], m.start(), base)]
    if base == "it" and (quotes := [m.start() for m in _OPENING.finditer(text)]):
        return list(_unquoted(text, found, quotes))
    return list(_whole_english(found)) if base == "en" else found


def _unquoted(text: str, found: list[Word], quotes: list[int]) -> Iterator[Word]:
    """Italian words, without the apostrophe that closes a quotation: *'lo sa'* has the word *sa*."""
    for word in found:
        end = word.end if text[word.end - 1] in _APOSTROPHES else word.end + 1
        if _CLOSING.match(text, end - 1) and quotes and quotes[0] < word.start:
            quotes = [place for place in quotes if place > word.start]
            word = Word(_plain(text[word.start : end - 1], "it"), word.start, end - 1)
        yield word


def _parted(run: str, start: int, base: str) -> Iterator[Word]:
    """The words of a run: one, or what a segmenter finds where the script has no blanks."""
    if _DICTIONARY.search(run) and (breaker := _breaker()) is not None:
        pieces = list(breaker(run, base or "und"))
    else:
        pieces = [run]
    for piece, at in zip(pieces, accumulate(map(len, pieces), initial=start), strict=False):
        if text := _plain(piece, base):
            yield Word(text, at, at + len(piece))


def _whole_english(found: list[Word]) -> Iterator[Word]:
    """*cannot*, *can't* and *won't* have the words *can*, *will* and *not*; *I'm* has *am*."""
    for word, behind in pairwise([*found, Word("", -1, -1)]):
        if word.text == "cannot":
            yield from (Word("can", word.start, word.end - 3), Word("not", word.end - 3, word.end))
        elif word.text in ("i'll", "i've"):
            yield from (
                Word("i", word.start, word.start + 1),
                Word(_CONTRACTED[word.text[1:]], word.start + 1, word.end),
            )
        elif behind.text == "n't" and word.end == behind.start:
            yield word._replace(text=_NEGATED.get(word.text, word.text))
        else:
            yield word._replace(text=_CONTRACTED.get(word.text, word.text))


def unparted(text: str) -> str | None:
    """What keeps the words of a text from being told apart; None where nothing does.

    >>> unparted("Er schläft."), unparted("ꦱꦸꦒꦼꦁ")
    (None, 'no segmenter supports this script')
    """
    if text.isascii():
        return None
    if _NO_BLANKS.search(text):
        return "no segmenter supports this script"
    if _DICTIONARY.search(text) and _breaker() is None:
        return "the script has no blanks between words, and no segmenter is installed (pip install 'kontrast[check]')"
    return None


def segmenter(text: str) -> str | None:
    """What parts the words of a text where its script has no blanks, as a signature names it."""
    if not _DICTIONARY.search(text) or _breaker() is None:
        return None
    from icu4py import icu_version

    return f"icu:{icu_version}"


@cache
def _breaker() -> Any:
    """ICU's segmenter, or None where it is not installed."""
    try:
        from icu4py.breakers import WordBreaker
    except ImportError:
        return None
    return WordBreaker


def words(text: str, language: str | None = None) -> list[str]:
    """The words of a text as they are compared.

    >>> words("Je t'aime : « Non ! »", "fr"), words("It's John’s", "en"), words("geht's", "de")
    (['je', "t'", 'aime', 'non'], ['it', "'s", 'john', "'s"], ['geht', "'s"])
    >>> words("I can't, I cannot", "en"), words("E' cosi', perché no", "it"), words("I\u0307yi", "tr")
    (['i', 'can', 'not', 'i', 'can', 'not'], ['è', 'così', 'perchè', 'no'], ['iyi'])
    >>> words("L'eau, c'est 3,5 Liter!"), words("Её за́мок", "ru")
    (['l', 'eau', 'c', 'est', '3', '5', 'liter'], ['ее', 'замок'])
    """
    base = _base(language)
    if (
        base in _SPELT
        or (base == "en" and "cannot" in text.lower())
        or not _is_plain(text, base)
        or not unicodedata.is_normalized("NFC", text)
    ):
        return [word.text for word in spans(text, language)]
    return text.translate(_ASCII).split() if text.isascii() else _PLAIN.findall(text.lower())


def differing(a: Sequence[str], b: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Both without what they begin with and end in alike.

    >>> differing(["so", "he", "left"], ["so", "she", "left"])
    (['he'], ['she'])
    """
    before, after = shared_ends((a, b))
    return a[before : len(a) - after], b[before : len(b) - after]


def shared_ends(sequences: Sequence[Sequence[str]]) -> tuple[int, int]:
    """How many words all sequences share at the beginning, and then at the end."""
    first, *others = sequences
    before = shortest = min(map(len, sequences))
    for other in others:
        alike = 0
        while alike < before and first[alike] == other[alike]:
            alike += 1
        before = alike
    after = shortest - before
    for other in others:
        alike = 0
        while alike < after and first[-1 - alike] == other[-1 - alike]:
            alike += 1
        after = alike
    return before, after


def position(run: list[str], among: list[str]) -> int | None:
    """Where a run of words begins in a list of words, or None; a run of none is nowhere."""
    if run:
        for i in range(len(among) - len(run) + 1):
            if among[i : i + len(run)] == run:
                return i
    return None


def _is_plain(text: str, base: str) -> bool:
    special = ("'" in text or "`" in text) if text.isascii() else _SPECIAL.search(text)
    return not special and not ("-" in text and base in _ELISION)


@lru_cache
def _base(language: str | None) -> str:
    return (language or "").lower().replace("_", "-").partition("-")[0]


@lru_cache
def _pattern(family: str, signs: bool) -> re.Pattern[str]:
    other = rf"|[^\w\s{_MARKS}{_HIDDEN}]" if signs else ""
    return re.compile(rf"(?:{_FAMILIES[family]})|[{_ALONE}]{other}", re.IGNORECASE)


@lru_cache(maxsize=1 << 16)
def _plain(word: str, base: str) -> str:
    """One word as it is compared."""
    word = unicodedata.normalize("NFC", word)
    if base in ("tr", "az"):
        word = word.replace("İ", "i").replace("I", "ı").replace("i\u0307", "i")
    plain = _APOSTROPHE.sub("'", _DROPPED.sub("", word.lower()))
    if base == "ru":
        plain = plain.replace("ё", "е")
    elif base == "it" and plain[-1:] in "'éó" and plain.rstrip("'")[-1:] in _GRAVE:
        plain = plain.rstrip("'")
        plain = plain[:-1] + _GRAVE[plain[-1]]
    return plain
