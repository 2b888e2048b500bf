"""Score a suite with metrics and judge them, from files or records."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, Unpack, overload

import msgspec

from kontrast.defaults import SEED
from kontrast.errors import KontrastError
from kontrast.flows.inputs import SuiteLike, as_suite, refuse_unknown
from kontrast.flows.judging import Resampling, chosen_judging
from kontrast.flows.trial import part_of, times_longer
from kontrast.io.names import file_name
from kontrast.judging.meta.records import Metrics
from kontrast.judging.meta.spans import MarkedSpans, read_spans, score_spans
from kontrast.scoring.context import Context, Control, parse_context
from kontrast.scoring.metrics.metric import MetricOptions
from kontrast.scoring.schemes import Scheme
from kontrast.scoring.telling import whole_takes
from kontrast.suites.model import Scores, Suite, Variant
from kontrast.suites.subset import chosen_items, item_lines

__all__ = ["MetricsAsked", "metrics"]


class MetricsAsked(Resampling, total=False):
    """What `metrics` takes beside the judging: the options of the command of the same names."""

    references: Sequence[str | Path]
    only: Sequence[str]
    context: str | Context | Sequence[str | Context]
    separator: str | None
    control: Control | Sequence[Control]
    outputs: str | Path | None
    maximize: bool | None
    source_language: str | None
    target_language: str | None
    device: str
    batch: int
    processes: int | None
    reference_context: bool
    window: int | None
    stride: int
    limit: int | None
    format: str | None
    options: MetricOptions | None
    on: str | None
    workers: int | None


class _Saved(TypedDict):
    """Where `metrics` writes."""

    out: str | Path | None
    wmt: bool
    report: str | Path | None


@overload
def metrics(
    suite: SuiteLike,
    names: str | Sequence[str],
    *,
    out: str | Path | None = None,
    wmt: bool = False,
    report: str | Path | None = None,
    **asked: Unpack[MetricsAsked],
) -> Metrics: ...
@overload
def metrics(
    suite: SuiteLike, *, spans: str | Path | Sequence[str | Path], **asked: Unpack[MetricsAsked]
) -> MarkedSpans: ...
def metrics(
    suite: SuiteLike,
    names: str | Sequence[str] = (),
    *,
    spans: str | Path | Sequence[str | Path] = (),
    out: str | Path | None = None,
    wmt: bool = False,
    report: str | Path | None = None,
    **asked: Unpack[MetricsAsked],
) -> Metrics | MarkedSpans:
    """Score a suite with metrics and judge them, as `kontrast metrics` does.

    ``names`` are as on the command line (``chrF``, ``BERTScore:MODEL?layer=5``, ``file:scores``). ``outputs`` is a
    file with a real system's translations, a line per item, for the metrics' spread. ``out`` is a folder for the
    scores (``wmt``: also as WMT has them), ``report`` a page or tables as `save_report` writes them. ``spans`` in
    place of ``names`` are files of error spans that metrics marked; with them go ``only`` and ``format``.

    >>> import kontrast
    >>> from kontrast import Item
    >>> variants = Variant("The dog sleeps."), Variant("The dog sleep.", error="agreement")
    >>> item = Item("1", "Der Hund schläft.", variants, references=(Variant("The dog sleeps now."),))
    >>> result = kontrast.metrics(Suite("tiny", (item,)), ["chrF", "TER"])
    >>> [(each.metric, each.evaluation.accuracy) for each in result.metrics]
    [('chrF', 1.0), ('TER', 0.5)]
    """
    from kontrast.judging.meta.evaluate import meta_evaluate
    from kontrast.scoring.metrics.run import score_metrics
    from kontrast.scoring.metrics.segments import with_references

    refuse_unknown(asked, MetricsAsked, metrics)
    named = [names] if isinstance(names, str) else list(names)
    loaded = as_suite(suite, asked.get("format"))
    if chosen := asked.get("only"):
        loaded = chosen_items(loaded, ",".join(chosen))
    if spans:
        _refuse_beside_spans({"metric": named, "out": out, "report": report, **asked})
        paths = [spans] if isinstance(spans, str | Path) else spans
        return _marked(loaded, paths)
    if not named:
        raise KontrastError("metrics takes one --metric or more; --list names them")
    whole = with_references(loaded, tuple(map(str, asked.get("references", ()))))
    loaded = part_of(whole, asked.get("limit"), asked.get("seed", SEED))
    options, contexts, began = _options(asked), _contexts(asked), time.perf_counter()
    how: dict[str, Any] = {"options": options, "contexts": contexts}
    how |= {"on": asked.get("on"), "workers": asked.get("workers")}
    scores = score_metrics(loaded, named, **how)
    if (times := times_longer(whole, loaded)) is not None:
        print(f"kontrast: {whole_takes(time.perf_counter() - began, times)}", file=sys.stderr)
    outputs = asked.get("outputs")
    spread = None if outputs is None else _spread(loaded, named, outputs, **how)
    judging = chosen_judging({name: asked[name] for name in Resampling.__annotations__ if name in asked})  # type: ignore
    result = meta_evaluate(loaded, scores, outputs=spread, **judging)
    _save(loaded, scores, judging, {"out": out, "wmt": wmt, "report": report})
    return result


def _marked(suite: Suite, paths: Sequence[str | Path]) -> MarkedSpans:
    return MarkedSpans(tuple(score_spans(suite, read_spans(path, suite), Path(path).stem) for path in paths))


def _refuse_beside_spans(given: Mapping[str, object]) -> None:
    for name in ("metric", "out", "report", "references", "context", "control", "outputs", "window", "limit", "by"):
        if given.get(name):
            raise KontrastError(f"--{name} does not go with --spans")


def _save(suite: Suite, scores: list[Scores], judging: dict[str, Any], where: _Saved) -> None:
    from kontrast.judging.meta.evaluate import leave_out_unchanged
    from kontrast.judging.systems import distinct
    from kontrast.reporting.report import report, save_report
    from kontrast.suites.scores import write_scores
    from kontrast.suites.segment_scores import write_segment_scores

    if where["out"] is not None:
        plain = [file_name("".join(c if c.isalnum() or c in "+-._" else "_" for c in each.system)) for each in scores]
        for each, own in zip(scores, distinct(plain), strict=True):
            name = Path(where["out"]) / own
            write_scores(each, f"{name}.scores")
            if where["wmt"]:
                write_segment_scores(each, suite, f"{name}.seg.score")
    if where["report"] is not None:
        kept, values = leave_out_unchanged(suite, scores)
        allowed = (*judging.pop("allow", ()), "direction", "normalise")
        save_report(report(kept, values, allow=allowed, **judging), where["report"])


def _options(asked: MetricsAsked) -> MetricOptions:
    base = asked.get("options") or MetricOptions()
    given = {name: asked[name] for name in base.__struct_fields__ if name in asked}  # type: ignore[literal-required]
    return msgspec.structs.replace(base, **given)


def _contexts(asked: MetricsAsked) -> list[Context]:
    texts = asked.get("context", ())
    texts = [texts] if isinstance(texts, str | Context) else list(texts)
    given = asked.get("control", ())
    controls: Sequence[Any] = [given] if isinstance(given, str) else given
    if controls and not texts:
        raise KontrastError("--control: say how much context with --context prev:N")
    options: dict[str, Any] = {"seed": asked["seed"]} if "seed" in asked else {}
    if (separator := asked.get("separator")) is not None:
        options |= {"scheme": Scheme(separator.replace("\\n", "\n")), "scheme_name": "own"}
    found = []
    for text in texts:
        context = text if isinstance(text, Context) else parse_context(text, **options)
        if context.span is not None:
            found += [context, *(msgspec.structs.replace(context, control=control) for control in controls)]
    return found


def _spread(
    suite: Suite,
    names: Sequence[str],
    path: str | Path,
    **how: Any,
) -> list[list[float]]:
    """Each metric's scores of a system's translations of the items, a line each."""
    from kontrast.scoring.metrics.run import score_metrics

    lines = item_lines(path, suite)
    if any(name.lower().startswith("file:") for name in names):
        raise KontrastError(
            "--outputs: the metric file: holds scores made elsewhere and cannot score other translations"
        )
    replaced = (
        msgspec.structs.replace(item, variants=(Variant(line),), correct=0)
        for item, line in zip(suite.items, lines, strict=True)
    )
    other = msgspec.structs.replace(suite, items=tuple(replaced))
    return [list(each.values) for each in score_metrics(other, names, **how)]
