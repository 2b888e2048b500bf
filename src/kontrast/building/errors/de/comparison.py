"""Comparison: *als* and *wie* change places (*größer wie*, *so groß als*)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kontrast.building.errors.spec import Candidate, Example, Perturbation, candidate
from kontrast.building.errors.text import replaced_word
from kontrast.language.annotation import Sentence, Token
from kontrast.language.lexicons.german import adjective_lemma
from kontrast.language.words import lists_of

_LISTS = lists_of("de")
_COMPARATIVES, _EQUAL = frozenset(_LISTS["comparatives"]), frozenset(_LISTS["as_much"])
_REACH = 5


def _swapped(sentence: Sentence) -> Iterator[Candidate]:
    tokens = sentence.tokens
    for i in range(1, len(tokens) - 1):
        before = _phrase(tokens, i)
        equal = any(t.text.lower() in _EQUAL for t in before)
        if tokens[i].text == "als" and before and _is_comparative(before[-1]) and not equal:
            other = "wie"
        elif tokens[i].text == "wie" and equal and len(before) > 1 and not any(map(_is_comparative, before)):
            if before[-1].pos not in ("ADJ", "ADV", "DET", "PRON") or before[-1].text.lower() in _EQUAL:
                continue
            other = "als"
        else:
            continue
        yield candidate("comparison", sentence, [replaced_word(tokens[i], other)], distance=1)


def _phrase(tokens: Sequence[Token], i: int) -> list[Token]:
    """The words before, back to a sign or verb."""
    found: list[Token] = []
    for token in reversed(tokens[max(0, i - _REACH) : i]):
        if token.pos in ("PUNCT", "VERB", "AUX", "CCONJ", "SCONJ", "ADP"):
            break
        found.insert(0, token)
    return found


def _is_comparative(token: Token) -> bool:
    low = token.text
    if low in _COMPARATIVES or token.morph.get("Degree") == "Cmp":
        return True
    if token.pos not in ("ADJ", "ADV") or not low.endswith("er") or not low[:1].islower():
        return False
    lemma = adjective_lemma(low + "e")
    return lemma is not None and lemma != low


perturbation = Perturbation(
    name="comparison",
    language="de",
    summary="wie stands for als behind a comparative, als for wie behind so",
    conditions=(
        "als right behind a comparative (größer, mehr, anders) becomes wie.",
        "wie behind so, ebenso or genauso with an adjective or adverb between becomes als.",
    ),
    examples=(
        Example("Er ist größer als sein Bruder.", "Er ist größer wie sein Bruder."),
        Example("Sie ist so groß wie ihr Bruder.", "Sie ist so groß als ihr Bruder."),
        Example("Er arbeitete als Koch.", None),
    ),
    function=_swapped,
)
