"""A language model's second opinion on the source side: which noun could stand where the pronoun stands.

Each noun is put in the pronoun's place: how likely is the rest of the sentence then (Trinh & Le 2018)? And the model
is asked what the pronoun refers to. Both become features that the ranker weighs beside its own; they are relative to
the other nouns, so that they mean the same for a larger model.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from kontrast.building.pronouns.candidates import NounCandidate
from kontrast.building.pronouns.places import PronounPlace
from kontrast.errors import KontrastError
from kontrast.language.annotation import Sentence
from kontrast.language.causal import CausalModel, Continuing

__all__ = ["Opinion", "load_model", "model_place", "noun_phrase", "opinion_of", "with_opinion"]

_BEFORE = 2
"""Sentences before the pronoun's that the model reads."""
_NOUNS_FROM = 3
"""Nouns of so many sentences before are asked about, at most the last ``_MOST``."""
_MOST = 8
_REST = 160
"""Characters behind the pronoun that count."""
_PROMPT = '\n\nIn the last sentence, the word "{}" refers to'
_PERSON = " a person"


class Opinion(NamedTuple):
    """Log probabilities by noun phrase: of the rest behind it, and as an answer; that of *a person* as an answer."""

    rest: dict[str, float]
    answer: dict[str, float]
    person: float


def model_place(name: str) -> Path:
    """What ``hf:MODEL`` names: a folder or file, or a name on the hub.

    >>> model_place("hf:models/small.gguf").name
    'small.gguf'
    """
    kind, _, place = name.partition(":")
    if kind != "hf" or not place:
        raise KontrastError(f"--second-opinion {name}: expected hf:MODEL, a folder, hub name or .gguf file")
    return Path(place)


@lru_cache(maxsize=1)
def load_model(name: str) -> Continuing:
    """The model of ``--second-opinion hf:MODEL``."""
    return CausalModel(str(model_place(name)))


def noun_phrase(sentence: Sentence, noun: int) -> str:
    """*the power core*, *Barrick Gold*: the noun with the parts of its compound."""
    words = sentence.tokens
    first = noun
    while first and words[first - 1].relation in ("compound", "flat") and words[first - 1].pos in ("NOUN", "PROPN"):
        first -= 1
    named = words[noun].pos == "PROPN" and not (first and words[first - 1].text.lower() == "the")
    return ("" if named else "the ") + sentence.text[words[first].start : words[noun].end]


def opinion_of(
    model: Continuing, sentences: Sequence[Sentence], place: PronounPlace, found: Sequence[NounCandidate]
) -> Opinion | None:
    """What the model says of the nouns that have a source; None where none has one."""
    near = [c for c in found if c.source is not None and place.line - c.line <= _NOUNS_FROM]
    phrases = list(dict.fromkeys(noun_phrase(sentences[c.line], c.source) for c in near if c.source is not None))
    phrases = phrases[-_MOST:]
    if not phrases:
        return None
    text = sentences[place.line].text
    context = " ".join(s.text for s in sentences[max(place.line - _BEFORE, 0) : place.line])
    before, rest = text[: place.source.start], text[place.source.end :][:_REST]
    prefix = f"{context} {before}".strip()
    opens = not before.strip() or before.rstrip()[-1] in '.!?"'
    blank = "" if not prefix or before.endswith(('"', "(")) else " "

    def in_its_place(phrase: str) -> tuple[str, str]:
        return blank + (phrase[0].upper() + phrase[1:] if opens else phrase), rest

    placed = [scores[1] for scores in model.after(prefix, [in_its_place(phrase) for phrase in phrases])]
    question = f"{context} {text}".strip() + _PROMPT.format(place.source.text.lower())
    asked = [(f" {phrase}",) for phrase in phrases] + [(_PERSON,)]
    *answers, person = (scores[0] for scores in model.after(question, asked))
    rests, told = dict(zip(phrases, placed, strict=True)), dict(zip(phrases, answers, strict=True))
    return Opinion(rests, told, person)


def with_opinion(
    opinion: Opinion | None, sentences: Sequence[Sentence], found: Sequence[NounCandidate]
) -> tuple[list[NounCandidate], dict[str, float]]:
    """The candidates with the model's features, and its features for *none of them*."""
    if opinion is None:
        return list(found), {"none, not asked": 1.0}
    every = _logsumexp(opinion.rest.values())
    made, fitting = [], set()
    for c in found:
        phrase = noun_phrase(sentences[c.line], c.source) if c.source is not None else ""
        if phrase in opinion.rest:
            more = {
                "rest after it": _within(opinion.rest[phrase] - every, 8) / 2,
                "the model's answer": _within(opinion.answer[phrase] + 5, 10) / 3,
            }
            if c.fits:
                fitting.add(phrase)
        else:
            more = {"not asked": 1.0}
        made.append(msgspec.structs.replace(c, features={**c.features, **more}))
    none = {"none, the model's answer is a person": _within(opinion.person + 8, 10) / 3}
    others = opinion.rest.keys() - fitting
    if others:
        for name, told in (("rest after another", opinion.rest), ("the model's answer is another", opinion.answer)):
            ahead = max(told[p] for p in others) - max((told[p] for p in fitting), default=-99.0)
            none[f"none, {name}"] = _within(ahead, 5) / 2
    return made, none


def _within(value: float, most: float) -> float:
    return max(-most, min(most, value))


def _logsumexp(values: Iterable[float]) -> float:
    every = list(values)
    most = max(every)
    return most + math.log(math.fsum(math.exp(value - most) for value in every))
