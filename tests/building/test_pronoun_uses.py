"""What pronouns stand for, what they refer to, and their foils: single sentences in every pair."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("spacy")
pytest.importorskip("systran_align")

import kontrast
from kontrast.building.pronouns import load_recipe
from kontrast.building.pronouns.foils import contrastives
from kontrast.language import annotators, resolvers
from kontrast.language.coreference import is_pleonastic
from kontrast.language.german.plain import split, use_of_es
from kontrast.language.resolvers.salience import Salience

CORPUS = Path(str(kontrast.bundled_corpus()))


@pytest.mark.parametrize(
    ("pair", "text", "pronoun", "expected"),
    [
        ("en-de", "Ich sehe ihn.", "ihn", {"Ich sehe sie.", "Ich sehe es."}),
        ("en-fr", "Elle est belle.", "Elle", {"Il est beau."}),
        ("en-es", "La puerta no la abro.", "la", {"La puerta no lo abro."}),
        ("en-es", "Ella es muy bonita.", "Ella", {"Él es muy bonito."}),
        ("en-it", "Essa è molto bella.", "Essa", {"Esso è molto bello."}),
    ],
)
def test_contrastives_of_every_recipe(pair: str, text: str, pronoun: str, expected: set[str]) -> None:
    start = text.rindex(pronoun)
    assert {c.text for c in contrastives(load_recipe(pair), text, start, start + len(pronoun))} == expected


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        ("It is raining.", True),
        ("It seems that she left.", True),
        ("It is hard to say.", True),
        ("It was him who called.", True),
        ("It is on the table.", False),
        ("I bought it yesterday.", False),
        ("It takes an hour to get there.", True),
        ("We can make it easier to return to work.", True),
        ("It was announced that the bridge will close.", True),
        ("When it comes to money, she is careful.", True),
    ],
)
def test_it_that_stands_for_nothing(text: str, empty: bool) -> None:
    sentence = next(annotators.get("en").annotate([text]))
    place = next(i for i, t in enumerate(sentence.tokens) if t.text.lower() == "it")
    assert is_pleonastic(sentence, place) is empty


def test_salience_prefers_the_subject_in_the_same_number() -> None:
    sentences = list(annotators.get("en").annotate(["The lamp stood beside the two chairs.", "It was very old."]))
    best = Salience().antecedents("", sentences, 1, 0)[0]
    assert sentences[best.sentence].tokens[best.token].text == "lamp"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Es gibt viele Bücher.", "empty"),
        ("Wir fragten, um was es sich handelte.", "empty"),
        ("Es sind nur noch ein paar Tage.", "empty"),
        ("Es regnet seit gestern.", "empty"),
        ("Es dauert eine Stunde.", "empty"),
        ("Wie geht es dir?", "empty"),
        ("Es ist schön, dass du kommst.", "empty"),
        ("Das macht es leichter, zu gehen.", "empty"),
        ("Heute ist es wolkig.", "empty"),
        ("Das ist es wert.", "empty"),
        ("Es war ein Fehler.", "predicate"),
        ("Ich weiß es nicht.", "sentence"),
        ("Es wurde 1905 gebaut.", "thing"),
        ("Ich habe es gestern gekauft.", "thing"),
        ("Wir glauben, dass es im Keller liegt.", "open"),
    ],
)
def test_what_german_es_stands_for(text: str, kind: str) -> None:
    words = split(text)
    assert use_of_es(words, next(i for i, w in enumerate(words) if w.low == "es")) == kind


@pytest.mark.parametrize(
    ("text", "pronoun", "expected"),
    [
        ("Das Buch liegt da, aber ihm gehört es.", "es", {"Das Buch liegt da, aber ihm gehört er."}),
        ("Mir gefällt es.", "es", {"Mir gefällt er.", "Mir gefällt sie."}),
        (
            "Dadurch wird sie zur Liste hinzugefügt.",
            "sie",
            {f"Dadurch wird {w} zur Liste hinzugefügt." for w in ("er", "es")},
        ),
        ("Es fliegt, bis es keinen Treibstoff mehr hat.", "es", {"Es fliegt, bis er keinen Treibstoff mehr hat."}),
        ("Sie haben Recht.", "Sie", set()),
    ],
)
def test_case_and_person_come_from_the_german_clause(text: str, pronoun: str, expected: set[str]) -> None:
    start = text.rindex(pronoun)
    found = {c.text for c in contrastives(load_recipe("en-de"), text, start, start + len(pronoun), True)}
    assert found >= expected and bool(found) is bool(expected)


def test_mentions_of_one_thing_change_together() -> None:
    text = "Als sie 1820 öffnete, war sie die längste und zeigte ihre Größe."
    recipe = load_recipe("en-de")
    first, second, owner = text.index("sie"), text.rindex("sie"), text.index("ihre")
    together = {second: True, owner: False}
    found = {c.text for c in contrastives(recipe, text, first, first + 3, True, together)}
    assert "Als er 1820 öffnete, war er die längste und zeigte seine Größe." in found
    alone = {c.text for c in contrastives(recipe, text, first, first + 3, True)}
    assert "Als er 1820 öffnete, war sie die längste und zeigte ihre Größe." in alone


@pytest.mark.parametrize("form", ["json", "conllu"])
def test_given_coreference(form: str, tmp_path: Path) -> None:
    path = tmp_path / f"chains.{form}"
    if form == "json":
        path.write_text('{"d": [[[0, 0, 8], [1, 0, 2]]]}')
    else:
        rows = ["# newdoc id = d", "# text = The lamp stood near a chair."]
        words = "The lamp stood near a chair .".split()
        marks = {"The": "Entity=(e1-object-1", "lamp": "Entity=e1)", "a": "Entity=(e2", "chair": "Entity=e2)"}
        rows += ["\t".join([str(i), w, *"_" * 7, marks.get(w, "_")]) for i, w in enumerate(words, start=1)]
        rows += ["", "# text = It was old."]
        marks = {"It": "Entity=(e1)"}
        rows += ["\t".join([str(i), w, *"_" * 7, marks.get(w, "_")]) for i, w in enumerate("It was old .".split(), 1)]
        path.write_text("\n".join([*rows, ""]))
    sentences = list(annotators.get("en").annotate(["The lamp stood near a chair.", "It was old."]))
    [only] = resolvers.get("given", path).antecedents("d", sentences, 1, 0)
    assert sentences[only.sentence].tokens[only.token].text == "lamp"
    assert resolvers.get("given", path).antecedents("other", sentences, 1, 0) == []
