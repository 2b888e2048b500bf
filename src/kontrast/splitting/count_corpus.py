"""Counting a corpus, whatever it comes as: CoNLL-U, plain text, triples, counts made elsewhere."""

from __future__ import annotations

import importlib.util
import itertools
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import numpy as np

from kontrast.errors import KontrastError
from kontrast.io import files
from kontrast.io.files import open_lines
from kontrast.io.json_input import decode
from kontrast.io.numbers import whole_number
from kontrast.language.annotators.conllu import read_conllu
from kontrast.options import keywords, records, values_of
from kontrast.progress import progress
from kontrast.splitting.corpus_counts import (
    ARRAYS,
    MOST,
    Columns,
    CorpusCounts,
    Lines,
    counts_of,
    csr_rows,
    load_counts,
    write_counts,
)
from kontrast.splitting.corpus_reader import (
    AnnotatorName,
    CorpusReading,
    Mismatch,
    loaded,
    read_triples,
    without_annotator,
)
from kontrast.splitting.features import (
    FEATURES,
    Occurrences,
    about_features,
    compound_names,
    filter_sentences,
    occurrences,
)
from kontrast.splitting.options import CountOptions, Filters, SentenceFilter, preset_filters
from kontrast.splitting.token_table import Array, OnDisk, TokenTable, Vocabularies, Vocabulary, joined, text_hash

if TYPE_CHECKING:
    from kontrast.language.annotation import Annotator, Sentence

SOURCES = ("conllu", "text", "triples", "jsonl")

Tally = Mapping[str, int] | Iterable[str]
FeatureFunction = Callable[["Sentence"], tuple[Tally, Tally]]
"""Takes an annotated sentence and gives its atoms and its compounds, as counts or as a list of names."""

_AT_ONCE = 1 << 20
"""Tokens that are counted at a time."""
_BY_SENTENCE = ("dependency", "morphology", "ngram", "relations")


@keywords(CountOptions, Filters, SentenceFilter)
def count(
    corpus: str | Path,
    out: str | Path | None = None,
    *,
    on: str | None = None,
    workers: int | None = None,
    **given: Any,
) -> CorpusCounts:
    """Count the atoms and compounds of every sentence, as `kontrast count` does; with ``out`` they are written there.

    ``features`` may be a function of an annotated sentence, or name one (``my_features.py:of_sentence``). Annotated
    text is kept in ``OUT.work`` shard by shard, and an interrupted run resumes; ``on`` names a Ray cluster whose
    ``workers`` annotate it, or read CoNLL-U. With ``out`` memory is bounded, except for ``weight``, duplicates, a
    parallel side, length and depth.

    >>> import tempfile
    >>> import kontrast
    >>> text = Path(tempfile.mkdtemp()) / "text.txt"
    >>> _ = text.write_text("dogs bark\\ncats sleep\\n")
    >>> kontrast.count(text, features="ngram").to_dict()["compounds"]
    2
    """
    asked, _, limits = records(given, count, CountOptions, Filters, SentenceFilter)
    changes = values_of(given, Filters)
    if asked.rank is not None:
        changes["min_rank"], changes["max_rank"] = _rank(asked.rank)
    chosen = preset_filters(asked.preset, **changes)
    sentences = None if limits == SentenceFilter() else limits
    features, order, bin_size = asked.features, asked.order, asked.bin_size
    if isinstance(features, str) and ":" in features:
        features = _function(features)
    source = asked.kind or _source_of(Path(corpus), asked.heads)
    if source not in SOURCES:
        raise KontrastError(f"{source!r} is not a kind of corpus; expected one of {', '.join(SOURCES)}")
    annotator = asked.annotator
    if annotator is None or isinstance(annotator, str):
        if annotator is not None and not asked.lang:
            raise KontrastError(f"the annotator {annotator} needs the language of the text: --lang")
        annotator = (asked.lang, annotator, features == "dependency") if asked.lang else None
    elsewhere = source == "jsonl" or callable(features)
    for what, filtered in (("sentences", sentences is not None), ("features", chosen != Filters())):
        if filtered and elsewhere:
            raise KontrastError(
                f"these {what} cannot be filtered here: filter them in the program that makes the counts or features"
            )
    if on is not None and (source not in ("text", "conllu") or callable(features)):
        raise KontrastError("--on works only with plain text and CoNLL-U; leave it out")
    if not callable(features) and features not in FEATURES:
        raise KontrastError(f"{features!r} is not a kind of feature; expected one of {', '.join(FEATURES)}")
    about: dict[str, Any] = {"corpus": Path(corpus).name, "source": source}
    mismatch = Mismatch()
    with ExitStack() as stack:
        work = None
        if source == "jsonl":
            pieces: Iterable[CorpusPiece] = [_piece_of_rows(_jsonl_rows(corpus))]
            about["features"] = "given"
        elif callable(features):
            pieces = [_piece_of_rows(_rows(_sentences(corpus, source, annotator), features))]
            about["features"] = getattr(features, "__qualname__", "function")
        else:
            if source == "triples":
                tables: Iterable[TokenTable] = [read_triples(corpus, asked.heads, asked.labels, mismatch)]
            else:
                if str(corpus) != "-" and not Path(corpus).is_dir():
                    with files.open_bytes(Path(corpus)):  # or says why not, before a folder for the work is made
                        pass
                reading = CorpusReading(str(corpus), source, features, annotator, tags=bool(chosen.pos))
                place = Path(stack.enter_context(tempfile.TemporaryDirectory()) if out is None else f"{out}.work")
                vocabulary, read = stack.enter_context(reading.tables(place, on=on, workers=workers))
                by_table = out is not None and can_stream(features, chosen, sentences)
                tables, work = _in_pieces(vocabulary, read, sentences, place if by_table else None)
            about |= about_features(features, chosen, order, bin_size)
            pieces = (_piece(table, features, chosen, sentences, order, bin_size) for table in tables)
        made = _Counting(work)
        for piece in pieces:
            made.add(*piece)
        names = made.finish(chosen)
        about |= {"mismatch": mismatch} if mismatch.lines else {}
        about |= {"sentence_filter": sentences} if sentences is not None else {}
        if names is None:
            raise KontrastError(
                f"{corpus} gives no compound: {made.sentences} sentences were read, but the filters removed "
                "everything (the corpus may be too small for the preset, or a filter too strict)"
            )
        columns: Iterable[Columns] = made.columns() if work is not None else list(made.columns())
        if out is not None:
            write_counts(Path(out), columns, names, about)
        return counts_of(columns, names, about) if out is None or work is None else load_counts(out)


def can_stream(features: str, filters: Filters, sentences: SentenceFilter | None) -> bool:
    """Whether each table can be counted by itself: no compound's weight, no sentence that another one excludes."""
    whole = sentences is not None and (sentences.no_duplicates or bool(sentences.parallel))
    return features in _BY_SENTENCE and not (whole or filters.weight or filters.heads_depend)


def _in_pieces(
    vocabulary: Vocabularies,
    read: Callable[[], Iterator[TokenTable]],
    sentences: SentenceFilter | None,
    work: Path | None,
) -> tuple[Iterable[TokenTable], Path | None]:
    """The corpus in one table; where it is large and there is a folder to work in, in several, and that folder."""
    first = list(itertools.islice(joined(read(), _AT_ONCE), 2))
    if len(first) < 2 or work is None:
        [table] = first if len(first) < 2 else joined(read())
        return [vocabulary.named(table)], None
    frequency = np.zeros(len(vocabulary.of["word"]), np.int64)
    for table in read():
        kept = table if sentences is None else filter_sentences(table, sentences)[0]
        frequency += np.bincount(kept.word, minlength=len(frequency))
    return (vocabulary.named(table, frequency) for table in joined(read(), _AT_ONCE)), work


def count_table(table: TokenTable, features: str = "dependency", filters: Filters | None = None) -> CorpusCounts:
    """Count a parsed corpus in memory."""
    chosen, made = filters or Filters(), _Counting(None)
    made.add(*_piece(table, features, chosen))
    if (names := made.finish(chosen)) is None:
        raise KontrastError("the table gives no compound")
    return counts_of(made.columns(), names, about_features(features, chosen, 2))


CorpusPiece = tuple[Occurrences, Columns]
"""Sentences that are counted together: their features; and length, document, hash and reason left out of each."""


class _Counting:
    """The counts of the pieces added so far, the same however a corpus is cut into pieces.

    In memory are the names of features with their totals, and one piece; the others are in the folder to ``work`` in.
    Without a folder there can be only one piece.
    """

    def __init__(self, work: Path | None) -> None:
        self._pieces: list[Columns] | OnDisk = [] if work is None else OnDisk(work / "pieces")
        self._names: dict[bytes, int] | None = None if work is None else {}
        self._totals = {name: np.zeros(0, np.int64) for name in ("atoms", "compounds")}
        self._keep: dict[str, Array] = {}
        self._most = 0
        self._last: Occurrences | None = None
        self.sentences = 0

    def add(self, found: Occurrences, sentences: Columns) -> None:
        rows = len(sentences["lengths"])
        number, count = found.compound, len(found.compound_parts)
        if self._names is not None:
            number = _numbers(found, self._names)
            count = len(self._names)
        columns = {name: sentences[name].astype(kind, copy=False) for name, kind in ARRAYS.items()}
        for name, sentence, feature, features in (
            ("atoms", found.atom_sentence, found.atom, len(found.atom_names)),
            ("compounds", found.compound_sentence, number, count),
        ):
            indptr, indices, data = csr_rows(sentence, feature, rows)
            totals = np.bincount(indices, data, features).astype(np.int64)
            totals[: len(self._totals[name])] += self._totals[name]
            self._totals[name], self._most = totals, max(self._most, int(data.max(initial=0)))
            columns |= {f"{name}.indptr": indptr, f"{name}.indices": indices, f"{name}.data": data}
        self._pieces.append(columns)
        self._last, self.sentences = found, self.sentences + rows

    def finish(self, filters: Filters) -> dict[str, Lines] | None:
        """The names of features, rare and frequent compounds left out; None where nothing is left."""
        found, totals = self._last, self._totals["compounds"]
        atoms, compounds = self._totals["atoms"] > 0, totals >= max(1, filters.min_compound)
        if filters.max_compound is not None:
            compounds &= totals <= filters.max_compound
        if found is None or not atoms.any() or not compounds.any():
            return None
        self._keep = {"atoms": atoms, "compounds": compounds}
        names = Lines.of(found.atom_names[i] for i in np.flatnonzero(atoms).tolist())
        if self._names is None:
            return {"atoms": names, "compounds": compound_names(found, np.flatnonzero(compounds))}
        kept = (name for name, wanted in zip(self._names, compounds.tolist(), strict=True) if wanted)
        return {"atoms": names, "compounds": Lines(b"".join(kept))}

    def columns(self) -> Iterator[Columns]:
        """The columns of each piece, without the features that are not kept, the others numbered anew."""
        kinds = {name: self._kind(name) for name in self._keep}
        number = {name: np.cumsum(keep, dtype=np.int32) - 1 for name, keep in self._keep.items()}
        ends = dict.fromkeys(self._keep, 0)
        for place, piece in enumerate(self._pieces):
            for name, keep in self._keep.items():
                indptr, indices, data = (piece[f"{name}.{part}"] for part in ("indptr", "indices", "data"))
                if not keep.all():
                    wanted = keep[indices]
                    indptr = np.concatenate([[0], np.cumsum(wanted)])[indptr]
                    indices, data = indices[wanted], data[wanted]
                starts = indptr[min(place, 1) :] + ends[name]
                ends[name] += len(indices)
                piece |= {f"{name}.indptr": starts, f"{name}.indices": number[name][indices]}
                piece |= {f"{name}.data": data.astype(kinds[name])}
            yield piece

    def _kind(self, name: str) -> str:
        """Counts take one byte each where they fit."""
        keep = self._keep[name]
        small = self._most <= 255 or all(
            piece[f"{name}.data"][keep[piece[f"{name}.indices"]]].max(initial=0) <= 255 for piece in self._pieces
        )
        return "uint8" if small else "int32"


def _numbers(found: Occurrences, names: dict[bytes, int]) -> Array:
    """The number of each compound in the whole corpus, in order of first sight."""
    lines = compound_names(found, np.arange(len(found.compound_parts)))
    blob = bytes(lines.blob)
    starts = [0, *lines.ends.tolist()]
    number = np.zeros(len(found.compound_parts), np.int32)
    for i in np.flatnonzero(np.bincount(found.compound, minlength=len(number))).tolist():
        number[i] = names.setdefault(blob[starts[i] : starts[i + 1]], len(names))
    return number[found.compound]


def _piece(
    table: TokenTable,
    features: str,
    filters: Filters,
    sentences: SentenceFilter | None = None,
    order: int = 2,
    bin_size: int | None = None,
) -> CorpusPiece:
    filtered = np.zeros(0, np.uint8)
    if sentences is not None:
        table, filtered = filter_sentences(table, sentences)
    found = occurrences(table, features, filters, order=order, bin_size=bin_size)
    sizes = np.diff(table.starts)
    return found, {"lengths": sizes, "documents": table.document, "texts": table.text, "filtered": filtered}


_Counted = tuple[Tally, Tally, int, int, int]
"""Atoms and compounds of a sentence; its length, document and hash."""


def _rows(sentences: Iterable[Sentence], features: FeatureFunction) -> Iterator[_Counted]:
    return ((*features(s), len(s.tokens), 0, text_hash(s.text)) for s in sentences)


class _Row(msgspec.Struct):
    atoms: dict[str, Annotated[int, msgspec.Meta(ge=1, le=MOST)]]
    compounds: dict[str, Annotated[int, msgspec.Meta(ge=1, le=MOST)]]
    length: Annotated[int, msgspec.Meta(ge=0, le=MOST)] | None = None
    document: str = ""
    text: str = ""


def _jsonl_rows(path: str | Path) -> Iterator[_Counted]:
    """Counts made elsewhere: a JSON object per line with ``atoms`` and ``compounds``, each name → count.

    ``length``, ``document`` and ``text`` may be given too; the length is else the number of atoms.
    """
    decoder, documents = msgspec.json.Decoder(_Row), Vocabulary()
    for number, line in enumerate(open_lines(path), start=1):
        row = decode(decoder, line, path, number, '{"atoms": {…}, "compounds": {…}}')
        length = sum(row.atoms.values()) if row.length is None else row.length
        key = text_hash(row.text) if row.text else number
        yield row.atoms, row.compounds, length, documents[row.document], key


def _piece_of_rows(rows: Iterable[_Counted]) -> CorpusPiece:
    names = (Vocabulary(), Vocabulary())
    places: tuple[list[tuple[int, int, int]], ...] = ([], [])
    meta: list[tuple[int, int, int]] = []
    for atoms, compounds, *rest in rows:
        for own, found, tally in zip(names, places, (atoms, compounds), strict=True):
            counted = tally if isinstance(tally, Mapping) else Counter(tally)
            found.extend((len(meta), own[name], times) for name, times in counted.items())
        meta.append((rest[0], rest[1], rest[2]))
    (atom_sentence, atom), (compound_sentence, compound) = (
        np.repeat(columns[:, :2], columns[:, 2], axis=0).T
        for columns in (np.array(found, np.int64).reshape(-1, 3) for found in places)
    )
    made = Occurrences(
        atom_sentence, atom, list(names[0]), compound_sentence, compound,
        np.arange(len(names[1]), dtype=np.int32)[:, None], list(names[1]),
    )  # fmt: skip
    columns = [*np.array(meta, np.int64).reshape(-1, 3).T, np.zeros(0, np.uint8)]
    return made, dict(zip(ARRAYS, columns, strict=True))


def _source_of(path: Path, heads: str | Path | None) -> str:
    if heads is not None:
        return "triples"
    ending = Path(path.name.removesuffix(".gz").removesuffix(".zst")).suffix
    return {".conllu": "conllu", ".conll": "conllu", ".jsonl": "jsonl", ".tsv": "triples"}.get(ending, "text")


def _sentences(corpus: str | Path, source: str, annotator: Annotator | AnnotatorName | None) -> Iterator[Sentence]:
    if source == "conllu":
        yield from read_conllu(corpus, syntactic=True)
        return
    if source != "text":
        raise KontrastError(f"your own function cannot be applied to {source}; it needs conllu or text")
    if annotator is None:
        raise without_annotator(corpus)
    with progress(f"annotating {Path(corpus).name}", unit="sentences") as advance:
        for sentence in loaded(annotator).annotate(open_lines(corpus)):
            advance(1)
            yield sentence


def _rank(given: str | tuple[int, int | None]) -> tuple[int, int | None]:
    if not isinstance(given, str):
        return given
    low, _, high = given.partition(":")
    first, last = whole_number(low or "0"), whole_number(high) if high else None
    if first is None or (high and last is None):
        raise KontrastError(f"--rank: expected two whole numbers, such as 200:10000, found {given!r}")
    return first, last


def _function(where: str) -> Any:
    """The function named FILE.py:FUNCTION or package.module:FUNCTION."""
    module_name, _, name = where.rpartition(":")
    try:
        if module_name.endswith(".py"):
            spec = importlib.util.spec_from_file_location(Path(module_name).stem, module_name)
            if spec is None or spec.loader is None:
                raise ImportError(module_name)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        else:
            module = importlib.import_module(module_name)
        return getattr(module, name)
    except (ImportError, AttributeError, OSError) as error:
        raise KontrastError(f"--features: {where}: no such function ({error})") from error
