"""Packed files, read within limits: a small file that unpacks to very much is refused before memory or disk is full.

Text seldom packs better than 30 to 1. What unpacks to more than `FREE` bytes and more than `RATIO` times its packed
size is taken for an attack. ``KONTRAST_UNPACK_LIMIT`` (in MB) raises or lowers `FREE`.
"""

from __future__ import annotations

import gzip
import io
import os
import struct
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from kontrast.errors import InputError, KontrastError, MissingExtraError
from kontrast.io.numbers import whole_number

if TYPE_CHECKING:
    import tarfile
    import zipfile

FREE = 128 << 20
RATIO = 200
MEMBERS = 500_000
_ZSTANDARD = 93
"""How a zip names that packing."""
_PIECE = 1 << 10
"""Of zstandard, 1 kB can become 32 MB at once."""


def unpacked(raw: IO[bytes], path: Path) -> IO[bytes]:
    """The stream without its packing, which the path's ending tells."""
    if path.suffix == ".gz":
        inner: Any = gzip.GzipFile(fileobj=raw, mode="rb")
    elif path.suffix == ".zst":
        inner = _Zstandard(raw, zstandard_for(path))
    else:
        return raw
    return cast(IO[bytes], io.BufferedReader(_Limited(inner, _Allowance(os.fstat(raw.fileno()).st_size)), 1 << 17))


def check_archive(path: Path) -> None:
    """Refuse a zip file whose members together are too much for its size, whatever they share or claim."""
    import zipfile

    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        if len(members) > MEMBERS:
            raise InputError(path, f"expected at most {MEMBERS:,} files in it, found {len(members):,}")
        try:
            _Allowance(path.stat().st_size).take(sum(member.file_size for member in members))
        except OSError as error:
            raise InputError(path, f"cannot be unpacked ({error})") from error


def archive_of(path: Path) -> Path | None:
    """The archive of ``A.zip/NAME``, or ``A.zip`` itself; None of any other path."""
    if ".zip" not in str(path).lower():
        return None
    try:
        return next((p for p in (path, path.parent) if p.suffix.lower() == ".zip" and p.is_file()), None)
    except OSError:
        return None


@contextmanager
def open_member(archive: Path, path: Path) -> Iterator[IO[bytes]]:
    """The file of that name in the archive; the only one where the path is the archive."""
    import zipfile

    damaged = (zipfile.BadZipFile, NotImplementedError, RuntimeError)
    with ExitStack() as open_files:
        try:
            opened = open_files.enter_context(zipfile.ZipFile(archive))
            inner = open_files.enter_context(_member(opened, _wanted(opened, archive, path), archive))
        except (*damaged, OSError, EOFError, ValueError, LookupError, struct.error) as error:
            raise InputError(path, f"cannot be read ({error})") from error
        limited = _Limited(inner, _Allowance(archive.stat().st_size))
        try:
            yield cast(IO[bytes], io.BufferedReader(limited, 1 << 17))
        except damaged as error:
            raise InputError(path, f"cannot be read ({error})") from error


def read_members(archive: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    """Name and content of the files in a zip whose name is wanted, as long as they are not too much."""
    import zipfile

    allowance = _Allowance(archive.stat().st_size)
    try:
        with zipfile.ZipFile(archive) as opened:
            for member in opened.infolist():
                if not member.is_dir() and wanted(member.filename):
                    with _member(opened, member, archive) as inner:
                        yield member.filename, io.BufferedReader(_Limited(inner, allowance)).read()
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError, ValueError) as error:
        raise InputError(archive, f"cannot be read ({error})") from error


def _member(opened: zipfile.ZipFile, member: zipfile.ZipInfo, archive: Path) -> IO[bytes]:
    """A file in a zip; zipfile has no zstandard before Python 3.14."""
    if member.compress_type != _ZSTANDARD:
        return opened.open(member)
    raw = archive.open("rb")
    raw.seek(member.header_offset)
    header = raw.read(30)
    if header[:4] != b"PK\3\4":
        raw.close()
        raise ValueError("a file in it has no header")
    name, extra = struct.unpack("<HH", header[26:30])
    raw.seek(name + extra, os.SEEK_CUR)
    with raw:
        packed = io.BytesIO(raw.read(member.compress_size))
    return cast(IO[bytes], _Zstandard(packed, zstandard_for(archive)))


def _wanted(opened: zipfile.ZipFile, archive: Path, path: Path) -> zipfile.ZipInfo:
    members = [m for m in opened.infolist() if not m.is_dir()]
    if path == archive:
        wanted = [m for m in members if Path(m.filename).name.upper() not in ("README", "LICENSE", "INFO")]
    else:
        wanted = [m for m in members if m.filename == path.name]
    if len(wanted) != 1:
        names = ", ".join(m.filename for m in members[:8])
        raise InputError(path, f"expected the name of one file, as {archive.name}/NAME; in it: {names[:300]}")
    return wanted[0]


def tar_members(archive: tarfile.TarFile, size: int) -> Iterator[tarfile.TarInfo]:
    """The plain files of an archive of ``size`` bytes, as long as they are not too much."""
    import tarfile

    allowance = _Allowance(size)
    for count, member in enumerate(archive):
        if count >= MEMBERS:
            raise tarfile.TarError(f"it has more than {MEMBERS:,} files")
        allowance.take(max(0, member.size))
        if member.isfile():
            yield member


class _Allowance:
    """Counts what was unpacked from so many bytes."""

    def __init__(self, packed: int) -> None:
        self._left = max(_free(), RATIO * packed)
        self._packed = packed

    def take(self, count: int) -> None:
        self._left -= count
        if self._left < 0:
            raise OSError(
                f"it expands to more than {RATIO} times its {self._packed:,} bytes; if you trust it, unpack it "
                f"yourself or set KONTRAST_UNPACK_LIMIT to more than {_free() >> 20} MB"
            )


def _free() -> int:
    given = os.environ.get("KONTRAST_UNPACK_LIMIT")
    if not given:
        return FREE
    if (limit := whole_number(given)) is None:
        raise KontrastError(f"KONTRAST_UNPACK_LIMIT: expected a number of MB, found {given[:40]!r}")
    return limit << 20


class _Limited(io.RawIOBase):
    """A stream that ends with an error once its allowance is used up."""

    def __init__(self, inner: Any, allowance: _Allowance) -> None:
        self._inner, self._allowance = inner, allowance

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count: int = self._inner.readinto(buffer)
        self._allowance.take(count)
        return count


class _Zstandard(io.RawIOBase):
    """A zstandard stream, of one frame or several, that says when it is broken or ends too early."""

    def __init__(self, raw: IO[bytes], zstandard: Any) -> None:
        self._raw, self._zstandard = raw, zstandard
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._ready, self._begun = memoryview(b""), False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            packed = self._frame.unused_data if self._frame.eof else b""
            packed = packed or self._raw.read(_PIECE)
            if not packed:
                if self._begun and not self._frame.eof:
                    raise OSError("it ends too early")
                return 0
            if self._frame.eof:
                self._frame = self._zstandard.ZstdDecompressor().decompressobj()
            self._begun = True
            try:
                self._ready = memoryview(self._frame.decompress(packed))
            except (self._zstandard.ZstdError, MemoryError) as error:
                raise OSError(str(error)) from error
        size = min(len(buffer), len(self._ready))
        buffer[:size], self._ready = self._ready[:size], self._ready[size:]
        return size


def zstandard_for(path: Path) -> Any:
    """The library, or an error that names its extra."""
    try:
        import zstandard
    except ImportError as error:
        raise MissingExtraError("zstd", f"{path}: packing by zstandard") from error
    return zstandard
