"""Target nouns before a pronoun: their gender, determiner and phrase, and the source nouns that they translate."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from kontrast.building.pronouns.foils import Noun
from kontrast.language.alignment import Links, Span
from kontrast.language.annotation import Sentence
from kontrast.language.words import declared

__all__ = [
    "Found",
    "beside",
    "counterpart",
    "determiner",
    "fit_of",
    "head_of",
    "is_preposition",
    "phrase_role",
    "tokens_of",
]


class Found(msgspec.Struct):
    """A noun at a word of a line, with its source token."""

    line: int
    word: int
    noun: Noun
    source: int | None
    fit: str
    aligned: bool
    guessed: bool
    several: bool


def fit_of(genders: frozenset[str], own: frozenset[str]) -> str:
    """How a noun's genders go with the pronoun's own (``NounCandidate.fit``).

    >>> fit_of(frozenset("mn"), frozenset("m"))
    'either'
    """
    if not genders:
        return "unknown"
    if genders <= own:
        return "same"
    return "either" if genders & own else "other"


_SHORT = 4
"""Longer words are no articles or prepositions."""
_NEAR = 4
"""So many words around a noun are asked where its source may stand."""


def head_of(sentence: Sentence, noun: int) -> int:
    """*fire* in *fire wraiths* leads to *wraiths*, *ware* in *ware statistics window* to *window*."""
    token = sentence.tokens[noun]
    is_part = token.relation == "compound" and token.head > noun
    return head_of(sentence, token.head) if is_part and sentence.tokens[token.head].pos in ("NOUN", "PROPN") else noun


def counterpart(
    sentence: Sentence, source: Sequence[Span], links: Links, nouns: Sequence[int], number: str
) -> int | None:
    """Of several source nouns of one target noun: one in its number, linked to few other words, the last."""

    def fitness(k: int) -> tuple[bool, int, int]:
        token = sentence.tokens[k]
        own = {i for i, s in enumerate(source) if s.start < token.end and s.end > token.start}
        plural = token.tag in ("NNS", "NNPS")
        return plural == (number == "p"), -sum(i in own for i, _ in links), k

    return max(nouns, key=fitness, default=None)


def beside(sentence: Sentence, source: Sequence[Span], links: Links, j: int) -> int | None:
    """The source noun of a target noun without a link to one: the noun without a link that stands where the links of
    the words around it point to.
    """
    near = sorted((abs(b - j), i + j - b) for i, b in links if b != j and abs(b - j) <= _NEAR and i < len(source))
    if not near:
        return None
    least = near[0][0]
    places = [i for away, i in near if away == least]
    linked = {k for i, _ in links for k in tokens_of(sentence, source, [i])}
    linked |= {head_of(sentence, k) for k in linked}  # power failure: Stromausfall
    found = []
    for k, token in enumerate(sentence.tokens):
        if token.pos in ("NOUN", "PROPN") and k not in linked and token.relation not in ("compound", "flat"):
            own = next((i for i, s in enumerate(source) if s.start < token.end and s.end > token.start), None)
            if own is not None:
                found.append((min(abs(own - place) for place in places), k))
    return min(found)[1] if found and min(found)[0] <= _NEAR else None


def tokens_of(sentence: Sentence, source: Sequence[Span], linked: Sequence[int]) -> list[int]:
    inside = [source[i] for i in linked if i < len(source)]
    return [k for k, t in enumerate(sentence.tokens) if any(t.start < s.end and t.end > s.start for s in inside)]


_CLOSE = 5
"""So many words before a noun its determiner or preposition may stand."""


@lru_cache(maxsize=16)
def _phrases(language: str) -> dict[str, frozenset[str]]:
    """The words around a noun that a language declares."""
    return {name: frozenset(words) for name, words in declared(language).get("phrases", {}).items()}


def _kind(language: str, low: str) -> str:
    """Of a determiner; nothing for any other word."""
    lists = _phrases(language)
    kind = next((kind for kind in ("definite", "owned", "indefinite") if low in lists[kind]), "")
    stems = tuple(lists.get("owned_stems", ()))
    return kind or ("owned" if stems and low.startswith(stems) and len(low) < 7 else "")


def determiner(language: str, words: Sequence[Span], index: int) -> str:
    """The kind of determiner among the words before a noun."""
    if not _phrases(language):
        return "of_a_language_without_a_list"
    for word in reversed(words[max(index - _CLOSE, 0) : index]):
        low = word.text.lower()
        if kind := _kind(language, low):
            return kind
        if not low.replace("-", "").isalpha() and low not in "'’":
            break
    return "none"


def is_preposition(language: str, word: str) -> bool:
    """*en*, *de*: one that a noun or a stressed pronoun stands behind."""
    lists = _phrases(language)
    return any(word.lower() in lists.get(name, ()) for name in ("prepositions", "of"))


def phrase_role(language: str, words: Sequence[Span], index: int) -> str:
    """*oblique* behind a preposition, *of a noun* in a genitive, *predicate* behind *as*; else nothing.

    >>> from kontrast.language.alignment import spans
    >>> [phrase_role("de", spans(text), 3) for text in ("die Macht des Lichs", "er kam zur Burg", "er sah die Burg")]
    ['of_a_noun', 'oblique', '']
    """
    lists = _phrases(language)
    if not lists:
        return ""
    endings = tuple(lists.get("adjective_endings", ()))
    for j in range(index - 1, max(index - _CLOSE, -1), -1):
        low = words[j].text.lower()
        if low in lists["as"]:
            return "predicate"
        # where adjectives show their case, a genitive has an article that may be another case's: behind a noun only
        if low in lists["of"] and (not endings or (j and words[j - 1].text[0].isupper())):
            return "of_a_noun"
        if low in lists["prepositions"]:
            return "oblique"
        adjective = endings and low.endswith(endings) and words[j].text[0].islower()
        stems = tuple(lists.get("owned_stems", ()))
        if not (_kind(language, low) or low in "'’" or adjective or (stems and low.startswith(stems))):
            return ""
    return ""
