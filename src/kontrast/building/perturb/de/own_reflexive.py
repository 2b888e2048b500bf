"""The reflexive pronoun that goes with another address: *sich* becomes dich or dir, by what stands beside it."""

from __future__ import annotations

from kontrast.building.perturb.de.grammar import subject_of
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import readings

__all__ = ["Edit", "chunk_around", "is_controlled", "own_pronoun"]

Edit = tuple[int, int, str]
_FOR_ONESELF = frozenset(
    "merken vorstellen überlegen ansehen anschauen anhören leisten aneignen einbilden beschaffen verschaffen "
    "besorgen gönnen".split()
)
"""Verbs whose reflexive is a dative also where the thing is a clause or a pronoun."""
_WHAT = frozenset("was das dies etwas nichts alles viel".split())
"""May be an object, beside which the reflexive is a dative."""
_TIMES = frozenset("Tag Tage Woche Wochen Monat Jahr Jahre Stunde Stunden Minuten Abend Nacht Morgen Mal".split())


def own_pronoun(sentence: Sentence, place: int, verbs: dict[int, int]) -> Edit | None:
    """*sich* of a converted verb: dir beside an object, with sein (sich sicher sein) and some verbs, else dich."""
    tokens = sentence.tokens
    chunk = chunk_around(sentence, place)
    if not chunk & (set(verbs) | set(verbs.values())) and not is_controlled(sentence, place, set(verbs.values())):
        return None
    if tokens[place - 1].pos == "ADP":
        return None
    certain = any(tokens[i].lemma == "sein" or tokens[i].text in ("sind", "waren", "wären") for i in chunk)
    dative = certain or any(_is_for_oneself(sentence, i) or _is_object(sentence, i) for i in chunk)
    if not dative and any(tokens[i].text.lower() in _WHAT for i in chunk):
        return None  # Was denken Sie sich?
    token = tokens[place]
    return token.start, token.end, "dir" if dative else "dich"


def _is_for_oneself(sentence: Sentence, i: int) -> bool:
    token = sentence.tokens[i]
    if token.pos != "VERB":
        return False
    lemmas = {r.lemma for r in readings(token.text.lower()) if r.pos == "V"}
    particles = {t.text.lower() for t in sentence.tokens if t.relation == "compound:prt" and t.head == i}
    return bool((lemmas | {p + lemma for p in particles for lemma in lemmas}) & _FOR_ONESELF)


def _is_object(sentence: Sentence, i: int) -> bool:
    """A noun in the accusative without a preposition before it, and no time."""
    token = sentence.tokens[i]
    if token.pos != "NOUN" or "Acc" not in token.morph.get("Case", "") or token.text in _TIMES:
        return False
    start = i
    while start and sentence.tokens[start - 1].pos in ("DET", "ADJ", "NUM", "ADV"):
        start -= 1
    return not start or sentence.tokens[start - 1].pos not in ("ADP", "NOUN")


def chunk_around(sentence: Sentence, place: int) -> set[int]:
    """The tokens around this one up to the next comma or stop, or a conjunction that opens a clause of its own."""
    first = last = place
    while first and not _parts(sentence, first - 1):
        first -= 1
    while last + 1 < len(sentence.tokens) and not _parts(sentence, last + 1):
        last += 1
    return set(range(first, last + 1))


def _parts(sentence: Sentence, i: int) -> bool:
    token = sentence.tokens[i]
    if token.pos != "CCONJ" or i + 1 == len(sentence.tokens):
        return token.pos == "PUNCT"
    after = sentence.tokens[i + 1]
    return after.tag in ("KOUS", "PWS", "PWAV", "PWAT", "PRELS") or after.relation.startswith("nsubj")


def _has_no_subject(sentence: Sentence, place: int) -> bool:
    """*…, dich zu entspannen*: an infinitive, whose subject is that of the verb above it."""
    words = [sentence.tokens[i] for i in chunk_around(sentence, place)]
    return any(t.tag in ("PTKZU", "VVIZU") for t in words) and not any(t.tag.endswith("FIN") for t in words)


def is_controlled(sentence: Sentence, place: int, subjects: set[int]) -> bool:
    """*du hast vor, dich zu entspannen*, not *ich komme, dir zu helfen*: is its subject the one addressed?"""
    first = min(chunk_around(sentence, place))
    if not _has_no_subject(sentence, place) or not first:
        return False
    above = next((i for i in reversed(range(first)) if sentence.tokens[i].tag.endswith("FIN")), None)
    owner = subject_of(sentence, above, shared=True) if above is not None else None
    return owner in subjects
