"""Konjunktiv II: *hätte*, *wäre*, *müsste*, and *würde* with an infinitive, lose their umlaut."""

from __future__ import annotations

from collections.abc import Iterator

from kontrast.building.perturb.de.grammar import finite_verbs
from kontrast.building.perturb.de.speech import SAYING
from kontrast.building.perturb.perturbation import Candidate, Example, Perturbation, candidate
from kontrast.building.perturb.text import replaced_word
from kontrast.language.annotation import Sentence

_STEMS = {"hätt": "hatt", "müsst": "musst", "würd": "wurd"}
_ENDINGS = ("e", "en", "est", "et")
_INDICATIVE = {
    **{a + e: b + e for a, b in _STEMS.items() for e in _ENDINGS},
    "wäre": "war", "wären": "waren", "wärest": "warst", "wärst": "warst", "wärt": "wart", "wäret": "wart",
}  # fmt: skip
_OPENERS = ("KOUS", "KOKOM", "PRELS", "PRELAT", "PWS", "PWAV", "PWAT")
_UNREAL = frozenset("wenn sonst ansonsten andernfalls lieber ohne".split())
"""Words that say that it is not so."""


def _as_fact(sentence: Sentence) -> Iterator[Candidate]:
    tokens = sentence.tokens
    verbs = [i for i in finite_verbs(sentence) if tokens[i].text.lower() in _INDICATIVE]
    for i in verbs:
        low = tokens[i].text.lower()
        if low.startswith("würd"):
            certain = _has_infinitive(sentence, i)
        elif _opener(sentence, i) == "wenn":
            certain = len(verbs) > 1  # if it were so, it would …
        else:
            certain = not (_is_subordinate(sentence, i) or _is_reported(sentence)) and _is_unreal(sentence, i)
        if certain:
            yield candidate("subjunctive", sentence, [replaced_word(tokens[i], _INDICATIVE[low])], words=(low,))


def _clause(sentence: Sentence, i: int) -> range:
    """The words around this one up to a comma, a stop or a dash."""
    tokens = sentence.tokens
    first = last = i
    while first and tokens[first - 1].pos != "PUNCT":
        first -= 1
    while last + 1 < len(tokens) and tokens[last + 1].pos != "PUNCT":
        last += 1
    return range(first, last + 1)


def _has_infinitive(sentence: Sentence, i: int) -> bool:
    """*würde kommen*, never *würde gebaut*; not where a comma may hide the verb."""
    tags = [sentence.tokens[k].tag for k in _clause(sentence, i)]
    return any(tag in ("VVINF", "VAINF", "VMINF") for tag in tags) and not ("VVPP" in tags and "VAINF" not in tags)


def _opener(sentence: Sentence, i: int) -> str | None:
    for k in _clause(sentence, i):
        if k < i and sentence.tokens[k].tag in _OPENERS:
            return sentence.tokens[k].text.lower()
    return None


def _is_subordinate(sentence: Sentence, i: int) -> bool:
    """Behind an opener, a preposition with a relative pronoun, or a comma that no conjunction or verb follows."""
    first = _clause(sentence, i)[0]
    if _opener(sentence, i) is not None:
        return True
    return (
        first not in (0, i)
        and sentence.tokens[first].tag not in ("KON", "ADV")
        and sentence.tokens[first - 1].text == ","
    )


def _is_unreal(sentence: Sentence, i: int) -> bool:
    """Not *hätte gesagt* alone, which in news is what somebody else said."""
    words = [sentence.tokens[k] for k in _clause(sentence, i)]
    if not any(word.tag in ("VVPP", "VAPP") for word in words):
        return not any(word.text == "können" for word in words)  # could not, or could not have
    return any(token.text.lower() in _UNREAL for token in sentence.tokens)


def _is_reported(sentence: Sentence) -> bool:
    """Somebody says or thinks it: there the indicative is as good."""
    lemmas = {token.lemma.lower() for token in sentence.tokens if token.pos == "VERB"}
    return bool(lemmas & SAYING) or any(mark in sentence.text for mark in '„“”"»«:')


perturbation = Perturbation(
    name="subjunctive",
    language="de",
    summary="a subjunctive of what is not so becomes the indicative of the past",
    conditions=(
        "würde with an infinitive becomes wurde, which no infinitive follows.",
        "hätte, wäre, müsste become hatte, war, musste in main clauses that nobody is said to say, "
        "and behind wenn where another verb of the sentence is a subjunctive too.",
        "Beside a participle only with wenn, sonst, lieber or ohne: what somebody else said is in the same form.",
        "Not könnte, sollte and dürfte: what they translate is often the same word (could, should).",
    ),
    examples=(
        Example("Ich würde morgen kommen.", "Ich wurde morgen kommen."),
        Example("Das wäre ein Fehler.", "Das war ein Fehler."),
        Example("Wenn er Zeit hätte, würde er kommen.", "Wenn er Zeit hatte, würde er kommen."),
        Example("Er sagte, das wäre ein Fehler.", None),
        Example("Er könnte recht haben.", None),
    ),
    function=_as_fact,
)
