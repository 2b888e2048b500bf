"""Dates: another month, weekday or day of the month."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kontrast.building.errors.spec import Candidate, candidate
from kontrast.language.annotation import Sentence
from kontrast.language.words import ordered

_MONTHS, _DAYS = ordered("de", "months"), ordered("de", "days")
_LONGEST = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_DAY = re.compile(r"(\d{1,2})\.$")


def date(sentence: Sentence) -> Iterator[Candidate]:
    present = {token.text for token in sentence.tokens}
    for i, token in enumerate(sentence.tokens):
        for new in _others(sentence, i):
            if new not in present:
                yield candidate("date", sentence, [(token.start, token.end, new)])


def _others(sentence: Sentence, i: int) -> list[str]:
    """What may stand in this token's place, the next and the one before; nothing for what is no date."""
    tokens = sentence.tokens
    text = tokens[i].text
    if i and tokens[i - 1].pos == "PROPN":
        return []  # Susan Sontag, Peter August
    if text in _DAYS:
        return _beside(_DAYS, text)
    if text == "Sonnabend":
        return ["Freitag", "Sonntag"]
    if text in _MONTHS and not i and tokens[1:2] and tokens[1].pos in ("VERB", "AUX"):
        return []  # August is a world
    if text in _MONTHS and not (text == "August" and i + 1 < len(tokens) and tokens[i + 1].pos == "PROPN"):
        day = _DAY.match(tokens[i - 1].text) if i else None
        return [m for m in _beside(_MONTHS, text) if not day or int(day[1]) <= _LONGEST[_MONTHS.index(m)]]
    day = _DAY.match(text)
    if day and i + 1 < len(tokens) and tokens[i + 1].text in _MONTHS:
        longest = _LONGEST[_MONTHS.index(tokens[i + 1].text)]
        return [f"{n}." for n in (int(day[1]) + 1, int(day[1]) - 1) if 1 <= n <= longest]
    return []


def _beside(names: tuple[str, ...], name: str) -> list[str]:
    place = names.index(name)
    return [names[(place + 1) % len(names)], names[place - 1]]
