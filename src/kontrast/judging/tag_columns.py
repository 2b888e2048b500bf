"""Tags of many decisions by column: a number per decision and each distinct value once."""

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kontrast.judging.floats import Ints
from kontrast.suites.model import Tags


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
