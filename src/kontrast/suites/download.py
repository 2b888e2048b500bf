"""One file over HTTP: resumed where it stopped, shown as it comes, and a clear sentence where there is no network."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any
from urllib.parse import unquote, urlsplit

from kontrast.errors import KontrastError
from kontrast.progress import progress

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
    """The name to keep a download under.

    >>> file_name("https://example.org/owner/sets/archive/HEAD.tar.gz"), file_name("http://example.org/x?f=a/b.zip")
    ('HEAD.tar.gz', 'b.zip')
    """
    parts = urlsplit(address)
    name = unquote(parts.path).rpartition("/")[2]
    return name if "." in name else (unquote(parts.query).rpartition("/")[2] or name or "download")


def _fetch(address: str, folder: Path) -> Path:
    done = folder / file_name(address)
    if done.exists():
        return done
    folder.mkdir(parents=True, exist_ok=True)
    part = done.with_name(f"{done.name}.part")
    response, start = _open(address, part)
    with response:
        size = response.headers.get("Content-Length")
        total = start + int(size) if size and size.isascii() and size.isdigit() else None
        _mark(part).write_text(_version(response), encoding="utf-8")
        with open(part, "r+b" if start else "wb") as out, progress(done.name, total, unit="bytes") as advance:
            out.seek(start)
            out.truncate()
            advance(start)
            _copy(response, out, advance, address)
    if total is not None and part.stat().st_size != total:
        raise DownloadError(
            f"{address} ended after {part.stat().st_size:,} of {total:,} bytes; run it again to fetch the rest"
        )
    _mark(part).unlink(missing_ok=True)
    part.replace(done)
    return done


def _open(address: str, part: Path) -> tuple[Any, int]:
    """The answer, and the byte at which it begins."""
    have = part.stat().st_size if part.exists() and _mark(part).exists() else 0
    request = urllib.request.Request(address, headers={"User-Agent": "kontrast", "Accept-Encoding": "identity"})
    version = _mark(part).read_text(encoding="utf-8") if have else ""
    if have and version:
        request.add_header("Range", f"bytes={have}-")
        request.add_header("If-Range", version)
    try:
        response = urllib.request.urlopen(request, timeout=TIMEOUT)
    except urllib.error.HTTPError as error:
        if error.code == 416:  # nothing is left to ask for, or the file is shorter now: begin again
            part.unlink(missing_ok=True)
            return _open(address, part)
        raise DownloadError(f"{address} answered {error.code} {error.reason}") from error
    except (urllib.error.URLError, OSError, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise DownloadError(
            f"{urlsplit(address).hostname or address} cannot be reached ({reason}); with a copy on disk, use --from"
        ) from error
    ranged = response.headers.get("Content-Range", "")
    return response, have if response.status == 206 and ranged.startswith(f"bytes {have}-") else 0


def _copy(response: Any, out: IO[bytes], advance: Any, address: str) -> None:
    try:
        while chunk := response.read(_CHUNK):
            out.write(chunk)
            advance(len(chunk))
    except (OSError, http.client.HTTPException) as error:
        raise DownloadError(f"{address} broke off ({error}); run it again to fetch the rest") from error


def _version(response: Any) -> str:
    """The server's mark of this version; a weak one does not vouch for bytes and cannot be resumed from."""
    tag = response.headers.get("ETag") or ""
    return tag if tag and not tag.startswith("W/") else response.headers.get("Last-Modified") or ""


def _mark(part: Path) -> Path:
    return part.with_name(f"{part.name}.version")
