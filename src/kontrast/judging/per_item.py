"""Every decision on a line of its own: what each system's verdict, margin and scores are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from kontrast.io import files
from kontrast.judging.decisions import decisions_of
from kontrast.judging.records import TiePolicy
from kontrast.judging.systems import System, names_of
from kontrast.judging.verdicts import check_count, larger_is_better, verdicts_of
from kontrast.judging.written import Written, by_decision
from kontrast.suites.model import Scores, Suite, Unit, Variant


class SystemVerdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one system made of a decision.

    ``scores`` are as in its file, the right variant's first; ``margin`` is above 0 where it is ahead. Of a
    translation there are instead what it ``wrote`` and the verdict of `check`.
    """

    verdict: str
    credit: float
    margin: float | None = None
    scores: tuple[float, ...] = ()
    wrote: str | None = None
    unread: int = 0
    """Of votes: how many answers about a variant could not be read, at most."""


class JudgedItem(msgspec.Struct, frozen=True, omit_defaults=True):
    """A decision, its texts, and every system's verdict by name. ``wrong`` are in the order of the scores."""

    item: str
    phenomenon: str
    source: str
    right: str
    wrong: tuple[str, ...]
    systems: dict[str, SystemVerdict]
    document: str | None = None


def judged_items(
    suite: Suite,
    systems: Sequence[System],
    *,
    ties: TiePolicy = "report",
    epsilon: float = 0.0,
    unit: Unit | None = None,
) -> Iterator[JudgedItem]:
    """A record per decision, in suite order; the runs of a system stand one by one.

    >>> from kontrast import Item
    >>> suite = Suite("tiny", (Item("1", "a dog", (Variant("ein Hund"), Variant("eine Hund"))),))
    >>> [one] = judged_items(suite, [Scores("good", (1.0, 2.5)), Scores("bad", (2.0, 1.0))])
    >>> {name: (each.verdict, each.margin) for name, each in one.systems.items()}
    {'good': ('right', 1.5), 'bad': ('wrong', -1.0)}
    """
    made = decisions_of(suite, unit)
    single = dict(_single(systems))
    for scores in single.values():
        check_count(suite, scores)
    judged = [verdicts_of(made, larger_is_better(s), ties=ties, epsilon=epsilon) for s in single.values()]
    checked = [by_decision(suite, s) if isinstance(s, Written) else {} for s in single.values()]
    places = zip(made.item.tolist(), made.variant.tolist(), made.tags.of_each("phenomenon"), strict=True)
    for index, ((place, variant, phenomenon), *verdicts) in enumerate(zip(places, *judged, strict=True)):
        item = suite.items[place]
        rows = [int(made.correct[index]), *made.rivals[made.offsets[index] : made.offsets[index + 1]].tolist()]
        found: dict[str, SystemVerdict] = {}
        for (name, scores), one, wrote in zip(single.items(), verdicts, checked, strict=True):
            if wrote:
                looked = wrote[place, variant]
                found[name] = SystemVerdict(looked.verdict, one.credit, wrote=looked.text)
            else:
                values = tuple(scores.values[row] for row in rows)
                lost = max(scores.unread[row] for row in rows) if scores.unread else 0
                found[name] = SystemVerdict(one.outcome, one.credit, one.margin, values, unread=lost)
        right, *wrong = (_text(item.variants[row - rows[0] + item.correct]) for row in rows)
        yield JudgedItem(item.id, str(phenomenon or ""), item.source, right, tuple(wrong), found, item.document)


def write_judged_items(path: str | Path, items: Iterator[JudgedItem]) -> None:
    """A JSON object per line."""
    encode = msgspec.json.Encoder().encode
    with files.writing(path) as out:
        out.writelines(encode(item).decode() + "\n" for item in items)


def _single(systems: Sequence[System]) -> Iterator[tuple[str, Scores]]:
    """Every score file under a name of its own."""
    for name, system in zip(names_of(systems), systems, strict=True):
        if isinstance(system, Scores):
            yield name, system
        else:
            runs = system[1]
            yield from ((f"{name}/{run}", scores) for run, scores in zip(names_of(runs), runs, strict=True))


def _text(variant: Variant) -> str:
    """The variant with its own context, which is where some suites put the difference."""
    return " ".join([*(variant.context or ()), variant.text])
