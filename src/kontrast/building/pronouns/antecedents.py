"""Which noun a pronoun refers to and how sure that is: a linear model over named features of the candidates.

A candidate's probability is its share of the exponentials of all sums, beside that of *none of these nouns*. The
weights are in ``data/models/antecedents.json``, learnt by ``training/antecedents.py``. A second opinion, what
``language.pointing`` holds the source pronoun to mean, is weighed among them; mentions of one word count together.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources

import msgspec

from kontrast.building.pronouns.candidates import NounCandidate, no_noun_features
from kontrast.building.pronouns.foils import Noun
from kontrast.building.pronouns.reference import is_neutral
from kontrast.building.pronouns.scene import Scene
from kontrast.errors import KontrastError
from kontrast.language.annotation import Sentence
from kontrast.language.pointing import Pointed, is_named

_AGAIN = 1.0
"""What a noun gains that the pronoun before this one referred to."""
_UNKNOWN = 0.3
"""How likely a noun of unknown gender has the pronoun's, where it would be meant."""
_NO_NOUN = {"thing": 0.0, "open": 1.5, "sentence": 3.0, "predicate": 3.0, "empty": 9.0, "absent": 9.0}
"""What *no noun is meant* gains by the pronoun's use where another resolver chose, which knows nothing of it."""
_EMPTY = 4.0
"""What *no noun is meant* gains where a rule holds that the pronoun stands for nothing, and no second opinion was
asked for. The rankers' weights do not know it: they were learnt where such pronouns were left out."""
_GIVEN = 3.0
"""What speaks for the nearest noun of a chain that another resolver gives."""
_SURE = 0.6
"""From this share on a word is meant, and no noun that translates nothing known."""
_LEAST = 1e-3


class Ranker(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weights by the names of features; ``learnt_from`` says on what."""

    learnt_from: str
    weights: dict[str, float]

    def sum(self, features: Mapping[str, float]) -> float:
        """What speaks for a candidate; a feature without a weight says nothing."""
        return math.fsum(self.weights.get(name, 0.0) * value for name, value in features.items())


@lru_cache(maxsize=8)
def load_ranker(pair: str, *, opinion: bool = False) -> Ranker:
    """The ranker of a pair, or the common one for a pair that has none of its own; one that weighs an ``opinion``.

    >>> load_ranker("en-fr").weights["nouns_between"] < 0
    True
    """
    if opinion:
        if (found := _models().get(f"{pair}, second opinion")) is None:
            raise KontrastError(f"--second-opinion: there are no weights for a second opinion for {pair}")
        return found
    return _models().get(pair) or _models()["any"]


def weighs_opinions(pair: str) -> bool:
    """Has the pair weights for a second opinion?"""
    return f"{pair}, second opinion" in _models()


@lru_cache(maxsize=1)
def _models() -> dict[str, Ranker]:
    path = resources.files("kontrast").joinpath("data", "models", "antecedents.json")
    return msgspec.json.decode(path.read_bytes(), type=dict[str, Ranker])


class Rival(msgspec.Struct, frozen=True):
    """Another noun that the pronoun may mean, in this or in another gender; how likely beside the antecedent."""

    line: int
    noun: Noun
    source: int | None
    share: float
    pointed: float = 0.0
    """How likely the source pronoun means it, by a second opinion; 0 where there is none."""
    same: bool = False
    """Does it translate the antecedent's source word, in another place? *das Feuer*, *der Brand* for *fire*"""

    @property
    def genders(self) -> frozenset[str]:
        return self.noun.genders


class Choice(msgspec.Struct, frozen=True):
    """The antecedent: its line, its target noun, its source token where known, how sure; and its rivals.

    ``rivals`` have another gender, ``alike`` the pronoun's own, ``unknown`` none that is known; ``signs`` are the
    ranker's features for the noun and for none.
    """

    line: int
    noun: Noun
    source: int | None
    confidence: float
    rivals: tuple[Rival, ...] = ()
    alike: tuple[Rival, ...] = ()
    unknown: tuple[Rival, ...] = ()
    signs: frozenset[str] = frozenset()
    pointed: float = 0.0
    """How likely the source pronoun means it, by a second opinion; 0 where there is none."""
    opinion: Pointed | None = None
    """That opinion as a whole."""
    given_gender: float = 0.0
    """The same among what the target pronoun's gender leaves."""

    @property
    def place(self) -> tuple[int, int]:
        return self.line, self.noun.index


def choose(
    scene: Scene, *, before: tuple[int, int] | None = None, asked: bool = False, pointed: Pointed | None = None
) -> Choice | None:
    """The likeliest of the scene's nouns that has the pronoun's gender; None where there is none.

    ``before`` is what the last pronoun of this gender referred to: it is likely to be meant again. ``pointed`` is a
    second opinion on what the source pronoun means, where one was ``asked`` for.
    """
    recipe, sentences, clues, weighed = scene.recipe, scene.sentences, scene.clues, scene.weighed
    found: Sequence[NounCandidate] = scene.found
    said = shares(pointed, sentences) if pointed is not None else {}
    against = no_noun_features(recipe, scene.place, found, clues, scene.salience, sentences)
    if asked:
        found, more = with_opinion(pointed, sentences, found)
        against |= more
    ranker = load_ranker(recipe.pair, opinion=asked)

    def sum_of(candidate: NounCandidate) -> float:
        if not weighed and candidate.source is not None:
            return _GIVEN + scene.salience[candidate.line, candidate.source]
        again = _AGAIN if (candidate.line, candidate.noun.index) == before else 0.0
        return ranker.sum(candidate.features) + again

    sums = [(c, sum_of(c)) for c in found]
    fitting = [(c, s) for c, s in sums if c.fits]
    if not fitting:
        return None
    best, most = max(fitting, key=lambda pair: pair[1])
    nothing = ranker.sum(against) if weighed else sum(_NO_NOUN[use] for use in clues.uses)
    if weighed and not asked and any(use == "empty" for use in clues.uses):
        nothing += _EMPTY
    total = sum(math.exp(s - most) for _, s in fitting) + math.exp(min(nothing - most, 700))
    total += _UNKNOWN * sum(math.exp(min(s - most, 700)) for c, s in sums if c.fit == "unknown")
    word = _word_of(sentences, best)

    def is_same(c: NounCandidate) -> bool:
        return c.noun.lemma == best.noun.lemma or (bool(word) and _word_of(sentences, c) == word)

    def rival(c: NounCandidate, s: float) -> Rival:
        own = _word_of(sentences, c)
        share = math.exp(min(s - most, 700))
        return Rival(c.line, c.noun, c.source, share, said.get(own, 0.0), bool(word) and own == word)

    def others(fit: str) -> tuple[Rival, ...]:
        """Without parts of the antecedent's own name."""
        return tuple(
            rival(c, s)
            for c, s in sums
            if c.fit == fit and not (bool(word) and (c.line, c.source) == (best.line, best.source))
        )

    told = said.get(word, 0.0)
    left = _left_by_gender(pointed, said, sentences, found, is_neutral(recipe, scene.place)) if pointed else 1.0
    return Choice(
        best.line,
        best.noun,
        best.source,
        sum(math.exp(s - most) for c, s in fitting if is_same(c)) / total,
        others("other"),
        tuple(rival(c, s) for c, s in fitting if not is_same(c)),
        others("unknown"),
        frozenset({*best.features, *against}) if weighed else frozenset(),
        told,
        pointed,
        told / max(left, told, 1e-3),
    )


def shares(pointed: Pointed, sentences: Sequence[Sentence]) -> dict[str, float]:
    """How likely each word is meant, all its mentions together."""
    found: dict[str, float] = defaultdict(float)
    for (line, token), share in pointed.nouns.items():
        found[_word(sentences[line], token)] += share
    return dict(found)


def with_opinion(
    pointed: Pointed | None, sentences: Sequence[Sentence], found: Sequence[NounCandidate]
) -> tuple[list[NounCandidate], dict[str, float]]:
    """The candidates with what is pointed at, and the features for *none of them*.

    Where a fitting noun is surely pointed at, those without a source noun are left out.
    """
    if pointed is None:
        return list(found), {"none_not_asked": 1.0}
    said = shares(pointed, sentences)
    sure = any(c.fits and said.get(_word_of(sentences, c), 0.0) >= _SURE for c in found)
    made, fitting = [], set()
    for c in found:
        word = _word_of(sentences, c)
        if sure and c.fits and not word:
            continue
        share = said.get(word, 0.0) if word else None
        more = {"not_pointed_at": 1.0} if share is None else {"pointed_at": _log(share)}
        if c.fits and word:
            fitting.add(word)
        made.append(msgspec.structs.replace(c, features={**c.features, **more}))
    others = sum(share for word, share in said.items() if word not in fitting)
    none = {
        "none_nothing_is_pointed_at": _log(pointed.nothing),
        "none_an_event_is_pointed_at": _log(pointed.event),
        "none_it_points_elsewhere": _log(pointed.elsewhere),
        "none_another_is_pointed_at": _log(others),
        "none_not_pointed_at": _log(pointed.nothing + pointed.event + pointed.elsewhere + others),
    }
    return made, none


def _left_by_gender(
    pointed: Pointed,
    said: Mapping[str, float],
    sentences: Sequence[Sentence],
    found: Sequence[NounCandidate],
    neutral: bool,
) -> float:
    """How much is pointed at that the target pronoun may mean: no noun of another gender, and where its form is not
    ``neutral`` something that has a name.
    """
    open_, other = ({_word_of(sentences, c) for c in found if (c.fit == "other") is known} for known in (False, True))
    out = sum(said.get(word, 0.0) for word in other - open_)
    return 1 - out - (0.0 if neutral else pointed.nothing + pointed.event)


def _word_of(sentences: Sequence[Sentence], candidate: NounCandidate) -> str:
    """The source word of a candidate, that of its head where it is part of a compound; empty where it has none."""
    if candidate.source is None:
        return ""
    sentence, token = sentences[candidate.line], candidate.source
    while not is_named(sentence.tokens[token]) and sentence.tokens[token].relation in ("compound", "flat"):
        token = sentence.tokens[token].head
    return _word(sentence, token)


def _word(sentence: Sentence, token: int) -> str:
    return (sentence.tokens[token].lemma or sentence.tokens[token].text).lower()


def _log(share: float) -> float:
    return math.log(max(share, _LEAST)) / 2
