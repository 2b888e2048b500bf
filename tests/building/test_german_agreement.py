"""np_agreement and subj_verb_agreement: what is made, what is weak, what is never made."""

from __future__ import annotations

import pytest

from kontrast.building.perturb import Candidate, get
from kontrast.building.perturb.run import candidates_of, choose
from kontrast.language import annotators


def made(text: str, name: str) -> dict[str, Candidate]:
    sentence = next(annotators.get("de").annotate([text]))
    return {c.text: c for c in candidates_of(get("de", name), sentence)}


@pytest.mark.parametrize(
    ("text", "new", "weak"),
    [
        ("Die Frau lacht.", "Das Frau lacht.", False),
        ("Er kauft die Zeitung.", "Er kauft der Zeitung.", True),
        ("Das ist die Tür der Küche.", "Das ist die Tür des Küche.", False),
        ("Der Lehrer lacht.", "Die Lehrer lacht.", True),
        (
            "Lohn, erklärt der Minister – in Eile – sei alles.",
            "Lohn, erklärt die Minister – in Eile – sei alles.",
            True,
        ),
        (
            "Wir lobten den Leiter der Bank, Hans Maier, oft.",
            "Wir lobten das Leiter der Bank, Hans Maier, oft.",
            False,
        ),
        (
            "Wir lobten den Lehrer der Schule, Hans Maier, oft.",
            "Wir lobten die Lehrer der Schule, Hans Maier, oft.",
            True,
        ),
        ("Das Ende des Memos der Botschaft, das kam.", "Das Ende der Memos der Botschaft, das kam.", True),
        ("An der Tür des Hotels, in dem wir schliefen.", "An der Tür der Hotels, in dem wir schliefen.", True),
        ("Der Ort ist schön.", "Das Ort ist schön.", True),
        ("Roger war der einzige, der kam.", "Roger war die einzige, der kam.", False),
        ("Das ist das einzige, was zählt.", "Das ist der einzige, was zählt.", False),
    ],
)
def test_articles_that_are_wrong(text: str, new: str, weak: bool) -> None:
    found = made(text, "np_agreement")
    assert new in found
    assert found[new].weak == weak


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("Wir sind für den Lehrer.", "Wir sind für die Lehrer."),
        ("Das ist die Wahl des Präsidenten.", "Das ist die Wahl der Präsidenten."),
        ("Er nahm das erste.", "Er nahm die erste."),
        ("Er geht in die Stadt.", "Er geht in der Stadt."),
        ("Das wurde den Studenten mitgeteilt.", "Das wurde das Studenten mitgeteilt."),
    ],
)
def test_articles_that_may_be_right(text: str, new: str) -> None:
    assert new not in made(text, "np_agreement")


@pytest.mark.parametrize(
    ("text", "new", "weak"),
    [
        ("Er kam und ging.", "Er kam und gingen.", True),
        ("Er stieg in den Wagen und fuhr schnell davon.", "Er stieg in den Wagen und fuhren schnell davon.", True),
        ("Er kam und sie lachten, weil das Kind sang.", "Er kam und sie lachten, weil das Kind sangen.", False),
        ("Die Zahl der Toten steigt.", "Die Zahl der Toten steigen.", False),
        ("Vierzig Prozent der Menschen tragen es.", "Vierzig Prozent der Menschen trägt es.", False),
    ],
)
def test_verbs_that_disagree(text: str, new: str, weak: bool) -> None:
    found = made(text, "subj_verb_agreement")
    assert new in found
    assert found[new].weak == weak


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("Eine Reihe von Fragen stellt sich.", "Eine Reihe von Fragen stellen sich."),
        ("Fünf Prozent des Geldes sind weg.", "Fünf Prozent des Geldes ist weg."),
    ],
)
def test_subjects_that_allow_both_numbers(text: str, new: str) -> None:
    assert new not in made(text, "subj_verb_agreement")


def test_a_weak_candidate_is_never_chosen() -> None:
    found = list(made("Der Lehrer lacht.", "np_agreement").values())
    chosen = {c.text for seed in range(20) for c in choose(found, seed, 0)}
    assert chosen == {"Das Lehrer lacht."}
