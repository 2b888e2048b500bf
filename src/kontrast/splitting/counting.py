"""Counting a corpus, whatever it comes as: CoNLL-U, plain text, triples, counts made elsewhere."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.io.files import open_lines
from kontrast.progress import progress
from kontrast.splitting.conllu import conllu_sentences
from kontrast.splitting.features import FEATURES, count_table
from kontrast.splitting.filters import Filters, preset_filters
from kontrast.splitting.matrix import CorpusCounts, Lines, save_counts
from kontrast.splitting.occurrences import build_matrix
from kontrast.splitting.reading import AnnotatorName, CorpusReading, loaded, without_annotator
from kontrast.splitting.sentence_filter import SentenceFilter, filter_sentences
from kontrast.splitting.streaming import can_stream, count_tables, nothing_left, one_piece
from kontrast.splitting.tables import joined
from kontrast.splitting.tokens import Array, TokenTable, Vocabulary, text_hash
from kontrast.splitting.triples import Mismatch, read_triples

if TYPE_CHECKING:
    from kontrast.language.annotation import Annotator, Sentence

__all__ = ["SOURCES", "FeatureFunction", "count", "count_sentences"]

SOURCES = ("conllu", "text", "triples", "jsonl")

Tally = Mapping[str, int] | Iterable[str]
FeatureFunction = Callable[["Sentence"], tuple[Tally, Tally]]
"""Takes an annotated sentence and gives its atoms and its compounds, as counts or as a list of names."""


def count(
    corpus: str | Path,
    out: str | Path | None = None,
    *,
    source: str = "",
    features: str | FeatureFunction = "dependency",
    order: int = 2,
    bin_size: int | None = None,
    filters: Filters | str | None = None,
    sentences: SentenceFilter | None = None,
    annotator: Annotator | AnnotatorName | None = None,
    heads: str | Path | None = None,
    labels: str | Path | None = None,
    on: str | None = None,
    workers: int | None = None,
) -> CorpusCounts:
    """Count the atoms and compounds of every sentence; with ``out`` the counts are also written there.

    ``source`` is one of conllu, text, triples, jsonl; without it the file's name tells. Text needs an annotator, or
    (language, name, whole trees) for one that each process loads itself. With ``out``, annotated text is kept in
    ``OUT.work`` shard by shard, so that a run that was killed goes on; ``on`` names a Ray cluster whose ``workers``
    annotate. Memory is bounded with ``out``, but for ``weight``, duplicates, a parallel side, length and depth.
    ``features`` is dependency, morphology, ngram, relations, length, depth or a function of an annotated sentence.
    ``filters`` may name a preset (``authors``); ``sentences`` leaves sentences out before counting.
    """
    source = source or _source_of(Path(corpus), heads)
    if source not in SOURCES:
        raise KontrastError(f"{source!r} is not a kind of corpus; expected one of {', '.join(SOURCES)}")
    chosen = preset_filters(filters) if isinstance(filters, str) else filters or Filters()
    if sentences is not None and (source == "jsonl" or callable(features)):
        raise KontrastError("sentences cannot be filtered here: filter them where the counts or features are made")
    if on is not None and (source != "text" or callable(features)):
        raise KontrastError("--on: only the annotation of plain text is shared out; leave it out")
    if not callable(features) and features not in FEATURES:
        raise KontrastError(f"{features!r} is not a kind of feature; expected one of {', '.join(FEATURES)}")
    about: dict[str, Any] = {"corpus": Path(corpus).name, "source": source}
    filtered, mismatch = np.zeros(0, np.uint8), Mismatch()
    if source == "jsonl":
        counts = count_jsonl(corpus)
    elif callable(features):
        counts = count_sentences(_sentences(corpus, source, annotator, features), features)
    elif source == "triples":
        table = read_triples(corpus, heads, labels, mismatch)
        counts, filtered = _counted(table, features, chosen, sentences, order, bin_size)
    else:
        reading = CorpusReading(str(corpus), source, features, annotator, tags=bool(chosen.pos))
        if str(corpus) != "-" and not Path(corpus).is_dir():
            with files.open_bytes(Path(corpus)):  # or says why not, before a folder for the work is made
                pass
        with ExitStack() as stack:
            place = Path(stack.enter_context(tempfile.TemporaryDirectory())) if out is None else Path(f"{out}.work")
            vocabulary, tables = stack.enter_context(reading.tables(place, on=on, workers=workers))
            small = one_piece(tables)
            if small is None and out is not None and can_stream(features, chosen, sentences):
                return count_tables(
                    tables,
                    vocabulary,
                    Path(out),
                    place,
                    features=features,
                    filters=chosen,
                    order=order,
                    sentences=sentences,
                    about=about,
                )
            [table] = [small] if small is not None else joined(tables())
        counts, filtered = _counted(vocabulary.named(table), features, chosen, sentences, order, bin_size)
    if not counts.compounds.features or not counts.atoms.features:
        raise nothing_left(corpus, counts.sentences)
    about |= counts.about
    if mismatch.lines:
        about["mismatch"] = mismatch
    if sentences is not None:
        about["sentence_filter"] = sentences
    counts = msgspec.structs.replace(counts, about=about, filtered=filtered)
    if out is not None:
        save_counts(counts, out)
    return counts


def _counted(
    table: TokenTable,
    features: str,
    filters: Filters,
    sentences: SentenceFilter | None,
    order: int,
    bin_size: int | None,
) -> tuple[CorpusCounts, Array]:
    filtered = np.zeros(0, np.uint8)
    if sentences is not None:
        table, filtered = filter_sentences(table, sentences)
    return count_table(table, features, filters, order=order, bin_size=bin_size), filtered


def count_sentences(sentences: Iterable[Sentence], features: FeatureFunction) -> CorpusCounts:
    """Count with a function of your own.

    >>> from kontrast.language.annotation import Sentence, Token
    >>> def letters(sentence):
    ...     return list(sentence.text), [sentence.text[i : i + 2] for i in range(len(sentence.text) - 1)]
    >>> counts = count_sentences([Sentence("abab", ())], letters)
    >>> counts.atoms.features, counts.compounds.data.tolist()
    (2, [2, 1])
    """
    rows = ((*features(s), len(s.tokens), 0, text_hash(s.text)) for s in sentences)
    return _from_rows(rows, {"features": getattr(features, "__qualname__", "function")})


class _Row(msgspec.Struct):
    atoms: dict[str, int]
    compounds: dict[str, int]
    length: int = -1
    document: str = ""
    text: str = ""


def count_jsonl(path: str | Path) -> CorpusCounts:
    """Counts made elsewhere: a JSON object per line with ``atoms`` and ``compounds``, each name → count.

    ``length``, ``document`` and ``text`` may be given too; the length is else the number of atoms.
    """
    decoder, documents = msgspec.json.Decoder(_Row), Vocabulary()

    def rows() -> Iterator[tuple[Tally, Tally, int, int, int]]:
        for number, line in enumerate(open_lines(path), start=1):
            try:
                row = decoder.decode(line)
            except msgspec.DecodeError as error:
                raise InputError(
                    path, f'expected {{"atoms": {{…}}, "compounds": {{…}}}}: {error}', line=number
                ) from error
            if min([*row.atoms.values(), *row.compounds.values()], default=1) < 1:
                raise InputError(path, "expected counts of at least 1", line=number)
            length = row.length if row.length >= 0 else sum(row.atoms.values())
            key = text_hash(row.text) if row.text else number
            yield row.atoms, row.compounds, length, documents.number(row.document), key

    return _from_rows(rows(), {"features": "given"})


def _from_rows(rows: Iterable[tuple[Tally, Tally, int, int, int]], about: dict[str, Any]) -> CorpusCounts:
    names = (Vocabulary(), Vocabulary())
    sentence: tuple[list[int], list[int]] = ([], [])
    feature: tuple[list[int], list[int]] = ([], [])
    meta: list[tuple[int, int, int]] = []
    for atoms, compounds, *rest in rows:
        for side, tally in enumerate((atoms, compounds)):
            for name, times in (tally if isinstance(tally, Mapping) else Counter(tally)).items():
                sentence[side].extend([len(meta)] * times)
                feature[side].extend([names[side].number(name)] * times)
        meta.append((rest[0], rest[1], rest[2]))
    atom_matrix, compound_matrix = (
        build_matrix(np.array(s, np.int32), np.array(f, np.int32), len(meta), Lines.of(n.strings))
        for s, f, n in zip(sentence, feature, names, strict=True)
    )
    lengths, documents, texts = np.array(meta, np.int64).reshape(-1, 3).T
    return CorpusCounts(
        atom_matrix, compound_matrix, lengths.astype(np.int32), documents.astype(np.int32), texts.copy(), about
    )


def _source_of(path: Path, heads: str | Path | None) -> str:
    if heads is not None:
        return "triples"
    name = path.name.removesuffix(".gz").removesuffix(".zst")
    for ending, source in ((".conllu", "conllu"), (".conll", "conllu"), (".jsonl", "jsonl"), (".tsv", "triples")):
        if name.endswith(ending):
            return source
    return "text"


def _sentences(
    corpus: str | Path, source: str, annotator: Annotator | AnnotatorName | None, features: FeatureFunction
) -> Iterable[Sentence]:
    if source == "conllu":
        return conllu_sentences(corpus)
    if source != "text":
        raise KontrastError(f"a function of your own cannot be applied to {source}; it needs conllu or text")
    if annotator is None:
        raise without_annotator(corpus)
    return _with_progress(corpus, loaded(annotator))


def _with_progress(corpus: str | Path, annotator: Annotator) -> Iterator[Sentence]:
    with progress(f"annotating {Path(corpus).name}", unit="sentences") as advance:
        for sentence in annotator.annotate(open_lines(corpus)):
            advance(1)
            yield sentence
