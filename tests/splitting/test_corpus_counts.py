"""A counts folder is data, not trust: what was edited or damaged is refused in one line."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from kontrast.errors import InputError
from kontrast.splitting.corpus_counts import load_counts
from kontrast.splitting.count_corpus import count

from .conftest import tsv

DAMAGE = {
    "atoms.indices.npy": lambda a: a.__setitem__(0, 10**8),
    "compounds.indices.npy": lambda a: a.__setitem__(-1, -5),
    "atoms.indptr.npy": lambda a: a.__setitem__(1, 10**9),
    "compounds.data.npy": lambda a: a.__setitem__(0, 0),
    "compounds.ends.npy": lambda a: a.__setitem__(-1, 10**9),
    "documents.npy": lambda a: a.__setitem__(0, -7),
}


def _sign(folder: Path, file: str) -> None:
    """The checksum of a changed file, as an attacker would compute it anew."""
    about = json.loads((folder / "counts.json").read_text())
    about["checksums"][file] = hashlib.blake2b((folder / file).read_bytes(), digest_size=16).hexdigest()
    (folder / "counts.json").write_text(json.dumps(about))


@pytest.mark.parametrize("file", sorted(DAMAGE))
@pytest.mark.parametrize("with_checksum", [False, True])
def test_an_edited_counts_folder_is_refused(tmp_path: Path, file: str, with_checksum: bool) -> None:
    """Also by someone who computes the checksum anew."""
    path = tsv(tmp_path / "a.tsv", [("a", "b"), ("b", "c"), ("c", "a")])
    count(path, tmp_path / "c")
    array = np.load(tmp_path / "c" / file)
    DAMAGE[file](array)
    np.save(tmp_path / "c" / file, array)
    if with_checksum:
        _sign(tmp_path / "c", file)
    with pytest.raises(InputError, match=r"is damaged .*; count again"):
        load_counts(tmp_path / "c")


def test_other_damage_to_a_counts_folder(tmp_path: Path) -> None:
    path = tsv(tmp_path / "a.tsv", [("a", "b"), ("b", "c"), ("c", "a")])
    for harm in (
        lambda c: (c / "atoms.txt").write_bytes(b"x\n"),
        lambda c: (c / "lengths.npy").write_bytes((c / "lengths.npy").read_bytes()[:-3]),
        lambda c: np.save(c / "texts.npy", np.array([None, 1, 2], object), allow_pickle=True),
        lambda c: np.save(c / "atoms.indices.npy", np.zeros(9)),
        lambda c: (c / "compounds.data.npy").unlink(),
        lambda c: (c / "lengths.npy").write_bytes(b""),
        lambda c: (c / "lengths.npy").write_bytes((c / "lengths.npy").read_bytes().replace(b"}", b" ")),
        lambda c: (c / "lengths.npy").write_bytes(
            (c / "lengths.npy").read_bytes().replace(b" 'fortran", b"b'fortran")
        ),
        lambda c: np.savez((c / "lengths.npy").open("wb"), a=np.arange(3)),
        lambda c: (c / "counts.json").write_bytes(b'{"mismatch":5,' + (c / "counts.json").read_bytes()[1:]),
    ):
        count(path, tmp_path / "c")
        harm(tmp_path / "c")
        with pytest.raises(InputError, match="is damaged"):
            load_counts(tmp_path / "c")


@pytest.mark.parametrize("file", ["documents.npy", "lengths.npy", "compounds.data.npy"])
def test_a_number_that_would_fill_the_memory(tmp_path: Path, file: str) -> None:
    """Tables as long as the largest length or document are made of them: 2 billion would take all memory."""
    path = tsv(tmp_path / "a.tsv", [("a", "b"), ("b", "c"), ("c", "a")])
    count(path, tmp_path / "c")
    array = np.load(tmp_path / "c" / file).astype(np.uint32 if "data" in file else np.int32)
    array[0] = 2**31 - 1
    np.save(tmp_path / "c" / file, array)
    _sign(tmp_path / "c", file)
    with pytest.raises(InputError, match=r"is damaged \(a .* too large|is damaged \(a .* out of range"):
        load_counts(tmp_path / "c")


def test_names_that_are_no_text(tmp_path: Path) -> None:
    path = tsv(tmp_path / "a.tsv", [("a", "b"), ("b", "c"), ("c", "a")])
    count(path, tmp_path / "c")
    names = (tmp_path / "c" / "atoms.txt").read_bytes()
    (tmp_path / "c" / "atoms.txt").write_bytes(b"\xff" + names[1:])
    _sign(tmp_path / "c", "atoms.txt")
    assert "\ufffd" in load_counts(tmp_path / "c").atoms.names[0]
