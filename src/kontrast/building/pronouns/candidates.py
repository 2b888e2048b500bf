"""The nouns that a target pronoun may refer to, and what speaks for each: numbers that the ranker weighs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec

from kontrast.building.corpus import Document
from kontrast.building.pronouns.align import COREFERENT, PronounPlace
from kontrast.building.pronouns.foils import Noun, TargetSide, target_side
from kontrast.building.pronouns.noun_pairs import NOUNS, beside, cognates, counterpart, head_of, tokens_of
from kontrast.building.pronouns.noun_phrases import determiner, phrase_role
from kontrast.building.pronouns.recipe import Recipe
from kontrast.building.pronouns.reference import Clues, is_neutral
from kontrast.language.alignment import Links, Span, spans
from kontrast.language.annotation import Sentence
from kontrast.language.resolvers.salience import determiner_of, is_person, role_of
from kontrast.language.words import word_set


class Found(msgspec.Struct):
    """A noun at a word of a line, with its source token."""

    line: int
    word: int
    noun: Noun
    source: int | None
    fit: str
    aligned: bool
    guessed: bool
    several: bool


def fit_of(genders: frozenset[str], own: frozenset[str]) -> str:
    """How a noun's genders go with the pronoun's own (``NounCandidate.fit``).

    >>> fit_of(frozenset("mn"), frozenset("m"))
    'either'
    """
    if not genders:
        return "unknown"
    if genders <= own:
        return "same"
    return "either" if genders & own else "other"


_UNNAMED = {"s": word_set("en", "pronouns_unnamed_singular"), "p": word_set("en", "pronouns_unnamed_plural")}
"""Words that a pronoun takes up as it does a noun; they have no gender here."""
_HEADS = ("nsubj", "nsubjpass", "dobj", "obj", "pobj", "attr", "conj", "dative")
_OWNING = ("poss", "nmod:poss")


def mention_features(
    sentences: Sequence[Sentence], first: int, line: int, noun: int, number: str
) -> dict[str, float]:
    """What the pronouns before a source noun and beside it say of it; ``first`` is the first line looked at."""
    words = sentences[line].tokens
    mentions = _mentions(sentences[line], number)
    others = [i for i in mentions if words[i].relation not in _OWNING]
    return {
        "owned_by_its_pronoun": float(any(words[i].head == noun and i not in others for i in mentions)),
        "pronoun_before_it": float(any(i < noun for i in mentions)),
        "pronoun_in_a_sentence_before_it": float(is_mentioned_before(sentences, first, line, 0, number)),
    }


def is_mentioned_before(sentences: Sequence[Sentence], first: int, line: int, token: int, number: str) -> bool:
    """Does *it* or *they* stand before this token of the source, from a line on?"""
    if any(_mentions(sentences[i], number) for i in range(first, line)):
        return True
    return any(i < token for i in _mentions(sentences[line], number))


def unnamed_before(sentences: Sequence[Sentence], line: int, token: int, number: str) -> str:
    """Where *those who …*, *others* or *something* stands that may be meant; nothing where there is none."""
    for place in (line, line - 1):
        if place < 0:
            break
        words = sentences[place].tokens
        until = token if place == line else len(words)
        if any(w.text.lower() in _UNNAMED[number] and w.relation in _HEADS for w in words[:until]):
            return "in_its_sentence" if place == line else "in_the_sentence_before"
    return ""


def _mentions(sentence: Sentence, number: str) -> list[int]:
    wanted = COREFERENT[number]
    return [i for i, w in enumerate(sentence.tokens) if w.text.lower() in wanted and w.relation != "expl"]


_MOST_BETWEEN = 6
_SPEAKING = word_set("en", "candidates_speaking")


class NounCandidate(msgspec.Struct, frozen=True):
    """A target noun before the pronoun, its source noun where one is known, and what speaks for it.

    ``fit``: its gender is the pronoun's (``same``), may be (``either``), is not (``other``), or is not known.
    """

    line: int
    noun: Noun
    source: int | None
    fit: str
    features: dict[str, float]

    @property
    def fits(self) -> bool:
        return self.fit in ("same", "either")


def candidates(
    recipe: Recipe,
    side: TargetSide,
    document: Document,
    place: PronounPlace,
    sentences: Sequence[Sentence],
    links: Mapping[int, Links],
    salience: Mapping[tuple[int, int], float],
) -> list[NounCandidate]:
    """The nouns of this line and of those before it, in the order of the text.

    ``salience`` is what the source's resolver says of its nouns, by line and token.
    """
    found = _found(recipe, side, document, place, sentences, links, salience)
    target = {line: spans(document.target[line]) for line in {f.line for f in found} | {place.line}}
    again = Counter(f.noun.lemma.lower() for f in found)
    form = target[place.line][place.word].text.lower()
    mentions = [
        (line, j) for line, words in sorted(target.items()) for j, w in enumerate(words) if w.text.lower() == form
    ]
    token = _token_at(sentences[place.line], place.source.start)
    first = max(place.line - recipe.max_distance, 0)
    own = _Own(sentences[place.line], token, recipe.sources[place.source.text.lower()])
    made = []
    for k, one in enumerate(found):
        alike = [f for f in found[k + 1 :] if (f.fit == "other") == (one.fit == "other") and f.fit != "unknown"]
        lemma = one.noun.lemma.lower()
        between = {f.noun.lemma.lower() for f in alike} - {lemma}
        chained = [m for m in mentions if (one.line, one.word) < m < (place.line, place.word)]
        features = {
            f"{min(place.line - one.line, 3)}_before": 1.0,
            "words_between": math.log1p(_away(target, document, one, place)),
            "nouns_between": float(min(len(between), _MOST_BETWEEN)),
            "last_noun": float(not between),
            "last_of_its_sentence": float(not any(f.line == one.line for f in alike)),
            "gender_open": float(one.fit == "either"),
            "said_again": float(min(again[lemma] - 1, 2)),
            "same_pronoun_between": float(bool(chained)),
            "same_pronoun_between_in_the_sentence": float(any(line == place.line for line, _ in chained)),
            f"target_determiner_{determiner(recipe.target_language, target[one.line], one.word)}": 1.0,
        }
        features["first_noun_of_its_sentence"] = float(not any(f.line == one.line for f in found[:k]))
        if role_in_phrase := phrase_role(recipe.target_language, target[one.line], one.word):
            features[f"phrase_{role_in_phrase}"] = 1.0
        shared = (
            one.source is not None
            and not one.guessed
            and sum(f.line == one.line and f.source == one.source and not f.guessed for f in found)
        )
        features["shares_its_source_noun"] = float(shared > 1)
        features["several_source_nouns"] = float(one.several)
        if one.noun.role:
            features[f"target_role_{one.noun.role}"] = 1.0
        features |= _of_source(sentences[one.line], one, own, min(place.line - one.line, 3), salience)
        if one.source is not None:
            features |= mention_features(sentences, first, one.line, one.source, own.number)
        made.append(NounCandidate(one.line, one.noun, one.source, one.fit, {k: v for k, v in features.items() if v}))
    return made


def no_noun_features(
    recipe: Recipe,
    place: PronounPlace,
    found: Sequence[NounCandidate],
    clues: Clues,
    salience: Mapping[tuple[int, int], float],
    sentences: Sequence[Sentence],
) -> dict[str, float]:
    """What speaks for none of the nouns."""
    number = recipe.sources[place.source.text.lower()]
    token = _token_at(sentences[place.line], place.source.start)
    unnamed = unnamed_before(sentences, place.line, token, number) if token is not None else ""
    fitting = [c for c in found if c.fits]
    neutral = is_neutral(recipe, place)
    kind = ("mixed" if place.number(recipe) == "p" else "neutral") if neutral else "gendered"
    known = {(c.line, c.source) for c in found}
    weights = [salience[c.line, c.source] for c in fitting if c.source is not None and (c.line, c.source) in salience]
    missing = [score for at, score in salience.items() if at not in known]
    others = [salience.get((c.line, c.source), -9.0) for c in found if c.fit == "other" and c.source is not None]
    features = {
        "none": 1.0,
        f"none_{kind}_form": float(neutral),
        "none_plural": float(place.number(recipe) == "p"),
        "none_same_pronoun_before": float(any("same_pronoun_between" in c.features for c in fitting)),
        "none_unknown_noun_is_nearer": float(bool(found) and found[-1].fit == "unknown"),
        "none_first_sentence": float(place.line == 0),
        f"none_weightier_source_noun_is_not_among_them_{kind}": float(
            bool(missing) and max(missing) > max(weights, default=0.0)
        ),
        f"none_one_is_in_the_sentence_{kind}": float(any(c.line == place.line for c in fitting)),
        f"none_all_are_far_{kind}": float(all(place.line - c.line > 1 for c in fitting)),
        "none_several_nouns": math.log(max(len({c.noun.lemma for c in fitting}), 1)),
        f"none_weightier_source_noun_has_another_gender_{kind}": float(
            bool(others) and max(others) > max(weights, default=-9.0)
        ),
        f"none_people_are_named_{kind}": float(clues.people),
        f"none_a_firm_or_place_is_named_that_is_not_among_them_{kind}": float(
            bool(clues.names - {c.source for c in fitting if c.line == place.line})
        ),
        f"none_as_{clues.role}_{kind}": 1.0,
        f"none_opens_the_sentence_{kind}": float(clues.opens),
        f"none_in_a_short_sentence_{kind}": float(clues.short),
    }
    features |= {f"none_{sign}": 1.0 for sign in clues.signs}
    if fitting and token is not None:
        opens = (fitting[0].line, fitting[0].source or 0)
        if is_mentioned_before(sentences, max(place.line - recipe.max_distance, 0), *opens, number):
            features["none_a_pronoun_stands_before_every_noun"] = 1.0
    if unnamed:
        features[f"none_an_unnamed_one_is_{unnamed}_{number}"] = 1.0
    for side, use in zip(("target", "source"), clues.uses, strict=True):
        if use != "thing":
            features[f"none_{side}_{use}_{kind}"] = 1.0
    return {name: value for name, value in features.items() if value}


def may_fit(recipe: Recipe, document: Document, place: PronounPlace) -> bool:
    """May a noun before the pronoun have its gender, whatever the source says? Asked before anything is parsed."""
    own, side = set(place.target.gender), target_side(recipe)
    if recipe.subjects_only or own & set(recipe.place_gender or ""):
        return True  # the parse tells subjects and names of places
    return any(
        noun.genders & own and (line, j) < (place.line, place.word)
        for line in range(max(place.line - recipe.max_distance, 0), place.line + 1)
        for j, noun in _nouns(side, document.target[line], place.number(recipe))
    )


@lru_cache(maxsize=4_000)
def _nouns(side: TargetSide, text: str, number: str) -> tuple[tuple[int, Noun], ...]:
    """The nouns of a text that may have this number, each with its word."""
    words = spans(text)
    return tuple((j, noun) for j in range(len(words)) if (noun := side.noun(text, words, j, number)) is not None)


def _found(
    recipe: Recipe,
    side: TargetSide,
    document: Document,
    place: PronounPlace,
    sentences: Sequence[Sentence],
    links: Mapping[int, Links],
    salience: Mapping[tuple[int, int], float],
) -> list[Found]:
    own = frozenset(place.target.gender)
    number = recipe.sources[place.source.text.lower()]
    found = []
    for line in range(max(place.line - recipe.max_distance, 0), place.line + 1):
        if line not in links:
            continue
        source, target = spans(document.source[line]), spans(document.target[line])
        nouns_here = _nouns(side, document.target[line], place.number(recipe))
        same = cognates(sentences[line], {j: noun.text for j, noun in nouns_here})
        for j, noun in nouns_here:
            if line == place.line and (j >= place.word or side.is_one_clause(target, j, place.word)):
                continue
            partners = tokens_of(sentences[line], source, [i for i, b in links[line] if b == j])
            if j in same:
                partners = [k for k in partners if k in same[j]] or sorted(same[j])
            else:
                partners = [k for k in partners if not any(k in own for own in same.values())]
            nouns = [head_of(sentences[line], k) for k in partners if sentences[line].tokens[k].pos in NOUNS]
            if not nouns and not side.knows_nouns:
                continue
            guessed = not nouns
            if guessed and (near := beside(sentences[line], source, links[line], j)) is not None:
                nouns = [near]
            salient = [k for k in nouns if (line, k) in salience]
            chosen = counterpart(sentences[line], source, links[line], salient or nouns, number)
            if recipe.place_gender and chosen is not None and noun.text not in recipe.places_with_article:
                named = sentences[line].tokens[chosen]
                place_name = named.entity == "GPE" and (not noun.genders or named.text == noun.text)  # China
                if place_name and determiner(recipe.target_language, target, j) == "none":
                    noun = msgspec.structs.replace(noun, genders=frozenset(recipe.place_gender))
            fit = fit_of(noun.genders, own)
            found.append(Found(line, j, noun, chosen, fit, bool(partners), guessed, len(salient) > 1))
    return found


class _Own:
    """What the source pronoun itself is."""

    def __init__(self, sentence: Sentence, token: int | None, number: str) -> None:
        self.number = number
        self.role = role_of(sentence.tokens[token]) if token is not None else ""
        self.verb = _verb_of(sentence, token) if token is not None else ""


def _of_source(
    sentence: Sentence, one: Found, own: _Own, lines: int, salience: Mapping[tuple[int, int], float]
) -> dict[str, float]:
    if one.source is None:
        return {"no_source_noun": 1.0, "not_aligned": float(not one.aligned)}
    noun = sentence.tokens[one.source]
    role = role_of(noun)
    guess = {"source_noun_by_place": 1.0, "not_aligned": float(not one.aligned)} if one.guessed else {}
    score = salience.get((one.line, one.source))
    return {
        f"source_role_{role}": 1.0,
        f"source_role_{role}_{lines}_before": 1.0,
        f"source_role_{role}_of_a_pronoun_as_{own.role}": 1.0,
        f"source_determiner_{determiner_of(sentence.tokens, one.source)}": 1.0,
        "same_role": float(role == own.role),
        "same_verb": float(bool(own.verb) and _verb_of(sentence, one.source) == own.verb),
        "an_office_that_speaks": float(own.verb in _SPEAKING and noun.entity in ("ORG", "GPE")),
        "asked_about": float(lines == 1 and sentence.text.rstrip().endswith("?")),
        "a_name": float(noun.pos == "PROPN"),
        f"entity_{noun.entity}": float(bool(noun.entity)),
        "source_in_another_number": float((noun.tag in ("NNS", "NNPS")) != (own.number == "p")),
        "person": float(is_person(noun)),
        "salience": score or 0.0,
        "not_weighed": float(score is None),
        **guess,
    }


def _verb_of(sentence: Sentence, token: int) -> str:
    """The verb that a word depends on, over a preposition; none for *be*, *have* and *do*."""
    head = sentence.tokens[token].head
    if head >= 0 and sentence.tokens[head].pos == "ADP":
        head = sentence.tokens[head].head
    lemma = sentence.tokens[head].lemma.lower() if head >= 0 and sentence.tokens[head].pos == "VERB" else ""
    return "" if lemma in ("be", "have", "do") else lemma


def _token_at(sentence: Sentence, start: int) -> int | None:
    return next((i for i, t in enumerate(sentence.tokens) if t.start <= start < t.end), None)


def _away(target: Mapping[int, Sequence[Span]], document: Document, one: Found, place: PronounPlace) -> int:
    if one.line == place.line:
        return place.word - one.word
    inside = sum(len(spans(document.target[line])) for line in range(one.line + 1, place.line))
    return place.word + len(target[one.line]) - one.word + inside
