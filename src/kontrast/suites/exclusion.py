"""Take a suite's documents and sentences out of training data: what is tested must not have been seen.

A corpus is one or more text files aligned line by line, or a folder of documents (``YEAR/NAME.LANG``). It is
streamed: memory grows with the suite, never with the corpus.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Annotated, Any, NamedTuple

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.io.files import refuse_overwriting
from kontrast.options import keywords, option, records
from kontrast.progress import Advance, progress
from kontrast.record import Record
from kontrast.suites.formats import SuiteLike, as_suite
from kontrast.suites.model import Suite


class Exclusion(Record, frozen=True):
    """The removed lines. ``reasons`` counts lines by document, exact and near."""

    lines: int
    kept: int
    removed: int
    reasons: dict[str, int]
    documents: int
    """Documents of the corpus that were taken out whole."""
    items: int
    """Items of the suites whose text was in the corpus."""
    out: str | None


class _Why(NamedTuple):
    reason: str
    what: str
    similarity: float


class ExclusionOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What is removed, and what is written."""

    ids: Annotated[Any, option("OPUS ids: which document each line is from.", metavar="FILE")] = None
    threshold: Annotated[float, option("Minimum similarity of removed lines: share of common word pairs, 0–1.")] = 0.6
    shortest: Annotated[int, option("Lines with fewer words are removed only if both sides match an item.")] = 5
    both: Annotated[bool, option("Remove a pair of lines only if both sides match.")] = False
    out: Annotated[
        Any, option("Folder for the remaining lines, under the same names (.gz stays .gz).", metavar="DIR")
    ] = None
    report: Annotated[Any, option("A table (TSV) of every line removed, and why.", metavar="FILE")] = None


@keywords(ExclusionOptions)
def exclude(
    corpus: str | Path | Sequence[str | Path],
    suites: SuiteLike | Sequence[SuiteLike],
    *,
    documents: str | Path | Iterable[str] = (),
    format: str | None = None,
    **given: Any,
) -> Exclusion:
    """Remove suites' documents and sentences from a corpus, as `kontrast exclude` does.

    The rest is written into the folder ``out`` (None: only count). ``ids`` is an OPUS file with the document of each
    line; ``documents`` are further documents to remove: their ids, or a file with one id per line. A pair of lines is
    removed if one side equals or nearly equals a text of the suites (``both``: only if both do); lines of fewer than
    ``shortest`` words are removed only if both sides equal those of an item. ``report`` is a file with one line per
    removed line: place, reason, item, similarity and text.

    >>> import tempfile
    >>> import kontrast
    >>> folder = Path(tempfile.mkdtemp())
    >>> item = kontrast.load("demo:de").items[0]
    >>> _ = (folder / "train.en").write_text(f"{item.source}\\nSomething else entirely, and quite long.\\n")
    >>> _ = (folder / "train.de").write_text(f"{item.best.text}\\nEtwas ganz anderes, und recht lang.\\n")
    >>> done = kontrast.exclude([folder / "train.en", folder / "train.de"], "demo:de", out=folder / "clean")
    >>> done.kept, done.removed
    (1, 1)
    """
    [asked] = records(given, exclude, ExclusionOptions)
    out, report = asked.out, asked.report
    if not 0 < asked.threshold <= 1:
        raise KontrastError(f"the threshold must be above 0 and at most 1, not {asked.threshold}")
    several = [suites] if isinstance(suites, Suite | str | Path) else suites
    listed = files.read_lines(documents) if isinstance(documents, str | Path) else documents
    more = {document_name(line) for line in listed if line.strip()}
    search = _Search([as_suite(suite, format) for suite in several], more, asked)
    paths = [corpus] if isinstance(corpus, str | Path) else corpus
    bundles = list(_bundles([Path(path) for path in paths], asked.ids))
    inputs = [path for bundle in bundles for path in bundle.paths]
    if out is not None:
        for bundle in bundles:
            for path in bundle.paths:
                refuse_overwriting(_target(Path(out), bundle, path), inputs)
    counts: Counter[str] = Counter()
    gone: set[str] = set()
    with (
        files.writing(report) if report else nullcontext() as said,
        progress("excluding", unit="lines") as advance,
    ):
        if said:
            said.write("\t".join(("file", "line", "reason", "what", "similarity", "text")) + "\n")
        for bundle in bundles:
            gone |= _filter(bundle, search, Path(out) if out else None, said, counts, advance)
    lines = counts.pop("lines", 0)
    reasons = {reason: counts[reason] for reason in ("document", "exact", "near")}
    removed = sum(reasons.values())
    return Exclusion(lines, lines - removed, removed, reasons, len(gone), len(search.seen), str(out) if out else None)


def document_name(id: str) -> str:
    """One spelling for the ways in which documents are named."""
    found = re.search(r"(\d{4})[/_](\d+)[/_](\d+)(?!\w)", id)
    if found:
        return "_".join(found.groups())
    first = next(iter(id.split()), "").rpartition("/")[2]
    return _LANGUAGE.sub("", _PACKED.sub("", first))


_PACKED = re.compile(r"(\.xml)?(\.gz|\.zst)?$")
_LANGUAGE = re.compile(r"\.([a-z]{2,3}(?:_[A-Z]\w+)?)$")


def _language(name: str) -> str | None:
    found = _LANGUAGE.search(_PACKED.sub("", name))
    return found[1] if found else None


_WORD = re.compile(r"[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]|[^\W_\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]+")
"""A word, or one character of a script that does not part words."""

Pair = tuple[str, str]


class Match(NamedTuple):
    """What was found: its number among the sentences searched for, and how alike the two are (1: the same)."""

    number: int
    similarity: float


def normalise(text: str) -> tuple[str, ...]:
    """Words in compatibility form and lower case, without punctuation."""
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


class SimilarSentences:
    """Finds, for any sentence, the most similar of the given ones: the same after normalisation, or nearly.

    Similarity is the share of common word pairs (Jaccard, the ends of the sentence included). A sentence can only
    reach the threshold if one of its rarest pairs is among the rarest of the other, so an index over those few finds
    every match and looks at almost nothing else; memory grows with what is searched for, not with what is searched.
    """

    def __init__(self, sentences: Iterable[str], *, threshold: float = 0.6, shortest: int = 5) -> None:
        self.threshold, self.shortest = threshold, shortest
        self._exact: dict[tuple[str, ...], int] = {}
        for number, sentence in enumerate(sentences):
            if words := normalise(sentence):
                self._exact.setdefault(words, number)
        long = [(words, number) for words, number in self._exact.items() if len(words) >= shortest]
        self._pairs = {number: frozenset(_pairs(words)) for words, number in long}
        self._frequency = Counter(pair for pairs in self._pairs.values() for pair in pairs)
        self._index: dict[Pair, list[int]] = {}
        for number, pairs in self._pairs.items():
            for pair in self._rarest(pairs, self._few(len(pairs))):
                self._index.setdefault(pair, []).append(number)

    def find(self, words: tuple[str, ...]) -> Match | None:
        """The best match of a normalised sentence, if any; a short one must be the same."""
        same = self._exact.get(words)
        if same is not None:
            return Match(same, 1.0)
        if len(words) < self.shortest:
            return None
        pairs = set(_pairs(words))
        known = [pair for pair in pairs if pair in self._frequency]
        few = self._few(len(pairs)) - (len(pairs) - len(known))  # pairs that nothing has are the rarest of all
        if few <= 0:
            return None
        candidates = {number for pair in self._rarest(known, few) for number in self._index.get(pair, ())}
        best = None
        for number in sorted(candidates):
            other = self._pairs[number]
            common = len(pairs & other)
            similarity = common / (len(pairs) + len(other) - common)
            if similarity >= self.threshold and (best is None or similarity > best.similarity):
                best = Match(number, similarity)
        return best

    def _few(self, size: int) -> int:
        """How many of the rarest pairs must be looked at: if none of them is shared, too few are."""
        return size - math.ceil(self.threshold * size - 1e-9) + 1

    def _rarest(self, pairs: Iterable[Pair], few: int) -> list[Pair]:
        return sorted(pairs, key=lambda pair: (self._frequency[pair], pair))[:few]


def _pairs(words: tuple[str, ...]) -> Iterable[Pair]:
    return zip(("", *words), (*words, ""), strict=True)


class _Search:
    """What to look for, per language, and which items were met."""

    def __init__(self, suites: Sequence[Suite], documents: set[str], asked: ExclusionOptions) -> None:
        self.documents = documents | {document_name(i.document) for s in suites for i in s.items if i.document}
        self.shortest, self.both = asked.shortest, asked.both
        self.seen: set[tuple[int, int]] = set()
        self.source_languages = {s.source_language for s in suites if s.source_language}
        self.target_languages = {s.target_language for s in suites if s.target_language}
        self._items = [(n, i) for n, suite in enumerate(suites) for i in range(len(suite.items))]
        self._names = [item.id for suite in suites for item in suite.items]
        sources = (item.source for s in suites for item in s.items)
        targets = (item.best.text for s in suites for item in s.items)
        self.source, self.target = (
            SimilarSentences(texts, threshold=asked.threshold, shortest=asked.shortest)
            for texts in (sources, targets)
        )

    def why(
        self, document: str | None, texts: Sequence[str], sides: Sequence[SimilarSentences | None]
    ) -> _Why | None:
        """Why a line must go, if it must."""
        if document is not None and document in self.documents:
            return _Why("document", document, 1.0)
        matches, telling, searched = [], False, 0
        for text, near in zip(texts, sides, strict=True):
            if near is None:
                continue
            searched += 1
            words = normalise(text)
            if match := near.find(words):
                matches.append(match)
                telling = telling or len(words) >= self.shortest
        # A short line is in every corpus: it goes only with its counterpart.
        alone = telling and not self.both
        if not matches or not (alone or len(matches) == searched > (0 if telling else 1)):
            return None
        best = max(matches, key=lambda match: match.similarity)
        self.seen.update(self._items[match.number] for match in matches)
        return _Why("exact" if best.similarity == 1 else "near", self._names[best.number], best.similarity)


@dataclass(frozen=True)
class _Bundle:
    """Files that are aligned line by line, and the documents of their lines: one for all, or a file that says."""

    paths: tuple[Path, ...]
    document: str | None = None
    ids: Path | None = None
    inside: Path | None = None


def _bundles(corpus: Sequence[Path], ids: str | Path | None) -> Iterator[_Bundle]:
    folders = [path for path in corpus if path.is_dir()]
    if folders and (len(folders) < len(corpus) or ids):
        raise KontrastError("a corpus is either files aligned line by line or folders of documents")
    if not folders:
        yield _Bundle(tuple(corpus), ids=Path(ids) if ids else None)
    for folder in folders:
        grouped: dict[tuple[Path, str], list[Path]] = {}
        for path in sorted(p for p in folder.rglob("*") if p.is_file() and not p.name.startswith(".")):
            grouped.setdefault((path.parent, document_name(path.name)), []).append(path)
        if not grouped:
            raise InputError(folder, "expected documents such as 1990/1990_100_5000.en, found none")
        for (_, name), paths in grouped.items():
            yield _Bundle(tuple(paths), document=name, inside=folder)


def _target(out: Path, bundle: _Bundle, path: Path) -> Path:
    return out / (path.relative_to(bundle.inside) if bundle.inside else path.name)


def _filter(
    bundle: _Bundle, search: _Search, out: Path | None, said: IO[str] | None, counts: Counter[str], advance: Advance
) -> set[str]:
    """Copy one bundle without what must go; the documents that were met and taken out."""
    gone: set[str] = set()
    if bundle.document in search.documents:
        out = None  # a document that goes leaves no empty files behind
    sides = _sides(bundle.paths, search)
    with ExitStack() as stack:
        sinks = [stack.enter_context(files.writing(_target(out, bundle, p))) for p in bundle.paths] if out else []
        paths = (*bundle.paths, bundle.ids) if bundle.ids else bundle.paths
        for number, row in enumerate(files.open_aligned(*paths), start=1):
            document, texts = (document_name(row[-1]), row[:-1]) if bundle.ids else (bundle.document, row)
            counts["lines"] += 1
            why = search.why(document, texts, sides)
            if why is None:
                for sink, text in zip(sinks, texts, strict=bool(sinks)):
                    sink.write(text + "\n")
            else:
                counts[why.reason] += 1
                if why.reason == "document":
                    gone.add(why.what)
                if said:
                    where = (str(bundle.paths[0]), str(number), why.reason, why.what, f"{why.similarity:.2f}")
                    said.write("\t".join((*where, " ||| ".join(texts).replace("\t", " "))) + "\n")
            if number % 1000 == 0:
                advance(1000)
    return gone


def _sides(paths: Sequence[Path], search: _Search) -> list[SimilarSentences | None]:
    """What to look for in each file: by its language; where no ending tells, sources in the first, targets beside."""
    languages = [_language(path.name) for path in paths]
    sides = [
        search.source
        if lang in search.source_languages
        else search.target
        if lang in search.target_languages
        else None
        for lang in languages
    ]
    return sides if any(sides) else [search.source, *[search.target] * (len(paths) - 1)]
