"""Word alignments of the training pairs, to show a small model early where to look (Marian: guided alignment)."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

__all__ = ["align", "word_of_piece"]

Pair = tuple[str, str]


def align(pairs: Sequence[Pair]) -> dict[Pair, list[tuple[int, int]]]:
    """Aligned words (places among the words between blanks) of each pair, from a model of word stems.

    Fifty thousand short sentences say more about stems than about forms: six letters, no punctuation.
    """
    import systran_align

    distinct = list(dict.fromkeys(pairs))
    sides = [[[_stem(word) for word in pair[side].split()] for pair in distinct] for side in (0, 1)]
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder, "pairs")
        lines = (f"{' '.join(source)} ||| {' '.join(target)}\n" for source, target in zip(*sides, strict=True))
        text.write_text("".join(lines), encoding="utf-8")
        forward, backward = str(Path(folder, "forward")), str(Path(folder, "backward"))
        systran_align.generate_alignment_probabilities(
            str(text), forward, backward, favor_diagonal=True, optimize_tension=True, variational_bayes=True
        )
        found = systran_align.Aligner(forward, backward).align_batch(*sides)
    return {pair: _links(answer) for pair, answer in zip(distinct, found, strict=True)}


def _links(answer: object) -> list[tuple[int, int]]:
    listed = answer["alignments"] if isinstance(answer, dict) else answer
    return [(int(i), int(j)) for i, j in listed]  # type: ignore[attr-defined]


def _stem(word: str) -> str:
    """A short form of a word that inflections share.

    >>> [_stem(word) for word in ("l'histoire,", "Gesprächen", "--")]
    ['histoi', 'gesprä', '--']
    """
    core = re.sub(r"^\W+|\W+$", "", word.lower())
    core = core.rpartition("'")[2] or core
    return core[:6] or word


def word_of_piece(pieces: Sequence[str]) -> list[int]:
    """For each piece of a segmentation, the place of its word; ``▁`` begins one.

    >>> word_of_piece(["▁Der", "▁Hu", "nd", "."])
    [0, 1, 1, 1]
    """
    places, at = [], -1
    for piece in pieces:
        at += piece.startswith("▁") or at < 0
        places.append(at)
    return places
