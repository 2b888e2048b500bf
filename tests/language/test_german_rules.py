"""The rules of the German back end, one sentence for each: articles, noun phrases, finite verbs, subjects."""

from __future__ import annotations

import pytest

from kontrast.language import annotators
from kontrast.language.annotation import Sentence, Token


def annotated(text: str) -> Sentence:
    return next(annotators.get("de").annotate([text]))


def word(sentence: Sentence, text: str) -> Token:
    """The last token with this text."""
    return [t for t in sentence.tokens if t.text == text][-1]


@pytest.mark.parametrize(
    ("text", "article", "noun"),
    [
        ("Die von den Vereinten Nationen geförderte Konferenz scheitert.", "Die", "Konferenz"),
        ("Die als Transcity bekannte Gruppe gewinnt.", "Die", "Gruppe"),
        ("Das Verrückte ist, dass er lacht.", "Das", "Verrückte"),
        ("Die Polizei teilte mit, der vermummte Täter habe die Frau überrascht.", "der", "Täter"),
        ("Sie dürfen bleiben, die Frage ist, wie lange.", "die", "Frage"),
        ("Roger war der einzige, der kam.", "der", "einzige"),
    ],
)
def test_the_article_finds_its_noun(text: str, article: str, noun: str) -> None:
    sentence = annotated(text)
    assert any(
        t.text == article and t.relation == "det" and sentence.tokens[t.head].text == noun for t in sentence.tokens
    )


@pytest.mark.parametrize(
    ("text", "pronoun"),
    [
        ("Der Mann, der sein Land regierte, starb.", "der"),
        ("Er trinkt Tee, der in hohen, gut gefüllten Gläsern serviert wird.", "der"),
    ],
)
def test_a_relative_pronoun_is_no_article(text: str, pronoun: str) -> None:
    assert word(annotated(text), pronoun).tag == "PRELS"


@pytest.mark.parametrize(
    ("text", "noun", "number"),
    [
        ("Ein paar Leute lachen.", "Leute", "Plur"),
        ("Im Juli hat die ECB entschieden.", "ECB", "Sing"),
        ("Er sprach mit der 28-Jährigen.", "28-Jährigen", "Sing"),
    ],
)
def test_one_or_several(text: str, noun: str, number: str) -> None:
    assert word(annotated(text), noun).morph["Number"] == number


@pytest.mark.parametrize(
    ("text", "verb", "subject"),
    [
        ("Strandhütten in Brighton haben ein neues Leben gefunden.", "haben", "Strandhütten"),
        ("Tausende trauern um ihre Freunde.", "trauern", "Tausende"),
        ("Die Idee, während des Rennens Autos zu wechseln, ist gut.", "ist", "Idee"),
        ("Zwei wurden verletzt, eine konnte fliehen.", "konnte", "eine"),
        ("Es gewann an Ruhm und die Menschen nahmen es an.", "nahmen", "Menschen"),
        ("Heute Abend läuft es gut.", "läuft", "es"),
        ("Da sich die Lage verschlechtert, warten alle.", "verschlechtert", "Lage"),
        ("Er kennt seine strengen Kontrollen und die Gäste kommen.", "kommen", "Gäste"),
    ],
)
def test_the_verb_finds_its_subject(text: str, verb: str, subject: str) -> None:
    sentence = annotated(text)
    finite = next(i for i, t in enumerate(sentence.tokens) if t.text == verb and t.tag.endswith("FIN"))
    centre = sentence.tokens[finite].head if sentence.tokens[finite].relation == "aux" else finite
    subjects = {t.text for t in sentence.tokens if t.head in (centre, finite) and t.relation == "nsubj"}
    assert subjects == {subject}


@pytest.mark.parametrize(
    ("text", "verb"),
    [],
)
def test_an_infinitive_is_not_finite(text: str, verb: str) -> None:
    assert word(annotated(text), verb).tag.endswith("INF")
