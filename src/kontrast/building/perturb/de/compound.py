"""Compounds: the first two segments of a long compound change places (*Bundestagswahl* → *Tagsbundeswahl*)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import attested, readings
from kontrast.language.lexicons.german_compounds import holds_nouns, is_noun, split_compound

_ALIKE = frozenset({("bild", "schirm"), ("schirm", "bild"), ("gruppen", "reise"), ("reise", "gruppen")})
"""Pairs that are words in both orders for nearly one thing: a Schirmbild is the picture on a Bildschirm."""
_ONLY_FIRST = frozenset("ober hoch bar platt rund quell rechen".split())
"""Nouns too, but in a compound mostly others (*Bargeld*, *Oberfläche*, *Quellpaket*), which never stand second."""


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
        if not attested(new):
            weak = not all(is_noun(part) for part in parts[:2]) or _is_name(sentence, parts[0] + parts[1])
            weak = weak or not _ONLY_FIRST.isdisjoint(part.lower() for part in parts[:2])
            weak = weak or _means_much_the_same(parts[0].lower(), parts[1].lower())
            yield candidate(
                "compound", sentence, [(token.start, token.end, new)], words=(word,), unseen=(word,), weak=weak
            )


def _means_much_the_same(first: str, second: str) -> bool:
    """*Datei-lese-* and *Lese-datei-*: an action and what it is done to; *Bild-schirm-* and *Schirm-bild-*."""
    bare = second.removesuffix("s")
    stem = second.endswith("e") and any("i" in r.codes for r in readings(second + "n") if r.pos == "V")
    return stem or bare.endswith("ung") or (first, second) in _ALIKE


def _is_name(sentence: Sentence, first: str) -> bool:
    """*Mandelbrotfraktal*: an English source has the first two segments as a word of its own."""
    return bool(re.search(rf"\b{first}", sentence.source, re.IGNORECASE))


perturbation = Perturbation(
    name="compound",
    language="de",
    summary="the first two segments of a compound are swapped",
    conditions=(
        "A noun of three segments or more, each a word of its own; linking elements (-s-, -n-, -es-) stay with the "
        "segment before them.",
        "Prefixes and particles are no segments: Verbrauch, Fortbildung and Ausgang are not cut.",
        "Weak, so never chosen: one of the two is no noun (Vorder-, Nah-, Ober-); both are a name (Mandelbrot-), "
        "as an English source tells; the second is an action done to the first (Dateilese-, Stapelverarbeitungs-), "
        "or both orders name nearly one thing (Bildschirm-), so that the foil may be read as right.",
        "Made only where it is named (--types compound), not by default: of 26 read blind 16 were accepted "
        "(62%); the others could still be read as right (Münzwurfspiel, Wurfmünzspiel).",
        "With --train only compounds that the training text does not have.",
        "The frequency is the compound's.",
    ),
    examples=(
        Example("Der Finanzmarktbericht liegt vor.", "Der Marktfinanzbericht liegt vor."),
        Example("Die Finanzkatastrophe ist groß.", None),
    ),
    function=_swapped,
)
