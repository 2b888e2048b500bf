"""LingEval97 (Sennrich 2017, EN-DE): a JSON list of references, each with its errors.

``{"source", "reference", "origin", "errors": [{"type", "contrastive", "distance"?, "frequency"?}]}``; each error is a
decision of its own against its reference. Other keys are kept as tags and written back.
"""

import io
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import compress, repeat
from operator import gt, lt
from pathlib import Path
from typing import Any

import msgspec

from kontrast.errors import KontrastError
from kontrast.io import files
from kontrast.io.json_input import FAILURES, refuse_repeated_keys
from kontrast.suites.formats.entry import read_references, references_layout, write_references
from kontrast.suites.model import Item, Scores, Suite, Tags, Variant
from kontrast.suites.testset import Bins, Columns, Original, Request, declaration
from kontrast.testsets.originals import Options, Tally, titled

DELETED = ("polarity_particle_nicht_del", "polarity_particle_kein_del", "polarity_affix_del")
INSERTED = ("polarity_particle_nicht_ins", "polarity_particle_kein_ins", "polarity_affix_ins")
_SET = declaration(Path(__file__).with_suffix(".toml"))
assert isinstance(_SET.original, Original)
CATEGORIES = _SET.original.options[0].choices


LAYOUT = references_layout(_SET.references)
write = partial(write_references, layout=LAYOUT)

UNSET = msgspec.UNSET
Number = int | float | None | msgspec.UnsetType


class _Error(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    contrastive: str
    type: str
    distance: Number = UNSET
    frequency: Number = UNSET


class _Reference(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    source: str
    reference: str
    errors: list[_Error]
    origin: str | msgspec.UnsetType | None = UNSET


def read(path: Path) -> Suite:
    data = files.read_bytes(path)
    if (entries := _decoded(path, data)) is None:  # keys of its own, or a fault: slower, keeps and explains
        items, extra = read_references(path, data, LAYOUT)
    else:
        items, extra = tuple(map(_item, range(1, len(entries) + 1), entries)), {}
    name = files.suite_name(path)
    return Suite(name, items, "en", "de", unit="pair", style="lingeval97", extra=extra)


def _decoded(path: Path, data: bytes) -> list[_Reference] | None:
    """The references, where they have the keys of the published set alone."""
    try:
        entries = msgspec.json.decode(data, type=list[_Reference])
    except FAILURES:
        return None
    refuse_repeated_keys(data, path)
    return entries


class Pairs(msgspec.Struct, frozen=True):
    """A file's pairs in columns, without their texts: what its evaluation needs, in less time and memory.

    The columns have a value per error in file order (None: not given); ``sizes`` is how many each reference has.
    """

    name: str
    sizes: list[int]
    types: list[str]
    distances: list[Number]
    frequencies: list[Number]
    style: str = "lingeval97"

    @property
    def row_count(self) -> int:
        return len(self.sizes) + len(self.types)


def quick_read(path: Path, options: Options) -> Pairs | None:
    """The file without its texts where they are not printed; None: it must be read whole."""
    if options["v"]:
        return None
    if (entries := _decoded(path, files.read_bytes(path))) is None:
        return None
    errors = [error for entry in entries for error in entry.errors]
    return Pairs(
        files.suite_name(path),
        [len(entry.errors) for entry in entries],
        [error.type for error in errors],
        [error.distance for error in errors],
        [error.frequency for error in errors],
    )


def _item(number: int, entry: _Reference) -> Item:
    variants = [Variant(entry.reference)]
    for error in entry.errors:
        tags: Tags = {}
        if error.distance is not UNSET:
            tags["distance"] = error.distance
        if error.frequency is not UNSET:
            tags["frequency"] = error.frequency
        variants.append(Variant(error.contrastive, error.type, None, tags))
    tags = {} if entry.origin is UNSET else {"origin": entry.origin}
    return Item(str(number), entry.source, tuple(variants), tags=tags)


def columns(suite: Suite, request: Request) -> Columns:
    """LingEval97's layout: ``NAME.en`` and ``NAME.de``, a row a line, the source repeated."""
    rows = list(suite.rows())
    return {
        f"{request.name}.{request.source}": [row.item.source for row in rows],
        f"{request.name}.{request.target}": [row.variant.text for row in rows],
    }


_DISTANCES, _FREQUENCIES = _SET.bins["distance"], _SET.bins["frequency"]
_MOST_FREQUENT_FIRST = (_FREQUENCIES.above, *reversed(_FREQUENCIES.names))


def lines(suite: Suite | Pairs, scores: Scores, options: Options) -> Iterator[str]:
    """Every (reference, error) pair on its own, strictly; by category, distance and training frequency."""
    chosen = set(options["categories"] or CATEGORIES)
    if options["v"] and isinstance(suite, Suite):
        # Lines with their ends, as Python reads a text file: the last may have none, and every end is a line feed.
        texts = {name: io.StringIO(files.read_text(path), None) for name, path in options["outputs"].items()}
        yield from _verbose(suite, scores, chosen, {name: text.readlines() for name, text in texts.items()})
    columns = _columns(suite, scores)
    if not chosen.issuperset(columns[0]):
        active = [category in chosen for category in columns[0]]
        columns = [list(compress(column, active)) for column in columns]
    categories, far, often, right = columns
    distances, frequencies = _named(far, _DISTANCES), _named(often, _FREQUENCIES)
    by_category = _tally(categories, right, {name: name for name in CATEGORIES})
    by_distance, by_frequency = _tally(far, right, distances), _tally(often, right, frequencies)

    nearest = (*_DISTANCES.names, _DISTANCES.above)
    rows = (by_distance.line(name, "distance {}:") for name in nearest if name in by_distance)
    yield by_category.total()
    yield from titled("statistics by error category", map(by_category.line, filter(by_category.get, CATEGORIES)))
    yield from titled("statistics by distance", rows)
    rows = (by_frequency.line(name) for name in _MOST_FREQUENT_FIRST if name in by_frequency)
    yield from titled("statistics by frequency in training data", rows)
    yield ""
    if options["fd"]:
        yield "statistics by frequency and distance"
        by_both = Tally()
        for distance, frequency, better in zip(far, often, right, strict=True):
            if distance in distances and frequency in frequencies:
                by_both.add(f"frequency: {frequencies[frequency]} distance: {distances[distance]}", better)
        names = (f"frequency: {f} distance: {d}" for f in _MOST_FREQUENT_FIRST for d in nearest)
        yield from (by_both.line(name, "{}:") for name in names if name in by_both)
        yield ""
    if options["latex"]:
        yield "LaTeX table"
        merged = [("np_agreement",), ("subj_verb_agreement",), ("verb_particle",), INSERTED, DELETED]
        yield from _latex(by_category, [*merged, ("transliteration",)])
    if options["latex_polarity"]:
        yield "LaTeX table (polarity)"
        yield from _latex(by_category, [(name,) for name in (*INSERTED, *DELETED)])


def _columns(suite: Suite | Pairs, scores: Scores) -> list[list[Any]]:
    """All pairs, a value each: category, distance and frequency as the suite gives them, and is it right?"""
    better = lt if scores.lower_is_better else gt
    if isinstance(suite, Suite):
        pairs = list(_pairs(suite, scores))
        return [
            [foil.error or "" for _, _, foil, _, _ in pairs],
            [_number(foil.tags.get("distance")) for _, _, foil, _, _ in pairs],
            [_number(foil.tags.get("frequency")) for _, _, foil, _, _ in pairs],
            [better(mine, other) for *_, mine, other in pairs],
        ]
    right: list[bool] = []
    values, row = scores.values, 0
    for size in suite.sizes:
        right += map(better, repeat(values[row], size), values[row + 1 : row + 1 + size])
        row += 1 + size
    return [suite.types, suite.distances, suite.frequencies, right]


def _pairs(suite: Suite, scores: Scores) -> Iterator[tuple[Item, Variant, Variant, float, float]]:
    start = 0
    for item in suite.items:
        mine = scores.values[start + item.correct]
        for row, variant in enumerate(item.variants, start=start):
            if row != start + item.correct:
                yield item, item.best, variant, mine, scores.values[row]
        start += len(item.variants)


def _verbose(suite: Suite, scores: Scores, chosen: set[str], outputs: dict[str, list[str]]) -> Iterator[str]:
    for item, best, foil, mine, other in _pairs(suite, scores):
        if foil.error not in chosen or (mine < other if scores.lower_is_better else mine > other):
            continue
        origin = str(item.tags.get("origin", item.id))
        yield f"id: {origin}"
        values = {name: _number(foil.tags.get(name)) for name in _SET.bins}
        if known := [f"{name}: {_bin(_SET.bins[name], v)}" for name, v in values.items() if v is not None]:
            yield " ".join(known)
        yield f"error: {foil.error}"
        yield f"source: {item.source}"
        yield f"correct (score {mine}): {best.text}"
        yield f"error (score {other}): {foil.text}"
        test_set, _, number = origin.rpartition(".")
        if test_set in outputs:
            if not number.isdecimal() or not 1 <= int(number[:9]) <= len(outputs[test_set]):
                raise KontrastError(
                    f"the output for {test_set} has {len(outputs[test_set])} lines; {origin} is not among them"
                )
            line = outputs[test_set][int(number[:9]) - 1]
            yield f"1best: {line.removesuffix(chr(10))}"
            if line.endswith("\n"):
                yield ""  # the original keeps the line's own end
        yield ""


def _number(value: Any) -> Any:
    return value if isinstance(value, int | float | str) else None


def _named(values: list[Any], bins: Bins) -> dict[Any, str]:
    """The bin of each value that occurs; an error without the annotation is in none."""
    return {value: _bin(bins, value) for value in set(values) if value is not None and value is not UNSET}


def _tally(values: list[Any], right: list[bool], bins: dict[Any, str]) -> Tally:
    tally, rights = Tally(), Counter(compress(values, right))
    for value, total in Counter(values).items():
        if value in bins:
            before = tally.setdefault(bins[value], [0, 0])
            before[0] += rights[value]
            before[1] += total
    return tally


def _bin(bins: Bins, value: Any) -> str:
    """What is no whole number from 0 on is in the bin of the largest, as in the original.

    Only zero may be written as text, as in the original's tables.
    """
    whole = type(value) is int or (isinstance(value, float) and value.is_integer())
    number = value if whole else 0 if value == "0" else -1
    return bins.place(number)[1] if number >= 0 else bins.above


def _latex(tally: Tally, columns: Iterable[tuple[str, ...]]) -> Iterator[str]:
    counts = [tally.counts(*names) for names in columns]
    yield " & ".join(str(total) for _, total in counts)
    yield " & ".join(f"{right / total * 100:.1f}" if total else "-" for right, total in counts)
