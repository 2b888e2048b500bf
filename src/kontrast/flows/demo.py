"""The whole chain on what the package brings along: score, translate, check, compare, report; nothing is fetched."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import msgspec

from kontrast.errors import InputError
from kontrast.judging.check_records import Check
from kontrast.judging.compare import compare
from kontrast.judging.evaluate import evaluate
from kontrast.judging.records import Comparison, Evaluation
from kontrast.judging.systems import single_systems
from kontrast.record import Record
from kontrast.reporting.report import Report, report, save_report
from kontrast.suites.demo import bundled
from kontrast.suites.model import Scores, Suite
from kontrast.suites.scores import write_scores

SUITES = ("demo:de", "demo:fr")


class Flipped(msgspec.Struct, frozen=True):
    """An item that the sentence before it put right: what to read, what was preferred without it."""

    context: str
    source: str
    target_context: str
    right: str
    preferred_without: str


class Demo(Record, frozen=True):
    """One bundled suite scored twice, without and with the previous sentence, and translated once."""

    suite: str
    without: Evaluation
    context: Evaluation
    comparison: Comparison
    check: Check
    flipped: tuple[Flipped, ...]
    files: tuple[str, ...]


def demo(out: str | Path, *, suites: tuple[str, ...] = SUITES, model: str = "tiny") -> list[Demo]:
    """Score the bundled suites without and with one sentence of context, judge both, write scores and reports.

    >>> import kontrast
    >>> kontrast.demo("out", suites=("demo:it",))
    Traceback (most recent call last):
    kontrast.errors.KontrastError: there is no bundled suite 'demo:it'; choose from demo:de, demo:fr
    """
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(folder, f"expected a folder that can be written to ({error.strerror})") from error
    return [_run(name, folder, model) for name in suites]


def _run(name: str, folder: Path, model: str) -> Demo:
    from kontrast.flows.scoring import score
    from kontrast.flows.translation import translate
    from kontrast.judging.check import judge_translations, summarise
    from kontrast.scoring.translating.result import write_translations

    ending = "html" if all(find_spec(needed) for needed in ("altair", "jinja2", "vl_convert")) else "md"
    suite = bundled(name)
    without = score(suite, model, system="no context")
    context = score(suite, model, context="prev:1", system="one sentence")
    made = translate(suite, model, beams=1, max_length=80, system="no context")
    files = [folder / f"{suite.name}.{part}" for part in ("scores", "context.scores", "translations", ending)]
    for scores, path in zip((without, context), files, strict=False):
        write_scores(scores, path)
    write_translations(made, files[2])
    wrote = judge_translations(suite, made.texts, system="no context (written)")
    save_report(_report(suite, without, context, wrote), files[-1])
    return Demo(
        suite.name,
        evaluate(suite, without, by=("phenomenon",)),
        evaluate(suite, context, by=("phenomenon",)),
        compare(suite, [without, context], by=("phenomenon",), allow=("context",)),
        summarise(suite, wrote, by=("phenomenon",), scores=without),
        _flipped(suite, without, context),
        tuple(map(str, files)),
    )


def _report(suite: Suite, *systems: Scores) -> Report:
    """On the items that scores and words both decide."""
    from kontrast.judging.common_items import on_common_items

    cut, named, notes = on_common_items(suite, systems)
    return report(cut, single_systems(named), by=("phenomenon",), allow=("context",), notes=notes)


def _flipped(suite: Suite, without: Scores, context: Scores) -> tuple[Flipped, ...]:
    """Items wrong without context and right with it: pronouns before all else, the clearest first."""
    found: list[tuple[bool, float, Flipped]] = []
    row = 0
    for item in suite.items:
        rows = range(row, row + len(item.variants))
        row = rows.stop
        wrong = [i for i in range(len(rows)) if i != item.correct]
        alone, after = ([scores.values[i] for i in rows] for scores in (without, context))
        best = min(wrong, key=lambda i: alone[i])
        margin = min(after[i] for i in wrong) - after[item.correct]
        if item.source_context and alone[best] < alone[item.correct] and margin > 0:
            told = Flipped(
                item.source_context[-1],
                item.source,
                (item.target_context or ("",))[-1],
                item.best.text,
                item.variants[best].text,
            )
            found.append((item.phenomenon != "pronoun_gender", -margin, told))
    return tuple(told for _, _, told in sorted(found, key=lambda entry: entry[:2]))
