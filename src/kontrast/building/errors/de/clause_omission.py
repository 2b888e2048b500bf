"""Omission: one of several sentences or clauses of a segment is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from kontrast.building.errors.de.grammar import LISTS, finite_verbs
from kontrast.building.errors.spec import Candidate, candidate, doubts, flags
from kontrast.language.annotation import Sentence

_OPENING = '"„“»«‚'
_CLOSING = "\"“”»«'’)"
_END = re.compile(rf"[.!?:;…][{_CLOSING}]*$")
_ALWAYS = re.compile(rf"[!?;…][{_CLOSING}]*$")
_SHORT = re.compile(
    r"\b(?:[^\W\d_]|[^\W\d_aeiouyäöü]+|Sra|Tel|Ing|Sal|Mill|Mass|Calif|Inc|Co|Ltd|Rev|Gen)\.$", re.IGNORECASE
)
"""Abbreviations that the tokeniser parts from their stop: v. Chr., z. B., d. h., Tsch."""


class Part(NamedTuple):
    """A sentence, or a clause that a colon or semicolon ends; ``mark`` is its last mark."""

    start: int
    end: int
    mark: str


def clause_omission(sentence: Sentence) -> Iterator[Candidate]:
    clean = _parts(sentence, clean=True)
    for k in range(len(clean)):
        if k and clean[k - 1].mark == ":" and sentence.text[clean[k].start] in _OPENING:
            continue  # Er sagte: „Komm!“: the verb needs it
        edit = _repaired(sentence.text, clean, k)
        yield candidate("clause_omission", sentence, [edit], features=_part_features(sentence, clean, k))
    plain = _parts(sentence, clean=False)
    for k, part in enumerate(plain):
        edit = (plain[k - 1].end, part.end, "") if k == len(plain) - 1 else (part.start, plain[k + 1].start, "")
        yield candidate("clause_omission", sentence, [edit], features=("not_repaired",))


def _part_features(sentence: Sentence, parts: list[Part], k: int) -> tuple[str, ...]:
    before, behind = parts[max(0, k - 1) : k], parts[k + 1 : k + 2]
    said = flags(neighbour_has_no_verb=not all(_has_verb(sentence, p) for p in before + behind))
    label = parts[k].mark == ":" and not _has_verb(sentence, parts[k])
    return said + doubts(label=label, led_in=any(_leads_in(sentence, part) for part in before))


def _leads_in(sentence: Sentence, part: Part) -> bool:
    """*Das Ergebnis war:*, *die folgenden:*: does it end with a verb or a word that needs what comes?"""
    inside = [i for i, t in enumerate(sentence.tokens) if part.start <= t.start < part.end and t.text.isalpha()]
    last = sentence.tokens[inside[-1]] if inside else None
    needs = last is not None and (inside[-1] in finite_verbs(sentence) or last.text.lower() in LISTS["leading_in"])
    return part.mark == ":" and needs


def _has_verb(sentence: Sentence, part: Part) -> bool:
    return any(part.start <= sentence.tokens[i].start < part.end for i in finite_verbs(sentence))


def _repaired(text: str, parts: list[Part], k: int) -> tuple[int, int, str]:
    """The edit that leaves a well-formed text: a full stop for a last colon or semicolon, a capital at the start."""
    part = parts[k]
    if k == len(parts) - 1:
        before = parts[k - 1]
        if before.mark in ":;":
            return before.end - 1, part.end, "." if part.mark in ".!?…" else ""
        return before.end, part.end, ""
    after = parts[k + 1]
    if text[after.start].islower() and (k == 0 or parts[k - 1].mark not in ":;"):
        return part.start, after.start + 1, text[after.start].upper()
    return part.start, after.start, ""


def _parts(sentence: Sentence, *, clean: bool) -> list[Part]:
    """The parts between full stops, colons and semicolons that are followed by a blank; two at least, or none.

    With ``clean`` not at abbreviations, nor where a mark within the sentence is followed by a small letter.
    """
    text = sentence.text
    parts: list[Part] = []
    start = 0
    enders = {t.end for t in sentence.tokens if t.text[-1] in ".!?:;…" and (len(t.text) == 1 or set(t.text) <= {"."})}
    for match in re.finditer(r"\s+", text):
        end = match.start()
        stripped = text[:end].rstrip(_CLOSING)
        if not _END.search(text[start:end]) or len(stripped) not in enders or len(text) == match.end():
            continue
        follower = text[match.end()]
        # After a full stop or colon a capital, a figure or a quote begins something new.
        if follower.islower() and (not _ALWAYS.search(text[start:end]) or (clean and stripped[-1] != ";")):
            continue
        if clean and _SHORT.search(stripped):
            continue
        if clean and stripped[-2:-1].isdigit() and follower.isdigit():
            continue
        parts.append(Part(start, end, "…" if stripped.endswith("..") else stripped[-1]))
        start = match.end()
    end = len(text.rstrip())
    parts.append(Part(start, end, text[:end].rstrip(_CLOSING)[-1:] or "."))
    has_words = all(any(c.isalpha() for c in text[part.start : part.end]) for part in parts)
    return parts if len(parts) > 1 and has_words else []
