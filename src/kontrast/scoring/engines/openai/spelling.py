"""Are the tokens of an answer those of the prompt? The whole text is compared, however the server spells it.

Servers write blanks in ways of their own (dropped, ``▁``, ``Ġ``), and the bytes of a letter that is cut across tokens
as ``\\ufffd``, ``<0xE2>``, ``bytes:\\xe2``, letters of the byte alphabet, or not at all. Blanks are left out of the
comparison; a letter that cannot be read must still be accounted for by the tokens that could hold it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache

_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>|\\x([0-9a-f]{2})")
_BLANKS = dict.fromkeys(map(ord, " \t\n\r\v\f\u2581\0"))
_FIRST_TOKEN = 24
"""Bytes of the longest first token that a server may leave out."""


def same_text(tokens: Sequence[str], text: str) -> bool:
    r"""Whether the tokens spell the text, from its first letter to its last.

    >>> same_text(["Das", "\u2581Haus"], "Das Haus"), same_text(["\u0120d", "\u00c3\u00b6"], " d\u00f6")
    (True, True)
    >>> same_text(["\ufffd", "\ufffd", "a"], "\u0436a"), same_text(["\ufffd", "\ufffd", "a"], "\u0436\u0436a")
    (True, False)
    """
    return ends_with(tokens, text, 0)


def ends_with(tokens: Sequence[str], text: str, front: int) -> bool:
    """Whether the tokens spell the text without its first letters, at most ``front`` (blanks do not count)."""
    if "".join(tokens) == text:
        return True
    forms = [text] if text.isascii() else [text, unicodedata.normalize("NFKC", text)]
    return any(_covers(reading, _bare(form), front) for reading in _readings(tokens) for form in forms)


def first_word(text: str) -> int:
    """How many letters the first token of a text may have: those of its first word, within reason.

    >>> first_word("  English: a"), first_word("a" * 99), first_word("")
    (8, 24, 0)
    """
    word = (text.split(None, 1) or [""])[0]
    return len(word.encode("utf-8", "replace")[:_FIRST_TOKEN].decode("utf-8", "ignore"))


def _readings(tokens: Sequence[str]) -> Iterator[str]:
    """The tokens as they are, as compatible letters, with bytes written out, and as letters of the byte alphabet.

    ``\\0`` stands for a token without any letter: what is left where a server drops the bytes of a cut letter.
    """
    plain = "".join(_bare(token) if token else "\0" for token in tokens)
    yield plain
    if not plain.isascii():
        yield unicodedata.normalize("NFKC", plain)
    if _BYTE.search(plain):
        yield _bare(b"".join(map(_from_escapes, tokens)).decode("utf-8", "replace"))
    alphabet = _byte_alphabet()
    if all(letter in alphabet for token in tokens for letter in token):
        packed = bytes(alphabet[letter] for token in tokens for letter in token)
        yield _bare(packed.decode("utf-8", "replace"))


def _covers(said: str, wanted: str, front: int) -> bool:
    """Follow what is said through the text; ``places`` are all that the next part may begin at."""
    places = set(range(min(front, len(wanted)) + 1))
    for part in re.findall("[^\ufffd\0]+|\ufffd+|\0+", said):
        if part[0] in "\ufffd\0":
            dropped = part[0] == "\0"
            places = {end for place in places for end in _hidden(wanted, place, len(part), dropped=dropped)}
        else:
            places = {place + len(part) for place in places if wanted.startswith(part, place)}
    return len(wanted) in places


def _hidden(wanted: str, start: int, count: int, *, dropped: bool) -> Iterator[int]:
    """Where a run of ``count`` that cannot be read may end.

    A letter that is cut across tokens leaves a mark in two of them or more, and no more marks than it has bytes.
    Where bytes are dropped, a readable token beside the run may hold a part of a letter; or the run is no letters at
    all, but blanks or special tokens.
    """
    least = most = 0
    end = start
    while least <= count + dropped:
        if (dropped and end == start) or most >= count:
            yield end
        if end == len(wanted) or wanted[end].isascii():
            return
        least, most = least + 2, most + len(wanted[end].encode("utf-8", "replace"))
        end += 1


def _bare(text: str) -> str:
    return text.translate(_BLANKS)


def _from_escapes(token: str) -> bytes:
    """A token with bytes written out, as bytes.

    >>> _from_escapes("<0xC3>"), _from_escapes("bytes:\\\\xc3\\\\xb6")
    (b'\\xc3', b'\\xc3\\xb6')
    """
    found = b""
    for piece in re.split(r"(<0x[0-9A-Fa-f]{2}>|\\x[0-9a-f]{2})", token.removeprefix("bytes:")):
        byte = _BYTE.fullmatch(piece)
        found += bytes([int(byte[1] or byte[2], 16)]) if byte else piece.encode("utf-8", "replace")
    return found


@cache
def _byte_alphabet() -> dict[str, int]:
    """The letters that byte-level tokenizers write bytes with: printable ones stand for themselves."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    return {chr(byte): byte for byte in plain} | {chr(256 + n): byte for n, byte in enumerate(others)}
