"""Numbers, dates and units in any language: the next one or the one before, another unit, the signs of English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from kontrast.building.checks.english import said_in
from kontrast.building.errors.spec import Candidate, candidate, error
from kontrast.building.errors.text import replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.words import declared

_NUMBER = re.compile(r"(?<![\w.,/:-])\d+(?:[.,\u00a0\u202f ]\d{3})*(?:[.,]\d+)?(?![\w/:]|[.,-]\d)")
_YEAR = re.compile(r"1[5-9]\d\d|20[0-4]\d")
_LAST_HOUR = 24
_FOLLOWING = re.compile(r"\W*(?:de |d')?(\w+)")


@error("number", of="words")
def number(sentence: Sentence, language: str) -> Iterator[Candidate]:
    """A number becomes another.

    The first digit of a number changes by one; in a year, the last digit does. An hour stays a possible hour, and
    units do not change. A number word is replaced by the next or the previous word of the language's list. Numbers
    that the sentence already has, and days before the name of a month, are left out.
    """
    words = declared(language).get("numbers", {})
    rows, hours = words.get("rows", []), words.get("hours", ())
    months = declared(language).get("dates", {}).get("months", ())
    for found in _NUMBER.finditer(sentence.text):
        behind = _FOLLOWING.match(sentence.text, found.end())
        following = behind[1].lower() if behind else ""
        if found[0] in ("0", "1") or following in months:
            continue  # days of the month are the error date's
        for new in _others(found[0], rows):
            late = following in hours and int(re.split(r"\D", new)[0]) > _LAST_HOUR
            if not late and not _has(sentence.text, new):
                yield candidate(sentence, [(found.start(), found.end(), new)])
    present = {token.text.lower() for token in sentence.tokens}
    for token in sentence.tokens:
        for row in (row for row in rows if token.text.lower() in row):
            place = row.index(token.text.lower())
            for other in (*row[place + 1 : place + 2], *row[max(0, place - 1) : place]):
                if other not in present:
                    yield candidate(sentence, [replaced_word(token, other)])


def _has(text: str, number: str) -> bool:
    """Is the number there, and not as a part of a longer one?

    >>> _has("about 125 or 25", "25"), _has("about 125", "25"), _has("3,5", "5")
    (True, False, True)
    """
    place = text.find(number)
    while place >= 0:
        end = place + len(number)
        if not text[max(0, place - 1) : place].isdecimal() and not text[end : end + 1].isdecimal():
            return True
        place = text.find(number, place + 1)
    return False


def _others(number: str, rows: list[list[str]]) -> list[str]:
    """
    >>> _others("1998", []), _others("35,5", []), _others("4", [["dva", "tři", "čtyři"], ["pět", "šest"]])
    (['1999', '1997'], ['45,5', '25,5'], ['3'])
    """
    place = 3 if _YEAR.fullmatch(number) else 0
    low, high = 0 if place else 1, 9
    if len(number) == 1:
        # The first word of the first row is two; within a row the noun stays as it is.
        low, start = 2, 2
        for row in rows:
            if start <= int(number) < start + len(row):
                low, high = start, min(9, start + len(row) - 1)
            start += len(row)
    digits = (int(number[place]) + 1, int(number[place]) - 1)
    return [number[:place] + str(d) + number[place + 1 :] for d in digits if low <= d <= high]


_DAY = re.compile(r"(?<!\d)(\d{1,2})\W{1,3}(?:de )?$")


@error("number", of="words", needs="dates")
def date(sentence: Sentence, language: str) -> Iterator[Candidate]:
    """A month, weekday or day of the month becomes another.

    A weekday becomes the next or the previous one. So does a month next to a day, a year or a declared word (in). A
    day in digits before a month changes by one, to a day that every month has.
    """
    dates = declared(language).get("dates", {})
    months, days = list(dates.get("months", ())), list(dates.get("days", ()))
    introduced = tuple(f"{word} " for word in dates.get("before_months", ()))
    present = {token.text.lower() for token in sentence.tokens}
    for token in sentence.tokens:
        low = token.text.lower()
        before = _DAY.search(sentence.text[: token.start])
        alone = introduced and sentence.text[: token.start].lower().endswith(introduced)
        if low in months and (before or alone or _is_dated(sentence, token.end)):
            for new in _beside(months, low):
                if new not in present and (before is None or int(before[1]) <= 28):
                    yield candidate(sentence, [replaced_word(token, new)])
            if before:
                for number in (int(before[1]) + 1, int(before[1]) - 1):
                    if 1 < number <= 28 and str(number) not in present:
                        yield candidate(sentence, [(*before.span(1), str(number))])
        elif low in days:
            for new in _beside(days, low):
                if new not in present and ("-feira" in new) == ("-feira" in low):
                    yield candidate(sentence, [replaced_word(token, new)])


def _is_dated(sentence: Sentence, end: int) -> bool:
    """Whether a year follows: a month alone may be a name or a verb (mars, mai)."""
    return re.match(r"\W{1,3}(?:de |del |do )?(?:1[5-9]|20)\d\d\b", sentence.text[end:]) is not None


def _beside(names: list[str], name: str) -> list[str]:
    place = names.index(name)
    return [names[(place + 1) % len(names)], names[place - 1]]


@error("number", of="words", needs="units")
def unit(sentence: Sentence, language: str) -> Iterator[Candidate]:
    """A unit of measure, money or time becomes another unit after the same number.

    The language declares the unit. It follows a number in digits or a number word from two to twelve. An English
    source must have the same unit, the same number if it is in digits, and not the new unit.
    """
    swaps = _unit_swaps(language)
    spelt = {word for row in declared(language).get("numbers", {}).get("rows", ()) for word in row}
    tokens, low = sentence.tokens, [token.text.lower() for token in sentence.tokens]
    said = said_in(sentence.source)
    for i in range(1, len(tokens)):
        counted = low[i - 1] in spelt or low[i - 1][-1:].isdigit()
        if low[i] not in swaps or not counted:
            continue
        unit, other, new = swaps[low[i]]
        if _names(other, said) or new in low or _is_described(sentence, i):
            continue
        if not sentence.source or (_names(unit, said) and _same_number(low[i - 1], sentence.source)):
            yield candidate(sentence, [replaced_word(tokens[i], new)])


@lru_cache
def _unit_swaps(language: str) -> dict[str, tuple[str, str, str]]:
    """For each form of a unit its name, that of the other unit, and the other's form."""
    rows: list[list[str]] = declared(language).get("units", {}).get("rows", [])
    pairs = [pair for one, two in zip(rows[::2], rows[1::2], strict=False) for pair in ((one, two), (two, one))]
    return {form: (old[0], new[0], put) for old, new in pairs for form, put in zip(old[1:], new[1:], strict=False)}


def _is_described(sentence: Sentence, i: int) -> bool:
    """Does a word behind the unit agree with it: *les deux années précédentes*?"""
    behind = sentence.tokens[i + 1 : i + 2]
    return any(t.pos == "ADJ" or t.morph.get("VerbForm") == "Part" for t in behind)


def _names(unit: str, said: frozenset[str]) -> bool:
    return unit in said or unit.removesuffix("s") in said


def _same_number(number: str, source: str) -> bool:
    """Is a number in figures in the source too? Thousands and decimals are parted by other signs there."""
    digits = re.sub(r"\D", "", number)
    return not digits or digits in re.sub(r"(?<=\d)[.,](?=\d)", "", source)


_DECIMAL = re.compile(r"(?<![\w.,/:-])\d+(?:[.,]\d+)+(?![\w/:]|[.,-]\d)")
_SWAPPED = str.maketrans(".,", ",.")


@error("number", of="words", needs="numbers.decimal_comma", source=True)
def number_format(sentence: Sentence, language: str) -> Iterator[Candidate]:
    """A number keeps the decimal point and thousands comma of an English source."""
    applies = declared(language).get("numbers", {}).get("decimal_comma", False)
    for found in _DECIMAL.finditer(sentence.text) if applies else ():
        new = found[0].translate(_SWAPPED)
        if re.search(rf"(?<![\d.,]){re.escape(new)}(?![\d]|[.,]\d)", sentence.source):
            yield candidate(sentence, [(found.start(), found.end(), new)])
