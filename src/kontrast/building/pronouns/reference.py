"""What tells whether a pronoun refers to a noun at all, and which other words of its sentence mean the same."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from kontrast.building.corpus import Document
from kontrast.building.pronouns.align import (
    COREFERENT,
    OTHER_PRONOUNS,
    OWNERS,
    PronounPlace,
    rivals_of,
)
from kontrast.building.pronouns.foils import Noun, TargetSide
from kontrast.building.pronouns.recipe import Recipe
from kontrast.language.alignment import Links, Span, spans
from kontrast.language.annotation import Sentence
from kontrast.language.coreference import Use, is_pleonastic, use_of_it
from kontrast.language.resolvers.salience import is_person, role_of
from kontrast.language.words import word_set

_CAUSING = word_set("en", "reference_causing")
OTHER_CASE = "case_differs"
NO_MEANING = "the target pronoun is impersonal"
_SHORT = 5
_NOT_LINKED = "not_linked"


class Clues(msgspec.Struct, frozen=True):
    """The use of the target pronoun and of the source pronoun, and signs that they do not belong together.

    ``role`` is the source pronoun's; it ``opens`` its sentence, stands in a ``short`` one, or in one with ``people``.
    ``names`` are tokens before it in its sentence: firms, offices and places that are subjects.
    """

    target: Use = "thing"
    source: Use = "thing"
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
    if target == "absent":
        return NO_MEANING
    source = use_of_it(sentence, token) if place.source.text.lower() == "it" else "thing"
    if source == "empty" and not is_neutral(
        recipe, place
    ):  # the target's gender tells that something is meant, unless the alignment is wrong
        source = "sentence"
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


def mean_the_same(
    recipe: Recipe,
    side: TargetSide,
    document: Document,
    place: PronounPlace,
    sentence: Sentence,
    links: Links,
    line: int,
    noun: Noun,
) -> dict[int, bool | None]:
    """Where other target words may stand for the same thing, and whether their source is a subject (None: unknown).

    Words aligned to another *it*, *its* or *itself*, or to nothing; none aligned to a pronoun of someone else, none
    before the antecedent, and no possessive between the two: *die Bank, die ihren Sitz in London hat, sagt, sie …*
    """
    source, target = spans(document.source[place.line]), spans(document.target[place.line])
    wanted = COREFERENT[recipe.sources[place.source.text.lower()]]
    found: dict[int, bool | None] = {}
    first = noun.index if line == place.line else -1
    genders = noun.genders if len(place.target.gender) > 1 else frozenset()
    for j, word in enumerate(target):
        form = side.form(document.target[place.line], target, j) if genders else None
        if form is not None and not genders & set(form.gender):
            continue  # der Hund … es: ihm is m and n
        if j <= first or (0 <= first < j < place.word and word.text.lower() in side.possessives):
            continue
        if word.text.lower() in side.possessives and _is_named_between(target, place.word, j, noun.text):
            continue  # da sie klein ist, muss die Station ihre …
        linked = [i for i, b in links if b == j and i < len(source)]
        own = [i for i in linked if source[i].text.lower() in wanted and source[i].start != place.source.start]
        own_form = recipe.targets.get(word.text.lower())
        neutral = own_form is not None and own_form.gender == neutral_gender(recipe)
        if neutral and any(_is_empty(sentence, source[i].start) for i in own):
            continue
        if not linked and j == 0 and word.text.lower() in side.possessives and source[0].text.lower() in wanted:
            own = [0]  # Its main feature is that it
        if own:
            dative = word.text == "ihr" and source[own[0]].text.lower() == "it"  # gaben ihr Wasser: no possessive
            if not dative and not _is_another(source, linked, wanted, word.text):
                found[word.start] = _is_subject(sentence, source[own[0]].start)
        elif not _is_another(source, linked, OTHER_PRONOUNS & wanted, word.text):
            found[word.start] = None
    return found


def _is_named_between(words: Sequence[Span], first: int, last: int, noun: str) -> bool:
    """Is the antecedent said again, alone or at the end of a compound?"""
    return any(w.text.lower().endswith(noun.lower()) for w in words[first + 1 : last])


def _is_subject(sentence: Sentence, start: int) -> bool:
    return any(t.start == start and stays_subject(sentence, i) for i, t in enumerate(sentence.tokens))


def _is_empty(sentence: Sentence, start: int) -> bool:
    """*it is hard to see that it works*: the first stands for nothing."""
    return any(t.start == start and is_pleonastic(sentence, i) for i, t in enumerate(sentence.tokens))


def _is_another(source: Sequence[Span], linked: Sequence[int], wanted: frozenset[str], form: str) -> bool:
    """Is a target word aligned to a pronoun of someone else? In small letters *sie* is never *you*."""
    others = OTHER_PRONOUNS & (rivals_of(form) | OWNERS)
    return any(source[i].text.lower() in others - wanted for i in linked)
