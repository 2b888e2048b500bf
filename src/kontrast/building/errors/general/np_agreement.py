"""Agreement in the noun phrase in any language with gender: a determiner or adjective gets another gender."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from kontrast.building.errors.general.forms import changed_forms, elided, readings_of
from kontrast.building.errors.spec import Candidate, Perturbation, candidate, doubts
from kontrast.building.errors.text import is_code, replaced_word
from kontrast.language.annotation import Sentence, Token
from kontrast.language.lexicon import Lexicon
from kontrast.language.words import declared

_GENDERS = ("Masc", "Fem", "Neut", "Com")


def perturbation(lexicon: Lexicon) -> Perturbation:
    own = declared(lexicon.language).get("agreement", {})
    either, misformed = frozenset(own.get("either_gender", ())), frozenset(own.get("misformed", ()))
    introducing, sides = frozenset(own.get("introducing", ())), frozenset(own.get("sides", ()))
    totals, participle = frozenset(own.get("totals", ())), own.get("present_participle", "")

    def disagreeing(sentence: Sentence) -> Iterator[Candidate]:
        for i, word in enumerate(sentence.tokens):
            if word.head < 0 or word.relation not in ("det", "amod") or word.pos not in ("DET", "ADJ"):
                continue
            noun = sentence.tokens[word.head]
            gender = noun.morph.get("Gender", "")
            if noun.text.lower() in either or is_code(sentence.text[noun.start : noun.end + 1]):
                continue
            if noun.pos != "NOUN" or gender not in _GENDERS or word.morph.get("Gender", gender) != gender:
                continue
            for other in _GENDERS:
                if other == gender or _can_have(lexicon, noun, other):
                    continue
                # What the annotation leaves out of the word, the noun says.
                full = msgspec.structs.replace(word, morph={**_shared(noun), **word.morph})
                for new in changed_forms(lexicon, full, Gender=other):
                    if new in misformed or elided(sentence, word, new):
                        continue
                    yield candidate(
                        "np_agreement",
                        sentence,
                        [replaced_word(word, new)],
                        distance=abs(word.head - i),
                        words=(noun.text,),
                        features=doubts(
                            another_noun=i > word.head and _goes_with_another(sentence, word.head, other),
                            introduces=word.text.lower() in introducing and _has_noun_before(sentence, i, other),
                            side=new in sides,
                            participle=bool(participle) and new.endswith(participle) and _has_complement(sentence, i),
                            verb_too=_may_be_verb(sentence, i),
                            in_name=_is_in_name(lexicon, sentence, i, word.head),
                            other_number=_has_other_number(word, noun),
                            total=word.text.lower() in totals
                            and (_is_pronoun(sentence, i) or _is_listed(sentence, word.head, other)),
                        ),
                    )

    return Perturbation(
        name="np_agreement",
        language=lexicon.language,
        summary="a determiner or adjective gets another gender than its noun's",
        conditions=(
            "It depends on a noun whose gender is annotated, and that the lexicon does not know in the other one; "
            "not on a piece of code (tous les radar(x)).",
            "Number and case stay; the new form cannot be read as the old one could.",
            "Weak, so never chosen: an adjective behind a noun of a noun that has the other gender (la position du "
            "curseur courant), with which it would agree; tel que behind any noun of the other gender, droit as "
            "a side, and toutes les before a list that has a noun of the other gender; what would be a present "
            "participle (la ligne correspondant), a word that may be the only verb; "
            "a word of a foreign name (Royal National Park) or one that the source has with the "
            "same capital, tous without a noun (connu de tous), and what is not in its noun's number.",
        ),
        examples=(),
        function=disagreeing,
    )


def _is_in_name(lexicon: Lexicon, sentence: Sentence, i: int, noun: int) -> bool:
    """*Le Royal National Park*: a capital that the source has too, or that stands beside one of a foreign word."""
    own = sentence.tokens[i].text
    if i and own[0].isupper() and re.search(rf"\b{re.escape(own)}\b", sentence.source):
        return True
    return _is_beside_foreign(lexicon, sentence, i) or _is_beside_foreign(lexicon, sentence, noun)


def _is_beside_foreign(lexicon: Lexicon, sentence: Sentence, i: int) -> bool:
    """Is the word one with a capital, and so is a neighbour that the lexicon does not have, in small letters?"""
    tokens = sentence.tokens
    if not i or not tokens[i].text[0].isupper():
        return False
    near = {tokens[k].text for step in (-1, 1) for k in _run(sentence, i, step)}
    named = (text for text in near if not text.isupper())  # not Licence Générale GNU
    return any(not lexicon.analyse(text.lower()) for text in named)


def _run(sentence: Sentence, i: int, step: int) -> Iterator[int]:
    """The words with a capital on one side, up to the first without."""
    at = i + step
    while 0 < at < len(sentence.tokens) and sentence.tokens[at].text[0].isupper():
        yield at
        at += step


def _has_other_number(word: Token, noun: Token) -> bool:
    """*à travers toutes la galaxie*: wrong already, or of another noun; *les croix* may be of either number."""
    own, other = word.morph.get("Number"), noun.morph.get("Number")
    return own is not None and other is not None and own != other and noun.text[-1] not in "sxz"


def _is_pronoun(sentence: Sentence, i: int) -> bool:
    """*connu de tous comme le Petit Tailleur*, *ils sont tous les deux grands*: has it no noun behind it?"""
    tokens, head = sentence.tokens, sentence.tokens[i].head
    between = tokens[i + 1 : head]
    floats = i > 0 and tokens[i - 1].pos == "AUX"
    return head < i or floats or any(t.pos not in ("DET", "ADJ", "NUM", "ADV", "PUNCT") for t in between)


def _has_complement(sentence: Sentence, i: int) -> bool:
    """*la ligne correspondante dans le document*: would a participle behind its noun go on?"""
    return i > sentence.tokens[i].head and any(t.pos == "ADP" for t in sentence.tokens[i + 1 : i + 2])


def _may_be_verb(sentence: Sentence, i: int) -> bool:
    """*Chaque configuration complète cette boîte*: an adjective between two nouns where no verb is finite."""
    word, after = sentence.tokens[i], sentence.tokens[i + 1 : i + 2]
    if word.pos != "ADJ" or i < word.head or not any(t.pos in ("DET", "NUM") for t in after):
        return False
    return not any(t.pos in ("VERB", "AUX") and t.morph.get("VerbForm") == "Fin" for t in sentence.tokens)


def _goes_with_another(sentence: Sentence, noun: int, gender: str) -> bool:
    """*la position du curseur courant*: would an adjective behind both go with the noun that has the other?"""
    tokens = sentence.tokens
    number, at = tokens[noun].morph.get("Number"), noun
    while tokens[at].relation.split(":")[0] == "nmod" and 0 <= tokens[at].head < at:
        at = tokens[at].head
        morph = tokens[at].morph
        if tokens[at].pos == "NOUN" and morph.get("Gender") == gender and morph.get("Number") == number:
            return True
    return False


def _has_noun_before(sentence: Sentence, place: int, gender: str) -> bool:
    """*les éléments de métadonnées tels que*: is one of the nouns before of the other gender?"""
    before = sentence.tokens[max(0, place - 6) : place]
    return any(t.pos == "NOUN" and t.morph.get("Gender") == gender for t in before)


def _is_listed(sentence: Sentence, noun: int, gender: str) -> bool:
    """*toutes les bibliothèques, paramètres, extensions*: does the list go on with a noun of the other gender?"""
    tokens, at = sentence.tokens, noun + 1
    while at + 1 < len(tokens) and (tokens[at].text in (",", "/") or tokens[at].pos in ("CCONJ", "ADJ", "NOUN")):
        if tokens[at].pos == "NOUN" and tokens[at].morph.get("Gender") == gender:
            return True
        at += 1
    behind = tokens[at] if at < len(tokens) else None
    return behind is not None and behind.pos == "NOUN" and behind.morph.get("Gender") == gender


def _shared(noun: Token) -> dict[str, str]:
    return {name: noun.morph[name] for name in ("Gender", "Number", "Case") if name in noun.morph}


def _can_have(lexicon: Lexicon, noun: Token, gender: str) -> bool:
    return any(gender in a.features.get("Gender", "").split(",") for a in readings_of(lexicon, noun.text, "NOUN"))
