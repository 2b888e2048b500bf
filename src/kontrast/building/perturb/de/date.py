"""Dates: another month, weekday or day of the month."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.language.annotation import Sentence

_MONTHS = tuple("Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember".split("|"))
_DAYS = tuple("Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag".split("|"))
_DAY = re.compile(r"(\d{1,2})\.$")


def _changed(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        for names, steps in ((_MONTHS, (1, 11)), (_DAYS, (1, 6))):
            if token.text in names:
                for step in steps:
                    new = names[(names.index(token.text) + step) % len(names)]
                    yield candidate("date", sentence, [(token.start, token.end, new)])
        day = _DAY.match(token.text)
        if day and i + 1 < len(sentence.tokens) and sentence.tokens[i + 1].text in _MONTHS:
            number = int(day[1])
            for other in (number + 1, number - 1):
                if 1 <= other <= 28:
                    yield candidate("date", sentence, [(token.start, token.end, f"{other}.")])


perturbation = Perturbation(
    name="date",
    language="de",
    summary="a month, weekday or day of the month becomes another",
    conditions=(
        "A month or weekday by its name becomes the next or the one before.",
        "A day of the month in figures before a month's name changes by one.",
    ),
    examples=(
        Example("Am 18. Dezember kam sie.", "Am 19. Dezember kam sie."),
        Example("Er kam am Montag.", "Er kam am Dienstag."),
        Example("Er kam gestern.", None),
    ),
    function=_changed,
)
