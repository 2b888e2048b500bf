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
from kontrast.building.errors.spec import Candidate, candidate, error, flags
from kontrast.building.errors.text import like, replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import readings, verb_form, verb_forms
from kontrast.language.lexicons.german_words import PARTICLES
from kontrast.language.words import lists_of, word_set

_OTHER_AUXILIARY = {"haben": "sein", "sein": "haben"}
_DERIVED = {particle + base for particle in PARTICLES for base in LISTS["sein_base"]}
_TAKES_SEIN = LISTS["sein"] | _DERIVED - LISTS["either"]


@error("grammar")
def auxiliary(sentence: Sentence) -> Iterator[Candidate]:
    """Haben and sein are swapped in the perfect and pluperfect.

    The clause has a finite form of haben or sein and a participle (also worden, gewesen). sein is replaced only if
    the verb forms its perfect with sein, not in a stative passive (ist geöffnet). Verbs that allow both auxiliaries
    are left out (fahren, schwimmen, stehen …).

    - Der Zug ist angekommen. → Der Zug hat angekommen.
    - Sie hatten lange gewartet. → Sie waren lange gewartet.
    - Der Laden ist geöffnet. → (nothing)
    """
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
            yield candidate(sentence, edits, distance=abs(place - i), words=(participle.text,))


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


@error("sense")
def tense(sentence: Sentence) -> Iterator[Candidate]:
    """A verb in the present becomes past, or the reverse.

    The verb is finite and indicative and has a subject. Its forms in the two tenses differ; person and number do not
    change. werden and modal verbs are left out, because their past forms have other meanings. Imperatives are left
    out (Beachten Sie …).

    - Die Frau lacht. → Die Frau lachte.
    - Er ging nach Hause. → Er geht nach Hause.
    - Sie wird kommen. → (nothing)
    """
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
            yield candidate(sentence, [edit], words=(token.text,), features=said)


_INDICATIVE = dict(map(str.split, lists_of("de")["indicative"]))


@error("grammar")
def subjunctive(sentence: Sentence) -> Iterator[Candidate]:
    """A past subjunctive (hätte) becomes a past indicative (hatte).

    hätte, wäre, müsste, könnte become hatte, war, musste, konnte. würde does not change, because wurde would look
    like a missing umlaut. sollte does not change, because both moods have the same form. With a source, könnte
    changes only if the source has would or might, because could alone may mean konnte.

    - Das wäre ein Fehler. → Das war ein Fehler.
    - Wenn er Zeit hätte, würde er kommen. → Wenn er Zeit hatte, würde er kommen.
    - Ich würde morgen kommen. → (nothing)
    """
    for i in finite_verbs(sentence):
        token = sentence.tokens[i]
        low = token.text.lower()
        if low in _INDICATIVE:
            said = flags(could=low.startswith("könn"))
            edits = [replaced_word(token, _INDICATIVE[low])]
            yield candidate(sentence, edits, words=(low,), features=said)


_NEW = tuple(lists_of("de")["new_particles"])
"""Particles that make new words; weg, hin, los, zurück are free additions that go with nearly every verb."""


@error("sense")
def verb_particle(sentence: Sentence) -> Iterator[Candidate]:
    """A separated verb particle is replaced by one that the verb does not take.

    The verb and its particle are separated, and the lexicon has the verb with that particle. The verb with the new
    particle is not in the lexicon and, with --train, not in the training text.

    - Er stellt den Plan heute vor. → Er stellt den Plan heute nieder.
    """
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
                sentence, [replaced_word(token, new)], distance=i - token.head, words=(verb.text,), unseen=unseen
            )


def _participle(particle: str, base: str) -> str:
    return particle + verb_forms(base).get("2", "ge" + base)


_OPPOSITES = {first: rest for first, *rest in map(str.split, lists_of("de")["opposite_particles"])}
_WAYS = frozenset(lists_of("de")["ways"])
"""Particles that go with every verb."""


@error("sense")
def particle_sense(sentence: Sentence) -> Iterator[Candidate]:
    """The particle of a verb becomes its opposite, which gives another verb.

    The lexicon has the verb with its particle, joined or separated. The word file declares the opposites. The lexicon
    has the new verb too, or the particle is a direction (heraus, hinunter), which any verb can take.

    - Sie führt den Plan heute aus. → Sie führt den Plan heute ein.
    - Wir sind in Bonn ausgestiegen. → Wir sind in Bonn eingestiegen.
    """
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
            yield candidate(sentence, edits, words=(token.text,))


def _verbs(form: str) -> set[str]:
    return {r.lemma for r in readings(form) if r.pos == "V"}


def _is_verb(particle: str, base: str) -> bool:
    return bool(verb_forms(base)) and (particle in _WAYS or bool(verb_forms(particle + base)))
