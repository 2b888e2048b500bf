"""The gender of a French third-person pronoun changed, with every word that must agree with it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from kontrast.building.checks.nouns_before import is_decided
from kontrast.building.errors.fr.agreement import Change
from kontrast.building.errors.fr.elision import replaced
from kontrast.building.errors.fr.pronoun_mentions import (
    CLAUSES,
    PERSONAL,
    Occurrence,
    mentions_of,
    other_gender,
)
from kontrast.building.errors.spec import Candidate, candidate, doubts, flags
from kontrast.building.errors.text import Edit, like
from kontrast.language.annotation import Sentence
from kontrast.language.french_words import FrenchWord, words_of


def _edits(
    sentence: Sentence, words: Sequence[FrenchWord], changes: Sequence[Change], elide: bool = True
) -> list[Edit]:
    """Character edits, with elision set right: s'il and si elle, d'elle and de lui."""
    text = sentence.text
    edits: list[Edit] = []
    for index, new in changes:
        word, before = words[index], words[index - 1] if elide and index else None
        made = [(word.start, word.end, like(text[word.start : word.end], new))]
        if before is not None and before.low == "s'" and new in ("elle", "elles"):
            made.insert(0, (before.start, word.start, like(text[before.start], "si") + " "))
        elif before is not None and before.low == "si" and new in ("il", "ils"):
            made.insert(0, (before.start, word.start, text[before.start] + "'"))
        elif before is not None:
            made = replaced(text, words, index, new) or made
        edits += made
    return [edit for edit in dict.fromkeys(edits) if text[edit[0] : edit[1]] != edit[2]]


def pronoun_gender(sentence: Sentence) -> Iterator[Candidate]:
    words = words_of(sentence)
    mentions = list(mentions_of(words))
    for mention in mentions:
        edits = _edits(sentence, words, mention.changes)
        decided = _is_decided(sentence, words, mention)
        said = doubts(unsure=not mention.sure) + flags(decided=decided)
        yield (good := candidate("pronoun_gender", sentence, edits, features=said))
        # As published sets do it: elision as it was, and one agreeing word changed, or none.
        pronoun, *agreeing = mention.changes
        for some in (agreeing, *([one] for one in agreeing), []):
            edits = _edits(sentence, words, [pronoun, *some], elide=False)
            yield candidate("pronoun_gender", sentence, edits, repaired=good.text)
    for gender, number in dict.fromkeys((m.gender, m.number) for m in mentions):
        chain = [m for m in mentions if (m.gender, m.number) == (gender, number)]
        if len(chain) > 1:
            changes = [change for mention in chain for change in mention.changes]
            sure = all(m.sure and words[m.index].low in PERSONAL for m in chain) and not _at_odds(words, chain)
            said = doubts(unsure=not sure) + flags(decided=_is_decided(sentence, words, chain[0]))
            edits = _edits(sentence, words, changes)
            yield candidate("pronoun_gender", sentence, edits, chain=True, features=said)


def _is_decided(sentence: Sentence, words: Sequence[FrenchWord], mention: Occurrence) -> bool:
    """Does the sentence or its source tell the gender?"""
    start, personal = words[mention.index].start, words[mention.index].low in PERSONAL
    several = words[mention.index].low in ("ceux", "celles")  # merci à ceux qui: no noun, but people
    number = {"s": "Sing", "p": "Plur"}[mention.number] if personal or several else None
    own, other = {mention.gender}, {other_gender(mention.gender)}
    return is_decided(sentence, start, own, other, "fr", number=number, personal=personal)


def _at_odds(words: Sequence[FrenchWord], chain: Sequence[Occurrence]) -> bool:
    """Two pronouns of one clause (il le voit) do not mean the same."""
    for first, second in itertools.pairwise(chain):
        between = words[first.index + 1 : second.index]
        if not any(word.low in CLAUSES or not word.low[0].isalpha() for word in between if word.low != "-"):
            return True
    return False
