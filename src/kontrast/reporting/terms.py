"""Technical words of tables and pages, each explained in a line: a legend on the terminal, a hint on the page."""

import re
from collections.abc import Iterator

from kontrast.judging.wording import explained

TERMS = explained("terms")
_WORDS = re.compile(r"\b(" + "|".join(re.escape(word) for word in sorted(TERMS, key=len, reverse=True)) + r")\b")


def legend(*words: str) -> list[str]:
    """A line that explains each of these words, aligned."""
    width = max(map(len, words))
    return [f"{word:<{width}}  {TERMS[word]}" for word in words]


def parts(text: str) -> Iterator[tuple[str, str]]:
    """A text cut at the words that are explained: each piece with its explanation, or with nothing."""
    for i, piece in enumerate(_WORDS.split(text)):
        if piece:
            yield piece, TERMS[piece] if i % 2 else ""


def used(content: object) -> dict[str, str]:
    """The words that occur in some content, with what they mean."""
    found = set(_WORDS.findall(str(content)))
    return {word: meaning for word, meaning in TERMS.items() if word in found}
