"""Word order in any language: a preposition or article and the word after it change places."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.perturb.perturbation import Candidate, Perturbation, candidate
from kontrast.building.perturb.text import like
from kontrast.language.annotation import Sentence
from kontrast.language.words import declared


def perturbation(language: str) -> Perturbation:
    function_words = frozenset(declared(language).get("clauses", {}).get("function_words", ()))

    def swapped(sentence: Sentence) -> Iterator[Candidate]:
        tokens = sentence.tokens
        for i in range(1, len(tokens) - 1):
            one, other = tokens[i], tokens[i + 1]
            if one.text not in function_words or not other.text.isalpha() or other.text.lower() in function_words:
                continue
            if one.end + 1 != other.start or not tokens[i - 1].text.isalpha() or len(other.text) < 4:
                continue
            edits = [(one.start, one.end, other.text), (other.start, other.end, like("x", one.text))]
            yield candidate("word_order", sentence, edits)

    return Perturbation(
        name="word_order",
        language=language,
        summary="a preposition or article and the word after it change places",
        conditions=("Both stand inside the sentence; the function words are those that the language declares.",),
        examples=(),
        function=swapped,
    )
