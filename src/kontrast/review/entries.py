"""What is reviewed: an entry is one wrong variant of one item, or an item that has none.

Entries are read from a suite, from candidates as ``perturb`` and ``build metrics-it`` write them, or from a folder.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from kontrast.building.errors.spec import Candidate
from kontrast.building.metrics_it import ItCandidate
from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.io.json_input import FAILURES, decode
from kontrast.suites import formats
from kontrast.suites.documents import ContextSpan
from kontrast.suites.extraction import with_documents
from kontrast.suites.model import Item, Suite, Variant


def lacks_context(item: Item) -> bool:
    """Does an item about a pronoun hold no sentence before, though its antecedent may stand there?"""
    if "src_pronoun" not in item.tags and "ref_pronoun" not in item.tags:
        return False
    held = item.source_context or item.target_context or any(variant.context for variant in item.variants)
    return not held and item.tags.get("distance") != 0


class ReviewEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One decision for a reader.

    ``key`` is its permanent address; ``variant`` is the place of the candidate among the item's variants (None: the
    item has only its correct one); ``part`` is the file of a folder; ``forms`` are other candidates in its place, and
    ``pair`` are the numbers of the aligned words of source and reference.
    """

    key: str
    item: Item
    variant: int | None
    part: str = ""
    forms: tuple[str, ...] = ()
    pair: tuple[int, int] | None = None

    @property
    def candidate(self) -> str | None:
        return self.item.variants[self.variant].text if self.variant is not None else None

    @property
    def phenomenon(self) -> str:
        """What it is filtered by; empty where the suite does not say."""
        tags = self.item.tags_of(self.item.variants[self.variant] if self.variant is not None else None)
        return str(tags.get("phenomenon") or "")

    @property
    def confidence(self) -> float | None:
        """How sure its maker was, from 0 to 1: the tag of that name; 0 for one that is tagged ``weak``."""
        tags: dict[str, Any] = dict(self.item.tags)
        if self.variant is not None:
            tags |= self.item.variants[self.variant].tags
        value = tags.get("confidence")
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
        return 0.0 if tags.get("weak") is True else None

    @property
    def digest(self) -> str:
        """Of all that a reader sees: a decision holds for exactly that."""
        seen = [self.item, self.variant, self.forms]
        return hashlib.sha256(msgspec.json.encode(seen, order="deterministic")).hexdigest()[:16]


def entries_of(suite: Suite, part: str = "") -> Iterator[ReviewEntry]:
    """An entry for every wrong variant, in suite order."""
    for item in suite.items:
        yield from entries_of_item(item, part)


def entries_of_item(item: Item, part: str = "") -> list[ReviewEntry]:
    """The entries of one item; the only candidate of an item has the item's own id for a key."""
    base = f"{part}:{item.id}" if part else item.id
    wrong = [i for i in range(len(item.variants)) if i != item.correct]
    if len(wrong) < 2:
        return [ReviewEntry(base, item, wrong[0] if wrong else None, part)]
    return [ReviewEntry(f"{base}/{number}", item, i, part) for number, i in enumerate(wrong, start=1)]


def unique(entries: Iterable[ReviewEntry]) -> Iterator[ReviewEntry]:
    """The entries with keys that differ: one that comes again gets ``~2``, ``~3`` …"""
    seen: dict[str, int] = {}
    for entry in entries:
        count = seen[entry.key] = seen.get(entry.key, 0) + 1
        yield entry if count == 1 else msgspec.structs.replace(entry, key=f"{entry.key}~{count}")


CONTEXT = 2
"""Lines before that are shown with a candidate, as the set of mistranslated *it* has them."""


class _Perturbed(Candidate, frozen=True, kw_only=True):
    """A line of ``kontrast perturb``."""

    line: int


class Texts(msgspec.Struct, frozen=True):
    """The whole files that candidates were found in, where the user names them; lines count from 0.

    ``documents`` is the folder of the documents that a suite without context was made from.
    """

    source: Path | None = None
    reference: Path | None = None
    second: Path | None = None
    documents: Path | None = None

    def lines(self, path: Path | None) -> list[str] | None:
        return files.read_lines(path) if path is not None else None


def is_candidates(path: Path) -> bool:
    """Does the file begin with a candidate?"""
    if path.is_dir() or not path.exists():
        return False
    try:
        keys = set(msgspec.json.decode(files.first_line(path) or "null") or ())
    except (*FAILURES, TypeError):
        return False
    return {"line", "type", "text", "edits"} <= keys or {"line", "pair", "pronoun", "reference"} <= keys


def read_candidates(path: Path, texts: Texts = Texts()) -> Iterator[ReviewEntry]:  # noqa: B008 - a frozen record
    """Every candidate of the file as an entry."""
    source, reference, second = (texts.lines(p) for p in (texts.source, texts.reference, texts.second))
    if source is not None and reference is not None and len(source) != len(reference):
        raise InputError(
            texts.reference or path, f"expected {len(source)} lines as in {texts.source}, found {len(reference)}"
        )
    perturbed, aligned = msgspec.json.Decoder(_Perturbed), msgspec.json.Decoder(ItCandidate)
    for number, line in enumerate(files.open_lines(path), start=1):
        if not line.strip():
            continue
        if '"pair"' in line[:200]:
            found = decode(aligned, line, path, number, "a candidate of build metrics-it")
            yield _from_aligned(path, number, found, source, reference, second)
        else:
            made = decode(perturbed, line, path, number, "a candidate of perturb")
            yield _from_perturbed(path, number, made, source)


def _from_perturbed(path: Path, number: int, made: _Perturbed, source: Sequence[str] | None) -> ReviewEntry:
    text = _at(path, number, source, made.line) if source is not None else ""
    tags: dict[str, Any] = {"line": made.line + 1}
    own: dict[str, Any] = {"distance": made.distance, "frequency": made.frequency, "chain": made.chain or None}
    own |= {"confidence": made.confidence, "reasons": " ".join(made.reasons) or None}
    foil_tags = {key: value for key, value in own.items() if value is not None}
    if made.repaired is not None:
        foil_tags["repaired"] = made.repaired
    reference = _undone(path, number, made)
    return ReviewEntry(
        key=f"{made.line + 1}.{made.type}.{number}",
        item=Item(
            id=f"{made.line + 1}.{made.type}.{number}",
            source=text,
            variants=(Variant(reference), Variant(made.text, error=made.type, tags=foil_tags)),
            tags=tags,
        ),
        variant=1,
        forms=(made.repaired,) if made.repaired else (),
    )


def _undone(path: Path, number: int, made: _Perturbed) -> str:
    """The sentence before its edits, whose places are those of that sentence."""
    text, cursor, shift = [], 0, 0
    for edit in sorted(made.edits, key=lambda e: e.start):
        start = edit.start + shift
        if made.text[start : start + len(edit.new)] != edit.new or start < cursor:
            raise InputError(
                path, f"expected {edit.new!r} at character {start} of the text, by its edits", line=number
            )
        text += [made.text[cursor:start], edit.old]
        cursor = start + len(edit.new)
        shift += len(edit.new) - len(edit.old)
    return "".join(text) + made.text[cursor:]


def _from_aligned(
    path: Path,
    number: int,
    found: ItCandidate,
    source: Sequence[str] | None,
    reference: Sequence[str] | None,
    second: Sequence[str] | None,
) -> ReviewEntry:
    line = found.line - 1
    for lines, text, what in ((source, found.source, "source"), (reference, found.reference, "reference")):
        if lines is not None and _at(path, number, lines, line) != text:
            raise InputError(path, f"does not belong to this {what}: line {found.line} has another text", line=number)
    before = slice(max(line - CONTEXT, 0), line)
    facts = {
        "line": found.line,
        "src_pronoun": "it",
        "ref_pronoun": found.pronoun,
        "antecedent": found.antecedent,
        "antecedent_translation": found.antecedent_translation,
        "distance": found.distance,
    }
    key = f"{found.line}.{found.pair[0]}-{found.pair[1]}"
    others: tuple[Variant, ...] = ()
    if second is not None:
        others = (Variant(_at(path, number, second, line), context=tuple(second[before])),)
    item = Item(
        id=key,
        source=found.source,
        variants=(
            Variant(found.reference),
            Variant(found.wrong[0] if found.wrong else found.reference, error="pronoun_it"),
        ),
        source_context=tuple(source[before]) if source is not None else None,
        target_context=tuple(reference[before]) if reference is not None else None,
        references=others,
        segment=found.line,
        tags={name: value for name, value in facts.items() if value is not None},
    )
    return ReviewEntry(key=key, item=item, variant=1, forms=tuple(found.wrong[1:]), pair=found.pair)


def _at(path: Path, number: int, lines: Sequence[str], line: int) -> str:
    if not 0 <= line < len(lines):
        raise InputError(path, f"expected a line from 1 to {len(lines)}, found {line + 1}", line=number)
    return lines[line]


CANDIDATES = "candidates.jsonl"
FEWEST, MOST = 2, 10
"""Sentences before that documents give: as far back as antecedents stand, within these."""
ENDINGS = (".json", ".jsonl", ".tsv", ".csv")


class ReviewFiles(msgspec.Struct, frozen=True):
    """All entries, to be gone through once, and for each part (file) its suite without items, for an export."""

    name: str
    entries: Iterable[ReviewEntry]
    headers: dict[str, Suite]

    @property
    def languages(self) -> tuple[str | None, str | None]:
        found = next(iter(self.headers.values()), Suite("", ()))
        return found.source_language, found.target_language


def read(
    path: str | Path,
    *,
    format: str | None = None,
    pair: str | None = None,
    texts: Texts = Texts(),  # noqa: B008
) -> ReviewFiles:
    """Read what is to be reviewed. ``pair`` gives languages that the file does not say."""
    place = Path(path)
    if format is None and place.is_dir() and not _is_suite(place):
        if (place / CANDIDATES).exists():
            place = place / CANDIDATES
        else:
            return _folder(place, pair, texts)
    entries, header = _one(place if place.exists() else path, "", format, pair, texts)
    return ReviewFiles(header.name, unique(entries), {"": header})


def _folder(folder: Path, pair: str | None, texts: Texts) -> ReviewFiles:
    """Every suite and every file of candidates in it, each a part of its own."""
    entries: list[Iterable[ReviewEntry]] = []
    headers: dict[str, Suite] = {}
    for path in sorted(folder.iterdir()):
        named = path.name.removesuffix(".gz").removesuffix(".zst").endswith(ENDINGS) and path.name[0] != "."
        if not path.is_file() or not named or not (is_candidates(path) or _is_suite(path)):
            continue
        found, headers[path.name] = _one(path, path.name, None, pair, texts)
        entries.append(found)
    if not headers:
        raise InputError(folder, "contains no suite and no candidates")
    return ReviewFiles(folder.resolve().name, unique(chain.from_iterable(entries)), headers)


def _one(
    path: str | Path, part: str, format: str | None, pair: str | None, texts: Texts
) -> tuple[Iterable[ReviewEntry], Suite]:
    if format is None and is_candidates(Path(path)):
        made = list(read_candidates(Path(path), texts))
        entries = [msgspec.structs.replace(e, part=part, key=f"{part}:{e.key}" if part else e.key) for e in made]
        aligned = any(entry.pair is not None for entry in entries)
        source, target = languages_of(pair) if pair else ("en", "de") if aligned else (None, None)
        style = "pro-errors" if aligned else None
        name = files.suite_name(path)
        if name == files.suite_name(CANDIDATES):
            name = Path(path).resolve().parent.name
        return entries, Suite(name, (), source, target, style=style)
    suite = formats.load(path, format)
    if pair:
        source, target = languages_of(pair)
        suite = msgspec.structs.replace(suite, source_language=source, target_language=target)
    if texts.documents is not None and any(item.document for item in suite.items):
        far = (str(item.tags.get("distance", "")) for item in suite.items)
        most = max([FEWEST, *(int(each) for each in far if each.isdecimal())])
        suite = with_documents(suite, texts.documents, ContextSpan(previous=min(most, MOST)))
    return entries_of(suite, part), msgspec.structs.replace(suite, items=())


def languages_of(pair: str) -> tuple[str, str]:
    """Source and target of ``--pair en-pt``."""
    source, _, target = pair.partition("-")
    if not source or not target:
        raise KontrastError(f"--pair: expected two languages as in en-pt, found {pair!r}")
    return source, target


def _is_suite(path: Path) -> bool:
    try:
        formats.detect(path)
    except KontrastError:
        return False
    return True


def fingerprint(path: str | Path, *others: Any) -> str | None:
    """Of the bytes of the file, or of all files of the folder; None where there is nothing on disk to look at."""
    place = Path(path)
    if not (place.is_file() or place.is_dir()):  # a pipe would never end; the reader says so
        return None
    digest = hashlib.sha256(repr(others).encode())
    named = sorted(p for p in place.rglob("*") if p.is_file()) if place.is_dir() else [place]
    for name in named:
        digest.update(f"{name.name}\0".encode())
        with open(name, "rb") as stream:
            hashlib.file_digest(stream, lambda: digest)
    return digest.hexdigest()
