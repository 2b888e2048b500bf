"""Which source noun a target noun translates: by links, by the words around it, or by its spelling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile

from kontrast.language.alignment import Links, Span
from kontrast.language.annotation import Sentence

NOUNS = ("NOUN", "PROPN")
_COGNATE_LETTERS, _COGNATE_SHARE = 5, 0.75
"""So many letters, and so much of the longer word, are the same in cognates."""
_NEAR = 4
"""So many words around a noun are asked where its source may stand."""


def head_of(sentence: Sentence, noun: int) -> int:
    """*fire* in *fire wraiths* leads to *wraiths*, *ware* in *ware statistics window* to *window*."""
    token = sentence.tokens[noun]
    is_part = token.relation == "compound" and token.head > noun
    return head_of(sentence, token.head) if is_part and sentence.tokens[token.head].pos in NOUNS else noun


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
    linked = set(tokens_of(sentence, source, list({i for i, _ in links})))
    linked |= {head_of(sentence, k) for k in linked}  # power failure: Stromausfall
    found = []
    for k, token in enumerate(sentence.tokens):
        if token.pos in NOUNS and k not in linked and token.relation not in ("compound", "flat"):
            own = next((i for i, s in enumerate(source) if s.start < token.end and s.end > token.start), None)
            if own is not None:
                found.append((min(abs(own - place) for place in places), k))
    return min(found)[1] if found and min(found)[0] <= _NEAR else None


def cognates(sentence: Sentence, words: Mapping[int, str]) -> dict[int, frozenset[int]]:
    """The source nouns that target words, by number, are spelled like: *homosexuality*, *Homosexualität*. They are
    their translations whatever the alignment says.
    """
    found = {}
    for j, word in words.items():
        same = {k for k, t in enumerate(sentence.tokens) if t.pos in NOUNS and are_cognates(t.text, word)}
        if same:
            found[j] = frozenset(same)
    return found


def are_cognates(one: str, other: str) -> bool:
    """Do most of their letters agree, from the first on?

    >>> are_cognates("homosexuality", "Homosexualität"), are_cognates("culture", "Kultur")
    (True, True)
    >>> are_cognates("universe", "Universität")
    False
    """
    letters = zip(*(word.lower().replace("c", "k") for word in (one, other)), strict=False)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], letters))
    return shared >= max(_COGNATE_LETTERS, _COGNATE_SHARE * max(len(one), len(other)))


def tokens_of(sentence: Sentence, source: Sequence[Span], linked: Sequence[int]) -> list[int]:
    inside = [source[i] for i in linked if i < len(source)]
    return [k for k, t in enumerate(sentence.tokens) if any(t.start < s.end and t.end > s.start for s in inside)]
