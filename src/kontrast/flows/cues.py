"""Which words of the context a system uses: leave-one-out over any engine, within a budget."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Unpack

import msgspec

from kontrast.analysis.cues import Cues, Probe, sentence_probes, weigh, word_probes
from kontrast.errors import KontrastError
from kontrast.flows.inputs import SuiteLike
from kontrast.flows.scoring import Asked, open_store, prepared
from kontrast.judging.decisions import decisions_of
from kontrast.judging.verdicts import larger_is_better, verdicts_of
from kontrast.scoring.context import Context, Contexts
from kontrast.scoring.engine import Engine, EngineOptions
from kontrast.scoring.plan import make_plan
from kontrast.scoring.store import Store
from kontrast.scoring.trained import with_trained_scheme
from kontrast.suites.context import ContextSpan
from kontrast.suites.model import Item, Row, Scores, Suite

__all__ = ["cues"]


def cues(
    suite: SuiteLike,
    model: str | Engine,
    *,
    context: str | Context = "prev:1",
    replace: str | None = None,
    max_calls: int | None = None,
    store: Store | str | Path | bool | None = None,
    format: str | None = None,
    **asked: Unpack[Asked],
) -> Cues:
    """Leave out each sentence of the context, then each word (or put ``replace`` in its place), as `kontrast cues`.

    What a piece changes of the margin is its weight. ``max_calls`` limits the pairs of source and target that are
    scored: words of the heaviest sentences come first. Everything else is what `kontrast.score` takes.

    >>> import sys
    >>> import kontrast
    >>> from kontrast import Item, Suite, Variant
    >>> item = Item("1", "it", (Variant("er"), Variant("sie")), source_context=("the lamp",))
    >>> program = "import sys\\nfor l in sys.stdin: print(float('lamp' in l and 'er' in l))"
    >>> model = f"command:{sys.executable} -c \\"{program}\\""
    >>> found = kontrast.cues(Suite("s", (item,)), model, side="source")
    >>> [(word.text, round(word.weight, 2)) for word in found.cues[0].words]
    [('the', 0.0), ('lamp', -1.44)]
    """
    loaded, chosen, options = prepared(suite, context, format, asked)
    if chosen.span is None or chosen.span.next:
        raise KontrastError("--context: expected sentences before the current one, as in prev:1")
    chosen = with_trained_scheme(chosen, model if isinstance(model, str) else None)
    cut = _cut(loaded, chosen)
    if not cut:
        raise KontrastError(f"{loaded.name}: no item has context to leave out: give --documents DIR")
    run = _Run(loaded, model, msgspec.structs.replace(chosen, span=ContextSpan(None, 0, 10**9)), options, max_calls)
    opened = open_store(store)
    try:
        first = _within(sentence_probes(cut), run)
        cut = {index: item for index, item in cut.items() if index in {probe.item_index for probe in first}}
        margins, sentences = run.margins(cut, first, opened)
        heavy = {(p.item_index, p.sentence): abs(margins[p.item_index] - m) for p, m in sentences}
        languages = (loaded.source_language, loaded.target_language)
        every = sorted(
            word_probes(cut, languages, replace), key=lambda p: -round(heavy.get((p.item_index, p.sentence), 0.0), 9)
        )
        words = _within(every, run)
        _, weighed = run.margins(cut, words, opened)
    finally:
        if opened is not None and opened is not store:
            opened.close()
    single, total, by_distance, by_place = weigh(loaded, cut, margins, [*sentences, *weighed])
    notes = []
    if len(words) < len(every):
        notes.append(f"--max-calls: {len(every) - len(words):,} of {len(every):,} words were not looked at")
    if total is None:
        notes.append("no item has both weight and words that are marked: there is no share to compare with chance")
    left = len(loaded.items) - len(cut)
    if left:
        notes.append(f"{left:,} items without context, or beyond --max-calls, are not in it")
    return Cues(
        suite=loaded.name,
        system=run.system,
        context=str(chosen),
        neutral=replace,
        items=len(cut),
        total=total,
        by_distance=by_distance,
        by_place=by_place,
        rows=run.rows,
        calls=run.calls,
        sources=run.sources,
        cues=tuple(single),
        notes=tuple(notes),
    )


def _cut(suite: Suite, context: Context) -> dict[int, Item]:
    """Items that decide something, with the context that the model would read and no more."""
    contexts = Contexts(suite, context)
    items = {}
    for index, item in enumerate(suite.items):
        before, _, target = contexts.of(Row(item, item.best, index, item.correct))
        if len(item.variants) > 1 and (before or target):
            items[index] = msgspec.structs.replace(
                item, source_context=before, target_context=target, source_next=None, target_next=None
            )
    contexts.amounts()
    return items


def _within(probes: Iterable[Probe], run: _Run) -> list[Probe]:
    """As many probes as the budget still allows."""
    chosen = []
    for probe in probes:
        cost = len(probe.item.variants)
        if run.most is not None and run.planned + cost > run.most:
            break
        run.planned += cost
        chosen.append(probe)
    return chosen


class _Run:
    """Scores items with and without pieces of context, and counts."""

    def __init__(
        self, suite: Suite, model: str | Engine, context: Context, options: EngineOptions, most: int | None
    ) -> None:
        self.suite, self.model, self.context, self.options, self.most = suite, model, context, options, most
        self.system, self.rows, self.calls, self.sources, self.planned = "", 0, 0, 0, 0
        self.whole: dict[int, float] = {}

    def margins(
        self, items: dict[int, Item], probes: Sequence[Probe], store: Store | None
    ) -> tuple[dict[int, float], list[tuple[Probe, float]]]:
        """Margins in bits of the whole items, once, and of the probes."""
        first = [] if self.whole else list(items.items())
        every = [*(item for _, item in first), *(probe.item for probe in probes)]
        if not every:
            return self.whole, []
        derived = msgspec.structs.replace(self.suite, items=tuple(every), unit="item")
        plan = make_plan(derived, self.context)
        self.rows += derived.row_count
        self.calls += plan.target_count
        self.sources += len(plan.groups)
        scores = self._score(derived, store)
        found = (verdicts_of(decisions_of(derived, "item"), larger_is_better(scores)).margin / math.log(2)).tolist()
        for (index, _), margin in zip(first, found, strict=False):
            self.whole[index] = margin
        return self.whole, list(zip(probes, itertools.islice(found, len(first), None), strict=True))

    def _score(self, derived: Suite, store: Store | None) -> Scores:
        from kontrast.scoring.run import score

        scores = score(derived, self.model, options=self.options, context=self.context, store=store, verbose=True)
        self.system = scores.system
        return scores
