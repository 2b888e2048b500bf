"""TER's number of edits, with the rows of the edit distance shared among shifts and among variants of an item.

The search is Tercom's as sacreBLEU has it: the same limits, the same order of candidates, the same band around the
diagonal, so that the number of edits is the same. Only costs are kept in the rows; operations are read off them when
an alignment is needed, which is once per round and not once per candidate. That is 4.6 times as fast as sacreBLEU's
own search, with the same numbers: `python benchmarks/metrics.py --pairs 1000 --repeats 5 --metric TER`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

MAX_SHIFT_SIZE = 10
MAX_SHIFT_DISTANCE = 50
MAX_CANDIDATES = 1000
BEAM = 25
MAX_ROWS = 20_000
FAR = int(1e16)

Words = list[str]
Row = list[int]


class Edits:
    """Edits that turn translations into one reference.

    >>> edits = Edits("the cat sat on the mat".split())
    >>> edits("on the mat the cat sat".split()), edits("the cat sat".split())
    (1, 3)
    """

    def __init__(self, reference: Words) -> None:
        self.reference = reference
        self.places: dict[str, list[int]] = {}
        for i, word in enumerate(reference):
            self.places.setdefault(word, []).append(i)
        # The band around the diagonal depends on the length, so rows are shared among texts of one length.
        self.tables: dict[int, _Table] = {}

    def __call__(self, words: Words) -> int:
        if not self.reference:
            return len(words)
        table = self.tables.get(len(words))
        if table is None:
            table = self.tables[len(words)] = _Table(self.reference, len(words))
        shifts = checked = 0
        while True:
            gain, shifted, checked = self._best_shift(words, table, checked)
            if checked >= MAX_CANDIDATES or gain <= 0:
                break
            shifts += 1
            words = shifted
        return shifts + table.distance(words)

    def _best_shift(self, words: Words, table: _Table, checked: int) -> tuple[int, Words, int]:
        """(how many edits it saves, the words after it, candidates tried so far)."""
        before = table.distance(words)
        aligned, reference_wrong, wrong = table.alignment(words)
        best: tuple[int, int, int, int, Words] | None = None
        if not any(wrong):
            return 0, words, checked
        for start, target, length in self._common(words):
            if not any(wrong[start : start + length]) or not any(reference_wrong[target : target + length]):
                continue
            if start <= aligned[target] < start + length:
                continue
            last = -1
            for offset in range(-1, length):
                if target + offset == -1:
                    place = 0
                elif target + offset < len(aligned):
                    place = aligned[target + offset] + 1
                else:
                    break
                if place == last:
                    continue
                last = place
                moved = _moved(words, start, length, place)
                candidate = (before - table.distance(moved), length, -start, -place, moved)
                checked += 1
                if best is None or candidate > best:
                    best = candidate
            if checked >= MAX_CANDIDATES:
                break
        return (0, words, checked) if best is None else (best[0], best[4], checked)

    def _common(self, words: Words) -> Iterator[tuple[int, int, int]]:
        """Stretches that both have: (start here, start in the reference, length), each length on its own."""
        reference = self.reference
        for start, word in enumerate(words):
            for target in self.places.get(word, ()):
                if abs(target - start) > MAX_SHIFT_DISTANCE:
                    continue
                most = min(MAX_SHIFT_SIZE, len(words) - start, len(reference) - target)
                for length in range(1, most + 1):
                    if words[start + length - 1] != reference[target + length - 1]:
                        break
                    yield start, target, length


class _Table:
    """Edit distances of texts of one length to the reference; rows of a common beginning are computed once."""

    def __init__(self, reference: Words, length: int) -> None:
        self.reference, self.length = reference, length
        self.first = list(range(len(reference) + 1))
        self.tree: dict[str, Any] = {}
        self.known: dict[tuple[str, ...], int] = {}
        self.rows = 0
        ratio = len(reference) / length if length else 1
        beam = math.ceil(ratio / 2 + BEAM) if ratio / 2 > BEAM else BEAM
        self.bands = []
        for i in range(1, length + 1):
            middle = math.floor(i * ratio)
            end = len(reference) + 1
            self.bands.append((max(0, middle - beam), end if i == length else min(end, middle + beam)))

    def distance(self, words: Words) -> int:
        key = tuple(words)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self._matrix(words)[-1][-1]
        return found

    def _matrix(self, words: Words) -> list[Row]:
        node, matrix = self.tree, [self.first]
        start = 0
        for word in words:
            entry = node.get(word)
            if entry is None:
                break
            node, row = entry
            matrix.append(row)
            start += 1
        keep = self.rows < MAX_ROWS
        for i in range(start, len(words)):
            row = self._row(words[i], matrix[-1], *self.bands[i])
            matrix.append(row)
            if keep:
                below: dict[str, Any] = {}
                node[words[i]] = (below, row)
                node = below
                self.rows += 1
        return matrix

    def _row(self, word: str, above: Row, start: int, end: int) -> Row:
        reference = self.reference
        row = [FAR] * len(above)
        if start == 0:
            left = row[0] = above[0] + 1
            start = 1
        else:
            left = FAR
        diagonal = above[start - 1]
        for j in range(start, end):
            up = above[j]
            cost = diagonal if word == reference[j - 1] else diagonal + 1
            if up < cost:
                # one more than above
                cost = up + 1 if up + 1 < cost else cost
            if left + 1 < cost:
                cost = left + 1
            row[j] = left = cost
            diagonal = up
        return row

    def alignment(self, words: Words) -> tuple[list[int], list[bool], list[bool]]:
        """For each word of the reference the word it stands at, which of the reference's are wrong, which of ours."""
        matrix, reference = self._matrix(words), self.reference
        i, j = len(words), len(reference)
        aligned = [-1] * j
        reference_wrong, wrong = [False] * j, [False] * i
        while i or j:
            here = matrix[i][j]
            if i and j:
                same = words[i - 1] == reference[j - 1]
                if here == matrix[i - 1][j - 1] + (not same):
                    i, j = i - 1, j - 1
                    aligned[j] = i
                    reference_wrong[j] = wrong[i] = not same
                    continue
            if i and here == matrix[i - 1][j] + 1:
                i -= 1
                wrong[i] = True
            else:
                j -= 1
                aligned[j] = i - 1
                reference_wrong[j] = True
        return aligned, reference_wrong, wrong


def _moved(words: Words, start: int, length: int, place: int) -> Words:
    """The stretch taken out and put in before ``place``, as counted before it was taken out."""
    piece, end = words[start : start + length], start + length
    if place < start:
        return words[:place] + piece + words[place:start] + words[end:]
    if place > end:
        return words[:start] + words[end:place] + piece + words[place:]
    return words[:start] + words[end : length + place] + piece + words[length + place :]
