"""Who resolves pronouns: one file per back end, chosen by name; ``salience`` by default."""

from pathlib import Path

from kontrast.errors import KontrastError
from kontrast.language.coreference import Resolver

NAMES = {
    "salience": "rules over the parse, in this package (default)",
    "fastcoref": "the neural model of the package fastcoref, for those who have its weights",
    "given": "chains from JSON {document: [[[sentence, start, end], …], …]} or CoNLL-U with Entity brackets",
}


def get(name: str = "salience", model: str | Path | None = None) -> Resolver:
    """The resolver of that name."""
    if name == "salience":
        from kontrast.language.resolvers.salience import Salience

        return Salience()
    if name == "fastcoref":
        from kontrast.language.resolvers.neural import FastCoref

        return FastCoref(str(model) if model else None)
    if name == "given":
        if model is None:
            raise KontrastError("the resolver 'given' needs a file of chains")
        from kontrast.language.resolvers.given import GivenChains

        return GivenChains(model)
    raise KontrastError(f"there is no resolver {name!r}; there are {', '.join(NAMES)}")
