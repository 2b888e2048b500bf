"""Which words of the context a system uses: leave-one-out over any engine, within a budget."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from typing import Annotated, Unpack

import msgspec

from kontrast.analysis.cues import Cues, Probe, sentence_probes, weigh, word_probes
from kontrast.defaults import SEED
from kontrast.errors import KontrastError
from kontrast.flows.inputs import SuiteLike, as_suite
from kontrast.flows.scoring import opened_store, prepared
from kontrast.judging.decisions import decisions_of
from kontrast.judging.verdicts import larger_is_better, verdicts_of
from kontrast.options import SuiteFormat, filled, keywords, option, part
from kontrast.scoring.context import Context, Contexts, with_trained_scheme
from kontrast.scoring.engine import Engine, EngineOptions
from kontrast.scoring.options import Score, ScoringControl, asked
from kontrast.scoring.plan import make_plan
from kontrast.scoring.run import score
from kontrast.scoring.store import Store
from kontrast.suites.documents import ContextSpan
from kontrast.suites.model import Item, Row, Scores, Suite


class CueOptions(ScoringControl, total=False):
    """All of `kontrast cues` but the model."""

    context: Annotated[str | Context, option("Number of previous sentences.", default="prev:1", metavar="prev:N")]
    replace: Annotated[
        str | None, option("Replace a word with this text. Default: leave the word out.", metavar="TEXT")
    ]
    max_calls: Annotated[int | None, option("Score at most N pairs of source and target.", metavar="N", least=1)]
    format: SuiteFormat


@keywords(CueOptions)
def cues(suite: SuiteLike, model: str | Engine, **options: Unpack[CueOptions]) -> Cues:
    """Leave out each sentence of the context, then each word (or put ``replace`` in its place), as `kontrast cues`.

    The weight of a piece is the change of the margin. ``max_calls`` limits the pairs of source and target that are
    scored: whole items, drawn at random. Everything else is what `kontrast.score` takes.

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
    how = asked(CueOptions, options, cues)
    replace, max_calls = how["replace"], how["max_calls"]
    scoring = filled(Score, part(Score, how), cues)
    loaded, chosen, engine_options = prepared(as_suite(suite, how["format"]), scoring)
    if chosen.span is None or chosen.span.next:
        raise KontrastError("--context: expected sentences before the current one, as in prev:1")
    chosen = with_trained_scheme(chosen, model if isinstance(model, str) else None)
    cut = _cut(loaded, chosen)
    if not cut:
        raise KontrastError(f"{loaded.name}: no item has context to leave out: give --documents DIR")
    languages = (loaded.source_language, loaded.target_language)
    probes = {
        index: [*sentence_probes({index: item}), *word_probes({index: item}, languages, replace)]
        for index, item in cut.items()
    }
    within = _within(probes, cut, max_calls)
    if not within:
        least = min((1 + len(probes[index])) * len(item.variants) for index, item in cut.items())
        raise KontrastError(f"--max-calls {max_calls}: an item needs at least {least} calls")
    run = _Run(loaded, model, msgspec.structs.replace(chosen, span=ContextSpan(None)), engine_options)
    with opened_store(how["store"]) as store:
        margins, weighed = run.margins(within, [probe for index in within for probe in probes[index]], store)
    nouns, unknown = _nouns(within, languages)
    single, total, by_distance, by_place = weigh(loaded, within, margins, weighed, nouns)
    notes = [f"no annotator for {language!r} is installed: chance by nouns is left out" for language in unknown]
    if len(within) < len(cut):
        notes.append(f"--max-calls: {len(within):,} of {len(cut):,} items, drawn at random")
    if total is None:
        notes.append("no item has both weights and marked words, so there is no share to compare with chance")
    left = len(loaded.items) - len(cut)
    if left:
        notes.append(f"{left:,} items without context or with one variant are left out")
    return Cues(
        suite=loaded.name,
        system=run.system,
        context=str(chosen),
        neutral=replace,
        items=len(within),
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


def _within(probes: Mapping[int, Sequence[Probe]], items: Mapping[int, Item], most: int | None) -> dict[int, Item]:
    """As many whole items as the budget allows, drawn at random, in suite order: no item is looked at by half."""
    if most is None:
        return dict(items)
    order = list(items)
    random.Random(SEED).shuffle(order)
    chosen = set()
    for index in order:
        cost = (1 + len(probes[index])) * len(items[index].variants)
        if cost <= most:
            most -= cost
            chosen.add(index)
        elif chosen:
            break  # to go on with shorter contexts would favour them
    return {index: item for index, item in items.items() if index in chosen}


def _nouns(
    items: Mapping[int, Item], languages: tuple[str | None, str | None]
) -> tuple[dict[str, dict[str, set[int]]], list[str]]:
    """Where nouns begin in each sentence of the contexts, for sides that have an annotator; and languages without."""
    from kontrast.language.annotators import available, get

    found: dict[str, dict[str, set[int]]] = {}
    unknown = []
    for side, language in zip(("source", "target"), languages, strict=True):
        texts = {
            text: None
            for item in items.values()
            for text in (item.source_context if side == "source" else item.target_context) or ()
        }
        if not texts:
            continue
        if language is None or not available(language):
            unknown.append(language or f"the {side}")
            continue
        sentences = zip(texts, get(language).annotate(texts), strict=True)
        found[side] = {text: {t.start for t in s.tokens if t.pos in ("NOUN", "PROPN")} for text, s in sentences}
    return found, unknown


class _Run:
    """Scores items with and without pieces of context, and counts."""

    def __init__(self, suite: Suite, model: str | Engine, context: Context, options: EngineOptions) -> None:
        self.suite, self.model, self.context, self.options = suite, model, context, options
        self.system, self.rows, self.calls, self.sources = "", 0, 0, 0

    def margins(
        self, items: dict[int, Item], probes: Sequence[Probe], store: Store | None
    ) -> tuple[dict[int, float], list[tuple[Probe, float]]]:
        """Margins in bits of the whole items and of the probes."""
        every = [*items.values(), *(probe.item for probe in probes)]
        derived = msgspec.structs.replace(self.suite, items=tuple(every), unit="item")
        plan = make_plan(derived, self.context)
        self.rows, self.calls, self.sources = derived.row_count, plan.target_count, len(plan.groups)
        scores = self._score(derived, store)
        found = (verdicts_of(decisions_of(derived, "item"), larger_is_better(scores)).margin / math.log(2)).tolist()
        whole = dict(zip(items, found, strict=False))
        return whole, list(zip(probes, found[len(items) :], strict=True))

    def _score(self, derived: Suite, store: Store | None) -> Scores:
        scores = score(derived, self.model, options=self.options, context=self.context, store=store, verbose=True)
        self.system = scores.system
        return scores
