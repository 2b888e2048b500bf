"""Auxiliaries of the perfect: *haben* for *sein* and the reverse (*ist gekommen* → *hat gekommen*)."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.de.grammar import finite_code, finite_verbs
from kontrast.building.errors.spec import Candidate, Example, Perturbation, candidate, flags
from kontrast.building.errors.text import replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import readings, verb_form
from kontrast.language.lexicons.german_words import PARTICLES
from kontrast.language.words import lists_of

_OTHER = {"haben": "sein", "sein": "haben"}
_LISTS = lists_of("de")
_EITHER = frozenset(_LISTS["either"])
"""Verbs with which both auxiliaries are heard, in different meanings or regions."""
_DERIVED = {particle + base for particle in PARTICLES for base in _LISTS["sein_base"]}
_TAKES_SEIN = frozenset(_LISTS["sein"]) | frozenset(_DERIVED) - _EITHER


def _swapped(sentence: Sentence) -> Iterator[Candidate]:
    for i in finite_verbs(sentence):
        token = sentence.tokens[i]
        lemma = next((r.lemma for r in readings(token.text.lower()) if r.lemma in _OTHER), None)
        code = finite_code(token)
        place = _participle(sentence, i) if lemma and code else None
        if lemma is None or code is None or place is None:
            continue
        participle = sentence.tokens[place]
        if not _is_perfect(lemma, participle.text.lower()):
            continue
        new = verb_form(_OTHER[lemma], code)
        if new:
            between = sentence.tokens[min(i, place) + 1 : max(i, place)]
            said = flags(apart=any(t.pos in ("PUNCT", "CCONJ") for t in between), zu_behind=_has_zu(sentence, place))
            yield candidate(
                "auxiliary",
                sentence,
                [replaced_word(token, new)],
                distance=abs(place - i),
                words=(participle.text,),
                features=said,
            )


def _participle(sentence: Sentence, verb: int) -> int | None:
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


def _has_zu(sentence: Sentence, place: int) -> bool:
    """*haben … (auf das Jahr gesehen) zu verzeichnen*: an infinitive with zu behind the participle."""
    return any(t.tag in ("VVIZU", "PTKZU") for t in sentence.tokens[place + 1 : place + 4])


def _is_perfect(lemma: str, participle: str) -> bool:
    verbs = {r.lemma for r in readings(participle) if r.pos == "V" and "2" in r.codes}
    if not verbs or verbs & _EITHER:
        return False
    return bool(verbs & _TAKES_SEIN) == (lemma == "sein")


perturbation = Perturbation(
    name="auxiliary",
    language="de",
    summary="haben and sein are swapped in the perfect and pluperfect",
    conditions=(
        "A finite form of haben or sein with a full verb's participle in the same clause (also worden, gewesen).",
        "After sein only with verbs that form their perfect with it, not in passives of state (ist geöffnet).",
        "Not with verbs that allow both auxiliaries (fahren, schwimmen, stehen …).",
        "The distance is counted in words from auxiliary to participle; the frequency is the participle's.",
    ),
    examples=(
        Example("Der Zug ist angekommen.", "Der Zug hat angekommen."),
        Example("Sie hatten lange gewartet.", "Sie waren lange gewartet."),
        Example("Der Laden ist geöffnet.", None),
    ),
    function=_swapped,
)
