"""Documents: aligned text split into one file per document, and found again by a suite's document ids.

A document is ``DIR/<year>/<name>.<language>``, a sentence per line, the two languages equally long.

How much context: n previous sentences, n next ones, or as many as fit a number of words.
"""

import os
import re
import shutil
import sys
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.progress import progress
from kontrast.record import Record

_OPENSUBTITLES = re.compile(r"(\d{4}/\d+/\d+)\.xml")
_ANY = re.compile(r"[a-z]{2,3}(?:_[A-Za-z]+)?/(\w[\w./-]*?)\.xml")


class DocumentSplit(Record, frozen=True):
    """The number of documents and lines written, and their folder."""

    folder: str
    documents: int
    lines: int
    stray: int = 0
    """Lines of the year 1191, which is none of OpenSubtitles': left out, as both sets' scripts do."""


def documents(
    ids: str | Path,
    source: str | Path,
    target: str | Path,
    out: str | Path,
    *,
    source_language: str | None = None,
    target_language: str | None = None,
) -> DocumentSplit:
    """Split OPUS text, aligned line by line with its ``.ids`` file, into documents in folders by year.

    The default languages are the files' endings. Only one document at a time is in memory. Nothing is left in ``out``
    if it fails.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.ids").write_text("en/1999/1/a.xml.gz\\tde/1999/1/b.xml.gz\\t1\\t1\\n")
    >>> _ = (folder / "a.en").write_text("A dog.\\n")
    >>> _ = (folder / "a.de").write_text("Ein Hund.\\n")
    >>> done = documents(folder / "a.ids", folder / "a.en", folder / "a.de", folder / "documents")
    >>> done.documents, done.lines
    (1, 1)
    """
    endings = [f".{source_language or _language(source)}", f".{target_language or _language(target)}"]
    with _becoming(Path(out)) as folder:
        count = lines = stray = 0
        with progress("splitting", unit="lines") as advance:
            for name, pairs in document_runs(ids, source, target):
                if name.startswith("1191_"):
                    stray += len(pairs)
                    continue
                place = folder / name.partition("_")[0] if re.match(r"\d{4}_", name) else folder
                place.mkdir(exist_ok=True)
                for ending, texts in zip(endings, zip(*pairs, strict=True), strict=True):
                    with open(place / f"{name}{ending}", "a", encoding="utf-8", newline="\n") as stream:
                        count += ending == endings[0] and stream.tell() == 0
                        stream.write("\n".join(texts) + "\n")
                lines += len(pairs)
                advance(len(pairs))
    return DocumentSplit(str(out), count, lines, stray)


def _language(path: str | Path) -> str:
    name = Path(path).name.removesuffix(".gz").removesuffix(".zst")
    found = re.search(r"\.([a-z]{2,3}(?:_[A-Za-z]+)?)$", name)
    if not found:
        raise InputError(path, "expected a file name that ends in its language, as in OpenSubtitles.de-en.en")
    return found[1]


def document_runs(
    ids: str | Path, source: str | Path, target: str | Path
) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Each run of lines of the same document, with its name."""
    current = ""
    pairs: list[tuple[str, str]] = []
    for number, (line, left, right) in enumerate(files.open_aligned(ids, source, target), start=1):
        name = _name(line)
        if name is None:
            raise InputError(ids, f"expected ids such as en/1990/100/5000.xml.gz, found {line[:60]!r}", line=number)
        if name != current and pairs:
            yield current, pairs
            pairs = []
        current = name
        pairs.append((left, right))
    if pairs:
        yield current, pairs


def _name(line: str) -> str | None:
    """
    >>> _name("en/1990/100/5000.xml.gz\\tde/1990/100/5001.xml.gz"), _name("en/ep-00-01-17.xml.gz\\tde/x.xml.gz")
    ('1990_100_5000', 'ep-00-01-17')
    """
    found = _OPENSUBTITLES.search(line) or _ANY.match(line)
    return found[1].replace("/", "_") if found else None


@contextmanager
def _becoming(folder: Path) -> Iterator[Path]:
    """A folder to fill that takes the name of ``folder``, or joins what is in it, when the block ends well."""
    temporary = folder.with_name(f".{folder.resolve().name}.{os.getpid()}.tmp")
    try:
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir(parents=True)
        yield temporary
        if not folder.exists():
            temporary.rename(folder)
        else:
            for file in [file for file in temporary.rglob("*") if file.is_file()]:
                place = folder / file.relative_to(temporary)
                place.parent.mkdir(parents=True, exist_ok=True)
                file.replace(place)
    except OSError as error:
        raise InputError(folder, f"cannot be written ({error.strerror or error})") from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


class Documents:
    """A folder of documents, read as they are asked for; the last few are kept."""

    def __init__(
        self, folder: str | Path, source_language: str, target_language: str, *, keep: int = 64, cut: bool = False
    ) -> None:
        """With ``cut``, a document ends where its shorter side does; a warning says so."""
        self.folder, self._cut = Path(folder), cut
        self.source_language, self.target_language = source_language, target_language
        self._keep = keep
        self._read: OrderedDict[str, tuple[list[str], list[str]]] = OrderedDict()
        if not self.folder.is_dir():
            raise InputError(folder, "expected a folder of documents from `kontrast documents`")

    def pair(self, document: str) -> tuple[list[str], list[str]]:
        """The source and target lines of the document with that id (its language ending does not matter)."""
        name = _bare(document)
        if name in self._read:
            self._read.move_to_end(name)
            return self._read[name]
        paths = [self._path(name, language) for language in (self.source_language, self.target_language)]
        source, target = self._sides(*paths)
        self._read[name] = source, target
        if len(self._read) > self._keep:
            self._read.popitem(last=False)
        return source, target

    def _sides(self, *paths: Path) -> tuple[list[str], list[str]]:
        if self._cut:
            source, target = (files.read_lines(path) for path in paths)
            if (size := min(len(source), len(target))) < max(len(source), len(target)):
                told = f"{len(source):,} lines, but {paths[1].name} has {len(target):,}"
                told += f"; both are cut to {size:,} as in the original"
                print(f"kontrast: warning: {paths[0]} has {told}", file=sys.stderr)
            return source[:size], target[:size]
        rows = list(files.read_aligned(*paths))
        return [source for source, _ in rows], [target for _, target in rows]

    def path(self, document: str) -> Path:
        """The file of its target side."""
        return self._path(_bare(document), self.target_language)

    def _path(self, name: str, language: str) -> Path:
        if not all(re.match(r"[^.]", part) for part in name.split("/")):
            raise InputError(self.folder, f"expected a document's name, found {name!r}")
        bare = name.rpartition("/")[2]  # CTXPro: en-de/2017/2017_100_200
        paths = [self.folder / bare.partition("_")[0] / f"{bare}.{language}", self.folder / f"{bare}.{language}"]
        found = next((path for path in (self.folder / f"{name}.{language}", *paths) if path.is_file()), None)
        below = [found] if found else self._by_name.get(f"{bare}.{language}", [])
        if len(below) > 1:
            raise InputError(below[0], f"expected each document once, found it also in {below[1].parent}")
        if not below:
            raise InputError(paths[0], "there is no such document; all documents of a suite are needed")
        return below[0]

    @cached_property
    def _by_name(self) -> dict[str, list[Path]]:
        """The files below the folder: a corpus of one's own may have other folders than years."""
        found: dict[str, list[Path]] = {}
        for language in (self.source_language, self.target_language):
            for path in sorted(self.folder.rglob(f"*.{language}")):
                found.setdefault(path.name, []).append(path)
        return found


def _bare(document: str) -> str:
    return re.sub(r"\.[a-z]{2,3}$", "", document)


class ContextSpan(msgspec.Struct, frozen=True):
    """Sentences before (None: all there are, within ``tokens``) and after the current one."""

    previous: int | None = 0
    next: int = 0
    tokens: int | None = None

    def before(self, *sides: Sequence[str]) -> int:
        """How many of the preceding sentences, given for each language oldest first, to take.

        With a budget of words, as many whole sentences as fit it in every language.

        >>> ContextSpan(previous=None, tokens=5).before(["a b c", "d e", "f"], ["a b", "c", "d e f g h"])
        1
        """
        count = min((len(side) for side in sides), default=0)
        wanted = count if self.previous is None else min(self.previous, count)
        if self.tokens is None:
            return wanted
        spent = [0] * len(sides)
        for taken in range(wanted):
            spent = [words + len(side[-1 - taken].split()) for words, side in zip(spent, sides, strict=True)]
            if max(spent) > self.tokens:
                return taken
        return wanted


def parse_span(texts: Iterable[str]) -> ContextSpan:
    """Read ``2``, ``prev:2``, ``next:1``, ``tokens:100``, several of them together; or ``none``."""
    found: dict[str, int] = {}
    texts = tuple(texts)
    if [text.strip() for text in texts] == ["none"]:
        return ContextSpan()
    for text in texts:
        for part in text.split("+"):
            kind, colon, number = part.strip().partition(":")
            if not colon:
                kind, number = "prev", kind
            if kind not in ("prev", "next", "tokens") or not (number.isascii() and number.isdigit()):
                raise KontrastError(
                    f"--context: expected N, prev:N, next:N or tokens:N (or none, alone), found {text!r}"
                )
            if kind in found:
                raise KontrastError(f"--context: {kind} is given twice, as {found[kind]} and {number}; give it once")
            found[kind] = int(number)
    tokens = found.get("tokens")
    return ContextSpan(found.get("prev", 0 if tokens is None else None), found.get("next", 0), tokens)
