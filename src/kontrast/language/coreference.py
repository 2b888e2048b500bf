"""What *it* and *they* refer to, whoever says so. Back ends are in ``kontrast.language.resolvers``.

From chains of mentions to ranked antecedents: what every resolver that gives chains shares.
"""

from collections.abc import Sequence
from typing import Literal, Protocol

import msgspec

from kontrast.language.annotation import Sentence
from kontrast.language.words import word_set

Use = Literal["thing", "open", "sentence", "predicate", "empty", "absent"]
"""What a pronoun stands for: a noun; a noun or a sentence; rather a sentence; *es ist ein …*, which goes with any
gender; nothing; the word is no such pronoun (polite, plural, none)."""


class Antecedent(msgspec.Struct, frozen=True):
    """A noun that a pronoun may refer to: its place in the document, and how well it fits (larger is better)."""

    sentence: int
    token: int
    score: float


class Resolver(Protocol):
    """Proposes antecedents of the pronoun at a place in a document, best first; ``document`` is its name."""

    name: str

    def antecedents(
        self, document: str, sentences: Sequence[Sentence], sentence: int, token: int
    ) -> list[Antecedent]: ...


_WEATHER = word_set("en", "coreference_weather")
_RAISING = word_set("en", "coreference_raising")
_TIMES = word_set("en", "coreference_times")
_SENTENTIAL = word_set("en", "coreference_sentential")
"""With these *it* is as often a sentence or an event as a thing."""
_FIXED = ("when it comes", "as it were", "that 's it", "it depends", "it turns out", "it turned out", "it has to do")
_CLAUSES = word_set("en", "coreference_clauses")
"""What says later what *it* is."""


def is_pleonastic(sentence: Sentence, token: int) -> bool:
    """Does *it* stand for nothing: weather, time, *it seems that*, *it is hard to …*, *it was him who …*?

    Reads the words that follow, and the parse where there is one.
    """
    words = sentence.tokens
    if words[token].text.lower() != "it":
        return False
    around = " ".join(w.text.lower() for w in words[max(token - 2, 0) : token + 4])
    if words[token].relation == "expl" or any(phrase in around for phrase in _FIXED):
        return True
    following = words[token + 1 : token + 9]
    announced = any(w.text.lower() in _CLAUSES for w in following[1:])
    before = words[token - 1].lemma.lower() if token else ""
    if before in ("make", "find", "consider", "think", "take", "keep"):  # make it easier to
        return announced and any(w.pos == "ADJ" for w in following[:3])
    if words[token].relation in ("dobj", "obj", "pobj", "dative"):
        return False  # the verb behind is another's
    verbs = [w for w in following[:5] if w.pos in ("VERB", "AUX")]
    lemmas = {w.lemma.lower() for w in verbs}
    timed = any(w.lemma.lower() in _TIMES for w in following[1:6])
    if lemmas & _WEATHER or (lemmas & _RAISING and announced) or ("take" in lemmas and (timed or announced)):
        return True
    if not lemmas & {"be", "'s", "become", "get"}:
        return False
    person = any(w.text.lower() in ("me", "you", "him", "her", "us", "them", "i") for w in following[1:2])
    judged = any(w.pos == "ADJ" or w.tag == "VBN" for w in following[1:4])
    return timed or person or (judged and announced)


def use_of_it(sentence: Sentence, token: int) -> Use:
    """What *it* stands for by the English words: *I know it*, *it happened*, *it is great* may be a sentence."""
    if is_pleonastic(sentence, token):
        return "empty"
    words = sentence.tokens
    head = words[token].head
    if head < 0:
        return "open"
    verb = words[head].lemma.lower()
    judged = any(w.head == head and w.relation in ("acomp", "attr", "ccomp", "advcl") for w in words)
    if verb in _SENTENTIAL or (verb in ("be", "become") and judged):
        return "open"
    return "thing"


def phrase_of(sentence: Sentence, token: int) -> str:
    """The words of a noun's phrase that stand together around it: *her old voice*."""
    first = token
    while first > 0 and sentence.tokens[first - 1].head in range(first - 1, token + 1):
        if sentence.tokens[first - 1].pos in ("VERB", "AUX", "PUNCT", "ADP", "CCONJ", "SCONJ"):
            break
        first -= 1
    return sentence.text[sentence.tokens[first].start : sentence.tokens[token].end]


Chain = Sequence[tuple[int, int, int]]
"""Mentions of one thing: (sentence, start, end) in characters of the sentence."""


def from_chains(
    chains: Sequence[Chain], sentences: Sequence[Sentence], sentence: int, token: int
) -> list[Antecedent]:
    """The nouns before the pronoun in its chain, the nearest first."""
    pronoun = sentences[sentence].tokens[token]
    place = (sentence, pronoun.start, pronoun.end)
    chain = next((c for c in chains if any(tuple(m) == place for m in c)), ())
    before = sorted((m for m in chain if (m[0], m[1]) < place[:2]), reverse=True)
    found = []
    for rank, (number, start, end) in enumerate(before):
        inside = [i for i, w in enumerate(sentences[number].tokens) if start <= w.start and w.end <= end]
        # The head of a mention is governed from outside it.
        heads = [i for i in inside if sentences[number].tokens[i].head not in inside]
        nouns = [i for i in heads if sentences[number].tokens[i].pos in ("NOUN", "PROPN")]
        found += [Antecedent(number, i, float(-rank)) for i in nouns[:1]]
    return found
