"""How well a suite can be solved without the source: baselines that see variants alone; systems where those fail.

A system that is right where every artefact is wrong has understood something; one that is right only where the
shorter, commoner or more natural variant is the correct one may not have.

``lint --deep``: where the variants alone solve a suite, or a phenomenon of it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from kontrast.analysis.giveaway import giveaway_scores
from kontrast.defaults import LEVEL
from kontrast.io.words import words
from kontrast.judging.baselines import majority_credit
from kontrast.judging.decisions import Decisions, decisions_of
from kontrast.judging.floats import Floats
from kontrast.judging.grouping import group_by
from kontrast.judging.intervals import share_interval
from kontrast.judging.records import Interval
from kontrast.judging.signatures import check_suite
from kontrast.judging.systems import names_of
from kontrast.judging.verdicts import check_count, larger_is_better, verdicts_of
from kontrast.judging.wording import cluster_notes, explained
from kontrast.record import Record, flat
from kontrast.suites.form_search import forms
from kontrast.suites.lint import Finding, Level, LintCheck
from kontrast.suites.model import Scores, Suite, Unit

LENGTHS = ("shorter", "longer")
_STRATA: tuple[tuple[str, float, float], ...] = (
    ("3 or more shorter", -np.inf, -2),
    ("up to 2 shorter", -2, 0),
    ("same", 0, 0),
    ("up to 2 longer", 0, 2),
    ("3 or more longer", 2, np.inf),
)


class Artefact(msgspec.Struct, frozen=True):
    """One baseline. ``solved`` is how much of the way from chance to 100% it goes."""

    name: str
    summary: str
    accuracy: float
    interval: Interval
    chance: float
    solved: float


class BeyondArtefact(msgspec.Struct, frozen=True):
    """A system on the decisions that an artefact gets wrong."""

    system: str
    artefact: str
    items: int
    accuracy: float
    interval: Interval
    chance: float
    skill: bool
    """Whether the whole interval is above chance."""


class Stratum(msgspec.Struct, frozen=True):
    """Decisions by how much longer the correct variant is than its rivals on average."""

    label: str
    items: int
    accuracies: dict[str, float]
    chance: float


class Artefacts(Record, frozen=True):
    """Baselines without the source, skill beyond them, and accuracy by difference of length.

    ``cluster`` and ``clusters``: the unit of the intervals of all decisions, if decisions are not independent.
    """

    suite: str
    items: int
    unit: Unit
    lengths: str
    artefacts: tuple[Artefact, ...]
    beyond: tuple[BeyondArtefact, ...]
    strata: tuple[Stratum, ...]
    notes: tuple[str, ...] = ()
    cluster: str | None = None
    clusters: int | None = None

    def _rows(self) -> list[dict[str, Any]]:
        return [flat(each) for each in (self.beyond or self.artefacts)]


def artefacts(
    suite: Suite,
    systems: Sequence[Scores] = (),
    *,
    target_only: Scores | None = None,
    frequencies: Mapping[str, int] | None = None,
    unit: Unit | None = None,
    level: float = LEVEL,
    seed: int = 1,
) -> Artefacts:
    """Judge every artefact, and every system where each artefact is wrong.

    ``target_only`` are scores of a model that never saw the source; ``frequencies`` counts words of a corpus
    (default: the correct variants of the other items).
    """
    decisions = decisions_of(suite, unit)
    for scores in (*systems, *([target_only] if target_only is not None else [])):
        check_count(suite, scores)
    for scores in systems:
        check_suite(suite, scores)
    cut = next((scores for scores in systems if scores.tokens is not None), None)
    tokens = cut.tokens if cut is not None else None
    if tokens is not None:
        lengths = np.array([len(row.tokens) for row in tokens], dtype=np.float64)
    else:
        lengths = np.array([len(row.variant.text) for row in suite.rows()], dtype=np.float64)
    credits = artefact_credits(decisions, lengths=lengths, frequencies=frequencies, seed=seed)
    if target_only is not None:
        credits["target only"] = verdicts_of(decisions, larger_is_better(target_only)).credit
    judged = dict(
        zip(names_of(systems), (verdicts_of(decisions, larger_is_better(s)).credit for s in systems), strict=True)
    )
    found = tuple(_artefact(decisions, name, credit, level) for name, credit in credits.items())
    wrong = {name: credit == 0 for name, credit in credits.items()}
    known = [mask for name, mask in wrong.items() if name not in LENGTHS]
    wrong["all but length"] = np.logical_and.reduce(known)
    beyond = tuple(
        _beyond(decisions, system, name, credit, mask, level)
        for system, credit in judged.items()
        for name, mask in wrong.items()
        if mask.any()
    )
    grouped = decisions.clusters.on()
    notes = [] if target_only is not None else ["no target-only scores: give --target-only FILE, or --model"]
    if cut is not None and any(_lengths(s) not in (None, _lengths(cut)) for s in systems):
        notes.append(f"systems have different tokens; lengths are those of {cut.system}")
    return Artefacts(
        suite=suite.name,
        items=len(decisions),
        unit=decisions.unit,
        lengths="tokens" if tokens is not None else "characters",
        artefacts=found,
        beyond=beyond,
        strata=_strata(decisions, lengths, judged),
        notes=(*notes, *cluster_notes(grouped)),
        cluster=grouped.name,
        clusters=grouped.count if grouped.name else None,
    )


def _lengths(scores: Scores) -> list[int] | None:
    return None if scores.tokens is None else [len(row.tokens) for row in scores.tokens]


def artefact_credits(
    decisions: Decisions,
    *,
    lengths: Floats | None = None,
    frequencies: Mapping[str, int] | None = None,
    seed: int = 1,
) -> dict[str, Floats]:
    """The credit of each artefact on each decision."""
    suite = decisions.suite
    if lengths is None:
        lengths = np.array([len(row.variant.text) for row in suite.rows()], dtype=np.float64)
    return {
        "shorter": verdicts_of(decisions, -lengths).credit,
        "longer": verdicts_of(decisions, lengths).credit,
        "frequent words": verdicts_of(decisions, _frequent(suite, frequencies)).credit,
        "majority form": majority_credit(decisions),
        "giveaway": verdicts_of(decisions, giveaway_scores(suite, seed=seed)).credit,
    }


def solved(accuracy: float, chance: float) -> float:
    """How far from chance to 100%."""
    return (accuracy - chance) / (1 - chance) if chance < 1 else 0.0


def _frequent(suite: Suite, given: Mapping[str, int] | None) -> Floats:
    """Mean log frequency of each variant's differing words, in ``given`` or in the correct variants.

    The item's own text is among those: a lead or a lag that one occurrence more or less would undo is a tie.
    """
    language = suite.target_language
    total: Counter[str] = Counter()
    for item in suite.items:
        total.update(words(item.best.text, language))

    def mean(form: str, more: int = 0) -> float:
        counts = total if given is None else given
        seen = [math.log1p(max(0, counts.get(word, 0) + more)) for word in words(form, language)]
        return math.fsum(seen) / len(seen) if seen else 0.0  # whatever the order of the words

    values: list[float] = []
    for item in suite.items:
        differing = forms(item, language)
        own = [mean(form) for form in differing]
        if given is None:
            right = differing[item.correct]
            low, high = mean(right, -1), mean(right, 1)
            own = [own[item.correct] if low <= value <= high else value for value in own]
        values += own
    return np.array(values, dtype=np.float64)


def _artefact(decisions: Decisions, name: str, credit: Floats, level: float) -> Artefact:
    chance = float(decisions.chance.mean())
    accuracy = float(credit.mean())
    interval = share_interval(credit, decisions.clusters.on(), level)
    return Artefact(name, explained("artefacts")[name], accuracy, interval, chance, solved(accuracy, chance))


def _beyond(
    decisions: Decisions, system: str, artefact: str, credit: Floats, chosen: NDArray[np.bool_], level: float
) -> BeyondArtefact:
    own, chance = credit[chosen], float(decisions.chance[chosen].mean())
    interval = share_interval(own, decisions.clusters.on(chosen), level)
    return BeyondArtefact(system, artefact, len(own), float(own.mean()), interval, chance, interval.low > chance)


def _strata(decisions: Decisions, lengths: Floats, judged: Mapping[str, Floats]) -> tuple[Stratum, ...]:
    rivals = np.add.reduceat(lengths[decisions.rivals], decisions.offsets[:-1]) / (decisions.options - 1)
    gap = lengths[decisions.correct] - rivals
    strata = []
    for label, low, high in _STRATA:
        # Towards 0 the ends are open: a gap of exactly 2 is "up to 2".
        chosen = (
            gap == 0 if low == high else ((gap > low) & (gap <= high) if low >= 0 else (gap >= low) & (gap < high))
        )
        if chosen.any():
            accuracies = {system: float(credit[chosen].mean()) for system, credit in judged.items()}
            strata.append(Stratum(label, int(chosen.sum()), accuracies, float(decisions.chance[chosen].mean())))
    return tuple(strata)


_SOLVED, _SEEN = 0.5, 0.1


def _artefacts(suite: Suite) -> Iterator[Finding]:
    if sum(len(item.variants) > 1 for item in suite.items) < 50:
        return
    decisions = decisions_of(suite)
    grouping = group_by(decisions.tags, "phenomenon") if "phenomenon" in decisions.tags.names else None
    for name, credit in artefact_credits(decisions).items():
        parts = [("the suite", np.ones(len(decisions), dtype=bool))]
        if grouping is not None and len(grouping.labels) > 1:
            parts += [(label, chosen) for label, _, chosen in grouping.parts()]
        for label, chosen in parts:
            if chosen.sum() < 50:
                continue
            chance = float(decisions.chance[chosen].mean())
            interval = share_interval(credit[chosen], decisions.clusters.on(chosen))
            sure = solved(interval.low, chance)
            if sure < _SEEN:
                continue
            level: Level = "warning" if sure >= _SOLVED else "note"
            share = f"{100 * float(credit[chosen].mean()):.1f}% of {label}"
            message = (
                f"{explained('artefacts')[name]} is right in {share} (chance {100 * chance:.1f}%), without the "
                "source: see kontrast artefacts"
            )
            yield Finding("artefact", level, int(chosen.sum()), (), message)
            if label == "the suite":
                break


ARTEFACTS = (
    LintCheck(
        "artefact",
        "warning",
        "the variants alone solve half of the way from chance to 100% (a note if they solve a tenth)",
        _artefacts,
    ),
)


def with_easy_tags(suite: Suite) -> Suite:
    """The suite with the tag ``easy`` on each foil: true where all baselines but length are right."""
    decisions = decisions_of(suite, "pair")
    credits = [credit for name, credit in artefact_credits(decisions).items() if name not in LENGTHS]
    solved = iter(np.logical_and.reduce([credit == 1 for credit in credits]).tolist())
    items = []
    for item in suite.items:
        variants = tuple(
            v if j == item.correct else msgspec.structs.replace(v, tags={**v.tags, "easy": next(solved)})
            for j, v in enumerate(item.variants)
        )
        items.append(msgspec.structs.replace(item, variants=variants))
    return msgspec.structs.replace(suite, items=tuple(items))
