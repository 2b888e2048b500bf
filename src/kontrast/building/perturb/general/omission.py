"""Omission in any language: a clause between commas, or a prepositional phrase where there is a tree, is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kontrast.building.perturb.perturbation import Candidate, Perturbation, candidate
from kontrast.building.perturb.text import deletion
from kontrast.language.annotation import Sentence, Token
from kontrast.language.words import declared

_PART = re.compile(r",\s+([^,;:()«»„”“\"—–]+)(?=([,.!?]))")
_SHORTEST, _LONGEST = 3, 15


def perturbation(language: str) -> Perturbation:
    words_of = declared(language).get("clauses", {})
    adjuncts = frozenset(words_of.get("adjuncts", ()))
    openers, function_words = frozenset(words_of.get("openers", ())), frozenset(words_of.get("function_words", ()))

    def opens_clause(words: list[str]) -> bool:
        return words[0] in openers or (words[0] in function_words and words[1] in openers)

    def shortened(sentence: Sentence) -> Iterator[Candidate]:
        for found in _PART.finditer(sentence.text):
            words = re.findall(r"\w+", found[1].lower())
            if not (_SHORTEST <= len(words) <= _LONGEST) or not opens_clause(words) or _is_number(sentence, found):
                continue
            # The comma behind goes too: The man, who came, left.
            end = found.end() + (found[2] == ",")
            yield candidate("omission", sentence, [(found.start(), end, "")])
        yield from _phrases(sentence, adjuncts, openers)

    return Perturbation(
        name="omission",
        language=language,
        summary="a clause or a prepositional phrase is left out",
        conditions=(
            "A part between commas, or from a comma to the end, that begins with a declared word (who, because …).",
            "With a tree: an adverbial of two to eight words with a preposition, no clause; where the language "
            "declares them, with a preposition that verbs do not ask for (pendant, depuis, avec).",
        ),
        examples=(),
        function=shortened,
    )


def _is_number(sentence: Sentence, found: re.Match[str]) -> bool:
    return sentence.text[found.end() - 1].isdigit() and sentence.text[found.end() + 1 : found.end() + 2].isdigit()


def _phrases(sentence: Sentence, adjuncts: frozenset[str], openers: frozenset[str]) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        if token.relation.split(":")[0] != "obl" or token.relation == "obl:agent" or i == 0:
            continue
        if not any(sentence.tokens[c].relation == "case" for c in sentence.children(i)):
            continue
        inside = _subtree(sentence, i)
        first, last = min(inside), max(inside)
        low = [sentence.tokens[k].text.lower() for k in sorted(inside)]
        if (adjuncts and low[0] not in adjuncts) or any(_is_clausal(sentence.tokens[k], openers) for k in inside):
            continue
        if first > 0 and 2 <= len(inside) <= 8 and last - first + 1 == len(inside):
            yield candidate("omission", sentence, deletion(sentence, first, last))


def _is_clausal(token: Token, openers: frozenset[str]) -> bool:
    """A relative pronoun or a finite verb: with it a clause would lose its beginning."""
    relative = token.morph.get("PronType") == "Rel" or token.text.lower() in openers
    return relative or token.morph.get("VerbForm") == "Fin"


def _subtree(sentence: Sentence, root: int) -> set[int]:
    found, left = set(), [root]
    while left:
        at = left.pop()
        if at not in found:
            found.add(at)
            left += sentence.children(at)
    return found
