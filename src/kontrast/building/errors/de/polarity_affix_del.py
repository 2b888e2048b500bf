"""Polarity: the prefix *un-* is taken off (*unabhängig* → *abhängig*)."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.de.affixes import is_opposite, is_unclear
from kontrast.building.errors.spec import Candidate, Example, Perturbation, candidate, flags
from kontrast.building.errors.text import like, opens_sentence
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import readings


def _affirmed(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        if is_opposite(token.text):
            new = like(token.text, token.text[2:])
            said = flags(
                unclear=is_unclear(token.text),
                opposite_there=any(t.text.lower().startswith(new.lower()[:6]) for t in sentence.tokens),
                label=token.pos != "NOUN" and token.text[0].isupper() and not opens_sentence(sentence, i),
                noun=token.pos == "NOUN",
                behind_degree=i > 0
                and sentence.tokens[i - 1].text.lower() in ("noch", "wie", "so", "zu", "nicht", "bisher"),
                adverb=token.tag == "ADJD",
                participle=any(r.pos == "V" and "2" in r.codes for r in readings(new.lower())),
            )
            edits = [(token.start, token.end, new)]
            yield candidate("polarity_affix_del", sentence, edits, words=(token.text,), features=said)


perturbation = Perturbation(
    name="polarity_affix_del",
    language="de",
    summary="the negating prefix un- is deleted",
    conditions=(
        "An adjective, participle, adverb or noun with un- whose rest is a word of its own; the capital is kept.",
        "Not where un- makes no opposite: Unfall, Unkosten, Unwetter, Unmenge …",
        "The frequency is that of the word with un-.",
    ),
    examples=(
        Example("Der Ausgang ist unsicher.", "Der Ausgang ist sicher."),
        Example("Es herrscht Unklarheit darüber.", "Es herrscht Klarheit darüber."),
        Example("Das Unternehmen hatte einen Unfall.", None),
    ),
    function=_affirmed,
)
