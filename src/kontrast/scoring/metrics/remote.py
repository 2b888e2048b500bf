"""A metric that lives in Ray workers: segments are dealt out in shares, the scores come back in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from kontrast.cluster import Actors, Runner
from kontrast.errors import KontrastError
from kontrast.progress import Advance
from kontrast.scoring.metrics import load_metric, split_name
from kontrast.scoring.metrics.metric import MetricOptions, Segment, shares_of

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
