"""French forms: impersonal *il*, elision behind a changed verb, what agrees and what does not."""

from __future__ import annotations

import pytest

from kontrast.building.errors.fr.small_words import with_elision
from kontrast.building.errors.registry import get
from kontrast.building.errors.run import candidates_of
from kontrast.building.errors.spec import candidate
from kontrast.language import annotators
from kontrast.language.annotation import Sentence, Token
from kontrast.language.french_impersonal import is_impersonal
from kontrast.language.french_words import words_of


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        ("Il a fallu partir.", True),
        ("Il est cinq heures.", True),
        ("Il a plu toute la nuit.", True),
        ("Que s'est-il passé ?", True),
        ("Comme s'il ne s'était rien passé.", True),
        ("Il va falloir attendre.", True),
        ("Est-il possible de partir ?", True),
        ("Il a été décidé de partir.", True),
        ("Il est arrivé un accident.", True),
        ("Il n'est pas anormal pour une cheffe de voyager.", True),
        ("Il est ainsi plus judicieux de partir.", True),
        ("Il serait toutefois possible de partir.", True),
        ("Il s'avère bien plus judicieux de partir.", True),
        ("Il devient alors possible de partir.", True),
        ("Il ne nous restera plus d'or.", True),
        ("Il arrive en effet assez souvent qu'on parte.", True),
        ("Il me semble une bonne idée de partir.", True),
        ("Il est recommandé de plutôt utiliser un robot.", True),
        ("Il est conseillé, dans ce cas, de partir.", True),
        ("Il est désormais interdit ici de fumer.", True),
        ("Il est parti bien qu'il pleuve.", False),
        ("Il est grand, fort, capable de porter.", False),
        ("Il devient vieux.", False),
        ("Il reste ici.", False),
        ("Il lui a plu.", False),
        ("Il a plu au public.", False),
        ("Il est arrivé hier.", False),
        ("Il est content de partir.", False),
        ("Est-il grand ?", False),
        ("Il passe par là.", False),
    ],
)
def test_impersonal_il(text: str, empty: bool) -> None:
    words = words_of(Sentence(text, ()))
    place = next(i for i, w in enumerate(words) if w.low == "il")
    assert is_impersonal(words, place) is empty


@pytest.mark.parametrize(
    ("before", "old", "new", "expected"),
    [
        ("s'", "est", "sont", "se sont"),
        ("ne", "sont", "est", "n'est"),
        ("je", "vais", "allons", "j'allons"),
        ("n'", "est", "sont", "ne sont"),
        ("on", "va", "allons", "on allons"),
    ],
)
def test_elision_follows_the_verb(before: str, old: str, new: str, expected: str) -> None:
    gap = "" if before.endswith("'") else " "
    text = before + gap + old
    tokens = (Token(before, 0, len(before)), Token(old, len(before + gap), len(text)))
    sentence = Sentence(text, tokens)
    edits = with_elision(sentence, 1, new)
    assert edits is not None
    assert candidate(sentence, edits).text == expected


@pytest.mark.parametrize(
    ("text", "foil"),
    [
        ("Il est rapide et ne fait pas de bruit.", "Elle est rapide et ne fait pas de bruit."),
        ("Il est grand et fait du bruit.", "Elle est grande et fait du bruit."),
        ("Il est connu mais n'écrit plus.", "Elle est connue mais n'écrit plus."),
        ("Il est construit et produit en France.", "Elle est construite et produite en France."),
    ],
)
def test_a_finite_verb_behind_a_predicate_does_not_agree(text: str, foil: str) -> None:
    made = next(iter(annotators.get("fr").annotate([text])))
    assert candidates_of(get("fr", "pronoun_gender"), made)[0].text == foil
