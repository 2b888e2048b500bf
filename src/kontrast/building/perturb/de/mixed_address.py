"""Sentences that would have both addresses with the other one, or have both already: no error of formality."""

from __future__ import annotations

import re

from kontrast.building.perturb.de.grammar import IMPERATIVES, finite_code, finite_verbs, imperative
from kontrast.building.perturb.de.verb_uses import between_signs
from kontrast.building.perturb.text import opens_sentence
from kontrast.language.annotation import Sentence

__all__ = ["has_small_sie", "hides_modal", "is_of_other_texts", "keeps_another", "may_be_object"]

_MODALS = frozenset("können müssen sollen wollen dürfen möchten könnten sollten".split())
_OPENING = ("KOUS", "PRELS", "PRELAT", "PWAV", "PWS")
_YOU = frozenset("you your yours yourself".split())
_OTHERS = frozenset("they them their these those she her it its both all".split())
_DU = re.compile(r"\b(?:[Dd]u|[Dd]ich|[Dd]ir|[Dd]eine?[mnrs]?)\b")
_SIE = re.compile(r"(?<=[\w,] )(?:Sie|Ihnen|Ihre?[mnrs]?)\b")
_LEADING = frozenset("dann also so nun jetzt bitte danach anschließend zuerst".split())


def keeps_another(sentence: Sentence) -> bool:
    """*BRECHEN SIE AB, wenn Sie …*, *lies einfach*, *verfolge ihn, wenn Sie …*: a form that does not change along."""
    tokens = sentence.tokens
    if not sentence.text.isupper() and any(t.text in ("SIE", "IHR", "IHRE", "IHNEN", "DU") for t in tokens):
        return True
    if any(
        t.text == "sie" and any(b.text in _MODALS for b in tokens[max(0, i - 1) : i + 2])
        for i, t in enumerate(tokens)
    ):
        return True  # müssen sie: a misspelt Sie
    return any(_is_familiar_request(sentence, i) or _is_kept(sentence, i) for i in range(len(tokens)))


def has_small_sie(sentence: Sentence) -> bool:
    """*Aktivieren Sie dies, wenn sie oft graben*: a misspelt Sie; by a source without they or she, or with no noun
    before it that it may stand for."""
    tokens = sentence.tokens
    said = set(re.findall(r"[a-z]+", sentence.source.lower()))
    for i, token in enumerate(tokens):
        if token.text != "sie":
            continue
        plural = any(b.text in _MODALS or b.text == "werden" for b in tokens[max(0, i - 1) : i])
        if said & _YOU and not said & (_OTHERS - {"it", "its", "she", "her"} if plural else _OTHERS):
            return True
        nouns = [t for t in tokens[:i] if t.pos in ("NOUN", "PROPN")]
        if token.relation.startswith("nsubj") and not nouns:
            return True
    return False


def is_of_other_texts(sentence: Sentence) -> bool:
    """Do the lines around have the other address more often than this one's?"""
    texts = [text for _, text in sentence.nearby]
    familiar = sum(bool(_DU.search(text)) for text in texts)
    polite = sum(bool(_SIE.search(text)) for text in texts)
    return polite > familiar if _DU.search(sentence.text) else familiar > polite


def _is_kept(sentence: Sentence, i: int) -> bool:
    """*Du ergötzt dich*: du opens the sentence, and what is behind it is no verb by its tag, or of another person."""
    if sentence.tokens[i].text != "Du" or not opens_sentence(sentence, i) or i + 1 == len(sentence.tokens):
        return False
    code = finite_code(sentence.tokens[i + 1]) if i + 1 in set(finite_verbs(sentence)) else ""
    return (code or "")[1:] != "2s"


def hides_modal(sentence: Sentence) -> bool:
    """*mit dem Sie den Ton regeln, Eingänge wählen und mehr einstellen können*: one modal at the end of several."""
    tokens = sentence.tokens
    for k in range(2, len(tokens)):
        if tokens[k].text not in _MODALS or tokens[k - 1].tag != "VVINF":
            continue
        first = k
        while first and tokens[first - 1].text not in ".;:!?" and tokens[first - 1].tag not in _OPENING:
            first -= 1
        inside = tokens[first:k]
        if any(t.text == "Sie" for t in inside) and any(t.tag == "VVFIN" for t in inside):
            return True
    return False


def _is_familiar_request(sentence: Sentence, i: int) -> bool:
    token = sentence.tokens[i]
    before = sentence.tokens[i - 1] if i else None
    led = before is not None and before.text.lower() in _LEADING
    if (before is not None and before.pos not in ("PUNCT", "CCONJ") and not led) or token.text.lower() == "bitte":
        return False
    if led and token.text.islower() and imperative(token.text + "en") == token.text:
        return True  # Dann geh, du hast Zeit
    if token.text.lower() in IMPERATIVES:
        return True
    if i not in set(finite_verbs(sentence)) and token.tag != "VVIMP":
        return False
    owners = {sentence.tokens[k].text.lower() for k in between_signs(sentence, i)}
    first = (finite_code(token) or "p1s")[:2] in ("p1", "k3") and token.text.endswith("e")
    return first and not owners & {"ich", "er", "sie", "es", "man"} and token.pos == "VERB"


def may_be_object(sentence: Sentence) -> bool:
    """*nicht stören, sondern Sie in der Arbeit unterstützen*: Sie behind und or sondern, with the verb at the end."""
    tokens, finite = sentence.tokens, set(finite_verbs(sentence))
    return any(
        token.text == "Sie"
        and i > 0
        and tokens[i - 1].pos == "CCONJ"
        and tokens[i - 1].text.lower() in ("und", "oder", "sondern")
        and i + 1 < len(tokens)
        and i + 1 not in finite
        for i, token in enumerate(tokens)
    )
