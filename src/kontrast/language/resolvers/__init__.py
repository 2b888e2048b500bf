"""Who resolves pronouns: one file per back end, chosen by name; ``salience`` by default."""

from pathlib import Path

from kontrast.errors import KontrastError
from kontrast.language.back_ends import back_end
from kontrast.language.coreference import Resolver


def get(name: str = "salience", model: str | Path | None = None) -> Resolver:
    """The resolver of that name with its model or file; ``salience`` needs none."""
    found = back_end("resolvers", name)
    if name == "given" and model is None:
        raise KontrastError("the resolver 'given' needs a file of chains")
    made: Resolver = found.load()(str(model)) if model and name != "salience" else found.load()()
    return made
