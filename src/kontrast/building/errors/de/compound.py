"""Two segments of a compound change places."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.spec import Candidate, candidate
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german_compounds import holds_nouns, split_compound


def compound(sentence: Sentence) -> Iterator[Candidate]:
    for token in sentence.tokens:
        word = token.text
        if not (token.tag in ("NN", "NE") or token.pos in ("NOUN", "PROPN")) or len(word) < 12 or not word.isalpha():
            continue
        parts = split_compound(word)
        if len(parts) < 3:
            continue
        if any(holds_nouns(part) for part in parts[:2]):
            continue  # a segment that was not cut, but might be: Prostatakrebs|früh|erkennung
        new = parts[1].capitalize() + parts[0].lower() + "".join(parts[2:])
        edits = [(token.start, token.end, new)]
        yield candidate("compound", sentence, edits, words=(word,), unseen=(word,))
