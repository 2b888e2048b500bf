"""Consistency sets (Voita et al. 2019, EN-RU): n variants of a whole passage, one of them consistent.

``[{"src", "dst": […], "true_ind", "ctx_dist"?}]``, sentences of a passage joined by `` _eos ``. The last sentence is
the text, those before it are the context, which differs between variants; ``ctx_dist`` is the tag ``distance``.
"""

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import msgspec

from kontrast.errors import KontrastError
from kontrast.io import files
from kontrast.suites.formats.entry import FileEntry, read_entries
from kontrast.suites.formats.format import Lost
from kontrast.suites.formats.loss import losses
from kontrast.suites.model import Item, Scores, Suite, Variant
from kontrast.testsets.originals import Options, Tally

SEPARATOR = " _eos "

_PHENOMENA = ("deixis", "lex_cohesion", "ellipsis_infl", "ellipsis_vp")


def read(path: Path) -> Suite:
    name = files.suite_name(path)
    phenomenon = next((p for p in _PHENOMENA if name.startswith(p)), "consistency")
    items = tuple(_item(entry, i, phenomenon) for i, entry in read_entries(path, "src, dst and true_ind"))
    return Suite(name, items, "en", "ru", style="consistency")


def _item(entry: FileEntry, number: int, phenomenon: str) -> Item:
    *before, source = entry.text("src").split(SEPARATOR)
    targets, correct = entry.texts("dst"), entry.whole("true_ind")
    if not 0 <= correct < len(targets):
        raise entry.fault(f'expected "true_ind" below {len(targets)} (the texts in "dst"), found {correct}')
    variants = []
    for i, target in enumerate(targets):
        *context, text = target.split(SEPARATOR)
        variants.append(Variant(text, None if i == correct else phenomenon, tuple(context)))
    tags = {"phenomenon": phenomenon, **entry.rest(distance="ctx_dist")}
    return Item(str(number), source, tuple(variants), correct, source_context=tuple(before), tags=tags)


def write(suite: Suite, path: Path) -> list[Lost]:
    entries = []
    for item in suite.items:
        tags = {key: value for key, value in item.tags.items() if key not in ("phenomenon", "distance")}
        if "distance" in item.tags:
            tags["ctx_dist"] = item.tags["distance"]
        shared = item.target_context or ()
        source = (*(item.source_context or ()), item.source)
        targets = [(*(shared if v.context is None else v.context), v.text) for v in item.variants]
        if any(SEPARATOR.strip() in text.split() for text in (*shared, *chain(source, *targets))):
            raise KontrastError(f"the consistency format cannot store item {item.id}: a sentence has{SEPARATOR}in it")
        joined = {"src": SEPARATOR.join(source), "dst": list(map(SEPARATOR.join, targets))}
        entries.append({**tags, **joined, "true_ind": item.correct})
    with files.writing(path) as out:
        out.write(msgspec.json.encode(entries).decode() + "\n")
    kept = {"correct", "source_context", "target_context", "tags", "variant.context"}
    return [lost for lost in losses(suite, kept) if not (lost.field == "error" and suite.style == "consistency")]


def lines(suite: Suite, scores: Scores, options: Options) -> Iterator[str]:
    """Consistency sets: the smallest loss wins, the first index on a tie, so a constant scorer can look perfect."""
    tally, right_count, won_by_tie, start = Tally(), 0, 0, 0
    values = scores.values if scores.lower_is_better else tuple(-value for value in scores.values)
    for item in suite.items:
        losses = values[start : start + len(item.variants)]
        start += len(item.variants)
        right = losses.index(min(losses)) == item.correct
        right_count += right
        won_by_tie += right and losses.count(losses[item.correct]) > 1
        if (distance := item.tags.get("distance")) in (1, 2, 3):  # 1.0 is, "1" is not
            tally.add(str(int(distance)), right)

    yield f"Test set:  {suite.name}"
    yield f"Total accuracy:  {right_count / len(suite.items) if suite.items else 'nan'}"
    # the original gives no distances for its two ellipsis sets
    if not suite.name.startswith("ellipsis"):
        yield ""
        yield "Accuracy for different distances between sentences requiring consistency."
        for distance in ("1", "2", "3"):
            right_here, total = tally.counts(distance)
            yield f"{distance}: {right_here / total if total else 'nan'}"
    if won_by_tie:
        print(
            f"kontrast: warning: {won_by_tie} of {right_count} right answers are ties, which the original counts "
            f"for the first variant; a constant scorer would also win them",
            file=sys.stderr,
        )
