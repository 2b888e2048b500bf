"""Comparison: *als* and *wie* change places (*größer wie*, *so groß als*)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import replaced_word
from kontrast.language.annotation import Sentence, Token
from kontrast.language.lexicons.german import adjective_lemma

_COMPARATIVES = frozenset("mehr weniger besser lieber anders".split())
_ROLES = frozenset("später früher eher bekannter".split())
"""Words behind which als may name what somebody is: arbeitete später als Koch."""
_EQUAL = frozenset("so ebenso genauso geradeso".split())
_AS_CONJUNCTION = frozenset("lange bald weit oft gut viel".split())
"""*so lange wie Sie warten*, *so gut wie fertig*: so … als was said of these, or it is no comparison."""
_NAMING = frozenset("bekannt angesehen betrachtet bezeichnet behandelt".split())
_REACH = 5


def _swapped(sentence: Sentence) -> Iterator[Candidate]:
    tokens = sentence.tokens
    for i in range(1, len(tokens) - 1):
        low = tokens[i].text
        if low not in ("als", "wie") or tokens[i + 1].text.lower() in ("auch", "ob", "nur"):
            continue
        after = {token.text.lower() for token in tokens[i + 1 : i + 8]}
        if any(word.startswith("mögl") for word in after) or after & _NAMING:
            continue  # so viel als möglich; besser als Säbelzahntiger bekannt
        before = _phrase(tokens, i)
        if low == "als" and before and _is_comparative(before[-1]) and not _has(before, _EQUAL):
            other = "wie"
        elif low == "wie" and _has(before, _EQUAL) and before[-1].pos in ("ADJ", "ADV", "DET", "PRON"):
            if len(before) < 2 or before[-1].text.lower() in _EQUAL or any(map(_is_comparative, before)):
                continue
            other = "als"
        else:
            continue
        # so viel als erlaubt, so bald als möglich, so lange als Sie warten: said too
        weak = other == "als" and (tokens[i + 1].tag in ("VVPP", "ADJD") or tokens[i + 1].pos == "ADJ")
        weak = weak or (other == "als" and before[-1].text.lower() in _AS_CONJUNCTION)
        yield candidate("comparison", sentence, [replaced_word(tokens[i], other)], distance=1, weak=weak)


def _phrase(tokens: Sequence[Token], i: int) -> list[Token]:
    """The words before, back to a sign or verb."""
    found: list[Token] = []
    for token in reversed(tokens[max(0, i - _REACH) : i]):
        if token.pos in ("PUNCT", "VERB", "AUX", "CCONJ", "SCONJ", "ADP"):
            break
        found.insert(0, token)
    return found


def _has(words: list[Token], wanted: frozenset[str]) -> bool:
    return any(word.text.lower() in wanted for word in words)


def _is_comparative(token: Token) -> bool:
    low = token.text
    if low in _ROLES:
        return False
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
        "als right behind a comparative (größer, mehr, anders) becomes wie; not behind später, früher, eher.",
        "wie behind so, ebenso or genauso with an adjective or adverb between becomes als; not with möglich.",
        "Weak, so never chosen: before an adjective or participle (so viel als erlaubt), and behind so lange, so "
        "bald, so weit, so oft, so gut, so viel.",
    ),
    examples=(
        Example("Er ist größer als sein Bruder.", "Er ist größer wie sein Bruder."),
        Example("Sie ist so groß wie ihr Bruder.", "Sie ist so groß als ihr Bruder."),
        Example("Er arbeitete später als Koch.", None),
    ),
    function=_swapped,
)
