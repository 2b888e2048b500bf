"""Agreement in the noun phrase: a singular definite article gets another gender (*Die Börse* → *Der Börse*)."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import usual_readings
from kontrast.language.lexicons.german_words import DEFINITE

_CASES = {"Nom": "n", "Gen": "g", "Dat": "d", "Acc": "a"}
_SINGULAR_PRONOUNS = frozenset(("der", "das", "den", "dem", "dessen"))
_ARTICLES = {(gender, cell[0]): form for form, cells in DEFINITE.items() for gender, cell in cells if cell[1] == "s"}


def _disagreeing(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        low = token.text.lower()
        if low not in DEFINITE or not token.relation.startswith("det") or token.head <= i:
            continue
        noun = sentence.tokens[token.head]
        if noun.pos == "ADJ" or noun.morph.get("Number", token.morph.get("Number")) != "Sing":
            continue  # das erste: without a noun any gender may be meant
        for new in _other_genders(sentence, i):
            yield candidate(
                "np_agreement",
                sentence,
                [replaced_word(token, new)],
                distance=token.head - i,
                words=(noun.text,),
            )


def _other_genders(sentence: Sentence, place: int) -> list[str]:
    token = sentence.tokens[place]
    article, noun = token.text.lower(), sentence.tokens[token.head]
    adjectives = [t for t in sentence.tokens[place + 1 : token.head] if t.tag == "ADJA" or t.relation == "amod"]
    no_plural = any(t.text.endswith("e") for t in adjectives) or _is_surely_singular(sentence, token.head)
    named = noun.morph.get("Case", token.morph.get("Case", "")).split(",")
    cases = "".join(_CASES[c] for c in named if c in _CASES)
    found: list[str] = []
    cases += _alike(sentence, place, cases)
    for case in cases:
        if not any(_ARTICLES[gender, case] == article for gender in "mfn"):
            continue
        for gender in "mfn":
            new = _ARTICLES[gender, case]
            if new != article and new not in found and not _fits(new, noun.text, cases, no_plural):
                found.append(new)
    return found


def _alike(sentence: Sentence, place: int, cases: str) -> str:
    """The case that article and noun could as well have: *bestätigt die Familie* is subject or object by its form."""
    before = sentence.tokens[place - 1].pos if place else ""
    if before == "ADP":
        return ""
    article = sentence.tokens[place].text.lower()
    pair = {"die": "na", "das": "na", "der": "gd"}.get(article, "")
    return "".join(case for case in pair if case not in cases) if set(pair) & set(cases) else ""


def _is_surely_singular(sentence: Sentence, noun: int) -> bool:
    """Does something beside the article say that there is one: a verb, a name after it, a relative pronoun?"""
    tokens = sentence.tokens
    if tokens[noun].relation.startswith("nsubj") and _verb_is_singular(sentence, tokens[noun].head):
        return True
    after = tokens[noun + 1 : noun + 3]
    if after and after[0].pos == "PROPN" and not after[0].text.endswith("s"):
        return True
    return (
        len(after) == 2 and after[0].text == "," and after[1].tag == "PRELS" and after[1].text in _SINGULAR_PRONOUNS
    )


def _verb_is_singular(sentence: Sentence, verb: int) -> bool:
    """Not so in *der Lehrer und seine Frau lachen*, where several teachers would do as well."""
    tokens = sentence.tokens
    finite = [tokens[verb], *(t for t in tokens if t.head == verb and t.relation.startswith(("aux", "cop")))]
    return not any(t.morph.get("Number") == "Plur" for t in finite if t.pos in ("VERB", "AUX"))


def _fits(article: str, noun: str, cases: str, no_plural: bool) -> bool:
    """Would the article suit any reading of the noun in these cases: another gender, or a plural?

    There is no plural where something else in the sentence is singular.
    """
    cells = DEFINITE[article]
    return any(
        code[0] in cases and ((r.feature, code[:2]) in cells or (not no_plural and ("x", code[:2]) in cells))
        for r in usual_readings(noun)
        for code in r.codes
    )


perturbation = Perturbation(
    name="np_agreement",
    language="de",
    summary="the gender of a singular definite article is changed",
    conditions=(
        "The word is a definite article (der, die, das, den, dem, des) of a singular noun; contractions (im) stay.",
        "The new article has the same case and another gender, as it would stand before a noun of that gender.",
        "Where two cases look alike (die, das; feminine der), also the other one, if it never fits the noun.",
        "No article that suits the noun after all: der See → die See, für den Lehrer → für die Lehrer.",
        "A plural does not suit where a verb, adjective, name or relative pronoun is singular: Die Lehrer lacht.",
        "The distance is counted in words from the article to its noun; the frequency is the noun's.",
    ),
    examples=(
        Example("Die Prager Börse stürzt ins Minus.", "Der Prager Börse stürzt ins Minus."),
        Example("Er gibt der Frau das Buch.", "Er gibt dem Frau das Buch."),
        Example("Die Kinder lachen.", None),
    ),
    function=_disagreeing,
)
