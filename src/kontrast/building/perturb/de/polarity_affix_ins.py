"""Polarity: the prefix *un-* is put before a word that has such an opposite (*sicher* → *unsicher*)."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.perturb.de.affixes import has_opposite
from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import like
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import readings


def _negated(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        tag = token.tag if token.tag in ("ADJA", "ADJD", "NN") else {"ADJ": "ADJA", "NOUN": "NN"}.get(token.pos, "")
        after = sentence.tokens[i + 1] if i + 1 < len(sentence.tokens) else None
        if (
            tag == "ADJA"
            and token.tag == "ADJA"
            and _may_be_verb(token.text)
            and (after is None or after.pos == "CCONJ")
        ):
            continue
        if after is not None and after.text == "gesagt":
            continue  # ehrlich gesagt
        if not tag or not has_opposite(token.text, tag) or (i and sentence.tokens[i - 1].text.lower() == "nicht"):
            continue
        new = like(token.text, "un" + token.text.lower())
        yield candidate("polarity_affix_ins", sentence, [(token.start, token.end, new)], words=(token.text,))


def _may_be_verb(word: str) -> bool:
    return any(r.pos == "V" and any(len(code) == 3 for code in r.codes) for r in readings(word.lower()))


perturbation = Perturbation(
    name="polarity_affix_ins",
    language="de",
    summary="the negating prefix un- is inserted",
    conditions=(
        "An adjective whose opposite with un- is in the lexicon, or such a noun in -heit, -keit or of a short list.",
        "Not where un- makes no opposite (heimlich, bedingt, Fall, Kosten), and not right after nicht.",
        "The frequency is that of the word without un-.",
    ),
    examples=(
        Example("Der Ausgang ist sicher.", "Der Ausgang ist unsicher."),
        Example("Die abhängigen Staaten schwiegen.", "Die unabhängigen Staaten schwiegen."),
        Example("Das Haus ist groß.", None),
    ),
    function=_negated,
)
