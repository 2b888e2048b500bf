"""Agreement of subject and verb in any language: the finite verb gets the other number."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.general.forms import changed_forms
from kontrast.building.errors.registry import language_of
from kontrast.building.errors.spec import Candidate, Maker, candidate
from kontrast.building.errors.text import replaced_word
from kontrast.language.annotation import Sentence, Token
from kontrast.language.lexicon import Lexicon

_SWAP = {"Sing": "Plur", "Plur": "Sing"}
_SUBJECTS = ("nsubj", "nsubj:pass")


def subj_verb_agreement(lexicon: Lexicon) -> Maker:
    own = language_of(lexicon.language)

    def disagreeing(sentence: Sentence) -> Iterator[Candidate]:
        for i, verb in enumerate(sentence.tokens):
            number = verb.morph.get("Number", "")
            subject = _subject(sentence, i) if number in _SWAP and _is_finite(verb) else None
            if subject is None or _is_request(sentence, verb, subject):
                continue
            noun = sentence.tokens[subject]
            told = own.finite(verb, noun) if own and own.finite else verb
            for new in changed_forms(lexicon, told, Number=_SWAP[number]):
                yield candidate(
                    "subj_verb_agreement",
                    sentence,
                    own.set_in(sentence, i, new) if own and own.set_in else [replaced_word(verb, new)],
                    distance=abs(subject - i),
                    words=(noun.text, verb.text),
                )

    return disagreeing


def _is_request(sentence: Sentence, verb: Token, subject: int) -> bool:
    """A second person whose subject is a noun is an imperative that was given a subject."""
    return verb.morph.get("Person") == "2" and sentence.tokens[subject].pos in ("NOUN", "PROPN", "ADJ")


def _is_finite(token: Token) -> bool:
    form = token.morph.get("VerbForm")
    return token.pos in ("VERB", "AUX") and (form == "Fin" or (form is None and "Person" in token.morph))


def _subject(sentence: Sentence, verb: int) -> int | None:
    """The subject of the verb, or of what it is an auxiliary or copula of; None for a coordinated one."""
    tokens = sentence.tokens
    centre = tokens[verb].head if tokens[verb].relation.startswith(("aux", "cop")) else verb
    for i in sentence.children(centre):
        if tokens[i].relation in _SUBJECTS:
            joined = any(tokens[child].relation == "conj" for child in sentence.children(i))
            return None if joined else i
    return None
