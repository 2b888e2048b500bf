"""A counts folder is data, not trust: what was edited or damaged is refused in one line."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from kontrast.errors import InputError
from kontrast.splitting.counting import count
from kontrast.splitting.matrix import load_counts

from .conftest import tsv

DAMAGE = {
    "atoms.indices.npy": lambda a: a.__setitem__(0, 10**8),
    "compounds.indices.npy": lambda a: a.__setitem__(-1, -5),
    "atoms.indptr.npy": lambda a: a.__setitem__(1, 10**9),
    "compounds.data.npy": lambda a: a.__setitem__(0, 0),
    "compounds.ends.npy": lambda a: a.__setitem__(-1, 10**9),
    "documents.npy": lambda a: a.__setitem__(0, -7),
}


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
        about = json.loads((tmp_path / "c" / "counts.json").read_text())
        about["checksums"][file] = hashlib.blake2b((tmp_path / "c" / file).read_bytes(), digest_size=16).hexdigest()
        (tmp_path / "c" / "counts.json").write_text(json.dumps(about))
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
    ):
        count(path, tmp_path / "c")
        harm(tmp_path / "c")
        with pytest.raises(InputError, match="is damaged"):
            load_counts(tmp_path / "c")
