"""A split as a folder: sentence numbers of each side, and ``split.json``, which says everything else."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from kontrast.errors import InputError
from kontrast.io.json_input import FAILURES, write_json
from kontrast.splitting.measuring import read_ids
from kontrast.splitting.splits import Split
from kontrast.splitting.tokens import Array

__all__ = ["load_split", "save_split", "summary_of"]

MOST_SENTENCES = 1 << 28
_SIDES = ("train", "test", "dev", "discarded", "featureless", "filtered")
_FILES = {"train": True, "test": True, "dev": False, "featureless": False, "filtered": False}
"""Sides that have a file, and whether it is written when the side is empty."""


def save_split(result: Split, folder: str | Path, *, counts: str = "") -> None:
    """Write ``train.ids``, ``test.ids`` (``dev.ids``, ``featureless.ids``, ``filtered.ids``) and ``split.json``."""
    from kontrast import __version__
    from kontrast.io.files import writing

    folder = Path(folder)
    for side, always in _FILES.items():
        ids: Array = getattr(result, side)
        if not len(ids) and not always:
            (folder / f"{side}.ids").unlink(missing_ok=True)
            continue
        with writing(folder / f"{side}.ids") as out:
            out.write("".join(f"{i}\n" for i in ids.tolist()))
    write_json(folder / "split.json", {**summary_of(result), "counts": counts, "kontrast": __version__})


def summary_of(result: Split) -> dict[str, Any]:
    """A split without its lists of sentences, for JSON."""
    fields = {name: getattr(result, name) for name in result.__struct_fields__ if name not in _SIDES}
    sizes = {side: len(getattr(result, side)) for side in _SIDES}
    total = sum(sizes.values())
    return {
        "atom_divergence": result.atom_divergence,
        "compound_divergence": result.compound_divergence,
        "sentences": total,
        **sizes,
        "test_share": result.test_share,
        "discard_share": sizes["discarded"] / max(1, total - sizes["featureless"] - sizes["filtered"]),
        **fields,
    }


@cache
def _kept() -> list[msgspec.structs.FieldInfo]:
    """The fields of a split that are in split.json."""
    return [field for field in msgspec.structs.fields(Split) if field.name not in _SIDES]


def load_split(folder: str | Path) -> Split:
    """Read back what `save_split` wrote."""
    folder = Path(folder)
    try:
        raw = msgspec.json.decode((folder / "split.json").read_bytes(), type=dict[str, Any])
        sentences = int(raw["sentences"])
        if not 0 <= sentences <= MOST_SENTENCES:
            raise ValueError
        fields = {field.name: msgspec.convert(raw[field.name], field.type) for field in _kept()}
    except (OSError, KeyError, TypeError, ValueError, OverflowError, *FAILURES) as error:
        raise InputError(folder, "expected a folder written by this version's `kontrast split`") from error
    sides: dict[str, Any] = {side: np.zeros(0, np.int64) for side in _FILES}
    for side, always in _FILES.items():
        if always or (folder / f"{side}.ids").exists():
            sides[side] = read_ids(folder / f"{side}.ids", sentences)
    discarded = np.setdiff1d(np.arange(sentences), np.concatenate(list(sides.values())))
    return Split(**sides, discarded=discarded, **fields)
