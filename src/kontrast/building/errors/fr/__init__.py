"""French errors, and what French tells the errors and checks of any language."""

from __future__ import annotations

import msgspec

from kontrast.building.checks.nouns_before import of_pronoun
from kontrast.building.errors.fr.small_words import is_unelided, with_elision
from kontrast.building.errors.spec import ErrorLanguage
from kontrast.language.annotation import Token
from kontrast.language.french_words import PERSONS
from kontrast.language.lexicons.lefff import lemmas_of, read_as
from kontrast.language.lexicons.lefff import noun_genders as genders_of
from kontrast.language.words import declared

_LETTERS = {"Masc": "m", "Fem": "f"}


def is_word(word: str) -> bool:
    return bool(lemmas_of(word))


def noun_genders(token: Token) -> set[str]:
    """That of the annotation; both of *les élèves*, whose article does not tell, and of programs (*apt-get*)."""
    if token.pos == "PROPN" and token.text.islower():
        return {"m", "f"}
    if token.pos != "NOUN":
        return set()
    known = genders_of(token.text.lower())
    endings = tuple(declared("fr")["agreement"]["epicene_endings"])
    unknown = not known and (token.text[0].isupper() or token.text.lower().removesuffix("s").endswith(endings))
    if (len(known) > 1 or unknown) and token.morph.get("Number") == "Plur":
        return {"m", "f"}
    return {_LETTERS[token.morph["Gender"]]} if token.morph.get("Gender") in _LETTERS else set()


def verb_codes(form: str, lemma: str = "") -> set[str]:
    """What the form can be of a verb, tense first (*P3s*); of the lemma where it is one of several."""
    found = read_as(form)
    return {code for code, verb in found if verb == lemma} or {code for code, _ in found}


def finite(verb: Token, subject: Token) -> Token:
    """The verb in its pronoun's person (*tu peux*), and in the present where it may be that or another tense.

    *inclut*: *incluent*, not *inclurent*; *je pense*: *pensons*, not *pensions*; *suis* is of être.
    """
    low = verb.text.lower()
    person = PERSONS.get(subject.text.lower().replace("’", "'"))
    tenses = {code[0] for code in verb_codes(low, verb.lemma)}
    morph = {**verb.morph, **({"Person": person} if person else {})}
    if "P" in tenses and tenses & {"J", "S"}:
        morph |= {"Tense": "Pres", **({"Mood": "Ind"} if "S" in tenses else {})}
    return msgspec.structs.replace(verb, morph=morph, lemma="être" if low == "suis" else verb.lemma)


LANGUAGE = ErrorLanguage(
    "French",
    is_misformed=is_unelided,
    is_word=is_word,
    noun_genders=noun_genders,
    set_in=with_elision,
    finite=finite,
    asked={"pronoun_gender": of_pronoun},
)
