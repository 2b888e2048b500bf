"""Words of Spanish, Italian and French foils that would keep the old gender: they change too, or are a doubt."""

from __future__ import annotations

import pytest

pytest.importorskip("spacy")

from kontrast.building.pronouns import load_recipe
from kontrast.building.pronouns.target import ILL_AGREED, target_side
from kontrast.language.alignment import spans

from .test_romance_doubts import doubt_of, foil_of, item_of

ES = [("The boxes are here.", "Las cajas están aquí.", "boxes=cajas are=están here=aquí")]
IT = [("The books are here.", "I libri sono qui.", "books=libri are=sono here=qui")]


@pytest.mark.parametrize(
    ("source", "target", "links", "word"),
    [
        (
            "You move them together.",
            "Puedes moverlas juntas.",
            "them=moverlas together=juntas",
            "juntas",
        ),
        (
            "You find them alone.",
            "Puedes encontrarlas solas.",
            "them=encontrarlas alone=solas",
            "solas",
        ),
        (
            "You move them to new tables.",
            "Puedes moverlas a nuevas mesas.",
            "them=moverlas new=nuevas tables=mesas",
            "",
        ),
        (
            "You move them to open tables.",
            "Puedes moverlas a mesas abiertas.",
            "them=moverlas open=abiertas tables=mesas",
            "",
        ),
        (
            "You have seen and used them.",
            "Puedes verlas como las has usado.",
            "used=usado them=verlas",
            "las",
        ),
        (
            "You see them and keep them.",
            "Puedes verlas y guardalas.",
            "them=verlas keep=guardalas",
            "guardalas",
        ),
    ],
)
def test_spanish_words_that_stay(source: str, target: str, links: str, word: str) -> None:
    doubt = doubt_of(item_of("en-es", [*ES, (source, target, links)], "them"))
    assert (doubt == f"{word} may go with it") if word else "may go with it" not in doubt


@pytest.mark.parametrize(
    ("source", "target", "links", "word"),
    [
        ("You find them open.", "Puoi trovarli aperti.", "find=trovarli them=trovarli open=aperti", "aperti"),
        ("You find them destroyed.", "Puoi trovarli distrutti.", "them=trovarli destroyed=distrutti", "distrutti"),
        (
            "You find them on closed tables.",
            "Puoi trovarli su tavoli chiusi.",
            "them=trovarli closed=chiusi tables=tavoli",
            "",
        ),
        (
            "You see them, give them back.",
            "Puoi vederli, restituiscimeli.",
            "them=vederli give=restituiscimeli",
            "restituiscimeli",
        ),
    ],
)
def test_italian_words_that_stay(source: str, target: str, links: str, word: str) -> None:
    doubt = doubt_of(item_of("en-it", [*IT, (source, target, links)], "them"))
    assert (doubt == f"{word} may go with it") if word else "may go with it" not in doubt


def test_one_of_them_is_taken_up_in_the_singular() -> None:
    last = (
        "You drop one of them while you move it.",
        "Rompiste una de ellas cuando la estabas moviendo.",
        "drop=Rompiste one=una of=de them=ellas while=cuando move=moviendo",
    )
    assert doubt_of(item_of("en-es", [*ES, last], "them")) == "la may go with it"


@pytest.mark.parametrize(
    ("text", "pronoun", "foil"),
    [
        ("Dopo averlo letto, chiudi.", "averlo", "Dopo averla letta, chiudi."),
        ("Avendoli già visti, esco.", "Avendoli", "Avendole già viste, esco."),
    ],
)
def test_a_participle_behind_its_pronoun_changes(text: str, pronoun: str, foil: str) -> None:
    made = foil_of("en-it", text, pronoun)
    assert (made.text, made.doubt) == (foil, "")


@pytest.mark.parametrize(
    ("text", "pronoun", "doubt"),
    [
        ("Les matamos a ellos.", "ellos", "les may go with it"),
        ("Vamos a ellos.", "ellos", ""),
        ("Abra el molino, inténtelo y déjelo.", "déjelo", "inténtelo may mean something else"),
        ("Abra el molino, ciérrelo y déjelo.", "déjelo", ""),
    ],
)
def test_pronouns_that_stay_or_mean_a_fact(text: str, pronoun: str, doubt: str) -> None:
    assert foil_of("en-es", text, pronoun).doubt == doubt


@pytest.mark.parametrize(("word", "genders"), [("arma", "f"), ("libro", "m"), ("autoclave", "mf")])
def test_nouns_that_their_article_does_not_tell(word: str, genders: str) -> None:
    text = f"El {word} es viejo."
    noun = target_side(load_recipe("en-es")).noun(text, spans(text), 1, "s")
    assert noun is not None
    assert noun.genders == frozenset(genders)


@pytest.mark.parametrize(
    ("text", "pronoun", "doubt"),
    [
        ("Il est bu froid.", "Il", "froid may go with it"),
        ("Il reste là, silencieux et menaçant.", "Il", "silencieux may go with it"),
        ("Somptueusement illustré avec des photos, il contient des informations.", "il", "illustré may go with it"),
        ("Bien que raffraichissante et confortable, elle est chère.", "elle", "raffraichissante may go with it"),
        ("Elles sont là et peuvent ainsi être préconfigurées.", "Elles", "préconfigurées may go with it"),
        ("Elle a un toit pointu et une porte fermée.", "Elle", ""),
        ("Ils pourraient être vos amis aussi.", "Ils", "amis may go with it"),
        ("Ils reviendront lorsqu'il auront gagné.", "Ils", ILL_AGREED),
        ("En glissant la souris, il se déplace.", "il", ""),
        ("Ils ont vu que le pont était détruit.", "Ils", ""),
    ],
)
def test_french_words_that_stay(text: str, pronoun: str, doubt: str) -> None:
    assert foil_of("en-fr", text, pronoun).doubt == doubt


def test_one_of_some_things_keeps_its_gender() -> None:
    assert (
        foil_of("en-fr", "L'un des buts est qu'il doit aider.", "il").text == "L'un des buts est qu'elle doit aider."
    )


@pytest.mark.parametrize(
    ("pair", "text", "pronoun", "foil"),
    [
        ("en-it", "Il modo è quello di estrarli.", "estrarli", "Il modo è quello di estrarle."),
        ("en-es", "Puede verlos del mismo modo.", "verlos", "Puede verlas del mismo modo."),
        ("en-it", "Vogliamo pubblicarlo noi stessi.", "pubblicarlo", "Vogliamo pubblicarla noi stessi."),
        ("en-it", "Attenzione nel cercarli.", "cercarli", "Attenzione nel cercarle."),
    ],
)
def test_words_of_another_noun_stay(pair: str, text: str, pronoun: str, foil: str) -> None:
    assert foil_of(pair, text, pronoun).text == foil


@pytest.mark.parametrize(
    ("pair", "text", "pronoun", "foil"),
    [
        ("en-es", "Y todas ellas son de hierro.", "ellas", "Y todos ellos son de hierro."),
        ("en-es", "Hay un ópalo y puedes venderlo.", "venderlo", "Hay un ópalo y puedes venderla."),
        ("en-es", "Limpie lo dejado y guárdelo.", "guárdelo", "Limpie lo dejado y guárdela."),
        (
            "en-it",
            "Essi sono spesso implementati, ma non so cosa essi sappiano.",
            "Essi",
            "Esse sono spesso implementate, ma non so cosa esse sappiano.",
        ),
        (
            "en-it",
            "Vedo che essi sono aperti e che essi sono chiusi.",
            "essi",
            "Vedo che esse sono aperte e che esse sono chiuse.",
        ),
    ],
)
def test_every_mention_changes_with_what_agrees(pair: str, text: str, pronoun: str, foil: str) -> None:
    assert foil_of(pair, text, pronoun).text == foil


def test_the_apostrophe_is_that_of_the_text() -> None:
    made = foil_of("en-fr", "L’image doit rester visible même si elle est affichée.", "elle")
    assert made.text == "L’image doit rester visible même s’il est affiché."


def test_a_french_object_that_means_the_same_stays() -> None:
    rows = [
        ("The luxury is local.", "Le luxe est local.", "luxury=luxe is=est local=local"),
        (
            "It helps only the city that makes it.",
            "Il aide seulement la ville qui le produit.",
            "It=Il helps=aide only=seulement city=ville makes=produit",
        ),
    ]
    assert doubt_of(item_of("en-fr", rows)) == "le may go with it"
