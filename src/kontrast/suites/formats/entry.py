"""One JSON object of a format: its parts are taken out by name and type, what is left over stays as tags."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kontrast.errors import InputError
from kontrast.io.json_input import read_json


class FileEntry:
    """An object with its place in the file, for errors a person can act on.

    >>> entry = FileEntry("a.json", "item 1", {"src": "Hello", "mood": "calm"})
    >>> entry.text("src"), entry.rest()
    ('Hello', {'mood': 'calm'})
    >>> entry.text("dst")
    Traceback (most recent call last):
    kontrast.errors.InputError: a.json: in item 1, expected text in "dst", found nothing
    """

    def __init__(self, path: str | Path, place: str, value: Any, what: str = "an object") -> None:
        self._path, self._place = path, place
        if not isinstance(value, dict):
            raise self.fault(f"expected {what}, found {_kind(value)}")
        self._left = dict(value)

    def __contains__(self, key: str) -> bool:
        return key in self._left

    def holds_text(self, key: str) -> bool:
        return isinstance(self._left.get(key), str)

    def holds_whole(self, key: str) -> bool:
        """A whole number that fits into 64 bits, as records hold it?"""
        value = self._left.get(key)
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 63

    def fault(self, message: str) -> InputError:
        """An error about this object."""
        return InputError(self._path, f"in {self._place}, {message}")

    def text(self, key: str) -> str:
        value = self._left.pop(key, None)
        if not isinstance(value, str):
            raise self.fault(f'expected text in "{key}", found {_kind(value)}')
        return value

    def texts(self, key: str, least: int = 1) -> list[str]:
        """A list of at least so many texts."""
        value = self._left.pop(key, None)
        if not isinstance(value, list) or len(value) < least or not all(isinstance(text, str) for text in value):
            raise self.fault(f'expected a list of texts in "{key}", found {_kind(value)}')
        return value

    def whole(self, key: str) -> int:
        value = self._left.pop(key, None)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.fault(f'expected a whole number in "{key}", found {_kind(value)}')
        return value

    def entry(self, key: str) -> "FileEntry":
        return FileEntry(self._path, f"{self._place}, {key}", self._left.pop(key, None))

    def entries(self, key: str) -> list["FileEntry"]:
        value = self._left.pop(key, None)
        if not isinstance(value, list):
            raise self.fault(f'expected a list in "{key}", found {_kind(value)}')
        return [FileEntry(self._path, f"{self._place}, {key} {i}", part) for i, part in enumerate(value, start=1)]

    def rest(self, **names: str) -> dict[str, Any]:
        """All that was not taken; ``names`` renames tags (``distance="ctx_dist"``)."""
        tags = {tag: key for tag, key in names.items() if key in self._left}
        taken = set(tags.values())
        renamed = {tag: self._left[key] for tag, key in tags.items()}
        return {**renamed, **{key: value for key, value in self._left.items() if key not in taken}}


def read_entries(path: Path, expected: str) -> Iterator[tuple[int, FileEntry]]:
    """The objects of a JSON list, each with its number from 1; ``expected`` says which keys they have."""
    entries = read_json(path, list[Any], expected=f"a list of objects with {expected}")
    return ((i, FileEntry(path, f"item {i}", entry)) for i, entry in enumerate(entries, start=1))


def _kind(value: Any) -> str:
    kinds = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "nothing"}
    return kinds.get(type(value), "a number")
