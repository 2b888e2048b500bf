"""Names in any language that writes only names with a capital: two of one sentence change places."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from kontrast.building.perturb.perturbation import Candidate, Perturbation, candidate
from kontrast.building.perturb.text import opens_sentence
from kontrast.language.annotation import Sentence
from kontrast.language.words import declared

Span = tuple[int, int]


def perturbation(language: str) -> Perturbation:
    words = declared(language).get("names", {})
    inflected, genitive = bool(words.get("case", False)), bool(words.get("genitive_s", False))

    def same_form(one: str, other: str) -> bool:
        """Names in one case mostly end alike; a genitive with s never stands for a plain name."""
        if inflected:
            return one[-2:] == other[-2:]
        return not genitive or one.endswith("s") == other.endswith("s")

    def swapped(sentence: Sentence) -> Iterator[Candidate]:
        tokens, text = sentence.tokens, sentence.text
        for (a, b), (c, d) in combinations(_names(sentence), 2):
            one, other = text[tokens[a].start : tokens[b].end], text[tokens[c].start : tokens[d].end]
            apart = [token for token in tokens[b + 1 : c] if token.text.isalpha()]
            same_kind = tokens[a].entity == tokens[c].entity and (b - a) == (d - c)
            if one in other or other in one or len(apart) < 2 or not (same_kind and same_form(one, other)):
                continue
            yield candidate(
                "name",
                sentence,
                [(tokens[a].start, tokens[b].end, other), (tokens[c].start, tokens[d].end, one)],
                distance=c - b - 1,
            )

    return Perturbation(
        name="name",
        language=language,
        summary="two names of a sentence change places",
        conditions=(
            "Words with a capital inside the sentence, as many as each other, of one kind where it is known.",
            "Where names are inflected (declared), both end alike.",
            "At least two words lie between: Ana and Luis would say the same.",
        ),
        examples=(),
        function=swapped,
    )


def _names(sentence: Sentence) -> list[Span]:
    found: list[Span] = []
    for i, token in enumerate(sentence.tokens):
        if not token.text[:1].isupper() or not token.text.isalpha() or len(token.text) < 3 or token.text.isupper():
            continue
        if opens_sentence(sentence, i):
            continue
        joined = found and found[-1][1] == i - 1 and sentence.tokens[i - 1].end + 1 == token.start
        if joined:
            found[-1] = (found[-1][0], i)
        else:
            found.append((i, i))
    return found
