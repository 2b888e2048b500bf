"""A parsed corpus as columns of numbers: what every feature is counted from, whoever parsed it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

if TYPE_CHECKING:
    from kontrast.language.annotation import Sentence

__all__ = ["Array", "TokenTable", "Vocabulary", "table_from_sentences", "text_hash"]

Array = np.ndarray[Any, Any]


class Vocabulary:
    """Strings and their numbers, in order of first sight.

    >>> words = Vocabulary()
    >>> [words.number(w) for w in "a b a".split()], words.strings
    ([0, 1, 0], ['a', 'b'])
    """

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
    words: list[str]
    relations: list[str]
    tags: list[str]
    morphs: list[str]
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
    """Annotated sentences of any annotator as a table; ``forms`` takes the words as written instead of lemmas.

    >>> from kontrast.language.annotation import Sentence, Token
    >>> dogs = Token("Dogs", 0, 4, lemma="dog", head=1, relation="nsubj")
    >>> bark = Token("bark", 5, 9, lemma="bark", relation="root")
    >>> table_from_sentences([Sentence("Dogs bark", (dogs, bark))]).words
    ['dog', 'bark']
    """
    words, relations, tags, morphs = Vocabulary(), Vocabulary(), Vocabulary(), Vocabulary()
    rows: list[tuple[int, int, int, int, int]] = []
    starts, hashes = [0], []
    for sentence in sentences:
        for token in sentence.tokens:
            morph = "|".join(f"{name}={value}" for name, value in sorted(token.morph.items())) or "_"
            word = token.text if forms else token.lemma or token.text
            rows.append(
                (
                    words.number(word.lower()),
                    relations.number(token.relation or ("root" if token.head < 0 else "dep")),
                    token.head,
                    tags.number(token.pos),
                    morphs.number(morph),
                )
            )
        starts.append(len(rows))
        hashes.append(text_hash(" ".join(token.text for token in sentence.tokens)))
    columns = np.array(rows, np.int32).reshape(-1, 5)
    count = len(hashes)
    document = np.zeros(count, np.int32) if documents is None else np.array(list(documents), np.int32)
    lemma, relation, head, tag, morphology = (np.ascontiguousarray(columns[:, i]) for i in range(5))
    return TokenTable(
        lemma,
        relation,
        head,
        tag,
        morphology,
        starts=np.array(starts, np.int64),
        document=document,
        text=np.array(hashes, np.int64),
        words=words.strings,
        relations=relations.strings,
        tags=tags.strings,
        morphs=morphs.strings,
    )


def text_hash(text: str) -> int:
    """A number for a text, the same in every process."""
    import hashlib

    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little", signed=True)
