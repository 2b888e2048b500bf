"""Adjective endings: strong for weak and the reverse (*der alter Mann*, *ein kleine Haus*)."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.spec import Candidate, Example, Perturbation, candidate
from kontrast.building.errors.text import replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import adjective_lemma, noun_readings

_ENDINGS = {
    ("der", "e", "ms"): "er", ("das", "e", "ns"): "es", ("dieser", "e", "ms"): "er", ("dieses", "e", "ns"): "es",
    ("dem", "en", "ms"): "em", ("dem", "en", "ns"): "em", ("im", "en", "ms"): "em", ("im", "en", "ns"): "em",
    ("zum", "en", "ms"): "em", ("zum", "en", "ns"): "em", ("vom", "en", "ms"): "em", ("vom", "en", "ns"): "em",
    ("ein", "er", "ms"): "e", ("ein", "es", "ns"): "e", ("kein", "er", "ms"): "e", ("kein", "es", "ns"): "e",
    ("eine", "e", "fs"): "er", ("keine", "e", "fs"): "er", ("die", "e", "fs"): "er",
    ("einem", "en", "ms"): "em", ("einem", "en", "ns"): "em", ("die", "en", "xp"): "er",
}  # fmt: skip
"""For determiner, ending and the noun's gender and number (x: any) the ending of the other declension."""


def _changed(sentence: Sentence) -> Iterator[Candidate]:
    tokens = sentence.tokens
    for i in range(1, len(tokens) - 1):
        adjective, noun = tokens[i], tokens[i + 1]
        if adjective.pos != "ADJ" or noun.pos != "NOUN" or adjective_lemma(adjective.text.lower()) is None:
            continue
        if adjective.text[:1].isupper() or not noun_readings(noun.text):
            continue
        new = _other(tokens[i - 1].text.lower(), adjective.text, noun.text)
        if new is not None:
            edits = [replaced_word(adjective, new)]
            yield candidate("adjective_ending", sentence, edits, distance=1, words=(noun.text,))


def _other(det: str, adjective: str, noun: str) -> str | None:
    codes = [(r.feature, code[1]) for r in noun_readings(noun) for code in r.codes]
    kinds = {gender + number for gender, number in codes} | {"x" + number for _, number in codes if number == "p"}
    for (word, ending, kind), new in _ENDINGS.items():
        if det != word or not adjective.endswith(ending) or kind not in kinds:
            continue
        stem = adjective.removesuffix(ending)
        if adjective_lemma(stem + "e") is not None and (ending != "e" or not adjective.endswith("ee")):
            return stem + new
    return None


perturbation = Perturbation(
    name="adjective_ending",
    language="de",
    summary="an adjective gets the strong ending for the weak one, or the reverse",
    conditions=(
        "An adjective between its determiner (der, das, die, dem, ein, eine, einem, kein, im …) and its noun.",
        "The ending is one that nothing has beside this determiner: der alter, dem altem, ein alte.",
        "The frequency is the noun's.",
    ),
    examples=(
        Example("Der alte Mann lacht.", "Der alter Mann lacht."),
        Example("Sie hat ein kleines Haus.", "Sie hat ein kleine Haus."),
        Example("Alte Männer lachen.", None),
    ),
    function=_changed,
)
