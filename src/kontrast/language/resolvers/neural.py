"""fastcoref (Otmazgin et al. 2022) for those who have its weights: English chains by a neural model."""

from collections.abc import Sequence
from typing import Any

from kontrast.errors import KontrastError
from kontrast.language.annotation import Sentence
from kontrast.language.coreference import Antecedent, from_chains


class FastCoref:
    """The sentences are joined by blanks and its chains cut back to them; the last document is kept."""

    name = "fastcoref"

    def __init__(self, model: str | None = None) -> None:
        try:
            from fastcoref import FCoref
        except ImportError as error:
            raise KontrastError("the resolver fastcoref is not installed: pip install fastcoref") from error
        self._model: Any = FCoref(model) if model else FCoref()
        self._text = ""
        self._chains: list[list[tuple[int, int, int]]] = []

    def antecedents(
        self, document: str, sentences: Sequence[Sentence], sentence: int, token: int
    ) -> list[Antecedent]:
        text = " ".join(s.text for s in sentences)
        if text != self._text:
            starts = [0]
            for s in sentences:
                starts.append(starts[-1] + len(s.text) + 1)
            clusters = self._model.predict(texts=[text])[0].get_clusters(as_strings=False)
            self._chains = [[_placed(span, starts) for span in cluster] for cluster in clusters]
            self._text = text
        return from_chains(self._chains, sentences, sentence, token)


def _placed(span: tuple[int, int], starts: Sequence[int]) -> tuple[int, int, int]:
    number = max(i for i, start in enumerate(starts[:-1]) if start <= span[0])
    return number, span[0] - starts[number], span[1] - starts[number]
