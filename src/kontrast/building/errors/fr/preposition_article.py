"""Preposition and article that must be one word: de le for du, à les for aux."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.spec import Candidate, Example, Perturbation, candidate, doubts
from kontrast.building.errors.text import like
from kontrast.language.annotation import Sentence
from kontrast.language.french_words import words_of

_APART = {"du": "de le", "au": "à le", "aux": "à les"}
_FIXED = frozenset(("delà", "dessus", "dessous", "revoir"))
"""*au delà*, *au revoir*: one word in two, no article of a noun."""

_PREPOSITIONS = frozenset(("de", "d'", "du", "des", "à", "au", "aux", "le", "la", "les", "un", "une"))


def _changed(sentence: Sentence) -> Iterator[Candidate]:
    words = words_of(sentence)
    for i, word in enumerate(words[:-1]):
        behind = words[i + 1]
        glued = "-" in sentence.text[max(0, word.start - 1) : word.end + 1]
        if word.low not in _APART or not behind.low.isalpha() or glued or behind.low in ("fait", "moins", "tout"):
            continue
        if (i and words[i - 1].low in _PREPOSITIONS) or behind.low in ("le", "la", "les"):
            continue  # l'icône de du périphérique, du le projet: wrong already
        old = sentence.text[word.start : word.end]
        edit = (word.start, word.end, like(old, _APART[word.low]))
        yield candidate(
            "preposition_article",
            sentence,
            [edit],
            features=doubts(fixed=word.low == "au" and behind.low in _FIXED),
        )


perturbation = Perturbation(
    name="preposition_article",
    language="fr",
    summary="du, au, aux are taken apart (de le, à le, à les)",
    conditions=(
        "Any of the three before a word; not inside a hyphenated word, nor behind de, à or an article. "
        "Weak: au delà, au dessus.",
    ),
    examples=(
        Example("Il vient du marché.", "Il vient de le marché."),
        Example("Elle parle aux enfants.", "Elle parle à les enfants."),
        Example("Elle parle à Marie.", None),
    ),
    function=_changed,
)
