"""The French pronouns of the third person that can change their gender, each with the words that agree with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from kontrast.building.errors.fr.agreement import Change, with_object, with_subject
from kontrast.building.errors.fr.pronoun_uses import (
    NEUTER,
    counts_nothing,
    is_clitic,
    is_imperative,
    is_stressed,
    is_subject,
    may_be_a_sentence,
)
from kontrast.language.french import AVOIR, ETRE
from kontrast.language.french_impersonal import is_impersonal
from kontrast.language.french_words import FrenchWord
from kontrast.language.lexicons.french import Gender, Number, agreeing, lemmas
from kontrast.language.words import word_set

SUBJECTS: dict[str, tuple[Gender, Number, str]] = {
    "il": ("m", "s", "elle"),
    "elle": ("f", "s", "il"),
    "ils": ("m", "p", "elles"),
    "elles": ("f", "p", "ils"),
}
_STRESSED: dict[str, tuple[Gender, Number, str]] = {
    "lui": ("m", "s", "elle"),
    "elle": ("f", "s", "lui"),
    "eux": ("m", "p", "elles"),
    "elles": ("f", "p", "eux"),
}
DEMONSTRATIVES: dict[str, tuple[Gender, Number, str]] = {
    "celui": ("m", "s", "celle"),
    "celle": ("f", "s", "celui"),
    "ceux": ("m", "p", "celles"),
    "celles": ("f", "p", "ceux"),
}
INDEFINITES: dict[str, tuple[Gender, Number, str]] = {
    "chacun": ("m", "s", "chacune"),
    "chacune": ("f", "s", "chacun"),
    "aucun": ("m", "s", "aucune"),
    "aucune": ("f", "s", "aucun"),
}
_POSSESSED: dict[str, tuple[Gender, Number, str]] = {}
for _stem, _feminine in (("mien", "mienne"), ("tien", "tienne"), ("sien", "sienne")):
    _POSSESSED[_stem] = ("m", "s", _feminine)
    _POSSESSED[_feminine] = ("f", "s", _stem)
    _POSSESSED[_stem + "s"] = ("m", "p", _feminine + "s")
    _POSSESSED[_feminine + "s"] = ("f", "p", _stem + "s")
PERSONAL = word_set("fr", "pronoun_mentions_personal")
CLAUSES = word_set("fr", "pronoun_mentions_clauses")


_ENDS = word_set("fr", "pronoun_mentions_ends")
_BEING = frozenset((*ETRE, "être", "été"))
_CLAUSE = 30
"""Words in which something that agrees with a pronoun is looked for."""
_COMPLEMENT = 6
"""Words in which the verb of *celui du dessus* is looked for."""


class Occurrence(msgspec.Struct, frozen=True):
    """An occurrence that can change: its gender and number, and all its changes."""

    index: int
    gender: Gender
    number: Number
    changes: tuple[Change, ...]
    sure: bool = True
    """Is it certain that the pronoun stands for a thing, not for a sentence?"""


def mentions_of(words: Sequence[FrenchWord]) -> Iterator[Occurrence]:
    """The pronouns of a sentence that can change."""
    for i, word in enumerate(words):
        if word.low in SUBJECTS and is_subject(words, i):
            if not is_impersonal(words, i):
                gender, number, new = SUBJECTS[word.low]
                changes: list[Change] = [(i, new), *with_subject(words, i, other_gender(gender), number)]
                yield _mention(i, gender, number, changes, not _leaves_agreement(words, i, gender, number, changes))
        elif word.low in _STRESSED and is_stressed(words, i):
            if not _goes_with_an_indefinite(words, i):
                yield _stressed(words, i)
        elif word.low in DEMONSTRATIVES:
            yield _demonstrative(words, i)
        elif word.low in ("le", "la", "l'", "les") and is_clitic(words, i):
            yield from _object(words, i)
        elif word.low in ("le", "la") and i and words[i - 1].low == "-" and is_imperative(words, i - 2):
            yield _swapped(words, i, "le", "la")
        elif word.low in _POSSESSED:
            yield from _possessed(words, i)
        elif word.low in ("un", "une") and counts_nothing(words, i):
            one = _swapped(words, i, "un", "une")
            # l'un des commandants: of people the sentence does not tell
            yield msgspec.structs.replace(one, sure=i == 0 or words[i - 1].low != "l'")
        elif word.low in INDEFINITES and not (i + 1 < len(words) and words[i + 1].pos in ("NOUN", "ADJ")):
            yield _indefinite(words, i)


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
        if j in changed or low == "été" or words[j].pos not in ("VERB", "ADJ") or not beside & _BEING:
            continue
        if lemmas(low, "ka") and agreeing(low, other_gender(gender), number) != low:
            return True
    return False


def _goes_with_an_indefinite(words: Sequence[FrenchWord], i: int) -> bool:
    """*chacun d'eux*: they change together."""
    among = words[i - 1].low == "entre" if i else False
    return i > 1 + among and words[i - 2 - among].low in INDEFINITES and words[i - 1 - among].low == "d'"


def _stressed(words: Sequence[FrenchWord], i: int) -> Occurrence:
    gender, number, new = _STRESSED[words[i].low]
    among = i > 0 and words[i - 1].low in ("entre", "parmi")  # beaucoup d'entre elles sont tombées
    behind = words[i + 1].low if i + 1 < len(words) else ""
    subject = i if among else i + 1 if behind == "qui" else None  # c'est lui qui est venu
    agreeing = with_subject(words, subject, other_gender(gender), number) if subject is not None else []
    one_of = {words[k].low for k in range(max(0, i - 3), i)} & {"un", "une"}  # l'un d'entre eux: un stays
    return _mention(i, gender, number, [(i, new), *agreeing], not one_of)


def _demonstrative(words: Sequence[FrenchWord], i: int) -> Occurrence:
    gender, number, new = DEMONSTRATIVES[words[i].low]
    subject = i + 2 if [w.low for w in words[i + 1 : i + 3]] in (["-", "ci"], ["-", "là"]) else i
    if subject == i and i + 1 < len(words) and words[i + 1].low == "qui":
        subject = i + 1
    elif subject == i:
        subject = _end_of_complement(words, i)
    changes: list[Change] = [(i, new), *with_subject(words, subject, other_gender(gender), number)]
    behind = words[i + 1].low if i + 1 < len(words) else ""
    several = i > 0 and words[i - 1].low in ("tous", "toutes", "tout", "toute")  # tous ceux
    agrees = several or behind in ("que", "qu'") or bool(lemmas(behind, "k"))
    left = i > 0 and words[i - 1].pos != "ADP" and _leaves_agreement(words, subject, gender, number, changes)
    return _mention(i, gender, number, changes, not (agrees or left))


def _is_governed(words: Sequence[FrenchWord], i: int) -> bool:
    """*la couleur de celui du dessus est verte*: no subject, so that the verb behind it is another's."""
    return i > 0 and words[i - 1].pos == "ADP"


def _end_of_complement(words: Sequence[FrenchWord], i: int) -> int:
    """*celui du dessus | est transparent*: the word before its verb; its own place where it is no such subject.

    Not *celle dont la couleur est verte*, whose verb has another subject.
    """
    for k in range(i + 1, min(i + _COMPLEMENT, len(words))):
        if words[k].low in ETRE | AVOIR:
            return i if _is_governed(words, i) else k - 1
        if words[k].pos in ("VERB", "AUX", "PRON") or words[k].low in CLAUSES or not words[k].low[0].isalpha():
            break
    return i


def _swapped(words: Sequence[FrenchWord], i: int, masculine: str, feminine: str) -> Occurrence:
    """A singular form in place of the other; nothing agrees with it."""
    gender: Gender = "m" if words[i].low == masculine else "f"
    return _mention(i, gender, "s", [(i, feminine if gender == "m" else masculine)])


def _indefinite(words: Sequence[FrenchWord], i: int) -> Occurrence:
    gender, number, new = INDEFINITES[words[i].low]
    changes: list[Change] = [(i, new)]
    behind = [w.low for w in words[i + 1 : i + 4]]
    if behind[:1] == ["d'"]:
        whom = i + 2 + (behind[1:2] == ["entre"])
        among_whom = {"eux": "elles", "elles": "eux"}.get(words[whom].low) if whom < len(words) else None
        changes += [(whom, among_whom)] if among_whom else []
    return _mention(i, gender, number, changes, behind[:1] not in (["que"], ["qu'"]))


def _mention(index: int, gender: Gender, number: Number, changes: list[Change], sure: bool = True) -> Occurrence:
    return Occurrence(index, gender, number, tuple(changes), sure)


def other_gender(gender: Gender) -> Gender:
    """The one that a foil has."""
    return "f" if gender == "m" else "m"


def _object(words: Sequence[FrenchWord], i: int) -> Iterator[Occurrence]:
    low = words[i].low
    number: Number = "p" if low == "les" else "s"
    if low in ("le", "la"):
        behind = words[i + 1].low if i + 1 < len(words) else ""
        if low == "le" and (behind in ETRE or behind in AVOIR or behind.startswith(NEUTER)):
            return
        gender: Gender = "m" if low == "le" else "f"
        _, changes = with_object(words, i, other_gender(gender), number)
        sure = not (low == "le" and may_be_a_sentence(words, i))
        yield _mention(i, gender, number, [(i, "la" if gender == "m" else "le"), *changes], sure)
    else:
        new_gender, changes = with_object(words, i, None, number)
        if new_gender is not None and changes:
            yield _mention(i, other_gender(new_gender), number, changes, sure=False)


def _possessed(words: Sequence[FrenchWord], i: int) -> Iterator[Occurrence]:
    gender, number, new = _POSSESSED[words[i].low]
    changes: list[Change] = [(i, new)]
    before = words[i - 1].low if i else ""
    if number == "s":
        contracted = words[i - 2].low + " la" if i > 1 else ""
        if gender == "m" and before in ("le", "au", "du"):
            changes.append((i - 1, {"le": "la", "au": "à la", "du": "de la"}[before]))
        elif gender == "f" and before == "la" and contracted in ("à la", "de la"):
            changes += [(i - 2, "au" if contracted == "à la" else "du"), (i - 1, "")]
        elif gender == "f" and before == "la":
            changes.append((i - 1, "le"))
        else:
            return
    elif before not in ("les", "aux", "des"):
        return
    changes += with_subject(words, i, other_gender(gender), number)
    yield _mention(i, gender, number, changes)
