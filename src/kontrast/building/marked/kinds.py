"""What kind of error a marked one is, by the words that change: the names that made errors have, where they fit."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from typing import Any

from kontrast.building.marked.difference import tokens
from kontrast.language.words import declared


@cache
def _words() -> dict[str, dict[str, Any]]:
    text = resources.files("kontrast").joinpath("data", "marked.toml").read_text("utf-8")
    return tomllib.loads(text)


def _list(name: str, language: str) -> frozenset[str]:
    return frozenset(_words()[name].get(language, ()))


def kind_of(category: str, source: str, wrong: Sequence[str], right: Sequence[str], language: str) -> str:
    """The kind of an error whose words are ``wrong`` and should be ``right``; the rater's category says the rest.

    >>> kind_of("Accuracy/Mistranslation", "It rises.", ["sie"], ["er"], "de")
    'pronoun'
    >>> kind_of("Accuracy/Mistranslation", "about 40 people", ["14", "Leute"], ["40", "Leute"], "de")
    'number'
    >>> kind_of("Accuracy/Mistranslation", "a fluke", ["Fluch"], ["Zufall"], "de")
    'sense'
    """
    one, other = ({w.lower() for w in words if w[0].isalnum()} for words in (wrong, right))
    gone, come = one - other, other - one
    low = category.lower()
    said = next((kind for part, kind in _words()["categories"].items() if part in low), "other")
    if said in ("untranslated", "formality", "name", "spelling"):
        return said
    if _numbers(gone, language) != _numbers(come, language):
        return "number"
    negators = _list("negators", language)
    if bool(gone & negators) != bool(come & negators):
        return "negation"
    if _is_person_gender(gone, come, language):
        return "person_gender"
    if _is_address(wrong, right, language):
        return "formality"
    if gone and come and gone | come <= _list("pronouns", language):
        return "pronoun"
    copied = {word for word in gone if len(word) > 2 and word.isalpha()} & set(tokens(source.lower()).words)
    if copied and copied == {word for word in gone if len(word) > 2}:
        return "untranslated"
    if _names(wrong, source) != _names(right, source) and said == "sense":
        return "name"
    if said in ("sense", "other") and not (gone and come):
        return "omission" if come else "addition" if gone else said
    return said


def _numbers(words: set[str], language: str) -> set[str]:
    spelt = {word for row in declared(language).get("numbers", {}).get("rows", ()) for word in row}
    return {re.sub(r"\D", "", word) or word for word in words if word in spelt or any(c.isdigit() for c in word)}


def _is_person_gender(gone: set[str], come: set[str], language: str) -> bool:
    endings = _list("person_endings", language)
    return any(
        long == short + ending or long == short.removesuffix("e") + ending
        for a, b in ((gone, come), (come, gone))
        for short in a
        for long in b
        for ending in endings
        if len(short) > 3
    )


def _is_address(wrong: Sequence[str], right: Sequence[str], language: str) -> bool:
    """Familiar on one side and polite on the other."""
    one, other = _forms_of_address(wrong, language), _forms_of_address(right, language)
    return bool(one[0] and other[1]) or bool(one[1] and other[0])


def is_mixed_address(texts: Iterable[str], language: str) -> bool:
    """Are readers addressed in both ways? Known where the language lists forms that may be of other persons.

    >>> is_mixed_address(["Denk an deine Arbeit.", "Ich danke Ihnen."], "de")
    True
    >>> is_mixed_address(["Denk an deine Arbeit.", "Sie ist fertig."], "de")
    False
    """
    unclear = _list("unclear_address", language)
    if not unclear:
        return False
    familiar: set[str] = set()
    polite: set[str] = set()
    for text in texts:
        words = tokens(text).words
        inside = [word for i, word in enumerate(words) if i and (words[i - 1].isalnum() or words[i - 1] == ",")]
        familiar |= _forms_of_address(words, language)[0] - unclear
        polite |= _forms_of_address(inside, language)[1]
    return bool(familiar and polite)


def _forms_of_address(words: Sequence[str], language: str) -> tuple[set[str], set[str]]:
    """The familiar and the polite ones; German politeness has a capital."""
    familiar, polite = map(set, _words()["address"].get(language, ((), ())))
    upper = {word.lower() for word in words if language != "de" or word[0].isupper()}
    lower = {word.lower() for word in words if language != "de" or word[0].islower()}
    return lower & familiar | upper & familiar - polite, upper & polite


def _names(words: Sequence[str], source: str) -> set[str]:
    """The words that the source has too, with a capital inside a sentence."""
    inside = re.findall(r"(?<=[\w,;] )[A-ZÀ-Þ]\w{2,}", source)
    return set(words) & set(inside)
