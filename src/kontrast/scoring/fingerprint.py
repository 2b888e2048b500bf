"""What tells two models apart in the store: a digest of everything that can change a number.

Files count by their bytes, all of them. A file's digest is kept by its place, size and times, so that gigabytes of
weights are read once and not before every run.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib import metadata
from pathlib import Path

import msgspec

from kontrast.io.files import cache_folder

REVISION = 2
"""Raised when kontrast itself changes a number."""
_SMALL = 1 << 20


def combine(*parts: object) -> str:
    """One fingerprint of what is known of a model: plain values, in order.

    >>> combine("a", 1) == combine("a", 1), combine("a", 1) == combine("a", "1"), combine("a", None) == combine("a")
    (True, False, False)
    """
    return hashlib.sha256(msgspec.json.encode([REVISION, *parts], order="sorted")).hexdigest()


def versions(*packages: str) -> dict[str, str]:
    """The installed versions of libraries that compute the numbers."""
    found = {}
    for package in packages:
        with suppress(metadata.PackageNotFoundError):
            found[package] = metadata.version(package)
    return found


def files_digest(paths: Iterable[Path]) -> dict[str, str]:
    """Each file's digest by its name."""
    return {path.name: file_digest(path) for path in sorted(paths)}


def file_digest(path: Path) -> str:
    """The SHA-256 of a file's bytes, from the cache where the file has not changed since."""
    known = path.stat()
    if known.st_size <= _SMALL:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    seen = f"{path.resolve()}\0{known.st_size}\0{known.st_mtime_ns}\0{known.st_ctime_ns}\0{known.st_ino}"
    kept = cache_folder() / "digests" / hashlib.sha256(seen.encode("utf-8", "surrogateescape")).hexdigest()
    with suppress(OSError):
        text = kept.read_text("ascii", "replace")
        if len(text) == 64:
            return text
    with open(path, "rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    with suppress(OSError):  # without a cache folder it is read again next time
        kept.parent.mkdir(parents=True, exist_ok=True)
        beside = kept.with_name(f"{kept.name}.{os.getpid()}")
        beside.write_text(digest, "ascii")
        beside.replace(kept)
    return digest


def model_files(folder: Path) -> Iterator[Path]:
    """The files of a model's folder that a library may read: weights, settings, tokenizers."""
    endings = (".json", ".safetensors", ".bin", ".pt", ".model", ".spm", ".txt", ".jinja", ".bpe", ".tiktoken", ".py")
    for path in folder.iterdir():
        if path.is_file() and path.suffix in endings and not path.name.startswith("."):
            yield path
