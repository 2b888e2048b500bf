"""How often words occur in a training text: counted from any plain file, streamed, packed or not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from kontrast.io.files import open_lines
from kontrast.progress import progress

_WORD = re.compile(r"\w+(?:[-'’]\w+)*")


class Frequencies:
    """Counts of words; a word that never occurs has 0. Cased: *Die* at a sentence start is not *die*."""

    def __init__(self, counts: Counter[str]) -> None:
        self._counts = counts

    def __getitem__(self, word: str) -> int:
        return self._counts.get(word, 0)

    def __len__(self) -> int:
        return len(self._counts)

    @classmethod
    def read(cls, *paths: str | Path) -> Frequencies:
        """Count the words of training files (one sentence per line; .gz and .zst are unpacked)."""
        counts: Counter[str] = Counter()
        with progress("counting words", None, "lines") as advance:
            for path in paths:
                for line in open_lines(path):
                    counts.update(_WORD.findall(line))
                    advance(1)
        return cls(counts)


def count_words(lines: Iterable[str]) -> Frequencies:
    """Counts of the words in lines."""
    counts: Counter[str] = Counter()
    for line in lines:
        counts.update(_WORD.findall(line))
    return Frequencies(counts)
