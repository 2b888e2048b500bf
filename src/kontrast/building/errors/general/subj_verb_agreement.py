"""Agreement of subject and verb in any language: the finite verb gets the other number."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from kontrast.building.errors.fr.elision import with_elision
from kontrast.building.errors.general.forms import changed_forms
from kontrast.building.errors.spec import Candidate, Perturbation, candidate, doubts
from kontrast.building.errors.text import replaced_word
from kontrast.language.annotation import Sentence, Token
from kontrast.language.lexicon import Lexicon
from kontrast.language.lexicons.lefff import facts_of, lemmas_of
from kontrast.language.words import declared

_SWAP = {"Sing": "Plur", "Plur": "Sing"}
_FRENCH_PERSONS = {"je": "1", "j'": "1", "tu": "2"}
_NOMINAL = frozenset(("NOUN", "PROPN", "ADJ", "DET", "ADP", "NUM"))
"""What a noun and those that depend on it are made of."""
_NEAR = 8
_JOINING = frozenset((",", "ainsi", "comme", "avec"))
_MANY = frozenset(("plupart",))
"""French nouns in the singular whose verb is in the plural."""
_SUBJECTS = ("nsubj", "nsubj:pass")


def perturbation(lexicon: Lexicon) -> Perturbation:
    quantities = frozenset(declared(lexicon.language).get("agreement", {}).get("quantities", ()))

    def disagreeing(sentence: Sentence) -> Iterator[Candidate]:
        for i, verb in enumerate(sentence.tokens):
            number = verb.morph.get("Number", "")
            subject = _subject(sentence, i) if number in _SWAP and _is_finite(verb) else None
            if subject is None or _is_request(sentence, verb, subject):
                continue
            french = lexicon.language == "fr"
            told = _in_present(_of_person(verb, sentence.tokens[subject])) if french else verb
            for new in changed_forms(lexicon, told, Number=_SWAP[number]):
                yield candidate(
                    "subj_verb_agreement",
                    sentence,
                    with_elision(sentence, i, new) if french else [replaced_word(verb, new)],
                    distance=abs(subject - i),
                    words=(sentence.tokens[subject].text, verb.text),
                    features=doubts(
                        another_antecedent=_has_another_antecedent(sentence, subject, _SWAP[number]),
                        joined=_is_joined(sentence, subject, i),
                        disagrees=_disagrees(sentence, subject, i),
                        counted=_is_counted(sentence, subject, number, quantities),
                        behind_article=french and sentence.tokens[i - 1].pos == "DET",
                        other_mood=french and _leaves_mood(verb, new),
                    ),
                )

    return Perturbation(
        name="subj_verb_agreement",
        language=lexicon.language,
        summary="the number of a finite verb is swapped",
        conditions=(
            "The verb is finite and has a subject in the tree, a single one (not Ana and Luis).",
            "Person, tense and mood stay; the new form cannot be read as the old one could.",
            "Weak, so never chosen: behind a relative pronoun where a noun of the other number stands before it too "
            "(des éléments dans la fenêtre qui …), a subject with et/ou, one that disagrees already (les sections … "
            "était), a quantity of something (une foule de curieux), and a subjunctive whose "
            "other number has no form of both moods (que je pense).",
        ),
        examples=(),
        function=disagreeing,
    )


def _in_present(verb: Token) -> Token:
    """*inclut*: *incluent*, not *inclurent*; *je pense*: *pensons*, not *pensions*.

    What may be a present indicative or a past historic or a subjunctive is the first.
    """
    tenses = _tenses(verb.text.lower(), verb.lemma)
    if "P" not in tenses or not tenses & {"J", "S"}:
        return verb
    mood = {"Mood": "Ind"} if "S" in tenses else {}
    return msgspec.structs.replace(verb, morph={**verb.morph, "Tense": "Pres", **mood})


def _leaves_mood(verb: Token, new: str) -> bool:
    """*qu'il faut que je pense*: of a subjunctive, *pensons* would have the other mood too."""
    return verb.morph.get("Mood") == "Sub" and "S" not in _tenses(new.lower())


def _disagrees(sentence: Sentence, subject: int, verb: int) -> bool:
    """*Les sections de l'événement était*: noun and article in the other number, so that the change would mend it.

    Not *la plupart des options sont*, nor where the noun may be one of several: *la taille et la forme sont*.
    """
    tokens, noun = sentence.tokens, sentence.tokens[subject]
    number = tokens[verb].morph.get("Number", "")
    articles = {tokens[k].morph.get("Number") for k in sentence.children(subject) if tokens[k].relation == "det"}
    if noun.pos != "NOUN" or noun.morph.get("Number") != _SWAP[number] or articles != {_SWAP[number]}:
        return False
    around = tokens[max(0, min(subject, verb) - _NEAR) : max(subject, verb)]
    several = any(t.pos == "CCONJ" or t.text.lower() in _JOINING for t in around)
    return noun.lemma not in _MANY and not (number == "Plur" and several)


def _is_counted(sentence: Sentence, subject: int, number: str, quantities: frozenset[str]) -> bool:
    """*Une foule de curieux s'étaient rassemblés*: the verb may follow what there is much of."""
    behind = [t.text.lower() for t in sentence.tokens[subject + 1 : subject + 2]]
    return (
        number == "Sing"
        and sentence.tokens[subject].text.lower() in quantities
        and behind in (["de"], ["d'"], ["des"], ["d’"])
    )


def _tenses(form: str, lemma: str = "") -> set[str]:
    """Those of the form in Lefff, as one of the lemma where it has that: *étaient* is of être, not of étayer."""
    found = lemmas_of(form)
    facts = (fact for one in ([lemma] if lemma in found else found) for fact in facts_of(one))
    return {code[0] for group, code, made in facts if group == "v" and made == form}


def _is_joined(sentence: Sentence, subject: int, verb: int) -> bool:
    """*le décompte et/ou la limite doit*: two subjects, whatever the tree takes them for."""
    between = sentence.tokens[max(0, min(subject, verb) - 6) : max(subject, verb)]
    return any("et/ou" in t.text.lower() or t.text == "/" for t in between)


def _of_person(verb: Token, subject: Token) -> Token:
    """A French verb in the person of its pronoun, where the form is of two: *tu peux*, *tu pouvez*."""
    person = _FRENCH_PERSONS.get(subject.text.lower().replace("’", "'"))
    return msgspec.structs.replace(verb, morph={**verb.morph, "Person": person}) if person else verb


def _has_another_antecedent(sentence: Sentence, subject: int, number: str) -> bool:
    """*des éléments dans la fenêtre qui …*: may the relative pronoun stand for a noun of the other number?"""
    tokens = sentence.tokens
    if tokens[subject].morph.get("PronType") != "Rel" and tokens[subject].text.lower() != "qui":
        return False
    comma = tokens[subject - 1].text == ","
    for token in reversed(tokens[: subject - comma]):
        if token.pos not in _NOMINAL and token.morph.get("VerbForm") != "Part":
            break
        if token.pos == "NOUN" and token.morph.get("Number") == number:
            return True
    return False


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
