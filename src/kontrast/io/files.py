"""Files at the edge: decoding with clear errors, gzip and zstandard, writing that leaves nothing half done.

Where downloaded files are kept: ``KONTRAST_CACHE``, else ``~/.cache/kontrast``.

No output is an input. Within `guarded`, every file that is opened for reading is noted by what it is, not by its
name, so that links and file systems that fold case make no difference; writing to one of them is refused before
anything is changed.
"""

import gzip
import io
import lzma
import os
import re
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import IO, cast

from kontrast.errors import InputError, KontrastError
from kontrast.io.unpacking import archive_of, open_member, unpacked, zstandard_for

_BOM = b"\xef\xbb\xbf"

LONGEST_LINE = 16 << 20
"""Bytes of a line where a file is read line by line: one without an end would fill the memory."""
LONGEST_INPUT = 1 << 30
"""Bytes of standard input, which may have no end."""
UNREADABLE = (OSError, EOFError, zlib.error, lzma.LZMAError)
"""What reading a file, or unpacking it, may raise."""


def read_bytes(path: str | Path) -> bytes:
    """The whole file, unpacked by its ending (.gz, .zst), without a byte-order mark; ``-`` is standard input."""
    if str(path) == "-":
        data = sys.stdin.buffer.read(LONGEST_INPUT + 1)
        if len(data) > LONGEST_INPUT:
            raise InputError("standard input", f"expected at most {LONGEST_INPUT >> 30} GB; give a file instead")
        return data.removeprefix(_BOM)
    with open_bytes(Path(path)) as stream:
        try:
            return stream.read().removeprefix(_BOM)
        except UNREADABLE as error:
            raise InputError(path, f"cannot be read ({error})") from error


def read_text(path: str | Path) -> str:
    """The whole file as text; a byte that is not UTF-8 is an error that names its line."""
    data = read_bytes(path)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        cure = "; in a spreadsheet program save it as CSV UTF-8" if str(path).lower().endswith(".csv") else ""
        raise InputError(path, f"expected UTF-8, found byte 0x{data[error.start]:02x}{cure}", line=line) from error


def read_lines(path: str | Path) -> list[str]:
    r"""All lines without their ends (``\n`` or ``\r\n``; other separators belong to the text)."""
    lines = read_text(path).split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def read_aligned(*paths: str | Path) -> Iterator[tuple[str, ...]]:
    """The lines of files that belong together, side by side; they must be equally many."""
    columns = [read_lines(path) for path in paths]
    for path, column in zip(paths, columns, strict=True):
        refuse_length(path, len(column), len(columns[0]), f" as in {paths[0]}")
    return zip(*columns, strict=True)


def open_aligned(*paths: str | Path) -> Iterator[tuple[str, ...]]:
    """The same in bounded memory."""
    for number, row in enumerate(zip_longest(*map(open_lines, paths)), start=1):
        if None in row:
            whole = next(path for path, text in zip(paths, row, strict=True) if text is not None)
            told = f"expected as many lines as in {whole}, found {number - 1}"
            raise InputError(paths[row.index(None)], told, line=number)
        yield row


def refuse_length(path: str | Path, found: int, expected: int, why: str) -> None:
    """An error where a file has not as many lines as it should; it names the first that is missing or too many."""
    if found != expected:
        raise InputError(path, f"expected {expected} lines{why}, found {found}", line=min(found, expected) + 1)


def write_lines(path: str | Path, lines: Iterable[str]) -> None:
    """One text per line; a text with a line end in it cannot be written so."""
    with writing(path) as out:
        for number, line in enumerate(lines, start=1):
            _check_line(path, number, line)
            out.write(line + "\n")


def one_line(text: str) -> str:
    r"""A text for a program that reads lines with tabs between fields; all other blanks stay what they are.

    >>> one_line("10\u00a0%\n of\tall ")
    '10\xa0%  of all'
    """
    return re.sub("[\t\r\n]+", " ", text).strip(" ")


def write_columns(columns: Mapping[Path, Sequence[str]], stale: Iterable[Path] = ()) -> None:
    """Line files that belong together: all are checked before the first is written.

    ``stale`` are files that would be read with them; those that are not written now are removed.
    """
    for path, lines in columns.items():
        for number, line in enumerate(lines, start=1):
            _check_line(path, number, line)
    old = [path for path in stale if path not in columns and path.is_file()]
    for path in (*columns, *old):
        refuse_input(path)
    for path, lines in columns.items():
        write_lines(path, lines)
    for path in old:
        path.unlink()


def _check_line(path: str | Path, number: int, line: str) -> None:
    if "\n" in line or line.endswith("\r"):
        raise InputError(path, f"expected texts of one line each, found a line end in {line[:40]!r}", line=number)


def open_lines(path: str | Path) -> Iterator[str]:
    """Lines one at a time in bounded memory, as `read_lines` gives them; one over `LONGEST_LINE` is an error."""
    for number, raw in enumerate(open_raw_lines(path), start=1):
        yield line_text(raw, path, number)


def line_text(raw: bytes, path: str | Path, number: int) -> str:
    """The text of a line without its end."""
    try:
        return raw.decode("utf-8").removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise InputError(path, f"expected UTF-8, found byte 0x{raw[error.start]:02x}", line=number) from error


def open_raw_lines(path: str | Path) -> Iterator[bytes]:
    """The same as they are in the file, with their ends."""
    with open_bytes(Path(path)) as stream:
        number = 0
        try:
            for number, raw in enumerate(iter(partial(stream.readline, LONGEST_LINE + 1), b""), start=1):
                if len(raw) > LONGEST_LINE:
                    raise line_too_long(path, number)
                if number == 1:
                    raw = raw.removeprefix(_BOM)
                yield raw
        except UNREADABLE as error:
            raise InputError(path, f"cannot be read ({error})", line=number + 1) from error


def line_too_long(path: str | Path, number: int) -> InputError:
    return InputError(path, f"expected lines of at most {LONGEST_LINE >> 20} MB, found a longer one", line=number)


def only_file(path: Path, endings: tuple[str, ...], what: str, begins: str = "") -> Path:
    """The file itself, or the one file in a folder that is named so."""
    if not path.is_dir():
        return path
    there = (each for each in path.rglob(f"{begins}*") if each.name.endswith(endings) and each.is_file())
    if len(found := sorted(there)) != 1:
        names = ", ".join(str(each.relative_to(path)) for each in found[:5]) or "none"
        raise InputError(path, f"expected one {what} in this folder, found {names}")
    return found[0]


def first_line(path: str | Path) -> str:
    """The first line, to see what a file is: of a very long one its beginning, and what is no text replaced."""
    with open_bytes(Path(path)) as stream:
        try:
            raw = stream.readline(LONGEST_LINE)
        except UNREADABLE as error:
            raise InputError(path, f"cannot be read ({error})", line=1) from error
    return raw.removeprefix(_BOM).decode("utf-8", "replace").removesuffix("\n").removesuffix("\r")


def suite_name(path: str | Path) -> str:
    """The file's name without its endings for packing and format."""
    name = Path(path).name
    for endings in (".gz|.zst", ".json|.jsonl|.tsv|.csv|.xlsx|.txt"):
        name = next((name.removesuffix(e) for e in endings.split("|") if name.endswith(e) and name != e), name)
    return name


@contextmanager
def open_bytes(path: Path) -> Iterator[IO[bytes]]:
    """A binary stream, unpacked by the file's ending; ``A.zip/NAME`` is a file in an archive, read as it comes."""
    archive = archive_of(path)
    note_input(archive or path)
    if archive is not None:
        with open_member(archive, path) as stream:
            yield stream
        return
    try:
        kind = path.stat().st_mode
        if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind) or path.samefile(os.devnull)):
            raise InputError(
                path,
                "is a pipe or a device: write its content to a file, or use - if the command reads standard input",
            )
        raw = open(path, "rb")  # noqa: SIM115
    except (OSError, ValueError) as error:
        raise InputError(path, f"cannot be opened ({getattr(error, 'strerror', None) or error})") from error
    with raw:
        yield unpacked(raw, path)


@contextmanager
def writing(path: str | Path) -> Iterator[IO[str]]:
    """A text file that appears under its name only when the block ends without an error.

    Packed by its ending; ``-`` is standard output. Bytes depend on the text alone (no time stamp in gzip).
    """
    if str(path) == "-":
        yield sys.stdout
        sys.stdout.flush()
        return
    path = Path(path)
    if "\0" in str(path):
        raise InputError(path.name.replace("\0", "\\0"), "cannot be written (a NUL character in its name)")
    special = _is_special(path)
    refuse_input(path)
    temporary = path if special else path.with_name(f".{path.name or 'out'}.{os.getpid()}.tmp")
    made = [folder for folder in path.parents if not folder.exists()]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(temporary, "wb") as raw:
            with _packing(path, raw) as text:
                yield text
            if not special and path.exists():  # after a crash, the old content or the new, never none
                raw.flush()
                os.fsync(raw.fileno())
        refuse_input(path)  # it may have been opened since
        if not special:
            temporary.replace(path)
            note_output(path)
    except BaseException as error:
        with suppress(OSError):  # what went wrong first is what should be told
            if not special:
                temporary.unlink()
            for folder in made:  # unless others have used them since
                folder.rmdir()
        if isinstance(error, OSError):
            raise InputError(_short(path), f"cannot be written ({error.strerror or error})") from error
        if isinstance(error, UnicodeEncodeError):
            told = f"{error.object[error.start]!a} is an incomplete character"
            raise InputError(path, f"cannot be written ({told})") from error
        raise


def _is_special(path: Path) -> bool:
    """A device or pipe: renaming onto it would replace it."""
    try:
        return path.exists() and not path.is_file()
    except OSError as error:  # a name too long, a folder that may not be looked into
        raise InputError(_short(path), f"cannot be written ({error.strerror or error})") from error


def _short(path: Path) -> str:
    text = str(path)
    return text if len(text) <= 400 else f"{text[:400]}…"


@contextmanager
def _packing(path: Path, raw: IO[bytes]) -> Iterator[IO[str]]:
    """Text into ``raw``, packed by the path's ending; ``raw`` stays open."""
    if path.suffix == ".gz":
        packed = cast(IO[bytes], gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0))
    elif path.suffix == ".zst":
        packed = zstandard_for(path).ZstdCompressor().stream_writer(raw, closefd=False)
    else:
        packed = raw
    text = io.TextIOWrapper(packed, encoding="utf-8", newline="\n")
    try:
        yield text
        text.flush()
    finally:
        text.detach()  # else it would close what it wraps, also after an error
        if packed is not raw:
            packed.close()


def cache_folder() -> Path:
    """The folder of all that was downloaded; it may not exist yet."""
    place = os.environ.get("KONTRAST_CACHE")
    if place:
        return Path(place).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kontrast"


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
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None
