"""A small word becomes another with another meaning: *immer*, *manchmal*; *nach*, *vor*; *viele*, *wenige*."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.checks.english import times_said
from kontrast.building.errors.spec import Candidate, Maker, candidate
from kontrast.building.errors.text import replaced_word
from kontrast.language.annotation import Sentence, Token
from kontrast.language.words import declared

_DEGREES = ("ADV", "PART")


def function_word(language: str) -> Maker:
    words = declared(language).get("small_words", {})
    rows: list[list[str]] = words.get("swaps", [])
    english = {(word, pos): said for word, pos, _, *said in rows}
    new = {(word, pos): other for word, pos, other, *_ in rows}
    fixed, correlated = (frozenset(words.get(name, ())) for name in ("fixed", "correlated"))

    def changed(sentence: Sentence) -> Iterator[Candidate]:
        tokens, source = sentence.tokens, sentence.source
        low = [token.text.lower() for token in tokens]
        for i, token in enumerate(tokens) if source else ():
            row = low[i], token.pos
            if row not in new or low.count(low[i]) > 1 or new[row] in low or times_said(source, english[row]) != 1:
                continue
            other = english.get((new[row], token.pos), ())
            before, behind = tokens[max(i - 1, 0)], tokens[i + 1] if i + 1 < len(tokens) else token
            idiom = any(t.text.lower() in fixed for t in (before, behind))
            # wenn …, dann; non seulement …, mais
            paired = token.pos in ("SCONJ", "CCONJ") and not correlated.isdisjoint(low)
            if not (times_said(source, other) or idiom or paired or _is_bound(token, before, behind)):
                yield candidate("function_word", sentence, [replaced_word(token, new[row])])

    return changed


def _is_bound(token: Token, before: Token, behind: Token) -> bool:
    """Would a word beside it not go with the new one: *sehr oft*, *fast alle*, *alle guten*, *er stellt ihr nach*?"""
    if token.pos == "ADV":
        return before.pos in _DEGREES or behind.pos in _DEGREES
    if token.pos == "DET":
        return behind.pos != "NOUN" or before.pos in (*_DEGREES, "PRON")
    # assiégèrent la ville, mais furent repoussés: the subject is that of the clause before
    return behind is token or behind.pos in ("PUNCT", "SCONJ") or (token.pos == "CCONJ" and behind.is_finite)
