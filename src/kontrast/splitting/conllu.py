"""CoNLL-U, streamed: plain or packed, documents kept, multiword tokens and empty nodes passed over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from kontrast.errors import InputError
from kontrast.io.conllu import read_blocks
from kontrast.io.files import LONGEST_LINE, line_too_long, open_bytes, open_lines
from kontrast.language.annotation import Sentence, Token
from kontrast.progress import progress
from kontrast.splitting.tables import Growing, joined
from kontrast.splitting.tokens import Array, TokenTable

__all__ = ["conllu_sentences", "conllu_tables", "conllu_texts", "read_conllu"]

_BLOCK = 1 << 20
_TOKENS = 1 << 18
"""Of a table."""


class _Strings:
    """Byte strings numbered by the compiled scanner; room for a whole block is made before it is read."""

    def __init__(self) -> None:
        self.slots = np.full((1 << 12, 2), -1, np.int64)
        self.arena = np.empty(1 << 12, np.uint8)
        self.ends = np.empty(1 << 9, np.int64)
        self.used = np.zeros(2, np.int64)

    def make_room(self, strings: int, size: int) -> None:
        from kontrast.splitting.scanning import larger_slots

        count, filled = int(self.used[0]), int(self.used[1])
        if count + strings > len(self.ends):
            self.ends = _grown(self.ends, count, 2 * (count + strings))
        if filled + size > len(self.arena):
            self.arena = _grown(self.arena, filled, 2 * (filled + size))
        if 2 * (count + strings) > len(self.slots):
            self.slots = larger_slots(self.slots, 1 << (2 * (count + strings) - 1).bit_length())

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


def read_conllu(path: str | Path, *, forms: bool = False, tags: bool = False, morph: bool = False) -> TokenTable:
    """A treebank as a table of tokens; words are lower-cased lemmas, or forms as asked."""
    vocabulary = Growing()
    [table] = joined(conllu_tables(path, vocabulary, forms=forms, tags=tags, morph=morph))
    return vocabulary.named(table)


def conllu_tables(
    path: str | Path, vocabulary: Growing, *, forms: bool = False, tags: bool = False, morph: bool = False
) -> Iterator[TokenTable]:
    """The same in tables of some hundred thousand tokens, whose names are in ``vocabulary``."""
    from kontrast.splitting import scanning

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
        arrays: list[Any] = [strings.arrays for strings in columns.values()]
        given = (*arrays, rows, ends, hashes, state)
        found = scanning.scan(buffer, 1 if forms else 2, tags, morph, *given)
        if found != scanning.OK:
            raise _scan_error(path, found, int(state[0]), int(state[1]))
        if last and state[1]:
            scanning.close_sentence(ends, hashes, state)
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
        words=[],
        relations=[],
        tags=[],
        morphs=[],
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
    from kontrast.splitting import scanning

    expected = {
        scanning.TOO_FEW_COLUMNS: "expected the ten tab-separated columns of CoNLL-U",
        scanning.BAD_ID: "expected a token number in the first column",
        scanning.BAD_HEAD: "expected a number or _ as head in the seventh column",
        scanning.OUT_OF_ORDER: f"expected token {tokens + 1}; an empty line must stand between sentences",
    }[found]
    return InputError(path, expected, line=line)


def conllu_texts(path: str | Path) -> list[str]:
    """The ``# text`` of every sentence (or its forms, where that is missing), counted as `read_conllu` counts."""
    return [sentence.text for sentence in conllu_sentences(path)]


def conllu_sentences(path: str | Path) -> Iterator[Sentence]:
    """Sentences one at a time, for functions that look at more than the built-in features do; the slow way."""
    for block in read_blocks(path):
        rows = [row for _, row in block.words]
        if rows:
            yield _sentence((block.text or "").strip() or " ".join(row[1] for row in rows), rows)


def _sentence(text: str, rows: list[list[str]]) -> Sentence:
    tokens, at = [], 0
    for row in rows:
        found = text.find(row[1], at)
        start = found if found >= 0 else at
        at = start + len(row[1])
        morph = dict(pair.split("=", 1) for pair in row[5].split("|") if "=" in pair)
        head = int(row[6]) - 1 if row[6].isascii() and row[6].isdigit() else -1
        tokens.append(Token(row[1], start, at, row[2], row[3], row[4], morph, head, row[7]))
    return Sentence(text, tuple(tokens))
