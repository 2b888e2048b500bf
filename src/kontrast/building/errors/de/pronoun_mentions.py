"""The gender of a German third-person pronoun changed; which pronouns can change, their cases and other forms."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Literal

import msgspec

from kontrast.building.checks.nouns_before import is_decided
from kontrast.building.errors.de.grammar import IMPERATIVES
from kontrast.building.errors.spec import Candidate, candidate, doubts, error, flags
from kontrast.building.errors.text import like
from kontrast.language.annotation import Sentence
from kontrast.language.german.plain import (
    BEING,
    OPENERS,
    SUBJECTS,
    PlainWord,
    clause,
    finite_persons,
    in_capitals,
    lemmas,
    may_be_verb,
    opens,
    persons,
    polite,
    split,
    use_of_es,
)
from kontrast.language.lexicons.german import Reading, readings, usual_readings
from kontrast.language.lexicons.german_words import CLOSED, DETERMINERS, PREPOSITION_CASES, SUBORDINATORS
from kontrast.language.words import word_set

Case = Literal["nom", "acc", "dat", "poss"]

_ACCUSATIVE = frozenset(word for word, cases in PREPOSITION_CASES.items() if "a" in cases) - {"ab"} - SUBORDINATORS

_BEGIN_SUBJECTS = word_set("de", "pronoun_uses_begin_subjects")
_SOME = word_set("de", "pronoun_uses_some")
"""Behind these *wenn es* is rather: if there are."""
_REACH = 40
_SINGULAR = frozenset(("ns", "as", "ds"))


def is_certain(words: Sequence[PlainWord], i: int) -> bool:
    """Does the clause tell case and number of *sie*, and of *es* that it stands for something?"""
    if len(cases(words, i)) > 1:
        return False
    if cases(words, i) == ("acc",):
        return _is_one(words, i) if words[i].low == "sie" else _is_thing(words, i)
    return "3s" in finite_persons(words, i) and (words[i].low == "sie" or _is_thing(words, i))


def is_plural(words: Sequence[PlainWord], i: int) -> bool:
    """*sie können*, *haben sie*, *weil sie keine Hilfe erhalten*: they, which has no gender in German."""
    start, end = clause(words, i)
    near = {words[j].low for j in (i - 1, i + 1) if start <= j <= end}
    if near & {"alle", "beide", "allen"}:
        return True
    others = {words[j].low for j in range(start, end + 1) if j != i}
    if others & {"wir", "man", "ich", "er", "du"} or any(polite(words, j) for j in range(start, end + 1) if j != i):
        return False
    verb = finite_persons(words, i)
    return "3p" in verb and "3s" not in verb


def _nouns_before(words: Sequence[PlainWord], i: int) -> Iterator[list[Reading]]:
    """The usual readings of the nouns that a pronoun may stand for, the nearest first."""
    for word in reversed(words[max(0, i - _REACH) : i]):
        if word.text[0].isupper() and len(word.text) > 2 and word.low not in CLOSED:
            yield [r for r in usual_readings(word.text) if r.pos == "N" and not r.rare and r.codes & _SINGULAR]


def _is_one(words: Sequence[PlainWord], i: int) -> bool:
    """Does the object *sie* stand for one thing: is the last noun before it that it may stand for a feminine one?"""
    return any(r.feature == "f" for r in next(_nouns_before(words, i), []))


def _is_thing(words: Sequence[PlainWord], i: int) -> bool:
    """Does *es* rather stand for a noun before it than for nothing, a sentence, or what follows?"""
    after = words[i + 1].low if i + 1 < len(words) else ""
    return use_of_es(words, i) == "thing" and _antecedent(words, i) and after not in _SOME


def _antecedent(words: Sequence[PlainWord], i: int) -> bool:
    """Is a neuter noun before this *es*, for which it may stand?"""
    return any(r.feature == "n" for noun in _nouns_before(words, i) for r in noun)


def cases(words: Sequence[PlainWord], i: int) -> tuple[Case, ...]:
    """Nominative, accusative, or both where the clause does not tell."""
    start, end = clause(words, i)
    before = words[i - 1].low if i > start else ""
    if told := case_by_opening(words, start, i):
        return (told,)
    others = [w.low for j, w in enumerate(words[start : end + 1], start) if j != i and not polite(words, j)]
    if before in _ACCUSATIVE:
        return ("acc",)
    if BEING & set(others):
        return ("nom",)
    addressed = any(polite(words, j) and words[j].low == "sie" for j in range(start, end + 1) if j != i)
    singular = "3s" in finite_persons(words, i)
    subject = any(words[j].low in SUBJECTS for j in range(start, end + 1) if j != i)
    if subject or (words[i].low == "es" and "sie" in others) or (addressed and not singular):
        return ("acc",)
    if not singular and (_to_infinitive(others) or _is_request(words, start, i)):
        return ("acc",)
    rival = any(words[j].low in _BEGIN_SUBJECTS for j in range(start, end + 1) if j != i)
    if i == start or (not rival and (before in OPENERS or (singular and i - start == 1))):
        return ("nom",)
    return ("nom", "acc")


def case_by_opening(words: Sequence[PlainWord], start: int, i: int) -> Case | None:
    """*und wärmt sie*: the subject is that of the clause before. *Pollen, die sie sah*: *die* is no subject of a
    singular verb where no noun before it is feminine; *der*, where all are masculine, is one.
    """
    first, before = words[start].low, words[start - 1].low if start else ""
    joined = before and (first in ("und", "oder", "sondern") or (first == "aber" and before == ","))
    if joined and i == start + 2 and may_be_verb(words, start + 1) and "?" not in (w.low for w in words[i:]):
        return "acc"
    nouns = list(_nouns_at_end(words, start - 1)) if first in ("die", "der") and i == start + 1 else []
    if not nouns or finite_persons(words, i) & {"3s", "3p"} != {"3s"}:
        return None
    found = {r.feature for noun in nouns for r in noun if r.codes & _SINGULAR}
    if first == "die":
        return None if "f" in found else "nom"
    return "acc" if found == {"m"} else None


def _nouns_at_end(words: Sequence[PlainWord], comma: int) -> Iterator[list[Reading]]:
    """The readings of the nouns that stand before a comma, back to a verb or a sign; none where a word is unknown."""
    if comma < 1 or words[comma].low != "," or not words[comma - 1].text[0].isupper():
        return
    for k in range(comma - 1, -1, -1):
        if not words[k].low[0].isalnum() or (k < comma - 1 and may_be_verb(words, k)):
            return
        if words[k].text[0].isupper() and words[k].low not in CLOSED:
            yield [r for r in usual_readings(words[k].text) if r.pos == "N" and not r.rare]


def _is_request(words: Sequence[PlainWord], start: int, i: int) -> bool:
    """*Vergiss es*, *Nehmt sie mit*: the clause begins with a verb that has no third person."""
    low = words[start].low
    if start == i or low in CLOSED:
        return False
    stems = {low + "en", low + "n", low.removesuffix("e") + "en"}
    verbal = any(r.pos == "V" and "i" in r.codes for stem in stems for r in readings(stem))
    return low in IMPERATIVES or verbal or bool(persons(low))


def may_be_request(words: Sequence[PlainWord], i: int) -> bool:
    """*Öffne sie.*, *Schützt sie!*: a sentence that is no question begins with what may be an imperative."""
    if not i or not opens(words, i - 1) or "?" in (w.low for w in words[i:]):
        return False
    low = words[i - 1].low
    return "2p" in persons(low) or low + "n" in lemmas(low)


def _to_infinitive(inside: Sequence[str]) -> bool:
    """*es zu lesen*, *es auszurollen*: a clause without a subject."""
    return any(
        (word == "zu" and following.endswith("n")) or re.fullmatch(r"\w{2,}zu\w{2,}e[lr]?n", following)
        for word, following in zip(("", *inside), inside, strict=False)
    )


Gender = Literal["m", "f", "n"]
GENDERS: tuple[Gender, ...] = ("m", "f", "n")

FORMS: dict[Case, dict[Gender, str]] = {
    "nom": {"m": "er", "f": "sie", "n": "es"},
    "acc": {"m": "ihn", "f": "sie", "n": "es"},
    "dat": {"m": "ihm", "f": "ihr", "n": "ihm"},
}
_DATIVE = frozenset(word for word, cases in PREPOSITION_CASES.items() if "d" in cases) - {"als", "wie"}
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
        if word.text.isupper() and in_capitals(words, i):
            continue
        if low == "er":
            yield Mention(word, clause(words, i), ("m",), "nom")
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
    return before.isalpha() and before not in OPENERS


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


_WRONG_CASE = {"er": "ihn", "ihn": "er"}


@error("pronoun")
def pronoun_gender(sentence: Sentence) -> Iterator[Candidate]:
    """The gender of a third-person pronoun is changed.

    er, sie, es; ihn, sie, es; ihm, ihr, ihm: each becomes the other two of its case, one mention at a time. A chain
    changes all mentions of one gender together, once with the possessives sein and ihr and once without them. The
    polite Sie, the plural sie, and pronouns of a sentence in capitals do not change. If a clause does not show the
    case of sie or es, there is a candidate for each case.

    - Sie schallt mir aus Höhen. → Er schallt mir aus Höhen.
    - Ich habe ihn gesehen. → Ich habe es gesehen.
    """
    mentions = mentions_in(split(sentence.text))
    for mention in mentions:
        if mention.case == "poss":
            continue
        for gender in GENDERS:
            if gender not in mention.genders and (edit := changed(mention, gender)):
                said = _reference_features(sentence, [mention], gender)
                yield (good := candidate(sentence, [edit], features=said))
                # As published sets do it: er where ihn belongs, and no capital at the start.
                for form in sorted({edit[2].lower(), _WRONG_CASE.get(edit[2].lower(), "")} - {edit[2], ""}):
                    yield candidate(sentence, [(*edit[:2], form)], repaired=good.text)
    yield from _chains(sentence, mentions)


def _reference_features(sentence: Sentence, chosen: Sequence[Mention], gender: Gender) -> tuple[str, ...]:
    """Does the sentence or its source tell the gender, and are the pronouns what they seem?"""
    first = min(chosen, key=lambda m: m.word.start)
    forms = FORMS.get(first.case, {})
    alike = [other for other in GENDERS if other == gender or (forms and forms[other] == forms[gender])]
    before = (t for t in sentence.tokens if t.end <= first.word.start)
    told = sentence.source.strip() or any(t.pos in ("NOUN", "PROPN") for t in before)
    return doubts(nothing_tells=not told) + flags(
        sure=all(m.sure for m in chosen),
        decided=is_decided(sentence, first.word.start, first.genders, alike, "de"),
        neuter=gender == "n",
    )


def _chains(sentence: Sentence, mentions: Sequence[Mention]) -> Iterator[Candidate]:
    """All mentions of one gender together: with possessives, and pronouns alone."""
    for now in GENDERS:
        pronouns = [m for m in mentions if now in m.genders and m.case != "poss"]
        owners = [m for m in mentions if now in m.genders and m.case == "poss"]
        for gender in GENDERS:
            if gender == now or not pronouns:
                continue
            for chosen in ([*pronouns, *owners], pronouns):
                readings: dict[int, list[tuple[int, int, str]]] = {}
                for mention in chosen:
                    if edit := changed(mention, gender):
                        readings.setdefault(mention.word.start, []).append(edit)
                if len(readings) < 2:
                    continue
                said = _reference_features(sentence, chosen, gender)
                # Where the case is open the first reading is taken for all, then the last.
                for pick in (0, -1):
                    edits = [several[pick] for several in readings.values()]
                    if _at_odds(chosen):
                        single = candidate(sentence, edits[:1])
                        yield candidate(sentence, edits, chain=True, repaired=single.text)
                        continue
                    yield (good := candidate(sentence, edits, chain=True, features=said))
                    lowered = [(start, end, new.lower()) for start, end, new in edits]
                    for plain in (lowered, [edits[0], *lowered[1:]]):
                        yield candidate(sentence, plain, chain=True, repaired=good.text)


def _at_odds(mentions: Sequence[Mention]) -> bool:
    """Two pronouns of one clause (er sieht ihn) do not mean the same: no chain but as published sets made them."""
    seen: dict[tuple[int, int], int] = {}
    pronouns = [m for m in mentions if m.case != "poss"]
    return any(seen.setdefault(m.clause, m.word.start) != m.word.start for m in pronouns)
