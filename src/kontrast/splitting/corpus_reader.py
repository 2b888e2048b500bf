"""A corpus as tables of tokens: CoNLL-U as it is read, plain text shard by shard, triples at once."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from kontrast.errors import InputError, KontrastError
from kontrast.io.conllu import read_blocks
from kontrast.io.files import open_lines, read_lines
from kontrast.io.numbers import whole_number
from kontrast.language.annotation import Sentence, Token
from kontrast.progress import progress
from kontrast.shards import digest_of, in_order, keeping, numbered
from kontrast.splitting.token_table import (
    OnDisk,
    TokenTable,
    Vocabularies,
    packed,
    table_from_sentences,
    unpacked,
)

if TYPE_CHECKING:
    from kontrast.language.annotation import Annotator

NEEDED = {"dependency": frozenset({"lemma", "parse"}), "morphology": frozenset({"lemma", "morph"})}
SHARD = 6400
"""Sentences of plain text: whole batches of an annotator."""

FEW = 0.01
"""Of tokens without a lemma nothing is said."""

AnnotatorName = tuple[str, str | None, bool]
"""Language, name or None for the default, and whether whole trees are wanted."""
Tables = Callable[[], Iterator[TokenTable]]


class CorpusReading(msgspec.Struct, frozen=True):
    """How a corpus is read. A folder has documents, files that end in the annotator's language, one after another."""

    corpus: str
    source: str
    features: str
    annotator: Annotator | AnnotatorName | None = None
    tags: bool = False

    @contextmanager
    def tables(
        self, work: Path, *, on: str | None = None, workers: int | None = None
    ) -> Iterator[tuple[Vocabularies, Tables]]:
        """The vocabulary and the tables, which may be walked through while the block runs; ``work`` keeps them."""
        from kontrast.splitting.conllu_tables import conllu_tables

        vocabulary = Vocabularies()
        forms = self.features == "ngram"
        if self.source == "conllu":
            morph = self.features == "morphology"
            found = conllu_tables(
                self.corpus, vocabulary, forms=forms, tags=self.tags, morph=morph, on=on, workers=workers
            )
            with keeping(work, {"corpus": self.corpus}):
                kept = OnDisk(work / "tables")
                tokens = bare = 0
                for table in found:
                    kept.append(table)
                    tokens, bare = tokens + table.tokens, bare + _without_lemma(table, vocabulary)
                if self.features not in ("ngram", "relations"):
                    _tell_lemmas(self.corpus, tokens, bare)
                yield vocabulary, lambda: (TokenTable(**each) for each in kept)
            return
        annotator = self._checked()
        files = self._files()
        facts = {
            "input": digest_of(files),
            "features": forms,
            "annotator": [annotator.name, annotator.language] if annotator else "blanks",
            "shard size": SHARD,
        }
        lines = ((line, number) for number, file in enumerate(files) for line in open_lines(file))
        make = partial(_annotated, annotator=self.annotator, forms=forms)
        with keeping(work, facts) as parts:
            with progress(f"annotating {Path(self.corpus).name}", unit="sentences") as advance:
                for part in parts.fill(
                    numbered(lines, SHARD), lambda todo: in_order(make, todo, on=on, workers=workers)
                ):
                    advance(vocabulary.add(TokenTable(**unpacked(part))).sentences)
            yield vocabulary, lambda: (vocabulary.add(TokenTable(**unpacked(part))) for part in parts)

    def _checked(self) -> Annotator | None:
        """The annotator, if it supplies what is counted; words between blanks are enough for n-grams."""
        if self.annotator is None:
            if self.features != "ngram":
                raise without_annotator(self.corpus)
            return None
        annotator = loaded(self.annotator)
        lacking = NEEDED.get(self.features, frozenset()) - annotator.supplies
        if lacking:
            what = " and ".join(sorted(lacking))
            raise KontrastError(
                f"{self.features} features need {what}, which the annotator {annotator.name} does not provide"
            )
        return annotator

    def _files(self) -> list[Path]:
        place = Path(self.corpus)
        if not place.is_dir():
            return [place]
        if self.annotator is None:
            raise InputError(place, "is a folder: give the language of its documents (--lang)")
        ending = f"*.{loaded(self.annotator).language}"
        found = sorted(path for path in place.rglob(ending) if path.is_file())
        if not found:
            raise InputError(place, f"expected documents, {ending}")
        return found


def _without_lemma(table: TokenTable, vocabulary: Vocabularies) -> int:
    number = dict.get(vocabulary.of["word"], "_")
    return 0 if number is None else int((table.word == number).sum())


def _tell_lemmas(corpus: str, tokens: int, bare: int) -> None:
    """Refuse CoNLL-U without lemmas, and warn where many are missing: those tokens count as one word."""
    if bare == tokens:
        raise InputError(corpus, "no token has a lemma (third column): annotate it, or use --features relations")
    if bare > FEW * tokens:
        told = f"{bare:,} of {tokens:,} tokens have no lemma (_); they count as one word"
        print(f"kontrast: warning: {corpus}: {told}", file=sys.stderr)


def loaded(annotator: Annotator | AnnotatorName) -> Annotator:
    """The annotator itself; one that is named is loaded once in each process."""
    if not isinstance(annotator, tuple):
        return annotator
    from kontrast.language.annotators import get

    return get(annotator[0], annotator[1], trees=annotator[2])


def without_annotator(corpus: str | Path) -> KontrastError:
    return KontrastError(f"{corpus} is plain text: give its language (--lang) or an annotator, or CoNLL-U instead")


def _annotated(
    shard: tuple[int, list[tuple[str, int]]], annotator: Annotator | AnnotatorName | None, forms: bool
) -> bytes:
    """The work of a shard."""
    lines = [line for line, _ in shard[1]]
    sentences = map(_plain, lines) if annotator is None else loaded(annotator).annotate(lines)
    return packed(table_from_sentences(sentences, forms=forms, documents=[number for _, number in shard[1]]))


def _plain(line: str) -> Sentence:
    """Words between blanks: enough for n-grams of tokenised text."""
    return Sentence(line, tuple(Token(word, 0, 0) for word in line.split()))


def corpus_texts(path: str | Path) -> list[str]:
    """Sentences of a corpus: lines of text, or the texts of CoNLL-U, numbered as they are counted."""
    if ".conllu" not in Path(path).name:
        return read_lines(path)
    return [block.full_text.strip() for block in read_blocks(path) if any(block.words)]


def read_triples(
    path: str | Path,
    heads: str | Path | None = None,
    labels: str | Path | None = None,
    mismatch: Mismatch | None = None,
) -> TokenTable:
    """Read triples as a table of tokens.

    One file: a token per line as lemma, head, label with tabs between them, an empty line after each sentence; the
    head is the governor's number counted from 1 (0 for the root), or its lemma. Three files: a sentence per line,
    lemmas with blanks between them, and lists of heads and labels (``[2, 0]``, ``['det', 'root']`` or with blanks).
    Lines of unequal length are cut to the shortest and counted in ``mismatch``.
    """
    if heads is None and labels is None:
        return table_from_sentences(_from_columns(Path(path)))
    if heads is None or labels is None:
        raise InputError(path, "is one of three files; give both the heads and the labels")
    mismatch = mismatch or Mismatch()
    table = table_from_sentences(_from_three(Path(path), Path(heads), Path(labels), mismatch))
    return _counted_whole(Path(path), table) if mismatch.lines else table


def _counted_whole(path: Path, table: TokenTable) -> TokenTable:
    """With frequencies, and ranks, of the lemmas as they were before lines were cut, as the authors count them."""
    counts = Counter(lemma.lower() for line in open_lines(path) for lemma in line.split())
    number = {word: i for i, word in enumerate(counts)}
    old = np.array([number[word] for word in table.words], np.int32)
    frequency = np.array(list(counts.values()), np.int64)
    return msgspec.structs.replace(table, word=old[table.word], words=list(counts), frequency=frequency)


def _from_columns(path: Path) -> Iterator[Sentence]:
    for blank, block in groupby(enumerate(open_lines(path), start=1), lambda each: not each[1].strip()):
        rows: list[tuple[int, str, str, str]] = []
        for number, line in () if blank else block:
            columns = line.split("\t")
            if len(columns) != 3:
                told = f"expected lemma, head and label, separated by tabs, found {line!r}"
                raise InputError(path, told, line=number)
            rows.append((number, columns[0], columns[1], columns[2]))
        if rows:
            yield _sentence(path, rows)


def _sentence(path: Path, rows: list[tuple[int, str, str, str]]) -> Sentence:
    if all(head.isascii() and head.isdigit() and len(head) < 7 for _, _, head, _ in rows):
        for number, _, head, _ in rows:
            if int(head) > len(rows):
                raise InputError(path, f"head {head} is beyond the sentence's {len(rows)} tokens", line=number)
        return _tokens([(lemma, int(head) - 1, label) for _, lemma, head, label in rows])
    # Heads are lemmas: a head is the first token of that lemma, or one more token where none has it.
    place: dict[str, int] = {}
    for i, (_, lemma, _, _) in enumerate(rows):
        place.setdefault(lemma.lower(), i)
    extra: list[str] = []
    found: list[tuple[str, int, str]] = []
    for _, lemma, head, label in rows:
        key = head.lower()
        if label == "root" or not head:
            found.append((lemma, -1, label))
            continue
        if key not in place:
            place[key] = len(rows) + len(extra)
            extra.append(head)
        found.append((lemma, place[key], label))
    return _tokens(found + [(lemma, -1, "root") for lemma in extra])


class Mismatch(msgspec.Struct):
    """Lines of three files that do not fit: how many were cut to the shortest, and heads that this left outside."""

    lines: int = 0
    first_line: int = 0
    heads: int = 0


def _from_three(path: Path, heads: Path, labels: Path, mismatch: Mismatch) -> Iterator[Sentence]:
    """As the authors' reader has it: a line is as long as the shortest of its three, a head outside is none."""
    try:
        rows = zip(open_lines(path), open_lines(heads), open_lines(labels), strict=True)
        for number, (lemma_line, head_line, label_line) in enumerate(rows, start=1):
            lemmas, head, label = (
                lemma_line.split(),
                _listed(heads, head_line, number),
                _listed(labels, label_line, number),
            )
            size = min(len(lemmas), len(head), len(label))
            if size < max(len(lemmas), len(head), len(label)):
                mismatch.lines += 1
                mismatch.first_line = mismatch.first_line or number
            told = [whole_number(str(h)) for h in head[:size]]
            places = [h - 1 for h in told if h is not None]
            if len(places) < size:
                raise InputError(heads, "expected whole numbers from 0", line=number)
            if size == len(lemmas) == len(head) and any(p >= size for p in places):
                raise InputError(heads, f"a head is beyond the sentence's {size} tokens", line=number)
            mismatch.heads += sum(p >= size for p in places)
            inside = [p if p < size else -1 for p in places]
            yield _tokens(list(zip(lemmas[:size], inside, map(str, label[:size]), strict=True)))
    except ValueError as error:
        raise InputError(path, "lemmas, heads and labels must have the same number of lines") from error


def _listed(path: Path, line: str, number: int) -> list[Any]:
    if not line.lstrip().startswith("["):
        return line.split()
    try:
        return list(ast.literal_eval(line.strip()))
    except (SyntaxError, ValueError) as error:
        raise InputError(path, "expected a list", line=number) from error


def _tokens(rows: list[tuple[str, int, str]]) -> Sentence:
    tokens = tuple(Token(lemma, 0, 0, lemma=lemma, head=head, relation=label) for lemma, head, label in rows)
    return Sentence(" ".join(lemma for lemma, _, _ in rows), tokens)
