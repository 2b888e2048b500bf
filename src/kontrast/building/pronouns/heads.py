"""The source noun of a target noun: by the links, the head of its phrase, or the place where it stands."""

from __future__ import annotations

from collections.abc import Sequence

from kontrast.language.alignment import Links, Span, partners
from kontrast.language.annotation import Sentence
from kontrast.language.german.plain import lemmas

__all__ = ["beside", "counterpart", "head_of", "is_apart", "namesake", "tokens_of", "whole"]

_SHORT = 4
"""Longer words are no articles or prepositions."""
_NEAR = 4
"""So many words around a noun are asked where its source may stand."""


def head_of(sentence: Sentence, noun: int) -> int:
    """*fire* in *fire wraiths* leads to *wraiths*, *ware* in *ware statistics window* to *window*."""
    token = sentence.tokens[noun]
    is_part = token.relation == "compound" and token.head > noun
    return head_of(sentence, token.head) if is_part and sentence.tokens[token.head].pos in ("NOUN", "PROPN") else noun


def namesake(sentence: Sentence, partners: Sequence[int], noun: str) -> int | None:
    """The word that a name or the end of a German compound is spelt like: *Lycosa*, *rose* for *Chamäleonrose*."""
    words, low = sentence.tokens, noun.lower()
    same = [k for k, token in enumerate(words) if token.text == noun]
    if len(same) == 1 and words[same[0]].pos == "PROPN":
        return same[0]
    behind = [k + 1 for k in partners if k + 1 < len(words) and len(words[k + 1].text) > 3]
    return next((k for k in behind if low.endswith(words[k].text.lower()) and low != words[k].text.lower()), None)


def is_apart(
    sentence: Sentence, source: Sequence[Span], target: Sequence[Span], links: Links, head: int, word: int
) -> bool:
    """Is a source noun translated by another word, and not by this one? *the item ships*: *ships* is *versandt*.

    An adjective translates no noun, and what a verb beside it is translated by is that verb's.
    """
    if sentence.tokens[head].pos != "NOUN":
        return False  # Union Chain Bridge: a name
    linked = partners(links, source, sentence.tokens[head].start, sentence.tokens[head].end)
    of_verbs = {
        j for t in sentence.tokens if t.pos == "VERB" for j in partners(links, source, t.start, t.end)
    }  # I hear your parole hearing
    verb = sentence.tokens[sentence.tokens[head].head]
    if verb.pos == "VERB" and not partners(links, source, verb.start, verb.end):
        of_verbs |= {
            j for j in linked if j < len(target) and target[j].text.islower()
        }  # closed the window: geschlossen, whatever it is linked to
    full = [j for j in linked if j < len(target) and len(target[j].text) > _SHORT and j not in of_verbs]
    return word not in linked and any(target[j].text[0].isupper() or lemmas(target[j].text) for j in full)


def whole(sentence: Sentence, source: Sequence[Span], links: Links, noun: int, word: int) -> int:
    """*box* for *Pandora* in *Pandora's box*, *thirst* in *thirst for knowledge*: the whole, where no other target
    word translates it.
    """
    token = sentence.tokens[noun]
    of = token.relation == "pobj" and token.head >= 0
    part = token.relation in ("poss", "nmod", "nmod:poss", "compound")
    head = sentence.tokens[token.head].head if of else token.head if part else -1
    if head < 0 or sentence.tokens[head].pos not in ("NOUN", "PROPN"):
        return noun
    parts = [head, *(k for k in sentence.children(head) if sentence.tokens[k].relation == "compound" and k != noun)]
    linked = {j for k in parts for j in partners(links, source, sentence.tokens[k].start, sentence.tokens[k].end)}
    return noun if linked - {word} or (of and not linked) else head


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
