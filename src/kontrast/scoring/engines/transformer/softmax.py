"""Log-probabilities of given tokens from hidden states, without ever holding a row of the vocabulary.

The normaliser is summed tile by tile of the vocabulary, each tile small enough to stay in the cache; the score of
the wanted token is a dot product of its own. A bias enters as a factor of the sum.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kontrast.extras import torch
from kontrast.scoring.engines.transformer.multiplying import linear

Tensor = Any
TILE = 2048
ROWS = 1024


@dataclass(frozen=True)
class Head:
    """The output projection: weight (vocabulary × width), bias, factor on the hidden state, soft cap on the logits.

    ``skip`` is a token left out of the softmax (padding, where the user asks for CTranslate2's numbers).
    """

    weight: Tensor
    bias: Tensor | None = None
    factor: float = 1.0
    cap: float | None = None
    skip: int | None = None

    def logprobs(self, rows: Tensor, places: Tensor, labels: Tensor) -> Tensor:
        """For each (place among ``rows``, label): the log-probability of the label there."""
        if self.factor != 1.0:
            rows = rows * self.factor
        normaliser = torch.cat([self._normaliser(part) for part in rows.split(ROWS)])
        wanted = torch.cat(
            [
                (rows.index_select(0, place).float() * self.weight.index_select(0, label).float()).sum(-1)
                for place, label in zip(places.split(ROWS), labels.split(ROWS), strict=True)
            ]
        )
        if self.cap is not None:
            wanted = torch.tanh(wanted / self.cap) * self.cap
        if self.bias is not None:
            wanted += self.bias.index_select(0, labels).float()
        return wanted - normaliser.index_select(0, places)

    def _normaliser(self, rows: Tensor) -> Tensor:
        """Log of the sum of exponentials; where single precision would overflow, shifted by the maximum."""
        total = self._sum(rows, None)
        unsafe = ~((total > 1e-20) & (total < 1e30))
        result = total.log()
        if unsafe.any():
            bad = rows[unsafe]
            shift = self._maximum(bad)
            result[unsafe] = self._sum(bad, shift).log() + shift
        return result

    def _sum(self, rows: Tensor, shift: Tensor | None) -> Tensor:
        total = torch.zeros(rows.shape[0], device=rows.device)
        factors = None if self.bias is None else self.bias.float().exp()
        for start in range(0, self.weight.shape[0], TILE):
            logits = self._logits(rows, start)
            if shift is not None:
                logits -= shift[:, None]
            logits.exp_()
            if self.skip is not None and start <= self.skip < start + TILE:
                logits[:, self.skip - start] = 0
            if factors is None:
                total += logits.sum(-1)
            else:
                total.addmv_(logits, factors[start : start + TILE])
        return total

    def _maximum(self, rows: Tensor) -> Tensor:
        tiles = range(0, self.weight.shape[0], TILE)
        return torch.stack([self._logits(rows, start).amax(-1) for start in tiles]).amax(0)

    def _logits(self, rows: Tensor, start: int) -> Tensor:
        logits = linear(rows, self.weight[start : start + TILE]).float()
        return logits if self.cap is None else torch.tanh(logits / self.cap) * self.cap
