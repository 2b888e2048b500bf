"""Who aligns: one file per back end, chosen by name; ``fast-align`` by default.

A model is trained once on as much text as there is and kept in a folder; a few sentences alone cannot be aligned.
"""

from pathlib import Path

from kontrast.errors import KontrastError
from kontrast.language.alignment import Aligner
from kontrast.language.back_ends import back_end


def get(name: str, model: str | Path | None = None) -> Aligner:
    """The aligner of that name with its model (a folder, a hub name, a file of links)."""
    found = back_end("aligners", name)
    if model is None and name != "eflomal":
        raise KontrastError(f"the aligner {name!r} needs a model: {found.told}")
    made: Aligner = found.load()() if name == "eflomal" else found.load()(str(model))
    return made
