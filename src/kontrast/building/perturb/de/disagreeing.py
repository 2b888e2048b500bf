"""Does a noun phrase of the text disagree with itself (*eine kleiner Knopf*)? Then an error in it is not alone."""

from __future__ import annotations

from kontrast.language.annotation import Sentence
from kontrast.language.german.cells import meet, noun_cells
from kontrast.language.lexicons.german import adjective_lemma
from kontrast.language.lexicons.german_words import DEFINITE, DETERMINERS, EIN_STEMS

__all__ = ["disagrees"]

_WEAK = frozenset(DEFINITE) | {stem + ending for stem in ("dies", "jed") for ending in ("e", "er", "es", "en", "em")}
_MIXED = {form for form in DETERMINERS if form.startswith(EIN_STEMS)}
_ENDINGS = ("er", "es", "en", "em", "e")


def disagrees(sentence: Sentence, i: int) -> bool:
    """Is the word in a noun phrase whose determiner, adjectives and noun have no gender, case and number in common?

    Not asked of a noun that the lexicon does not know.
    """
    tokens = sentence.tokens
    det = next((k for k in range(i, max(i - 5, -1), -1) if tokens[k].pos == "DET" and tokens[k].head >= i), None)
    if det is None or tokens[tokens[det].head].tag != "NN":
        return False
    low = tokens[det].text.lower()
    if low not in _WEAK and low not in _MIXED:
        return False
    cells, known = noun_cells(tokens[tokens[det].head].text, "NN")
    common = meet(cells, {gender + cell for gender, cell in DETERMINERS[low]})
    adjectives = [t.text.lower() for t in tokens[det + 1 : tokens[det].head] if t.tag == "ADJA" and t.text.islower()]
    inflected = [word for word in adjectives if adjective_lemma(word) is not None]
    return known and not any(all(_fits(word, low, cell) for word in inflected) for cell in common)


def _fits(adjective: str, determiner: str, cell: str) -> bool:
    """*ein kleiner Knopf*, *der kleine Knopf*, *die kleinen Knöpfe*."""
    ending = next((e for e in _ENDINGS if adjective.endswith(e)), "")
    if determiner in EIN_STEMS:
        return ending == {"m": "er", "n": "es"}.get(cell[0], ending)
    return ending == ("e" if cell[1:] == "ns" or cell in ("fas", "nas") else "en")
