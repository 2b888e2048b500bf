"""All that is known of a pronoun and its translation before anybody is asked what it means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from kontrast.building.corpus import Document
from kontrast.building.pronouns.align import PronounPlace
from kontrast.building.pronouns.candidates import NounCandidate, candidates
from kontrast.building.pronouns.foils import TargetSide, target_side
from kontrast.building.pronouns.noun_pairs import tokens_of
from kontrast.building.pronouns.recipe import Recipe
from kontrast.building.pronouns.reference import Clues, clues_of, stays_subject
from kontrast.language.alignment import Links, partners, spans
from kontrast.language.annotation import Sentence
from kontrast.language.coreference import Resolver

NO_ANTECEDENT = "no antecedent"
_WEIGHED = "salience"
"""The resolver that gives all nouns, to be weighed; the others give their choice."""


class Scene(msgspec.Struct, frozen=True):
    """A place in its document, with the parse of the source, the alignment, the nouns ``found`` and their salience.

    ``token`` is the source pronoun's; it is a ``subject`` or none. Where the nouns are not ``weighed``, they are a
    resolver's choice.
    """

    recipe: Recipe
    document: Document
    place: PronounPlace
    sentences: Sequence[Sentence]
    links: Mapping[int, Links]
    token: int
    subject: bool
    clues: Clues
    salience: dict[tuple[int, int], float]
    found: list[NounCandidate]
    weighed: bool = True

    @property
    def side(self) -> TargetSide:
        return target_side(self.recipe)

    @property
    def text(self) -> str:
        return self.document.target[self.place.line]

    @property
    def sentence(self) -> Sentence:
        return self.sentences[self.place.line]


def prepare(
    recipe: Recipe,
    document: Document,
    place: PronounPlace,
    sentences: Sequence[Sentence],
    links: Mapping[int, Links],
    resolver: Resolver,
) -> Scene | str:
    """What is known of a place, or why it can give no item, whatever is said of its pronoun."""
    sentence = sentences[place.line]
    token = next((i for i, t in enumerate(sentence.tokens) if t.start <= place.source.start < t.end), None)
    if token is None:
        return "not parsed"
    subject = stays_subject(sentence, token)
    if recipe.subjects_only and not subject:
        return "no subject"
    side = target_side(recipe)
    clues = clues_of(recipe, side, document, place, sentence, token)
    if isinstance(clues, str):
        return clues
    antecedents = resolver.antecedents(document.name, sentences, place.line, token)
    salience = {(a.sentence, a.token): a.score for a in antecedents}
    found = candidates(recipe, side, document, place, sentences, links, salience)
    weighed = resolver.name == _WEIGHED
    if not weighed:
        found = [c for c in found if c.source is not None and (c.line, c.source) in salience]
    if _is_hopeless(found):
        return NO_ANTECEDENT
    scene = Scene(recipe, document, place, sentences, links, token, subject, clues, salience, found, weighed)
    return "target pronoun may be an article" if _may_be_article(scene) else scene


def _is_hopeless(found: Sequence[NounCandidate]) -> bool:
    """Has no noun the pronoun's gender, whatever is said of the source pronoun?"""
    return not any(c.fits for c in found)


def _may_be_article(scene: Scene) -> bool:
    """Forms that are articles too (*la*, *los*): the source pronoun's verb must follow, or be the word they end."""
    recipe, place, sentence = scene.recipe, scene.place, scene.sentence
    source, target = spans(scene.document.source[place.line]), spans(scene.text)
    links = scene.links[place.line]
    if target[place.word].text.lower() not in recipe.determiners:
        return False
    head = sentence.tokens[scene.token].head
    if head < 0:
        return True
    verb = sentence.tokens[head]
    found = partners(links, source, verb.start, verb.end)
    if not any(place.word < j <= place.word + 2 for j in found):
        return True
    beside = tokens_of(sentence, source, [i for i, j in links if j == place.word + 1])
    if any(sentence.tokens[k].pos in ("NOUN", "PROPN", "ADJ") for k in beside):
        return True
    following = target[place.word + 1].text.lower() if place.word + 1 < len(target) else ""
    return following.endswith(tuple(ending for ending in recipe.noun_endings if len(ending) > 2))  # la velocidad
