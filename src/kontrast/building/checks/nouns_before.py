"""The nouns before a pronoun that it may stand for, and their genders, as its language tells them.

A pronoun's gender is decided by a person of the source, or by a noun of the sentence and no other that fits.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from kontrast.building.checks.english import has
from kontrast.building.errors.registry import language_of
from kontrast.building.errors.spec import Candidate, Verdict
from kontrast.language.annotation import Sentence, Token
from kontrast.language.words import declared

_MARKS = frozenset((",", ";", ":", ".", "!", "?", "–", "-"))
UNTOLD = "nothing before the pronoun shows its gender"


@lru_cache
def _words(language: str, name: str) -> frozenset[str]:
    return frozenset(declared(language).get("reference", {}).get(name, ()))


def genders(tokens: Iterable[Token], language: str, number: str | None) -> set[str]:
    """The genders of the nouns in the number (Sing, Plur; None: any)."""
    own = language_of(language)
    if own is None or own.noun_genders is None:
        return set()
    alike = (t for t in tokens if number is None or t.morph.get("Number", number) == number)
    return {gender for t in alike for gender in own.noun_genders(t)}


def opens_both(sentence: Sentence, start: int) -> bool:
    """Is the pronoun the first word of the text, and it or they that of the source? The document tells its gender."""
    first = re.match(r"\W*(it|they)\b", sentence.source.lower())
    return first is not None and not re.search(r"\w", sentence.text[:start])


def has_article(tokens: Sequence[Token], i: int, language: str) -> bool:
    """*die Insel*, *ein kleines Dorf*: a noun with an article, not kein, so that a pronoun may take it up."""
    first = i
    while first and tokens[first - 1].pos in ("ADJ", "NUM"):
        first -= 1
    before = tokens[first - 1] if first else None
    if before is None or before.pos not in ("DET", "ADP", "PRON"):
        return False
    return before.text.lower() not in declared(language).get("phrases", {}).get("denying", ())


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
    source = sentence.source
    things = has(source, "it", "they")
    if not things and (("m" in old and has(source, "he")) or ("f" in old and has(source, "she"))):
        return True
    if personal and source.strip() and not things:
        return False  # the source has no pronoun for it
    there = [t for t in sentence.tokens if t.end <= start]
    nouns = (
        taken_up(there, language) if personal else [t for i, t in enumerate(there) if has_article(there, i, language)]
    )
    return bool(genders(nouns, language, number) & set(old)) and not genders(there, language, number) & set(new)


def taken_up(tokens: Sequence[Token], language: str) -> list[Token]:
    """The nouns with an article in the clauses before the pronoun's, which it may take up.

    Not those of a phrase that opens the sentence without a verb (*D'un autre côté, il …*), nor times and manners.
    """
    opening = _words(language, "opening")
    signs = [i for i, t in enumerate(tokens) if t.text in _MARKS or t.text.lower().rstrip("'’") in opening]
    if not signs or not any(t.pos in ("VERB", "AUX") for t in tokens[: signs[-1]]):
        return []
    never = _words(language, "never_meant")
    meant = enumerate(tokens[: signs[-1]])
    return [t for i, t in meant if t.text.lower() not in never and has_article(tokens, i, language)]


def of_pronoun(candidate: Candidate, sentence: Sentence, language: str) -> Verdict:
    """What an English source says of another gender of a pronoun.

    A person's *he* or *she* tells; *it* and *they* do where only one noun before the pronoun would go with it.
    """
    edit, source = candidate.edits[0], sentence.source
    table = declared(language).get("reference", {}).get("genders", {})
    new = next((gender for gender, forms in table.items() if edit.new.strip().lower().rstrip("'") in forms), "")
    if has(source, "he", "she") and not has(source, "it", "they"):
        one = has(source, "he") != has(source, "she")  # else one of them may be the other
        return "the source has the foil's gender" if one and new == ("m" if has(source, "he") else "f") else False
    told = bool({"decided", "clear"} & set(candidate.features))
    if opens_both(sentence, edit.start):
        return True if told else UNTOLD
    if told:
        return False  # the sentence or the source decides
    several = has(source, "they") and not has(source, "it")
    nouns = (t for t in sentence.tokens if t.end <= edit.start and t.pos in ("NOUN", "PROPN"))
    return True if any(not several or t.morph.get("Number") != "Sing" for t in nouns) else UNTOLD
