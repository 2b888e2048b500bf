"""Ways to score a batch, fastest first, and the choice among them: the first that gives the numbers of single rows.

A row on its own, without padding and without a cache, is what every other way is held against: on the shortest, a
middle and the longest of the groups at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from kontrast.errors import KontrastError
from kontrast.extras import torch
from kontrast.progress import say

if TYPE_CHECKING:
    from kontrast.scoring.engines.transformer.engine import TokenTask


class Route(msgspec.Struct, frozen=True):
    """A way to score: it gives the log-probabilities of a batch's labels in order.

    ``words`` say it to the user, ``sharing`` what it computes once per group.
    """

    words: str
    run: Callable[[Sequence[TokenTask]], list[float]]
    sharing: tuple[str, ...] = ()


def one_by_one(plain: Callable[[Sequence[TokenTask]], list[float]]) -> Route:
    """Every row on its own."""

    def run(tasks: Sequence[TokenTask]) -> list[float]:
        rows = [msgspec.structs.replace(task, paths=[path]) for task in tasks for path in task.paths]
        return [value for row in rows for value in plain([row])]

    return Route("row by row", run)


def choose(
    model: str, routes: Sequence[Route], single: Route, tasks: Sequence[TokenTask], tolerance: float, causal: bool
) -> Route:
    """The first route whose sums of a sample are those of single rows; a note says where that is not the first."""
    sample, ways = _sample(tasks), [*routes, single]
    with torch.inference_mode():
        try:
            right = _sums(single.run(sample), sample)
        except Exception as error:
            raise KontrastError(f"{model}: its network fails: {_said(error)}") from error
        if not all(map(math.isfinite, right)):
            return ways[0]  # the run ends with the name of the row
        if causal:
            _refuse_lookahead(model, single, sample[0], tolerance)
        for route, following in zip(ways, [*ways[1:], None], strict=True):
            try:
                gap = _largest_gap(_sums(route.run(sample), sample), right)
                problem = f"differs by {gap:.2g} from single rows on a sample"
            except Exception as error:  # an architecture that this way does not know raises whatever it happens to
                gap, problem = math.inf, f"does not run {_said(error)}"
            if gap <= tolerance:
                return route
            if following is not None:
                say(f"{model}: scoring {route.words} {problem}: {following.words} instead")
    raise KontrastError(f"{model}: its scores differ from run to run (by {gap:.2g}) and cannot be used")


def _said(error: Exception) -> str:
    return f"({type(error).__name__}: {' '.join(str(error).split())[:120]})"


def _sample(tasks: Sequence[TokenTask]) -> list[TokenTask]:
    """The shortest, a middle and the longest group, those with several targets first."""
    ordered = sorted(tasks, key=lambda task: task.plain_size)
    several = [task for task in ordered if len(task.paths) > 1] or ordered
    places = sorted({0, len(several) // 2, len(several) - 1})
    return [several[place] for place in places]


def _sums(values: Sequence[float], tasks: Sequence[TokenTask]) -> list[float]:
    rest = iter(values)
    return [sum(next(rest) for _ in path.labels) for task in tasks for path in task.paths]


def _largest_gap(one: list[float], other: list[float]) -> float:
    gaps = [abs(a - b) for a, b in zip(one, other, strict=True)]
    return max((gap if gap == gap else float("inf") for gap in gaps), default=0.0)


def _refuse_lookahead(model: str, single: Route, task: TokenTask, tolerance: float) -> None:
    """Refuse a network that reads what follows the token that it predicts: another last token must change nothing."""
    path = task.paths[0]
    others = [token for token in path.inputs if token != path.inputs[-1]]
    if len(path.labels) < 2 or not others:
        return
    changed = msgspec.structs.replace(path, inputs=(*path.inputs[:-1], others[0]))
    rows = (path, path, changed)
    before, again, after = (single.run([msgspec.structs.replace(task, paths=[p])])[:-1] for p in rows)
    if (gap := _largest_gap(before, again)) > tolerance / 50:
        raise KontrastError(f"{model}: its scores differ from run to run (by {gap:.2g}) and cannot be used")
    if _largest_gap(before, after) > tolerance / 50:
        raise KontrastError(
            f"{model}: it also reads the words that follow, so its numbers are not probabilities of a text; a "
            'model of BERT\'s kind that was trained from left to right has "is_decoder": true in config.json'
        )
