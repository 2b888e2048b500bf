"""A small word becomes another with another meaning: *immer*, *manchmal*; *nach*, *vor*; *viele*, *wenige*."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.checks.english import times_said
from kontrast.building.errors.spec import Candidate, Maker, candidate
from kontrast.building.errors.text import replaced_word
from kontrast.language.annotation import Sentence
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
            beside = [tokens[k] for k in (i - 1, i + 1) if 0 <= k < len(tokens)]
            graded = token.pos == "ADV" and any(t.pos in _DEGREES for t in beside)
            # alle Leute; not *sie alle*, nor *alle guten*, whose ending would change
            bare = token.pos == "DET" and (i + 1 == len(tokens) or tokens[i + 1].pos != "NOUN")
            paired = token.pos == "SCONJ" and not correlated.isdisjoint(low)  # wenn …, dann
            paired |= token.pos == "CCONJ" and tokens[i + 1].pos == "SCONJ" if i + 1 < len(tokens) else False
            idiom = any(t.text.lower() in fixed for t in beside)
            if not (times_said(source, other) or graded or bare or paired or idiom):
                yield candidate("function_word", sentence, [replaced_word(token, new[row])])

    return changed
