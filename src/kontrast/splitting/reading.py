"""A corpus as tables of tokens, whatever its size: CoNLL-U as it is read, plain text shard by shard."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.io.files import open_lines
from kontrast.progress import progress
from kontrast.shards import digest_of, in_order, keeping, numbered
from kontrast.splitting.conllu import conllu_tables
from kontrast.splitting.tables import Growing, TablesOnDisk, packed, unpacked
from kontrast.splitting.tokens import TokenTable, table_from_sentences

if TYPE_CHECKING:
    from kontrast.language.annotation import Annotator, Sentence

__all__ = ["AnnotatorName", "CorpusReading", "loaded", "without_annotator"]

NEEDED = {"dependency": frozenset({"lemma", "parse"}), "morphology": frozenset({"lemma", "morph"})}
SHARD = 6400
"""Sentences of plain text: whole batches of an annotator."""

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
    ) -> Iterator[tuple[Growing, Tables]]:
        """The vocabulary and the tables, which may be walked through while the block runs; ``work`` keeps them."""
        vocabulary = Growing()
        forms = self.features == "ngram"
        if self.source == "conllu":
            morph = self.features == "morphology"
            found = conllu_tables(self.corpus, vocabulary, forms=forms, tags=self.tags, morph=morph)
            with keeping(work, {"corpus": self.corpus}):
                yield vocabulary, TablesOnDisk(work / "tables", found)
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
                    advance(vocabulary.add(unpacked(part)).sentences)
            yield vocabulary, lambda: (vocabulary.add(unpacked(part)) for part in parts)

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
                f"{self.features} features need {what}, which the annotator {annotator.name} does not supply"
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
    from kontrast.language.annotation import Sentence, Token

    return Sentence(line, tuple(Token(word, 0, 0) for word in line.split()))
