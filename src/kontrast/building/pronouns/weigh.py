"""Which noun a pronoun refers to, and how sure that is: the ranker's candidates, the uses, what went before."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec

from kontrast.building.parallel import Document
from kontrast.building.pronouns.candidates import NounCandidate, candidates, no_noun_features
from kontrast.building.pronouns.clues import Clues, is_neutral
from kontrast.building.pronouns.doubt import Doubt
from kontrast.building.pronouns.names import GENDER_BY_PRONOUN, with_names
from kontrast.building.pronouns.opinion import left_by_gender, shares, with_opinion, word_of
from kontrast.building.pronouns.places import PronounPlace
from kontrast.building.pronouns.rank import load_ranker
from kontrast.building.pronouns.recipe import Recipe
from kontrast.building.pronouns.target import Noun, TargetSide
from kontrast.language.alignment import Links
from kontrast.language.annotation import Sentence
from kontrast.language.coreference import Antecedent
from kontrast.language.pointing import Pointed, Pointer

__all__ = ["Choice", "choose"]

_AGAIN = 1.0
"""What a noun gains that the pronoun before this one referred to."""
_UNKNOWN = 0.3
"""How likely a noun of unknown gender has the pronoun's, where it would be meant."""
_DOUBT = {"thing": 0.0, "open": 1.5, "sentence": 3.0, "predicate": 3.0, "empty": 9.0}
"""What *no noun is meant* gains by the pronoun's use where another resolver chose, which knows nothing of it."""
_GIVEN = 3.0
"""What speaks for the nearest noun of a chain that another resolver gives."""


class Rival(msgspec.Struct, frozen=True):
    """Another noun that the pronoun may mean, in this or in another gender; how likely beside the antecedent."""

    line: int
    noun: Noun
    source: int | None
    share: float
    signs: frozenset[str] = frozenset()
    """The ranker's features that it has."""
    pointed: float = 0.0
    """How likely the source pronoun means it, by a second opinion; 0 where there is none."""
    same: bool = False
    """Does it translate the antecedent's source word, in another place? *das Feuer*, *der Brand* for *fire*"""

    @property
    def text(self) -> str:
        return self.noun.text

    @property
    def genders(self) -> frozenset[str]:
        return self.noun.genders


class Choice(msgspec.Struct, frozen=True):
    """The antecedent: its line, its target noun, its source token where known; how sure, why not surer, rivals.

    ``rivals`` have another gender, ``alike`` the pronoun's own, ``unknown`` none that is known; ``doubts`` are what
    the recipe says against it.
    """

    line: int
    noun: Noun
    source: int | None
    confidence: float
    reasons: tuple[str, ...]
    rivals: tuple[Rival, ...]
    doubts: tuple[Doubt, ...] = ()
    alike: tuple[Rival, ...] = ()
    unknown: tuple[Rival, ...] = ()
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
    recipe: Recipe,
    side: TargetSide,
    document: Document,
    place: PronounPlace,
    sentences: Sequence[Sentence],
    links: Mapping[int, Links],
    antecedents: Sequence[Antecedent],
    clues: Clues,
    *,
    weighed: bool = True,
    before: tuple[int, int] | None = None,
    pointer: Pointer | None = None,
    token: int = -1,
) -> Choice | None:
    """The likeliest noun of the pronoun's gender; None where there is none.

    ``weighed``: the antecedents are all nouns with their salience; else they are a resolver's choice, and no other
    noun is looked at. ``before`` is what the last pronoun of this gender referred to: it is likely to be meant again.
    A ``pointer`` gives a second opinion on what the source pronoun, at ``token``, means.
    """
    salience = {(a.sentence, a.token): a.score for a in antecedents}
    found = candidates(recipe, side, document, place, sentences, links, salience)
    if not weighed:
        found = [c for c in found if c.source is not None and (c.line, c.source) in salience]
    pointed = pointer.point(sentences, place.line, token) if pointer is not None else None
    said = shares(pointed, sentences) if pointed is not None else {}
    if recipe.target_language == "de":
        found = with_names(place, sentences, found, said)
    against = no_noun_features(recipe, place, found, clues, salience, sentences)
    if pointer is not None:
        found, more = with_opinion(pointed, sentences, found)
        against |= more
    ranker = load_ranker(recipe.pair, opinion=pointer is not None)

    def sum_of(candidate: NounCandidate) -> float:
        if not weighed and candidate.source is not None:
            return _GIVEN + salience[candidate.line, candidate.source]
        again = _AGAIN if (candidate.line, candidate.noun.index) == before else 0.0
        return ranker.sum(candidate.features) + again

    sums = [(c, sum_of(c)) for c in found]
    fitting = [(c, s) for c, s in sums if c.fits]
    if not fitting:
        return None
    best, most = max(fitting, key=lambda pair: pair[1])
    nothing = ranker.sum(against) if weighed else sum(_DOUBT[use.kind] for use in clues.uses)
    total = sum(math.exp(s - most) for _, s in fitting) + math.exp(min(nothing - most, 700))
    total += _UNKNOWN * sum(math.exp(min(s - most, 700)) for c, s in sums if c.fit == "unknown")
    word = word_of(sentences, best) if recipe.target_language == "de" else ""

    def is_same(c: NounCandidate) -> bool:
        return c.noun.lemma == best.noun.lemma or (bool(word) and word_of(sentences, c) == word)

    def is_part(c: NounCandidate) -> bool:
        """Of the antecedent's own name."""
        return bool(word) and (c.line, c.source) == (best.line, best.source)

    same = sum(math.exp(s - most) for c, s in fitting if is_same(c))
    uses = clues.uses if is_neutral(recipe, place) else clues.uses[:1]
    reasons = [use.reason for use in uses if use.kind != "thing" and use.reason]
    if "none, unknown noun is nearer" in against:
        reasons.append(f"the gender of {found[-1].noun.text} is not known")
    reasons += clues.signs
    if place.line - best.line > 2:
        reasons.append("the antecedent is far back")
    if best.source is None:
        reasons.append("its source noun is not known")
    near = [c for c, s in fitting if not is_same(c) and s > most - 1.5]
    if near:
        reasons.append(f"{near[-1].noun.text} may be meant")

    def rival(c: NounCandidate, s: float) -> Rival:
        share = math.exp(min(s - most, 700))
        own = word_of(sentences, c)
        signs = frozenset(c.features)
        return Rival(c.line, c.noun, c.source, share, signs, said.get(own, 0.0), bool(word) and own == word)

    rivals = tuple(rival(c, s) for c, s in sums if c.fit == "other" and not is_part(c))
    alike = tuple(rival(c, s) for c, s in fitting if not is_same(c))
    unknown = tuple(rival(c, s) for c, s in sums if c.fit == "unknown" and not is_part(c))
    signs = {*best.features, *against} if weighed else set()
    doubts = tuple(Doubt(why) for sign, why in recipe.doubtful.items() if sign in signs)
    if GENDER_BY_PRONOUN in best.features:
        doubts = (*doubts, Doubt(GENDER_BY_PRONOUN, best.noun.text))
    told = said.get(word_of(sentences, best), 0.0)
    left = (
        told / max(left_by_gender(pointed, sentences, found, is_neutral(recipe, place)), told, 1e-3)
        if pointed
        else 0.0
    )
    why = tuple(dict.fromkeys(reasons))
    sure = same / total
    return Choice(best.line, best.noun, best.source, sure, why, rivals, doubts, alike, unknown, told, pointed, left)
