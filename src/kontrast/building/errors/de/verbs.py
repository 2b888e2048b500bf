"""Verbs: the other auxiliary or tense, the indicative for a subjunctive, a particle that is odd or the opposite."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.de.grammar import (
    LISTS,
    changed_verb,
    finite_code,
    finite_verbs,
    is_polite_request,
    subject_of,
)
from kontrast.building.errors.spec import Candidate, candidate, flags
from kontrast.building.errors.text import like, replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import readings, verb_form, verb_forms
from kontrast.language.lexicons.german_words import PARTICLES
from kontrast.language.words import lists_of, word_set

_OTHER_AUXILIARY = {"haben": "sein", "sein": "haben"}
_DERIVED = {particle + base for particle in PARTICLES for base in LISTS["sein_base"]}
_TAKES_SEIN = LISTS["sein"] | _DERIVED - LISTS["either"]


def auxiliary(sentence: Sentence) -> Iterator[Candidate]:
    for i in finite_verbs(sentence):
        token = sentence.tokens[i]
        lemma = next((r.lemma for r in readings(token.text.lower()) if r.lemma in _OTHER_AUXILIARY), None)
        code = finite_code(token)
        place = _governed_participle(sentence, i) if lemma and code else None
        if lemma is None or code is None or place is None:
            continue
        participle = sentence.tokens[place]
        if not _is_perfect(lemma, participle.text.lower()):
            continue
        new = verb_form(_OTHER_AUXILIARY[lemma], code)
        if new:
            edits = [replaced_word(token, new)]
            yield candidate("auxiliary", sentence, edits, distance=abs(place - i), words=(participle.text,))


def _governed_participle(sentence: Sentence, verb: int) -> int | None:
    """The participle that the finite verb governs: worden or gewesen before a full verb's."""
    token = sentence.tokens[verb]
    if not token.relation.startswith(("aux", "cop")) or token.head < 0:
        return None
    centre = token.head
    for i, other in enumerate(sentence.tokens):
        near = (other.head == centre and other.relation.startswith(("aux", "cop"))) or abs(i - centre) == 1
        if near and i != verb and other.text.lower() in ("worden", "geworden", "gewesen"):
            return i
    follower = sentence.tokens[centre + 1].text.lower() if centre + 1 < len(sentence.tokens) else ""
    return None if follower in ("werden", "sein", "haben") and centre + 1 != verb else centre


def _is_perfect(lemma: str, participle: str) -> bool:
    verbs = {r.lemma for r in readings(participle) if r.pos == "V" and "2" in r.codes}
    if not verbs or verbs & LISTS["either"]:
        return False
    return bool(verbs & _TAKES_SEIN) == (lemma == "sein")


_OTHER_TENSE = {"p": "t", "t": "p"}
_MODAL = word_set("de", "verbs_modal")
"""Verbs whose past forms have other meanings."""


def tense(sentence: Sentence) -> Iterator[Candidate]:
    for i in finite_verbs(sentence):
        token = sentence.tokens[i]
        code, subject = finite_code(token), subject_of(sentence, i)
        lemmas = {r.lemma for r in readings(token.text.lower()) if r.pos == "V"}
        if code is None or subject is None or code[0] not in _OTHER_TENSE or lemmas & _MODAL:
            continue
        if is_polite_request(sentence, i, subject):
            continue
        if edit := changed_verb(token, lambda code: _OTHER_TENSE[code[0]] + code[1:]):
            own = [r for r in readings(token.text.lower()) if r.pos == "V"]
            said = flags(past=code[0] == "t", participle_too=any("2" in r.codes for r in own))
            yield candidate("tense", sentence, [edit], words=(token.text,), features=said)


_INDICATIVE = dict(map(str.split, lists_of("de")["indicative"]))


def subjunctive(sentence: Sentence) -> Iterator[Candidate]:
    for i in finite_verbs(sentence):
        token = sentence.tokens[i]
        low = token.text.lower()
        if low in _INDICATIVE:
            said = flags(could=low.startswith("könn"))
            edits = [replaced_word(token, _INDICATIVE[low])]
            yield candidate("subjunctive", sentence, edits, words=(low,), features=said)


_NEW = tuple(lists_of("de")["new_particles"])
"""Particles that make new words; weg, hin, los, zurück are free additions that go with nearly every verb."""


def verb_particle(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        low = token.text.lower()
        if token.relation != "compound:prt" or not 0 <= token.head < i:
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


_OPPOSITES = {first: rest for first, *rest in map(str.split, lists_of("de")["opposite_particles"])}
_WAYS = frozenset(lists_of("de")["ways"])
"""Particles that go with every verb."""


def particle_sense(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        low = token.text.lower()
        if token.relation == "compound:prt" and low in _OPPOSITES and 0 <= token.head < i:
            particle, bases = low, _verbs(sentence.tokens[token.head].text.lower())
            bases = {base for base in bases if _is_verb(low, base)}
        elif token.tag.startswith("VV"):
            particle = max((p for p in _OPPOSITES if low.startswith(p)), key=len, default="")
            known = {verb.removeprefix(particle) for verb in _verbs(low) if particle and verb.startswith(particle)}
            bases = known or (_verbs(low.removeprefix(particle).removeprefix("zu")) if particle in _WAYS else set())
        else:
            continue
        new = next(
            (p for p in _OPPOSITES.get(particle, ()) if bases and all(_is_verb(p, base) for base in bases)), None
        )
        if new is not None:
            edits = [(token.start, token.start + len(particle), like(token.text, new))]
            yield candidate("particle_sense", sentence, edits, words=(token.text,))


def _verbs(form: str) -> set[str]:
    return {r.lemma for r in readings(form) if r.pos == "V"}


def _is_verb(particle: str, base: str) -> bool:
    return bool(verb_forms(base)) and (particle in _WAYS or bool(verb_forms(particle + base)))
