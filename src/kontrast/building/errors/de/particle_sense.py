"""The particle of a verb becomes its opposite, which makes another verb: *einsteigen*, *aussteigen*."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.spec import Candidate, candidate
from kontrast.building.errors.text import like
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import readings, verb_forms
from kontrast.language.words import lists_of

_OTHER = {first: rest for first, *rest in map(str.split, lists_of("de")["opposite_particles"])}
_WAYS = frozenset(lists_of("de")["ways"])
"""Particles that go with every verb."""


def particle_sense(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        low = token.text.lower()
        if token.relation == "compound:prt" and low in _OTHER and 0 <= token.head < i:
            particle, bases = low, _verbs(sentence.tokens[token.head].text.lower())
            bases = {base for base in bases if _is_verb(low, base)}
        elif token.tag.startswith("VV"):
            particle = max((p for p in _OTHER if low.startswith(p)), key=len, default="")
            known = {verb.removeprefix(particle) for verb in _verbs(low) if particle and verb.startswith(particle)}
            bases = known or (_verbs(low.removeprefix(particle).removeprefix("zu")) if particle in _WAYS else set())
        else:
            continue
        new = next((p for p in _OTHER.get(particle, ()) if bases and all(_is_verb(p, base) for base in bases)), None)
        if new is not None:
            edits = [(token.start, token.start + len(particle), like(token.text, new))]
            yield candidate("particle_sense", sentence, edits, words=(token.text,))


def _verbs(form: str) -> set[str]:
    return {r.lemma for r in readings(form) if r.pos == "V"}


def _is_verb(particle: str, base: str) -> bool:
    return bool(verb_forms(base)) and (particle in _WAYS or bool(verb_forms(particle + base)))
