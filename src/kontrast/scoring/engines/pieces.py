"""Pieces of a target and its forced prefix, for engines that are given pieces and give a number for each of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from kontrast.errors import InputError
from kontrast.extras import sentencepiece
from kontrast.scoring.engine import Target
from kontrast.scoring.trie import less_opening, opening_of, shared_start
from kontrast.suites.model import TokenScores


class TargetPieces(NamedTuple):
    """The pieces of prefix and text; the first ``forced`` are read and not summed.

    ``replaced`` are the prefix's own last pieces where one of ``whole`` joins it with the text.
    """

    whole: list[str]
    forced: int
    replaced: list[str]

    @property
    def opening(self) -> list[str]:
        """The forced prefix alone."""
        return [*self.whole[: self.forced], *self.replaced]

    def scores(self, pieces: Sequence[str], values: Sequence[float], alone: Sequence[float] | None) -> TokenScores:
        """What was scored after the forced pieces; ``alone`` are the opening's own values, where a piece joins both.

        >>> TargetPieces(["a", "bc"], 1, ["b"]).scores(["a", "bc", "</s>"], [-1.0, -5.0, -0.5], [-1.0, -3.0])
        TokenScores(tokens=('bc', '</s>'), logprobs=(-2.0, -0.5))
        """
        opening = () if alone is None else alone[self.forced : len(self.opening)]
        return TokenScores(tuple(pieces[self.forced :]), less_opening(values[self.forced :], opening))


def target_pieces(cut: Callable[[str], list[str]], target: Target) -> TargetPieces:
    """A target as pieces.

    >>> target_pieces(str.split, Target("he came", "It rains, "))
    TargetPieces(whole=['It', 'rains,', 'he', 'came'], forced=2, replaced=[])
    """
    whole = cut(target.prefix + target.text)
    opening = cut(opening_of(target.prefix)) if target.prefix else []
    start = shared_start(opening, whole)
    return TargetPieces(whole, start, opening[start:])


def sentence_pieces(path: Path) -> Any:
    """The SentencePiece model of this file."""
    try:
        return sentencepiece.SentencePieceProcessor(model_file=str(path))
    except (OSError, RuntimeError) as error:
        raise InputError(path, f"expected a SentencePiece model ({error})") from error
