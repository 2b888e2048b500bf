"""How often words occur in a training text. Cased: *Die* at a sentence start is not *die*."""

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from kontrast.io.files import open_lines
from kontrast.progress import progress

Frequencies = Counter[str]

_WORD = re.compile(r"\w+(?:[-'’]\w+)*")


def count_words(lines: Iterable[str]) -> Counter[str]:
    """Counts of the words in lines."""
    counts: Counter[str] = Counter()
    for line in lines:
        counts.update(_WORD.findall(line))
    return counts


def word_frequencies(*paths: str | Path) -> Counter[str]:
    """Counts of the words of training files (one sentence per line; .gz and .zst are unpacked), streamed."""
    counts: Counter[str] = Counter()
    with progress("counting words", None, "lines") as advance:
        for path in paths:
            for line in open_lines(path):
                counts.update(_WORD.findall(line))
                advance(1)
    return counts
