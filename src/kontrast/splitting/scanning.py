"""The inner loops of counting: CoNLL-U bytes to columns of numbers, and numbers to rows of a sparse matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from kontrast.splitting.compiled import compiled, inlined

__all__ = ["close_sentence", "csr_rows", "intern_keys", "join_parts", "larger_slots", "scan"]

Array = np.ndarray[Any, Any]
Arrays = tuple[Array, ...]
Number = Any
"""The compiler finds out which."""

_TAB, _NEWLINE, _RETURN, _BLANK, _HASH, _HYPHEN, _DOT, _ZERO, _UNDERSCORE = 9, 10, 13, 32, 35, 45, 46, 48, 95
_NEWDOC = np.frombuffer(b"newdoc", np.uint8)
_NONE, _RANGE = -1, -2
OK, TOO_FEW_COLUMNS, BAD_ID, BAD_HEAD, OUT_OF_ORDER = range(5)


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
def larger_slots(slots: Array, capacity: Number) -> Array:
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
def scan(
    buffer: Array,
    column: Number,
    part_of_speech: bool,
    features: bool,
    words: Arrays,
    relations: Arrays,
    tags: Arrays,
    morphs: Arrays,
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
                close_sentence(sentences, texts, state)
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
def close_sentence(sentences: Array, texts: Array, state: Array) -> None:
    """Write down the open sentence: its length, document and first line, and the hash of its words."""
    number = state[3]
    sentences[number, 0] = state[1]
    sentences[number, 1] = state[4]
    sentences[number, 2] = state[6]
    texts[number] = state[5]
    state[3] = number + 1
    state[1] = 0


@compiled
def intern_keys(keys: Array) -> tuple[Array, Array]:
    """Number the distinct keys in order of first sight: (number of each key, the distinct keys)."""
    numbers = np.empty(keys.size, np.int32)
    capacity = 1 << 16
    slots = np.full(capacity, -1, np.int32)
    distinct = np.empty(capacity // 2, np.int64)
    count = 0
    for i in range(keys.size):
        key = keys[i]
        slot = _slot(key, capacity)
        while slots[slot] >= 0 and distinct[slots[slot]] != key:
            slot = (slot + 1) & (capacity - 1)
        if slots[slot] < 0:
            slots[slot] = count
            distinct[count] = key
            count += 1
            numbers[i] = count - 1
            if 2 * count >= capacity:
                capacity *= 2
                slots = np.full(capacity, -1, np.int32)
                larger = np.empty(capacity // 2, np.int64)
                larger[:count] = distinct[:count]
                distinct = larger
                for j in range(count):
                    slot = _slot(distinct[j], capacity)
                    while slots[slot] >= 0:
                        slot = (slot + 1) & (capacity - 1)
                    slots[slot] = j
        else:
            numbers[i] = slots[slot]
    return numbers, distinct[:count].copy()


@compiled
def _slot(key: Number, capacity: Number) -> Number:
    value = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64((value ^ (value >> np.uint64(32))) & np.uint64(capacity - 1))


@compiled
def _sort(values: Array, low: Number, high: Number) -> None:
    """Shell's sort in place; numpy's own would triple the time to compile this file."""
    gap = (high - low) // 2
    while gap > 0:
        for i in range(low + gap, high):
            value = values[i]
            j = i - gap
            while j >= low and values[j] > value:
                values[j + gap] = values[j]
                j -= gap
            values[j + gap] = value
        gap = 1 if gap == 2 else gap * 5 // 11


@compiled
def csr_rows(sentence: Array, feature: Array, count: Number) -> Arrays:
    """Pairs of sentence and feature to a sparse matrix: (row starts, features in order, how often each)."""
    starts = np.zeros(count + 1, np.int64)
    for i in range(sentence.size):
        starts[sentence[i] + 1] += 1
    for i in range(count):
        starts[i + 1] += starts[i]
    filled = starts[:-1].copy()
    grouped = np.empty(feature.size, np.int32)
    for i in range(sentence.size):
        grouped[filled[sentence[i]]] = feature[i]
        filled[sentence[i]] += 1
    times = np.empty(feature.size, np.int32)
    written = 0
    for row in range(count):
        low, high = starts[row], starts[row + 1]
        _sort(grouped, low, high)
        starts[row] = written
        for i in range(low, high):
            value = grouped[i]
            if written > starts[row] and grouped[written - 1] == value:
                times[written - 1] += 1
            else:
                grouped[written] = value
                times[written] = 1
                written += 1
    starts[count] = written
    return starts, grouped[:written].copy(), times[:written].copy()


@compiled
def join_parts(parts: Array, arena: Array, starts: Array, ends: Array) -> tuple[Array, Array]:
    """Join strings of the arena by tabs, one line for each row of ``parts``: (bytes, where each line ends)."""
    lines = np.empty(parts.shape[0], np.int64)
    total = 0
    for i in range(parts.shape[0]):
        for j in range(parts.shape[1]):
            total += ends[parts[i, j]] - starts[parts[i, j]] + 1
        lines[i] = total
    blob = np.empty(total, np.uint8)
    at = 0
    for i in range(parts.shape[0]):
        for j in range(parts.shape[1]):
            if j:
                blob[at - 1] = _TAB
            for k in range(starts[parts[i, j]], ends[parts[i, j]]):
                blob[at] = arena[k]
                at += 1
            blob[at] = _NEWLINE
            at += 1
    return blob, lines
