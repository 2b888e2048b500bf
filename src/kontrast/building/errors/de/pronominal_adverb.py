"""Pronominal adverbs: *darauf*, *davon*, *worüber* with a preposition that the verb does not govern."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.errors.spec import Candidate, Example, Perturbation, candidate
from kontrast.building.errors.text import replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.words import lists_of

_LISTS = lists_of("de")
_VERBS = {
    key.removeprefix("governs_"): frozenset(verbs) for key, verbs in _LISTS.items() if key.startswith("governs_")
}
"""For each preposition the verbs that take it with a clause."""


def _adverb(beginning: str, preposition: str) -> str:
    """
    >>> _adverb("da", "auf"), _adverb("wo", "von")
    ('darauf', 'wovon')
    """
    return f"{beginning}{'r' if preposition[0] in 'aeiouü' else ''}{preposition}"


_FORMS = {_adverb(beginning, p): (beginning, p) for beginning in ("da", "wo") for p in _VERBS}
_CLAUSES = frozenset("dass daß ob wie was wer".split())


def _ungoverned(sentence: Sentence) -> Iterator[Candidate]:
    for i, token in enumerate(sentence.tokens):
        beginning, preposition = _FORMS.get(token.text.lower(), ("", ""))
        if not beginning or token.tag not in ("PROAV", "PAV", "PWAV"):
            continue
        if beginning == "da" and not _announces(sentence, i):
            continue
        verbs = _verbs(sentence, i)
        governing = verbs & _VERBS[preposition]
        new = "auf" if preposition == "an" else "an"
        if not governing or verbs & _VERBS[new] or (i and sentence.tokens[i - 1].pos in ("NOUN", "ADJ")):
            continue
        edit = replaced_word(token, _adverb(beginning, new))
        yield candidate("pronominal_adverb", sentence, [edit], words=(min(governing),))


def _announces(sentence: Sentence, i: int) -> bool:
    """Whether a clause follows, two words away at most: *darauf hin, dass*; *daran, zu gehen*."""
    tokens = sentence.tokens
    comma = next((k for k in range(i + 1, min(i + 4, len(tokens) - 1)) if tokens[k].text == ","), None)
    if comma is None:
        return False
    if tokens[comma + 1].text.lower() in _CLAUSES:
        return True
    for token in tokens[comma + 1 :]:
        if token.pos == "PUNCT":
            return False
        if token.tag in ("PTKZU", "VVIZU"):
            return True
    return False


def _verbs(sentence: Sentence, i: int) -> set[str]:
    """The lemmas of the verbs up to the next comma on either side, with and without a separate particle."""
    tokens = sentence.tokens
    first = last = i
    while first and tokens[first - 1].pos not in ("PUNCT", "CCONJ"):
        first -= 1
    while last + 1 < len(tokens) and tokens[last + 1].pos not in ("PUNCT", "CCONJ"):
        last += 1
    clause = tokens[first : last + 1]
    lemmas = {t.lemma for t in clause if t.pos == "VERB"}
    particles = [t.text for t in clause if t.tag == "PTKVZ"]
    return {p + lemma for p in particles for lemma in lemmas if not lemma.startswith(p)} or lemmas


perturbation = Perturbation(
    name="pronominal_adverb",
    language="de",
    summary="a pronominal adverb has a preposition that its verb does not govern",
    conditions=(
        "darauf, davon, dazu … that announce a clause (dass, ob, zu with infinitive), and worauf, wovon … in their "
        "clause, become daran and woran (daran becomes darauf) beside a verb that is listed with its preposition.",
        "Not right behind a noun or adjective, which may govern it: die Hoffnung darauf.",
        "The frequency is the verb's.",
    ),
    examples=(
        Example("Er weist darauf hin, dass es regnet.", "Er weist daran hin, dass es regnet."),
        Example("Sie denkt daran, ein Haus zu kaufen.", "Sie denkt darauf, ein Haus zu kaufen."),
        Example("Das liegt darauf.", None),
        Example("Er hat Hoffnung darauf, dass sie kommt.", None),
    ),
    function=_ungoverned,
)
