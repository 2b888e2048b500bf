"""German adjectives: all forms of one, by rule; what is irregular is written by hand."""

from __future__ import annotations

from functools import lru_cache

from kontrast.language.lexicon import fits

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
_CELLS = [
    (
        ending,
        {
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
"""Endings and features, the same for all adjectives and degrees."""
_FEATURES = [
    {"Degree": degree, **features} for degree in ("Pos", "Cmp", "Sup") for features in ({}, *(f for _, f in _CELLS))
]


@lru_cache(maxsize=5_000)
def adjective_forms(lemma: str, stem: str) -> tuple[tuple[str, dict[str, str]], ...]:
    """Every form with its features; the plain form of each degree, without case, comes first.

    >>> [form for form, f in adjective_forms("alt", "alt") if f.get("Case", "Nom") == "Nom"][:4]
    ['alt', 'alter', 'alte', 'altes']
    >>> next(form for form, f in adjective_forms("hoch", "hoh") if f["Degree"] == "Sup")
    'höchsten'
    """
    comparative, superlative = _compared(lemma, stem)
    forms: list[str] = []
    for plain, inflected in ((lemma, stem), (comparative, comparative), (superlative + "en", superlative)):
        forms += (plain, *(inflected + ending for ending, _ in _CELLS))
    return tuple(zip(forms, _FEATURES, strict=True))


@lru_cache(maxsize=5_000)
def adjective_places(wanted: tuple[tuple[str, str], ...]) -> tuple[int, ...]:
    """Where forms with these features stand among those of any adjective.

    >>> [adjective_forms("alt", "alt")[i][0] for i in adjective_places((("Degree", "Cmp"), ("Gender", "Neut")))[:2]]
    ['älteres', 'älteren']
    """
    return tuple(i for i, features in enumerate(_FEATURES) if fits(features, dict(wanted)))


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
