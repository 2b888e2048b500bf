"""Words that are each other's nearest in a multilingual encoder's space: SimAlign (Jalili Sabet et al. 2020)."""

from collections.abc import Iterable, Iterator
from typing import Any

from kontrast.errors import KontrastError, MissingExtraError
from kontrast.language.alignment import Links, Span, spans

LAYER = 8
"""The hidden layer whose vectors serve best in the published comparison; the last one where there are fewer."""


class Embedding:
    """Any encoder of transformers, by hub name or folder; useful only if it was trained on both languages."""

    name = "embedding"

    def __init__(self, model: str) -> None:
        try:
            import torch
            from transformers import AutoModel, AutoTokenizer
        except ImportError as error:
            raise MissingExtraError("hf", "aligning words with an encoder") from error
        try:
            self._tokenizer: Any = AutoTokenizer.from_pretrained(model, trust_remote_code=False)
            self._model: Any = AutoModel.from_pretrained(model, trust_remote_code=False).eval()
        except (OSError, ValueError) as error:
            raise KontrastError(f"the encoder {model!r} is not a folder and cannot be downloaded") from error
        if not self._tokenizer.is_fast:
            raise KontrastError(
                f"the encoder {model!r} has no fast tokenizer, which is needed for the positions of its pieces"
            )
        self._torch: Any = torch

    def align(self, pairs: Iterable[tuple[str, str]]) -> Iterator[Links]:
        for source, target in pairs:
            one, other = self._vectors(source), self._vectors(target)
            if not len(one) or not len(other):
                yield frozenset()
                continue
            similar = one @ other.T
            best, back = similar.argmax(1), similar.argmax(0)
            yield frozenset((i, int(j)) for i, j in enumerate(best) if int(back[j]) == i)

    def _vectors(self, text: str) -> Any:
        words = spans(text)
        packed = self._tokenizer(text, return_offsets_mapping=True, return_tensors="pt", truncation=True)
        offsets = packed.pop("offset_mapping")[0].tolist()
        with self._torch.no_grad():
            layers = self._model(**packed, output_hidden_states=True).hidden_states
        pieces = layers[min(LAYER, len(layers) - 1)][0]
        rows = [self._mean(pieces, offsets, word) for word in words]
        stacked = self._torch.stack(rows) if rows else self._torch.zeros(0, pieces.shape[-1])
        return self._torch.nn.functional.normalize(stacked, dim=-1)

    def _mean(self, pieces: Any, offsets: list[list[int]], word: Span) -> Any:
        inside = [i for i, (start, end) in enumerate(offsets) if start < word.end and end > word.start]
        return pieces[inside].mean(0) if inside else self._torch.zeros(pieces.shape[-1])
