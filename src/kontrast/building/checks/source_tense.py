"""Does the English source contradict another tense: by the verb that the changed one translates, where found."""

from __future__ import annotations

from functools import lru_cache

from kontrast.building.checks.english import SOURCE
from kontrast.building.errors.spec import Candidate
from kontrast.language import annotators
from kontrast.language.annotation import Sentence, Token
from kontrast.language.words import word_set

_MODALS = word_set("en", "source_tense_modals")
"""Not could, would or might, which may be past or not."""
_HAVE = ("has", "have", "'ve", "’ve")
_TENSES = {"Pres": "present", "Past": "past", "Imp": "past", "Fut": "present"}
_OPEN = "the source has a perfect, could, would or might"
"""*has been*: was or is since; *It might be useful*: peut or pouvait."""


def contradicted(candidate: Candidate, sentence: Sentence) -> bool | str | None:
    """Does it need the context (None: not known), or why is it left out?

    As many finite verbs on both sides are taken to translate each other in order; else the source must have the
    reference's tense alone.
    """
    source = _english_verbs(sentence.source)
    if source is None:
        return None
    if not source:
        return "the source has no verb"
    verbs = [token for token in sentence.tokens if _is_finite(token)]
    start = candidate.edits[0].start
    place = next((k for k, token in enumerate(verbs) if token.start <= start < token.end), None)
    old = _TENSES.get(verbs[place].morph.get("Tense", "")) if place is not None else None
    paired = len(verbs) == len(source)
    own = source[place : place + 1] if paired and place is not None else source
    told = [tense for tense in own if tense != "open"]
    if not told:
        return _OPEN
    if old is None:
        return None
    if old not in told:
        return _OPEN if "open" in source and not paired else "the source has the foil's tense"
    return "the source has both tenses" if len(set(told)) > 1 else False


@lru_cache(maxsize=1000)
def _english_verbs(text: str) -> tuple[str, ...] | None:
    """The tenses of the finite verbs of the source, in order; None where nothing reads English here."""
    if not annotators.available(SOURCE):
        return None
    found: list[str] = []
    tokens = next(iter(annotators.get(SOURCE).annotate([text]))).tokens
    for i, token in enumerate(tokens):
        low, behind = token.text.lower(), tokens[i + 1 : i + 4]
        after = behind[0].text.lower() if behind else ""
        if low in _HAVE and ("VBN" in [t.tag for t in behind] or after in ("had", "been")) and after != "to":
            found.append("open")
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


def _is_finite(token: Token) -> bool:
    if token.tag.endswith("FIN"):
        return True
    form = token.morph.get("VerbForm")
    return token.pos in ("VERB", "AUX") and (form == "Fin" or (form is None and "Tense" in token.morph))
