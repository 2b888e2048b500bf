"""What the errors of negation share: the sentence around a word, questions, words that go with a negation."""

from __future__ import annotations

from kontrast.building.perturb.de.grammar import finite_verbs
from kontrast.language.annotation import Sentence

__all__ = ["NEGATIVE", "asks_yes_or_no", "companions", "corrected", "is_fragment", "part_around"]

NEGATIVE = frozenset(
    "nicht kein keine keinen keinem keiner keines keins nie niemals niemand niemandem niemanden nichts kaum weder "
    "nirgends nirgendwo nirgendwohin nirgendwoher keineswegs keinesfalls".split(" ")
)
_LEFT = frozenset(("noch", "gar", "überhaupt", "absolut"))
_RIGHT = frozenset(("mehr", "einmal", "mal"))


def part_around(sentence: Sentence, index: int) -> range:
    """The tokens of the sentence that this word is in, where a text has several."""
    tokens = sentence.tokens
    start, end = index, index
    while start > 0 and tokens[start - 1].text not in (".", "!", "?", ":"):
        start -= 1
    while end < len(tokens) - 1 and tokens[end].text not in (".", "!", "?"):
        end += 1
    return range(start, end + 1)


def asks_yes_or_no(sentence: Sentence, index: int) -> bool:
    """Is the word in a question with the verb first? *Ist das nicht schön?* asks what *Ist das schön?* asks."""
    part = part_around(sentence, index)
    if sentence.tokens[part[-1]].text != "?":
        return False
    tokens = sentence.tokens
    words = (i for i in part if tokens[i].pos not in ("PUNCT", "CCONJ", "INTJ") and tokens[i].text[0].isalnum())
    return next(words, None) in set(finite_verbs(sentence))


def is_fragment(sentence: Sentence, index: int) -> bool:
    """Has the word's sentence no finite verb and three words at most (*Noch nicht.*)?"""
    part = part_around(sentence, index)
    words = [i for i in part if sentence.tokens[i].pos != "PUNCT"]
    return len(words) <= 3 and not any(i in part for i in finite_verbs(sentence))


def corrected(sentence: Sentence, index: int) -> bool:
    """Does *sondern* follow, which needs this negation?"""
    for i in part_around(sentence, index):
        if i > index and sentence.tokens[i].text.lower() in NEGATIVE:
            return False
        if i > index and sentence.tokens[i].text.lower() == "sondern":
            return True
    return False


def companions(sentence: Sentence, index: int) -> tuple[int, int]:
    """The first and last of the words that make one negation with this: *gar nicht*, *noch kein*, *nicht mehr*."""
    words = [t.text.lower() for t in sentence.tokens]
    first = last = index
    while first > 0 and (
        words[first - 1] in _LEFT
        or (words[first - 1] == "immer" and words[first] == "noch")
        or (words[first - 1] == "lange" and first > 1 and words[first - 2] == "noch")
    ):
        first -= 1
    while last + 1 < len(words) and words[last + 1] in _RIGHT and words[last + 2 : last + 3] != ["als"]:
        last += 1
    return first, last
