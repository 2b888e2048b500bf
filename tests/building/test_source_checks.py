"""What an English source says of candidates: left out and counted, tagged, or nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

import kontrast
from kontrast.suites.model import Variant


def foils(folder: Path, source: str, reference: str, name: str, **options: object) -> list[Variant]:
    (folder / "a.en").write_text(f"{source}\nThat is no problem.\n", encoding="utf-8")
    (folder / "a.de").write_text(f"{reference}\nDas ist kein Problem.\n", encoding="utf-8")
    types = [name, "polarity_particle_kein_del"]
    suite = kontrast.build_errors(folder / "a.en", folder / "a.de", types=types, every=True, **options)
    return [v for item in suite.items if item.source == source for v in item.variants[1:]]


def test_a_foil_of_the_persons_gender_is_left_out(tmp_path: Path) -> None:
    found = foils(tmp_path, "She is old.", "Er ist alt.", "pronoun_gender")
    assert "Sie ist alt." not in {foil.text for foil in found}


def test_a_negation_that_the_reference_has_speaks_for_no_foil(tmp_path: Path) -> None:
    found = foils(
        tmp_path, "The unhappy man is patient.", "Der unglückliche Mann ist geduldig.", "polarity_affix_ins"
    )
    assert "Der unglückliche Mann ist ungeduldig." in {foil.text for foil in found}


def test_agreement_asks_nothing_of_the_source(tmp_path: Path) -> None:
    found = foils(tmp_path, "The woman laughs.", "Die Frau lacht.", "np_agreement")
    assert found and not any("needs_context" in foil.tags for foil in found)


def test_evaluate_groups_by_it(tmp_path: Path) -> None:
    (tmp_path / "a.en").write_text(
        "What are you doing?\nHe laughed.\nWhere are you going?\nWhat do you say?\n", encoding="utf-8"
    )
    (tmp_path / "a.de").write_text(
        "Was machen Sie?\nEr lachte.\nWohin gehen Sie?\nWas sagen Sie?\n", encoding="utf-8"
    )
    suite = kontrast.build_errors(tmp_path / "a.en", tmp_path / "a.de", types=["formality", "pronoun_gender"])
    kontrast.save(suite, tmp_path / "s.jsonl")
    scores = tmp_path / "a.scores"
    scores.write_text("".join(f"{-i}\n" for i in range(suite.row_count)), encoding="utf-8")
    evaluation = kontrast.evaluate(tmp_path / "s.jsonl", scores, by=["needs_context"])
    by = next(found for found in evaluation.by if found.by == "needs_context")
    assert {group.label for group in by.groups} == {"true", "false"}
    report = kontrast.report(tmp_path / "s.jsonl", scores, by=["needs_context"])
    assert "Accuracy by needs_context" in [section.title for section in report.sections]


def test_what_the_source_says_is_left_out_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = foils(tmp_path, "We have nine dogs.", "Wir haben acht Hunde.", "number")
    assert "the source has the foil's number" in capsys.readouterr().err
    without = foils(tmp_path, "We have nine dogs.", "Wir haben acht Hunde.", "number", ignore_source=True)
    assert len(kept) < len(without) and not any("needs_context" in foil.tags for foil in without)


def test_an_error_without_foils_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ours = ["You have lost your book.", *(f"The house number {n} is very large and old." for n in range(40))]
    theirs = ["Tu as perdu ton livre.", *(f"La maison numéro {n} est très grande et vieille." for n in range(40))]
    (tmp_path / "a.en").write_text("\n".join(ours), "utf-8")
    (tmp_path / "a.fr").write_text("\n".join(theirs), "utf-8")
    kontrast.build_errors(tmp_path / "a.en", tmp_path / "a.fr", "en-fr", ["formality", "number"])
    said = "no formality: the surrounding lines do not show the form of address (1 of 1 candidates)"
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(("source", "kept"), [("He could come.", False), ("If he would ask, he could come.", True)])
def test_could_alone_does_not_decide_a_mood(source: str, kept: bool, tmp_path: Path) -> None:
    assert bool(foils(tmp_path, source, "Er könnte kommen.", "subjunctive")) == kept
