"""Agreement in any language with a lexicon: another gender in the noun phrase, the other number of a verb."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from kontrast.building.errors.registry import language_of
from kontrast.building.errors.spec import Candidate, candidate, doubts, error
from kontrast.building.errors.text import replaced_word
from kontrast.language.annotation import Sentence, Token
from kontrast.language.lexicon import Analysis, Lexicon, same_class
from kontrast.language.words import declared

_GENDERS = ("Masc", "Fem", "Neut", "Com")


@error("grammar", of="lexicon")
def np_agreement(sentence: Sentence, lexicon: Lexicon) -> Iterator[Candidate]:
    """A determiner or adjective gets another gender than its noun.

    The word depends on a noun whose gender is annotated. The lexicon does not have the noun in the other gender, and
    the language does not declare it as a noun of both genders. Number and case do not change; the new form cannot be
    read in the same way as the old one. Three cases have a low confidence: an adjective after a dependent noun of the
    other gender (la position du curseur courant), a form that can be a present participle (la ligne correspondant),
    and a determiner without a following noun (connu de tous).
    """
    own = declared(lexicon.language).get("agreement", {})
    either, participle = set(own.get("either_gender", ())), own.get("present_participle", "")
    for i, word in enumerate(sentence.tokens):
        if word.head < 0 or word.relation not in ("det", "amod") or word.pos not in ("DET", "ADJ"):
            continue
        noun = sentence.tokens[word.head]
        gender = noun.morph.get("Gender", "")
        if {noun.text.lower(), word.text.lower()} & either:
            continue
        if noun.pos != "NOUN" or gender not in _GENDERS or word.morph.get("Gender", gender) != gender:
            continue
        for other in _GENDERS:
            if other == gender or _can_have(lexicon, noun, other):
                continue
            # What the annotation leaves out of the word, the noun says.
            full = msgspec.structs.replace(word, morph={**_shared(noun), **word.morph})
            for new in changed_forms(lexicon, full, Gender=other):
                said = doubts(
                    another_noun=i > word.head and _goes_with_another(sentence, word.head, other),
                    participle=bool(participle) and new.endswith(participle) and i > word.head,
                    alone=word.pos == "DET" and _stands_alone(sentence, i),
                )
                edits, far = [replaced_word(word, new)], abs(word.head - i)
                yield candidate(sentence, edits, distance=far, words=(noun.text,), features=said)


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


_SWAP = {"Sing": "Plur", "Plur": "Sing"}
_SUBJECTS = ("nsubj", "nsubj:pass")


@error("grammar", of="lexicon")
def subj_verb_agreement(sentence: Sentence, lexicon: Lexicon) -> Iterator[Candidate]:
    """The number of a finite verb is swapped.

    The verb has a single subject in the tree (not Ana and Luis). Person, tense and mood do not change.
    """
    own = language_of(lexicon.language)
    for i, verb in enumerate(sentence.tokens):
        number = verb.morph.get("Number", "")
        subject = _subject(sentence, i) if number in _SWAP and verb.is_finite else None
        if subject is None or _is_request(sentence, verb, subject):
            continue
        noun = sentence.tokens[subject]
        told = own.finite(verb, noun) if own and own.finite else verb
        for new in changed_forms(lexicon, told, Number=_SWAP[number]):
            edits = own.set_in(sentence, i, new) if own and own.set_in else [replaced_word(verb, new)]
            if edits is not None:
                words = (noun.text, verb.text)
                yield candidate(sentence, edits, distance=abs(subject - i), words=words)


def _is_request(sentence: Sentence, verb: Token, subject: int) -> bool:
    """A second person whose subject is a noun is an imperative that was given a subject."""
    return verb.morph.get("Person") == "2" and sentence.tokens[subject].pos in ("NOUN", "PROPN", "ADJ")


def _subject(sentence: Sentence, verb: int) -> int | None:
    """The subject of the verb, or of what it is an auxiliary or copula of; None for a coordinated one."""
    tokens = sentence.tokens
    centre = tokens[verb].head if tokens[verb].relation.startswith(("aux", "cop")) else verb
    for i in sentence.children(centre):
        if tokens[i].relation in _SUBJECTS:
            joined = any(tokens[child].relation == "conj" for child in sentence.children(i))
            return None if joined else i
    return None


_FIXED = ("Case", "Number", "Gender", "Person", "Tense", "Mood", "VerbForm", "Degree", "Definite", "Polarity")
"""Features in which a reading must not contradict the annotation."""


def readings_of(lexicon: Lexicon, word: str, pos: str) -> list[Analysis]:
    """The word's readings as this part of speech; a capital that may be due to the sentence start is ignored."""
    found = [a for a in lexicon.analyse(word) if same_class(a.pos, pos)]
    if found or not word[:1].isupper():
        return found
    return [a for a in lexicon.analyse(word[:1].lower() + word[1:]) if same_class(a.pos, pos)]


def fitting_readings(lexicon: Lexicon, token: Token) -> list[Analysis]:
    """The readings that agree with the annotation; those of its lemma, where that is one of several."""
    readings = [a for a in readings_of(lexicon, token.text, token.pos) if _agree(a.features, token.morph)]
    return [a for a in readings if a.lemma == token.lemma] or readings


def changed_forms(lexicon: Lexicon, token: Token, **changes: str) -> list[str]:
    """The usual forms of a word with some features changed, none of which can be read as the word was before.

    Only readings of the lexicon that agree with the annotation count, and forms of one word each: what the lexicon
    writes in two (kommt an) cannot stand in the word's place.
    """
    kept = {name: token.morph[name] for name in changes if name in token.morph}
    found: dict[str, None] = {}
    for reading in fitting_readings(lexicon, token):
        made = lexicon.generate(reading.lemma, reading.pos, **_single(reading.features) | changes)
        form = next((form for form in made if " " not in form), token.text)
        if form.lower() != token.text.lower():
            found[form] = None
    return [form for form in found if not _reads_as(lexicon, form, token, kept)]


def _agree(features: dict[str, str], morph: dict[str, str]) -> bool:
    return all(
        set(features[name].split(",")) & set(morph[name].split(","))
        for name in _FIXED
        if name in features and name in morph
    )


def _single(features: dict[str, str]) -> dict[str, str]:
    """Features that name one value; those with several are left open."""
    return {name: value for name, value in features.items() if "," not in value}


def _reads_as(lexicon: Lexicon, form: str, token: Token, kept: dict[str, str]) -> bool:
    """Can the new form also have the features that were to be changed, all others as annotated?"""
    wanted = {
        name: value for name, value in token.morph.items() if name in ("Case", "Number", "Gender", "Person")
    } | kept
    return any(_agree(a.features, wanted) for a in readings_of(lexicon, form, token.pos))
