"""Whose a German possessive is beside an object: *Das Museum zeigte ihn seinen Besuchern* is said of its visitors.

It belongs to the subject of its clause if that has its gender; an object's possessive would rather be *dessen*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from kontrast.building.perturb.de.pronoun_gender import Mention
from kontrast.language.german.plain import PlainWord, clause, may_be_verb, persons
from kontrast.language.german.times import time_words
from kontrast.language.lexicons.german import usual_readings
from kontrast.language.lexicons.german_words import CLOSED, CONTRACTIONS, JOINING, PREPOSITION_CASES

__all__ = ["owner"]

Owner = Literal["subject", "perhaps", ""]

_NOUN_GENDERS = {
    **dict.fromkeys(("das", "dieses", "jedes"), "n"),
    **dict.fromkeys(("der", "dieser", "jeder"), "m"),
    **dict.fromkeys(("die", "diese", "jede", "eine", "keine", "meine", "deine", "unsere", "eure"), "f"),
    **dict.fromkeys(("ein", "kein", "mein", "dein", "unser", "euer"), "mn"),
}
"""Determiners of a nominative in the singular, and the genders of their nouns."""
_PRONOUNS = {
    **dict.fromkeys(("er", "man", "wer", "jemand", "niemand", "jeder", "keiner"), "m"),
    "sie": "f",
    "es": "n",
}
_RELATIVE = {"der": "m", "die": "f", "das": "n", "welcher": "m", "welche": "f", "welches": "n"}


def owner(words: Sequence[PlainWord], main: Mention, possessive: Mention) -> Owner:
    """Does a possessive beside an object belong to the subject? ``perhaps`` where its gender is not known."""
    if main.case == "nom" or possessive.case != "poss" or possessive.clause != main.clause:
        return ""
    at = words.index(possessive.word)
    start, end = main.clause
    found = list(_subjects(words, start, end, words.index(main.word), at))
    if not found and start > 1 and _shares_subject(words, start, end):
        # kaufte ihn und zeigte ihn, versuchte, ihn … zu zeigen
        before = start - 1 if words[start - 1].low[0].isalnum() else start - 2
        found = list(_subjects(words, *clause(words, before), -1, at))
    if main.case == "dat":
        found = found[:1]  # die Frau gab ihm das Buch seiner Mutter
    if any(set(genders) & set(possessive.genders) for genders in found):
        return "subject"
    return "perhaps" if "" in found else ""


def _subjects(words: Sequence[PlainWord], start: int, end: int, main: int, possessive: int) -> Iterator[str]:
    """The genders of what may be the subject from ``start`` to ``end``; the empty string for a name."""
    governed = False
    times = time_words(words, start, end)
    if words[start].low in _RELATIVE and start and words[start - 1].low == ",":
        yield _RELATIVE[words[start].low]
        return
    for j in range(start, min(end, len(words) - 1) + 1):
        word, low = words[j], words[j].low
        if j in times or j in (main, possessive):
            governed = governed or j == possessive
        elif low in PREPOSITION_CASES or low in CONTRACTIONS:
            governed = low not in ("als", "wie")
        elif low in _PRONOUNS and not (j + 1 <= end and words[j + 1].text[0].isupper()):
            if words[j - 1].low not in PREPOSITION_CASES:
                yield _PRONOUNS[low]
        elif low in _NOUN_GENDERS and not governed:
            yield from _of_noun(words, j, end)
            governed = True  # its noun is told already
        elif word.text[0].isupper() and low not in CLOSED and not persons(low):
            first = j == start < end and may_be_verb(words, j + 1)  # Siemens zeigte
            if not governed and (first or (not usual_readings(word.text) and words[j - 1].low not in CLOSED)):
                yield ""
            governed = False


def _of_noun(words: Sequence[PlainWord], j: int, end: int) -> Iterator[str]:
    """The gender of the noun behind a determiner, if both may be a nominative."""
    noun = next((w.text for w in words[j + 1 : min(j + 4, end) + 1] if w.text[0].isupper()), "")
    known = [r for r in usual_readings(noun) if r.pos == "N" and not r.rare] if noun else []
    allowed = _NOUN_GENDERS[words[j].low]
    if noun and not known:
        yield allowed
    elif told := "".join(r.feature for r in known if r.feature in allowed and "ns" in r.codes):
        yield told


def _shares_subject(words: Sequence[PlainWord], start: int, end: int) -> bool:
    """*und zeigte ihn*: a verb right behind a conjunction; *um ihn … zu zeigen*: an infinitive."""
    joined = words[start].low in JOINING and start < end and may_be_verb(words, start + 1)
    infinitive = end > start and words[end - 1].low == "zu" and words[end].low.endswith("n")
    return joined or infinitive
