"""French pronoun_gender: what it changes, what it leaves alone, and how often it agrees with sets made by others."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import msgspec
import pytest

pytest.importorskip("spacy")

from kontrast.building.errors.registry import get
from kontrast.building.errors.run import candidates_of
from kontrast.building.errors.spec import Candidate
from kontrast.language import annotators

PERTURBATION = get("fr", "pronoun_gender")


def candidates(*texts: str) -> list[list[Candidate]]:
    return [candidates_of(PERTURBATION, s) for s in annotators.get("fr").annotate(texts)]


@pytest.mark.parametrize("example", PERTURBATION.declared.examples)
def test_declared_examples(example: tuple[str, ...]) -> None:
    [found] = candidates(example[0])
    good = [c.text for c in found if not c.plain]
    assert example[1] in good if example[1:] else good == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Ils sont tous revenus.", "Elles sont toutes revenues."),
        ("Elles se sont bien amusées.", "Ils se sont bien amusés."),
        ("Il a l'air content.", "Elle a l'air contente."),
        ("Une fois la porte réparée, elle sortit.", "Une fois la porte réparée, il sortit."),
        ("Une fois, elle est venue.", "Une fois, il est venu."),
        ("Je pense à elle.", "Je pense à lui."),
        ("Je parle d'elle.", "Je parle de lui."),
        ("Je la trouve belle.", "Je le trouve beau."),
        ("A-t-elle été vue ?", "A-t-il été vu ?"),
    ],
)
def test_agreement(before: str, after: str) -> None:
    [found] = candidates(before)
    assert after in [c.text for c in found if not c.plain]


@pytest.mark.parametrize(
    "before",
    [
        "C'est le premier single de l'album.",
        "Il reste encore quelques bugs.",
        "Il est navrant de voir cela.",
        "Comment se fait-il ?",
        "S'agit-il d'une légende ?",
        "Il en faut soixante.",
        "Montigny-le-Bretonneux est en France.",
    ],
)
def test_what_stands_for_nothing_stays(before: str) -> None:
    [found] = candidates(before)
    assert found == []


def test_edits_lead_from_text_to_candidate() -> None:
    before = "S'ils sont nuls, je les ai jetés."
    [found] = candidates(before)
    assert found
    for candidate in found:
        text = before
        for edit in reversed(candidate.edits):
            assert text[edit.start : edit.end] == edit.old
            text = text[: edit.start] + edit.new + text[edit.end :]
        assert text == candidate.text != before


def test_chain_changes_all_of_one_gender() -> None:
    [found] = candidates("Elle est lourde, mais elle roule.")
    assert "Il est lourd, mais il roule." in [c.text for c in found if c.chain]


def test_hand_made_set(data: Path) -> None:
    blocks = json.loads((data / "discevalmt-en-fr" / "anaphora.json").read_text(encoding="utf-8"))
    entries = [entry for block in blocks.values() for entry in block["trg"]]
    correct = [(entry.get("correct") or entry["semi-correct"])[1] for entry in entries]
    found = candidates(*correct)
    hits = sum(
        entry["incorrect"][1] in {c.text for c in some if not c.plain}
        for entry, some in zip(entries, found, strict=True)
    )
    assert hits >= 0.8 * len(entries)


def test_a_person_of_the_source_decides() -> None:
    [sentence] = annotators.get("fr").annotate(["Comme il l'avait prédit, il viendra."])
    told = msgspec.structs.replace(sentence, source="As he had predicted, he will come.")
    assert [c.text for c in candidates_of(PERTURBATION, told, left=Counter()) if c.is_sure] == [
        "Comme elle l'avait prédit, il viendra.",
        "Comme il l'avait prédit, elle viendra.",
    ]
