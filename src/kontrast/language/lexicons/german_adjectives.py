"""German adjectives: all forms of one, by rule; what is irregular is written by hand."""

from __future__ import annotations

from functools import lru_cache

__all__ = ["GENDERS", "IRREGULAR", "adjective_forms"]

GENDERS = "Fem,Masc,Neut"
"""Of a plural, which has no gender of its own."""
_CASES = ("Nom", "Gen", "Dat", "Acc")
_ENDINGS = {
    "Strong": {"Masc": "er en em en", "Fem": "e er er e", "Neut": "es en em es", GENDERS: "e er en e"},
    "Weak": {"Masc": "e en en en", "Fem": "e en en e", "Neut": "e en en e", GENDERS: "en en en en"},
    "Mixed": {"Masc": "er en en en", "Fem": "e en en e", "Neut": "es en en es", GENDERS: "en en en en"},
}
"""Endings in the order of the cases; mixed: after *ein*, *kein*, *mein*."""
_UMLAUT = frozenset(
    "alt arg arm dumm gesund grob hart jung kalt klug krank kurz lang rot scharf schwach schwarz stark warm".split()
)
_LONG = ("t", "d", "s", "ß", "z", "x", "sch", "eu", "au", "ei", "oh", "üh", "äh")
IRREGULAR = {
    "gut": ("besser", "best"),
    "viel": ("mehr", "meist"),
    "hoch": ("höher", "höchst"),
    "nah": ("näher", "nächst"),
    "groß": ("größer", "größt"),
}
"""Comparative and the stem of the superlative."""
_CELLS = {
    degree: [
        (
            ending,
            {
                "Degree": degree,
                "Declension": declension,
                "Gender": gender,
                "Case": case,
                "Number": "Plur" if gender == GENDERS else "Sing",
            },
        )
        for declension, genders in _ENDINGS.items()
        for gender, endings in genders.items()
        for case, ending in zip(_CASES, endings.split(), strict=True)
    ]
    for degree in ("Pos", "Cmp", "Sup")
}
"""Endings and features of each degree, the same for all adjectives."""


@lru_cache(maxsize=5_000)
def adjective_forms(lemma: str, stem: str) -> tuple[tuple[str, dict[str, str]], ...]:
    """Every form with its features; the plain form of each degree, without case, comes first.

    >>> [form for form, f in adjective_forms("alt", "alt") if f.get("Case", "Nom") == "Nom"][:4]
    ['alt', 'alter', 'alte', 'altes']
    >>> next(form for form, f in adjective_forms("hoch", "hoh") if f["Degree"] == "Sup")
    'höchsten'
    """
    comparative, superlative = _compared(lemma, stem)
    found: list[tuple[str, dict[str, str]]] = []
    for degree, plain, inflected in (
        ("Pos", lemma, stem),
        ("Cmp", comparative, comparative),
        ("Sup", superlative + "en", superlative),
    ):
        found.append((plain, {"Degree": degree}))
        found += [(inflected + ending, features) for ending, features in _CELLS[degree]]
    return tuple(found)


def _compared(lemma: str, stem: str) -> tuple[str, str]:
    if lemma in IRREGULAR:
        return IRREGULAR[lemma]
    base = lemma
    if lemma in _UMLAUT:
        vowel = max(lemma.rfind(v) for v in "aou")
        base = stem = lemma[:vowel] + {"a": "ä", "o": "ö", "u": "ü"}[lemma[vowel]] + lemma[vowel + 1 :]
    base = base.removesuffix("e")
    # schwärzeste, weiteste, neueste, but komischste, bedeutendste: an e where the last syllable is stressed.
    long = base.endswith(_LONG) and not base.endswith(("end", "isch"))
    return stem + "er", base + ("est" if long else "st")
