"""Evaluate, compare, report and gate from files or records."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated, TypeVar, Unpack, overload

import msgspec

from kontrast.errors import KontrastError
from kontrast.flows.inputs import ScoresLike, SuiteLike, SystemLike, as_single, as_suite, as_systems
from kontrast.io.json_input import write_json_lines
from kontrast.judging.common_items import on_common_items
from kontrast.judging.gate import GateConfig, read_gate
from kontrast.judging.normalise import normalise as normalised
from kontrast.judging.normalise import normalised_systems
from kontrast.judging.options import (
    Comparing,
    Evaluating,
    Judging,
    JudgingRuns,
    Resampling,
    ResamplingRuns,
    ScoresRead,
    Weighing,
)
from kontrast.judging.per_item import judged_items
from kontrast.judging.records import Comparison, Evaluation, Evaluations, Gate
from kontrast.judging.systems import System, names_of, runs_of, single_systems
from kontrast.options import filled, keywords, option, part, read_names
from kontrast.reporting.paper import method_text
from kontrast.reporting.report import Analysis, Report, sections_of
from kontrast.suites.model import Scores, Suite

Noted = TypeVar("Noted", Comparison, Evaluation, Gate)


class Reporting(Resampling, ScoresRead, total=False):
    """All of `kontrast report` but where it goes."""

    most: Annotated[int, option("Maximum number of wrong items to show.", default=2000, least=0)]
    also: Annotated[
        Sequence[Analysis | str | Path],
        option(
            "Add the --json output of context, cues, artefacts, items, memory, check --samples or evaluate.",
            default=(),
            metavar="FILE",
        ),
    ]
    tables: Annotated[
        str | Sequence[str],
        option(
            "For .tex: main (the default), accuracy, compared, phenomenon … or all.",
            default=(),
            metavar="A,B",
            read=read_names,
        ),
    ]
    gate: Annotated[
        GateConfig | str | Path | None,
        option("A kontrast.toml: show which systems pass the gate.", metavar="FILE"),
    ]


@overload
def evaluate(suite: SuiteLike, scores: ScoresLike, /, **options: Unpack[Evaluating]) -> Evaluation: ...
@overload
def evaluate(
    suite: SuiteLike, first: SystemLike, second: SystemLike, /, *more: SystemLike, **options: Unpack[Evaluating]
) -> Evaluations: ...
@keywords(Evaluating)
def evaluate(suite: SuiteLike, /, *scores: SystemLike, **options: Unpack[Evaluating]) -> Evaluation | Evaluations:
    """Accuracy from scores, as `kontrast evaluate` prints it: of one system, or of several side by side.

    Suite and scores are records or paths; ``"NAME=FILE,FILE"`` is one system with several seeds and gives
    `Evaluations`. ``normalise`` (``["token"]``) also shows the plain sum. ``items`` is a file for a JSON object per
    decision: verdict, margin and scores of every system. ``weights="real"`` adds the accuracy with phenomena weighed
    by how often people mark such errors (``weighted``).

    >>> import kontrast
    >>> from kontrast import Item, Scores, Suite, Variant
    >>> pair = Variant("ein Hund"), Variant("eine Hund", error="np_agreement")
    >>> suite = Suite("tiny", (Item("1", "a dog", pair), Item("2", "a dog", pair)))
    >>> kontrast.evaluate(suite, Scores("mine", (1.0, 2.0, 3.0, 3.0))).accuracy
    0.75
    """
    from kontrast.judging import evaluate as room

    asked = filled(Evaluating, options, evaluate)
    loaded = as_suite(suite, asked["format"])
    kinds = list(asked["normalise"])
    kinds += ["sum"] if kinds and "sum" not in kinds else []
    systems = as_systems(loaded, scores, maximize=asked["maximize"], tokens=bool(kinds))
    loaded, systems, notes = on_common_items(loaded, systems)
    if asked["items"] is not None:
        _write_items(asked["items"], loaded, systems, kinds, asked)
    if len(systems) == 1 and isinstance(systems[0], Scores):
        return _noted(
            room.evaluate(loaded, systems[0], normalise=kinds, weights=asked["weights"], **part(Judging, asked)),
            notes,
        )
    found = room.evaluate_all(loaded, systems, normalise=kinds, weights=asked["weights"], **part(JudgingRuns, asked))
    return msgspec.structs.replace(found, systems=tuple(_noted(each, notes) for each in found.systems))


@keywords(Comparing)
def compare(
    suite: SuiteLike, /, *scores: SystemLike | Sequence[SystemLike], **options: Unpack[Comparing]
) -> Comparison:
    """Compare systems on the same items, pair by pair, as `kontrast compare` does.

    With ``normalise`` one system is compared with itself under several normalisations; with ``baseline``, a system's
    name, the others are compared with that one alone; with ``own`` and ``own_scores`` one system is compared on human
    text and on its own. ``items`` is as in `evaluate`.

    >>> import kontrast
    >>> from kontrast import Item, Scores, Suite, Variant
    >>> pair = Variant("ein Hund"), Variant("eine Hund", error="np_agreement")
    >>> suite = Suite("tiny", tuple(Item(str(i), "a dog", pair) for i in range(10)))
    >>> good, bad = Scores("good", (1.0, 2.0) * 10), Scores("bad", (2.0, 1.0) * 10)
    >>> kontrast.compare(suite, bad, good).total[0].difference
    1.0
    """
    from kontrast.judging import compare as room

    asked = filled(Comparing, options, compare)
    loaded = as_suite(suite, asked["format"])
    systems = as_systems(loaded, scores, maximize=asked["maximize"], tokens=bool(asked["normalise"]))
    if asked["normalise"]:
        systems = normalised_systems(loaded, systems, asked["normalise"])
        asked["allow"] = (*asked["allow"], "normalise")
    loaded, systems, notes = on_common_items(loaded, systems)
    if asked["own"] is not None or asked["own_scores"] is not None:
        loaded, systems, left = _beside_own(loaded, systems, asked)
        notes = (*notes, left)
    if asked["items"] is not None:
        _write_items(asked["items"], loaded, systems, (), asked)
    return _noted(room.compare(loaded, systems, **part(ResamplingRuns, asked)), notes)


def _beside_own(suite: Suite, systems: Sequence[System], asked: Comparing) -> tuple[Suite, list[System], str]:
    """One system on human text and on its own, as two systems on the human pairs."""
    from kontrast.judging.human_and_own import human_and_own

    own, scores = asked["own"], asked["own_scores"]
    if own is None or scores is None or len(systems) != 1:
        raise KontrastError("give --own SUITE and --own-scores FILE together, with the SCORES of one system")
    other = as_suite(own)
    [on_human], [on_own] = single_systems(systems), as_single(other, [scores], maximize=asked["maximize"])
    found, both, note = human_and_own(suite, on_human, other, on_own)
    return found, list(both), note


@keywords(Reporting)
def report(suite: SuiteLike, /, *scores: SystemLike | Sequence[SystemLike], **options: Unpack[Reporting]) -> Report:
    """Everything that `kontrast report` shows for some systems; `save_report` and `save_figures` write it.

    ``also`` are results of `context`, `cues`, `artefacts`, `items`, `memory` or `check` with samples, or what these
    print with ``--json``; and of `evaluate` on a suite of marked errors, which are compared with the made errors.
    ``tables`` names the tables of a LaTeX file (``["main", "phenomenon"]``, ``"all"``; the main one without it).
    ``gate`` tests every system except the baseline against the rules, as `kontrast.gate` does.

    >>> import kontrast
    >>> from kontrast import Item, Scores, Suite, Variant
    >>> pair = Variant("ein Hund"), Variant("eine Hund", error="np_agreement")
    >>> suite = Suite("tiny", tuple(Item(str(i), "a dog", pair) for i in range(10)))
    >>> made = kontrast.report(suite, Scores("good", (1.0, 2.0) * 10), Scores("bad", (2.0, 1.0) * 10))
    >>> made.systems, made.section("wrong").title
    (('good', 'bad'), 'What went wrong')
    """
    from kontrast.reporting import report as room
    from kontrast.reporting.gating import gate_section

    asked = filled(Reporting, options, report)
    loaded = as_suite(suite, asked["format"])
    rules, baseline, maximize = None, None, asked["maximize"]
    if asked["gate"] is not None:
        rules, baseline = _rules(asked["gate"])
        maximize = rules.maximize if maximize is None else maximize
    every: list[System] = [*as_single(loaded, scores, maximize=maximize, tokens=True)]
    size = len(every)
    if baseline is not None:
        every += as_systems(loaded, [baseline], maximize=maximize)
    loaded, every, notes = on_common_items(loaded, every)
    systems = single_systems(every[:size])
    made = room.report(loaded, systems, most=asked["most"], notes=notes, **part(Resampling, asked))
    made = msgspec.structs.replace(made, tables=tuple(asked["tables"]))
    more = tuple(section for each in asked["also"] for section in sections_of(each, made))
    if rules is not None:
        held = _gates(loaded, systems, rules, every[-1] if baseline is not None else None, asked["allow"])
        made = msgspec.structs.replace(made, gates=held)
        more = (gate_section(made.gates), *more)
    if not more:
        return made
    given = {section.name for section in more}  # what a command found goes before what the report works out itself
    own = [section for section in made.sections if section.name not in given]
    last = next((i for i, section in enumerate(own) if section.name == "signatures"), len(own))
    return msgspec.structs.replace(made, sections=(*own[:last], *more, *own[last:]))


def describe_method(suite: SuiteLike, /, *scores: SystemLike, format: str | None = None) -> str:
    """How these scores were computed and evaluated, in sentences for a paper, as `kontrast cite` prints them.

    >>> import kontrast
    >>> suite = kontrast.load("demo:fr?limit=10")
    >>> made = kontrast.Scores("mine", tuple(float(i % 3) for i in range(suite.row_count)))
    >>> kontrast.describe_method(suite, made)[:43]
    'We evaluate mine on the 10 items of demo-fr'
    """
    found = evaluate(suite, *scores, format=format)
    systems = found.systems if isinstance(found, Evaluations) else (found,)
    return method_text(systems, compare(suite, *scores, format=format) if len(scores) > 1 else None)


def gate(
    suite: SuiteLike,
    scores: ScoresLike,
    config: GateConfig | str | Path = "kontrast.toml",
    baseline: SystemLike | None = None,
    *,
    maximize: bool | None = None,
    allow: Collection[str] = (),
    format: str | None = None,
) -> Gate:
    """Test one system against the rules of a gate, as `kontrast gate` does.

    ``config`` is a file or its content; the file names the scores of the baseline, with paths that start at the file.
    A gate
    that decides nothing has neither ``passed`` nor ``failed``; the command's exit status is 1 if it failed.

    >>> import kontrast
    >>> from kontrast import Item, Scores, Suite, Variant
    >>> suite = Suite("tiny", (Item("1", "a dog", (Variant("ein Hund"), Variant("eine Hund"))),))
    >>> kontrast.gate(suite, Scores("mine", (1.0, 2.0)), kontrast.GateConfig(accuracy=0.9)).passed
    True
    """
    from kontrast.judging import gate as room

    rules, own = _rules(config)
    loaded = as_suite(suite, format)
    direction = rules.maximize if maximize is None else maximize
    baseline = own if baseline is None else baseline
    given: list[SystemLike] = [scores] if baseline is None else [scores, baseline]
    loaded, systems, notes = on_common_items(loaded, as_systems(loaded, given, maximize=direction))
    [judged] = single_systems(systems[:1])
    return _noted(room.gate(loaded, judged, rules, systems[1] if baseline is not None else None, allow=allow), notes)


def _rules(config: GateConfig | str | Path) -> tuple[GateConfig, SystemLike | None]:
    """The gate, and the scores of its baseline (one file, or several seeds) from where the gate's file is."""
    rules = read_gate(config)
    if rules.baseline is None:
        return rules, None
    folder, files = Path() if isinstance(config, GateConfig) else Path(config).parent, rules.baseline.scores
    paths = [folder / file for file in ([files] if isinstance(files, str) else files)]
    return rules, paths[0] if len(paths) == 1 else ("baseline", paths)


def _gates(
    suite: Suite, systems: Sequence[Scores], rules: GateConfig, baseline: System | None, allow: Collection[str]
) -> tuple[Gate, ...]:
    """The gate of each system under the name that the report gives it; a baseline beside others is left out."""
    from kontrast.judging.gate import gate

    known = [(run.system, run.values) for run in runs_of(baseline)] if baseline is not None else []
    named = [msgspec.structs.replace(s, system=n) for s, n in zip(systems, names_of(systems), strict=True)]
    others = [new for old, new in zip(systems, named, strict=True) if (old.system, old.values) not in known]
    return tuple(gate(suite, each, rules, baseline, allow=allow) for each in others or named)


def _write_items(
    path: str | Path,
    suite: Suite,
    systems: Sequence[System],
    normalise: Sequence[str],
    judging: Evaluating | Comparing,
) -> None:
    """Every decision as it is judged, which is under the first normalisation where some are asked for."""
    if normalise:
        kind = normalise[0]
        systems = [
            normalised(suite, each, kind)
            if isinstance(each, Scores)
            else (each[0], [normalised(suite, run, kind) for run in each[1]])
            for each in systems
        ]
    write_json_lines(path, judged_items(suite, systems, **part(Weighing, judging)))


def _noted(result: Noted, notes: tuple[str, ...]) -> Noted:
    return msgspec.structs.replace(result, notes=(*result.notes, *notes)) if notes else result
