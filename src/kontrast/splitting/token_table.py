"""A parsed corpus as columns of numbers: what every feature is counted from; in one table or in several."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

if TYPE_CHECKING:
    from kontrast.language.annotation import Sentence

Array = np.ndarray[Any, Any]

_COLUMNS = {"word": "words", "relation": "relations", "tag": "tags", "morph": "morphs"}
_NUMBERS = {**dict.fromkeys(("word", "relation", "head", "tag", "morph", "document"), np.int32), "starts": np.int64}
_NUMBERS |= {"text": np.int64}


class Vocabulary:
    """Strings and their numbers, in order of first sight."""

    def __init__(self, strings: Iterable[str] = ()) -> None:
        self._numbers: dict[str, int] = {}
        for string in strings:
            self.number(string)

    def number(self, string: str) -> int:
        return self._numbers.setdefault(string, len(self._numbers))

    @property
    def strings(self) -> list[str]:
        return list(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


class TokenTable(msgspec.Struct, frozen=True):
    """One number per token in each column; ``starts`` says where each sentence begins, and the end of the last.

    ``head`` is the governor's place in the sentence, -1 where there is none. ``document`` and ``text`` (a hash of
    the words) have one number per sentence: they say which sentences belong together.
    """

    word: Array
    relation: Array
    head: Array
    tag: Array
    morph: Array
    starts: Array
    document: Array
    text: Array
    words: list[str] = []
    relations: list[str] = []
    tags: list[str] = []
    morphs: list[str] = []
    frequency: Array | None = None
    """How often each word is in the whole corpus, where the table is a part of it."""

    @property
    def sentences(self) -> int:
        return len(self.starts) - 1

    @property
    def tokens(self) -> int:
        return len(self.word)

    def sentence_of_token(self) -> Array:
        return np.repeat(np.arange(self.sentences, dtype=np.int32), np.diff(self.starts))


def table_from_sentences(
    sentences: Iterable[Sentence], *, forms: bool = False, documents: Iterable[int] | None = None
) -> TokenTable:
    """Annotated sentences of any annotator as a table; ``forms`` takes the words as written instead of lemmas."""
    vocabulary = Vocabularies()
    number = vocabulary.number
    rows: list[tuple[int, int, int, int, int]] = []
    starts, hashes = [0], []
    for sentence in sentences:
        for token in sentence.tokens:
            features = "|".join(f"{name}={value}" for name, value in sorted(token.morph.items())) or "_"
            lemma = number("word", (token.text if forms else token.lemma or token.text).lower())
            label = number("relation", token.relation or ("root" if token.head < 0 else "dep"))
            rows.append((lemma, label, token.head, number("tag", token.pos), number("morph", features)))
        starts.append(len(rows))
        hashes.append(text_hash(" ".join(token.text for token in sentence.tokens)))
    document = np.zeros(len(hashes), np.int32) if documents is None else np.array(list(documents), np.int32)
    word, relation, head, tag, morph = map(np.ascontiguousarray, np.array(rows, np.int32).reshape(-1, 5).T)
    places, texts = np.array(starts, np.int64), np.array(hashes, np.int64)
    return vocabulary.named(TokenTable(word, relation, head, tag, morph, places, document, texts))


def text_hash(text: str) -> int:
    """A number for a text, the same in every process."""
    import hashlib

    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little", signed=True)


class Vocabularies:
    """The vocabularies of a corpus that is read table by table."""

    def __init__(self) -> None:
        self._names = {column: Vocabulary() for column in _COLUMNS}

    def number(self, column: str, name: str) -> int:
        return self._names[column].number(name)

    def count(self, column: str) -> int:
        return len(self._names[column])

    def add(self, table: TokenTable) -> TokenTable:
        """A table with names of its own in the numbers of the whole corpus."""
        columns = {}
        for column, field in _COLUMNS.items():
            own = self._names[column]
            number = np.array([own.number(name) for name in getattr(table, field)], np.int32)
            values = getattr(table, column)
            columns[column] = number[values] if len(number) else values
        empty: dict[str, list[str]] = {field: [] for field in _COLUMNS.values()}
        return msgspec.structs.replace(table, **columns, **empty)

    def named(self, table: TokenTable, frequency: Array | None = None) -> TokenTable:
        """The table with all the names that there are by now."""
        names = {field: self._names[column].strings for column, field in _COLUMNS.items()}
        return msgspec.structs.replace(table, **names, frequency=frequency)


def joined(tables: Iterable[TokenTable], tokens: int | None = None) -> Iterator[TokenTable]:
    """Tables of a corpus put together, each of at least so many tokens; all in one for None."""
    waiting: list[TokenTable] = []
    for table in tables:
        waiting.append(table)
        if tokens is not None and sum(each.tokens for each in waiting) >= tokens:
            yield _concatenated(waiting)
            waiting = []
    if waiting:
        yield _concatenated(waiting)


def _concatenated(tables: list[TokenTable]) -> TokenTable:
    if len(tables) == 1:
        return tables[0]
    names = (*_COLUMNS, "head", "document", "text")
    columns = {name: np.concatenate([getattr(table, name) for table in tables]) for name in names}
    sizes = np.concatenate([np.diff(table.starts) for table in tables])
    return msgspec.structs.replace(tables[0], starts=np.concatenate([[0], np.cumsum(sizes)]), **columns)


class _Packed(msgspec.Struct):
    numbers: dict[str, bytes]
    names: dict[str, list[str]]


def packed(table: TokenTable) -> bytes:
    """The table as bytes."""
    numbers = {name: np.ascontiguousarray(getattr(table, name), kind).tobytes() for name, kind in _NUMBERS.items()}
    return msgspec.msgpack.encode(_Packed(numbers, {field: getattr(table, field) for field in _COLUMNS.values()}))


def unpacked(data: bytes) -> TokenTable:
    """The table that `packed` packed."""
    found = msgspec.msgpack.decode(data, type=_Packed)
    numbers = {name: np.frombuffer(found.numbers[name], kind) for name, kind in _NUMBERS.items()}
    fields: dict[str, Any] = {**numbers, **found.names}
    return TokenTable(**fields)


class TablesOnDisk:
    """Tables in one file, to be walked through again and again."""

    def __init__(self, path: Path, tables: Iterable[TokenTable]) -> None:
        self._path, self._sizes = path, list[int]()
        with open(path, "wb") as out:
            for table in tables:
                self._sizes.append(out.write(packed(table)))

    def __call__(self) -> Iterator[TokenTable]:
        with open(self._path, "rb") as stream:
            for size in self._sizes:
                yield unpacked(stream.read(size))
