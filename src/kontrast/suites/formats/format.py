"""What a format is: a name, how to recognise it, how to read it and, where it can hold a suite, how to write it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from kontrast.errors import InputError
from kontrast.suites.model import Suite, Unit


@dataclass(frozen=True)
class Lost:
    """A field that the written format cannot store, and in how many items (0: a field of the suite)."""

    field: str
    count: int

    def __str__(self) -> str:
        if not self.count:
            return self.field
        return f"{self.field} ({self.count} item{'s' if self.count != 1 else ''})"


@dataclass(frozen=True)
class Peek:
    """A first look at a path: enough to tell formats apart without reading it whole."""

    path: Path

    @property
    def is_folder(self) -> bool:
        return self.path.is_dir()

    def holds(self, *names: str) -> bool:
        """Is this a folder with all these files or folders in it?"""
        return self.is_folder and all((self.path / name).exists() for name in names)

    @cached_property
    def head(self) -> str:
        """The first 64 KB as text, whatever is in them; empty for a folder."""
        from kontrast.io import files

        if self.is_folder:
            return ""
        try:
            with files.open_bytes(self.path) as stream:
                return stream.read(1 << 16).decode("utf-8", errors="replace").lstrip("\ufeff \t\r\n")
        except files.UNREADABLE as error:
            raise InputError(self.path, f"cannot be read ({error})") from error

    def has_keys(self, *keys: str) -> bool:
        """Does the beginning look like JSON in which all these keys occur?"""
        return self.head[:1] in ("[", "{") and all(
            re.search(rf'"{re.escape(key)}"\s*:', self.head) is not None for key in keys
        )


Read = Callable[..., Suite]
"""``read(path, **options)``: a suite, or a `KontrastError`."""
Write = Callable[[Suite, Path], list[Lost]]
"""``write(suite, path)``: writes all it can hold and says what it could not."""


@dataclass(frozen=True)
class Format:
    """One format. ``detect`` looks at a `Peek` and must be cheap; ``options`` names what ``read`` takes."""

    name: str
    summary: str
    detect: Callable[[Peek], bool]
    read: Read
    write: Write | None = None
    options: dict[str, str] | None = None
    examples: tuple[str, ...] = ()
    prefix: bool = False
    """May the path be the beginning of several files' names?"""
    folder: bool = False
    """May the suite be a whole folder?"""
    unit: Unit | None = "item"
    """What a decision is in what it holds (None: it says so, or has no need to)."""
    languages: tuple[str | None, str | None] | None = None
    """The languages that its reader takes for granted (None: it holds them)."""
    extra: frozenset[str] | None = frozenset()
    """The keys of ``Suite.extra`` that it holds (None: all)."""

    def __str__(self) -> str:
        return self.name


def named_languages(path: Path) -> tuple[str, str] | tuple[None, None]:
    """From a name such as ``large-contrastive-en-fr``; one of the two must be English to be believed."""
    path = path.resolve()
    for name in (path.name, path.parent.name):
        pairs = re.findall(r"(?<![a-z])(?=([a-z]{2})[-_]([a-z]{2})(?![a-z]))", name)
        if with_english := [pair for pair in pairs if "en" in pair]:
            source, target = with_english[-1]
            return source, target
    return None, None
