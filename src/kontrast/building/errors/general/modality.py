"""Modality: a verb of ability becomes one of duty, a verb of duty or wish another (*kann* → *muss*)."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.checks.english import has, modalities, said_in
from kontrast.building.errors.spec import Candidate, Maker, candidate
from kontrast.building.errors.text import replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.words import declared

_OTHER = {"can": "must", "must": "can", "want": "must"}


def modality(language: str) -> Maker:
    rows: dict[str, list[str]] = declared(language).get("modality", {})
    swaps = {
        old: (kind, new)
        for kind, other in _OTHER.items()
        for old, new in zip(rows.get(kind, ()), rows.get(other, ()), strict=False)
    }

    def changed(sentence: Sentence) -> Iterator[Candidate]:
        low = [token.text.lower() for token in sentence.tokens]
        if has(sentence.source, "not") or "t" in said_in(sentence.source):
            return  # what one cannot do one must not do
        said = modalities(sentence.source) if sentence.source else None
        for i, token in enumerate(sentence.tokens):
            kind, new = swaps.get(low[i], ("", ""))
            if not kind or low.count(low[i]) > 1 or token.text != low[i]:
                continue
            if said is None or (kind in said and _OTHER[kind] not in said):
                yield candidate("modality", sentence, [replaced_word(token, new)])

    return changed
