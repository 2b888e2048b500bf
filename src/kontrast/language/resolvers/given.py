"""Coreference given as a JSON file, from any annotator or resolver."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from kontrast.errors import InputError
from kontrast.language.annotation import Sentence
from kontrast.language.coreference import Antecedent
from kontrast.language.resolvers.chains import from_chains
from kontrast.suites.files import read_bytes

__all__ = ["Given"]


class Given:
    """Chains by the name of the document."""

    name = "given"

    def __init__(self, path: str | Path) -> None:
        try:
            self._documents = msgspec.json.decode(read_bytes(path), type=dict[str, list[list[tuple[int, int, int]]]])
        except msgspec.DecodeError as error:
            raise InputError(path, f"expected {{document: [[[sentence, start, end], …], …]}}: {error}") from error

    def antecedents(
        self, document: str, sentences: Sequence[Sentence], sentence: int, token: int
    ) -> list[Antecedent]:
        return from_chains(self._documents.get(document, []), sentences, sentence, token)
