"""A UniMorph file as a lexicon for any language: lines of lemma, form and features, tab-separated; ``.gz`` too.

It is read once, line by line, into an index in the cache folder (``KONTRAST_CACHE``, else ``~/.cache/kontrast``),
which is made anew when the file has changed.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from kontrast.errors import InputError
from kontrast.io.cache import cache_folder
from kontrast.io.files import open_lines
from kontrast.language.lexicon import Analysis, fits, same_class
from kontrast.language.lexicons.unimorph_features import universal
from kontrast.progress import progress

_SCHEMA = """
CREATE TABLE word (lemma TEXT NOT NULL, form TEXT NOT NULL, features TEXT NOT NULL);
"""
_INDEX = "CREATE INDEX by_lemma ON word (lemma); CREATE INDEX by_form ON word (form);"


class UniMorph:
    """Words of a UniMorph file; forms are generated in the file's order.

    >>> path = Path(tempfile.mkdtemp()) / "spa"
    >>> _ = path.write_text("hablar\\thabla\\tV;IND;PRS;3;SG\\nhablar\\thablan\\tV;IND;PRS;3;PL\\n")
    >>> spanish = UniMorph("es", path)
    >>> spanish.generate("hablar", "VERB", Person="3", Number="Plur"), spanish.analyse("habla")[0].features["Tense"]
    (['hablan'], 'Pres')
    """

    licence = "CC BY-SA 3.0 (most files; see the file's own)"

    def __init__(self, language: str, path: str | Path) -> None:
        self.name, self.language = f"unimorph:{path}", language
        self._words = sqlite3.connect(_index(Path(path)), check_same_thread=False)

    def analyse(self, form: str) -> list[Analysis]:
        return self._found("form", form)

    def generate(self, lemma: str, pos: str | None = None, /, **features: str) -> list[str]:
        found = (a for a in self._found("lemma", lemma) if same_class(a.pos, pos) and fits(a.features, features))
        return list(dict.fromkeys(a.form for a in found))

    def _found(self, column: str, word: str) -> list[Analysis]:
        rows = self._words.execute(
            f"SELECT lemma, form, features FROM word WHERE {column} = ? ORDER BY rowid", (word,)
        )
        return [Analysis(form, lemma, *universal(features)) for lemma, form, features in rows]


def read_unimorph(path: str | Path) -> Iterator[tuple[str, str, str]]:
    """Lemma, form and features of each line; a fourth column (segmentation) and empty lines are passed over."""
    for number, line in enumerate(open_lines(path), start=1):
        if not line.strip():
            continue
        fields = line.split("\t")
        if len(fields) < 3 or not fields[2].strip():
            raise InputError(
                path, f"expected lemma, form and features, tab-separated, found {len(fields)} fields", line=number
            )
        yield fields[0].strip(), fields[1].strip(), fields[2].strip()


def _index(path: Path) -> Path:
    """The file's index, made where there is none or the file has changed since."""
    try:
        state = path.stat()
    except (OSError, ValueError) as error:
        raise InputError(
            path, "there is no such file; expected a UniMorph file (lemma, form, features per line)"
        ) from error
    folder, file = _folder(), _digest(str(path.resolve()))
    place = folder / f"{file}-{_digest(f'{state.st_size} {state.st_mtime_ns}')}.sqlite"
    if not place.exists():
        temporary = place.with_name(f"{place.name}.{os.getpid()}.new")
        try:
            with closing(sqlite3.connect(temporary)) as words:
                words.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + _SCHEMA)
                with progress(f"indexing {path.name}", None, "forms") as advance:
                    words.executemany("INSERT INTO word VALUES (?, ?, ?)", _counted(read_unimorph(path), advance))
                words.executescript(_INDEX)
                words.commit()
                if words.execute("SELECT 1 FROM word").fetchone() is None:
                    raise InputError(path, "is empty: expected lemma, form and features per line")
            for old in folder.glob(f"{file}-*.sqlite"):
                old.unlink(missing_ok=True)
            temporary.replace(place)
        finally:
            temporary.unlink(missing_ok=True)
    return place


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:16]


def _counted(rows: Iterator[tuple[str, str, str]], advance: Callable[[int], None]) -> Iterator[tuple[str, str, str]]:
    for row in rows:
        advance(1)
        yield row


def _folder() -> Path:
    folder = cache_folder() / "lexicons"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except OSError:
        pass
    return Path(tempfile.mkdtemp(prefix="kontrast-lexicon-"))
