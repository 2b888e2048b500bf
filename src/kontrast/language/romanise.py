"""Cyrillic names in Latin letters, as far as it takes to find them in a source."""

from difflib import SequenceMatcher
from functools import lru_cache

_LETTERS = dict(
    zip(
        "абвгґдеєёжзиіїйклмнопрстуфхцчшщъыьэюя",
        "a b v g g d e e o zh z i i i i k l m n o p r s t u f h ts ch sh sh . y . e u a".split(),
        strict=True,
    )
)
_SOUNDS = (
    ("dzh", "j"), ("zh", "j"), ("sch", "sh"), ("ph", "f"), ("ck", "k"), ("th", "t"), ("x", "ks"), ("qu", "kv"),
    ("ce", "se"), ("ci", "si"), ("wh", "v"), ("w", "v"), ("y", "i"), ("ee", "i"), ("oo", "u"),
)  # fmt: skip
_ALIKE = 0.6


def is_cyrillic(word: str) -> bool:
    """
    >>> is_cyrillic("Обама"), is_cyrillic("Obama")
    (True, False)
    """
    return word[:1].lower() in _LETTERS


def romanised(word: str) -> str:
    """
    >>> romanised("Джонсон"), romanised("Мэй")
    ('dzhonson', 'mei')
    """
    return "".join(_LETTERS.get(letter, letter) for letter in word.lower()).replace(".", "")


@lru_cache(maxsize=10_000)
def sounds_alike(cyrillic: str, latin: str) -> bool:
    """Whether a name may be the other in Latin letters."""
    one, other = _folded(romanised(cyrillic)), _folded(latin.lower())
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= _ALIKE


def _folded(word: str) -> str:
    """Spellings of one sound as one; double letters once."""
    for old, new in _SOUNDS:
        word = word.replace(old, new)
    word = word.replace("c", "k")
    return "".join(letter for i, letter in enumerate(word) if letter != word[i - 1 : i])
