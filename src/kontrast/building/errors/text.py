"""Small changes of a text that keep its typography: case at the sentence start, blanks around a deleted word."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from kontrast.language.annotation import Sentence, Token

Edit = tuple[int, int, str]
"""Characters from start to end become a new text."""
_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"), ("«", "»"), ("„", "“"))
_STOPS = re.compile(r"(?<!\.)\.\.(?!\.)")
_QUOTES = "\"'„“”»«›‹‚‘’([{–—-…*•"


def like(model: str, word: str) -> str:
    """The word with the capitalisation of another.

    >>> like("Die", "der"), like("DIE", "der"), like("die", "der")
    ('Der', 'DER', 'der')
    """
    if len(model) > 1 and model.isupper():
        return word.upper()
    if model[:1].isupper():
        return word[:1].upper() + word[1:]
    return word


def opens_sentence(sentence: Sentence, index: int) -> bool:
    """Is nothing but quotes and dashes before this token, or does it follow a full stop or an opening quote?"""
    before = sentence.text[: sentence.tokens[index].start].rstrip().rstrip(_QUOTES).rstrip()
    return not before or before[-1] in ".!?:"


def replaced_word(token: Token, new: str) -> tuple[int, int, str]:
    """The edit that sets another word in a token's place, in its capitalisation."""
    return token.start, token.end, like(token.text, new)


def deletion(sentence: Sentence, index: int, last: int | None = None) -> list[tuple[int, int, str]]:
    """The edits that take words out, with the blank before them, or after them at the sentence start.

    The next word takes over a capital at the sentence start.

    >>> s = Sentence("Nicht alle.", (Token("Nicht", 0, 5), Token("alle", 6, 10), Token(".", 10, 11)))
    >>> deletion(s, 0)
    [(0, 7, 'A')]
    """
    token, text = sentence.tokens[index], sentence.text
    start, end = token.start, sentence.tokens[index if last is None else last].end
    before = text[start - 1 : start]
    after = text[end : end + 1]
    if before.isspace():
        return [(start - 1, end, "")]
    if after.isspace():
        end += 1
        if token.text[:1].isupper() and end < len(text) and text[end].islower():
            return [(start, end + 1, text[end].upper())]
    return [(start, end, "")]


def all_or_none(edits: Sequence[Edit | None]) -> list[Edit]:
    """The edits, if each of them could be made.

    >>> all_or_none([(0, 1, "a")]), all_or_none([(0, 1, "a"), None])
    ([(0, 1, 'a')], [])
    """
    return [edit for edit in edits if edit] if all(edits) else []


def is_unbalanced(before: str, after: str) -> bool:
    """Does a changed text open or close a bracket or quotation alone, which was a pair before?

    >>> is_unbalanced("mit xz (oder gzip) packen", "packen)"), is_unbalanced("1) eins", "1) zwei")
    (True, False)
    """
    for one, other in _PAIRS:
        if before.count(one) == before.count(other) and after.count(one) != after.count(other):
            return True
    return before.count('"') % 2 == 0 and after.count('"') % 2 == 1


def doubles_stop(before: str, after: str) -> bool:
    """Has a changed text two full stops in a row that it had not before?

    >>> doubles_stop("1000 av. J.-C., quand on vint.", "1000 av. J.-C.."), doubles_stop("Ah ...", "Ah ...")
    (True, False)
    """
    return len(_STOPS.findall(after)) > len(_STOPS.findall(before))


def letters_swapped(name: str) -> Iterator[str]:
    """The name with two neighbouring letters in the other order, wherever they differ; the first stays.

    >>> list(letters_swapped("Anna"))
    ['Anan']
    """
    for k in range(1, len(name) - 1):
        if name[k] != name[k + 1]:
            yield name[:k] + name[k + 1] + name[k] + name[k + 2 :]


def unaccented(word: str) -> str:
    """
    >>> unaccented("vidéo")
    'video'
    """
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
