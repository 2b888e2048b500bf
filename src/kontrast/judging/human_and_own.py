"""A system on human text and on its own: the same errors at the same line, as two systems on the human pairs."""

from collections import defaultdict
from typing import NamedTuple

import msgspec

from kontrast.errors import KontrastError
from kontrast.judging.signatures import check_suite, differing_parts
from kontrast.judging.verdicts import check_count, larger_is_better
from kontrast.suites.model import Item, Scores, Suite


class _Pair(NamedTuple):
    """A correct variant with one foil, as an item, and the scores of both; lower is better."""

    item: Item
    values: tuple[float, float]


Place = tuple[str, str, str]
"""A line, its source and an error."""


def human_and_own(human: Suite, on_human: Scores, own: Suite, on_own: Scores) -> tuple[Suite, list[Scores], str]:
    """The human pairs that have a counterpart on the system's text, the scores of both, and what was left out.

    The foils of one error in one line are paired in order, where both texts have equally many.
    """
    for suite, scores in ((human, on_human), (own, on_own)):
        check_count(suite, scores)
        check_suite(suite, scores)
    if any(
        (item.tags.get("text") == "own") is not own_text
        for s, own_text in ((human, False), (own, True))
        for item in s
    ):
        raise KontrastError(
            f"{human.name} must be built on human text and {own.name} on a system's text (tag text: own): build "
            f"the suite for --own with `kontrast build errors --on`"
        )
    if differing := [part for part in differing_parts([on_human, on_own]) if part != "kontrast"]:
        raise KontrastError(
            f"the scores on human text and on the system's own text differ in {', '.join(differing)}: score both "
            f"suites in the same way"
        )
    here, there = _pairs(human, on_human), _pairs(own, on_own)
    common = [place for place in here if len(here[place]) == len(there.get(place, ()))]
    if not common:
        raise KontrastError(
            f"no pair of {human.name} has the line (origin), the source and the error of one in {own.name}: build it "
            "with `kontrast build errors --on` from the same files"
        )
    pairs = [pair for place in common for pair in here[place]]
    items = tuple(msgspec.structs.replace(pair.item, id=str(n)) for n, pair in enumerate(pairs, 1))
    sides = (pairs, [pair for place in common for pair in there[place]])
    systems = [
        Scores(f"{on_human.system} on {text}", tuple(value for pair in side for value in pair.values))
        for text, side in zip(("human text", "own text"), sides, strict=True)
    ]
    total = sum(map(len, here.values()))
    note = f"{len(items)} of {total} pairs on human text have a counterpart in the system's own text"
    return msgspec.structs.replace(human, items=items, unit="pair"), systems, note


def _pairs(suite: Suite, scores: Scores) -> dict[Place, list[_Pair]]:
    """Every correct variant with each of its foils, by where it comes from."""
    values = iter((-larger_is_better(scores)).tolist())
    pairs = defaultdict(list)
    for item in suite.items:
        found = [next(values) for _ in item.variants]
        if not (line := item.tags.get("origin") or (item.document and f"{item.document}:{item.segment}")):
            raise KontrastError(
                f"item {item.id} of {suite.name} has no line (tag origin): build it with `kontrast build errors`"
            )
        for n, foil in enumerate(item.variants):
            if n != item.correct:
                named = foil if foil.error else msgspec.structs.replace(foil, error=item.phenomenon)
                one = msgspec.structs.replace(item, variants=(item.best, named), correct=0)
                pairs[str(line), item.source, str(named.error)].append(_Pair(one, (found[item.correct], found[n])))
    return pairs
