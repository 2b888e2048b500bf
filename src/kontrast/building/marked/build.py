"""The recipe ``marked``: errors that people marked in what systems wrote, each beside a text without it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path

import msgspec

from kontrast.building.checks.judge import digest_of_judges
from kontrast.building.corpus import check_out, refuse_other_language
from kontrast.building.errors.run import checked_confidence
from kontrast.building.marked.choosing import JUDGE, MarkedItems, MarkedOptions, PairChooser
from kontrast.building.marked.evidence import Closeness, habits_of
from kontrast.building.marked.ratings import RatedSegment, Ratings, uneven
from kontrast.building.marked.reading import read_ratings
from kontrast.errors import InputError, KontrastError
from kontrast.io.files import suite_name
from kontrast.io.names import is_language
from kontrast.progress import progress
from kontrast.record import Record
from kontrast.shards import digest_of, in_order, keeping, numbered
from kontrast.suites.model import Item, Suite

__all__ = ["ENOUGH", "BuiltMarked", "MarkedOptions", "building_marked", "expected_share"]

SHARD = 100
"""Segments."""
CONTEXT = 3
"""Segments of the document that go with an item."""
ENOUGH = 0.9
"""Share of right items below which a suite should be read before it is used."""
_SAMPLE = 300
"""Segments that tell the languages."""
SAME = "the same pair occurs in another segment or file"


class BuiltMarked(Record, frozen=True):
    """Counts: marks by category and severity, marks that gave an item, and the others by reason."""

    items: int
    ratings: int
    segments: int
    systems: int
    marks: int
    used: int
    by_category: dict[str, tuple[int, int]]
    kinds: dict[str, int]
    nothing: dict[str, int]
    apart: dict[str, int]
    expected: float
    """The share of right items to expect: the mean of their confidences."""
    unjudged: int = 0
    """With a model as judge: items before it was asked; ``used`` and ``nothing`` count these."""
    out: str = ""

    def _rows(self) -> list[dict[str, object]]:
        return [{"category": name, "marks": n, "used": used} for name, (n, used) in self.by_category.items()]


@contextmanager
def building_marked(
    out: str | Path,
    ratings: Sequence[str | Path],
    options: MarkedOptions | None = None,
    *,
    closeness: Closeness | None = None,
    on: str | None = None,
    workers: int | None = None,
) -> Iterator[tuple[Suite, BuiltMarked]]:
    """The suite of marked errors and what was counted, while it is written to ``out``.

    ``closeness`` is a second opinion, of an encoder; its repr says which.

    Finished shards are kept in ``OUT.work`` until the block ends well; a run that was killed goes on behind them.
    They are made here, or by ``workers`` on the Ray cluster ``on``.
    """
    options = options or MarkedOptions()
    languages = _languages(options.pair)
    files = [*ratings, *([options.texts] if options.texts else [])]
    check_out(out, [Path(path) for path in files])
    checked_confidence(options.min_confidence)
    read = read_ratings(ratings, options.texts)
    if options.pair:
        _refuse_swapped(read, options.pair, ratings[0])
    if not any(output.is_human for segment in read.segments for output in segment.outputs.values()):
        closeness = None  # to nothing
    facts = {
        "input": digest_of(map(Path, files)),
        "options": options,
        "judge": digest_of_judges(JUDGE),
        "closeness": repr(closeness),
    }
    before = _contexts(read)
    with keeping(f"{out}.work", facts) as parts, progress("pairing", len(read.segments), "segments") as advance:
        segments = ((segment, before[segment.file, segment.key]) for segment in read.segments)
        chooser = PairChooser(options, habits_of(read.segments), closeness)
        work = partial(_made, chooser=chooser)
        shards = []
        for part in parts.fill(numbered(segments, SHARD), lambda todo: in_order(work, todo, on=on, workers=workers)):
            shards.append(msgspec.msgpack.decode(part, type=MarkedItems))
            advance(SHARD)
        suite, built = _joined(shards, read, options, languages, ratings)
        if not suite.items:
            parts.end()
            reasons = ", ".join(f"{why} ({n})" for why, n in Counter(built.nothing).most_common(3))
            raise InputError(ratings[0], f"gives no item: {reasons or 'nothing is marked'}{_unusable(read)}")
        if closeness is not None:
            told = f"{suite.description}; second opinion: {closeness!r}"
            suite = msgspec.structs.replace(suite, description=told)
        _warn(read)
        yield suite, msgspec.structs.replace(built, out=str(out))


def _made(shard: tuple[int, list[tuple[RatedSegment, list[RatedSegment]]]], chooser: PairChooser) -> bytes:
    """The work of a shard: segments, each with those before it in its document."""
    made = MarkedItems()
    for segment, context in shard[1]:
        made.add(segment, context, chooser)
    return msgspec.msgpack.encode(made)


def _languages(pair: str | None) -> tuple[str | None, str | None]:
    if pair is None:
        return None, None
    source, _, target = pair.partition("-")
    if not (is_language(source) and is_language(target)):
        raise KontrastError(f"--pair: expected two languages as in en-de, found {pair!r}")
    return source, target


def _refuse_swapped(read: Ratings, pair: str, path: str | Path) -> None:
    some = read.segments[:_SAMPLE]
    outputs = [output.text for segment in some for output in segment.outputs.values()]
    source, _, target = pair.partition("-")  # the target may have a region: en-pt-BR
    refuse_other_language(path, source, [segment.source for segment in some], pair)
    refuse_other_language(path, target, outputs, pair)


Contexts = dict[tuple[str, str], list[RatedSegment]]


def _contexts(read: Ratings) -> Contexts:
    """For each segment those before it in its document, the nearest last."""
    found: Contexts = {}
    for segments in read.documents():
        for i, segment in enumerate(segments):
            named = segment.document is not None
            found[segment.file, segment.key] = segments[max(0, i - CONTEXT) : i] if named else []
    return found


def _joined(
    shards: Sequence[MarkedItems],
    read: Ratings,
    options: MarkedOptions,
    languages: tuple[str | None, str | None],
    paths: Sequence[str | Path],
) -> tuple[Suite, BuiltMarked]:
    every = [item for shard in shards for item in shard.items]
    made = list({(item.source, *(v.text for v in item.variants)): item for item in reversed(every)}.values())[::-1]
    items = tuple(msgspec.structs.replace(item, id=str(n)) for n, item in enumerate(made, start=1))
    marks: Counter[str] = Counter()
    used: Counter[str] = Counter()
    nothing: Counter[str] = Counter()
    for shard in shards:
        nothing.update(shard.nothing)
        for name, (all_, good) in shard.marks.items():
            marks[name] += all_
            used[name] += good
    same = len(every) - len(made)
    name = options.name or suite_name(paths[0])
    about = f"Errors that people marked, from {', '.join(Path(path).name for path in paths)}"
    suite = Suite(name, items, *languages, description=about, segment_base=0)
    built = BuiltMarked(
        len(items),
        read.rows,
        len(read.segments),
        len({system for segment in read.segments for system in segment.outputs}),
        marks.total(),
        used.total(),
        {name: (n, used[name]) for name, n in marks.most_common()},
        dict(Counter(item.phenomenon or "" for item in items).most_common()),
        dict(nothing.most_common()),
        {why: len(lines) for why, lines in read.apart.items()} | ({SAME: same} if same else {}),
        expected_share(items),
    )
    return suite, built


def expected_share(items: Sequence[Item]) -> float:
    """The mean of the confidences."""
    return sum(float(str(item.tags["confidence"])) for item in items) / max(len(items), 1)


def _unusable(read: Ratings) -> str:
    """How many rows were counted apart, and the first of them."""
    if not read.apart:
        return ""
    count = sum(map(len, read.apart.values()))
    why, lines = next(iter(read.apart.items()))
    return f"; unusable rows: {count:,} (first {lines[0]}: {why})"


def _warn(read: Ratings) -> None:
    """What was counted apart, with the first lines, and systems that lack segments."""
    for why, lines in read.apart.items():
        more = f" and {len(lines) - 3} more" if len(lines) > 3 else ""
        print(f"kontrast: {why}, counted separately: {'; '.join(islice(lines, 3))}{more}", file=sys.stderr)
    if lacking := uneven(read.segments):
        told = ", ".join(f"{system} ({n})" for system, n in sorted(lacking.items())[:5])
        print(f"kontrast: warning: some systems lack segments that others have: {told}", file=sys.stderr)
