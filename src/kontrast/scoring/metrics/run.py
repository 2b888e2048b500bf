"""Score a suite with a metric: the result is `Scores` on the suite's rows, judged like any other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from kontrast.cluster import Actors, Runner
from kontrast.errors import KontrastError
from kontrast.progress import Advance, progress
from kontrast.scoring.context import Context
from kontrast.scoring.metrics import load_metric, split_name
from kontrast.scoring.metrics.metric import Metric, MetricOptions, Segment, shares_of
from kontrast.scoring.metrics.segments import make_segments
from kontrast.scoring.plan import refuse_not_finite
from kontrast.suites.documents import ContextSpan
from kontrast.suites.model import Scores, Signature, Suite


def score_metric(
    suite: Suite,
    metric: str | Metric,
    *,
    options: MetricOptions | None = None,
    context: Context | None = None,
    system: str | None = None,
    on: str | None = None,
    workers: int | None = None,
) -> Scores:
    """Score every variant of a suite as a translation, with the item's references, its source, or both.

    >>> from kontrast.suites.model import Item, Variant
    >>> variants = Variant("The dog sleeps."), Variant("The dog sleep.", error="agreement")
    >>> suite = Suite("tiny", (Item("1", "Der Hund schläft.", variants, references=(Variant("The dog sleeps."),)),))
    >>> scores = score_metric(suite, "TER")
    >>> [round(value, 1) for value in scores.values], scores.lower_is_better
    ([0.0, 33.3], True)
    """
    context = context or Context()
    if options is not None and options.window is not None and context.span is not None:
        raise KontrastError("--window and --context cannot be combined, because the window is the context")
    options = options or MetricOptions()
    options = msgspec.structs.replace(
        options,
        source_language=options.source_language or suite.source_language,
        target_language=options.target_language or suite.target_language,
    )
    if isinstance(metric, str):
        name, model, extra = split_name(metric)
        if name == "file":
            from kontrast.scoring.metrics.external import read

            if context.span is not None:
                raise KontrastError("file: has fixed scores; leave out --context")
            scores = read(suite, model, msgspec.structs.replace(options, extra={**options.extra, **extra}))
            return msgspec.structs.replace(scores, system=system or scores.system)
        metric = load_metric(metric, options) if on is None else RemoteMetric(metric, options, on, workers)
    try:
        if options.window is None:
            values = _values(suite, metric, context, options)
        else:
            spans = [ContextSpan(n) if n else None for n in range(options.window - 1, -1, -options.stride)]
            previous = [msgspec.structs.replace(context, span=span) for span in spans]
            windows = [_values(suite, metric, each, options) for each in previous]
            values = tuple(math.fsum(each) / len(each) for each in zip(*windows, strict=True))
    finally:
        if isinstance(metric, RemoteMetric):
            metric.close()
    refuse_not_finite(suite, metric.name, values)
    described = str(context) if options.window is None else f"window:{options.window},stride:{options.stride}"
    if options.reference_context and described != "none":
        described += ",reference-context"
    return Scores(
        system=system or metric.name,
        values=values,
        lower_is_better=metric.declaration.lower_is_better,
        signature=Signature(
            suite=suite.name,
            fingerprint=suite.fingerprint,
            engine="metric",
            model=metric.name,
            context=described,
            normalise="none",
            details=metric.details,
        ),
    )


def _values(suite: Suite, metric: Metric, context: Context, options: MetricOptions) -> tuple[float, ...]:
    made = make_segments(
        suite,
        metric.name,
        metric.declaration,
        context,
        reference_context=options.reference_context and context.span is not None,
        whole=options.window is not None,
    )
    total = sum(len(segment.hypotheses) for segment in made.segments)
    with progress(metric.name, total) as advance:
        shares = shares_of(made.segments, getattr(metric, "shard", 0))
        found = [scores for share in shares for scores in _scored(metric, share, advance)]
    places = zip(made.segment_of, made.hypothesis_of, strict=True)
    return tuple(found[segment][hypothesis] for segment, hypothesis in places)


def _scored(metric: Metric, segments: Sequence[Segment], advance: Advance) -> list[tuple[float, ...]]:
    """The metric's numbers, one per hypothesis; fewer or more are an error."""
    found = metric.score(segments, advance)
    if len(found) != len(segments):
        raise KontrastError(f"{metric.name} gave scores for {len(found)} segments; expected {len(segments)}")
    for scores, segment in zip(found, segments, strict=True):
        if len(scores) != len(segment.hypotheses):
            raise KontrastError(
                f"{metric.name} gave {len(scores)} scores for {len(segment.hypotheses)} translations: "
                f"{segment.hypotheses[0].text[:40]!r}"
            )
    return found


def score_metrics(
    suite: Suite,
    names: Sequence[str],
    *,
    options: MetricOptions | None = None,
    contexts: Sequence[Context] = (),
    on: str | None = None,
    workers: int | None = None,
) -> list[Scores]:
    """Every metric without context, then with each of the contexts: sentence and document level side by side.

    ``on`` names a Ray cluster on which ``workers`` processes share the work.
    """
    results = []
    place: dict[str, Any] = {"on": on, "workers": workers}
    for name, alone in zip(names, _told_apart(names), strict=True):
        plain = msgspec.structs.replace(options or MetricOptions(), window=None)
        results.append(score_metric(suite, name, options=plain, system=alone, **place))
        if split_name(name)[0] == "file":
            continue
        if options is not None and options.window is not None:
            label = f"{results[-1].system} +window:{options.window}"
            results.append(score_metric(suite, name, options=options, system=label, **place))
        for context in contexts:
            label = f"{results[-1].system.partition(' +')[0]} +{_short(context)}"
            results.append(score_metric(suite, name, options=options, context=context, system=label, **place))
    return results


def _told_apart(names: Sequence[str]) -> list[str | None]:
    """What to call metrics of one kind: by model and options. None: the kind says it.

    >>> _told_apart(["chrF", "BLEU", "bleu?max_ngram_order=2", "BERTScore:a", "BERTScore:b@http://c"])
    [None, 'BLEU', 'BLEU?max_ngram_order=2', 'BERTScore:a', 'BERTScore:b']
    """
    split = [split_name(name) for name in names]
    kinds = [kind for kind, _, _ in split]
    labels: list[str | None] = []
    for kind, model, extra in split:
        asked = "&".join(f"{key}={value}" for key, value in extra.items())
        named = kind + (f":{model.partition('@')[0]}" if model else "") + (f"?{asked}" if asked else "")
        labels.append(named if kinds.count(kind) > 1 and kind != "file" else None)
    return labels


def _short(context: Context) -> str:
    previous = context.span.previous if context.span else 0
    size = f"prev:{previous}" if previous is not None else f"tokens:{context.span.tokens if context.span else 0}"
    return f"{size} {context.control}" if context.control else size


_CHARACTERS = 100_000
"""Of a metric that scores each segment by itself, how much text is sent at a time."""


class RemoteMetric:
    """See `kontrast.scoring.metrics.metric.Metric`; close it when done."""

    def __init__(self, text: str, options: MetricOptions, on: str, workers: int | None) -> None:
        name = split_name(text)[0]
        if name.startswith("judge"):
            raise KontrastError(f"--on ray: {name} uses a server; leave out --on")
        options = msgspec.structs.replace(options, processes=1)
        gpus = 1 if options.device.startswith("cuda") else 0
        self._actors = Actors(Runner, [_MetricWork(text, options)], on=on, count=workers, gpus=gpus)
        self.name, self.declaration, self._shard = self._actors.first_answer("run", None)
        self.details: dict[str, str] = {}

    def score(self, segments: Sequence[Segment], advance: Advance) -> list[tuple[float, ...]]:
        found: list[tuple[float, ...]] = []
        said: list[dict[str, str]] = []
        shares = shares_by_work(segments) if self._shard is None else shares_of(segments, self._shard)
        for scores, details in self._actors.map("run", ((share,) for share in shares)):
            found += scores
            said.append(details)
            advance(sum(map(len, scores)))
        # What differs between shares, such as the number of references, is written as sacreBLEU writes it.
        known = {key: value for details in said for key, value in details.items()}
        same = {key: {details.get(key, value) for details in said} for key, value in known.items()}
        self.details = {key: known[key] if len(values) == 1 else "var" for key, values in same.items()}
        return found

    def close(self) -> None:
        self._actors.close()


def shares_by_work(segments: Sequence[Segment]) -> Iterator[Sequence[Segment]]:
    """The segments in shares of about as many characters."""
    start = work = 0
    for end, segment in enumerate(segments, start=1):
        work += sum(len(passage.text) for passage in (*segment.hypotheses, *segment.references))
        if work >= _CHARACTERS or end == len(segments):
            yield segments[start:end]
            start, work = end, 0


class _MetricWork:
    """One metric, loaded at the first call, here and after a restart: a share's scores, or without one what it is."""

    def __init__(self, text: str, options: MetricOptions) -> None:
        self._asked = (text, options)
        self._metric: Any = None

    def __call__(self, share: list[Segment] | None) -> tuple[Any, ...]:
        metric = self._metric = self._metric or load_metric(*self._asked)
        if share is None:
            return metric.name, metric.declaration, getattr(metric, "shard", None)
        return metric.score(share, lambda count: None), dict(metric.details)
