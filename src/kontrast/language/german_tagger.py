"""STTS tags for German: an averaged perceptron over what the lexicon allows for each word.

Trained by ``tools/german_tagger.py``; its weights are in ``kontrast/data/models``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import msgspec

from kontrast.language.lexicons.german import adjective_lemma, comparative_lemma, compound_head, readings
from kontrast.language.lexicons.german_words import CLOSED

__all__ = ["Model", "Tagger", "candidates", "features"]

WEIGHTS = Path(__file__).resolve().parents[1] / "data" / "models" / "de.tagger"
BOUNDARIES = frozenset(("$,", "$.", "$(", "KON"))
FINITE = frozenset(("VVFIN", "VAFIN", "VMFIN", "VVIMP"))
_NUMBER = re.compile(r"[+-]?\d[\d.,:/]*$")
_OPENERS = frozenset(("KOUS", "PRELS", "PRELAT", "PWS", "PWAV", "PWAT", "KOUI"))
_UNKNOWN_SMALL = ("ADJA", "ADJD", "ADV", "VVFIN", "VVINF", "VVPP", "FM")
_UNKNOWN_CAPITAL = ("NN", "NE", "FM")


class Model(msgspec.Struct, frozen=True):
    """Weights: for every feature the numbers of its tags and their weights in turn."""

    tags: list[str]
    weights: dict[str, list[int]]
    seen: dict[str, list[str]]
    """Words whose tags in training go beyond what the lexicon allows."""


def candidates(word: str, opens: bool, seen: dict[str, list[str]]) -> tuple[str, ...]:
    """The tags that a word can have; ``opens`` says that it may owe its capital to the sentence start.

    >>> candidates("die", False, {}), candidates("Haus", False, {}), candidates(",", False, {})
    (('ART', 'PDS', 'PRELS'), ('NN',), ('$,',))
    """
    if not any(c.isalnum() for c in word):
        if word == ",":
            return ("$,",)
        return ("$.",) if word in (".", "!", "?", ";", ":", "...", "…") else ("$(",)
    if _NUMBER.match(word):
        return ("ADJA", "CARD") if word.endswith(".") else ("CARD",)
    return _lexical(word) if not opens else _opening(word, seen)


@lru_cache(maxsize=50_000)
def _lexical(word: str) -> tuple[str, ...]:
    return tuple(sorted(_tags(word)))


def _opening(word: str, seen: dict[str, list[str]]) -> tuple[str, ...]:
    small = word[:1].lower() + word[1:]
    if word[:1].isupper():
        lower = set(_known(small)) | set(seen.get(small, ()))
        upper = set(_known(word))
        return tuple(sorted(lower | upper)) if lower or upper else (*_UNKNOWN_CAPITAL, "ADV", "ADJD")
    return _lexical(word)


def _tags(word: str) -> set[str]:
    known = _known(word)
    if known:
        return known
    last = word.rsplit("-", 1)[-1]
    if "-" in word and last and not word[0].isupper():
        # 14-Zoll-Puppe, i-Stop-System; 110-köpfigen; 21-Jährige
        if last[0].islower():
            return {"ADJA", "ADJD"}
        return {"NN", "ADJA"} if "jährig" in last.lower() else {"NN"}
    if word[:1].isupper():
        if compound_head(word):
            return {"NN"}
        return set(_UNKNOWN_CAPITAL) | ({"ADJA"} if word.endswith("er") else set())
    if word.endswith("-"):
        return {"TRUNC"}
    return set(_UNKNOWN_SMALL)


@lru_cache(maxsize=50_000)
def _known(word: str) -> set[str]:
    """Tags from the closed classes and the lexicon; empty for an unknown word."""
    found = set(CLOSED.get(word, ()))
    if word[:1].isupper() and word.lower() in ("sie", "ihr", "ihre", "ihren", "ihrem", "ihrer", "ihres", "ihnen"):
        found |= CLOSED[word.lower()]
    closed = bool(found - {"ADV", "PTKVZ", "CARD"})
    for reading in readings(word):
        if reading.pos == "N":
            found.add("NN")
        elif reading.pos == "E":
            found.add("NE")
        elif reading.pos == "A" and not closed and not word[:1].isupper():
            if "p" in reading.codes:
                found.add("ADJD")
        elif reading.pos == "V" and not found & {"VAFIN", "VMFIN", "VAINF", "VMINF", "VAPP"}:
            for code in reading.codes:
                if code in ("i", "z", "2", "1"):
                    found.add({"i": "VVINF", "z": "VVIZU", "2": "VVPP", "1": "ADJD"}[code])
                else:
                    found.add("VVFIN")
    if not closed and not word[:1].isupper():
        if adjective_lemma(word):
            found.add("ADJA")
        if comparative_lemma(word):
            found.add("ADJD")
    elif word[:1].isupper() and word.endswith("er") and any(r.pos == "A" for r in readings(word)):
        found.add("ADJA")
    if word[:1].isupper() and adjective_lemma(word[:1].lower() + word[1:]) and not found:
        found |= {"NN", "ADJA"}
    return found


@lru_cache(maxsize=50_000)
def _class(word: str) -> str:
    """The word's ambiguity class as one feature."""
    return "/".join(_lexical(word)) if any(c.isalnum() for c in word) else word


def features(words: list[str], i: int, tags: list[str], state: tuple[bool, bool, str]) -> list[str]:
    """What the perceptron sees: the word, its neighbours, the tags so far, and the clause's state.

    ``state``: a finite verb came since the last boundary; a subordinator did; the last verb's tag.
    """
    word = words[i]
    low = word.lower()
    one = tags[i - 1] if i else "^"
    two = tags[i - 2] if i > 1 else "^"
    after = words[i + 1] if i + 1 < len(words) else "$"
    later = words[i + 2] if i + 2 < len(words) else "$"
    cls = _class(word)
    next_cls = _class(after) if after != "$" else "$"
    finite, subordinate, last = state
    clause = f"{finite:d}{subordinate:d}"
    return [
        "b",
        "w" + low,
        "s3" + low[-3:],
        "s2" + low[-2:],
        "s4" + low[-4:],
        "p3" + low[:3],
        "u" + str(word[:1].isupper()) + str(i == 0),
        "1" + one,
        "12" + one + two,
        "1w" + one + low,
        "c" + cls,
        "c1" + cls + one,
        "n" + after.lower(),
        "nc" + next_cls,
        "cn" + cls + next_cls,
        "nn" + (_class(later) if later != "$" else "$"),
        "pw" + (words[i - 1].lower() if i else "^"),
        "cl" + clause + cls,
        "cv" + clause + last + cls,
        "cln" + clause + cls + next_cls,
        "1n" + one + next_cls,
    ]


class Tagger:
    """Tags words left to right.

    >>> Tagger().tag(["Die", "Frau", ",", "die", "lacht", ",", "geht", "."])
    ['ART', 'NN', '$,', 'PRELS', 'VVFIN', '$,', 'VVFIN', '$.']
    """

    def __init__(self, model: Model | None = None) -> None:
        self.model = model or msgspec.msgpack.decode(WEIGHTS.read_bytes(), type=Model)
        self._numbers = {tag: i for i, tag in enumerate(self.model.tags)}

    def allowed(self, words: list[str], i: int) -> tuple[str, ...]:
        opens = i == 0 or words[i - 1] in _SENTENCE_ENDS
        found = candidates(words[i], opens, self.model.seen)
        extra = self.model.seen.get(words[i])
        return tuple(sorted({*found, *extra})) if extra else found

    def tag(self, words: list[str]) -> list[str]:
        tags: list[str] = []
        state = (False, False, "")
        for i in range(len(words)):
            allowed = self.allowed(words, i)
            tag = allowed[0] if len(allowed) == 1 else self.best(words, i, tags, state, allowed)
            tags.append(tag)
            state = advance(state, tag)
        return tags

    def best(
        self, words: list[str], i: int, tags: list[str], state: tuple[bool, bool, str], allowed: tuple[str, ...]
    ) -> str:
        scores = [0] * len(self.model.tags)
        weights = self.model.weights
        for feature in features(words, i, tags, state):
            found = weights.get(feature)
            if found:
                for k in range(0, len(found), 2):
                    scores[found[k]] += found[k + 1]
        numbers = self._numbers
        return max(allowed, key=lambda tag: (scores[numbers[tag]] if tag in numbers else -(10**9), tag))


_SENTENCE_ENDS = frozenset(
    (".", "!", "?", ":", '"', "„", "“", "»", "«", "``", "''", "'", "‚", "(", "–", "-", "...", ";", "•")
)


def advance(state: tuple[bool, bool, str], tag: str) -> tuple[bool, bool, str]:
    """The clause's state after a tag."""
    finite, subordinate, last = state
    if tag in BOUNDARIES:
        # A comma or conjunction ends a clause only if it had its verb.
        return (False, False, "") if finite or tag == "$." else (finite, subordinate, last)
    if tag in _OPENERS:
        return (False, True, "")
    if tag in FINITE:
        return (True, subordinate, tag)
    if tag.startswith("V"):
        return (finite, subordinate, tag)
    return state
