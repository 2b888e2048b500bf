"""STTS tags for German: an averaged perceptron over what the lexicon allows for each word.

Trained by ``tools/german_tagger.py``; its weights are in ``kontrast/data/models``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from kontrast.language.german.cells import THOUSANDS
from kontrast.language.lexicons.german import (
    adjective_lemma,
    comparative_lemma,
    compound_head,
    noun_readings,
    readings,
)
from kontrast.language.lexicons.german_words import CLOSED, DEFINITE
from kontrast.language.words import word_set

WEIGHTS = Path(__file__).resolve().parents[2] / "data" / "models" / "de.tagger"
BOUNDARIES = frozenset(("$,", "$.", "$(", "KON"))
FINITE = frozenset(("VVFIN", "VAFIN", "VMFIN", "VVIMP"))
_NUMBER = re.compile(r"[+-]?\d[\d.,:/]*$")
DETERMINERS = frozenset(("ART", "PDAT", "PIAT", "PPOSAT", "PWAT", "PRELAT", "APPRART"))
_ARTICLE_CLASSES = frozenset(("ART/PDS/PRELS", "ART/PDS/PRELS/PTKVZ"))
_ABBREVIATED = re.compile(r"(?:[a-zäöü]{1,3}\.){2,}$")
"""u.a., z.B., i.d.R."""
_ADVERBIAL = ("ig", "lich", "isch", "bar", "sam", "los", "weise", "haft", "maßen", "wärts", "ens", "end", "iert")
_OPENERS = frozenset(("KOUS", "PRELS", "PRELAT", "PWS", "PWAV", "PWAT", "KOUI"))
_UNKNOWN_SMALL = {
    "ADJA": ("e", "en", "er", "es", "em"),
    "ADJD": ("",),
    "ADV": ("",),
    "VVFIN": ("t", "e", "en", "st", "ern", "eln"),
    "VVINF": ("n",),
    "VVPP": ("t", "en"),
    "FM": ("",),
}
"""Tags of a word that nothing is known of, with the endings that it then has."""
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
    if word in THOUSANDS:
        return ("NN",)
    if word[:1].isupper():
        lower = set(_known(small)) | set(seen.get(small, ()))
        upper = set(_known(word))
        if lower or upper:
            return tuple(sorted(lower | upper))
        # Strandhütten, Gaudí; but Wachstumshungrig, Interessanterweise
        return tuple(sorted(_tags(word) | ({"ADV", "ADJD"} if word.endswith(_ADVERBIAL) else set())))
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
    if _ABBREVIATED.match(word):
        return {"ADV"}
    return {tag for tag, endings in _UNKNOWN_SMALL.items() if word.endswith(endings)}


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
def _agreement(article: str, noun: str) -> str:
    """Can this be the article of the noun that follows: y, n, or empty where that is no noun?"""
    cells = DEFINITE.get(article)
    found = noun_readings(noun) if cells and noun[:1].isupper() else ()
    if not found or cells is None:
        return ""
    return "ny"[any((r.feature, c[:2]) in cells or ("x", c[:2]) in cells for r in found for c in r.codes)]


@lru_cache(maxsize=50_000)
def _class(word: str) -> str:
    """The word's ambiguity class as one feature."""
    return "/".join(_lexical(word)) if any(c.isalnum() for c in word) else word


class State(NamedTuple):
    """What is known of the clause so far."""

    finite: bool = False
    """A finite verb came since the last boundary."""
    subordinate: bool = False
    """A subordinator did."""
    last: str = ""
    """The tag of the last verb."""
    open: str = ""
    """The last determiner, where its noun is still to come."""


def outlook(words: Sequence[str]) -> list[str]:
    """What comes after each word up to the next punctuation mark: a verb that is surely finite, or perhaps; whether
    the last word may be one."""
    found = [""] * len(words)
    sure, last = "0", "-"
    for i in range(len(words) - 1, -1, -1):
        found[i] = sure + last
        cls = _class(words[i])
        if not any(c.isalnum() for c in words[i]):
            if words[i] not in "\"„“”»«'‚‘’()":
                sure, last = "0", ""
            continue
        finite = "FIN" in cls
        certain = finite and all(t.endswith("FIN") for t in cls.split("/"))
        sure = "2" if certain or sure == "2" else "1" if finite or sure == "1" else "0"
        if not last:
            last = "2" if certain else "1" if finite else "0"
    return found


def features(words: list[str], i: int, tags: list[str], state: State, ahead: Sequence[str]) -> list[str]:
    """What the perceptron sees: the word, its neighbours, the tags so far, the clause's state and outlook."""
    word = words[i]
    low = word.lower()
    one = tags[i - 1] if i else "^"
    two = tags[i - 2] if i > 1 else "^"
    after = words[i + 1] if i + 1 < len(words) else "$"
    later = words[i + 2] if i + 2 < len(words) else "$"
    cls = _class(word)
    next_cls = _class(after) if after != "$" else "$"
    finite, subordinate, last, waiting = state
    clause = f"{finite:d}{subordinate:d}"
    coming = ahead[i]
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
        "o" + waiting + cls,
        "on" + str(bool(waiting)) + cls + next_cls,
        "a" + coming + clause + cls,
        "a1" + coming + one + cls,
        "aw" + coming + low,
        "m" + low + next_cls + (_agreement(low, after) if cls in _ARTICLE_CLASSES else ""),
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
        state = State()
        ahead = outlook(words)
        for i in range(len(words)):
            allowed = self.allowed(words, i)
            tag = allowed[0] if len(allowed) == 1 else self.best(features(words, i, tags, state, ahead), allowed)
            tags.append(tag)
            state = advance(state, tag, words[i])
        return tags

    def best(self, found: list[str], allowed: tuple[str, ...]) -> str:
        scores = [0] * len(self.model.tags)
        weights = self.model.weights
        for feature in found:
            row = weights.get(feature)
            if row:
                for k in range(0, len(row), 2):
                    scores[row[k]] += row[k + 1]
        numbers = self._numbers
        return max(allowed, key=lambda tag: (scores[numbers[tag]] if tag in numbers else -(10**9), tag))


_SENTENCE_ENDS = word_set("de", "tagger_sentence_ends")


def advance(state: State, tag: str, word: str) -> State:
    """The clause's state after a word with its tag."""
    finite, subordinate, last, waiting = state
    if tag in DETERMINERS:
        waiting = word.lower()
    elif tag in ("NN", "NE", "FM", "$.") or tag in FINITE:
        waiting = ""
    if tag in BOUNDARIES:
        # A comma or conjunction ends a clause only if it had its verb.
        return State(open=waiting) if finite or tag == "$." else State(finite, subordinate, last, waiting)
    if tag in _OPENERS:
        return State(subordinate=True, open=waiting if tag in DETERMINERS else "")
    if tag in FINITE:
        return State(True, subordinate, tag)
    if tag.startswith("V"):
        last = tag
    return State(finite, subordinate, last, waiting)
