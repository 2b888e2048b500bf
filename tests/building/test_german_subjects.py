"""German foils: a subject that an insertion hides, accusatives of time, and whose a possessive is."""

from __future__ import annotations

import pytest

from kontrast.building.perturb import get
from kontrast.building.perturb.run import candidates_of
from kontrast.building.pronouns.clues import stays_subject
from kontrast.language import annotators
from kontrast.language.annotation import Sentence
from kontrast.language.german.plain import split
from kontrast.language.german.times import time_words

from .test_german_case import foils


@pytest.mark.parametrize(
    "text",
    [
        "Der Ingenieur, dessen Werkzeuge fehlten, konnte [sie] nicht reparieren.",
        "Der Ingenieur, dessen Werkzeuge alt waren, konnte [sie] reparieren.",
        "Der Mann, den wir sahen, kaufte [es].",
        "Ein kleiner Schotte im Ministerium, der hier arbeitet, hat [sie] gefunden.",
        "Der gestern verhaftete Mann, ein Ingenieur, nahm [sie] mit.",
        "Der Ingenieur (35) konnte [sie] gestern abholen.",
        "Der Mann – ein Ingenieur – nahm [sie] mit.",
        "Der „Spiegel“ hat [sie] veröffentlicht.",
        "Der Mann, der gestern kam, hat [sie] sich gekauft.",
        "Sie sagt, dass der Mann, der gestern kam, [sie] abholte.",
        "Sie sagt, dass das Kind, das hier spielt, [sie] gefunden hat.",
    ],
)
def test_the_subject_stands_before_an_insertion(text: str) -> None:
    made = foils(text, subject=False)
    assert (made["m"].replacement, made["m"].doubt) == ("ihn", "")


@pytest.mark.parametrize(
    "text",
    [
        "Die Firma, der das Haus gehört, will [sie] zurück.",
        "Das Kind, das im Garten spielt, hat [sie] gefunden.",
        "Anna Weber, die Ingenieurin, hat [sie] gefunden.",
    ],
)
def test_a_noun_before_an_insertion_may_be_the_object(text: str) -> None:
    assert foils(text, subject=True)["m"].replacement == "er"
    assert foils(text, subject=False)["m"].replacement == "ihn"


@pytest.mark.parametrize(
    "text",
    [
        "Den Mann, der gestern kam, kannte [sie] nicht.",
        "Mit diesem Namen, den er kennt, verkaufte [sie] viel.",
        "In der Stadt, die er kennt, wurde [sie] gefunden.",
        "„Wunderbar“, sagte [sie].",
        "Wenn der Regen kommt, wächst [sie] schnell.",
        "Gestern, so die Polizei, wurde [sie] gefunden.",
    ],
)
def test_no_subject_stands_before_an_insertion(text: str) -> None:
    for subject in (True, False):
        assert foils(text, subject=subject)["m"].replacement == "er"


def test_another_mention_behind_an_insertion_is_an_object() -> None:
    text = "Die Tasche fehlt, und die Firma, der [sie] gehört, will sie zurück."
    assert foils(text, subject=True, sie=False)["m"].text.endswith("der er gehört, will ihn zurück.")
    assert foils(text, subject=True, sie=None)["m"].doubt == "the case of another sie is not known"


@pytest.mark.parametrize(
    ("source", "roles"),
    [
        ("The company, to which it belongs, wants it back.", [True, False]),
        ("The man wants it to work.", [True]),
        ("He says it is old.", [True]),
    ],
)
def test_what_is_wanted_back_is_an_object(source: str, roles: list[bool]) -> None:
    sentence = next(annotators.get("en").annotate([source]))
    found = [i for i, token in enumerate(sentence.tokens) if token.text == "it"]
    assert [stays_subject(sentence, i) for i in found] == roles


@pytest.mark.parametrize(
    "text",
    [
        "Ein Jahr später wurde [es] gefunden.",
        "Eine Woche später wurde [sie] gefunden.",
        "Zwei Monate später wurde [es] verkauft.",
        "Ein paar Wochen später wurde [es] verkauft.",
        "Jeden Tag wird [es] geputzt.",
        "Diesen Sommer wurde [es] gebaut.",
        "Letztes Jahr wurde [es] renoviert.",
        "Ein Jahr nach der Wende wurde [es] gebaut.",
        "Ein Jahr später fiel [es] um.",
        "Wenige Stunden darauf fiel [es] um.",
        "Heute Abend läuft [es] gut.",
    ],
)
def test_a_time_is_no_subject(text: str) -> None:
    for subject in (True, False):
        made = foils(text, subject=subject)
        assert (made["m"].replacement, made["m"].doubt) == ("er", "")
    plain = text.replace("[", "").replace("]", "")
    found = candidates_of(get("de", "pronoun_gender"), Sentence(plain, ()))
    assert text.replace("[es]", "er").replace("[sie]", "er") in {c.text for c in found if not c.plain}


def test_a_subject_behind_a_time() -> None:
    for subject in (True, False):
        assert foils("Ein Jahr später verkaufte der Mann [es].", subject=subject)["m"].replacement == "ihn"


def test_a_time_may_be_a_subject() -> None:
    for text in ("Ein Jahr hat es verändert", "Das letzte Jahr hat es verändert", "Der Tag machte es möglich"):
        assert not time_words(split(text), 0, 3)
    assert not time_words(split("In zwei Jahren und vor einer Woche"), 0, 6)


@pytest.mark.parametrize(
    ("text", "possessive", "made"),
    [
        ("Das Museum zeigte [ihn] seinen Besuchern.", "seinen", "Das Museum zeigte sie seinen Besuchern."),
        ("Gestern zeigte [ihn] das Museum seinen Gästen.", "seinen", "Gestern zeigte sie das Museum seinen Gästen."),
        ("Das ist das Museum, das [ihn] seinen Gästen zeigt.", "seinen", "das sie seinen Gästen zeigt."),
        ("Das Museum kaufte Bilder und zeigte [ihn] seinen Gästen.", "seinen", "und zeigte sie seinen Gästen."),
        ("Das Museum versuchte, [ihn] seinen Gästen zu zeigen.", "seinen", "versuchte, sie seinen Gästen zu zeigen."),
        ("Die Firma zeigte [ihn] seinen Kunden.", "seinen", "Die Firma zeigte sie ihren Kunden."),
        ("Wir zeigten [ihn] seinen Besuchern.", "seinen", "Wir zeigten sie ihren Besuchern."),
        ("Die Frau gab [ihm] das Buch seiner Mutter.", "seiner", "Die Frau gab ihr das Buch ihrer Mutter."),
    ],
)
def test_a_possessive_of_the_subject_stays(text: str, possessive: str, made: str) -> None:
    foil = foils(text, subject=False, **{possessive: False})["f"]
    assert foil.text.endswith(made)
    assert not foil.doubt


def test_a_possessive_of_the_subject_stays_beside_a_feminine() -> None:
    foil = foils("Die Firma zeigte [sie] ihren Kunden.", subject=False, ihren=False)["m"]
    assert (foil.text, foil.doubt) == ("Die Firma zeigte ihn ihren Kunden.", "")


def test_a_possessive_that_may_be_a_names_is_doubted() -> None:
    foil = foils("Siemens zeigte [ihn] seinen Kunden.", subject=False, seinen=False)["f"]
    assert (foil.text, foil.doubt) == ("Siemens zeigte sie seinen Kunden.", "seinen stays")
