"""Numbers: one figure of a number becomes another."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.language.annotation import Sentence

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*$")
_WORDS = ("zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf")


def _changed(sentence: Sentence) -> Iterator[Candidate]:
    for token in sentence.tokens:
        if _NUMBER.match(token.text):
            for new in _neighbours(token.text):
                yield candidate("number", sentence, [(token.start, token.end, new)])
        elif token.text in _WORDS and (token.tag == "CARD" or token.pos == "NUM"):
            place = _WORDS.index(token.text)
            for new in (_WORDS[(place + 1) % len(_WORDS)], _WORDS[place - 1]):
                yield candidate("number", sentence, [(token.start, token.end, new)])


def _neighbours(number: str) -> list[str]:
    """Its first figure one more or less (never 0), and two unequal neighbours swapped."""
    first = int(number[0])
    found = [str(d) + number[1:] for d in (first % 9 + 1, first - 1) if d > 0 and d != first]
    for k in range(len(number) - 1):
        pair = number[k : k + 2]
        if pair.isdigit() and pair[0] != pair[1] and not (k == 0 and pair[1] == "0"):
            found.append(number[:k] + pair[::-1] + number[k + 2 :])
            break
    return [new for new in found if new != "1"]


perturbation = Perturbation(
    name="number",
    language="de",
    summary="a number becomes another",
    conditions=(
        "A number in figures: its first figure changes by one, or two neighbouring figures change places.",
        "A number word from zwei to zwölf becomes its neighbour; singular and plural stay, so never 1.",
        "Ordinals and dates in figures (18.) are left to the error date.",
    ),
    examples=(
        Example("Es kostet 1100 Kronen.", "Es kostet 2100 Kronen."),
        Example("Sie hat drei Kinder.", "Sie hat vier Kinder."),
        Example("Sie hat Kinder.", None),
    ),
    function=_changed,
)
