"""Pronouns that refer to nothing ("il faut", "es gibt") among items that ask what a pronoun refers to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kontrast.suites.lint.finding import Check, Finding, found
from kontrast.suites.model import Suite

_FRENCH_BETWEEN = r"(?:\s+(?:ne|n'|lui|leur|me|te|nous|vous|en|m'|t'))?\s*"
_IMPERSONAL = {
    "fr": re.compile(
        rf"\bil{_FRENCH_BETWEEN}(?:"
        r"n?'?y\s+(?:a|avait|aura|aurait|eut|ait|en\s+a)\b"
        r"|(?:fau(?:t|dra|drait|drai)|fallait|fallut|faille)\b"
        r"|(?:a|avait|aurait|aura)\s+fallu\b"
        r"|s'(?:agit|agissait|agira|agirait|est\s+agi)\b"
        r"|(?:convient|conviendrait|convenait|importe|incombe|appartient|suffit|suffirait)\s+(?:\w+\s+){0,2}(?:de\b|d'|que\b|qu'|à\b)"
        r"|(?:semble|semblerait|paraît|arrive|se\s+peut|se\s+pourrait|reste)\s+(?:que\b|qu')"
        r"|(?:pleut|pleuvait|neige|neigeait)\b"
        r"|en\s+(?:est|sera|était|serait|va)\s+(?:\w+\s+){0,2}(?:ainsi|décidé|même)\b"
        r"|est\s+(?:\w+\s+){0,1}(?:possible|nécessaire|important|temps|clair|essentiel|indispensable|vrai|prévu|proposé|recommandé)"
        r"\s+(?:de\b|d'|que\b|qu')"
        r")",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"\bes\s+(?:gibt|gab|gäbe|handelt\s+sich|handelte\s+sich|regnet|regnete|schneit|schneite)\b"
        r"|\b(?:gibt|gab|gäbe|regnet|schneit)\s+es\b"
        r"|\bes\s+geht\s+(?:\w+\s+){0,2}um\b",
        re.IGNORECASE,
    ),
}


def _impersonal(suite: Suite) -> Iterator[Finding]:
    pattern = _IMPERSONAL.get((suite.target_language or "").lower()[:2])
    if pattern is None:
        return
    places, examples = [], []
    for i, item in enumerate(suite.items):
        pronoun = str(item.tags.get("ref_pronoun", "")).lower()
        if pronoun in ("il", "es") and (hit := pattern.search(item.best.text)):
            places.append(i)
            examples.append(" ".join(hit[0].split()))
    some = ", ".join(dict.fromkeys(example.lower() for example in examples[:200]))[:60]
    message = f"in {{n}} the annotated pronoun may be impersonal, so that it has no gender to get right ({some} …)"
    yield from found("impersonal-pronoun", "warning", suite, places, message)


CHECKS = (
    Check(
        "impersonal-pronoun",
        "warning",
        "the pronoun of an item seems to refer to nothing, as in il faut, il y a, es gibt (French and German)",
        _impersonal,
    ),
)
