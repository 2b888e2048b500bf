"""Who aligns: one file per back end, chosen by name; ``fast-align`` by default.

A model is trained once on as much text as there is and kept in a folder; a few sentences alone cannot be aligned.
"""

from pathlib import Path

from kontrast.errors import KontrastError
from kontrast.language.alignment import Aligner

NAMES = {
    "fast-align": "fast_align by systran-align, trained once on a corpus (default)",
    "eflomal": "eflomal (GPL), trained on the very text it aligns; pip install eflomal",
    "embedding": "mutual best words by a multilingual encoder, as SimAlign does; needs a model folder or hub name",
    "pharaoh": "links from a file, a line per sentence pair: 0-0 1-2",
}


def get(name: str, model: str | Path | None = None) -> Aligner:
    """The aligner of that name with its model (a folder, a hub name, a file of links)."""
    if name not in NAMES:
        raise KontrastError(f"there is no aligner {name!r}; there are {', '.join(NAMES)}")
    if name == "eflomal":
        from kontrast.language.aligners.eflomal import Eflomal

        return Eflomal()
    if model is None:
        raise KontrastError(f"the aligner {name!r} needs a model: {NAMES[name]}")
    if name == "fast-align":
        from kontrast.language.aligners.fast_align import FastAlign

        return FastAlign(model)
    if name == "embedding":
        from kontrast.language.aligners.embedding import Embedding

        return Embedding(str(model))
    from kontrast.language.aligners.pharaoh import Pharaoh

    return Pharaoh(model)
