"""Results a few at a time, so that the store is written twice a second and not for each of them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

_SECONDS = 0.5
Key = TypeVar("Key")
Value = TypeVar("Value")


def portions(results: Iterable[dict[Key, Value]]) -> Iterator[dict[Key, Value]]:
    """What has come in half a second, joined. After an error what was finished before it comes first, then the error.

    >>> list(portions([{"a": 1}, {"b": 2}]))
    [{'a': 1, 'b': 2}]
    """
    pending: dict[Key, Value] = {}
    problem: BaseException | None = None
    last = time.perf_counter()
    try:
        for some in results:
            pending.update(some)
            if pending and time.perf_counter() - last > _SECONDS:
                yield pending
                pending, last = {}, time.perf_counter()
    except GeneratorExit:
        raise
    except BaseException as error:
        problem = error
    if pending:
        yield pending
    if problem is not None:
        raise problem
