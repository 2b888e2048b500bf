"""German pronoun suites: what readers of games and subtitles refused, in texts that no rule had met."""

from __future__ import annotations

import pytest

from kontrast.building.pronouns import load_recipe
from kontrast.building.pronouns.phrases import is_purpose
from kontrast.building.pronouns.target import target_side
from kontrast.language.alignment import spans
from kontrast.language.german.es import use_of_es
from kontrast.language.german.plain import clause, split

RECIPE = load_recipe("en-de")


def masculine(text: str, *, subject: bool, **together: bool | None) -> str:
    """The foil *er*, *ihn* of the pronoun in brackets; ``together`` are other words that may mean the same."""
    start, end = text.index("["), text.index("]") - 1
    text = text.replace("[", "").replace("]", "")
    others = {w.start: together[w.text] for w in spans(text) if w.text in together and w.start != start}
    made = target_side(RECIPE).contrast(text, start, end, is_subject=subject, together=others)
    return next(c.text for c in made if c.gender == "m")


@pytest.mark.parametrize(
    ("text", "subject", "wanted"),
    [
        (
            "Diese Waffe war beliebt, da [sie] bis vor kurzem beim Abfeuern eine Strahlung erzeugte.",
            False,
            "da er bis",
        ),
        ("Während des Krieges stellte [es] Wasser her.", True, "stellte er Wasser"),
        ("Während der Reise verlor [es] Öl.", True, "verlor er Öl"),
        ("Bis Mitternacht verlor [es] Öl.", True, "verlor er Öl"),
        ("Seit dem Sturm verliert [es] Öl.", True, "verliert er Öl"),
        ("Er macht Fehler, die [sie] sich nicht leisten kann.", False, "die er sich"),
        ("[Sie] ist einer der Orte, sobald man geht.", False, "Er ist einer"),
        ("Wir bauen es um, daher hat [es] jetzt so eine Form.", False, "daher hat er"),
        ("Ausländern tut [es] nicht gut.", False, "tut er nicht"),
        ('Wir können das Material benutzen und [es] in neue Formen zu "programmieren".', False, "und ihn in neue"),
        ("[Sie] rollte, weil der Mann sie schob.", True, "Er rollte"),
    ],
)
def test_the_case_of_a_foil(text: str, subject: bool, wanted: str) -> None:
    assert wanted in masculine(text, subject=subject)


def test_an_object_of_an_infinitive_changes_along() -> None:
    text = "Du musst darauf achten, sie nur zu benutzen, wenn du [sie] brauchst."
    assert masculine(text, subject=False, sie=None) == (
        "Du musst darauf achten, ihn nur zu benutzen, wenn du ihn brauchst."
    )


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Kein Spinat, es ist … ein Geheimnis.", "predicate"),
        ("Das Gerät ist verbunden, es besteht aber keine Verbindung.", "empty"),
        ("Das Projekt ruht, es liegt an der Aufbewahrung.", "empty"),
        ("Das ist so alt, dass es schon wieder neu ist.", "sentence"),
        ("Man kann ein Buch lesen, man muss es aber nicht.", "sentence"),
        ("Das Schiff ist alt, aber es hat sich aus der Bahn um den Stern bewegt.", "thing"),
    ],
)
def test_what_es_stands_for(text: str, kind: str) -> None:
    words = split(text)
    place = max(i for i, w in enumerate(words) if w.low == "es")
    assert use_of_es(words, place).kind == kind


@pytest.mark.parametrize(
    ("text", "word", "inside"),
    [
        ("Er lebte hier bis zu seinem dritten Jahr.", "Er", "Jahr"),
        ("Seit dem Krieg ist sie alt.", "sie", "Krieg"),
        ("Er schlief während der Reise viel.", "Er", "viel"),
        ("Der Strahl ist eine leichtere, schnellere Version.", "Strahl", "Version"),
    ],
)
def test_words_of_one_clause(text: str, word: str, inside: str) -> None:
    words = split(text)
    start, end = clause(words, next(i for i, w in enumerate(words) if w.text == word))
    assert inside in {w.text for w in words[start : end + 1]}


@pytest.mark.parametrize(
    ("text", "word"),
    [("Er wartete, bis sie kam.", "wartete"), ("Er schlief, während sie las.", "schlief")],
)
def test_a_clause_of_its_own(text: str, word: str) -> None:
    words = split(text)
    start, end = clause(words, next(i for i, w in enumerate(words) if w.text == word))
    assert "sie" not in {w.text for w in words[start : end + 1]}


@pytest.mark.parametrize(
    ("text", "noun", "wanted"),
    [
        ("Hier ist eine Fabrik zur Herstellung von Teilen.", "Herstellung", True),
        ("Die Rakete der Mace-Klasse ist billig.", "Mace-Klasse", True),
        ("Er geht zur Herstellung.", "Herstellung", False),
        ("Die Rakete ist billig.", "Rakete", False),
    ],
)
def test_what_a_thing_is_for_is_no_antecedent(text: str, noun: str, wanted: bool) -> None:
    words = spans(text)
    assert is_purpose(words, next(j for j, w in enumerate(words) if w.text == noun)) is wanted
