"""The gender of a French third-person pronoun changed, with every word that must agree with it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from kontrast.building.checks.nouns_before import (
    fits_another,
    genders,
    is_decided,
)
from kontrast.building.errors.fr.agreement import Change, overdone
from kontrast.building.errors.fr.pronoun_mentions import (
    CLAUSES,
    INDEFINITES,
    PERSONAL,
    Occurrence,
    mentions_of,
    other_gender,
)
from kontrast.building.errors.spec import Candidate, candidate, doubts, flags
from kontrast.building.errors.text import like
from kontrast.language.annotation import Sentence
from kontrast.language.french_words import FrenchWord, words_of


def _edits(
    sentence: Sentence, words: Sequence[FrenchWord], changes: Sequence[Change], elide: bool = True
) -> list[tuple[int, int, str]]:
    """Character edits, with elision set right: s'il and si elle, d'elle and de lui."""
    text = sentence.text
    edits: dict[int, tuple[int, int, str]] = {}
    for index, new in changes:
        word = words[index]
        old = text[word.start : word.end]
        start, end, becomes = word.start, word.end, like(old, new)
        before = words[index - 1] if index else None
        if elide and before is not None and new and word.low not in ("le", "la", "un", "une"):
            joined = text[before.start : before.end]
            if before.low == "s'" and new in ("elle", "elles"):
                start, becomes = before.start, like(joined[0], "si") + " " + becomes
            elif before.low == "si" and new in ("il", "ils"):
                start, becomes = before.start, joined[0] + "'" + becomes
            elif before.low in ("d'", "qu'") and new == "lui":
                start, becomes = before.start, joined[:-1] + "e " + becomes
            elif before.low in ("de", "que") and word.low == "lui":
                start, becomes = before.start, joined[:-1] + "'" + becomes
        if new == "":
            end = words[index + 1].start
        edits[index] = (start, end, becomes)
    return [edit for edit in edits.values() if text[edit[0] : edit[1]] != edit[2]]


def pronoun_gender(sentence: Sentence) -> Iterator[Candidate]:
    words = words_of(sentence)
    mentions = list(mentions_of(words))
    for mention in mentions:
        edits = _edits(sentence, words, mention.changes)
        told = _is_one_of(sentence, words, mention)
        decided = told or _is_decided(sentence, words, mention)
        said = doubts(unsure=not mention.sure, counted=_is_counted(words, mention), undecided=not decided)
        said += flags(decided=decided, fits_another=not told and _fits_another(sentence, words, mention))
        yield (good := candidate("pronoun_gender", sentence, edits, features=said))
        # As published sets do it: elision as it was, and one agreeing word changed, or none.
        pronoun, *agreeing = mention.changes
        too_many = overdone(words, mention.index, other_gender(mention.gender), mention.number)
        for some in (agreeing, *([one] for one in agreeing), [], *([*agreeing, one] for one in too_many)):
            edits = _edits(sentence, words, [pronoun, *some], elide=False)
            yield candidate("pronoun_gender", sentence, edits, repaired=good.text)
    for gender, number in dict.fromkeys((m.gender, m.number) for m in mentions):
        chain = [m for m in mentions if (m.gender, m.number) == (gender, number)]
        if len(chain) > 1:
            changes = [change for mention in chain for change in mention.changes]
            sure = all(m.sure and words[m.index].low in PERSONAL for m in chain) and not _at_odds(words, chain)
            said = doubts(unsure=not sure) + flags(
                fits_another=_fits_another(sentence, words, chain[0]),
                decided=_is_decided(sentence, words, chain[0]),
            )
            edits = _edits(sentence, words, changes)
            yield candidate("pronoun_gender", sentence, edits, chain=True, features=said)


def _fits_another(sentence: Sentence, words: Sequence[FrenchWord], mention: Occurrence) -> bool:
    """*une tâche, jusqu'à ce qu'il soit fini*: would the foil stand for a noun of a clause before?"""
    start = mention.index
    while start and words[start - 1].low not in CLAUSES and (words[start - 1].low[0].isalpha()):
        start -= 1
    number = {"s": "Sing", "p": "Plur"}[mention.number] if words[mention.index].low in PERSONAL else None
    return fits_another(sentence, words[start].start, other_gender(mention.gender), "fr", number)


def _is_decided(sentence: Sentence, words: Sequence[FrenchWord], mention: Occurrence) -> bool:
    """Does the sentence or its source tell the gender?"""
    start, personal = words[mention.index].start, words[mention.index].low in PERSONAL
    several = words[mention.index].low in ("ceux", "celles")  # merci à ceux qui: no noun, but people
    number = {"s": "Sing", "p": "Plur"}[mention.number] if personal or several else None
    own, other = {mention.gender}, {other_gender(mention.gender)}
    return is_decided(sentence, start, own, other, "fr", number=number, personal=personal)


def _is_one_of(sentence: Sentence, words: Sequence[FrenchWord], mention: Occurrence) -> bool:
    """*aucune de ces merveilles*: the noun behind it tells its gender."""
    i = mention.index
    if words[i].low not in INDEFINITES or i + 1 >= len(words) or words[i + 1].low not in ("de", "des"):
        return False
    behind = [t for t in sentence.tokens if t.start > words[i + 1].start][:3]
    noun = next((t for t in behind if t.pos == "NOUN"), None)
    return noun is not None and genders([noun], "fr", None) == {mention.gender}


def _is_counted(words: Sequence[FrenchWord], mention: Occurrence) -> bool:
    """*il en contient un*; not *une des trois options*, whose noun follows."""
    behind = words[mention.index + 1].low if mention.index + 1 < len(words) else ""
    return words[mention.index].low in ("un", "une") and behind not in ("de", "des", "d'")


def _at_odds(words: Sequence[FrenchWord], chain: Sequence[Occurrence]) -> bool:
    """Two pronouns of one clause (il le voit) do not mean the same."""
    for first, second in itertools.pairwise(chain):
        between = words[first.index + 1 : second.index]
        if not any(word.low in CLAUSES or not word.low[0].isalpha() for word in between if word.low != "-"):
            return True
    return False
