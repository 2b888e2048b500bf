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
import tomllib
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, NamedTuple

_DATA: dict[str, Any] = tomllib.loads((Path(__file__).parents[1] / "data" / "characters.toml").read_text("utf-8"))
_ELISION, _SPELT = (frozenset(_DATA["languages"][name].split()) for name in ("elision", "spelt"))
_FAMILY_OF = {
    language: family
    for family in ("elision", "clitics", "letter", "it")
    for language in _DATA["languages"][family].split()
}
_NEGATED, _CONTRACTED, _GRAVE = (_DATA["words"][name] for name in ("negated", "contracted", "grave"))


def _filled() -> dict[str, str]:
    """Ranges, patterns and families by name, each with what is declared before it in its place."""
    found: dict[str, str] = {}
    for table in ("ranges", "patterns", "families"):
        for name, text in _DATA[table].items():
            found[name] = re.sub(r"<(\w+)>", lambda named: found[named[1]], text)
    return found


_PATTERNS = _filled()
_MARKS, _HIDDEN, _ALONE, _APOSTROPHES = (_PATTERNS[name] for name in ("marks", "hidden", "alone", "apostrophes"))
_DICTIONARY, _NO_BLANKS = (re.compile(f"[{_PATTERNS[name]}]") for name in ("dictionary", "no_blanks"))
_DROPPED, _APOSTROPHE, _SPECIAL = (re.compile(_PATTERNS[name]) for name in ("dropped", "a", "special"))
_OPENING, _CLOSING = re.compile(rf"(?<!\w){_PATTERNS['a']}(?=\w)"), re.compile(rf"{_PATTERNS['a']}(?!\w)")
_PLAIN = re.compile(r"\w+")
_ASCII = {i: chr(i).lower() if _PLAIN.match(chr(i)) else " " for i in range(128)}
"""Each ASCII character as it stands in a word; a blank for those between words."""


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
    return re.compile(rf"(?:{_PATTERNS[family]})|[{_ALONE}]{other}", re.IGNORECASE)


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
