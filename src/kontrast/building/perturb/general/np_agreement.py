"""Agreement in the noun phrase in any language with gender: a determiner or adjective gets another gender."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from kontrast.building.perturb.general.forms import changed_forms, elided, readings_of
from kontrast.building.perturb.perturbation import Candidate, Perturbation, candidate
from kontrast.building.perturb.text import replaced_word
from kontrast.language.annotation import Sentence, Token
from kontrast.language.lexicon import Lexicon

_GENDERS = ("Masc", "Fem", "Neut", "Com")


def perturbation(lexicon: Lexicon) -> Perturbation:
    def disagreeing(sentence: Sentence) -> Iterator[Candidate]:
        for i, word in enumerate(sentence.tokens):
            if word.head < 0 or word.relation not in ("det", "amod") or word.pos not in ("DET", "ADJ"):
                continue
            noun = sentence.tokens[word.head]
            gender = noun.morph.get("Gender", "")
            if noun.pos != "NOUN" or gender not in _GENDERS or word.morph.get("Gender", gender) != gender:
                continue
            for other in _GENDERS:
                if other == gender or _can_have(lexicon, noun, other):
                    continue
                # What the annotation leaves out of the word, the noun says.
                full = msgspec.structs.replace(word, morph={**_shared(noun), **word.morph})
                for new in changed_forms(lexicon, full, Gender=other):
                    if elided(sentence, word, new):
                        continue
                    yield candidate(
                        "np_agreement",
                        sentence,
                        [replaced_word(word, new)],
                        distance=abs(word.head - i),
                        words=(noun.text,),
                    )

    return Perturbation(
        name="np_agreement",
        language=lexicon.language,
        summary="a determiner or adjective gets another gender than its noun's",
        conditions=(
            "It depends on a noun whose gender is annotated, and that the lexicon does not know in the other one.",
            "Number and case stay; the new form cannot be read as the old one could.",
        ),
        examples=(),
        function=disagreeing,
    )


def _shared(noun: Token) -> dict[str, str]:
    return {name: noun.morph[name] for name in ("Gender", "Number", "Case") if name in noun.morph}


def _can_have(lexicon: Lexicon, noun: Token, gender: str) -> bool:
    return any(gender in a.features.get("Gender", "").split(",") for a in readings_of(lexicon, noun.text, "NOUN"))
