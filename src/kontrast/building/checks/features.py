"""What can be said of a candidate by name: its place, its clause, its sentence, its source. The judge weighs these.

A feature is a short identifier, such as ``clause.no_verb``. Names are stable: a learnt weight belongs to each.
Nothing here knows a language; an error adds what only it can tell (`Candidate.features`, with ``own.`` before it).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kontrast.building.errors.registry import language_of
from kontrast.building.errors.spec import Candidate
from kontrast.building.errors.text import doubles_stop, is_unbalanced
from kontrast.language.annotation import Sentence, Token

_SIGNS = frozenset(',;:.!?()[]–—…"„“”»«')
_STOPS = frozenset(".!?…")
_CODE = re.compile(r"[<>{}\\_=%|~@#]|\w/\w|\w\(|--?\w+=|\)[;:]")
_LONG, _FEW = 26, 3


def features(sentence: Sentence, candidate: Candidate) -> list[str]:
    """The features of a candidate, each once.

    >>> from kontrast.building.errors.spec import candidate
    >>> words = (Token("Sie", 0, 3, pos="PRON"), Token("lacht", 4, 9, pos="VERB"), Token("nicht", 10, 15, pos="PART"))
    >>> sentence = Sentence("Sie lacht nicht.", words)
    >>> features(sentence, candidate(sentence, [(9, 15, "")], features=("ends_clause",)))
    ['own.ends_clause', 'source.absent', 'change.last', 'clause.no_verb', 'clause.short']
    """
    tokens = sentence.tokens
    places = [i for i, t in enumerate(tokens) if any(e.start < t.end and t.start < e.end for e in candidate.edits)]
    found = [*(f"own.{name}" for name in candidate.features), _source(sentence, candidate)]
    if tokens:
        found += _true(_place(tokens, places or [_inserted(tokens, candidate.edits[0].start)]))
        found += _true(_whole(sentence))
    return list(dict.fromkeys(found))


def foil_flaws(text: str, foil: str, language: str) -> tuple[str, ...]:
    """Whether the foil has a second error: a bracket left alone, two full stops, an elision not made.

    >>> foil_flaws("mit xz (oder gzip) packen", "packen)", "de")
    ('foil.unbalanced',)
    """
    own = language_of(language)
    said = {
        "foil.unbalanced": is_unbalanced(text, foil),
        "foil.double_stop": doubles_stop(text, foil),
        "foil.open_end": foil.rstrip()[-1:] in ":;," and text.rstrip()[-1:] not in ":;,",
        "foil.small_start": foil[:1].islower() and not text[:1].islower(),
        "foil.misformed": own is not None and own.is_misformed is not None and own.is_misformed(text, foil),
    }
    return tuple(_true(said))


def _true(said: dict[str, bool]) -> Iterator[str]:
    return (name for name, true in said.items() if true)


def _inserted(tokens: tuple[Token, ...], place: int) -> int:
    """The word before which, or within which, something is put in."""
    return next((i for i, t in enumerate(tokens) if t.end > place), max(len(tokens) - 1, 0))


def _source(sentence: Sentence, candidate: Candidate) -> str:
    """What the source says, where there is one and it was looked at."""
    if not sentence.source.strip():
        return "source.absent"
    return {None: "source.silent", True: "source.open", False: "source.decides"}[candidate.needs_context]


def _place(tokens: tuple[Token, ...], places: list[int]) -> dict[str, bool]:
    """Where the change is in its clause, the words between two signs, and of which kind that is."""
    first, last = places[0], places[-1]
    start, end = first, last
    while start and tokens[start - 1].text not in _SIGNS:
        start -= 1
    while end + 1 < len(tokens) and tokens[end + 1].text not in _SIGNS:
        end += 1
    closed = tokens[end + 1].text if end + 1 < len(tokens) else ""
    inside = tokens[start : end + 1]
    verbs = sum(t.is_finite for t in inside)
    capital = first > 0 and tokens[first].text[:1].isupper()
    return {
        "change.first": first == start,
        "change.last": last == end,
        "change.capital_inside": capital and tokens[first - 1].text not in _STOPS,
        "clause.no_verb": not verbs,
        "clause.two_verbs": verbs > 1,
        "clause.subordinate": any(t.pos == "SCONJ" or t.morph.get("PronType") == "Rel" for t in inside[:3]),
        "clause.joined": any(t.pos == "CCONJ" for t in inside),
        "clause.before_colon": closed == ":",
        "clause.asks": closed == "?",
        "clause.short": len(inside) <= _FEW,
    }


def _whole(sentence: Sentence) -> dict[str, bool]:
    """The sentence: its length, how it begins and ends, what stands in it beside words."""
    tokens, text = sentence.tokens, sentence.text.strip("\"„“”»«' ()")
    return {
        "sentence.long": len(tokens) > _LONG,
        "sentence.unfinished": text[-1:] not in ".!?…",
        "sentence.small_start": text[:1].islower(),
        "sentence.several": any(t.text in _STOPS for t in tokens[:-2]),
        "sentence.colon": any(t.text == ":" for t in tokens),
        "sentence.code": _CODE.search(text) is not None,
    }
