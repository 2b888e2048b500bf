"""Score a suite with metrics and judge them, from files or records.

Metrics against people, from files.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Unpack, get_args, overload

import msgspec

from kontrast.defaults import RESAMPLES, SEED
from kontrast.errors import KontrastError
from kontrast.flows.inputs import SuiteLike, as_suite, part_of, times_longer
from kontrast.io.names import file_name
from kontrast.judging.correlation.correlate import Correlations
from kontrast.judging.correlation.correlate import correlate as correlate_judgements
from kontrast.judging.meta.records import Metrics
from kontrast.judging.meta.spans import MarkedSpans, read_spans, score_spans
from kontrast.judging.options import Resampling
from kontrast.judging.systems import distinct
from kontrast.options import (
    Device,
    Limit,
    On,
    SourceLanguage,
    SuiteFormat,
    TargetLanguage,
    Workers,
    filled,
    keywords,
    option,
    part,
    read_list,
)
from kontrast.scoring.context import Context, Control, parse_context
from kontrast.scoring.messages import whole_takes
from kontrast.scoring.metrics.metric import MetricOptions
from kontrast.scoring.schemes import Scheme
from kontrast.suites.judgements import Judgements, read_judgements, write_segment_scores
from kontrast.suites.model import Scores, Suite, Variant
from kontrast.suites.scores import write_scores
from kontrast.suites.subset import item_lines


class MetricsAsked(Resampling, total=False):
    """All of `kontrast metrics` beside the metrics."""

    references: Annotated[
        str | Path | Sequence[str | Path],
        option(
            "File with references, one line per item, which replace those of the suite.",
            default=(),
            metavar="FILE",
            read=read_list,
        ),
    ]
    context: Annotated[
        str | Context | Sequence[str | Context],
        option(
            "Also score with N previous sentences joined before each text.",
            default=(),
            metavar="prev:N",
            read=read_list,
        ),
    ]
    separator: Annotated[
        str | None, option("Separator between context and sentence. Default: the metric's own.", metavar="TEXT")
    ]
    control: Annotated[
        Control | Sequence[Control],
        option("Also score with a wrong context.", default=(), read=read_list, choices=get_args(Control)),
    ]
    reference_context: Annotated[
        bool, option("Put the reference's previous sentences before translations.", default=False)
    ]
    window: Annotated[int | None, option("Score N sentences as one text; the last one is the item's.", least=2)]
    stride: Annotated[int, option("Number of sentences from one window to the next.", default=1, least=1)]
    outputs: Annotated[
        str | Path | None,
        option("A system's translations, one line per item, for the metrics' standard deviation.", metavar="FILE"),
    ]
    maximize: Annotated[
        bool | None, option("For file: and command: whether higher or lower is better.", "--maximize/--minimize")
    ]
    source_language: SourceLanguage
    target_language: TargetLanguage
    device: Device
    batch: Annotated[int, option("Segments per batch, for neural metrics.", default=32, least=1)]
    processes: Annotated[
        int | None, option("Processes for sacreBLEU's metrics. Default: one per core.", "--jobs", least=1)
    ]
    limit: Limit
    on: On
    workers: Workers
    out: Annotated[
        str | Path | None,
        option("Write each metric's scores: NAME.scores for evaluate, compare, report.", metavar="DIR"),
    ]
    wmt: Annotated[
        bool, option("With --out: also write NAME.seg.score, the format of WMT's metrics task.", default=False)
    ]
    report: Annotated[
        str | Path | None, option("Also write a report: an HTML page (or .md, .tex, .csv).", metavar="FILE")
    ]
    format: SuiteFormat


@overload
def metrics(suite: SuiteLike, metric: str | Sequence[str], **options: Unpack[MetricsAsked]) -> Metrics: ...
@overload
def metrics(
    suite: SuiteLike, *, spans: str | Path | Sequence[str | Path], **options: Unpack[MetricsAsked]
) -> MarkedSpans: ...
@keywords(MetricsAsked)
def metrics(
    suite: SuiteLike,
    metric: str | Sequence[str] = (),
    *,
    spans: str | Path | Sequence[str | Path] = (),
    **options: Unpack[MetricsAsked],
) -> Metrics | MarkedSpans:
    """Score a suite with metrics and judge them, as `kontrast metrics` does.

    ``metric`` is as on the command line (``chrF``, ``BERTScore:MODEL?layer=5``, ``file:scores``). ``outputs`` is a
    file with a real system's translations, a line per item, for the metrics' standard deviation. ``out`` is a folder
    for the scores (``wmt``: also in WMT's format), ``report`` a page or tables as `save_report` writes them.
    ``spans`` in place of ``metric`` are files of error spans that metrics marked.

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

    asked = filled(MetricsAsked, options, metrics)
    named = list(read_list(metric))
    loaded = as_suite(suite, asked["format"])
    if spans:
        _refuse_beside_spans({"metric": named, **asked})
        return _marked(loaded, read_list(spans))
    if not named:
        raise KontrastError("give at least one --metric; --list shows all metrics")
    whole = with_references(loaded, tuple(map(str, asked["references"])))  # type: ignore[arg-type]
    loaded, began = part_of(whole, asked["limit"], asked["seed"]), time.perf_counter()
    given = {name: asked[name] for name in MetricOptions.__struct_fields__ if name != "extra"}  # type: ignore[literal-required]
    how: dict[str, Any] = {"options": MetricOptions(**given), "contexts": _contexts(asked)}
    how |= {"on": asked["on"], "workers": asked["workers"]}
    scores = score_metrics(loaded, named, **how)
    if (times := times_longer(whole, loaded)) is not None:
        print(f"kontrast: {whole_takes(time.perf_counter() - began, times)}", file=sys.stderr)
    spread = None if asked["outputs"] is None else _spread(loaded, named, asked["outputs"], **how)
    result = meta_evaluate(loaded, scores, outputs=spread, **part(Resampling, asked))
    _save(loaded, scores, asked)
    return result


def _marked(suite: Suite, paths: Sequence[str | Path]) -> MarkedSpans:
    return MarkedSpans(tuple(score_spans(suite, read_spans(path, suite), Path(path).stem) for path in paths))


def _refuse_beside_spans(given: Mapping[str, object]) -> None:
    for name in ("metric", "out", "report", "references", "context", "control", "outputs", "window", "limit", "by"):
        if given.get(name):
            raise KontrastError(f"--{name} cannot be used with --spans")


def _save(suite: Suite, scores: list[Scores], asked: MetricsAsked) -> None:
    from kontrast.judging.meta.evaluate import leave_out_unchanged
    from kontrast.reporting.report import report, save_report

    if asked["out"] is not None:
        plain = [file_name("".join(c if c.isalnum() or c in "+-._" else "_" for c in each.system)) for each in scores]
        for each, own in zip(scores, distinct(plain), strict=True):
            name = Path(asked["out"]) / own
            write_scores(each, f"{name}.scores")
            if asked["wmt"]:
                write_segment_scores(each, suite, f"{name}.seg.score")
    if asked["report"] is not None:
        kept, values = leave_out_unchanged(suite, scores)
        asked["allow"] = (*asked["allow"], "direction", "normalise")
        save_report(report(kept, values, **part(Resampling, asked)), asked["report"])


def _contexts(asked: MetricsAsked) -> list[Context]:
    texts: Sequence[Any] = asked["context"]  # type: ignore[assignment]
    controls: Sequence[Any] = asked["control"]
    if controls and not texts:
        raise KontrastError("--control needs --context prev:N")
    options: dict[str, Any] = {"seed": asked["seed"]}
    if (separator := asked["separator"]) is not None:
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
        raise KontrastError("--outputs: the metric file: has fixed scores and cannot score other translations")
    replaced = (
        msgspec.structs.replace(item, variants=(Variant(line),), correct=0)
        for item, line in zip(suite.items, lines, strict=True)
    )
    other = msgspec.structs.replace(suite, items=tuple(replaced))
    return [list(each.values) for each in score_metrics(other, names, **how)]


JudgementsLike = Judgements | str | Path


def correlate(
    scores: JudgementsLike | Sequence[JudgementsLike],
    human: JudgementsLike,
    *,
    minimize: Sequence[str] = (),
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Correlations:
    """Compare metrics' segment scores with human judgements of the same systems and segments.

    Both are files (``NAME.seg.score``, MQM or other TSV, JSON lines) or records; larger is better in both, except for
    the metrics that ``minimize`` names. A folder stands for all its ``.seg.score`` files. ``FOLDER?pair=en-de`` is a
    test set of mt-metrics-eval: all its metrics, and ``human`` may be a name such as ``mqm``.

    >>> import kontrast
    >>> people = Judgements("da", {("a", "1"): 90.0, ("b", "1"): 40.0})
    >>> kontrast.correlate(Judgements("m", {("a", "1"): 0.8, ("b", "1"): 0.2}), people).metrics[0].segment_accuracy
    1.0
    """
    given = [scores] if isinstance(scores, Judgements | str | Path) else list(scores)
    metrics = [_read(file) for each in given for file in _files(each)]
    people = _read(_human(human, given))
    return correlate_judgements(people, metrics, minimize=minimize, resamples=resamples, seed=seed)


def _files(given: JudgementsLike) -> list[JudgementsLike]:
    """What a folder stands for: its segment scores, or the metrics of a pair in mt-metrics-eval's layout."""
    if isinstance(given, Judgements):
        return [given]
    name, _, pair = str(given).partition("?pair=")
    folder = Path(name)
    if pair:
        folder = folder / "metric-scores" / pair
    elif (folder / "metric-scores").is_dir():
        pairs = ", ".join(sorted(path.name for path in (folder / "metric-scores").iterdir()))
        raise KontrastError(f"{folder}: a test set of mt-metrics-eval has several pairs: {folder}?pair=… ({pairs})")
    if not pair and not folder.is_dir():
        return [given]
    found: list[JudgementsLike] = [*sorted(folder.glob("*.seg.score"))]
    if not found:
        raise KontrastError(f"{folder}: expected files NAME.seg.score with scores of metrics, found none")
    return found


def _human(human: JudgementsLike, scores: Sequence[JudgementsLike]) -> JudgementsLike:
    """The file of a name such as ``mqm`` where the scores are a test set of mt-metrics-eval."""
    sets = [str(each).partition("?pair=") for each in scores if "?pair=" in str(each)]
    if not sets or isinstance(human, Judgements) or Path(human).exists():
        return human
    root, _, pair = sets[0]
    found = Path(root) / "human-scores" / f"{pair}.{human}.seg.score"
    if not found.is_file():
        there = sorted(path.name.removeprefix(f"{pair}.") for path in found.parent.glob(f"{pair}.*.seg.score"))
        names = ", ".join(name.removesuffix(".seg.score") for name in there) or "none"
        raise KontrastError(f"{root}: there are no judgements {human} for {pair}; choose from {names}")
    return found


def _read(given: JudgementsLike) -> Judgements:
    return given if isinstance(given, Judgements) else read_judgements(given)
