"""A UniMorph file as a lexicon for any language: lines of lemma, form and features, tab-separated; ``.gz`` too.

It is read once, line by line, into an index in the cache folder (``KONTRAST_CACHE``, else ``~/.cache/kontrast``),
which is made anew when the file has changed.

Features of UniMorph (Sylak-Glassman 2016) as universal ones; what has no counterpart is kept as ``UniMorph``.
"""

import hashlib
import os
import re
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import lru_cache
from pathlib import Path

from kontrast.errors import InputError
from kontrast.io.files import cache_folder, open_lines
from kontrast.language.lexicon import Analysis, features_of, fits, same_class, tag_tables
from kontrast.progress import progress

_SCHEMA = """
CREATE TABLE word (lemma TEXT NOT NULL, form TEXT NOT NULL, features TEXT NOT NULL);
"""
_INDEX = "CREATE INDEX by_lemma ON word (lemma); CREATE INDEX by_form ON word (form);"


class UniMorph:
    """Words of a UniMorph file; forms are generated in the file's order."""

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


_POS, _FORMS = tag_tables("unimorph")["pos"], tag_tables("unimorph")["forms"]
_KNOWN = {mark: features_of(feature) for mark, feature in tag_tables("unimorph")["features"].items()}
_OWNER = re.compile(r"PSS([123])?([SPD])?$")
_NESTED = re.compile(r"([A-Z]+)\((.*)\)$")


@lru_cache(maxsize=20_000)
def universal(features: str) -> tuple[str, dict[str, str]]:
    """Part of speech and features of a bundle, whatever its order."""
    pos = ""
    found: dict[str, str] = {}
    other: list[str] = []
    for mark in re.split(r";(?![^(]*\))", features):
        if mark in _FORMS or mark in _POS:
            pos = pos or ("VERB" if mark in _FORMS else _POS[mark])
            if mark in _FORMS:
                found["VerbForm"] = _FORMS[mark]
        else:
            known = _one(mark)
            found.update(known)
            if not known and mark:
                other.append(mark)
    if pos not in ("ADJ", "ADV") and found.get("Degree") == "Pos":
        # POS is a positive adjective, and an affirmative verb.
        found["Polarity"] = found.pop("Degree")
    if other:
        found["UniMorph"] = ";".join(other)
    if pos in ("VERB", "AUX") and "VerbForm" not in found and found.keys() & {"Mood", "Person"}:
        # Files leave FIN out where mood or person say it.
        found["VerbForm"] = "Fin"
    return pos, found


def _one(mark: str) -> dict[str, str]:
    """The features of one mark: NOM, NOM/ACC, {1/3}, PSS1S (a possessor), ACC(3,SG) (agreement with an object)."""
    nested, owner = _NESTED.match(mark), _OWNER.match(mark)
    if nested:
        layer = "" if nested[1] in ("NOM", "ERG", "ABS") else f"[{nested[1].lower()}]"
        inner = [feature for part in re.split("[,;]", nested[2]) for feature in _one(part).items()]
        return {name + layer: value for name, value in inner}
    if owner and (owner[1] or owner[2]):
        number = {"S": "Sing", "P": "Plur", "D": "Dual"}.get(owner[2] or "", "")
        return {k: v for k, v in (("Person[psor]", owner[1]), ("Number[psor]", number)) if v}
    if mark in _KNOWN:
        return _KNOWN[mark]
    parts = [_KNOWN.get(part, {}) for part in re.split("[/+]", mark.strip("{}"))]
    names = {name for part in parts for name in part}
    if len(parts) > 1 and all(parts) and len(names) == 1:
        [name] = names
        return {name: ",".join(part[name] for part in parts)}
    return {}
