"""Which marks give an item: the surest pair for each, an output with its error and the nearest text without."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from kontrast.building.checks.judge import FoilJudge, load_judges
from kontrast.building.marked.difference import tokens
from kontrast.building.marked.evidence import (
    CLOSER,
    Closeness,
    RatingHabits,
    add_closeness,
    add_features,
    habits_of,
)
from kontrast.building.marked.kinds import is_mixed_address, kind_of
from kontrast.building.marked.partners import LONGEST, RepairCandidate, SideBySide
from kontrast.building.marked.ratings import MarkedError, RatedSegment
from kontrast.defaults import MARKED_CONFIDENCE
from kontrast.io.names import without_region
from kontrast.suites.model import Item, Tags, Variant

WHOLE = 0.7
"""Share of a segment: a longer mark is of the whole."""
SEVERITIES = ("critical", "major")
CATEGORIES = ("accuracy", "terminology", "grammar", "spelling", "register", "locale", "other")
JUDGE = "marked"
SECOND = "English, second opinion"
"""The judge that weighs how close to the references an encoder finds a text."""


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

    @property
    def target(self) -> str:
        """The language of the outputs, without a region; blank where it is not said."""
        return _without_region(self.pair).partition("-")[2]


class PairChooser(msgspec.Struct, frozen=True):
    """Finds the pair for an error, by what is usual in the ratings and how close an encoder finds texts."""

    options: MarkedOptions
    habits: RatingHabits
    closeness: Closeness | None = None

    def best(self, scene: SideBySide, error: MarkedError) -> tuple[RepairCandidate | None, str]:
        """The surest pair for an error, or why there is none."""
        if why := unwanted(error, self.options) or unplaced(error):
            return None, why
        found, reasons = scene.candidates(error)
        if not found:
            return None, f"other outputs: {reasons.most_common(1)[0][0]}" if reasons else "no other output"
        add_features(scene, error, found, self.habits)
        least, judge = self.options.min_confidence, marked_judge(self.options.pair)
        if self.closeness is not None and any(output.is_human for output in scene.outputs):
            judge = load_judges(JUDGE)[SECOND]
            able = [c for c in found if judge.confidence(c.features | {"closer": CLOSER}) >= least]
            add_closeness(scene, error, able, self.closeness)
        for candidate in found:
            candidate.confidence = round(judge.confidence(candidate.features), 3)
        best = max(found, key=lambda c: (c.confidence, len(c.supporters), c.text))
        if best.confidence < least:
            return None, "no pair reaches --min-confidence"
        return best, ""


def marked_judge(pair: str | None) -> FoilJudge:
    """What says how sure a pair of texts is, in these languages or in any."""
    judges = load_judges(JUDGE)
    return judges.get(_without_region(pair), judges["any"])


def is_learnt(pair: str | None) -> bool:
    """Was the confidence learnt in these languages?"""
    return _without_region(pair) in load_judges(JUDGE)


def _without_region(pair: str | None) -> str:
    """*en-de* of *en-de-AT* and of *en_US-de_AT*."""
    source, _, target = (pair or "").partition("-")
    return f"{without_region(source)}-{without_region(target)}"


def marked_items(
    segments: Sequence[RatedSegment], options: MarkedOptions
) -> Iterator[tuple[RatedSegment, MarkedError, RepairCandidate | None, str]]:
    """Every mark with a place and the best pair for it, or why there is none; for measurement."""
    chooser = PairChooser(options, habits_of(segments))
    for segment in segments:
        scene = SideBySide(segment, options.target)
        for error in scene.errors():
            yield segment, error, *chooser.best(scene, error)


def unwanted(error: MarkedError, options: MarkedOptions) -> str:
    """Why a mark is not one of those that were chosen."""
    mark, output = error.mark, error.output
    low = mark.category.lower()
    if mark.severity.lower() not in options.severities:
        return "another severity"
    if "source" in low and "error" in low:
        return "an error of the source"
    if not any(part in low for part in options.categories):
        return "another category"
    if output.is_human:
        return "a reference is marked, not a system"
    return "other ratings of the output are unreadable" if output.is_unsure else ""


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


class MarkedItems(msgspec.Struct):
    """What a shard gives: items, marks by category and severity with those used, and reasons for the others."""

    items: list[Item] = []
    marks: dict[str, list[int]] = {}
    nothing: dict[str, int] = {}

    def add(self, segment: RatedSegment, context: list[RatedSegment], chooser: PairChooser) -> None:
        """Add the items of a segment.

        The same words for the same words, in outputs of several systems, are one item; ``context`` are the segments
        before it.
        """
        found: dict[tuple[tuple[str, ...], tuple[str, ...]], list[tuple[MarkedError, RepairCandidate]]] = {}
        counted: list[tuple[MarkedError, str]] = []
        scene = SideBySide(segment, chooser.options.target)
        for error in scene.errors():
            best, why = chooser.best(scene, error)
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
            total = self.marks.setdefault(key, [0, 0])
            total[0] += len(error.marks)
            total[1] += len(error.marks) * (not why)
            if why:
                self.nothing[why] = self.nothing.get(why, 0) + len(error.marks)
        self.items += [_item(segment, pairs, chooser.options.target, context) for pairs in found.values()]


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
    theirs = tuple(s.outputs[output.system].text for s in context if output.system in s.outputs)
    if kind == "formality":
        mixed, left = (is_mixed_address((*theirs, text), language) for text in (output.text, best.text))
        tags["mixed_register"] = mixed and not left
    human = [o.text for o in segment.outputs.values() if o.is_human and o.text not in (best.text, output.text)]
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
