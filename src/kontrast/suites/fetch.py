"""`fetch_suite`: a catalogue entry into the cache, from its home or from a copy on disk, unpacked and verified.

One file over HTTP: resumed where it stopped, shown as it comes, and a clear sentence where there is no network.
"""

import hashlib
import http.client
import os
import shutil
import tarfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from kontrast.errors import InputError, KontrastError
from kontrast.io.files import UNREADABLE, cache_folder
from kontrast.io.unpacking import check_archive, tar_members
from kontrast.progress import progress
from kontrast.record import Record
from kontrast.suites.catalogue import Entry, entry, folder_of, set_paths


class Fetched(Record, frozen=True):
    """The result of `fetch_suite`. ``checksums`` counts the files whose SHA-256 is known and correct, ``missing``
    names
    the suites of the entry that the copy does not have. ``published_right`` of ``published_total`` is the result of
    the entry's score file in the suite's own evaluation."""

    name: str
    folder: str
    sets: dict[str, str]
    checksums: int
    items: int | None = None
    rows: int | None = None
    expected_items: int | None = None
    expected_rows: int | None = None
    documents: int | None = None
    missing: tuple[str, ...] = ()
    published_right: int | None = None
    published_total: int | None = None

    @property
    def as_expected(self) -> bool:
        """Are the counts those of the catalogue, where it has them?"""
        pairs = ((self.items, self.expected_items), (self.rows, self.expected_rows))
        return all(None in pair or pair[0] == pair[1] for pair in pairs)


def fetch_suite(
    name: str | Entry, *, source: str | Path | None = None, documents: str | Path | None = None
) -> Fetched:
    """Fetch an entry of the catalogue into the cache, or take it from ``source``, a folder or file on disk.

    ``documents`` also splits a corpus into documents by year in that folder, where the corpus has document ids.
    """
    found = entry(name) if isinstance(name, str) else name
    if documents is not None and found.documents is None:
        raise KontrastError(f"{found.name} has no document ids, so it cannot be cut into documents")
    folder = folder_of(found)
    if source is not None or not folder.is_dir():
        _fill(found, folder, None if source is None else Path(source))
    checksums = verify(found, folder)
    paths = set_paths(found, folder)
    items, rows = _counts(found, paths)
    complete = len(paths) == len(found.sets)
    known = [found.set_items.get(each) for each in paths]
    expected = found.items if complete else None
    if expected is None and paths and None not in known:
        expected = sum(count for count in known if count is not None)
    return Fetched(
        found.name,
        str(folder),
        {each: str(path) for each, path in paths.items()},
        checksums,
        items,
        rows,
        expected,
        found.rows if complete else None,
        None if documents is None else _documents(found, folder, Path(documents)),
        tuple(each for each in found.sets if each not in paths),
    )


def _fill(found: Entry, folder: Path, source: Path | None) -> None:
    """Put the files into ``folder``, which appears only when all of it is there and verified."""
    building = folder.with_name(f".{folder.name}.{os.getpid()}.tmp")
    shutil.rmtree(building, ignore_errors=True)
    downloads = cache_folder() / "downloads" / found.name
    try:
        building.mkdir(parents=True)
        if source is not None:
            _take(found, source, building)
        else:
            if not found.downloads:
                raise KontrastError(
                    f"{found.name} cannot be downloaded by kontrast; get it at {found.home} and give it with --from"
                )
            for addresses in found.downloads:
                _unpack(download(addresses, downloads), building)
        if found.sets and not set_paths(found, building):
            wanted = ", ".join(found.sets.values())
            raise InputError(source or found.home, f"expected one of {wanted} in it, found none")
        verify(found, building)
        _check_readable(found, building, source)
        shutil.rmtree(folder, ignore_errors=True)
        building.replace(folder)
        shutil.rmtree(downloads, ignore_errors=True)
    except OSError as error:
        raise InputError(error.filename or folder, f"cannot be written ({error.strerror or error})") from error
    except InputError:
        shutil.rmtree(downloads, ignore_errors=True)  # what came is not what it should be: fetch it anew
        raise
    finally:
        shutil.rmtree(building, ignore_errors=True)


def _take(found: Entry, source: Path, building: Path) -> None:
    """Use a copy on disk: a folder laid out as its home has it or flat, an archive, or the suite's one file."""
    if not source.exists():
        raise InputError(source, "there is no such file or folder")
    if source.is_dir():
        if building.resolve().is_relative_to(source.resolve()):
            raise InputError(source, f"expected the folder of {found.name}, found one that contains the cache")
        shutil.copytree(source, building, dirs_exist_ok=True)
        if found.sets and not set_paths(found, building):
            _lay_out(found, building)
    elif zipfile.is_zipfile(source) or tarfile.is_tarfile(source):
        _unpack(source, building)
    elif len(found.sets) == 1:
        (pattern,) = found.sets.values()
        place = building / (pattern if "*" not in pattern else source.name)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, place)
    else:
        raise InputError(
            source, f"expected a folder or an archive with {', '.join(found.sets.values()) or 'the corpus'}"
        )


def _lay_out(found: Entry, building: Path) -> None:
    """Move files that lie flat to where the entry expects them; a folder that is the set itself becomes it."""
    for pattern in found.sets.values():
        wanted = Path(pattern).name
        for path in [p for p in building.rglob("*") if p.is_file() and p.name.startswith(wanted.rstrip("*"))]:
            place = building / Path(pattern).with_name(path.name)
            place.parent.mkdir(parents=True, exist_ok=True)
            path.replace(place)
    from kontrast.suites import formats

    whole = found.format is not None and formats.get(found.format).folder
    if not set_paths(found, building) and len(found.sets) == 1 and whole:
        (inner,) = found.sets.values()
        content = list(building.iterdir())
        (building / inner).mkdir(parents=True, exist_ok=True)
        for path in content:
            path.replace(building / inner / path.name)


def _unpack(path: Path, folder: Path) -> None:
    """Unpack without ever leaving ``folder``; the single folder that hosts put around a repository is taken off."""
    inside = folder / ".unpacked"
    inside.mkdir()
    try:
        if zipfile.is_zipfile(path):
            check_archive(path)
            with zipfile.ZipFile(path) as archive:
                archive.extractall(inside)
        elif tarfile.is_tarfile(path):
            with tarfile.open(path) as archive:
                _extract(archive, inside, path.stat().st_size)
        else:
            shutil.copy2(path, inside / path.name)
    except (tarfile.TarError, zipfile.BadZipFile, *UNREADABLE, LookupError, ValueError, RuntimeError) as error:
        raise InputError(path, f"expected an archive, could not unpack it ({error})") from error
    content = list(inside.iterdir())
    root = content[0] if len(content) == 1 and content[0].is_dir() else inside
    shutil.copytree(root, folder, dirs_exist_ok=True, ignore=lambda *_: [".unpacked"])
    shutil.rmtree(inside)


def _extract(archive: tarfile.TarFile, folder: Path, size: int) -> None:
    """Plain files only: links and devices have no place in a suite, and early 3.11 has no filter for them."""
    for member in tar_members(archive, size):
        place = folder / member.name
        if not place.resolve().is_relative_to(folder.resolve()):
            raise tarfile.TarError(f"it contains {member.name}, which leads outside the folder")
        place.parent.mkdir(parents=True, exist_ok=True)
        content = archive.extractfile(member)
        assert content is not None
        with content, open(place, "wb") as out:
            shutil.copyfileobj(content, out)


def verify(found: Entry, folder: Path) -> int:
    """Check the SHA-256 of every file that has one and is there; the number of them."""
    checked = 0
    for name, expected in found.sha256.items():
        path = folder / name
        if not path.is_file():
            continue
        with open(path, "rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        if digest != expected:
            raise InputError(path, f"expected the SHA-256 {expected}, found {digest}: this is not the published file")
        checked += 1
    return checked


def _check_readable(found: Entry, building: Path, source: Path | None) -> None:
    """What cannot be read must not replace what is in the cache."""
    try:
        _counts(found, set_paths(found, building))
    except InputError as error:
        place = str(error).replace(f"{building}{os.sep}", "")
        raise InputError(source or found.home, f"is not {found.name} ({place})") from error


def _counts(found: Entry, paths: dict[str, Path]) -> tuple[int | None, int | None]:
    if not paths or found.format is None:
        return None, None
    from kontrast.suites.formats import load

    suites = [load(path, found.format) for path in paths.values()]
    return sum(len(suite.items) for suite in suites), sum(suite.row_count for suite in suites)


def _documents(found: Entry, folder: Path, out: Path) -> int:
    from kontrast.suites.documents import documents

    assert found.documents is not None
    patterns = found.documents.ids, found.documents.source, found.documents.target
    matches = {pattern: sorted(folder.rglob(pattern)) for pattern in patterns}
    if missing := [pattern for pattern, paths in matches.items() if not paths]:
        raise InputError(folder, f"expected a file {missing[0]} in it, found none")
    ids, source, target = (paths[0] for paths in matches.values())
    return documents(ids, source, target, out).documents


TIMEOUT = 8.0
_CHUNK = 1 << 18


class DownloadError(KontrastError):
    """The file could not be had; what came so far is kept and resumed the next time."""


def download(addresses: Sequence[str], folder: Path) -> Path:
    """Fetch one file from the first address that gives it; the finished file is in ``folder``.

    What has come so far is in ``NAME.part``, with the server's mark of that version beside it, so that a later call
    asks only for the rest, and starts again where the file has changed in between.
    """
    failures = []
    for address in addresses:
        try:
            return _fetch(address, folder)
        except DownloadError as error:
            failures.append(str(error))
    raise DownloadError("; ".join(failures))


def file_name(address: str) -> str:
    """The name to keep a download under."""
    parts = urlsplit(address)
    name = unquote(parts.path).rpartition("/")[2]
    return name if "." in name else (unquote(parts.query).rpartition("/")[2] or name or "download")


def _fetch(address: str, folder: Path) -> Path:
    done = folder / file_name(address)
    if done.exists():
        return done
    folder.mkdir(parents=True, exist_ok=True)
    part, mark = (done.with_name(f"{done.name}{ending}") for ending in (".part", ".part.version"))
    response, start = _open(address, part, mark)
    with response:
        size = response.headers.get("Content-Length")
        total = start + int(size) if size and size.isascii() and size.isdigit() else None
        tag = response.headers.get("ETag") or ""
        if not tag or tag.startswith("W/"):  # a weak one does not vouch for bytes and cannot be resumed from
            tag = response.headers.get("Last-Modified") or ""
        mark.write_text(tag, encoding="utf-8")
        with open(part, "r+b" if start else "wb") as out, progress(done.name, total, unit="bytes") as advance:
            out.seek(start)
            out.truncate()
            advance(start)
            try:
                while chunk := response.read(_CHUNK):
                    out.write(chunk)
                    advance(len(chunk))
            except (OSError, http.client.HTTPException) as error:
                told = f"{address} was interrupted ({error}); repeat the command to download the rest"
                raise DownloadError(told) from error
    if total is not None and part.stat().st_size != total:
        raise DownloadError(
            f"{address} ended after {part.stat().st_size:,} of {total:,} bytes; repeat the command to download "
            f"the rest"
        )
    mark.unlink(missing_ok=True)
    part.replace(done)
    return done


def _open(address: str, part: Path, mark: Path) -> tuple[Any, int]:
    """The answer, and the byte at which it begins."""
    have = part.stat().st_size if part.exists() and mark.exists() else 0
    request = urllib.request.Request(address, headers={"User-Agent": "kontrast", "Accept-Encoding": "identity"})
    version = mark.read_text(encoding="utf-8") if have else ""
    if have and version:
        request.add_header("Range", f"bytes={have}-")
        request.add_header("If-Range", version)
    try:
        response = urllib.request.urlopen(request, timeout=TIMEOUT)
    except urllib.error.HTTPError as error:
        if error.code == 416:  # nothing is left to ask for, or the file is shorter now: begin again
            part.unlink(missing_ok=True)
            return _open(address, part, mark)
        raise DownloadError(f"{address} answered {error.code} {error.reason}") from error
    except (urllib.error.URLError, OSError, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise DownloadError(
            f"{urlsplit(address).hostname or address} cannot be reached ({reason}); if you have a copy on disk, "
            f"use --from"
        ) from error
    ranged = response.headers.get("Content-Range", "")
    return response, have if response.status == 206 and ranged.startswith(f"bytes {have}-") else 0
