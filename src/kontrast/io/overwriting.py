"""No output is an input: what a command reads it does not write over.

Within `guarded`, every file that is opened for reading is noted by what it is, not by its name, so that links and
file systems that fold case make no difference; writing to one of them is refused before anything is changed.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from stat import S_ISREG

from kontrast.errors import KontrastError

_File = tuple[int, int]
_inputs: dict[_File, Path] | None = None
_outputs: set[_File] = set()
"""What the command itself wrote may be read and written again."""


@contextmanager
def guarded() -> Iterator[None]:
    """Refuse, in this block, to write to a file that was read in it."""
    global _inputs
    if _inputs is not None:
        yield
        return
    _inputs = {}
    try:
        yield
    finally:
        _inputs = None
        _outputs.clear()


def note_input(path: Path) -> None:
    """Say that a file is read."""
    if _inputs is not None and (file := _identity(path)) is not None and file not in _outputs:
        _inputs.setdefault(file, path.absolute())


def note_output(path: Path) -> None:
    """Say that a file was written."""
    if _inputs is not None and (file := _identity(path)) is not None:
        _outputs.add(file)


def refuse_input(path: Path) -> None:
    """An error if the file at ``path`` was read."""
    if _inputs and (file := _identity(path)) in _inputs and file is not None and _identity(_inputs[file]) == file:
        raise _refusal(path)


def refuse_overwriting(path: str | Path, inputs: Iterable[Path]) -> None:
    """An error if ``path`` is one of ``inputs``: before a long run that would end in `refuse_input`."""
    file = _identity(Path(path))
    if file is not None and any(_identity(each) == file for each in inputs):
        raise _refusal(path)


def _refusal(path: str | Path) -> KontrastError:
    return KontrastError(f"{path} is one of the files that are read: choose another name for the output")


def _identity(path: Path) -> _File | None:
    """Of a regular file, behind any link."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return (found.st_dev, found.st_ino) if S_ISREG(found.st_mode) else None
