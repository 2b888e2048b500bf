"""Polarity: the prefix *un-* is put before a word that has such an opposite (*sicher* → *unsicher*)."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.de.affixes import has_opposite, is_clear
from kontrast.building.errors.de.grammar import NEGATIVE, clause_around
from kontrast.building.errors.spec import Candidate, Example, Perturbation, candidate, flags
from kontrast.building.errors.text import like, opens_sentence
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import readings

_TAGS = {"ADJ": "ADJA", "NOUN": "NN"}
_COPULAS = frozenset(("sein", "bleiben", "scheinen"))


def _negated(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        tag = token.tag if token.tag in ("ADJA", "ADJD", "NN") else _TAGS.get(token.pos, "")
        if not tag or not has_opposite(token.text, tag):
            continue
        new = like(token.text, "un" + token.text.lower())
        if any(t.text == new for t in sentence.tokens):
            continue  # angenehm oder unangenehm
        clause = [sentence.tokens[k] for k in clause_around(sentence, i)]
        said = flags(
            clear=is_clear(token.text),
            negated=any(t.text.lower() in NEGATIVE for t in clause),
            predicate=any(r.lemma in _COPULAS for t in clause for r in readings(t.text.lower()) if r.pos == "V"),
            verb_too=any(r.pos == "V" and any(len(c) == 3 for c in r.codes) for r in readings(token.text.lower())),
            label=token.text[0].isupper() and tag != "NN" and not opens_sentence(sentence, i),
        )
        said += flags(plain="clear" in said and not {"negated", "verb_too", "label"} & set(said))
        edits = [(token.start, token.end, new)]
        yield candidate("polarity_affix_ins", sentence, edits, words=(token.text,), features=said)


perturbation = Perturbation(
    name="polarity_affix_ins",
    language="de",
    summary="the negating prefix un- is inserted",
    conditions=(
        "An adjective whose opposite with un- is in the lexicon, or such a noun in -heit, -keit or of a short list.",
        "Not where un- makes no opposite (heimlich, bedingt, gut, rund, Fall, Kosten), nor where the text has the "
        "opposite already.",
        "The frequency is that of the word without un-.",
    ),
    examples=(
        Example("Der Ausgang ist sicher.", "Der Ausgang ist unsicher."),
        Example("Die abhängigen Staaten schwiegen.", "Die unabhängigen Staaten schwiegen."),
        Example("Das Haus ist groß.", None),
    ),
    function=_negated,
)
