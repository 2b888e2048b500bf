"""Write benchmarks/results/metrics.md: every metric that runs here on pro-errors' 76 items and on DEMETR's files.

python benchmarks/metrics_page.py [--data ../shared/data] [--out benchmarks/results/metrics.md] [--no-encoder]
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import kontrast
from kontrast.flows.metrics import only
from kontrast.io import files
from kontrast.judging.meta.evaluate import meta_evaluate
from kontrast.judging.meta.records import MetaEvaluation, Metrics
from kontrast.reporting.evaluation import percent, span
from kontrast.reporting.metrics import accuracy_section, calibration_section, pairs_section, severity_section
from kontrast.reporting.render.markdown import to_markdown
from kontrast.reporting.section import Column, Section, Table
from kontrast.scoring.context import parse_context
from kontrast.scoring.metrics.run import score_metrics

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
STRINGS = ["BLEU", "chrF", "chrF++", "TER"]
ENCODERS = ["BERTScore:minilm", "cosine:minilm"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--out", type=Path, default=ROOT / "benchmarks" / "results" / "metrics.md")
    parser.add_argument("--no-encoder", action="store_true", help="without the neural metrics (minutes on a CPU)")
    args = parser.parse_args()
    encoders = [] if args.no_encoder else ENCODERS
    parts = [HEAD, *pronouns(args.data / "pro-mistranslations-en-de", encoders), *demetr(args.data, encoders)]
    with files.writing(args.out) as out:
        out.write("\n\n".join(parts) + "\n")


HEAD = """# What metrics see: results

Made by `python benchmarks/metrics_page.py` from the data beside this checkout; anyone can run it again. What the
columns mean: [docs/metrics.md](../../docs/metrics.md).
Accuracy counts a tie as half; intervals are at 95%. `effect` is the mean
difference between correct and wrong in standard deviations of the metric over the correct variants. BERTScore and
cosine run with MiniLM, an **English** encoder: their numbers on German are shown for completeness, not as what these
metrics can do. COMET, COMETKiwi, BLEURT and MetricX are not here because their weights are not."""


def pronouns(folder: Path, encoders: Sequence[str]) -> list[str]:
    """pro-errors: sentence level, document level and a control, then the stored answers of a language model."""
    suite = kontrast.load(folder)
    contexts = [parse_context("prev:2"), parse_context("prev:2", control="random")]
    scores = score_metrics(suite, [*STRINGS, *encoders], contexts=contexts)
    result = meta_evaluate(suite, scores, by=["test_set,reference"])
    part = only(suite, ["test_set=newstest2021"])
    asked = [f"file:{folder}/gpt_scores/{name}" for name in ("doc_DA", "doc_SQM")]
    stored = meta_evaluate(part, score_metrics(part, asked), by=["reference"])
    return [
        "## Mistranslated *it* (pro-errors, EN-DE, 76 items)",
        "Each reference is scored against another: A against B, B against A, C against D, D against C (2021), "
        "A against B (2022). `+prev:2` joins the two sentences before to every text; `random` draws them "
        "from elsewhere in the set, the same ones on both sides.",
        _summary(result),
        "Mean score of the references as they are and with the error, as the authors report them:",
        _means(result, "test set and reference"),
        "The authors' stored answers of GPT-3.5 (newstest2021, 52 items): their means, and the decisions.",
        _summary(stored),
        _means(stored, "reference"),
    ]


def demetr(data: Path, encoders: Sequence[str]) -> list[str]:
    whole = kontrast.load(data / "demetr-x-en")
    errors = only(whole, ["severity=minor,major,critical"])
    names = [*STRINGS, *encoders]
    result = meta_evaluate(errors, score_metrics(errors, names))
    base = only(whole, ["severity=base"])
    return [
        f"## DEMETR (X-EN, {len(whole.items):,} items of eight files)",
        f"{result.left_out:,} items in which the perturbation failed (`pert_check` is false) are left out. First the "
        f"six files with errors, {result.items:,} items:",
        _summary(result),
        "Accuracy by file. `minor_id32_first_lower` cannot be seen without capitals: TER and MiniLM's tokenizer "
        "lower-case, and so tie.",
        _made(accuracy_section(result)),
        "Effect by file:",
        _effects(result),
        "The two files without an error proper. `base_id33_empty` is an empty text. `base_id35_reference` puts the "
        "reference in the place of the error: a metric that compares with it must prefer it, and 0% is right.",
        _made(accuracy_section(meta_evaluate(base, score_metrics(base, names)))),
        "Does a graver error cost more? Mean cost in the metric's spread, and the share of pairs of items of "
        "different severity in which the graver one costs more (50% is chance):",
        _made(severity_section(result)),
        "Ties as in WMT's meta-evaluation: all translations of one source compared with each other, the correct one "
        "best, then minor, major, critical; equal severity is a tie. Accuracy with the metric's own ties and at the "
        "threshold that makes it highest:",
        _made(calibration_section(result)),
        "Metrics compared: difference in accuracy in points with its paired test (p after Holm's correction), share "
        "of equal decisions, Cohen's kappa, correlation of margins:",
        _made(pairs_section(result)),
    ]


def _effects(result: Metrics) -> str:
    rows = [
        (row.label, *(f"{m.sensitivity[i].effect:+.3f}" for m in result.metrics))
        for i, row in enumerate(result.metrics[0].sensitivity[1:], start=1)
    ]
    return _table(["perturbation", *(m.metric for m in result.metrics)], rows)


def _summary(result: Metrics) -> str:
    rows = []
    for each in result.metrics:
        e = each.evaluation
        effect = f"{each.sensitivity[0].effect:+.3f}"
        counts, tau = (e.right, e.wrong, e.ties), f"{each.taus.total.tau:+.3f}"
        rows.append((_name(each), percent(e.accuracy, e.items), span(e.interval, e.items), *counts, tau, effect))
    return _table(["metric", "accuracy", "interval", "right", "wrong", "tied", "tau", "effect"], rows)


def _means(result: Metrics, by: str) -> str:
    plain = [m for m in result.metrics if "+prev" not in m.metric]
    rows = []
    for i, mean in enumerate(plain[0].means[1:], start=1):
        cells = [f"{m.means[i].original:.4f} / {m.means[i].perturbed:.4f}" for m in plain]
        rows.append((mean.label, mean.items, *cells))
    return _table([by, "items", *(m.metric for m in plain)], rows)


def _made(section: Section | None) -> str:
    assert section is not None and section.table is not None
    return to_markdown(section.table)


def _name(each: MetaEvaluation) -> str:
    return f"{each.metric} {'↓' if each.lower_is_better else '↑'}"


def _table(columns: Sequence[str], rows: Sequence[tuple[object, ...]]) -> str:
    named = (Column(columns[0]), *(Column(name, "number") for name in columns[1:]))
    return to_markdown(Table(named, tuple(tuple(map(str, row)) for row in rows)))


if __name__ == "__main__":
    main()
