"""How likely a causal language model holds a text after another: any model of transformers, or a GGUF file of one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from kontrast.errors import KontrastError, MissingExtraError

__all__ = ["CausalModel", "Continuing"]

LONGEST = 160
"""So many pieces before the ends are read."""


class Continuing(Protocol):
    """Whatever tells how likely texts are after another."""

    def after(self, prefix: str, ends: Sequence[Sequence[str]]) -> list[list[float]]:
        """The log probability of each part of each end; the parts of an end follow one another."""
        ...


class CausalModel:
    """A folder or hub name of transformers, or a ``.gguf`` file (which needs the packages gguf and accelerate).

    The prefix is read once for all its ends; the ends are one batch.
    """

    def __init__(self, model: str) -> None:
        try:
            import torch
            from transformers import AutoModelForCausalLM, AutoTokenizer
        except ImportError as error:
            raise MissingExtraError("hf", "asking a language model") from error
        file = Path(model) if model.endswith(".gguf") else None
        place = str(file.parent) if file else model
        packed: dict[str, Any] = {"gguf_file": file.name} if file else {}
        try:
            self._tokenizer: Any = AutoTokenizer.from_pretrained(place, **packed)
            self._model: Any = AutoModelForCausalLM.from_pretrained(place, dtype=torch.float32, **packed).eval()
        except (ImportError, OSError, ValueError) as error:
            raise KontrastError(f"cannot load the language model {model!r}: {str(error).splitlines()[0]}") from error
        self._torch: Any = torch

    def after(self, prefix: str, ends: Sequence[Sequence[str]]) -> list[list[float]]:
        if not ends:
            return []
        torch = self._torch
        read = self._pieces(prefix)[-LONGEST:] or [self._start()]
        parts = [[self._pieces(part) for part in end] for end in ends]
        rows = [[piece for part in end for piece in part] for end in parts]
        width = max(map(len, rows))
        with torch.inference_mode():
            first = self._model(torch.tensor([read]), use_cache=True, logits_to_keep=1)
            past = first.past_key_values
            past.batch_repeat_interleave(len(rows))
            mask = torch.tensor([[1] * (len(read) + len(row)) + [0] * (width - len(row)) for row in rows])
            padded = torch.tensor([row + [0] * (width - len(row)) for row in rows])
            more = self._model(padded, past_key_values=past, attention_mask=mask).logits
            told = torch.cat((first.logits[:, -1:].expand(len(rows), -1, -1), more[:, :-1]), 1)
            chosen = told.gather(2, padded.unsqueeze(2)).squeeze(2) - told.logsumexp(2)
        found = []
        for scores, end in zip(chosen.tolist(), parts, strict=True):
            at, sums = 0, []
            for part in end:
                sums.append(sum(scores[at : at + len(part)]))
                at += len(part)
            found.append(sums)
        return found

    def _pieces(self, text: str) -> list[int]:
        return list(self._tokenizer(text, add_special_tokens=False).input_ids)

    def _start(self) -> int:
        for piece in (self._tokenizer.bos_token_id, self._tokenizer.eos_token_id):
            if piece is not None:
                return int(piece)
        return 0
