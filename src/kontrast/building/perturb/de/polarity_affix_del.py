"""Polarity: the prefix *un-* is taken off (*unabhängig* → *abhängig*)."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.perturb.de.affixes import is_opposite, is_unclear
from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import like
from kontrast.language.annotation import Sentence


def _affirmed(sentence: Sentence) -> Iterator[Candidate]:
    for token in sentence.tokens:
        if is_opposite(token.text):
            new = like(token.text, token.text[2:])
            yield candidate(
                "polarity_affix_del",
                sentence,
                [(token.start, token.end, new)],
                words=(token.text,),
                # angenehm oder unangenehm: the opposite is there already
                weak=is_unclear(token.text) or any(t.text == new for t in sentence.tokens),
            )


perturbation = Perturbation(
    name="polarity_affix_del",
    language="de",
    summary="the negating prefix un- is deleted",
    conditions=(
        "An adjective, participle, adverb or noun with un- whose rest is a word of its own; the capital is kept.",
        "Not where un- makes no opposite: Unfall, Unkosten, Unwetter, Unmenge …",
        "Weak, so never chosen: unbedingt, unmittelbar, Unsinn and others whose base means something else.",
        "The frequency is that of the word with un-.",
    ),
    examples=(
        Example("Der Ausgang ist unsicher.", "Der Ausgang ist sicher."),
        Example("Es herrscht Unklarheit darüber.", "Es herrscht Klarheit darüber."),
        Example("Das Unternehmen hatte einen Unfall.", None),
    ),
    function=_affirmed,
)
