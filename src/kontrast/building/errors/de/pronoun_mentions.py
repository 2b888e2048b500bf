"""The German pronouns of the third person that can change their gender, each with its case, and their other forms."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Literal

import msgspec

from kontrast.building.errors.de.pronoun_uses import Case, cases, is_certain, is_named, is_plural
from kontrast.building.errors.de.subjects import EITHER_CASE
from kontrast.building.errors.text import like
from kontrast.language.german.es import bare_nouns
from kontrast.language.german.plain import (
    BEING,
    OPENERS,
    SUBJECTS,
    PlainWord,
    clause,
    finite_persons,
    in_capitals,
    opens,
    persons,
)
from kontrast.language.lexicons.german_words import CLOSED, DETERMINERS, PREPOSITION_CASES

Gender = Literal["m", "f", "n"]
GENDERS: tuple[Gender, ...] = ("m", "f", "n")

FORMS: dict[Case, dict[Gender, str]] = {
    "nom": {"m": "er", "f": "sie", "n": "es"},
    "acc": {"m": "ihn", "f": "sie", "n": "es"},
    "dat": {"m": "ihm", "f": "ihr", "n": "ihm"},
}
_DATIVE = frozenset(word for word, cases in PREPOSITION_CASES.items() if "d" in cases) - {"als", "wie"}
_OTHER_SUBJECTS = SUBJECTS | EITHER_CASE | {"der"}
_POSSESSIVE = re.compile(r"(sein|ihr)(e|en|em|er|es)?", re.IGNORECASE)


class Mention(msgspec.Struct, frozen=True):
    """A pronoun that may change: the genders it may have now, its case, and whether both are certain."""

    word: PlainWord
    clause: tuple[int, int]
    genders: tuple[Gender, ...]
    case: Case
    sure: bool = True


def mentions_in(words: Sequence[PlainWord], one: Collection[int] = ()) -> list[Mention]:
    """Every pronoun of a text that may change, once for each case it may have; none of a sentence in capitals.

    ``one`` are places of *sie* that stands for one thing, as the source says.
    """
    return list(_mentions(words, one))


def _mentions(words: Sequence[PlainWord], one: Collection[int]) -> Iterator[Mention]:
    for i, word in enumerate(words):
        low = word.low
        if word.text[0].isupper() and not opens(words, i) and low.startswith(("sie", "ihr")):
            continue  # the polite address
        if (low == "er" and _is_identified(words, i)) or (word.text.isupper() and in_capitals(words, i)):
            continue
        if low == "er":
            yield Mention(word, clause(words, i), ("m",), "nom", not is_named(words, i))
        elif low == "ihn":
            yield Mention(word, clause(words, i), ("m",), "acc")
        elif low == "ihm":
            yield Mention(word, clause(words, i), ("m", "n"), "dat")
        elif low == "ihr" and _is_dative(words, i):
            yield Mention(word, clause(words, i), ("f",), "dat")
        elif low == "es" or (low == "sie" and (word.start in one or not is_plural(words, i))):
            gender: Gender = "f" if low == "sie" else "n"
            sure = is_certain(words, i)
            for case in cases(words, i):
                yield Mention(word, clause(words, i), (gender,), case, sure)
        elif (match := _POSSESSIVE.fullmatch(low)) and low not in ("seit", "sein") and _is_possessive(words, i):
            yield Mention(word, clause(words, i), ("f",) if match[1] == "ihr" else ("m", "n"), "poss")


def _is_identified(words: Sequence[PlainWord], i: int) -> bool:
    """*Er ist es*: who it is."""
    following = [w.low for w in words[i + 1 : i + 3]]
    return len(following) == 2 and following[0] in BEING and following[1] == "es"


def _is_possessive(words: Sequence[PlainWord], i: int) -> bool:
    """A possessive stands before a noun, with nothing but an adjective between them."""
    following = words[i + 1 : i + 4]
    return any(w.text[0].isupper() for w in following[:1]) or (
        len(following) > 1
        and following[0].low.isalpha()
        and following[0].low not in DETERMINERS  # die Kredite, die ihr die Bank gab
        and following[1].text[0].isupper()
    )


def _is_dative(words: Sequence[PlainWord], i: int) -> bool:
    if _is_possessive(words, i):
        return False
    before = words[i - 1].low if i else ""
    if "2p" in persons(before):
        return False  # habt ihr, kommt ihr
    if before in _DATIVE:
        return True
    if "2p" in finite_persons(words, i) and "3s" not in finite_persons(words, i):
        return False  # was immer ihr mögt
    if "2p" in finite_persons(words, i) and not _has_other_subject(words, i):
        return False  # das Haus, in dem ihr wohnt
    return before.isalpha() and before not in OPENERS


def _has_other_subject(words: Sequence[PlainWord], i: int) -> bool:
    """Is there a subject besides *ihr* in its clause: a pronoun, or a noun behind no preposition?"""
    start, end = clause(words, i)
    lows = {words[j].low for j in range(start, end + 1) if j != i}
    return bool(lows & _OTHER_SUBJECTS) or bool(bare_nouns(words, start, end, i)) or _is_noun(words, start)


def _is_noun(words: Sequence[PlainWord], i: int) -> bool:
    return words[i].text[0].isupper() and words[i].low not in CLOSED and not persons(words[i].low)


def changed(mention: Mention, gender: Gender) -> tuple[int, int, str] | None:
    """The edit that gives a mention the gender; None where its form stays."""
    word = mention.word
    if mention.case == "poss":
        match = _POSSESSIVE.fullmatch(word.low)
        assert match is not None
        new = ("ihr" if gender == "f" else "sein") + (match[2] or "")
    else:
        new = FORMS[mention.case][gender]
    return None if new == word.low else (word.start, word.end, like(word.text, new))
