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

from kontrast.building.checks.judge import FoilJudge, digest_of_judges, load_judges
from kontrast.building.corpus import check_out, refuse_other_language
from kontrast.building.errors.run import checked_confidence
from kontrast.building.marked.difference import tokens
from kontrast.building.marked.kinds import kind_of
from kontrast.building.marked.partners import CLOSER, LONGEST, Closeness, RepairCandidate, SideBySide
from kontrast.building.marked.rating_habits import RatingHabits, habits_of
from kontrast.building.marked.ratings import MarkedError, RatedSegment, Ratings, errors_of, uneven
from kontrast.building.marked.reading import read_ratings
from kontrast.defaults import MARKED_CONFIDENCE
from kontrast.errors import InputError, KontrastError
from kontrast.io.files import suite_name
from kontrast.io.names import is_language
from kontrast.progress import progress
from kontrast.record import Record
from kontrast.shards import digest_of, in_order, keeping, numbered
from kontrast.suites.model import Item, Suite, Tags, Variant

__all__ = ["ENOUGH", "BuiltMarked", "MarkedOptions", "building_marked", "expected_share", "marked_items"]

SHARD = 100
"""Segments."""
CONTEXT = 3
"""Segments of the document that go with an item."""
WHOLE = 0.7
"""Share of a segment: a longer mark is of the whole."""
SEVERITIES = ("critical", "major")
CATEGORIES = ("accuracy", "terminology", "grammar", "spelling", "register", "locale", "other")
JUDGE = "marked"
SECOND = "English, second opinion"
"""The judge that weighs how close to the references an encoder finds a text."""
ENOUGH = 0.9
"""Share of right items below which a suite should be read before it is used."""
_SAMPLE = 300
"""Segments that tell the languages."""
SAME = "the same pair occurs in another segment or file"


class MarkedOptions(msgspec.Struct, frozen=True):
    """Which marks give items: their ``severities`` and ``categories`` (parts of the names, in any case).

    A pair less sure than ``min_confidence`` is left out. ``pair`` are the languages, such as en-de; ``texts`` has the
    texts of error spans.
    """

    pair: str | None = None
    texts: str | None = None
    severities: tuple[str, ...] = SEVERITIES
    categories: tuple[str, ...] = CATEGORIES
    min_confidence: float = MARKED_CONFIDENCE
    name: str | None = None


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


class _Made(msgspec.Struct):
    """What a shard gives: items, marks by category and severity with those used, and reasons for the others."""

    items: list[Item] = []
    marks: dict[str, list[int]] = {}
    nothing: dict[str, int] = {}


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
    habits = habits_of(read.segments)
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
        work = partial(_made, habits=habits, options=options, languages=languages, closeness=closeness)
        shards = []
        for part in parts.fill(numbered(segments, SHARD), lambda todo: in_order(work, todo, on=on, workers=workers)):
            shards.append(msgspec.msgpack.decode(part, type=_Made))
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


def _made(
    shard: tuple[int, list[tuple[RatedSegment, list[RatedSegment]]]],
    habits: RatingHabits,
    options: MarkedOptions,
    languages: tuple[str | None, str | None],
    closeness: Closeness | None,
) -> bytes:
    """The work of a shard: segments, each with those before it in its document."""
    made = _Made([], {}, {})
    for segment, context in shard[1]:
        scene = SideBySide(segment, habits, closeness)
        judge = marked_judge(options.pair, closeness is not None and scene.has_reference)
        _add(made, segment, scene, judge, options, languages, context)
    return msgspec.msgpack.encode(made)


def marked_judge(pair: str | None, with_closeness: bool = False) -> FoilJudge:
    """What says how sure a pair of texts is, in these languages or in any."""
    judges = load_judges(JUDGE)
    return judges[SECOND] if with_closeness else judges.get(pair or "any", judges["any"])


def marked_items(
    segments: Sequence[RatedSegment], options: MarkedOptions
) -> Iterator[tuple[RatedSegment, MarkedError, RepairCandidate | None, str]]:
    """Every mark with a place and the best pair for it, or why there is none; for measurement."""
    judge, habits = marked_judge(options.pair), habits_of(segments)
    for segment in segments:
        scene = SideBySide(segment, habits)
        for output in scene.outputs:
            for error in errors_of(output):
                yield segment, error, *_best(scene, error, judge, options)


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


def _best(
    scene: SideBySide, error: MarkedError, judge: FoilJudge, options: MarkedOptions
) -> tuple[RepairCandidate | None, str]:
    """The surest pair for an error, or why there is none."""
    mark, output = error.mark, error.output
    low = mark.category.lower()
    if mark.severity.lower() not in options.severities:
        return None, "another severity"
    if "source" in low and "error" in low:
        return None, "an error of the source"
    if not any(part in low for part in options.categories):
        return None, "another category"
    if output.is_human:
        return None, "a reference is marked, not a system"
    if output.is_unsure:
        return None, "other ratings of the output are unreadable"
    if why := unplaced(error):
        return None, why
    found, reasons = scene.candidates(error)
    if not found:
        return None, f"other outputs: {reasons.most_common(1)[0][0]}" if reasons else "no other output"
    scene.add_closeness(
        error, [c for c in found if judge.confidence(c.features | {"closer": CLOSER}) >= options.min_confidence]
    )
    for candidate in found:
        candidate.confidence = round(judge.confidence(candidate.features), 3)
    best = max(found, key=lambda c: (c.confidence, len(c.supporters), c.text))
    if best.confidence < options.min_confidence:
        return None, "no pair reaches --min-confidence"
    return best, ""


def unplaced(error: MarkedError) -> str:
    """Why a mark is no place to repair."""
    mark, own = error.mark, tokens(error.output.text)
    if "inconsisten" in mark.category.lower():
        return "an inconsistency with other sentences"
    if error.is_placeless:
        return ""
    if mark.start is None or mark.end is None:
        return "no part of the translation is marked"
    first, behind = own.covering(mark.start, mark.end)
    if not any(word[0].isalnum() for word in own.words[first:behind]):
        return "no word is marked"
    if behind - first > LONGEST and behind - first > WHOLE * len(own.words):
        return "nearly the whole segment is marked"
    return ""


def _add(
    made: _Made,
    segment: RatedSegment,
    scene: SideBySide,
    judge: FoilJudge,
    options: MarkedOptions,
    languages: tuple[str | None, str | None],
    context: list[RatedSegment],
) -> None:
    """The items of a segment; the same words for the same words, in outputs of several systems, are one item."""
    found: dict[tuple[tuple[str, ...], tuple[str, ...]], list[tuple[MarkedError, RepairCandidate]]] = {}
    counted: list[tuple[MarkedError, str]] = []
    for output in scene.outputs:
        for error in errors_of(output):
            best, why = _best(scene, error, judge, options)
            counted.append((error, why))
            if best is not None:
                found.setdefault((best.old, best.new), []).append((error, best))
    for old, new in list(found):
        if found.keys() >= {(old, new), (new, old)}:  # each was marked, and each is the other's repair
            weaker = min((old, new), (new, old), key=lambda pair: max(c.confidence for _, c in found[pair]))
            lost = {id(error) for error, _ in found.pop(weaker)}
            counted = [(e, "marked both ways" if id(e) in lost else why) for e, why in counted]
    for error, why in counted:
        key = f"{error.mark.category or 'Other'} · {error.mark.severity.capitalize() or 'none'}"
        total = made.marks.setdefault(key, [0, 0])
        total[0] += len(error.marks)
        total[1] += len(error.marks) * (not why)
        if why:
            made.nothing[why] = made.nothing.get(why, 0) + len(error.marks)
    made.items += [_item(segment, pairs, languages[1] or "", context) for pairs in found.values()]


def _item(
    segment: RatedSegment,
    pairs: list[tuple[MarkedError, RepairCandidate]],
    language: str,
    context: list[RatedSegment],
) -> Item:
    error, best = max(pairs, key=lambda pair: (pair[1].confidence, pair[1].is_whole))
    mark, output = error.mark, error.output
    raters = {each.rater for e, _ in pairs for each in e.marks}
    rated = {rater for e, _ in pairs for rater in e.output.raters}
    kind = kind_of(mark.category, segment.source, best.old, best.new, language)
    tags: Tags = {
        "phenomenon": kind,
        "natural": True,
        "category": mark.category,
        "severity": mark.severity,
        "system": ", ".join(sorted({e.output.system for e, _ in pairs})),
        "partner": best.partner.system,
        "made": "partner" if best.is_whole else "repair",
        "raters_marked": len(raters),
        "raters": len(rated),
        "supporters": len(best.supporters),
        "span": output.text[mark.start or 0 : mark.end or 0].strip(),
        "edit": max(len(best.old), len(best.new)),
        "confidence": best.confidence,
    }
    if "closer" in best.features:
        tags["closer"] = round(best.features["closer"], 3)
    human = [o.text for o in segment.outputs.values() if o.is_human and o.text not in (best.text, output.text)]
    theirs = tuple(s.outputs[output.system].text for s in context if output.system in s.outputs)
    return Item(
        "",
        segment.source,
        (Variant(best.text), Variant(output.text, kind)),
        source_context=tuple(s.source for s in context),
        target_context=theirs if len(theirs) == len(context) else None,
        references=tuple(Variant(text) for text in human[:1]),
        document=segment.document,
        segment=segment.place,
        tags=tags,
    )


def _joined(
    shards: Sequence[_Made],
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
        print(f"kontrast: {why}, counted apart: {'; '.join(islice(lines, 3))}{more}", file=sys.stderr)
    if lacking := uneven(read.segments):
        told = ", ".join(f"{system} ({n})" for system, n in sorted(lacking.items())[:5])
        print(f"kontrast: warning: systems without some segments that others have: {told}", file=sys.stderr)
