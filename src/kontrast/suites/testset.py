"""A published test set as it declares itself, and the registry of those that are there.

Each set is a file ``kontrast/testsets/NAME.toml``: what it is (``[set]``) and its entries in the catalogue. The
functions that read it, and those of its layout, script and check, are in ``NAME.py``. A plain set needs none: its
``[format]`` says how it is read (`kontrast.suites.formats.declared`). The names are in ``kontrast.testsets.SETS``.
Other packages add sets through the entry points ``kontrast.testsets``: a module with ``TESTSET`` and ``FORMAT``.
"""

from __future__ import annotations

import importlib
import importlib.util
import tomllib
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from kontrast.errors import InputError, KontrastError
from kontrast.io.toml_input import from_toml, read_toml
from kontrast.plugins import loaded_plugin, plugin_names

if TYPE_CHECKING:
    from kontrast.suites.documents import Documents
    from kontrast.suites.formats.format import Format, Peek, Read, Write
    from kontrast.suites.model import Item, Suite


@dataclass(frozen=True)
class Option:
    """An option of a set's own script, under the name that the script gives it.

    >>> Option("--latex-polarity", "Also the polarity table.").name
    'latex_polarity'
    """

    flag: str
    help: str
    takes: Literal["nothing", "words", "json"] = "nothing"
    choices: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """As a Python argument."""
        return self.flag.lstrip("-").replace("-", "_")


@dataclass(frozen=True)
class Original:
    """The set's own evaluation script: its ``lines(suite, scores, options)`` are what it prints.

    Every one takes ``--maximize``. ``higher_is_better`` is its default for files without a signature.
    """

    options: tuple[Option, ...] = ()
    higher_is_better: bool = False


@dataclass(frozen=True)
class TextLayout:
    """The set's own layout of extracted text: its ``columns(suite, request)`` makes it.

    ``first_segment`` is the number of a document's first line in ``segment id``; ``options`` are the options of
    `extract` that only its tool has (``tokens``: a limit of context in words). ``context`` is how many sentences it
    takes unless told; ``cut``: it cuts documents of unequal length to the shorter side.
    """

    first_segment: int = 1
    options: tuple[str, ...] = ()
    context: int = 1
    cut: bool = False


@dataclass(frozen=True)
class Bins:
    """Bins of a number: one per top (the largest value in it), and one for what is larger.

    >>> Bins((0, 1, 2, 5), ("0", "1", "2", ">2"), ">5").place(3)
    (3, '>2')
    """

    tops: tuple[int, ...]
    names: tuple[str, ...]
    above: str

    def place(self, value: float) -> tuple[int, str]:
        """The bin's place from the lowest, and its name."""
        i = bisect_left(self.tops, value)
        return i, self.names[i] if i < len(self.names) else self.above


class SetDeclaration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``[set]`` of a published set's file: what it has beside the functions of its module.

    ``[format]`` is the same for a format that belongs to no set: its fields up to ``options``.

    Its JSON is known by its ``keys``, and by being ``without`` a text, unless the module has ``detect``. ``unit``
    "any": the format says it, or has no need to. A language that the format does not take for granted is empty.
    """

    summary: str
    examples: tuple[str, ...]
    keys: tuple[str, ...] = ()
    without: str = ""
    languages: tuple[str, str] | None = None
    unit: Literal["item", "pair", "any"] = "item"
    prefix: bool = False
    folder: bool = False
    extra: frozenset[str] | Literal["any"] = frozenset()
    options: dict[str, str] | None = None
    layout: TextLayout | str | None = None
    original: Original | str | None = None
    of: str | None = None
    check_options: tuple[str, ...] = ()
    bins: dict[str, Bins] = {}
    references: dict[str, Any] | None = None
    """How the keys of a list of references with their errors are named (`kontrast.suites.formats.entry.Layout`)."""
    needed: dict[str, str] = {}
    """Tags without which a list of references would be read again as another set's, and what they are."""
    tags: dict[str, str] = {}
    """The tags that keys of other objects become."""

    def knows(self, peek: Peek) -> bool:
        return peek.has_keys(*self.keys) and not (self.without and self.without in peek.head)

    def reader(self, name: str, parts: Any, read: Read, write: Write | None) -> Format:
        """The format with these functions; the module may have ``detect`` and ``OPTIONS`` too."""
        from kontrast.suites.formats.format import Format

        first, second = self.languages or ("", "")
        return Format(
            name,
            self.summary,
            getattr(parts, "detect", self.knows),
            read,
            write,
            options=getattr(parts, "OPTIONS", self.options),
            examples=self.examples,
            prefix=self.prefix,
            folder=self.folder,
            unit=None if self.unit == "any" else self.unit,
            languages=(first or None, second or None) if self.languages else None,
            extra=None if self.extra == "any" else self.extra,
        )


@cache
def declaration(path: Path) -> SetDeclaration:
    """``[set]`` or ``[format]`` of a file. A set's entries come after it, and are read by the catalogue."""
    table = read_toml(path, path.read_text("utf-8").partition("[[entry]]")[0])
    return from_toml(path, table.get("set") or table["format"], SetDeclaration)


@dataclass(frozen=True)
class TestSet:
    """A set: what its TOML file or its module declares.

    ``layout`` and ``original`` may name another set, whose tool this one uses. ``mine`` says which suites of another
    set's format (``of``) are this set's; it is given the suite and the target language that was asked for.
    ``check_options`` are options of its own check by name, switches all.
    ``row_order`` puts scores into the order of rows where the set's own script has them in another.
    """

    __test__ = False  # not a test, though pytest thinks so by its name

    name: str
    format: bool = True
    layout: TextLayout | str | None = None
    original: Original | str | None = None
    check: bool = False
    check_options: tuple[str, ...] = ()
    lint: bool = False
    bins: Mapping[str, Bins] = field(default_factory=dict)
    row_order: Callable[[Sequence[float]], tuple[float, ...]] | None = None
    of: str | None = None
    mine: Callable[[Suite, str | None], bool] | None = None
    declared: SetDeclaration | None = None
    home: ModuleType | Path = Path()
    """Its module, or its file where it is a TOML file alone; the registry fills it in."""

    @property
    def catalogue(self) -> Path:
        """Its entries in the catalogue (a file that may be missing)."""
        if isinstance(self.home, Path):
            return self.home
        return Path(str(self.home.__file__)).with_suffix(".toml")

    def parts(self) -> Any:
        """Its module; of a TOML file, an object with its ``FORMAT``."""
        return _declared_part(self.name, self.home) if isinstance(self.home, Path) else self.home

    def reader(self) -> Format:
        """Its format: ``FORMAT`` of its module, or the module's functions as they are declared."""
        parts, said = self.parts(), self.declared
        if said is None:
            fmt: Format = parts.FORMAT
            return fmt
        from kontrast.suites.formats.entry import references_functions, references_layout

        read, write = getattr(parts, "read", None), getattr(parts, "write", None)
        if read is None:  # the module has languages(path, items)
            layout = references_layout(said.references)
            read, write = references_functions(self.name, layout, parts.languages, said.needed)
        return said.reader(self.name, parts, read, write)

    def own_layout(self) -> tuple[TestSet, TextLayout] | None:
        """The layout of its tool and the set that has it."""
        home = testsets().get(self.layout) if isinstance(self.layout, str) else self
        return (home, home.layout) if home and isinstance(home.layout, TextLayout) else None

    def own_original(self) -> tuple[TestSet, Original] | None:
        """Its evaluation script and the set that has it."""
        home = testsets().get(self.original) if isinstance(self.original, str) else self
        return (home, home.original) if home and isinstance(home.original, Original) else None


@cache
def testsets() -> dict[str, TestSet]:
    """Every set by name, in the order in which formats are tried."""
    room = importlib.import_module("kontrast.testsets")
    found = [_own(Path(str(room.__file__)).with_name(f"{name}.toml"), name) for name in room.SETS]
    own = {each.name: each for each in found}
    modules = {name: loaded_plugin("testsets", name) for name in plugin_names("testsets", own)}
    added = {name: replace(module.TESTSET, name=name, home=module) for name, module in modules.items() if module}
    return added | own


def _own(path: Path, name: str) -> TestSet:
    module = f"kontrast.testsets.{name}"
    if importlib.util.find_spec(module) is None and path.is_file():
        return TestSet(name.replace("_", "-"), home=path)
    home, said = importlib.import_module(module), declaration(path)
    return TestSet(
        name.replace("_", "-"),
        layout=said.layout,
        original=said.original,
        check=hasattr(home, "outcomes"),
        check_options=said.check_options,
        lint=hasattr(home, "CHECKS"),
        bins=said.bins,
        row_order=getattr(home, "row_order", None),
        of=said.of,
        mine=getattr(home, "mine", None),
        declared=said,
        home=home,
    )


@cache
def _declared_part(name: str, path: Path) -> Any:
    """What a set of one TOML file has: a format, and no other part."""
    from kontrast.suites.formats.declared import declared_format, read_declaration

    table = tomllib.loads(path.read_text("utf-8"))["format"]
    declared = read_declaration(path, {"name": name, **table})
    return SimpleNamespace(DECLARED=declared, FORMAT=declared_format(declared, path.name, style=name))


testsets.__test__ = False  # type: ignore[attr-defined]


def testset(name: str) -> TestSet:
    """The set of that name."""
    found = testsets().get(name)
    if found is None:
        raise KontrastError(f"there is no test set {name!r}; known: {', '.join(testsets())}")
    return found


testset.__test__ = False  # type: ignore[attr-defined]


def owner(suite: Suite, target: str | None = None) -> TestSet | None:
    """The set to which a suite belongs, by its style and by what sets of the same format claim for themselves."""
    for each in testsets().values():
        if each.mine is not None and suite.style in (each.of, None) and each.mine(suite, target):
            return each
    return testsets().get(suite.style or "")


def bins(name: str, tag: str) -> Bins:
    """The bins that the set of that name has for a tag, or for one whose name contains it."""
    known = testset(name).bins
    found = known.get(tag) or next((each for key, each in known.items() if key in tag), None)
    if found is None:
        has = f"it has them for {', '.join(known)}" if known else "it has none"
        raise KontrastError(f"{name} has no bins for {tag}; {has}")
    return found


Columns = dict[str, Sequence[str]]
"""Lines by the name of their file."""


@dataclass(frozen=True)
class Request:
    """What is asked for; ``name`` is the prefix of the files."""

    name: str
    source: str
    target: str
    context: int = 1
    documents: Documents | None = None
    context_json: bool = False
    contrastives: bool = True
    first_segment: int = 1
    tokens: int | None = None
    spm: str | None = None

    def located(self, item: Item) -> tuple[list[str], list[str], int]:
        """The document of an item, source and target, and the place in it of the item's sentence."""
        if self.documents is None:
            raise KontrastError("this layout takes its text from documents: give their folder with --documents")
        if item.document is None or item.segment is None:
            raise KontrastError(f"item {item.id} does not name its document and segment")
        source, target = self.documents.pair(item.document)
        place = item.segment - self.first_segment
        if not 0 <= place < len(source):
            wanted = f"a segment from {self.first_segment} to {len(source) - 1 + self.first_segment}"
            path = self.documents.path(item.document)
            raise InputError(path, f"expected {wanted} in item {item.id}, found {item.segment}")
        return source, target, place


def layout_names() -> list[str]:
    """Every layout: the sets whose own tool extracts text."""
    return [name for name, each in testsets().items() if isinstance(each.layout, TextLayout)]


def layout_columns(layout: str, suite: Suite, request: Request) -> Columns:
    """The lines of every file of that layout."""
    home = testset(layout)
    known = home.layout.options if isinstance(home.layout, TextLayout) else ()
    for option, given in (("context_json", request.context_json), ("no_contrastives", not request.contrastives)):
        if given and option not in known:
            raise KontrastError(f"--{option.replace('_', '-')} is not an option of the layout {layout}")
    found: Columns = home.parts().columns(suite, request)
    return found


def layout_of(suite: Suite, target: str | None) -> str:
    """The layout of the suite's own tool."""
    home = owner(suite, target)
    found = home.own_layout() if home is not None else None
    if found is None:
        told = f"choose a layout with --style ({', '.join(layout_names())})"
        raise KontrastError(f"{suite.name}: no original tool extracts this suite; {told}")
    return found[0].name


def first_segment(suite: Suite, target: str | None = None, layout: str | None = None) -> int:
    """The number of a document's first line: what the suite says, else how the layout's or the set's tool counts."""
    if suite.segment_base is not None:
        return suite.segment_base
    home = testset(layout) if layout is not None else owner(suite, target)
    found = home.own_layout() if home is not None else None
    return found[1].first_segment if found is not None else 1
