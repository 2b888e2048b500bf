"""Pronouns whose gender neither the sentence nor its source tells, though a noun before them would go with them.

With another gender they are wrong in their document only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kontrast.building.perturb.de.pronoun_mentions import Mention
from kontrast.building.perturb.nouns_before import has_article, names_person
from kontrast.language.annotation import Sentence
from kontrast.language.german.plain import PlainWord
from kontrast.language.lexicons.german import usual_readings
from kontrast.language.lexicons.german_words import word_lists

__all__ = ["is_told_elsewhere"]

_COMPLETED = frozenset(word_lists("de.lists.txt")["with_infinitive"])
_SUBJECTS = {"m": "he", "f": "she"}
_OBJECTS = {"m": frozenset(("him", "himself")), "f": frozenset(("her", "herself"))}
_ZU = re.compile(r"\bzu \w+n\b|\b\w{2,}zu\w{2,}n\b")


def is_told_elsewhere(
    sentence: Sentence, words: Sequence[PlainWord], mentions: Sequence[Mention], mention: Mention
) -> bool | None:
    """True where only the document tells the pronoun's gender; None where nothing says so."""
    if _completes_noun(sentence, words, mention.clause, mention.genders):
        return True
    alike = [m for m in mentions if m.case not in ("poss", mention.case) and set(m.genders) & set(mention.genders)]
    beside = any(m.clause == mention.clause and m.word != mention.word for m in alike)
    if not beside and not (alike and mention.case == "nom" and _is_of_name(sentence, mention)):
        return None
    return _is_of_two(sentence, mention.word.start, mention.genders, mention.case == "nom") or None


def _is_of_name(sentence: Sentence, mention: Mention) -> bool:
    """*Camocke schrieb ihm, dass er komme*, *Camocke wrote him*: is the *him* of the source another than *er*?"""
    said = frozenset(re.findall(r"\w+", sentence.source.lower()))
    names = (t for t in sentence.tokens if t.end <= mention.word.start and t.pos == "PROPN")
    return any(_OBJECTS.get(g, frozenset()) & said for g in mention.genders) and any(
        t.relation.startswith("nsubj") for t in names
    )


def _completes_noun(
    sentence: Sentence, words: Sequence[PlainWord], part: tuple[int, int], genders: Sequence[str]
) -> bool:
    """*Es muss einen Weg geben, ihn zu öffnen*: a clause that says which way; what it opens is not the way.

    ``part`` are the first and the last word of the pronoun's clause.
    """
    start = words[part[0]].start
    if names_person(sentence.source) or not _ZU.search(sentence.text[start : words[part[1]].end].lower()):
        return False
    nouns = _nouns_before(sentence, start, genders)
    return bool(nouns) and nouns <= _COMPLETED


def _is_of_two(sentence: Sentence, start: int, genders: Sequence[str], subject: bool) -> bool:
    """*Sobald der Befehl da ist, entfernt er ihn*: beside another pronoun of its gender, does it mean no noun before?

    Two that are not one need two nouns, or a *he* (of an object: a *him*) in the source.
    """
    said = frozenset(re.findall(r"\w+", sentence.source.lower()))
    for gender in genders:
        if gender in _SUBJECTS and (_SUBJECTS[gender] in said if subject else bool(_OBJECTS[gender] & said)):
            return False
    return len(_nouns_before(sentence, start, genders)) < 2


def _nouns_before(sentence: Sentence, end: int, genders: Sequence[str]) -> set[str]:
    before = [t for t in sentence.tokens if t.end <= end]
    nouns = (t.text for i, t in enumerate(before) if t.pos == "NOUN" and has_article(before, i))
    return {noun for noun in nouns if any(r.feature in genders for r in usual_readings(noun))}
