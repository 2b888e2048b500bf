"""The gender of a French third-person pronoun changed, with every word that must agree with it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import msgspec

from kontrast.building.checks.nouns_before import is_decided
from kontrast.building.errors.fr.agreement import Change, with_object, with_subject
from kontrast.building.errors.fr.small_words import replaced
from kontrast.building.errors.spec import Candidate, candidate, doubts, error, flags
from kontrast.building.errors.text import Edit, like
from kontrast.language.annotation import Sentence
from kontrast.language.french_impersonal import is_impersonal
from kontrast.language.french_words import AVOIR, ETRE, FrenchWord, words_of
from kontrast.language.lexicons.lefff import Gender, Number, agreeing, lemmas, noun_genders, read_as
from kontrast.language.words import lists_of, word_set


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


@error("pronoun")
def pronoun_gender(sentence: Sentence) -> Iterator[Candidate]:
    """The gender of a third-person pronoun is changed, with the words that agree with it.

    il, elle, ils and elles change as subjects, before or after the verb. Predicates after être, sembler, devenir,
    rester and avoir l'air, participles with être, and floating tous agree, also if they are coordinated. le, la, l'
    and les change as objects before the verb. Participles after avoir and adjectives of the object agree. l' and les
    change only if another word shows their gender, and have a low confidence. Stressed pronouns (lui, elle, eux,
    elles) and celui, celle, ceux, celles change. There is a candidate for each mention, and one in which all mentions
    of one gender and number change (chain). A chain with two mentions in one clause has a low confidence. Impersonal
    il (il y a, il faut, il s'agit, s'il te plaît …) and le for a clause do not change. le and l' that may refer to a
    clause (le faire) have a low confidence, and so has a pronoun if a word that should agree with it stays the same.
    Elision stays correct (s'il, si elle; d'elle, de lui). The judge considers whether the text shows the gender: by
    he or she in an English source, or by nouns of only that gender in an earlier clause.

    - Elle était fermée à clé. → Il était fermé à clé.
    - Je sais qu'ils seront émus et inspirés. → Je sais qu'elles seront émues et inspirées.
    """
    words = words_of(sentence)
    mentions = list(mentions_of(words))
    for mention in mentions:
        edits = _edits(sentence, words, mention.changes)
        decided = _is_decided(sentence, words, mention)
        said = doubts(unsure=not mention.sure) + flags(decided=decided)
        yield (good := candidate(sentence, edits, features=said))
        # As published sets do it: elision as it was, and one agreeing word changed, or none.
        pronoun, *agreeing = mention.changes
        for some in (agreeing, *([one] for one in agreeing), []):
            edits = _edits(sentence, words, [pronoun, *some], elide=False)
            yield candidate(sentence, edits, repaired=good.text)
    for gender, number in dict.fromkeys((m.gender, m.number) for m in mentions):
        chain = [m for m in mentions if (m.gender, m.number) == (gender, number)]
        if len(chain) > 1:
            changes = [change for mention in chain for change in mention.changes]
            sure = all(m.sure and words[m.index].low in PERSONAL for m in chain) and not _at_odds(words, chain)
            said = doubts(unsure=not sure) + flags(decided=_is_decided(sentence, words, chain[0]))
            edits = _edits(sentence, words, changes)
            yield candidate(sentence, edits, chain=True, features=said)


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


_PREPOSITIONS = word_set("fr", "pronoun_uses_prepositions")
_NEUTER = tuple(lists_of("fr")["pronoun_uses_neuter"])
"""Beginnings of verbs before which *le* most often stands for a clause, not for a thing."""
_OF_SENTENCES = (*_NEUTER, *lists_of("fr")["of_sentences"])
_BEFORE_OBJECT = word_set("fr", "pronoun_uses_before_object")
_BEFORE_VERB = word_set("fr", "pronoun_uses_before_verb")
"""*elle... s'est éteinte*, *puisqu'elles « fournissent » l'image*."""
_NOT_BEHIND_SUBJECT = word_set("fr", "pronoun_uses_not_behind_subject")
_BEFORE_STRESSED = word_set("fr", "pronoun_uses_before_stressed")


def _is_subject(words: Sequence[FrenchWord], i: int) -> bool:
    """Is *elle* or *elles* (*il* and *ils* always are) a subject here?"""
    if words[i].low in ("il", "ils") or (i and words[i - 1].low == "-"):
        return True
    if i and words[i - 1].low in _PREPOSITIONS:
        behind = words[i + 1] if i + 1 < len(words) else None
        # après, avant … are adverbs too: Après elles sont libres.
        loose = words[i - 1].low in ("après", "avant", "devant", "derrière") and behind is not None
        return loose and behind is not None and (behind.low in ETRE or behind.low in AVOIR or behind.pos == "VERB")
    j = i + 1
    while j < len(words) and words[j].low in _BEFORE_VERB:
        j += 1
    if (
        j >= len(words)
        or not words[j].low[0].isalpha()
        or (j > i + 1 and words[j].pos not in ("VERB", "AUX", "PRON") and not _is_verb(words[j].low))
    ):
        return False
    if words[j].low in _NOT_BEHIND_SUBJECT:
        return False
    if words[j].low in ("le", "la", "les"):
        return j + 1 < len(words) and not (words[j + 1].pos == "NOUN" and noun_genders(words[j + 1].low))
    return True


def _is_verb(form: str) -> bool:
    """Is it a form of the third person, whatever the annotation takes it for?"""
    return any(code[1:2] == "3" for code, _ in read_as(form))


def _is_stressed(words: Sequence[FrenchWord], i: int) -> bool:
    """Is *lui* a stressed pronoun here, not a dative?"""
    before = words[i - 1].low if i else ""
    if words[i].low != "lui":
        return True
    behind = words[i + 1].low if i + 1 < len(words) else ""
    if behind[:1].isalpha() and behind not in ("aussi", "et", "qui", "non", "seul"):
        return before in _PREPOSITIONS
    return before in _PREPOSITIONS or before in _BEFORE_STRESSED


def _is_clitic(words: Sequence[FrenchWord], i: int) -> bool:
    """Are *le*, *la*, *l'*, *les* objects of a verb here, not articles?"""
    before, behind = words[i - 1].low if i else "", words[i + 1] if i + 1 < len(words) else None
    if behind is None or before == "-":
        return False
    if before in _BEFORE_OBJECT or behind.low in ("lui", "leur", "y", "en"):
        return behind.pos != "ADJ"
    return words[i].pos == "PRON" and behind.pos in ("VERB", "AUX", "PRON")


def _may_be_a_sentence(words: Sequence[FrenchWord], i: int) -> bool:
    """*le faire*, *l'avait prédit*: of a verb of doing, saying or knowing *le* may be a whole sentence."""
    return any(word.low.startswith(_OF_SENTENCES) for word in words[i + 1 : i + 4])


def _forms(name: str) -> dict[str, tuple[Gender, Number, str]]:
    rows = (row.split() for row in lists_of("fr")[f"pronoun_{name}"])
    return {
        old: ("f" if gender == "f" else "m", "p" if number == "p" else "s", new) for old, gender, number, new in rows
    }


SUBJECTS, _STRESSED, DEMONSTRATIVES = map(_forms, ("subjects", "stressed", "demonstratives"))
"""Gender, number and the form of the other gender."""
PERSONAL = word_set("fr", "pronoun_mentions_personal")
CLAUSES = word_set("fr", "pronoun_mentions_clauses")


_ENDS = word_set("fr", "pronoun_mentions_ends")
_BEING = frozenset((*ETRE, "être", "été"))
_CLAUSE = 30
"""Words in which something that agrees with a pronoun is looked for."""


class Occurrence(msgspec.Struct, frozen=True):
    """An occurrence that can change: its gender and number, and all its changes."""

    index: int
    gender: Gender
    number: Number
    changes: Sequence[Change]
    sure: bool = True
    """Is it certain that the pronoun stands for a thing, not for a sentence?"""


def mentions_of(words: Sequence[FrenchWord]) -> Iterator[Occurrence]:
    """The pronouns of a sentence that can change."""
    for i, word in enumerate(words):
        if word.low in SUBJECTS and _is_subject(words, i):
            if not is_impersonal(words, i):
                gender, number, new = SUBJECTS[word.low]
                changes: list[Change] = [(i, new), *with_subject(words, i, other_gender(gender), number)]
                yield Occurrence(i, gender, number, changes, not _leaves_agreement(words, i, gender, number, changes))
        elif word.low in _STRESSED and _is_stressed(words, i):
            yield _stressed(words, i)
        elif word.low in DEMONSTRATIVES:
            yield _demonstrative(words, i)
        elif word.low in ("le", "la", "l'", "les") and _is_clitic(words, i):
            yield from _object(words, i)


def _leaves_agreement(
    words: Sequence[FrenchWord], i: int, gender: Gender, number: Number, changes: Sequence[Change]
) -> bool:
    """*elles doivent au préalable être converties*: does a word behind *être*, in the clause, keep the old gender?"""
    changed = {index for index, _ in changes}
    for j in range(i + 1, min(i + _CLAUSE, len(words))):
        low = words[j].low
        if low in _ENDS or low in SUBJECTS:
            return False
        beside = {word.low for word in words[max(i + 1, j - 3) : j]}
        if j in changed or words[j].pos not in ("VERB", "ADJ") or not beside & _BEING:
            continue
        if lemmas(low, "ka") and agreeing(low, other_gender(gender), number) != low:
            return True
    return False


def _stressed(words: Sequence[FrenchWord], i: int) -> Occurrence:
    gender, number, new = _STRESSED[words[i].low]
    among = i > 0 and words[i - 1].low in ("entre", "parmi")  # beaucoup d'entre elles sont tombées
    behind = words[i + 1].low if i + 1 < len(words) else ""
    subject = i if among else i + 1 if behind == "qui" else None  # c'est lui qui est venu
    agreeing = with_subject(words, subject, other_gender(gender), number) if subject is not None else []
    one_of = {words[k].low for k in range(max(0, i - 3), i)} & {"un", "une"}  # l'un d'entre eux: un stays
    return Occurrence(i, gender, number, [(i, new), *agreeing], not one_of)


def _demonstrative(words: Sequence[FrenchWord], i: int) -> Occurrence:
    gender, number, new = DEMONSTRATIVES[words[i].low]
    subject = i + 2 if [w.low for w in words[i + 1 : i + 3]] in (["-", "ci"], ["-", "là"]) else i
    if subject == i and i + 1 < len(words) and words[i + 1].low == "qui":
        subject = i + 1
    changes: list[Change] = [(i, new), *with_subject(words, subject, other_gender(gender), number)]
    behind = words[i + 1].low if i + 1 < len(words) else ""
    agrees = behind in ("que", "qu'") or bool(lemmas(behind, "k"))
    return Occurrence(i, gender, number, changes, not agrees)


def other_gender(gender: Gender) -> Gender:
    """The one that a foil has."""
    return "f" if gender == "m" else "m"


def _object(words: Sequence[FrenchWord], i: int) -> Iterator[Occurrence]:
    low = words[i].low
    number: Number = "p" if low == "les" else "s"
    if low in ("le", "la"):
        behind = words[i + 1].low if i + 1 < len(words) else ""
        if low == "le" and (behind in ETRE or behind in AVOIR or behind.startswith(_NEUTER)):
            return
        gender: Gender = "m" if low == "le" else "f"
        _, changes = with_object(words, i, other_gender(gender), number)
        sure = not (low == "le" and _may_be_a_sentence(words, i))
        yield Occurrence(i, gender, number, [(i, "la" if gender == "m" else "le"), *changes], sure)
    else:
        new_gender, changes = with_object(words, i, None, number)
        if new_gender is not None:
            yield Occurrence(i, other_gender(new_gender), number, changes, sure=False)
