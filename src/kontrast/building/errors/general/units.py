"""Units and how numbers are written: another unit behind the same number, or the signs of an English source."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kontrast.building.checks.english import said_in
from kontrast.building.errors.spec import Candidate, Maker, candidate
from kontrast.building.errors.text import replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.words import declared


def unit(language: str) -> Maker:
    words = declared(language)
    rows: list[list[str]] = words.get("units", {}).get("rows", [])
    swaps: dict[str, tuple[str, str, str]] = {}
    for one, two in zip(rows[::2], rows[1::2], strict=False):
        for old, new in ((one, two), (two, one)):
            swaps |= {form: (old[0], new[0], put) for form, put in zip(old[1:], new[1:], strict=False)}
    spelt = {word for row in words.get("numbers", {}).get("rows", ()) for word in row}

    def changed(sentence: Sentence) -> Iterator[Candidate]:
        tokens, low = sentence.tokens, [token.text.lower() for token in sentence.tokens]
        said = said_in(sentence.source)
        for i in range(1, len(tokens)):
            counted = low[i - 1] in spelt or low[i - 1][-1:].isdigit()
            if low[i] not in swaps or not counted or not _is_plain(sentence.text, tokens[i].end):
                continue
            unit, other, new = swaps[low[i]]
            if _names(other, said) or new in low:
                continue
            if not sentence.source or (_names(unit, said) and _same_number(low[i - 1], sentence.source)):
                yield candidate("unit", sentence, [replaced_word(tokens[i], new)])

    return changed


def _names(unit: str, said: frozenset[str]) -> bool:
    return unit in said or unit.removesuffix("s") in said


def _same_number(number: str, source: str) -> bool:
    """Is a number in figures in the source too? Thousands and decimals are parted by other signs there."""
    digits = re.sub(r"\D", "", number)
    return not digits or digits in re.sub(r"(?<=\d)[.,](?=\d)", "", source)


def _is_plain(text: str, end: int) -> bool:
    """Does the word end there, and is it no part of a compound (*20 Meter-Brett*)?"""
    return (not text[end : end + 1].isalnum() and text[end : end + 1] not in "-/") or end == len(text)


_NUMBER = re.compile(r"(?<![\w.,/:-])\d+(?:[.,]\d+)+(?![\w/:]|[.,-]\d)")
_SWAPPED = str.maketrans(".,", ",.")


def number_format(language: str) -> Maker:
    applies = bool(declared(language).get("numbers", {}).get("decimal_comma", False))

    def copied(sentence: Sentence) -> Iterator[Candidate]:
        for found in _NUMBER.finditer(sentence.text) if applies else ():
            new = found[0].translate(_SWAPPED)
            if re.search(rf"(?<![\d.,]){re.escape(new)}(?![\d]|[.,]\d)", sentence.source):
                yield candidate("number_format", sentence, [(found.start(), found.end(), new)])

    return copied
