"""Agreement in the noun phrase: an article of another gender, an adjective of the other declension."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kontrast.building.errors.spec import Candidate, candidate, doubts, error, flags
from kontrast.building.errors.text import replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import Reading, adjective_lemma, noun_readings, usual_readings
from kontrast.language.lexicons.german_words import DEFINITE, PREPOSITION_CASES
from kontrast.language.words import lists_of

_CASES = {"Nom": "n", "Gen": "g", "Dat": "d", "Acc": "a"}
_ARTICLES = {(gender, cell[0]): form for form, cells in DEFINITE.items() for gender, cell in cells if cell[1] == "s"}


@error("grammar")
def np_agreement(sentence: Sentence) -> Iterator[Candidate]:
    """The gender of a singular definite article is changed.

    The word is a definite article (der, die, das, den, dem, des) of a singular noun; contractions (im) do not change.
    The new article has the same case and another gender, as it would stand before a noun of that gender. The new
    article must not fit the noun: der See → die See and für den Lehrer → für die Lehrer are left out.

    - Die Prager Börse stürzt ins Minus. → Der Prager Börse stürzt ins Minus.
    - Er gibt der Frau das Buch. → Er gibt dem Frau das Buch.
    """
    for i, token in enumerate(sentence.tokens):
        if token.text.lower() not in DEFINITE or not token.relation.startswith("det") or token.head <= i:
            continue
        noun = sentence.tokens[token.head]
        if noun.morph.get("Number", token.morph.get("Number")) != "Sing":
            continue
        for new, said in _other_genders(sentence, i) if noun.pos != "ADJ" else ():
            edits, far = [replaced_word(token, new)], token.head - i
            yield candidate(sentence, edits, distance=far, words=(noun.text,), features=said)


def _other_genders(sentence: Sentence, place: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The articles that are wrong there, with what speaks for each after all."""
    token = sentence.tokens[place]
    article, noun = token.text.lower(), sentence.tokens[token.head]
    named = _named_cases(sentence, place)
    pair = {"die": "na", "das": "na", "der": "gd"}.get(article, "")
    governed = place > 0 and sentence.tokens[place - 1].pos == "ADP"
    alike = "".join(case for case in pair if case not in named) if set(pair) & set(named) and not governed else ""
    cases = named + alike
    same_case = set(_in_cases(article, _own_cases(sentence, place, named)))
    adjectives = [t.text for t in sentence.tokens[place + 1 : token.head] if t.tag == "ADJA" or t.relation == "amod"]
    one = any(word.endswith("e") for word in adjectives) or _verb_is_singular(sentence, token.head)
    for new in _in_cases(article, cases):
        if not _fits(new, usual_readings(noun.text), cases, one):
            said = flags(another_case_fits=_fits(new, usual_readings(noun.text), "ngda", one, adjectives))
            yield new, (*said, *doubts(other_case=new not in same_case))


def _named_cases(sentence: Sentence, place: int) -> str:
    token = sentence.tokens[place]
    named = sentence.tokens[token.head].morph.get("Case", token.morph.get("Case", "")).split(",")
    return "".join(_CASES[c] for c in named if c in _CASES)


def _own_cases(sentence: Sentence, place: int, named: str) -> str:
    """Those of the cases that go with a preposition before the article."""
    before = sentence.tokens[place - 1] if place else None
    governed = PREPOSITION_CASES.get(before.text.lower(), "ngda") if before and before.pos == "ADP" else "ngda"
    governed = "g" if governed == "gd" else governed  # wegen dem is said too
    return "".join(case for case in named if case in governed)


def _in_cases(article: str, cases: str) -> dict[str, None]:
    """The forms of other genders in those of the cases that the article can have."""
    return {
        _ARTICLES[gender, case]: None
        for case in cases
        if any(_ARTICLES[g, case] == article for g in "mfn")
        for gender in "mfn"
        if _ARTICLES[gender, case] != article
    }


def _verb_is_singular(sentence: Sentence, noun: int) -> bool:
    """Is the noun the subject of a verb in the singular?"""
    tokens = sentence.tokens
    if not tokens[noun].relation.startswith("nsubj"):
        return False
    verb = tokens[noun].head
    finite = [tokens[verb], *(t for t in tokens if t.head == verb and t.relation.startswith(("aux", "cop")))]
    return not any(t.morph.get("Number") == "Plur" for t in finite if t.pos in ("VERB", "AUX"))


def _fits(
    article: str, readings: Sequence[Reading], cases: str, no_plural: bool, adjectives: Sequence[str] = ()
) -> bool:
    """Would the article suit any of the noun's readings in these cases, another gender or a plural, and the
    adjectives between?

    There is no plural where something else in the sentence is singular.
    """
    for reading in readings:
        for code in reading.codes:
            cell = code[:2]
            own = (reading.feature, cell) in DEFINITE[article]
            if cell[0] in cases and (own or (not no_plural and ("x", cell) in DEFINITE[article])):
                ending = "e" if cell == "ns" or (cell == "as" and reading.feature in "fn") else "en"
                if all(word.endswith(ending) for word in adjectives if word.islower()):
                    return True
    return False


_ENDINGS = [row.split() for row in lists_of("de")["other_endings"]]
"""Determiner, ending, the noun's gender and number, and the ending of the other declension."""


@error("grammar")
def adjective_ending(sentence: Sentence) -> Iterator[Candidate]:
    """An adjective gets the strong ending for the weak one, or the reverse.

    The adjective is between its determiner (der, das, die, dem, ein, eine, einem, kein, im …) and its noun. The new
    ending never follows this determiner: der alter, dem altem, ein alte.

    - Der alte Mann lacht. → Der alter Mann lacht.
    - Sie hat ein kleines Haus. → Sie hat ein kleine Haus.
    """
    tokens = sentence.tokens
    for i in range(1, len(tokens) - 1):
        adjective, noun = tokens[i], tokens[i + 1]
        if adjective.pos != "ADJ" or noun.pos != "NOUN" or adjective_lemma(adjective.text.lower()) is None:
            continue
        if adjective.text[:1].isupper() or not noun_readings(noun.text):
            continue
        new = _other(tokens[i - 1].text.lower(), adjective.text, noun.text)
        if new is not None:
            edits = [replaced_word(adjective, new)]
            yield candidate(sentence, edits, distance=1, words=(noun.text,))


def _other(det: str, adjective: str, noun: str) -> str | None:
    codes = [(r.feature, code[1]) for r in noun_readings(noun) for code in r.codes]
    kinds = {gender + number for gender, number in codes} | {"x" + number for _, number in codes if number == "p"}
    for word, ending, kind, new in _ENDINGS:
        if det != word or not adjective.endswith(ending) or kind not in kinds:
            continue
        return adjective.removesuffix(ending) + new
    return None
