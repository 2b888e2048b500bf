"""Dates in any language that declares its months and weekdays: the next, or the one before."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kontrast.building.errors.spec import Candidate, Perturbation, candidate
from kontrast.building.errors.text import replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.words import declared

_DAY = re.compile(r"(?<!\d)(\d{1,2})\W{1,3}(?:de )?$")


def perturbation(language: str) -> Perturbation:
    dates = declared(language).get("dates", {})
    months, days = list(dates.get("months", ())), list(dates.get("days", ()))

    def changed(sentence: Sentence) -> Iterator[Candidate]:
        present = {token.text.lower() for token in sentence.tokens}
        for token in sentence.tokens:
            low = token.text.lower()
            before = _DAY.search(sentence.text[: token.start])
            if low in months and (before or _is_dated(sentence, token.end)):
                for new in _beside(months, low):
                    if new not in present and (before is None or int(before[1]) <= 28):
                        yield candidate("date", sentence, [replaced_word(token, new)])
                if before and 1 <= int(before[1]) <= 31:
                    for number in (int(before[1]) + 1, int(before[1]) - 1):
                        if 1 < number <= 28 and str(number) not in present:
                            yield candidate("date", sentence, [(*before.span(1), str(number))])
            elif low in days:
                for new in _beside(days, low):
                    if new not in present and ("-feira" in new) == ("-feira" in low):
                        yield candidate("date", sentence, [replaced_word(token, new)])

    return Perturbation(
        name="date",
        language=language,
        summary="a month, weekday or day of the month becomes another",
        conditions=(
            "A weekday, or a month with a day or year beside it, becomes the next or the one before.",
            "A day in figures before a month changes by one; only days that every month has.",
        ),
        examples=(),
        function=changed,
    )


def _is_dated(sentence: Sentence, end: int) -> bool:
    """Whether a year follows: a month alone may be a name or a verb (mars, mai)."""
    return re.match(r"\W{1,3}(?:de |del |do )?(?:1[5-9]|20)\d\d\b", sentence.text[end:]) is not None


def _beside(names: list[str], name: str) -> list[str]:
    place = names.index(name)
    return [names[(place + 1) % len(names)], names[place - 1]]
