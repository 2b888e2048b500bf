"""A phrase or a clause without which a sentence says nearly the same: it is repeated, or goes without saying."""

from __future__ import annotations

import re
from collections.abc import Collection

from kontrast.building.errors.text import unaccented
from kontrast.language.annotation import Sentence

__all__ = ["is_given_condition", "says_little", "says_nothing_new"]

_LETTERS = 5
"""That words of one family begin with."""
_CONTENT = frozenset(("NOUN", "PROPN", "VERB", "ADJ", "X"))
_IF = frozenset(("si", "s"))
_GIVEN = re.compile(
    r"\b(?:nécessaires?|besoin|possible|disponibles?|(?:y )?en (?:a|avez)|existe(?:nt)?|souhait\w+|voulez|veux|"
    r"désir\w+|applicable|présente?s?|préfér\w+)$"
)
"""*s'il y en a*, *si vous le souhaitez*: what goes without saying."""
_SHORT = 7


def says_nothing_new(sentence: Sentence, first: int, last: int) -> bool:
    """*les mots affichés dans la partie visible … les mots visibles*: has the rest a word of the noun's family?"""
    inside = [t for t in sentence.tokens[first + 1 : last + 1] if len(t.text) >= _LETTERS - 1 and t.pos in _CONTENT]
    rest = (*sentence.tokens[:first], *sentence.tokens[last + 1 :])
    there = {_family(t.text) for t in rest if len(t.text) >= _LETTERS - 1}
    return any(_family(token.text) in there for token in inside)


def _family(word: str) -> str:
    """How the words of its family begin; a short one but for its plural."""
    plain = unaccented(word.lower())
    return plain.rstrip("sx") if len(plain) <= _LETTERS else plain[:_LETTERS]


def says_little(
    sentence: Sentence,
    i: int,
    first: int,
    last: int,
    company: Collection[str],
    settings: Collection[str],
    framing: Collection[str],
) -> bool:
    """*dans cet exercice*, *depuis le menu*, *dans la boîte de dialogue*, *dans Gramps*: where one is anyway.

    *Avec ce bouton* tells how, and is missed; *avec la souris*, *avec le bouton gauche de la souris* go without
    saying.
    """
    phrase = enumerate(sentence.tokens[first : last + 1], first)
    inside = [t for k, t in phrase if k <= i or t.text.lower() not in framing]
    with_it, noun = inside[0].text.lower() in company, sentence.tokens[i]
    if settings and not with_it and len(inside) == len(("dans", "Gramps")) and noun.text[0].isupper():
        return True
    if with_it and inside[-1].text.lower() in settings:
        return True
    if len(inside) != len(("dans", "cet", "exercice")):
        return False
    kind = inside[1].morph.get("PronType")
    return (kind == "Dem" and not with_it) or (kind == "Art" and noun.text.lower() in settings)


def is_given_condition(words: list[str]) -> bool:
    """*si vous le souhaitez*, *s'il y en a*: a short condition that is understood."""
    return words[0] in _IF and len(words) <= _SHORT and _GIVEN.search(" ".join(words)) is not None
