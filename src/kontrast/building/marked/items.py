"""Items from the marks of a segment, and the counts of marks that gave none."""

from __future__ import annotations

import msgspec

from kontrast.building.marked.choosing import PairChooser
from kontrast.building.marked.kinds import kind_of
from kontrast.building.marked.partners import RepairCandidate, SideBySide
from kontrast.building.marked.ratings import MarkedError, RatedSegment
from kontrast.suites.model import Item, Tags, Variant


class MarkedItems(msgspec.Struct):
    """What a shard gives: items, marks by category and severity with those used, and reasons for the others."""

    items: list[Item] = []
    marks: dict[str, list[int]] = {}
    nothing: dict[str, int] = {}

    def add(self, segment: RatedSegment, context: list[RatedSegment], chooser: PairChooser, language: str) -> None:
        """Add the items of a segment.

        The same words for the same words, in outputs of several systems, are one item; ``context`` are the segments
        before it.
        """
        found: dict[tuple[tuple[str, ...], tuple[str, ...]], list[tuple[MarkedError, RepairCandidate]]] = {}
        counted: list[tuple[MarkedError, str]] = []
        scene = SideBySide(segment)
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
        self.items += [_item(segment, pairs, language, context) for pairs in found.values()]


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
