"""ContraPro and the large EN-FR set: an item is right where the reference strictly beats all its errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kontrast.suites.model import Item, Scores, Suite
from kontrast.testsets.originals import Options, Tally, beats_all, fraction


def lines(suite: Suite, scores: Scores, options: Options) -> Iterator[str]:
    pronouns, within, distances = Tally(), Tally(), Tally()
    pairs: dict[str, Tally] = {}
    inside: dict[Any, str] = {}  # 1 and true are one value, under the name that comes first
    for item, right in zip(suite.items, beats_all(suite, scores), strict=True):
        tags = item.tags
        pair = f"{_text(tags.get('src_pronoun'))}:{_text(tags.get('ref_pronoun'))}".lower()
        distance = _distance(tags.get("distance"))
        pronouns.add(pair, right)
        value = tags.get("intrasegmental")
        within.add(inside.setdefault(value if isinstance(value, int | float) else str(value), str(value)), right)
        distances.add(distance, right)
        pairs.setdefault(distance, Tally()).add(pair, right)
        if options["v"] and tags.get("distance") == 0:
            yield from _verbose(item, right)

    yield f"total : {fraction(*pronouns.counts(*pronouns))}"
    yield ""
    yield "statistics by error category"
    yield from (pronouns.line(pair) for pair in sorted(pronouns))
    yield ""
    yield "statistics by intrasegmental"
    # False, True, None: the original cannot sort None among the others and dies
    ordered = sorted(inside, key=lambda value: (isinstance(value, str), value == "None", value))
    yield from (within.line(inside[value]) + " " for value in ordered)
    yield ""
    yield "statistics by ante distance"
    yield from (distances.line(distance) + " " for distance in sorted(distances))
    yield ""
    yield "ante distance per pronoun pairs"
    for distance in sorted(pairs):
        yield f"ante distance {distance} :"
        yield from (f"{pair} {pairs[distance][pair][1]} " for pair in sorted(pairs[distance]))


def _distance(value: object) -> str:
    return ">3" if isinstance(value, int | float) and value > 3 else str(value)


def _text(value: object) -> str:
    return str(value) if value is not None else ""


def _verbose(item: Item, right: bool) -> Iterator[str]:
    yield "correct" if right else "wrong"
    yield f"ante dist: {item.tags.get('distance')}"
    yield f"ref prn {item.tags.get('ref_pronoun')}"
    yield f"source: {item.source}"
    yield f"ref: {item.best.text}"
    yield f"src ante: {item.tags.get('src_ante_phrase')}"
    yield f"ref ante: {item.tags.get('ref_ante_phrase')}"
    yield ""
