"""From chains of mentions to ranked antecedents: what every resolver that gives chains shares."""

from __future__ import annotations

from collections.abc import Sequence

from kontrast.language.annotation import Sentence
from kontrast.language.coreference import Antecedent

Chain = Sequence[tuple[int, int, int]]
"""Mentions of one thing: (sentence, start, end) in characters of the sentence."""


def from_chains(
    chains: Sequence[Chain], sentences: Sequence[Sentence], sentence: int, token: int
) -> list[Antecedent]:
    """The nouns before the pronoun in its chain, the nearest first."""
    pronoun = sentences[sentence].tokens[token]
    place = (sentence, pronoun.start, pronoun.end)
    chain = next((c for c in chains if any(tuple(m) == place for m in c)), ())
    before = sorted((m for m in chain if (m[0], m[1]) < place[:2]), reverse=True)
    found = []
    for rank, (number, start, end) in enumerate(before):
        inside = [i for i, w in enumerate(sentences[number].tokens) if start <= w.start and w.end <= end]
        # The head of a mention is governed from outside it.
        heads = [i for i in inside if sentences[number].tokens[i].head not in inside]
        nouns = [i for i in heads if sentences[number].tokens[i].pos in ("NOUN", "PROPN")]
        found += [Antecedent(number, i, float(-rank)) for i in nouns[:1]]
    return found
