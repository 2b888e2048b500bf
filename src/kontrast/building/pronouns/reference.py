"""What tells whether a pronoun refers to a noun at all: its use in both languages, its case, its verb."""

from __future__ import annotations

import msgspec

from kontrast.building.corpus import Document
from kontrast.building.pronouns.align import PronounPlace
from kontrast.building.pronouns.foils import TargetSide
from kontrast.building.pronouns.recipe import Recipe
from kontrast.language.annotation import Sentence
from kontrast.language.coreference import Use, use_of_it
from kontrast.language.resolvers.salience import is_person, role_of
from kontrast.language.words import word_set

__all__ = [
    "NO_MEANING",
    "OTHER_CASE",
    "Clues",
    "clues_of",
    "is_neutral",
    "neutral_gender",
    "stays_subject",
]

_CAUSING = word_set("en", "reference_causing")
OTHER_CASE = "case_differs"
NO_MEANING = "target pronoun refers to nothing"
_SHORT = 5
_NOT_LINKED = "not_linked"


class Clues(msgspec.Struct, frozen=True):
    """The use of the target pronoun and of the source pronoun, and signs that they do not belong together.

    ``role`` is the source pronoun's; it ``opens`` its sentence, stands in a ``short`` one, or in one with ``people``.
    ``names`` are tokens before it in its sentence: firms, offices and places that are subjects.
    """

    target: Use = Use()
    source: Use = Use()
    signs: tuple[str, ...] = ()
    role: str = ""
    opens: bool = False
    short: bool = False
    people: bool = False
    names: frozenset[int] = frozenset()

    @property
    def uses(self) -> tuple[Use, Use]:
        return self.target, self.source


def clues_of(
    recipe: Recipe,
    side: TargetSide,
    document: Document,
    place: PronounPlace,
    sentence: Sentence,
    token: int,
) -> Clues | str:
    """What is seen around both pronouns; why there is no item where the target word is no such pronoun."""
    text = document.target[place.line]
    subject = stays_subject(sentence, token)
    target = side.use(text, place.target.start, is_subject=subject)
    if target.kind == "absent":
        return NO_MEANING
    source = use_of_it(sentence, token) if place.source.text.lower() == "it" else Use()
    if source.kind == "empty" and not is_neutral(
        recipe, place
    ):  # the target's gender tells that something is meant, unless the alignment is wrong
        source = Use("sentence", source.reason)
    signs = []
    if side.case_differs(text, place.target.start, is_subject=subject):
        signs.append(OTHER_CASE)
    if not place.linked:
        signs.append(_NOT_LINKED)
    words = [t for t in sentence.tokens if t.text[0].isalnum()]
    opens = bool(words) and words[0].start == sentence.tokens[token].start
    role = role_of(sentence.tokens[token])
    people = any(is_person(t) for t in sentence.tokens if t.pos in ("NOUN", "PROPN"))
    names = frozenset(
        k
        for k, t in enumerate(sentence.tokens[:token])
        if t.entity in ("ORG", "GPE", "PRODUCT") and role_of(t) == "subject"
    )
    return Clues(target, source, tuple(signs), role, opens, len(words) <= _SHORT, people, names)


def is_neutral(recipe: Recipe, place: PronounPlace) -> bool:
    """A form that may stand for a sentence too."""
    return place.target.gender == neutral_gender(recipe)


def neutral_gender(recipe: Recipe) -> str:
    """Neuter, or masculine where there is no neuter."""
    return "n" if "n" in recipe.genders else "m"


def stays_subject(sentence: Sentence, token: int) -> bool:
    """Is the source pronoun a subject that is one in the target too? *makes it dangerous* has an object there."""
    caused = token > 0 and sentence.tokens[token - 1].lemma.lower() in _CAUSING
    return sentence.tokens[token].relation.startswith("nsubj") and not caused
