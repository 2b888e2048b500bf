"""Formats: those of the published test sets, and a few that belong to none.

A format is found by name and recognised by looking. That of a published set is in `kontrast.testsets`; one that
belongs to no set is a file here with its functions, and ``NAME.toml``, by which it is found. Other packages add
formats through the entry points ``kontrast.formats``; users declare them in TOML (`declared`).
"""

import importlib
import re
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from kontrast.defaults import SEED
from kontrast.errors import InputError, KontrastError
from kontrast.io import files
from kontrast.io.json_input import read_json
from kontrast.io.names import language_code
from kontrast.io.numbers import whole_number
from kontrast.io.tables import is_table
from kontrast.options import read_options
from kontrast.plugins import loaded_plugin, plugin_names, plugin_package
from kontrast.record import Record
from kontrast.suites.demo import locate
from kontrast.suites.formats.declared import FormatDeclaration, declared_format, declared_suite, read_declaration
from kontrast.suites.formats.declared_rows import NamedRow
from kontrast.suites.formats.format import Format, Lost, Peek
from kontrast.suites.formats.loss import read_back, suite_losses
from kontrast.suites.model import Suite
from kontrast.suites.subset import chosen_items, sampled
from kontrast.suites.testset import declaration, testset, testsets

__all__ = ["Format", "Lost", "Peek", "SuiteLike", "as_suite", "detect", "get", "load", "names", "save"]

_LAST = ("table", "rows")
"""They recognise much, so they are tried after the formats of the sets."""


@cache
def own_formats() -> tuple[str, ...]:
    """Those that belong to no published test set, in the order in which they are tried.

    >>> own_formats()
    ('native', 'table', 'rows')
    """
    found = sorted(path.stem for path in Path(__file__).parent.glob("*.toml"))
    return ("native", *(name for name in found if name not in ("native", *_LAST)), *_LAST)


GENERAL = {
    "lang": "the languages, as in en-fr, if the file does not name them or names others",
    "limit": "number of items for a first trial, spread over the phenomena",
    "seed": "seed for the items of limit",
    "only": "TAG=VALUE, or several with commas: only items with these tags, such as phenomenon=negation,tense",
    "segment_base": "0 or 1: the number of a document's first line in the items' segments",
}
"""Options of every format."""

_NUMBERS = re.compile(r"(?:-?[0-9.]+(?:e[-+]?[0-9]+)?\s+){2}", re.IGNORECASE)


def names() -> list[str]:
    """Every format, in the order in which they are tried; the more particular first."""
    own, sets = own_formats(), [name for name, each in testsets().items() if each.format]
    before, after = own[: -len(_LAST)], own[-len(_LAST) :]
    added = [name for name in plugin_names("formats", (*own, *sets)) if loaded_plugin("formats", name)]
    return [*before, *added, *sets, *after]


def get(name: str, beside: str | Path = "") -> Format:
    """The format of that name, or of a declaration: a TOML file, which may lie ``beside`` the data."""
    module: Any
    if name.endswith(".toml"):
        near = Path(beside).parent / name
        place = Path(name) if Path(name).is_file() or not near.is_file() else near
        if not place.is_file():
            raise KontrastError(f"there is no declaration {name}, neither here nor in the folder of {beside}")
        return declared_format(read_declaration(place), place)
    if name in own_formats():
        module = importlib.import_module(f"kontrast.suites.formats.{name}")
        said = declaration(Path(module.__file__).with_suffix(".toml"))
        return said.reader(name, module, module.read, getattr(module, "write", None))
    if name not in names():
        raise KontrastError(f"there is no format {name!r}; known: {', '.join(names())}")
    if name in testsets():
        return testset(name).reader()
    module = loaded_plugin("formats", name)
    fmt: Format = module.FORMAT
    return fmt


def detect(path: str | Path) -> Format:
    """The format of a file or folder, or of files that begin so, by what is there."""
    path = _find(path)
    peek, exists = Peek(path), _exists(path)
    for name in names():
        fmt = get(name)
        if (exists or fmt.prefix) and _recognises(fmt, peek):
            return fmt
    raise _unrecognised(peek) if exists else InputError(path, "there is no such file or folder")


def _recognises(fmt: Format, peek: Peek) -> bool:
    try:
        return fmt.detect(peek)
    except (OSError, ValueError):  # a name too long, empty, or with a NUL in it
        return False
    except Exception as error:
        if fmt.name not in plugin_names("formats"):
            raise
        told = f"the format {fmt.name!r} of {plugin_package('formats', fmt.name)} is ignored"
        print(f"kontrast: warning: {told}: {type(error).__name__}: {error}", file=sys.stderr)
        return False


def _unrecognised(peek: Peek) -> InputError:
    """Why no format took it: it is broken, or none of ours."""
    if not peek.is_folder:
        if not files.read_text(peek.path).strip():
            return InputError(peek.path, "expected a suite, found an empty file", line=1)
        with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            if keys := list(msgspec.json.decode(peek.head.partition("\n")[0], type=dict[str, Any])):
                told = f"expected a suite, found JSON lines with the keys {', '.join(keys[:8])}"
                return InputError(peek.path, f"{told}; declare the right and wrong ones: ?format=my.toml")
        if peek.head[:1] in ("[", "{"):
            read_json(peek.path, object)
        if _NUMBERS.match(peek.head):
            return InputError(peek.path, "expected a suite, found numbers as in a score file; give the suite first")
        if is_table(peek.path):
            return InputError(
                peek.path,
                "is none of the known formats; your own table needs the columns source, right and wrong, or a "
                "declaration of its columns: ?format=my.toml",
            )
    return InputError(
        peek.path, f"is none of the known formats ({', '.join(names())}); if it is one of them, use --from"
    )


def _find(path: str | Path) -> Path:
    """The path, a bundled suite, or a suite of the catalogue that was fetched."""
    found = locate(path)
    if _exists(found) or Path(path).name != str(path):
        return found
    from kontrast.suites.catalogue import fetched

    return fetched(str(path)) or found


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name too long, or with a NUL in it
        return False


def load(path: str | Path, format: str | None = None, **options: Any) -> Suite:
    """Read a suite; the format is recognised unless you name it.

    ``demo:de`` and ``demo:fr`` are the bundled suites; a name of the catalogue is the downloaded suite. Options are
    those of the format, such as ``context=2`` for rows; they can also follow the path:
    ``OpenSubs?context=2`` (and ``format=FORMAT`` among them). A format can be your own declaration:
    ``mine.tsv?format=mine.toml``. Every format takes ``lang=en-fr``,
    ``segment_base=0``, ``only=phenomenon=negation`` (some items) and ``limit=100`` (a first trial).

    >>> import kontrast
    >>> suite = kontrast.load("demo:de?limit=5")
    >>> len(suite.items), suite.items[0].best.text
    (5, 'Der Zug nach Hamburg fährt um neun Uhr ab.')
    """
    from kontrast.suites.hub import HUB

    if not _exists(Path(path)):
        path, behind = _split_options(str(path))
        named = [behind.pop(name) for name in ("from", "format") if name in behind]
        format = format or next(iter(named), None)
        options = behind | options
    if str(path).startswith(HUB):
        general = {name: str(options.pop(name)) for name in GENERAL if options.get(name) is not None}
        return _with_general(_from_hub(str(path), format, **options), general)
    if str(path).startswith("hf:/"):
        raise KontrastError(f"{path}: expected {HUB}OWNER/NAME or {HUB}OWNER/NAME/CONFIG")
    path = _find(path)
    fmt = get(format, path) if format else detect(path)
    own = fmt.options or {}
    general = {
        name: str(options.pop(name))
        for name in GENERAL
        if options.get(name) is not None and (name not in own or "=" in str(options[name]))
    }
    known = own | GENERAL
    if unknown := sorted(set(options) - set(known)):
        has = f"it has {', '.join(known)}" if known else "it has none"
        raise KontrastError(f"the {fmt} format has no option {', '.join(unknown)}; {has}")
    if not fmt.prefix and not _exists(path):
        raise InputError(path, "there is no such file or folder")
    return _with_general(fmt.read(path, **options), general)


SuiteLike = Suite | str | Path
"""A suite, or where it is: a file, a folder, a name of the catalogue, ``demo:de``."""


def as_suite(suite: SuiteLike, format: str | None = None) -> Suite:
    """The suite itself, or what `load` reads there.

    >>> as_suite("demo:fr").name
    'demo-fr'
    """
    return suite if isinstance(suite, Suite) else load(suite, format)


def _from_hub(
    address: str, format: str | None, split: str | None = None, revision: str | None = None, **options: Any
) -> Suite:
    """A data set of the hub: one text file is read as if it lay here, Parquet and parts by their columns."""
    from kontrast.suites.hub import hub_files, rows_of

    found = hub_files(address, split, revision)
    first = found.paths[0]
    if len(found.paths) == 1 and not first.name.endswith(".parquet"):
        suite = load(first, format, **options)
    else:
        if options:
            raise KontrastError(f"{address}: there is no option {', '.join(options)}; it has split, revision, format")
        names_of_columns = set(next(rows_of([first]), NamedRow(None, {})).cells)
        declared = _declaration(address, format, names_of_columns)
        suite = declared_suite(first, rows_of(found.paths), declared[1], declared[0], declared[0])
    target = found.config if suite.style == "multiblimp" else suite.target_language
    return msgspec.structs.replace(suite, name=found.name, version=found.revision, target_language=target)


def _declaration(address: str, format: str | None, columns: set[str]) -> tuple[str, FormatDeclaration]:
    """The declaration that a user names, or the first of the sets' that these columns fit."""
    if format is not None and format.endswith(".toml"):
        return format, read_declaration(format)
    for name, each in testsets().items():
        declared: FormatDeclaration | None = getattr(each.parts(), "DECLARED", None) if each.format else None
        if declared and format in (None, name) and {r for r in declared.roles() if not r.endswith("?")} <= columns:
            return name, declared
    told = ", ".join(sorted(columns))
    raise KontrastError(f"{address}: its columns ({told}) belong to no known set: declare them with ?format=my.toml")


def _with_general(suite: Suite, given: dict[str, str]) -> Suite:
    """The suite with what stands behind its path and its file does not say."""
    changes: dict[str, Any] = {}
    if "lang" in given:
        source, dash, target = given["lang"].partition("-")
        if not dash and not any(item.source for item in suite.items):  # minimal pairs of one language
            changes["target_language"] = language_code(source)
        elif not dash:
            raise KontrastError(f"lang={given['lang']}: expected two languages, as in lang=en-fr")
        else:
            changes |= {"source_language": language_code(source), "target_language": language_code(target)}
    if "segment_base" in given:
        if given["segment_base"] not in ("0", "1"):
            raise KontrastError(f"segment_base={given['segment_base']}: expected 0 or 1")
        changes["segment_base"] = int(given["segment_base"])
    suite = msgspec.structs.replace(suite, **changes) if changes else suite
    for language in (suite.source_language, suite.target_language):
        if language is not None:  # they become parts of file names
            language_code(language)
    if "only" in given:
        suite = chosen_items(suite, given["only"])
    if "limit" in given:
        size, seed = whole_number(given["limit"]), whole_number(given.get("seed", str(SEED)))
        if size is None or seed is None:
            raise KontrastError(f"limit={given['limit']}: expected a number of items, as in limit=100 (and seed=1)")
        return sampled(suite, size, seed)
    return suite


def _split_options(path: str) -> tuple[str, dict[str, Any]]:
    """
    >>> _split_options("data/OpenSubs?context=2&group=2")
    ('data/OpenSubs', {'context': '2', 'group': '2'})
    """
    bare, mark, text = path.partition("?")
    return bare, dict(read_options(text.split("&"), path)) if mark else {}


def save(suite: Suite, path: str | Path, format: str = "native") -> list[Lost]:
    """Write a suite and return the fields that the format cannot store; nothing is dropped silently.

    >>> import tempfile
    >>> import kontrast
    >>> path = Path(tempfile.mkdtemp()) / "mine.json"
    >>> lost = kontrast.save(kontrast.load("demo:fr?limit=2"), path, "contrapro")
    >>> [each.field for each in lost][:3]
    ['id', 'source_context', 'target_context']
    >>> len(kontrast.load(path).items)
    2
    """
    fmt = get(format)
    if fmt.write is None:
        raise KontrastError(f"the {fmt} format can be read but not written")
    lost = fmt.write(suite, Path(path)) + suite_losses(suite, fmt)
    if fmt.name == "native" or not suite.items:
        return lost
    return lost + read_back(suite, Path(path), fmt, [each.field for each in lost])


class Conversion(Record, frozen=True):
    """The counts of a conversion and the fields that were lost.

    ``formulas`` is the number of cells of a CSV file that a spreadsheet program would run.
    """

    name: str
    items: int
    rows: int
    to_format: str
    lost: list[Lost]
    formulas: int = 0


def target_format(out: str | Path, asked: str | None = None) -> str:
    """The format to write: the one that is asked for, else that of the file's ending."""
    target = asked or guess(out)
    if get(target).write is None:
        raise KontrastError(f"the {target} format can be read but not written; {_writable()}")
    return target


def guess(out: str | Path) -> str:
    """The format to write by the file's ending, where there is no doubt."""
    name = str(out).removesuffix(".gz").removesuffix(".zst")
    if name == "-" or name.endswith(".jsonl"):
        return "native"
    if name.endswith((".csv", ".tsv", ".xlsx")):
        return "table"
    raise KontrastError(f"{out}: the file name does not determine the format; give --to ({_writable()})")


def _writable() -> str:
    return ", ".join(name for name in names() if get(name).write is not None)
