"""Technical words of tables and pages, each explained in a line: a legend on the terminal, a hint on the page."""

import re
from collections.abc import Iterator

TERMS = {
    "interval": "where the true value lies in 95 of 100 such experiments",
    "jackknife": "an interval or test that leaves out one document at a time and sees how far the result moves",
    "Wilson": "an interval for a share of independent items",
    "Holm": "p-values made stricter, because many groups are tested at once",
    "mdd": "minimum detectable difference: what a suite of this size finds in 80 of 100 cases",
    "odds": "items that only b gets right for each one that only a gets right",
    "chance": "what guessing gets",
    "majority": "what always taking the most frequent form gets",
    "mean by group": "the mean over groups, each group counted alike",
    "ties": "items on which right and wrong have the same score",
    "margin": "how far the right variant is ahead of its best rival, in the units of the score",
    "McNemar": "a test on the items that only one system gets right, taken as independent",
    "permutation": "a test that exchanges the systems at random, document by document",
    "CXMI": "how many bits the context makes the right translation more likely; below 0: less likely",
    "deciding words": "the words in which the variants of an item differ",
    "bits": "a unit of log-probability: one bit more is twice as likely",
}
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
