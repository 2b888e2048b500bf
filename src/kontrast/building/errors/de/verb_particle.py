"""Separable verbs: the particle becomes one that the verb does not take (*stellt … vor* → *stellt … nieder*)."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.spec import Candidate, Example, Perturbation, candidate
from kontrast.building.errors.text import replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import readings, verb_forms
from kontrast.language.lexicons.german_words import PARTICLES
from kontrast.language.words import lists_of

_NEW = tuple(lists_of("de")["new_particles"])
"""Particles that make new words; weg, hin, los, zurück are free additions that go with nearly every verb."""


def _replaced(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        low = token.text.lower()
        if token.relation != "compound:prt" or low not in PARTICLES or not 0 <= token.head < i:
            continue
        behind = [t.text.lower() for t in sentence.tokens[i + 1 : i + 3]]
        if behind[:1] == ["und"] and behind[1:] and behind[1] in PARTICLES:
            continue  # hin und her
        verb = sentence.tokens[token.head]
        bases = {r.lemma for r in readings(verb.text.lower()) if r.pos == "V" and not r.feature}
        if "werden" in bases:
            continue  # wurde als … bekannt
        # Only where the verb is known with its own particle is it known which ones it lacks.
        if not any(verb_forms(low + base) for base in bases):
            continue
        for new in _NEW:
            joined = {new + base for base in bases}
            if new == low or any(verb_forms(word) or readings(word) for word in joined):
                continue
            unseen = tuple(sorted(joined | {_participle(new, base) for base in bases}))
            yield candidate(
                "verb_particle",
                sentence,
                [replaced_word(token, new)],
                distance=i - token.head,
                words=(verb.text,),
                unseen=unseen,
            )


def _participle(particle: str, base: str) -> str:
    return particle + verb_forms(base).get("2", "ge" + base)


perturbation = Perturbation(
    name="verb_particle",
    language="de",
    summary="a separated verb particle is replaced by one the verb does not take",
    conditions=(
        "The verb and its particle stand apart in the clause, and the verb is known with that particle.",
        "The new particle makes no verb that the lexicon has; with --train also none that the training text has.",
        "The distance is counted in words from verb to particle; the frequency is the verb form's.",
    ),
    examples=(
        Example("Er stellt den Plan heute vor.", "Er stellt den Plan heute nieder."),
        Example("Sie kommt heute.", None),
    ),
    function=_replaced,
)
