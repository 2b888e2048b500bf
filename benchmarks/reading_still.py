"""What the rules of today make of candidates that were read: still chosen, weak, left out, or no longer made."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from kontrast.building.checks.source import weighed
from kontrast.building.errors.registry import listed
from kontrast.building.errors.run import annotator_for, candidates_of
from reading_files import Reading
from reading_samples import Entry, Sample


class Now(NamedTuple):
    """A read candidate, whether every reader accepted it, and what the rules make of it."""

    entry: Entry
    accepted: bool
    state: str
    reason: str


def states(samples: Sequence[Sample], readings: Sequence[Reading], annotator: str | None = None) -> list[Now]:
    """The read candidates of the samples (one language), each once, in the order of their ids."""
    language = samples[0].language
    said = defaultdict(list)
    for reading in readings:
        if reading.about["language"] == language:
            for one in reading.said:
                said[one.id].append(one)
    entries = {e.id: e for sample in samples for e in sample.entries if e.id in said}
    texts = sorted({e.text for e in entries.values()})
    types = {name: listed(language, (name,))[0] for name in sorted({e.type for e in entries.values()})}
    reader = annotator_for(language, list(types.values()), annotator)
    trees = dict(zip(texts, reader.annotate(texts), strict=True))
    found = []
    for key, e in sorted(entries.items()):
        sentence = msgspec.structs.replace(trees[e.text], source=e.source)
        made = [c for c in candidates_of(types[e.type], sentence) if c.text == e.foil]
        left: Counter[str] = Counter()
        kept = weighed(made, sentence, language, left) if e.source.strip() else made
        if not kept:
            state = next(iter(left), "not made")
        else:
            state = "not sure" if not any(c.is_sure for c in kept) else "chosen"
        refused = [one for one in said[key] if one.verdict != "yes"]
        found.append(Now(e, not refused, state, refused[0].reason if refused else ""))
    return found


def table(found: Sequence[Now]) -> list[dict[str, Any]]:
    """A row per type: accepted and refused, all and those still chosen, and the share among these."""
    rows = []
    for name in [*sorted({one.entry.type for one in found}), "all"]:
        mine = [one for one in found if name in (one.entry.type, "all")]
        yes = sum(one.accepted and one.state == "chosen" for one in mine)
        no = sum(not one.accepted and one.state == "chosen" for one in mine)
        rows.append(
            {
                "type": name,
                "accepted": sum(one.accepted for one in mine),
                "still": yes,
                "refused": sum(not one.accepted for one in mine),
                "still refused": no,
                "share": round(yes / (yes + no), 3) if yes + no else None,
            }
        )
    return rows
