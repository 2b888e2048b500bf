"""Grouping decisions by tags: ``distance``, ``frequency:log``, ``src_pronoun,ref_pronoun``.

A *rule* after a colon puts numbers into bins. Rules are in `RULES`, one small function each. Tags of many decisions
are columns: a number per decision and each distinct value once.
"""

import math
import re
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kontrast.errors import KontrastError
from kontrast.judging.floats import Ints
from kontrast.suites.description import is_number, label_values
from kontrast.suites.model import Tags
from kontrast.suites.testset import bins, testsets


@dataclass(frozen=True)
class TagColumn:
    """The values of one tag: ``values[number[i]]`` is that of decision i (None: it has none)."""

    number: Ints
    values: tuple[Any, ...]


class TagColumns:
    """Columns of what ``tags`` gives anew at each call: the tags of each decision."""

    def __init__(self, tags: Callable[[], Iterable[Tags]]) -> None:
        self.rows = tags
        self._columns: dict[str, TagColumn] = {}

    @cached_property
    def names(self) -> list[str]:
        """Every tag that some decision has."""
        self.column("phenomenon")
        return self.names

    def column(self, name: str) -> TagColumn:
        if name not in self._columns:
            # The first time the numbers that the first decision has are read too: they are asked for next.
            first = {} if self._columns else next(iter(self.rows()), {})
            beside = [tag for tag, value in first.items() if type(value) is int and tag != name]
            reading: list[tuple[str, dict[object, int], list[Any], array[int]]]
            reading = [(tag, {}, [], array("q")) for tag in (name, *beside)]
            names: set[str] = set()
            for tags in self.rows():
                names.update(tags)
                for tag, numbers, values, found in reading:
                    value = tags.get(tag)
                    key = value if type(value) in (str, int) else (type(value), repr(value))  # 1, 1.0 and true differ
                    number = numbers.setdefault(key, len(values))
                    if number == len(values):
                        values.append(value)
                    found.append(number)
            for tag, _, values, found in reading:
                self._columns[tag] = TagColumn(np.array(found, dtype=np.int64), tuple(values))
            self.__dict__["names"] = sorted(names)
        return self._columns[name]

    def of_each(self, name: str) -> list[Any]:
        """The value of a tag, decision by decision."""
        column = self.column(name)
        return [column.values[number] for number in column.number.tolist()]


CURVES = ("distance", "frequency", "length", "position")
"""Tags whose bins have an order that is drawn as a curve."""

MISSING = "(none)"
"""The label of decisions that do not carry the tag."""

Key = tuple[float, str]
"""How a bin sorts, and what it is called."""
Binning = Callable[[float], Key]


@dataclass(frozen=True)
class Grouping:
    """Each decision's group number, and the groups' labels by tag in printing order."""

    by: str
    tags: tuple[str, ...]
    number: Ints
    labels: tuple[dict[str, str], ...]

    def parts(self) -> Iterator[tuple[str, dict[str, str], NDArray[np.bool_]]]:
        """Of each group its label, its tags, and which decisions are in it."""
        for i, tags in enumerate(self.labels):
            yield " · ".join(tags.values()), tags, self.number == i


def group_by(all_tags: TagColumns, by: str) -> Grouping:
    """Group decisions, given the tags of each, by one tag or several crossed, each with a rule where one is given."""
    parts = [_parse(part) for part in by.split(",")]
    if not all(name for name, _ in parts):
        raise KontrastError(f"--by {by}: expected the name of a tag")
    number: Any = 0
    keys: list[tuple[Key, ...]] = [()]
    names: list[str] = []
    for name, rule in parts:
        name = _find(name, all_tags)
        if name in names:
            raise KontrastError(f"--by {by}: {name} cannot be crossed with itself")
        column = all_tags.column(name)
        bins_of = _bins(column, rule, name)
        places = {key: i for i, key in enumerate(sorted(set(bins_of)))}
        own = np.array([places[key] for key in bins_of], dtype=np.int64)[column.number]
        found, number = np.unique(number * len(places) + own, return_inverse=True)
        keys = [(*keys[cell // len(places)], list(places)[cell % len(places)]) for cell in found.tolist()]
        names.append(name)
    labels = tuple({name: part[1] for name, part in zip(names, key, strict=True)} for key in keys)
    return Grouping(by, tuple(names), number, labels)


def with_phenomenon(all_tags: TagColumns, by: Sequence[str]) -> list[str]:
    """What to group by: the phenomenon first where there are several, then as asked."""
    several = len(all_tags.column("phenomenon").values) > 1
    return [*(["phenomenon"] if several and "phenomenon" not in by else []), *by]


def usual_tags(all_tags: TagColumns) -> tuple[str, ...]:
    """The breakdowns worth showing without being asked: those that the suites' own scripts print."""
    tags = set(all_tags.names)
    curves = [tag for tag in CURVES if tag in tags]
    several = [
        tag for tag in curves if len({v for v in all_tags.column(tag).values if isinstance(v, int | float)}) > 1
    ]
    usual = [f"{tag}:log" if tag == "frequency" else tag for tag in several]
    if {"src_pronoun", "ref_pronoun"} <= tags:
        usual.append("src_pronoun,ref_pronoun")
    return tuple(usual)


def _parse(part: str) -> tuple[str, str | None]:
    name, _, rule = part.strip().partition(":")
    return name.strip(), rule.strip() or None


def _find(name: str, all_tags: TagColumns) -> str:
    """The tag as the suite spells it: blanks, hyphens and underscores are alike."""
    known = all_tags.names
    alike = {re.sub(r"[\s_-]+", "_", tag).lower(): tag for tag in known}
    found = name if name in known else alike.get(re.sub(r"[\s_-]+", "_", name).lower())
    if found is None:
        raise KontrastError(f"no item has a tag {name!r}; known: {', '.join(known) or 'none'}")
    return found


def _bins(column: TagColumn, rule: str | None, tag: str) -> list[Key]:
    """The bin of each distinct value."""
    values, missing = column.values, (math.inf, MISSING)
    if rule is None:
        return [missing if value is None else _key(value) for value in label_values(tag, values)]
    numbers = [value for value in values if value is not None]
    odd = next((value for value in numbers if not is_number(value)), None)
    if odd is not None:
        raise KontrastError(f"--by {tag}:{rule} needs numbers, but {tag} has the value {odd!r}")
    counts = np.bincount(column.number, minlength=len(values))[[value is not None for value in values]]
    binning = _binning(rule, tag, np.repeat(np.array(numbers, dtype=np.float64), counts))
    return [missing if value is None else binning(float(value)) for value in values]


def _key(value: float | str) -> Key:
    """Numbers by size, then texts by alphabet."""
    return (sys.float_info.max, value) if isinstance(value, str) else (float(value), _number(value))


def _number(value: float) -> str:
    return f"{value:g}" if abs(value) < 1e6 else f"{value:.0f}"


def _binning(rule: str, tag: str, numbers: np.ndarray[Any, Any]) -> Binning:
    name, _, argument = rule.partition("=")
    with_bins = [key for key, each in testsets().items() if each.bins]
    if name in with_bins:
        return bins(name, tag).place
    if name not in RULES:
        known = "; ".join(f"{n}: {(f.__doc__ or '').splitlines()[0]}" for n, f in RULES.items())
        known += "".join(f"; {each}: the bins of this set" for each in with_bins)
        raise KontrastError(f"there is no binning rule {name!r}; known: {known}")
    return RULES[name](argument, tag, numbers)


def _whole(argument: str, rule: str, default: int | None = None, least: int = 1) -> int:
    if not argument and default is not None:
        return default
    if not (argument.isascii() and argument.isdigit()) or len(argument) > 9 or int(argument) < least:
        raise KontrastError(f"the binning rule {rule} needs a whole number of at least {least}, as in {rule}=4")
    return int(argument)


def _log(argument: str, tag: str, numbers: np.ndarray[Any, Any]) -> Binning:
    """powers of ten (log=2: of two)"""
    base = _whole(argument, "log", 10, least=2)

    def place(value: float) -> Key:
        if value <= 0:
            return (-1.0, "0" if value == 0 else "<0")
        power = 0
        while base ** (power + 1) <= value:
            power += 1
        low, high = base**power, base ** (power + 1)
        if value < 1:
            return (-0.5, "0–1")
        return (float(power), _span(low, high - 1))

    return place


def _cap(argument: str, tag: str, numbers: np.ndarray[Any, Any]) -> Binning:
    """each number up to N, then >N (cap=3)"""
    top = _whole(argument, "cap", least=0)
    return lambda value: (value, _number(value)) if value <= top else (top + 1.0, f">{top}")


def _width(argument: str, tag: str, numbers: np.ndarray[Any, Any]) -> Binning:
    """bins of equal width (width=5)"""
    width = _whole(argument, "width")

    def place(value: float) -> Key:
        low = math.floor(value / width) * width
        return (float(low), _span(low, low + width - 1))

    return place


def _quantiles(argument: str, tag: str, numbers: np.ndarray[Any, Any]) -> Binning:
    """bins of about equal size (quantiles=4)"""
    parts = _whole(argument, "quantiles", 4)
    tops = np.unique(np.quantile(numbers, np.arange(1, parts + 1) / parts, method="inverted_cdf"))

    def place(value: float) -> Key:
        i = int(np.searchsorted(tops, value))
        inside = numbers[(numbers <= tops[i]) & (numbers > (tops[i - 1] if i else -math.inf))]
        return (float(i), _span(inside.min(), inside.max()))

    return place


def _edges(argument: str, tag: str, numbers: np.ndarray[Any, Any]) -> Binning:
    """bins that begin at the numbers given (edges=0/1/5/20)"""
    try:
        edges = sorted(float(edge) for edge in argument.split("/"))
    except ValueError:
        edges = []
    if not edges or not all(map(math.isfinite, edges)):
        raise KontrastError("the binning rule edges needs numbers, as in edges=0/1/5/20")

    def place(value: float) -> Key:
        i = int(np.searchsorted(edges, value, side="right"))
        if i == 0:
            return (-1.0, f"<{_number(edges[0])}")
        return (
            float(i),
            f"≥{_number(edges[i - 1])}" if i == len(edges) else f"{_number(edges[i - 1])}–<{_number(edges[i])}",
        )

    return place


def _span(low: float, high: float) -> str:
    return _number(low) if low == high else f"{_number(low)}–{_number(high)}"


RULES: dict[str, Callable[[str, str, np.ndarray[Any, Any]], Binning]] = {
    "log": _log,
    "cap": _cap,
    "width": _width,
    "quantiles": _quantiles,
    "edges": _edges,
}
