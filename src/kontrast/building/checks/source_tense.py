"""Does the English source contradict another tense: by the verb that the changed one translates, where found."""

from __future__ import annotations

from functools import lru_cache

from kontrast.building.errors.spec import Candidate
from kontrast.language import annotators
from kontrast.language.annotation import Sentence, Token

__all__ = ["contradicted"]

_MODALS = frozenset("can will 'll may must shall ca wo".split())
"""Not could, would or might, which may be past or not."""
_HAVE = ("has", "have", "'ve", "’ve")
_TENSES = {"Pres": "present", "Past": "past", "Imp": "past", "Fut": "present"}

_EITHER = "the source has a perfect"
"""*have had a bad record*: hatten or haben; *has been*: was or is since."""
_OPEN = "the source has could, would or might"
"""*It might be useful*: peut or pouvait."""


def contradicted(candidate: Candidate, sentence: Sentence) -> bool | str | None:
    """Does it need the context (None: not known), or why is it left out?

    As many finite verbs on both sides are taken to translate each other in order; else the source must have the
    reference's tense alone.
    """
    source = _english_verbs(sentence.source)
    if source is None:
        return None
    told = [tense for tense in source if tense in ("past", "present")]
    if not source:
        return "the source has no verb"
    if not told:
        return _EITHER if "perfect" in source else _OPEN
    verbs = [token for token in sentence.tokens if _is_finite(token)]
    start = candidate.edits[0].start
    place = next((k for k, token in enumerate(verbs) if token.start <= start < token.end), None)
    old = _TENSES.get(verbs[place].morph.get("Tense", "")) if place is not None else None
    if place is None or old is None:
        return None
    if len(verbs) == len(source):
        own = source[place]
        if own in ("past", "present"):
            return "the source has the foil's tense" if own != old else False
        return _EITHER if own == "perfect" else _OPEN
    if old not in told:
        return _EITHER if "perfect" in source else "the source has the foil's tense"
    if len(set(told)) > 1:
        return "the source has both tenses"
    if len(source) < len(verbs) and _is_relative(sentence, verbs[place]):
        return "the source may have no such verb"  # features not available: die nicht verfügbar sind
    return False


@lru_cache(maxsize=1000)
def _english_verbs(text: str) -> tuple[str, ...] | None:
    """The tenses of the finite verbs of the source, in order; None where nothing reads English here."""
    if not annotators.available("en"):
        return None
    found: list[str] = []
    tokens = next(iter(annotators.get("en").annotate([text]))).tokens
    for i, token in enumerate(tokens):
        behind = [t.tag for t in tokens[i + 1 : i + 4]]
        low = token.text.lower()
        had = tokens[i + 1 : i + 2] and tokens[i + 1].text.lower() in ("had", "been")
        must = tokens[i + 1 : i + 2] and tokens[i + 1].text.lower() == "to"  # will have to be updated
        if low in _HAVE and ("VBN" in behind or had) and not must:
            found.append("perfect")
        elif low == "had" and i and tokens[i - 1].text.lower() in _HAVE:
            continue  # have had
        elif token.tag == "VBD":
            found.append("past")
        elif token.tag in ("VBP", "VBZ") or low in _MODALS:
            found.append("present")
        elif token.tag == "MD":
            found.append("open")
        elif token.tag == "VB" and (i == 0 or tokens[i - 1].text in ",;:."):
            found.append("present")  # an imperative
    return tuple(found)


def _is_relative(sentence: Sentence, verb: Token) -> bool:
    """Is the verb one of a relative clause?"""
    before = [t for t in sentence.tokens if t.end <= verb.start]
    for token in reversed(before):
        if token.tag in ("PRELS", "PRELAT") or token.text.lower() == "qui" or token.morph.get("PronType") == "Rel":
            return True
        if token.text in ",;:.":
            return False
    return False


def _is_finite(token: Token) -> bool:
    if token.tag.endswith("FIN"):
        return True
    form = token.morph.get("VerbForm")
    return token.pos in ("VERB", "AUX") and (form == "Fin" or (form is None and "Tense" in token.morph))
