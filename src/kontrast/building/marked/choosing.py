"""Which marks give an item, and the surest pair for each: an output with its error and the nearest text without."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from kontrast.building.checks.judge import FoilJudge, load_judges
from kontrast.building.marked.difference import tokens
from kontrast.building.marked.evidence import CLOSER, Closeness, add_closeness, add_features
from kontrast.building.marked.partners import LONGEST, RepairCandidate, SideBySide
from kontrast.building.marked.rating_habits import RatingHabits, habits_of
from kontrast.building.marked.ratings import MarkedError, RatedSegment
from kontrast.defaults import MARKED_CONFIDENCE

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
    return judges.get(pair or "any", judges["any"])


def marked_items(
    segments: Sequence[RatedSegment], options: MarkedOptions
) -> Iterator[tuple[RatedSegment, MarkedError, RepairCandidate | None, str]]:
    """Every mark with a place and the best pair for it, or why there is none; for measurement."""
    chooser = PairChooser(options, habits_of(segments))
    for segment in segments:
        scene = SideBySide(segment)
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
