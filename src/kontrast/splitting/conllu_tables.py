"""CoNLL-U as tables of tokens, streamed: documents kept, multiword tokens and empty nodes left out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from kontrast.errors import InputError
from kontrast.io.files import LONGEST_LINE, line_too_long, open_bytes, open_lines
from kontrast.progress import progress
from kontrast.splitting.compiled_loops import Array, Arrays, Number, compiled, inlined
from kontrast.splitting.token_table import TokenTable, Vocabularies, joined

_BLOCK = 1 << 20
_TOKENS = 1 << 18
"""Of a table."""

_TAB, _NEWLINE, _RETURN, _BLANK, _HASH, _HYPHEN, _DOT, _ZERO, _UNDERSCORE = 9, 10, 13, 32, 35, 45, 46, 48, 95
_NEWDOC = np.frombuffer(b"newdoc", np.uint8)
_NONE, _RANGE = -1, -2
OK, TOO_FEW_COLUMNS, BAD_ID, BAD_HEAD, OUT_OF_ORDER = range(5)


def conllu_table(path: str | Path, *, forms: bool = False, tags: bool = False, morph: bool = False) -> TokenTable:
    """A treebank as a table of tokens; words are lower-cased lemmas, or forms as asked."""
    vocabulary = Vocabularies()
    [table] = joined(conllu_tables(path, vocabulary, forms=forms, tags=tags, morph=morph))
    return vocabulary.named(table)


def conllu_tables(
    path: str | Path, vocabulary: Vocabularies, *, forms: bool = False, tags: bool = False, morph: bool = False
) -> Iterator[TokenTable]:
    """The same in tables of some hundred thousand tokens, whose names are in ``vocabulary``."""
    path = Path(path)
    columns = {name: _Strings() for name in ("word", "relation", "tag", "morph")}
    lowered = np.zeros(0, np.int32)
    state = np.zeros(7, np.int64)
    state[4] = -1
    tokens: list[Array] = []
    sentences: list[Array] = []
    texts: list[Array] = []
    found_any = False
    for block, last in _blocks(path):
        lines = block.count(b"\n")
        for strings in columns.values():
            strings.make_room(lines, len(block))
        rows = np.zeros((lines, 5), np.int32)
        ends, hashes = np.empty((lines + 1, 3), np.int64), np.empty(lines + 1, np.int64)
        state[2] = state[3] = 0
        buffer = np.frombuffer(block, np.uint8)
        arrays = tuple(strings.arrays for strings in columns.values())
        found = _scan(buffer, 1 if forms else 2, tags, morph, arrays, rows, ends, hashes, state)
        if found != OK:
            raise _scan_error(path, found, int(state[0]), int(state[1]))
        if last and state[1]:
            _close_sentence(ends, hashes, state)
        tokens.append(rows[: state[2]])
        sentences.append(ends[: state[3]])
        texts.append(hashes[: state[3]])
        if not last and sum(map(len, tokens)) < _TOKENS:
            continue
        known = np.concatenate(tokens)
        closed = len(known) - int(state[1])  # the last sentence may go on in the next block
        try:
            new = {name: strings.decoded(vocabulary.count(name) if name != "word" else len(lowered))
                   for name, strings in columns.items()}  # fmt: skip
        except UnicodeDecodeError:
            for _ in open_lines(path):  # raises with the line at fault
                pass
            raise
        numbers = [vocabulary.number("word", word.lower()) for word in new.pop("word")]
        lowered = np.concatenate([lowered, np.array(numbers, np.int32)])
        for name, strings_ in new.items():
            for string in strings_:
                vocabulary.number(name, string)
        if sum(map(len, sentences)):
            found_any = True
            yield _table(path, known[:closed], np.concatenate(sentences), np.concatenate(texts), lowered)
        tokens, sentences, texts = [known[closed:].copy()], [], []
    if not found_any:
        raise InputError(path, "expected CoNLL-U sentences, found none")


def _table(path: Path, rows: Array, ends: Array, texts: Array, lowered: Array) -> TokenTable:
    starts = np.zeros(len(ends) + 1, np.int64)
    np.cumsum(ends[:, 0], out=starts[1:])
    head = np.ascontiguousarray(rows[:, 2])
    too_far = np.flatnonzero(head >= np.repeat(ends[:, 0], ends[:, 0]))
    if too_far.size:
        sentence = int(np.searchsorted(starts, too_far[0], side="right")) - 1
        raise InputError(
            path,
            f"token {too_far[0] - starts[sentence] + 1} of this sentence has head {head[too_far[0]] + 1}, "
            f"but the sentence has {ends[sentence, 0]} tokens",
            line=int(ends[sentence, 2]),
        )
    return TokenTable(
        word=lowered[rows[:, 0]],
        relation=np.ascontiguousarray(rows[:, 1]),
        head=head,
        tag=np.ascontiguousarray(rows[:, 3]),
        morph=np.ascontiguousarray(rows[:, 4]),
        starts=starts,
        document=np.maximum(ends[:, 1], 0).astype(np.int32),
        text=texts,
    )


def _blocks(path: Path) -> Iterator[tuple[bytes, bool]]:
    """Pieces of whole lines, and whether it is the last one; the last line is given its end."""
    rest, started, lines = b"", False, 0
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
            cut = piece.rfind(b"\n") + 1
            if cut:
                yield rest + piece[:cut], False
                rest, lines = piece[cut:], lines + piece.count(b"\n")
            else:
                rest += piece
            if len(rest) > LONGEST_LINE:
                raise line_too_long(path, lines + 1)
    yield rest + b"\n", True


def _scan_error(path: Path, found: int, line: int, tokens: int) -> InputError:
    expected = {
        TOO_FEW_COLUMNS: "expected the ten tab-separated columns of CoNLL-U",
        BAD_ID: "expected a token number in the first column",
        BAD_HEAD: "expected a number or _ as head in the seventh column",
        OUT_OF_ORDER: f"expected token {tokens + 1}; an empty line must stand between sentences",
    }[found]
    return InputError(path, expected, line=line)


class _Strings:
    """Byte strings numbered by the compiled scanner; room for a whole block is made before it is read."""

    def __init__(self) -> None:
        self.slots = np.full((1 << 12, 2), -1, np.int64)
        self.arena = np.empty(1 << 12, np.uint8)
        self.ends = np.empty(1 << 9, np.int64)
        self.used = np.zeros(2, np.int64)

    def make_room(self, strings: int, size: int) -> None:
        count, filled = int(self.used[0]), int(self.used[1])
        if count + strings > len(self.ends):
            self.ends = _grown(self.ends, count, 2 * (count + strings))
        if filled + size > len(self.arena):
            self.arena = _grown(self.arena, filled, 2 * (filled + size))
        if 2 * (count + strings) > len(self.slots):
            self.slots = _larger_slots(self.slots, 1 << (2 * (count + strings) - 1).bit_length())

    @property
    def arrays(self) -> tuple[Array, Array, Array, Array]:
        return self.slots, self.arena, self.ends, self.used

    def decoded(self, first: int = 0) -> list[str]:
        """The strings from the one of that number on."""
        begin = int(self.ends[first - 1]) if first else 0
        blob = self.arena[begin : self.used[1]].tobytes()
        ends = (self.ends[first : self.used[0]] - begin).tolist()
        return [blob[start:end].decode() for start, end in zip([0, *ends], ends, strict=False)]


def _grown(array: Array, used: int, size: int) -> Array:
    larger = np.empty(size, array.dtype)
    larger[:used] = array[:used]
    return larger


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
def _intern(buffer: Array, low: Number, high: Number, slots: Array, arena: Array, ends: Array, used: Array) -> Number:
    """The number of a byte string, a new one where it has not been seen; ``used`` is [strings, arena bytes].

    A slot holds a 64-bit hash and a number; equal hashes are taken for equal strings (a clash among a million
    strings has a chance of 1 in 30 million).
    """
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
    return slots[slot, 1]


@compiled
def _larger_slots(slots: Array, capacity: Number) -> Array:
    """The same strings in a table of more slots (a power of two)."""
    larger = np.full((capacity, 2), -1, np.int64)
    for i in range(slots.shape[0]):
        if slots[i, 1] >= 0:
            slot = slots[i, 0] & (capacity - 1)
            while larger[slot, 1] >= 0:
                slot = (slot + 1) & (capacity - 1)
            larger[slot, 0] = slots[i, 0]
            larger[slot, 1] = slots[i, 1]
    return larger


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
def _token_number(buffer: Array, low: Number, high: Number) -> Number:
    """The number of a token; `_RANGE` for a multiword token or an empty node, `_NONE` for anything else."""
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
    if low == high:
        return _NONE
    return number if simple else _RANGE


@compiled
def _head_number(buffer: Array, low: Number, high: Number) -> Number:
    """The number of the head, 0 for the root or ``_``; `_NONE` where it is not a number."""
    if high - low == 1 and buffer[low] == _UNDERSCORE:
        return 0
    number: Number = 0
    for i in range(low, high):
        digit = np.int64(buffer[i]) - _ZERO
        if digit < 0 or digit > 9:
            return _NONE
        number = number * 10 + digit
    return number if high > low else _NONE


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

    ``state`` goes from block to block: line, tokens of the open sentence, rows written, sentences written,
    document, the open sentence's hash and its first line. Ends of sentences go to ``sentences``.
    """
    size = buffer.size
    position = 0
    cuts = np.empty(10, np.int64)
    words, relations, tags, morphs = strings
    word_slots, word_arena, word_ends, word_used = words
    relation_slots, relation_arena, relation_ends, relation_used = relations
    tag_slots, tag_arena, tag_ends, tag_used = tags
    morph_slots, morph_arena, morph_ends, morph_used = morphs
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
        number = _token_number(buffer, start, cuts[0])
        if number == _NONE:
            return BAD_ID
        if number == _RANGE:
            continue
        if number != state[1] + 1:
            return OUT_OF_ORDER
        head = _head_number(buffer, cuts[5] + 1, cuts[6])
        if head == _NONE:
            return BAD_HEAD
        high = cuts[7] if tabs > 7 else position - 1
        if high > cuts[6] + 1 and buffer[high - 1] == _RETURN:
            high -= 1
        row = state[2]
        rows[row, 0] = _intern(
            buffer, cuts[column - 1] + 1, cuts[column], word_slots, word_arena, word_ends, word_used
        )
        rows[row, 1] = _intern(
            buffer, cuts[6] + 1, high, relation_slots, relation_arena, relation_ends, relation_used
        )
        rows[row, 2] = head - 1
        if part_of_speech:
            rows[row, 3] = _intern(buffer, cuts[2] + 1, cuts[3], tag_slots, tag_arena, tag_ends, tag_used)
        if features:
            rows[row, 4] = _intern(buffer, cuts[4] + 1, cuts[5], morph_slots, morph_arena, morph_ends, morph_used)
        if state[1] == 0:
            state[5] = 0
            state[6] = state[0]
        # the form itself is not hashed: its lemma, length and ends tell texts apart as well, in less time
        form = np.uint64(rows[row, 0]) << np.uint64(32) | np.uint64(cuts[1] - cuts[0]) << np.uint64(16)
        form |= np.uint64(buffer[cuts[0] + 1]) << np.uint64(8) | np.uint64(buffer[cuts[1] - 1])
        value = (np.uint64(state[5]) ^ form) * np.uint64(0x9E3779B97F4A7C15)
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
