"""A system on human text and on its own: the same error at the same line, as two systems on the human pairs."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from kontrast.errors import KontrastError
from kontrast.judging.signatures import check_suite
from kontrast.judging.verdicts import check_count, larger_is_better
from kontrast.suites.model import Item, Scores, Suite, Variant

Place = tuple[str, str]
"""A line and an error."""


def human_and_own(human: Suite, on_human: Scores, own: Suite, on_own: Scores) -> tuple[Suite, list[Scores], str]:
    """The human pairs that have a counterpart on the system's text, the scores of both, and what was left out.

    >>> pair = Variant("ein Hund"), Variant("eine Hund", error="np_agreement")
    >>> made = [Suite(name, (Item("1", "a dog", pair, tags={"origin": "t.1"}),)) for name in ("human", "own")]
    >>> suite, both, note = human_and_own(made[0], Scores("m", (1.0, 2.0)), made[1], Scores("m", (3.0, 1.0)))
    >>> [scores.values for scores in both], note
    ([(1.0, 2.0), (3.0, 1.0)], '1 of 1 pairs on human text have a counterpart on the own text')
    """
    for suite, scores in ((human, on_human), (own, on_own)):
        check_count(suite, scores)
        check_suite(suite, scores)
    there = {place: values for place, _, values in _pairs(own, on_own)}
    items: list[Item] = []
    both: tuple[list[float], list[float]] = ([], [])
    for place, item, values in _pairs(human, on_human):
        if place in there:
            items.append(msgspec.structs.replace(item, id=str(len(items) + 1)))
            for side, found in zip(both, (values, there[place]), strict=True):
                side += found
    if not items:
        raise KontrastError(
            f"no pair of {human.name} has the line (origin) and the error of one in {own.name}: build it with "
            "`kontrast build errors --on` from the same files"
        )
    suite = msgspec.structs.replace(human, items=tuple(items), unit="pair")
    texts = ("human text", "own text")
    systems = [Scores(f"{on_human.system} on {t}", tuple(v)) for t, v in zip(texts, both, strict=True)]
    total = sum(len(item.variants) - 1 for item in human.items)
    return suite, systems, f"{len(items)} of {total} pairs on human text have a counterpart on the own text"


def _pairs(suite: Suite, scores: Scores) -> Iterator[tuple[Place, Item, tuple[float, float]]]:
    """Every correct variant with each of its foils, where it comes from, and the scores of both; lower is better."""
    values = iter((-larger_is_better(scores)).tolist())
    for item in suite.items:
        found = [next(values) for _ in item.variants]
        line = str(item.tags.get("origin") or f"{item.document}:{item.segment}")
        for n, foil in enumerate(item.variants):
            if n != item.correct:
                pair = (item.best, _named(foil, item))
                yield (
                    (line, str(pair[1].error)),
                    msgspec.structs.replace(item, variants=pair, correct=0),
                    (
                        found[item.correct],
                        found[n],
                    ),
                )


def _named(foil: Variant, item: Item) -> Variant:
    return foil if foil.error else msgspec.structs.replace(foil, error=item.phenomenon)
