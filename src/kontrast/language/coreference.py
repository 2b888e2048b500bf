"""What *it* and *they* refer to, whoever says so. Back ends are in ``kontrast.language.resolvers``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from kontrast.language.annotation import Sentence, Token

__all__ = ["Antecedent", "Resolver", "is_pleonastic", "phrase_of"]


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


_WEATHER = frozenset("rain snow hail thunder freeze drizzle pour dawn".split())
_RAISING = frozenset("seem appear happen turn look sound matter occur strike".split())
_TIMES = frozenset("time late early dark cold hot warm night day morning noon midnight sunday monday o'clock".split())
_CLAUSAL = frozenset(
    "true possible impossible clear likely unlikely important hard difficult easy necessary obvious nice good great "
    "bad strange funny wrong right better best worth okay fine pity shame fault turn way use".split()
)


def is_pleonastic(sentence: Sentence, token: int) -> bool:
    """Does *it* stand for nothing: weather, time, *it seems that*, *it is hard to …*, *it was him who …*?

    Reads the words that follow, and the parse where there is one.
    """
    words = sentence.tokens
    if words[token].text.lower() != "it":
        return False
    if words[token].relation == "expl":
        return True
    following = words[token + 1 : token + 9]
    if not following:
        return False
    verb = next((w for w in following[:4] if w.pos in ("VERB", "AUX")), None)
    if verb is None:
        return False
    rest = following[following.index(verb) + 1 :]
    lemma = verb.lemma.lower()
    main = next((w for w in following if w.pos == "VERB"), verb)
    if main.lemma.lower() in _WEATHER and words[token].relation.startswith("nsubj"):
        return True
    if main.lemma.lower() in _RAISING and any(
        w.text.lower() in ("that", "like", "to", "as", "out") for w in rest[:4]
    ):
        return main.lemma.lower() != "look" or any(w.text.lower() == "like" for w in rest[:2])
    if main.lemma.lower() == "take" and any(w.lemma.lower() in _TIMES | {"hour", "minute", "year"} for w in rest[:4]):
        return True
    if lemma not in ("be", "'s", "s", "become", "get"):
        return False
    behind = [
        w
        for w in rest
        if w.text.lower() not in ("not", "n't", "very", "so", "too", "really", "a", "an", "the", "just")
    ]
    if not behind:
        return False
    first = behind[0]
    if first.text.lower() in ("me", "you", "him", "her", "us", "them", "i"):
        return True
    if first.lemma.lower() in _TIMES or first.pos == "NUM":
        return True
    if first.pos in ("ADJ", "VERB") and _to_follows(behind):  # it is dangerous to walk there, it is forbidden to …
        return True
    if any(w.text.lower() in ("who", "whom") for w in behind[1:5]):  # it is his wife who …
        return True
    opens = {w.text.lower() for w in behind[1:5]} & {
        "that",
        "to",
        "for",
        "if",
        "when",
        "how",
        "what",
        "who",
        "whether",
    }
    return bool(opens) and (first.lemma.lower() in _CLAUSAL or first.pos == "PROPN")


def _to_follows(behind: Sequence[Token]) -> bool:
    following = [w.text.lower() for w in behind[1:6]]
    if "for" in following[:1]:
        following = following[2:] if len(following) > 2 else []
    return "to" in following[:2] and any(w.pos == "VERB" for w in behind[2:6])


def phrase_of(sentence: Sentence, token: int) -> str:
    """The words of a noun's phrase that stand together around it: *her old voice*.

    >>> her, voice = Token("her", 0, 3, head=1, relation="poss"), Token("voice", 4, 9)
    >>> phrase_of(Sentence("her voice", (her, voice)), 1)
    'her voice'
    """
    first = token
    while first > 0 and sentence.tokens[first - 1].head in range(first - 1, token + 1):
        if sentence.tokens[first - 1].pos in ("VERB", "AUX", "PUNCT", "ADP", "CCONJ", "SCONJ"):
            break
        first -= 1
    return sentence.text[sentence.tokens[first].start : sentence.tokens[token].end]
