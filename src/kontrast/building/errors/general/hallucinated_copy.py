"""A word of the source left untranslated in any language; only where the source is known (``build errors``)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from kontrast.building.errors.spec import Candidate, Perturbation, candidate, doubts
from kontrast.building.errors.text import unaccented
from kontrast.io.words import words
from kontrast.language.annotation import Sentence, Token
from kontrast.language.lexicons.german import attested
from kontrast.language.lexicons.lefff import lemmas_of

_SHORTEST = 5
_LONGER, _FAMILY = 3, 7
"""A counterpart is no more letters longer or shorter, unless so many of them are the same."""
_ALIKE = 4  # first letters that the counterpart shares: expensive, *expansivo*


def _start(word: str) -> str:
    return unaccented(word)[:_ALIKE]


def _is_bare(copy: str, counterpart: str) -> bool:
    """*détail*, *detail*; *vidéos*, *video*: the counterpart but for its accents and s."""
    return unaccented(counterpart) in (unaccented(copy), unaccented(copy) + "s")


def _is_nearer(other: str, word: str, counterpart: str) -> bool:
    """Is another word of the source as like the counterpart? *intended* beside *intellectual*: *intellectuel*."""
    return (
        other != word
        and _start(other) == _start(counterpart)
        and _alike(other, counterpart) >= _alike(word, counterpart)
    )


def _alike(one: str, other: str) -> int:
    """How many letters they begin with alike."""
    pairs = zip(unaccented(one), unaccented(other), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _is_of_other_number(word: str, counterpart: Token) -> bool:
    """*des attack*, where the source says *under attack*: the number would be wrong too."""
    number = counterpart.morph.get("Number") if counterpart.pos == "NOUN" else None
    return number is not None and (number == "Plur") != (word.endswith("s") and not word.endswith("ss"))


def _is_of_other_class(word: str, counterpart: Token) -> bool:
    """*définition*, *defined*; *de manipuler*, *manipulates*: another form than the one that it stands for."""
    infinitive = counterpart.pos == "VERB" and counterpart.morph.get("VerbForm") == "Inf"
    if counterpart.pos == "AUX":
        return True  # avaient, avail
    return (counterpart.pos == "NOUN" and word.endswith("ed")) or (infinitive and word.endswith(("s", "ed")))


def _is_far(word: str, counterpart: str) -> bool:
    """*temporaire*, *tempt*: alike at the start alone."""
    return abs(len(word) - len(counterpart)) > _LONGER and _alike(word, counterpart) < _FAMILY


def _names_field(sentence: Sentence, token: Token) -> bool:
    """*les métadonnées commentaires*: a noun right behind a noun names it, and may stand as the source has it."""
    before = max((t for t in sentence.tokens if t.end <= token.start), key=lambda t: t.end, default=None)
    named = token.relation in ("appos", "nmod", "flat:name", "amod", "compound") and token.pos in (
        "NOUN",
        "PROPN",
        "X",
    )
    return named and before is not None and before.pos == "NOUN"


def _is_known(word: str, language: str) -> bool:
    """*modern*, *normal*: a word of the language too, which would only look uninflected."""
    if language == "de":
        return attested(word) or attested(word.capitalize())
    return language == "fr" and bool(lemmas_of(word))


def perturbation(language: str) -> Perturbation:
    def copied(sentence: Sentence) -> Iterator[Candidate]:
        of_source = [word for word in sentence.source.split() if word.isalpha() and word.islower()]
        present, theirs = set(words(sentence.text)), set(words(sentence.source.lower()))
        places = [
            t
            for t in sentence.tokens
            if t.text.isalpha() and t.text.islower() and len(t.text) >= _SHORTEST
            # l'argent: the article would show it; plate-forme: half a word
            if sentence.text[t.start - 1 : t.start] not in ("'", "’", "-") and sentence.text[t.end : t.end + 1] != "-"
        ]
        for word in of_source:
            alike = [t for t in places if _start(t.text) == _start(word)]
            if len(word) < _SHORTEST or word in present or len(alike) != 1 or _is_known(word, language):
                continue
            [token] = alike
            said = doubts(
                bare=_is_bare(word, token.text) or token.text + "d" == word,
                far=_is_far(word, token.text),
                other_number=_is_of_other_number(word, token),
                other_class=_is_of_other_class(word, token),
                names_field=language == "fr" and _names_field(sentence, token),
                nearer_word=any(_is_nearer(other, word, token.text) for other in theirs),
            )
            yield candidate("hallucinated_copy", sentence, [(token.start, token.end, word)], features=said)

    return Perturbation(
        name="hallucinated_copy",
        language=language,
        summary="a word of the source stands untranslated in the sentence",
        conditions=(
            "Only with the source beside it (kontrast build errors).",
            "A word of five letters or more that the sentence does not have takes the place of the only one that "
            "begins alike; in German and French none that is a word of theirs too. Doubts: "
            "it lacks but accents and an s (vidéos, video), or the source has another word that is as like it "
            "(intended, intellectual: intellectuel), or it is much shorter or longer (temporaire, tempt), or a noun "
            "is of the other number or takes the place of a verb. "
            "In French a noun right behind a noun too, which may be a field's name. "
            "No word behind an apostrophe, no half of a word with a hyphen.",
        ),
        examples=(),
        function=copied,
    )
