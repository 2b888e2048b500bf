"""Auxiliary of the perfect: avoir for être, être for avoir."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.fr.replacing import replaced
from kontrast.building.errors.spec import Candidate, Example, Perturbation, candidate
from kontrast.language.annotation import Sentence
from kontrast.language.french import FILLERS
from kontrast.language.french_words import words_of
from kontrast.language.lexicons.french import lemmas

_ETRE = dict(
    pair.split("/")
    for pair in "suis/ai est/a sommes/avons êtes/avez sont/ont étais/avais était/avait étions/avions étaient/avaient "
    "sera/aura seront/auront serait/aurait seraient/auraient".split()
)
_AVOIR = {avoir: etre for etre, avoir in _ETRE.items()}
_WITH_ETRE = frozenset(
    "aller venir arriver partir tomber naître mourir rester devenir revenir intervenir parvenir décéder".split()
)
_WITH_AVOIR = frozenset(
    "être pouvoir vouloir falloir sembler exister durer dormir voyager ressembler appartenir participer hésiter "
    "survivre contribuer bénéficier coûter sourire nager".split()
)
_BETWEEN = FILLERS - {"soit", "comme"}


def _changed(sentence: Sentence) -> Iterator[Candidate]:
    words = words_of(sentence)
    for i, word in enumerate(words):
        table, verbs = (_ETRE, _WITH_ETRE) if word.low in _ETRE else (_AVOIR, _WITH_AVOIR)
        if word.low not in table or (i and words[i - 1].low in ("s'", "se", "me", "m'", "te", "t'", "y", "à", "-")):
            continue
        k = i + 1
        while k < len(words) and words[k].low in _BETWEEN and k < i + 3:
            k += 1
        if k >= len(words) or not lemmas(words[k].low, "k") & verbs or words[k].low == "parti":
            continue
        if k + 1 < len(words) and words[k].low == "été" and table is _AVOIR and words[k].pos == "NOUN":
            continue
        edits = replaced(sentence.text, words, i, table[word.low])
        if edits is not None:
            yield candidate("auxiliary", sentence, edits, distance=k - i - 1)


perturbation = Perturbation(
    name="auxiliary",
    language="fr",
    summary="the perfect gets avoir for être, or être for avoir",
    conditions=(
        "être of verbs that never have an object (aller, venir, arriver, naître …) becomes avoir.",
        "avoir of verbs without a passive (être, pouvoir, durer, participer …) becomes être.",
        "Elision is kept right; reflexive verbs are left alone.",
    ),
    examples=(
        Example("Elle est arrivée hier.", "Elle a arrivée hier."),
        Example("Il a été malade.", "Il est été malade."),
        Example("Ils n'ont pas pu venir.", "Ils ne sont pas pu venir."),
        Example("La porte est fermée.", None),
    ),
    function=_changed,
)
