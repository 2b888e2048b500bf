"""Polarity: the prefix *un-* is put before a word that has such an opposite (*sicher* → *unsicher*)."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.de.affixes import has_opposite, is_clear
from kontrast.building.errors.de.grammar import NEGATIVE, clause_around
from kontrast.building.errors.spec import Candidate, Example, Perturbation, candidate, doubts, flags
from kontrast.building.errors.text import like, opens_sentence
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons.german import adjective_lemma, readings
from kontrast.language.words import lists_of

_TAGS = {"ADJ": "ADJA", "NOUN": "NN"}
_COMMENT = frozenset(lists_of("de")["comment"])
_COPULAS = frozenset(("sein", "bleiben", "scheinen"))


def _negated(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        tag = token.tag if token.tag in ("ADJA", "ADJD", "NN") else _TAGS.get(token.pos, "")
        if not tag or not has_opposite(token.text, tag):
            continue
        after = sentence.tokens[i + 1 : i + 3]
        finite = any(r.pos == "V" and any(len(c) == 3 for c in r.codes) for r in readings(token.text.lower()))
        if finite and tag == "ADJA" and after and after[0].pos == "PUNCT":
            continue  # a verb at the end of its clause
        new = like(token.text, "un" + token.text.lower())
        if any(t.text == new for t in sentence.tokens):
            continue  # angenehm oder unangenehm
        clause = [sentence.tokens[k] for k in clause_around(sentence, i)]
        said = flags(
            clear=is_clear(token.text),
            negated=any(t.text.lower() in NEGATIVE for t in clause),
            predicate=any(r.lemma in _COPULAS for t in clause for r in readings(t.text.lower()) if r.pos == "V"),
            verb_too=finite,
            adverb=tag == "ADJD" and not any(r.lemma in _COPULAS for t in clause for r in readings(t.text.lower())),
            behind_negation=i > 0
            and sentence.tokens[i - 1].text.lower() in (*NEGATIVE, "ohne", "fast", "so", "voll", "leicht", "schwer"),
            directly_known=adjective_lemma("un" + token.text.lower()) is not None,
            noun=tag == "NN",
            before_clause=(bool(after) and after[0].text == ",")
            or (len(after) > 1 and after[1].text in ("dass", "daß")),
            in_phrase=i > 0
            and sentence.tokens[i - 1].pos == "ADP"
            and (tag != "ADJA" or not after or after[0].pos != "NOUN"),
            enough=bool(after) and after[0].text in ("genug", "als"),
            label=token.text[0].isupper() and tag != "NN" and not opens_sentence(sentence, i),
        )
        said += doubts(comment="adverb" in said and token.text.lower() in _COMMENT)
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
