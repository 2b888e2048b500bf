"""Coreference given as a file, from any annotator or resolver: JSON chains, or CoNLL-U with ``Entity`` brackets."""

import re
from collections.abc import Sequence
from pathlib import Path

from kontrast.errors import InputError
from kontrast.io.conllu import read_blocks
from kontrast.io.json_input import read_json
from kontrast.language.annotation import Sentence
from kontrast.language.coreference import Antecedent, from_chains

Documents = dict[str, list[list[tuple[int, int, int]]]]

_BRACKET = re.compile(r"\((?P<open>[^()\s-]+)[^()]*(?P<both>\))?|(?P<close>[^()\s-]+)[^()]*\)")


class GivenChains:
    """Chains by the name of the document (``# newdoc id`` in CoNLL-U); sentences are the document's lines, from 0."""

    name = "given"

    def __init__(self, path: str | Path) -> None:
        expected = "{document: [[[sentence, start, end], …], …]}"
        is_tree = ".conllu" in Path(path).suffixes
        self._documents = _from_conllu(path) if is_tree else read_json(path, Documents, expected=expected)

    def antecedents(
        self, document: str, sentences: Sequence[Sentence], sentence: int, token: int
    ) -> list[Antecedent]:
        return from_chains(self._documents.get(document, []), sentences, sentence, token)


def _from_conllu(path: str | Path) -> Documents:
    """Entities as CorefUD writes them: ``Entity=(e1-person`` opens a mention of e1, ``e1)`` closes it."""
    documents: dict[str, dict[str, list[tuple[int, int, int]]]] = {}
    sentence = -1
    for block in read_blocks(path):
        sentence = 0 if block.first else sentence + 1
        text, cursor = block.text or "", 0
        waiting: dict[str, list[int]] = {}
        for number, fields in block.words:
            start = text.find(fields[1], cursor)
            if start < 0:
                raise InputError(path, f"the word {fields[1]!r} is not in the sentence's # text", line=number)
            cursor = start + len(fields[1])
            entities = documents.setdefault(block.document, {})
            brackets = next((f.removeprefix("Entity=") for f in fields[9].split("|") if f.startswith("Entity=")), "")
            for bracket in _BRACKET.finditer(brackets):
                if bracket["open"] and bracket["both"]:
                    entities.setdefault(bracket["open"], []).append((sentence, start, cursor))
                elif bracket["open"]:
                    waiting.setdefault(bracket["open"], []).append(start)
                elif waiting.get(bracket["close"]):
                    opened = waiting[bracket["close"]].pop()
                    entities.setdefault(bracket["close"], []).append((sentence, opened, cursor))
    return {document: list(entities.values()) for document, entities in documents.items()}
