"""Auxiliaries of the perfect: *haben* for *sein* and the reverse (*ist gekommen* → *hat gekommen*)."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.perturb.de.grammar import finite_code, finite_verbs
from kontrast.building.perturb.de.perfect import EITHER_AUXILIARY, TAKES_SEIN
from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import readings, verb_form

_OTHER = {"haben": "sein", "sein": "haben"}


def _swapped(sentence: Sentence) -> Iterator[Candidate]:
    for i in finite_verbs(sentence):
        token = sentence.tokens[i]
        lemma = next((r.lemma for r in readings(token.text.lower()) if r.lemma in _OTHER), None)
        code = finite_code(token)
        if lemma is None or code is None:
            continue
        participle = _participle(sentence, i)
        if participle is None or not _is_perfect(lemma, sentence.tokens[participle].text.lower()):
            continue
        if token.text == "Habe" and code[0] == "k":
            code = "p1s"  # without its subject: (Ich) habe
        new = verb_form(_OTHER[lemma], code)
        if new:
            word = sentence.tokens[participle].text
            yield candidate(
                "auxiliary", sentence, [replaced_word(token, new)], distance=abs(participle - i), words=(word,)
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
    follower = sentence.tokens[centre + 1] if centre + 1 < len(sentence.tokens) else None
    if follower is not None and follower.text.lower() in ("werden", "sein", "haben") and centre + 1 != verb:
        return None
    apart = any(t.text in ",;:" for t in sentence.tokens[centre:verb])  # Als Volk betrachtet, haben sie …
    apart = apart or any(t.pos == "CCONJ" for t in sentence.tokens[centre:verb])  # überprüft und einen Namen hat
    apart = apart or (follower is not None and centre > verb and follower.tag == "NN")  # haben nur begrenzt Zeit
    apart = apart or (centre > 0 and sentence.tokens[centre - 1].text == "zu")
    apart = apart or (centre > verb and sentence.tokens[verb + 1].pos == "CCONJ")  # außerhalb sind und umgekehrt
    return None if apart or _has_zu(sentence, verb, centre) else centre


def _has_zu(sentence: Sentence, verb: int, centre: int) -> bool:
    """*haben … (auf das Jahr gesehen) zu verzeichnen*: the infinitive with zu after it is what the verb governs."""
    if centre < verb:
        return False
    for token in sentence.tokens[centre + 1 :]:
        if token.text in ",.;:!?":
            return False
        if token.tag == "VVIZU" or (token.pos == "PART" and token.text == "zu"):
            return True
    return False


def _is_perfect(lemma: str, participle: str) -> bool:
    verbs = {r.lemma for r in readings(participle) if r.pos == "V" and "2" in r.codes}
    if not verbs or verbs & EITHER_AUXILIARY:
        return False
    return bool(verbs & TAKES_SEIN) == (lemma == "sein")


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
