"""Who aligns: one file per back end, chosen by name; ``fast-align`` by default.

A model is trained once on as much text as there is and kept in a folder; a few sentences alone cannot be aligned.
"""

import importlib
from pathlib import Path
from typing import Any

from kontrast.errors import KontrastError
from kontrast.language.alignment import Aligner

BACK_ENDS = {
    "fast-align": ("fast_align by systran-align, trained once on a corpus (default)", "fast_align.FastAlign"),
    "eflomal": ("eflomal (GPL), trained on the text that it aligns; pip install eflomal", "eflomal.Eflomal"),
    "embedding": (
        "mutual best words by a multilingual encoder, as in SimAlign; needs a model folder or hub name",
        "embedding.Embedding",
    ),
    "pharaoh": ("links from a file, one line per sentence pair: 0-0 1-2", "pharaoh.Pharaoh"),
}
"""What each is, and its class."""


def get(name: str, model: str | Path | None = None) -> Aligner:
    """The aligner of that name with its model (a folder, a hub name, a file of links)."""
    if name not in BACK_ENDS:
        raise KontrastError(f"there is no aligner {name!r}; choose from {', '.join(BACK_ENDS)}")
    told, place = BACK_ENDS[name]
    if model is None and name != "eflomal":
        raise KontrastError(f"the aligner {name!r} needs a model: {told}")
    module, _, kind = place.partition(".")
    back_end: Any = getattr(importlib.import_module(f"kontrast.language.aligners.{module}"), kind)
    made: Aligner = back_end() if name == "eflomal" else back_end(str(model))
    return made
