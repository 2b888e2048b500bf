"""Numbers: one figure of a number becomes another."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kontrast.building.errors.spec import Candidate, candidate
from kontrast.language.annotation import Sentence
from kontrast.language.words import ordered

_NUMBER = re.compile(r"\d+|\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+[.,]\d+")
_YEAR = re.compile(r"1[5-9]\d\d|20[0-4]\d")
_WORDS = ordered("de", "numbers")


def number(sentence: Sentence) -> Iterator[Candidate]:
    present = {token.text.rstrip(".") for token in sentence.tokens}
    for i, token in enumerate(sentence.tokens):
        after = sentence.tokens[i + 1].text if i + 1 < len(sentence.tokens) else ""
        others: list[str] = []
        if _NUMBER.fullmatch(token.text) and token.text not in ("0", "1"):
            others = _neighbours(token.text)
            if after == "Uhr":
                others = [new for new in others if _is_time(new)]
        elif token.text in _WORDS and (token.tag == "CARD" or token.pos == "NUM"):
            before = [t.text.lower() for t in sentence.tokens[max(0, i - 2) : i]]
            if before[-1:] == ["in"] or (len(before) > 1 and before[0].startswith("ein") and before[1] == "oder"):
                continue  # sich in acht nehmen; ein oder zwei
            place = _WORDS.index(token.text)
            others = [_WORDS[k] for k in (place + 1, place - 1) if 0 <= k < len(_WORDS)]
        for new in others:
            if new not in present:
                yield candidate("number", sentence, [(token.start, token.end, new)])


def _neighbours(number: str) -> list[str]:
    """Its first figure one more or less (never 0), and two unequal neighbours swapped; of a year the last figure."""
    if _YEAR.fullmatch(number):
        return [number[:3] + str(d) for d in (int(number[3]) + 1, int(number[3]) - 1) if 0 <= d <= 9]
    first = int(number[0])
    found = [str(d) + number[1:] for d in (first % 9 + 1, first - 1) if d > 0 and d != first]
    for k in range(len(number) - 1):
        pair = number[k : k + 2]
        if pair.isdigit() and pair[0] != pair[1] and not (k == 0 and pair[1] == "0"):
            found.append(number[:k] + pair[::-1] + number[k + 2 :])
            break
    return [new for new in found if new != "1"]


def _is_time(number: str) -> bool:
    hour, _, minute = number.replace(",", ".").partition(".")
    return int(hour) <= 24 and int(minute or 0) < 60
