"""The nouns before a pronoun that it may stand for, and their genders; German and French.

A pronoun's gender is decided by a person of the source, or by a noun of the sentence and no other that fits.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from kontrast.language.annotation import Sentence, Token

__all__ = [
    "fits_another",
    "genders",
    "has_article",
    "has_indefinite",
    "has_person",
    "is_decided",
    "names_person",
    "of_either",
    "opens_both",
    "taken_up",
]

_LETTERS = {"Masc": "m", "Fem": "f", "Neut": "n"}
_HE, _SHE = frozenset("he him his himself".split()), frozenset("she her hers herself".split())
_THINGS = frozenset("it its itself they them their theirs themselves".split())
_PERSON = r"\b(?:he|him|his|himself|she|hers?|herself)\b"
_EITHER = re.compile(rf"{_PERSON}(?: or |/| ?\(or ){_PERSON}|\bs/he\b|\(s\)he\b")
_WHERE = frozenset("wo wohin woher où dont".split())
_OF_BOTH = ("graphe", "iste", "logue", "naute", "aire", "ste", "crate", "phile", "mane", "pathe")
_NEVER_MEANT = frozenset(
    "mois jour jours an ans année années fois heure heures minute minutes seconde secondes semaine semaines siècle "
    "instant moment moments temps cas exemple manière façon sorte suite fin début côté "
    "tag tage tagen monat monate monaten jahr jahre jahren mal stunde stunden minute minuten sekunde sekunden woche "
    "wochen zeit fall fälle fällen beispiel weise art moment ende anfang seite".split()
)
"""Times and manners, which a pronoun hardly takes up."""
_INDEFINITE = frozenset(
    "un une des de d' d’ aucun aucune plusieurs quelques certains certaines deux trois quatre".split()
)
"""French determiners of nouns that *en* takes up."""
_MARKS = frozenset((",", ";", ":", ".", "!", "?", "–", "-"))
_OPENING = frozenset(
    "und oder aber sondern denn que qu si s quand lorsque lorsqu comme et ou mais car donc puis pour afin puisqu "
    "puisque parce où dont".split()
)
"""Words that begin another clause without a mark before them; without an apostrophe."""


def genders(tokens: Iterable[Token], language: str, number: str | None) -> set[str]:
    """The genders of the nouns, in French of those in the number (Sing, Plur; None: any)."""
    nouns = [t for t in tokens if t.pos == "NOUN"]
    if language == "de":
        from kontrast.language.lexicons.german import usual_readings

        return {r.feature for t in nouns for r in usual_readings(t.text) if r.pos == "N"}
    alike = (t for t in nouns if number is None or t.morph.get("Number", number) == number)
    return {gender for t in alike for gender in _french_genders(t)}


def _french_genders(noun: Token) -> set[str]:
    """That of the annotation; both of *les élèves* or *les astrophotographes*, whose article does not tell."""
    from kontrast.language.lexicons.lefff import facts_of, lemmas_of

    low = noun.text.lower()
    codes = {c[0] for lemma in lemmas_of(low) for group, c, form in facts_of(lemma) if group == "n" and form == low}
    unknown = noun.text[0].isupper() or low.removesuffix("s").endswith(_OF_BOTH)  # les Pingus
    both = {"m", "f"} <= codes or (not codes and unknown)
    if both and noun.morph.get("Number") == "Plur":
        return {"m", "f"}
    return {_LETTERS[noun.morph["Gender"]]} if noun.morph.get("Gender") in _LETTERS else set()


def names_person(source: str) -> bool:
    """Has the English source he or she, and no it or they?"""
    said = frozenset(re.findall(r"\w+", source.lower()))
    return bool(said & (_HE | _SHE)) and not said & _THINGS


def has_person(source: str) -> bool:
    """Has the English source he or she, whatever else it has?"""
    return bool(frozenset(re.findall(r"\w+", source.lower())) & (_HE | _SHE))


def of_either(source: str) -> bool:
    """*concerning him or her*, *he/she*: a person of either gender."""
    return _EITHER.search(source.lower()) is not None


def opens_both(sentence: Sentence, start: int) -> bool:
    """Is the pronoun the first word of the text, and it or they that of the source? The document tells its gender."""
    first = re.match(r"\W*(it|they)\b", sentence.source.lower())
    return first is not None and not re.search(r"\w", sentence.text[:start])


def has_article(tokens: Sequence[Token], i: int) -> bool:
    """*die Insel*, *ein kleines Dorf*: a noun with an article, not kein, so that a pronoun may take it up."""
    first = i
    while first and tokens[first - 1].pos in ("ADJ", "NUM"):
        first -= 1
    before = tokens[first - 1] if first else None
    return before is not None and before.pos in ("DET", "ADP", "PRON") and not before.text.lower().startswith("kein")


def has_indefinite(sentence: Sentence, end: int, gender: str) -> bool:
    """Is there a French noun of this gender with an indefinite article before the character ``end``: *des clés*?"""
    tokens = [t for t in sentence.tokens if t.end <= end]
    for i, token in enumerate(tokens):
        first = i
        while first and tokens[first - 1].pos in ("ADJ", "NUM"):
            first -= 1
        before = {t.text.lower() for t in tokens[max(0, first - 1) : i]}
        if token.pos == "NOUN" and before & _INDEFINITE and gender in _french_genders(token):
            return True
    return False


def fits_another(sentence: Sentence, end: int, gender: str, language: str, number: str | None = "Sing") -> bool:
    """Is there a noun of this gender and number before the character ``end``, where the pronoun's clause begins?

    A pronoun of that gender would stand for it: another meaning, which the text does not refute.
    """
    tokens = [t for t in sentence.tokens if t.end <= end]
    there = [t for i, t in enumerate(tokens) if t.pos == "NOUN" and (has_article(tokens, i) or not i)]
    alike = [t for t in there if number is None or t.morph.get("Number", number) == number]
    return gender in genders(alike, language, number)


def is_decided(
    sentence: Sentence,
    start: int,
    old: Collection[str],
    new: Collection[str],
    language: str,
    *,
    number: str | None = "Sing",
    personal: bool = True,
) -> bool:
    """Is it told that the pronoun at the character ``start`` has one of the genders ``old``, not one of ``new``?

    A person of an English source tells it; else a noun that the pronoun takes up, if none before it has a new one.
    What is not ``personal`` (celui, aucun) takes up a noun of its own clause too, and needs no it in the source.
    """
    said = frozenset(re.findall(r"\w+", sentence.source.lower()))
    things = bool(said & _THINGS)
    if not things and (("m" in old and said & _HE) or ("f" in old and said & _SHE)):
        return True
    if personal and said and not things:
        return False  # the source has no pronoun for it
    there = [t for t in sentence.tokens if t.end <= start]
    nouns = taken_up(there) if personal else [t for i, t in enumerate(there) if has_article(there, i)]
    if language == "de" and number == "Sing":
        nouns = [t for t in nouns if t.morph.get("Number", "Sing") != "Plur"]
    own, others = _genders(nouns, language, number), _genders(there, language, number)
    if language == "fr" and personal and any(t.pos == "PROPN" and t.text.islower() for t in there):
        return False  # apt-get …, pour le configurer: a program may be of either
    return bool(own & set(old)) and not others & set(new)


def taken_up(tokens: Sequence[Token]) -> list[Token]:
    """The nouns with an article in the clauses before the pronoun's, which it may take up.

    Not those of a phrase that opens the sentence without a verb: *D'un autre côté, il …*.
    """
    signs = [i for i, t in enumerate(tokens) if t.text in _MARKS or t.text.lower().rstrip("'’") in _OPENING]
    if not signs:
        return []
    place = tokens[signs[-1] + 1].text.lower() if signs[-1] + 1 < len(tokens) else ""
    last = signs[-1] - (place in _WHERE)  # in der Stadt, wo sie steht
    if not any(t.pos in ("VERB", "AUX") for t in tokens[: signs[-1]]):
        return []
    meant = [i for i, t in enumerate(tokens[:last]) if has_article(tokens, i) and t.text.lower() not in _NEVER_MEANT]
    return [tokens[i] for i in meant if not _is_compared(tokens, i)]


def _is_compared(tokens: Sequence[Token], i: int) -> bool:
    """*Aussi simple qu'un registre, il …*: not what the pronoun means, but what that is like."""
    low = [t.text.lower().rstrip("'’") for t in tokens[:i]]
    return low[-2:-1] in (["que"], ["qu"]) and bool({"aussi", "plus", "moins", "autant"} & set(low))


def _genders(tokens: Sequence[Token], language: str, number: str | None) -> set[str]:
    """The genders of the nouns, in French of those in the number; a German name is neuter (Apulien)."""
    names = {"n" for t in tokens if t.pos == "PROPN"} if language == "de" else set()
    return names | genders(tokens, language, number)
