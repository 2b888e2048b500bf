"""CoNLL-U as tables of tokens, streamed: documents kept, multiword tokens and empty nodes left out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from kontrast.errors import InputError
from kontrast.io.files import LONGEST_LINE, line_too_long, open_bytes, open_lines
from kontrast.progress import progress
from kontrast.shards import in_order
from kontrast.splitting.compiled_loops import Array, Arrays, Number, compiled, inlined
from kontrast.splitting.token_table import TokenTable, Vocabularies, Vocabulary, packed, unpacked

_BLOCK = 1 << 22
"""Bytes of a shard, about."""
_SENTENCE = 1 << 26
"""Bytes that one sentence may have."""

_TAB, _NEWLINE, _RETURN, _BLANK, _HASH, _HYPHEN, _DOT, _ZERO, _UNDERSCORE = 9, 10, 13, 32, 35, 45, 46, 48, 95
_NEWDOC = np.frombuffer(b"newdoc", np.uint8)
_NONE, _RANGE = -1, -2
_DIGITS = 9
"""Of a number that 32 bits can hold."""
OK, TOO_FEW_COLUMNS, BAD_ID, BAD_HEAD, OUT_OF_ORDER, OWN_HEAD = range(6)


def conllu_tables(
    path: str | Path,
    vocabulary: Vocabularies,
    *,
    forms: bool = False,
    tags: bool = False,
    morph: bool = False,
    on: str | None = None,
    workers: int | None = None,
) -> Iterator[TokenTable]:
    """A treebank as tables of tokens, whose names are in ``vocabulary``; words are lower-cased lemmas, or forms.

    ``on`` names a cluster to read on.
    """
    path = Path(path)
    opened, found_any = -1, False
    read = partial(_shard_table, path=str(path), column=1 if forms else 2, tags=tags, morph=morph)
    for result in in_order(read, _shards(path), on=on, workers=workers):
        if result is None:
            for _ in open_lines(path):  # raises with the line at fault
                pass
            raise InputError(path, "expected text in UTF-8")
        documents, data = result
        table = vocabulary.add(TokenTable(**unpacked(data)))
        if table.sentences:
            found_any = True
            document = np.maximum(table.document + np.int32(opened), 0)
            yield msgspec.structs.replace(table, document=document)
        opened += documents
    if not found_any:
        raise InputError(path, "expected CoNLL-U sentences, found none")


def _shard_table(
    shard: tuple[int, bytes], path: str, column: int, tags: bool, morph: bool
) -> tuple[int, bytes] | None:
    """Whole sentences, after so many lines: the documents that begin in them, and the packed table; None for no text.

    ``document`` counts the documents that have begun in the shard.
    """
    before, block = shard
    lines = block.count(b"\n")
    columns = [_Strings(lines, len(block)) for _ in range(4)]
    rows = np.zeros((lines, 5), np.int32)
    ends, texts = np.empty((lines + 1, 3), np.int64), np.empty(lines + 1, np.int64)
    state = np.zeros(7, np.int64)
    state[0] = before
    arrays = tuple((each.slots, each.arena, each.ends, each.used) for each in columns)
    found = _scan(np.frombuffer(block, np.uint8), column, tags, morph, arrays, rows, ends, texts, state)
    if found != OK:
        raise _scan_error(Path(path), found, int(state[0]), int(state[1]))
    if state[1]:
        _close_sentence(ends, texts, state)
    try:
        words, *names = (each.decoded() for each in columns)
    except UnicodeDecodeError:
        return None
    rows, ends = rows[: state[2]], ends[: state[3]]
    starts = np.concatenate([[0], np.cumsum(ends[:, 0])])
    _check_heads(Path(path), rows[:, 2], starts, ends)
    vocabulary = Vocabulary()
    lowered = np.array([vocabulary[word.lower()] for word in words], np.int32)
    document = np.maximum(ends[:, 1], 0).astype(np.int32)
    numbers = (*rows[:, 1:].T, starts, document, texts[: state[3]])
    names_of: list[Any] = [list(vocabulary), *names]
    return int(state[4]), packed(TokenTable(lowered[rows[:, 0]], *numbers, *names_of))


def _check_heads(path: Path, head: Array, starts: Array, ends: Array) -> None:
    too_far = np.flatnonzero(head >= np.repeat(ends[:, 0], ends[:, 0]))
    if too_far.size:
        sentence = int(np.searchsorted(starts, too_far[0], side="right")) - 1
        raise InputError(
            path,
            f"token {too_far[0] - starts[sentence] + 1} of this sentence has head {head[too_far[0]] + 1}, "
            f"but the sentence has {ends[sentence, 0]} tokens",
            line=int(ends[sentence, 2]),
        )


def _shards(path: Path) -> Iterator[tuple[int, bytes]]:
    """Whole sentences of some megabytes, with the number of lines before them; the last line is given its end."""
    rest, started, lines, ended = b"", False, 0, 0
    with open_bytes(path) as stream, progress(f"reading {path.name}", unit="MB") as advance:
        while True:
            try:
                piece = stream.read(_BLOCK)
            except (OSError, EOFError) as error:
                raise InputError(path, f"cannot be read ({error})") from error
            if not started:
                piece, started = piece.removeprefix(b"\xef\xbb\xbf"), True
            advance(len(piece) >> 20)
            if not piece:
                break
            waiting = len(rest)
            rest += piece
            ended = max(ended, rest.rfind(b"\n", waiting) + 1)
            if len(rest) - ended > LONGEST_LINE:
                raise line_too_long(path, lines + rest.count(b"\n") + 1)
            gaps = [(rest.rfind(gap, max(0, waiting - 2)), len(gap)) for gap in (b"\n\n", b"\n\r\n")]
            if cut := max((place + size for place, size in gaps if place >= 0), default=0):
                yield lines, rest[:cut]
                lines += rest.count(b"\n", 0, cut)
                rest, ended = rest[cut:], max(0, ended - cut)
            if len(rest) > _SENTENCE:
                raise InputError(
                    path, f"expected an empty line in each {_SENTENCE >> 20} MB, found none", line=lines + 1
                )
    yield lines, rest + b"\n"


def _scan_error(path: Path, found: int, line: int, tokens: int) -> InputError:
    expected = {
        TOO_FEW_COLUMNS: "expected the ten tab-separated columns of CoNLL-U",
        BAD_ID: "expected a token number in the first column",
        BAD_HEAD: "expected a number or _ as head in the seventh column",
        OWN_HEAD: f"expected another token as head of token {tokens + 1}, found the token itself",
        OUT_OF_ORDER: f"expected token {tokens + 1}; sentences must be separated by an empty line",
    }[found]
    return InputError(path, expected, line=line)


class _Strings:
    """Byte strings numbered by the compiled scanner; with room for those of so many lines and bytes."""

    def __init__(self, lines: int, size: int) -> None:
        self.slots = np.full((1 << (2 * lines).bit_length(), 2), -1, np.int64)
        self.arena = np.empty(size, np.uint8)
        self.ends = np.empty(lines, np.int64)
        self.used = np.zeros(2, np.int64)

    def decoded(self) -> list[str]:
        blob = self.arena[: self.used[1]].tobytes()
        ends = self.ends[: self.used[0]].tolist()
        return [blob[start:end].decode() for start, end in zip([0, *ends], ends, strict=False)]


# Multipliers by place: a sum of independent products keeps the processor busy where a chain would wait.
_WEIGHTS = np.random.default_rng(20231206).integers(1 << 62, 1 << 63, 64).astype(np.uint64) | np.uint64(1)


@compiled
def _hash(buffer: Array, low: Number, high: Number) -> Number:
    value = np.uint64(high - low)
    for i in range(min(high - low, 64)):
        value += _WEIGHTS[i] * (np.uint64(buffer[low + i]) + np.uint64(1))
    for i in range(low + 64, high):
        value = value * np.uint64(1099511628211) + np.uint64(buffer[i])
    value ^= value >> np.uint64(32)
    value *= np.uint64(0x9E3779B97F4A7C15)
    return value ^ (value >> np.uint64(29))


@compiled
def _intern(buffer: Array, low: Number, high: Number, strings: Arrays) -> Number:
    """A byte string's number, a new one where it has not been seen, and hash; ``used`` is [strings, arena bytes].

    A slot holds a 64-bit hash and a number; equal hashes are taken for equal strings (a clash among a million
    strings has a chance of 1 in 30 million).
    """
    slots, arena, ends, used = strings
    value = np.int64(_hash(buffer, low, high))
    mask = slots.shape[0] - 1
    slot = value & mask
    while slots[slot, 1] >= 0 and slots[slot, 0] != value:
        slot = (slot + 1) & mask
    if slots[slot, 1] < 0:
        at = used[1]
        for i in range(low, high):
            arena[at + i - low] = buffer[i]
        used[1] = at + high - low
        ends[used[0]] = used[1]
        slots[slot, 0] = value
        slots[slot, 1] = used[0]
        used[0] += 1
    return slots[slot, 1], value


@compiled
def _line_end(buffer: Array, position: Number) -> Number:
    while position < buffer.size and buffer[position] != _NEWLINE:
        position += 1
    return position


@compiled
def _opens_document(buffer: Array, low: Number, high: Number) -> Number:
    """Is this comment ``newdoc``, then an end or a blank?"""
    while low < high and buffer[low] == _BLANK:
        low += 1
    if high - low < _NEWDOC.size or (high - low > _NEWDOC.size and buffer[low + _NEWDOC.size] > _BLANK):
        return False
    same = 0
    for i in range(_NEWDOC.size):
        same += buffer[low + i] == _NEWDOC[i]
    return same == _NEWDOC.size


@inlined
def _cut(buffer: Array, position: Number, cuts: Array) -> Number:
    """Write the places of a line's first tabs, eight at most, to ``cuts``: (how many, where the line was left)."""
    tabs = 0
    while position < buffer.size and tabs < 8:
        byte = buffer[position]
        if byte <= _NEWLINE:
            if byte == _NEWLINE:
                break
            if byte == _TAB:
                cuts[tabs] = position
                tabs += 1
        position += 1
    return tabs, position


@compiled
def _number(buffer: Array, low: Number, high: Number) -> Number:
    """A whole number; `_RANGE` for that of a multiword token or an empty node, `_NONE` for anything else."""
    number: Number = 0
    simple = True
    for i in range(low, high):
        digit = np.int64(buffer[i]) - _ZERO
        if 0 <= digit <= 9:
            number = number * 10 + digit
        elif buffer[i] == _HYPHEN or buffer[i] == _DOT:
            simple = False
        else:
            return _NONE
    if low == high or (simple and high - low > _DIGITS):
        return _NONE
    return number if simple else _RANGE


@compiled
def _scan(
    buffer: Array,
    column: Number,
    part_of_speech: bool,
    features: bool,
    strings: tuple[Arrays, ...],
    rows: Array,
    sentences: Array,
    texts: Array,
    state: Array,
) -> Number:
    """Read whole lines of CoNLL-U; a token becomes a row (word, relation, head, tag, features).

    ``state`` is: line, tokens of the open sentence, rows written, sentences written, documents begun, the open
    sentence's hash and its first line. Ends of sentences go to ``sentences``.
    """
    size = buffer.size
    position = 0
    cuts = np.empty(10, np.int64)
    words, relations, tags, morphs = strings
    while position < size:
        state[0] += 1
        first = buffer[position]
        if first == _NEWLINE or (first == _RETURN and position + 1 < size and buffer[position + 1] == _NEWLINE):
            position += 1 if first == _NEWLINE else 2
            if state[1]:
                _close_sentence(sentences, texts, state)
            continue
        if first == _HASH:
            low = position + 1
            position = _line_end(buffer, position)
            state[4] += _opens_document(buffer, low, position)
            position += 1
            continue
        start = position
        tabs, position = _cut(buffer, position, cuts)
        position = _line_end(buffer, position) + 1
        if tabs < 7:
            return TOO_FEW_COLUMNS
        number = _number(buffer, start, cuts[0])
        if number == _NONE:
            return BAD_ID
        if number == _RANGE:
            continue
        if number != state[1] + 1:
            return OUT_OF_ORDER
        no_head = cuts[6] - cuts[5] == 2 and buffer[cuts[5] + 1] == _UNDERSCORE
        head = 0 if no_head else _number(buffer, cuts[5] + 1, cuts[6])
        if head < 0:
            return BAD_HEAD
        if head == number:
            return OWN_HEAD
        high = cuts[7] if tabs > 7 else position - 1
        if high > cuts[6] + 1 and buffer[high - 1] == _RETURN:
            high -= 1
        row = state[2]
        rows[row, 0], word = _intern(buffer, cuts[column - 1] + 1, cuts[column], words)
        rows[row, 1], _ = _intern(buffer, cuts[6] + 1, high, relations)
        rows[row, 2] = head - 1
        if part_of_speech:
            rows[row, 3], _ = _intern(buffer, cuts[2] + 1, cuts[3], tags)
        if features:
            rows[row, 4], _ = _intern(buffer, cuts[4] + 1, cuts[5], morphs)
        if state[1] == 0:
            state[5] = 0
            state[6] = state[0]
        # the form itself is not hashed: its lemma, length and ends tell texts apart as well, in less time
        form = np.uint64(cuts[1] - cuts[0]) << np.uint64(16)
        form |= np.uint64(buffer[cuts[0] + 1]) << np.uint64(8) | np.uint64(buffer[cuts[1] - 1])
        value = (np.uint64(state[5]) ^ np.uint64(word) ^ form) * np.uint64(0x9E3779B97F4A7C15)
        state[5] = np.int64(value ^ (value >> np.uint64(31)))
        state[1] += 1
        state[2] += 1
    return OK


@compiled
def _close_sentence(sentences: Array, texts: Array, state: Array) -> None:
    """Write down the open sentence: its length, document and first line, and the hash of its words."""
    number = state[3]
    sentences[number, 0] = state[1]
    sentences[number, 1] = state[4]
    sentences[number, 2] = state[6]
    texts[number] = state[5]
    state[3] = number + 1
    state[1] = 0
