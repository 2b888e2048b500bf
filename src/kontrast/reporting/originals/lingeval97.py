"""LingEval97: every (reference, error) pair on its own, strictly; by category, distance and training frequency."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kontrast.errors import KontrastError
from kontrast.reporting.originals import Options, Tally, fraction
from kontrast.suites import files
from kontrast.suites.model import Item, Scores, Suite, Variant

OPTIONS = frozenset({"maximize", "categories", "fd", "latex", "latex_polarity", "v", "outputs"})
HIGHER_IS_BETTER = False

_DELETED = ("polarity_particle_nicht_del", "polarity_particle_kein_del", "polarity_affix_del")
_INSERTED = ("polarity_particle_nicht_ins", "polarity_particle_kein_ins", "polarity_affix_ins")
CATEGORIES = (
    "np_agreement",
    "subj_verb_agreement",
    "subj_adequacy",
    *_DELETED,
    *_INSERTED,
    "auxiliary",
    "verb_particle",
    "compound",
    "transliteration",
)

_DISTANCES = (*map(str, range(16)), ">15")
_TOPS = {"0": 0, "1": 1, "2": 2, ">2": 5, ">5": 10, ">10": 20, ">20": 50, ">50": 100, ">100": 200}
_TOPS |= {">200": 500, ">500": 1000, ">1k": 2000, ">2k": 5000, ">5k": 10_000}
_FREQUENCIES = (">10k", *reversed(_TOPS))

Counts = dict[tuple[str, object, object], list[int]]
"""Right and all pairs by category, distance and frequency as the suite gives them; bins come after counting."""


def lines(suite: Suite, scores: Scores, options: Options) -> Iterator[str]:
    categories = _chosen(options)
    if options.v:
        yield from _verbose(suite, scores, set(categories), _read_outputs(options.outputs))
    yield from summary(_count(suite, scores), options)


def summary(counts: Counts, options: Options) -> Iterator[str]:
    """All tables from the counted pairs."""
    chosen = set(_chosen(options))
    by_category, by_distance, by_frequency, by_both = Tally(), Tally(), Tally(), Tally()
    for (category, distance, frequency), (right, total) in counts.items():
        if category not in chosen:
            continue
        where = _distance_bin(distance), _frequency_bin(frequency)
        _add(by_category, category, right, total)
        _add(by_distance, where[0], right, total)
        _add(by_frequency, where[1], right, total)
        if None not in where:
            _add(by_both, f"frequency: {where[1]} distance: {where[0]}", right, total)

    yield f"total : {fraction(*by_category.counts(*by_category))}"
    yield ""
    yield "statistics by error category"
    yield from (by_category.line(name) for name in CATEGORIES if name in by_category)
    yield ""
    yield "statistics by distance"
    yield from (by_distance.line(name, "distance {}:") for name in _DISTANCES if name in by_distance)
    yield ""
    yield "statistics by frequency in training data"
    yield from (by_frequency.line(name) for name in _FREQUENCIES if name in by_frequency)
    yield ""
    if options.fd:
        yield "statistics by frequency and distance"
        names = (f"frequency: {f} distance: {d}" for f in _FREQUENCIES for d in _DISTANCES)
        yield from (by_both.line(name, "{}:") for name in names if name in by_both)
        yield ""
    if options.latex:
        yield "LaTeX table"
        columns = [("np_agreement",), ("subj_verb_agreement",), ("verb_particle",), _INSERTED, _DELETED]
        yield from _latex(by_category, [*columns, ("transliteration",)])
    if options.latex_polarity:
        yield "LaTeX table (polarity)"
        yield from _latex(by_category, [(name,) for name in (*_INSERTED, *_DELETED)])


def _count(suite: Suite, scores: Scores) -> Counts:
    counts: Counts = {}
    for _, _, foil, mine, other in _pairs(suite, scores):
        key = (foil.error or "", foil.tags.get("distance"), foil.tags.get("frequency"))
        count = counts.get(key)
        if count is None:
            count = counts[key] = [0, 0]
        count[0] += mine < other if scores.lower_is_better else mine > other
        count[1] += 1
    return counts


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
        yield f"error: {foil.error}"
        yield f"source: {item.source}"
        yield f"correct (score {mine}): {best.text}"
        yield f"error (score {other}): {foil.text}"
        test_set, _, number = origin.rpartition(".")
        if test_set in outputs:
            if not number.isdigit() or not 1 <= int(number) <= len(outputs[test_set]):
                raise KontrastError(
                    f"the output for {test_set} has {len(outputs[test_set])} lines; {origin} is not among them"
                )
            yield f"1best: {outputs[test_set][int(number) - 1]}"
            yield ""  # the original keeps the line's own end
        yield ""


def _chosen(options: Options) -> tuple[str, ...]:
    if unknown := [name for name in options.categories if name not in CATEGORIES]:
        raise KontrastError(f"there is no category {', '.join(unknown)}; choose from {', '.join(CATEGORIES)}")
    return options.categories or CATEGORIES


def _read_outputs(outputs: dict[str, str]) -> dict[str, list[str]]:
    return {name: files.read_lines(path) for name, path in outputs.items()}


def _add(tally: Tally, name: str | None, right: int, total: int) -> None:
    if name is not None:
        before = tally.get(name, (0, 0))
        tally[name] = [before[0] + right, before[1] + total]


def _distance_bin(value: object) -> str | None:
    if value is None:
        return None
    name = _whole(value)
    return name if name in _DISTANCES else ">15"


def _frequency_bin(value: object) -> str | None:
    if value is None:
        return None
    name = _whole(value)
    if name is None or name.startswith("-"):
        return ">10k"
    return next((bin_name for bin_name, top in _TOPS.items() if int(name) <= top), ">10k")


def _whole(value: object) -> str | None:
    """A whole number as text; only zero may be written as a string, as in the original's tables."""
    if isinstance(value, int | float) and value == value and int(value) == value:
        return str(int(value))
    return "0" if value == "0" else None


def _latex(tally: Tally, columns: Iterable[tuple[str, ...]]) -> Iterator[str]:
    counts = [tally.counts(*names) for names in columns]
    yield " & ".join(str(total) for _, total in counts)
    yield " & ".join(f"{right / total * 100:.1f}" if total else "-" for right, total in counts)
