"""Word links of a parallel corpus: from a file, or by an aligner trained on the corpus itself."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from kontrast.errors import KontrastError
from kontrast.language.aligners.pharaoh import Pharaoh
from kontrast.language.alignment import Links

__all__ = ["FEW", "corpus_links"]

FEW = 5_000
"""An aligner trained on fewer pairs than this makes many mistakes."""


def corpus_links(source: Sequence[str], target: Sequence[str], alignment: str | Path | None = None) -> list[Links]:
    """Links of each sentence pair; ``alignment`` is a file with a line for each, such as ``0-0 1-2``."""
    if len(source) != len(target):
        raise KontrastError(f"the source has {len(source)} sentences and the target {len(target)}")
    if alignment is not None:
        return list(Pharaoh(alignment).align(zip(source, target, strict=True)))
    from kontrast.language.aligners.fast_align import FastAlign, train

    with tempfile.TemporaryDirectory() as place:
        train(zip(source, target, strict=True), Path(place) / "model")
        return list(FastAlign(Path(place) / "model").align(zip(source, target, strict=True)))
