"""Agreement in the noun phrase in any language with gender: a determiner or adjective gets another gender."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from kontrast.building.errors.general.forms import changed_forms, elided, readings_of
from kontrast.building.errors.spec import Candidate, Maker, candidate, doubts
from kontrast.building.errors.text import is_code, replaced_word
from kontrast.language.annotation import Sentence, Token
from kontrast.language.lexicon import Lexicon
from kontrast.language.words import declared

_GENDERS = ("Masc", "Fem", "Neut", "Com")


def np_agreement(lexicon: Lexicon) -> Maker:
    own = declared(lexicon.language).get("agreement", {})
    either, misformed = frozenset(own.get("either_gender", ())), frozenset(own.get("misformed", ()))
    participle = own.get("present_participle", "")

    def disagreeing(sentence: Sentence) -> Iterator[Candidate]:
        for i, word in enumerate(sentence.tokens):
            if word.head < 0 or word.relation not in ("det", "amod") or word.pos not in ("DET", "ADJ"):
                continue
            noun = sentence.tokens[word.head]
            gender = noun.morph.get("Gender", "")
            if {noun.text.lower(), word.text.lower()} & either or is_code(sentence.text[noun.start : noun.end + 1]):
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
                    said = doubts(
                        another_noun=i > word.head and _goes_with_another(sentence, word.head, other),
                        participle=bool(participle) and new.endswith(participle) and i > word.head,
                        alone=word.pos == "DET" and _stands_alone(sentence, i),
                    )
                    yield candidate(
                        "np_agreement",
                        sentence,
                        [replaced_word(word, new)],
                        distance=abs(word.head - i),
                        words=(noun.text,),
                        features=said,
                    )

    return disagreeing


def _stands_alone(sentence: Sentence, i: int) -> bool:
    """*connu de tous comme le Petit Tailleur*, *ils sont tous les deux grands*: has it no noun behind it?"""
    tokens, head = sentence.tokens, sentence.tokens[i].head
    between = tokens[i + 1 : head]
    floats = i > 0 and tokens[i - 1].pos == "AUX"
    return head < i or floats or any(t.pos not in ("DET", "ADJ", "NUM", "ADV", "PUNCT") for t in between)


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


def _shared(noun: Token) -> dict[str, str]:
    return {name: noun.morph[name] for name in ("Gender", "Number", "Case") if name in noun.morph}


def _can_have(lexicon: Lexicon, noun: Token, gender: str) -> bool:
    return any(gender in a.features.get("Gender", "").split(",") for a in readings_of(lexicon, noun.text, "NOUN"))
