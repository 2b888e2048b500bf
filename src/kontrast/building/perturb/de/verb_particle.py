"""Separable verbs: the particle becomes one that the verb does not take (*stellt … vor* → *stellt … nieder*)."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import readings, verb_forms
from kontrast.language.lexicons.german_words import PARTICLES

_NEW = ("ab", "an", "auf", "aus", "bei", "ein", "nach", "nieder", "um", "unter", "vor", "zu")
"""Particles that make new words; weg, hin, los, zurück are free additions that go with nearly every verb."""

_PRODUCTIVE = frozenset(
    "machen gehen kommen nehmen geben stellen setzen legen bringen ziehen halten lassen sehen schreiben laufen "
    "fahren schlagen tragen werfen fallen stehen greifen treten hängen heben rücken schieben schließen drehen "
    "rufen".split()
)
"""Verbs that take almost any particle, whether the lexicon has it or not."""

_DOWN = frozenset(
    "gehen kommen legen schlagen setzen stellen werfen fallen halten hängen lassen schreiben ziehen treten rufen "
    "sehen blicken schauen bewegen starren gucken drücken feuern schießen brennen reißen kämpfen ringen prasseln "
    "schieben drehen heben biegen klappen greifen fahren laufen tragen bringen rücken hauen zeichnen schwingen "
    "springen fliegen regnen sinken gleiten stürzen beugen knien sitzen stoßen strecken".split()
)
"""Those that take *nieder* too."""

_SELDOM = frozenset(("bei", "nieder", "unter"))
"""Particles that make few verbs; the others make new ones freely (einwählen, zuschalten), more than a lexicon has."""
_OR = frozenset(("oder", "/", "bzw", "bzw."))
"""*an oder aus*, *ein/aus*: beside these a particle is one of two."""


def _replaced(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        low = token.text.lower()
        if token.relation != "compound:prt" or low not in PARTICLES or not 0 <= token.head < i:
            continue
        behind = [t.text.lower() for t in sentence.tokens[i + 1 : i + 3]]
        if behind[:1] == ["und"] and behind[1:] and behind[1] in PARTICLES:
            continue  # hin und her
        of_two = not _OR.isdisjoint((sentence.tokens[i - 1].text.lower(), *behind[:1]))
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
                weak=of_two or _may_exist(bases, new),
            )


def _may_exist(bases: set[str], particle: str) -> bool:
    """Is it likely that one says it, though the lexicon does not have it?"""
    if particle == "nieder" and bases & _DOWN:
        return True
    if bases & _PRODUCTIVE:
        return particle != "nieder"
    return particle not in _SELDOM


def _participle(particle: str, base: str) -> str:
    return particle + verb_forms(base).get("2", "ge" + base)


perturbation = Perturbation(
    name="verb_particle",
    language="de",
    summary="a separated verb particle is replaced by one the verb does not take",
    conditions=(
        "The verb and its particle stand apart in the clause, and the verb is known with that particle.",
        "Weak, so never chosen: particles that make new verbs freely (einwählen, zuschalten), so all but bei, nieder "
        "and unter; of verbs that take almost any particle (machen, gehen, stellen …) all but nieder; one of "
        "two (an oder aus).",
        "The new particle makes no verb that the lexicon has; with --train also none that the training text has.",
        "The distance is counted in words from verb to particle; the frequency is the verb form's.",
    ),
    examples=(
        Example("Er stellt den Plan heute vor.", "Er stellt den Plan heute nieder."),
        Example("Sie kommt heute.", None),
    ),
    function=_replaced,
)
