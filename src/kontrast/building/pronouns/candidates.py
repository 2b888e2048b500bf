"""The nouns that a target pronoun may refer to, and what speaks for each: numbers that the ranker weighs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from kontrast.building.parallel import Document
from kontrast.building.pronouns.places import PronounPlace
from kontrast.building.pronouns.recipe import Recipe
from kontrast.building.pronouns.target import Noun, TargetSide
from kontrast.language.alignment import Links, Span, spans
from kontrast.language.annotation import Sentence
from kontrast.language.resolvers.salience import cannot_be_meant, determiner_of, is_person, role_of

__all__ = ["NounCandidate", "candidates", "no_noun_features"]

_DETERMINERS = {
    "de": {
        "definite": "der die das den dem des dieser diese dieses diesen diesem jener jene jenes jenen jenem im am "
        "zum zur vom ins ans beim",
        "owned": "mein dein sein ihr unser euer",
        "indefinite": "ein eine einen einem einer eines kein keine keinen keinem keiner",
    },
    "es": {
        "definite": "el la los las del al este esta estos estas ese esa esos esas aquel aquella",
        "owned": "mi mis tu tus su sus nuestro nuestra nuestros nuestras vuestro vuestra",
        "indefinite": "un una unos unas algún alguna algunos algunas ningún ninguna otro otra",
    },
    "fr": {
        "definite": "le la l les ce cet cette ces du au aux",
        "owned": "mon ton son ma ta sa mes tes ses notre votre nos vos leur leurs",
        "indefinite": "un une des quelques plusieurs certains certaines aucun aucune autre",
    },
    "it": {
        "definite": "il lo la l i gli le questo questa questi queste quel quello quella quei quegli quelle del dello "
        "della dell dei degli delle al allo alla all ai agli alle nel nello nella nell nei nelle sul sullo sulla "
        "sull dal dalla dall",
        "owned": "mio mia tuo tua suo sua nostro nostra vostro vostra loro",
        "indefinite": "un uno una qualche alcuni alcune nessun nessuna altro altra",
    },
}
_KINDS = {
    code: {word: kind for kind, words in kinds.items() for word in words.split()}
    for code, kinds in _DETERMINERS.items()
}
_DENIED = frozenset("kein keine keinen keinem keiner aucun aucune ningún ninguna nessun nessuno nessuna".split())
"""*no word*: there is nothing that a pronoun could take up."""
_OWNED_STEMS = ("mein", "dein", "sein", "ihr", "unser", "eur")
_MOST_BETWEEN = 6


class NounCandidate(msgspec.Struct, frozen=True):
    """A target noun before the pronoun, its source noun where it is aligned to one, and what speaks for it.

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


class _Found(msgspec.Struct):
    line: int
    word: int
    noun: Noun
    source: int | None
    fit: str
    aligned: bool


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
    role = role_of(sentences[place.line].tokens[token]) if token is not None else ""
    number = recipe.sources[place.source.text.lower()]
    made = []
    for k, one in enumerate(found):
        alike = [f for f in found[k + 1 :] if (f.fit == "other") == (one.fit == "other") and f.fit != "unknown"]
        lemma = one.noun.lemma.lower()
        between = {f.noun.lemma.lower() for f in alike} - {lemma}
        chained = [m for m in mentions if (one.line, one.word) < m < (place.line, place.word)]
        features = {
            f"{min(place.line - one.line, 3)} before": 1.0,
            "words between": math.log1p(_away(target, document, one, place)),
            "nouns between": float(min(len(between), _MOST_BETWEEN)),
            "last noun": float(not between),
            "last of its sentence": float(not any(f.line == one.line for f in alike)),
            "gender open": float(one.fit == "either"),
            "said again": float(min(again[lemma] - 1, 2)),
            "same pronoun between": float(bool(chained)),
            "same pronoun between in the sentence": float(any(line == place.line for line, _ in chained)),
            f"target determiner {_determiner(recipe.target_language, target[one.line], one.word)}": 1.0,
        }
        if one.noun.role:
            features[f"target role {one.noun.role}"] = 1.0
        features |= _of_source(sentences[one.line], one, role, number, salience)
        made.append(NounCandidate(one.line, one.noun, one.source, one.fit, {k: v for k, v in features.items() if v}))
    return made


def no_noun_features(found: Sequence[NounCandidate], *, neutral: bool, number: str) -> dict[str, float]:
    """What speaks for none of the nouns."""
    fitting = [c for c in found if c.fits]
    chained = any("same pronoun between" in c.features for c in fitting)
    features = {
        "none": 1.0,
        "none, neutral form": float(neutral),
        "none, plural": float(number == "p"),
        "none, same pronoun before": float(chained),
        "none, unknown noun is nearer": float(bool(found) and found[-1].fit == "unknown"),
    }
    return {name: value for name, value in features.items() if value}


def _found(
    recipe: Recipe,
    side: TargetSide,
    document: Document,
    place: PronounPlace,
    sentences: Sequence[Sentence],
    links: Mapping[int, Links],
    salience: Mapping[tuple[int, int], float],
) -> list[_Found]:
    own = frozenset(place.target.gender)
    number = recipe.sources[place.source.text.lower()]
    pronoun = _token_at(sentences[place.line], place.source.start)
    found = []
    for line in range(max(place.line - recipe.max_distance, 0), place.line + 1):
        if line not in links:
            continue
        source, target = spans(document.source[line]), spans(document.target[line])
        for j in range(place.word if line == place.line else len(target)):
            noun = side.noun(document.target[line], target, j, number)
            if noun is None or (j and target[j - 1].text.lower() in _DENIED):
                continue
            partners = _partners(sentences[line], source, [i for i, b in links[line] if b == j])
            nouns = [k for k in partners if sentences[line].tokens[k].pos in ("NOUN", "PROPN")]
            if not nouns and not side.knows_nouns:
                continue
            heads = [k for k in nouns if (line, k) in salience]
            chosen = max(heads, key=lambda k: salience[line, k]) if heads else (nouns[-1] if nouns else None)
            barred = chosen is not None and cannot_be_meant(
                sentences[line], chosen, number == "p", pronoun if line == place.line else None
            )
            if barred:
                continue
            if not noun.genders:
                fit = "unknown"
            elif noun.genders <= own:
                fit = "same"
            else:
                fit = "either" if noun.genders & own else "other"
            found.append(_Found(line, j, noun, chosen, fit, bool(partners)))
    return found


def _of_source(
    sentence: Sentence, one: _Found, role: str, number: str, salience: Mapping[tuple[int, int], float]
) -> dict[str, float]:
    if one.source is None:
        return {"no source noun": 1.0, "not aligned": float(not one.aligned)}
    noun = sentence.tokens[one.source]
    score = salience.get((one.line, one.source))
    return {
        f"source role {role_of(noun)}": 1.0,
        f"source determiner {determiner_of(sentence.tokens, one.source)}": 1.0,
        "same role": float(role_of(noun) == role),
        "source in another number": float((noun.tag in ("NNS", "NNPS")) != (number == "p")),
        "person": float(is_person(noun)),
        "salience": score or 0.0,
        "not weighed": float(score is None),
    }


def _partners(sentence: Sentence, source: Sequence[Span], linked: Sequence[int]) -> list[int]:
    inside = [source[i] for i in linked if i < len(source)]
    return [k for k, t in enumerate(sentence.tokens) if any(t.start < s.end and t.end > s.start for s in inside)]


def _token_at(sentence: Sentence, start: int) -> int | None:
    return next((i for i, t in enumerate(sentence.tokens) if t.start <= start < t.end), None)


def _away(target: Mapping[int, Sequence[Span]], document: Document, one: _Found, place: PronounPlace) -> int:
    if one.line == place.line:
        return place.word - one.word
    inside = sum(len(spans(document.target[line])) for line in range(one.line + 1, place.line))
    return place.word + len(target[one.line]) - one.word + inside


def _determiner(language: str, words: Sequence[Span], index: int) -> str:
    """The kind of determiner among the three words before a noun."""
    kinds = _KINDS.get(language)
    if kinds is None:
        return "of a language without a list"
    for word in reversed(words[max(index - 3, 0) : index]):
        low = word.text.lower()
        if kind := kinds.get(low):
            return kind
        if language == "de" and low.startswith(_OWNED_STEMS) and len(low) < 7:
            return "owned"
        if not low.replace("-", "").isalpha() and low not in "'’":
            break
    return "none"
