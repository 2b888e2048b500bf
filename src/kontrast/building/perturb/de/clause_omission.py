"""Omission: one of several sentences or clauses of a segment is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.language.annotation import Sentence

_END = re.compile(r"[.!?:;…][\"“”»«'’)]*$")
_ALWAYS = re.compile(r"[!?;…][\"“”»«'’)]*$")


def _shortened(sentence: Sentence) -> Iterator[Candidate]:
    spans = _segments(sentence)
    if len(spans) < 2:
        return
    for k, (start, end) in enumerate(spans):
        if k == len(spans) - 1:
            start = spans[k - 1][1]
            yield candidate("clause_omission", sentence, [(start, end, "")])
        else:
            yield candidate("clause_omission", sentence, [(start, spans[k + 1][0], "")])


def _segments(sentence: Sentence) -> list[tuple[int, int]]:
    """Start and end of the parts between full stops, colons and semicolons that are followed by a blank."""
    text = sentence.text
    spans: list[tuple[int, int]] = []
    start = 0
    enders = {t.end for t in sentence.tokens if t.text[-1] in ".!?:;…" and (len(t.text) == 1 or set(t.text) <= {"."})}
    for match in re.finditer(r"\s+", text):
        end = match.start()
        stripped = text[:end].rstrip("\"“”»«'’)")
        if not _END.search(text[start:end]) or len(stripped) not in enders or len(text) == match.end():
            continue
        follower = text[match.end()]
        # After a full stop or colon a capital, a figure or a quote begins something new.
        if not _ALWAYS.search(text[start:end]) and follower.islower():
            continue
        spans.append((start, end))
        start = match.end()
    spans.append((start, len(text.rstrip())))
    return spans if all(any(c.isalpha() for c in text[a:b]) for a, b in spans) else []


perturbation = Perturbation(
    name="clause_omission",
    language="de",
    summary="one of several sentences or clauses is left out",
    conditions=(
        "The segment has two or more parts that end in a full stop, question or exclamation mark, colon, semicolon.",
        "Each part is left out in turn, with the blank that parts it from its neighbour.",
        "Full stops of abbreviations (z.B., ca.) and ordinals (am 18. Dezember) part nothing.",
    ),
    examples=(
        Example("Es war spät. Wir gingen.", "Es war spät."),
        Example("Es ist klar: Wir gehen.", "Wir gehen."),
        Example("Am 18. Dezember kam sie.", None),
    ),
    function=_shortened,
)
