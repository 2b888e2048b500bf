"""Compounds: the first two segments of a long compound change places (*Bundestagswahl* → *Tagsbundeswahl*)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kontrast.building.errors.spec import Candidate, Example, Perturbation, candidate, flags
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import attested, readings
from kontrast.language.lexicons.german_compounds import holds_nouns, is_noun, split_compound


def _swapped(sentence: Sentence) -> Iterator[Candidate]:
    for token in sentence.tokens:
        word = token.text
        if not (token.tag in ("NN", "NE") or token.pos in ("NOUN", "PROPN")) or len(word) < 12 or not word.isalpha():
            continue
        parts = split_compound(word)
        if len(parts) < 3 or parts[0].lower() == parts[1].lower() or not word[1:].islower():
            continue
        if any(holds_nouns(part) for part in parts[:2]):
            continue  # a segment that was not cut, but might be: Prostatakrebs|früh|erkennung
        new = parts[1].capitalize() + parts[0].lower() + "".join(parts[2:])
        if attested(new):
            continue
        second = parts[1].lower()
        stem = second.endswith("e") and any("i" in r.codes for r in readings(second + "n") if r.pos == "V")
        said = flags(
            no_noun=not all(is_noun(part) for part in parts[:2]),
            name=bool(re.search(rf"\b{parts[0]}{parts[1]}", sentence.source, re.IGNORECASE)),
            action=stem or second.removesuffix("s").endswith("ung"),
        )
        edits = [(token.start, token.end, new)]
        yield candidate("compound", sentence, edits, words=(word,), unseen=(word,), features=said)


perturbation = Perturbation(
    name="compound",
    language="de",
    summary="the first two segments of a compound are swapped",
    conditions=(
        "A noun of three segments or more, each a word of its own; linking elements (-s-, -n-, -es-) stay with the "
        "segment before them.",
        "Prefixes and particles are no segments: Verbrauch, Fortbildung and Ausgang are not cut.",
        "Made only where it is named (--types compound): some can still be read as right (Münzwurfspiel, "
        "Wurfmünzspiel).",
        "With --train only compounds that the training text does not have.",
        "The frequency is the compound's.",
    ),
    examples=(
        Example("Der Finanzmarktbericht liegt vor.", "Der Marktfinanzbericht liegt vor."),
        Example("Die Finanzkatastrophe ist groß.", None),
    ),
    function=_swapped,
)
