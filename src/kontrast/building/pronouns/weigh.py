"""Which noun a pronoun refers to, and how sure that is: the resolver's scores, the target's genders, the uses."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import msgspec

from kontrast.building.parallel import Document
from kontrast.building.pronouns.places import PronounPlace
from kontrast.building.pronouns.recipe import Recipe
from kontrast.building.pronouns.target import Noun, TargetSide
from kontrast.language.alignment import Links, partners, spans
from kontrast.language.annotation import Sentence
from kontrast.language.coreference import Antecedent, Use

__all__ = ["Choice", "Rival", "choose", "is_neutral"]

_FIT = {"same": 1.0, "either": 0.8, "unnamed": 0.7, "unknown": 0.3, "other": 0.02}
"""How well a candidate's translation goes with the pronoun's gender."""
_NOTHING = {"thing": 0.5, "open": 3.0, "sentence": 4.5, "predicate": 4.5, "empty": 9.0}
"""The score of *no noun here is meant*, beside the candidates' own, by what the pronoun is used for."""


_AGAIN = 1.5
"""What a noun gains that the pronoun before this one referred to."""


class Rival(msgspec.Struct, frozen=True):
    """Another noun that may be meant, and the genders of its translation."""

    text: str
    genders: frozenset[str]
    share: float


class Choice(msgspec.Struct, frozen=True):
    """The antecedent, its translation, how sure both are, and why not surer."""

    antecedent: Antecedent
    noun: Noun
    confidence: float
    reasons: tuple[str, ...]
    rivals: tuple[Rival, ...]


class _Weighed(msgspec.Struct, frozen=True):
    antecedent: Antecedent
    noun: Noun | None
    fit: str
    weight: float


def choose(
    recipe: Recipe,
    side: TargetSide,
    document: Document,
    place: PronounPlace,
    sentences: Sequence[Sentence],
    links: dict[int, Links],
    antecedents: Iterable[Antecedent],
    uses: Sequence[Use],
    before: Antecedent | None = None,
) -> Choice | None:
    """The likeliest antecedent whose translation has the pronoun's gender; None where there is none.

    ``before`` is what the last pronoun of this gender referred to: it is likely to be meant again.
    """
    own = frozenset(place.target.gender)
    number = recipe.sources[place.source.text.lower()]
    if before is not None:
        antecedents = [_again(a, before) for a in antecedents]
    weighed = [
        _weigh(recipe, side, document, sentences, links, antecedent, own, number)
        for antecedent in antecedents
        if place.line - antecedent.sentence <= recipe.max_distance and antecedent.sentence in links
    ]
    fitting = [w for w in weighed if w.noun is not None and w.fit in ("same", "either")]
    if not fitting:
        return None
    best = max(fitting, key=lambda w: w.weight)
    assert best.noun is not None
    nothing = sum(math.exp(_NOTHING[use.kind]) for use in uses if use.kind != "thing")
    nothing += math.exp(_NOTHING["thing"] + (1.0 if is_neutral(recipe, place) else 0.0))
    total = sum(w.weight for w in weighed)
    reasons = [use.reason for use in uses if use.kind != "thing" and use.reason]
    unknown = sum(w.weight for w in weighed if w.fit in ("unknown", "unnamed"))
    if unknown > 0.25 * total:
        reasons.append("a noun whose translation is not known is near")
    rivals = [w for w in fitting if w is not best and w.weight > 0.25 * best.weight and not _same(w, best)]
    if rivals:
        reasons.append(f"{rivals[0].noun.text if rivals[0].noun else ''} is as near".strip())
    confidence = (best.weight + sum(w.weight for w in fitting if w is not best and _same(w, best))) / (
        total + nothing
    )
    others = tuple(
        Rival(w.noun.text, w.noun.genders, math.exp(w.antecedent.score - best.antecedent.score))
        for w in weighed
        if w.noun is not None and w.fit == "other"
    )
    return Choice(best.antecedent, best.noun, confidence, tuple(dict.fromkeys(reasons)), others)


def is_neutral(recipe: Recipe, place: PronounPlace) -> bool:
    """A form that may stand for a sentence too: neuter, or masculine where there is no neuter."""
    return place.target.gender == ("n" if "n" in recipe.genders else "m")


def _again(antecedent: Antecedent, before: Antecedent) -> Antecedent:
    if (antecedent.sentence, antecedent.token) != (before.sentence, before.token):
        return antecedent
    return Antecedent(antecedent.sentence, antecedent.token, antecedent.score + _AGAIN)


def _same(one: _Weighed, other: _Weighed) -> bool:
    """The same noun again: it does not matter which of its mentions is taken."""
    return one.noun is not None and other.noun is not None and one.noun.lemma == other.noun.lemma


def _apposed(sentence: Sentence, head: int) -> list[int]:
    """*budget airline EasyJet*: the noun before a name, whose gender the name takes."""
    if sentence.tokens[head].pos != "PROPN":
        return []
    children = sentence.children(head)
    return [
        i
        for i in reversed(children)
        if i < head
        and sentence.tokens[i].pos == "NOUN"
        and sentence.tokens[i].relation in ("compound", "nmod", "appos")
    ]


def _weigh(
    recipe: Recipe,
    side: TargetSide,
    document: Document,
    sentences: Sequence[Sentence],
    links: dict[int, Links],
    antecedent: Antecedent,
    own: frozenset[str],
    number: str,
) -> _Weighed:
    head = sentences[antecedent.sentence].tokens[antecedent.token]
    text = document.target[antecedent.sentence]
    source, target = spans(document.source[antecedent.sentence]), spans(text)
    nouns: list[Noun] = []
    disagree = False
    for token in (antecedent.token, *_apposed(sentences[antecedent.sentence], antecedent.token)):
        word = sentences[antecedent.sentence].tokens[token]
        aligned = sorted(partners(links[antecedent.sentence], source, word.start, word.end))
        found = [n for j in aligned if j < len(target) and (n := side.noun(text, target, j, number)) is not None]
        # The last one, where a compound was split in two.
        nouns += [n for n in reversed(found) if n.genders] or found
        disagree |= len({n.genders for n in found if n.genders}) > 1
    noun = next((n for n in nouns if n.genders), nouns[0] if nouns else None)
    if head.pos not in ("NOUN", "PROPN"):
        fit = "unnamed"
    elif (head.tag in ("NNS", "NNPS")) != (number == "p"):
        fit = "other"
    elif noun is None or not noun.genders or disagree:
        fit = "unknown"
    elif noun.genders <= own:
        fit = "same"
    else:
        fit = "either" if noun.genders & own else "other"
    return _Weighed(antecedent, noun, fit, math.exp(antecedent.score) * _FIT[fit])
