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


class Vocabulary(dict[str, int]):
    """The number of each string, in order of first sight."""

    def __missing__(self, string: str) -> int:
        number = self[string] = len(self)
        return number


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
    words, relations, tags, morphs = vocabulary.of.values()
    rows: list[tuple[int, int, int, int, int]] = []
    starts, hashes = [0], []
    for sentence in sentences:
        for token in sentence.tokens:
            features = "|".join(f"{name}={value}" for name, value in sorted(token.morph.items())) or "_"
            lemma = words[(token.text if forms else token.lemma or token.text).lower()]
            label = relations[token.relation or ("root" if token.head < 0 else "dep")]
            rows.append((lemma, label, token.head, tags[token.pos], morphs[features]))
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
        self.of = {column: Vocabulary() for column in _COLUMNS}

    def add(self, table: TokenTable) -> TokenTable:
        """A table with names of its own in the numbers of the whole corpus."""
        columns = {}
        for column, field in _COLUMNS.items():
            own = self.of[column]
            number = np.array([own[name] for name in getattr(table, field)], np.int32)
            values = getattr(table, column)
            columns[column] = number[values] if len(number) else values
        empty: dict[str, list[str]] = {field: [] for field in _COLUMNS.values()}
        return msgspec.structs.replace(table, **columns, **empty)

    def named(self, table: TokenTable, frequency: Array | None = None) -> TokenTable:
        """The table with all the names that there are by now."""
        names = {field: list(self.of[column]) for column, field in _COLUMNS.items()}
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


_encoder = msgspec.msgpack.Encoder(enc_hook=lambda array: msgspec.msgpack.Ext(ord(array.dtype.char), array.tobytes()))
_decoder = msgspec.msgpack.Decoder(ext_hook=lambda kind, data: np.frombuffer(data, chr(kind)))


def packed(record: TokenTable | dict[str, Array]) -> bytes:
    """A record of arrays as bytes."""
    return _encoder.encode(record)


def unpacked(data: bytes) -> dict[str, Any]:
    """The fields of the record that `packed` packed."""
    fields: dict[str, Any] = _decoder.decode(data)
    return fields


class OnDisk:
    """Records of arrays in one file, to be walked through again and again."""

    def __init__(self, path: Path) -> None:
        self._path, self._sizes = path, list[int]()
        path.write_bytes(b"")

    def append(self, record: TokenTable | dict[str, Array]) -> None:
        with open(self._path, "ab") as out:
            self._sizes.append(out.write(packed(record)))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        with open(self._path, "rb") as stream:
            for size in self._sizes:
                yield unpacked(stream.read(size))
