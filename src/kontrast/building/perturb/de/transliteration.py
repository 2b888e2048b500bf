"""Names: two neighbouring letters of a rare name change places (*Ropid* → *Rpoid*)."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import opens_sentence
from kontrast.language.annotation import Sentence, Token
from kontrast.language.lexicons.german import adjective_lemma, compound_head, readings
from kontrast.language.lexicons.german_words import CLOSED

_NO_NAME = tuple(
    "sche schen scher sches ung ungen heit heiten keit keiten schaft schaften ismus stel stels iert".split()
)
"""Endings of words, not of names."""


def _misspelt(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        if not _is_rare_name(token) or _may_be_adjective(sentence, i):
            continue
        name = token.text
        for k in range(1, len(name) - 1):
            if name[k] != name[k + 1]:
                new = name[:k] + name[k + 1] + name[k] + name[k + 2 :]
                yield candidate(
                    "transliteration", sentence, [(token.start, token.end, new)], words=(name,), unseen=(name,)
                )


def _is_rare_name(token: Token) -> bool:
    name = token.text
    if not (token.tag in ("NE", "NNP") or token.pos == "PROPN") or len(name) < 5 or not name.isalpha():
        return False
    if not name[0].isupper() or not name[1:].islower() or name.endswith(_NO_NAME) or name.lower() in CLOSED:
        return False
    common = bool(readings(name)) or bool(readings(name.lower()))
    return not common and compound_head(name) is None and adjective_lemma(name.lower()) is None


def _may_be_adjective(sentence: Sentence, i: int) -> bool:
    """*Erektile Dysfunktion*: with an ending, and a capital that is due to the sentence start, before a noun."""
    after = sentence.tokens[i + 1] if i + 1 < len(sentence.tokens) else None
    inflected = sentence.tokens[i].text.endswith(("e", "en", "er", "es"))
    return inflected and after is not None and after.pos == "NOUN" and opens_sentence(sentence, i)


perturbation = Perturbation(
    name="transliteration",
    language="de",
    summary="two adjacent characters of a name are swapped",
    conditions=(
        "A name of five letters or more, with a capital and small letters, that the lexicon does not have.",
        "With --train only names that the training text does not have; the first letter stays.",
        "The frequency is the name's.",
    ),
    examples=(
        Example("Das erklärte Filip Drápal gestern.", "Das erklärte Filip Dárpal gestern."),
        Example("Die Vorwürfe und Bezichtigungen gehen weiter.", None),
    ),
    function=_misspelt,
)
