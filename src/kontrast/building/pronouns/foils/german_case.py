"""The case of *es* and *sie* by their clause: what rules out a nominative or an accusative, what leaves both open.

``cases`` of the errors gives the likely case; here the clause has the last word where it is certain, and where it is
not, both cases stay open, so that the source's role can decide.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from kontrast.building.errors.de.pronoun_mentions import Mention
from kontrast.building.errors.de.pronoun_uses import Case
from kontrast.building.pronouns.foils.german_clauses import (
    cases_behind_insertion,
    has_nominative,
    has_to,
    is_bare_infinitive,
    is_before_joined_verb,
    is_command,
    is_joined_infinitive,
    is_said_to,
    is_subject,
    is_to_infinitive,
)
from kontrast.language.german.es import bare_nouns
from kontrast.language.german.plain import (
    BEING,
    PlainWord,
    clause,
    finite_persons,
    is_adjective,
    is_participle,
    is_subject_word,
    lemmas,
    may_be_verb,
    persons,
    polite,
    subordinates,
)
from kontrast.language.german.times import time_words
from kontrast.language.lexicons.german import readings
from kontrast.language.lexicons.german_words import (
    CLOSED,
    DETERMINERS,
    JOINING,
    MODALS,
    PREPOSITION_CASES,
    SUBORDINATORS,
)

__all__ = ["has_plural_verb", "is_guessed", "told"]

_BOTH: tuple[Case, ...] = ("nom", "acc")
_BECOMING = frozenset(("wird", "wurde", "werde", "würde", "werden"))
_WORTH = frozenset(("wert", "los", "leid", "satt", "gewohnt"))
"""Beside these *sein* has an accusative."""
_RELATIVE = frozenset(("die", "das", "was", "welche", "welches"))
"""Relative pronouns that are a nominative or an accusative."""
_ASKING = frozenset("wobei womit wodurch wonach wovon worauf woran worin woraus worüber worum wogegen".split())
_EITHER = frozenset(("das", "die", "dieses", "diese", "jedes", "jede"))
"""Articles of a nominative or an accusative."""
_ENDS = frozenset(".!?;:")


def told(words: Sequence[PlainWord], mentions: Sequence[Mention]) -> list[Mention]:
    """The mentions with the cases that their clause allows: *es heilt sie* has an object, *hütet sie sich* none."""
    found: list[Mention] = []
    for m in mentions:
        known = _told(words, m) if m.case in _BOTH and m.word.low in ("es", "sie") else ()
        for case in known or (m.case,):
            made = m if case == m.case else msgspec.structs.replace(m, case=case)
            if made not in found:
                found.append(made)
    return found


def _told(words: Sequence[PlainWord], mention: Mention) -> tuple[Case, ...]:
    """The cases of *es* or *sie* for one thing; nothing where the clause tells no more than is known."""
    i, (start, end) = words.index(mention.word), mention.clause
    if i > start and words[i - 1].low in PREPOSITION_CASES and words[i - 1].low not in SUBORDINATORS:
        return ()  # für sie
    if case := _by_another_pronoun(words, start, end, i):
        return (case,)
    if _may_have_both(words, start, end, i) and (open_cases := cases_behind_insertion(words, start, end, i)):
        return open_cases  # der Mann, der kam, holte sie
    if case := _by_the_verb(words, start, end, i):
        return (case,)
    if is_bare_infinitive(words, start, end, i) or is_joined_infinitive(words, i) or is_to_infinitive(words, i):
        return ("acc",)
    if _is_behind_oblique(words, start, i) or is_before_joined_verb(words, start, end, i):
        return _BOTH
    if (
        _has_no_own_subject(words, start, end, i)
        or _is_undecided(words, start, end, i)
        or is_said_to(words, start, i)
    ):
        return _BOTH
    if _is_only_nominative(words, start, end, i):
        return ("nom",)
    found = finite_persons(words, i)
    if i == start or not found or "3s" in found or BEING & {w.low for w in words[start : end + 1]}:
        return ()
    own = words[i].low == "es" and (_is_passive(words, start, end, i) or words[end].low == "sein")
    return ("nom",) if own else ("acc",)  # sollen es zwei sein; die restlichen machen es


def _by_another_pronoun(words: Sequence[PlainWord], start: int, end: int, i: int) -> Case | None:
    """Of two pronouns the first is the subject; *der Bauer* and *man* are subjects wherever they stand."""
    low, before, behind = (
        words[i].low,
        [w.low for w in words[start:i]],
        [w.low for j, w in enumerate(words[i + 1 : end + 1], i + 1) if not polite(words, j)],
    )
    if i == start and behind[:1] and behind[0] in BEING and not _WORTH & set(behind):
        return "nom"  # sie ist einer der Orte
    if low == "es" and "sie" in behind and (i == start or behind[0] == "sie"):
        return "nom"  # no object begins a clause as es; weil es sie hält, dann legt es sie ab
    has = i > start and words[i - 1].low in ("hat", "hatte") and "eine" in behind
    if has and not any(is_participle(low) for low in behind[-1:]):
        return "nom"  # daher hat es so eine Form
    if low == "sie" and "es" in before:
        return "acc"
    if len(before) == 1 and before[0] in _RELATIVE and behind[:1] == ["sich"]:
        return "nom"  # Fehler, die sie sich nicht leisten kann
    if i == start and any(is_subject(words, j) for j in range(i + 2, end)):
        return "acc"  # sie kaufte der Bauer
    if len(before) == 2 and before[0] in SUBORDINATORS and before[1] == "man" and behind:
        return "acc" if behind[0] not in BEING else None  # wie man es heute kennt
    given = len(behind) > 1 and behind[0] == "ihr" and behind[1] in DETERMINERS
    if len(before) == 1 and before[0] in SUBORDINATORS and given:
        return "nom"  # indem es ihr das Recht gibt
    compared = before == ["wie"] and start > 1 and words[start - 1].low == "," and words[start - 2].text[0].isupper()
    if compared and len(behind) > 1 and words[i + 1].text[0].isupper():
        return "acc"  # eine Lage, wie sie Appian beschreibt
    return None


def _by_the_verb(words: Sequence[PlainWord], start: int, end: int, i: int) -> Case | None:
    """Commands have an object; reflexives, passives, *sein* and *werden* have a subject only."""
    others = [words[j].low for j in range(start, end + 1) if j != i]
    subject = any(is_subject_word(words, j) for j in range(start, end + 1) if j != i)
    if i == start + 1 and is_command(words[start].low):
        return "acc"  # Benutze sie
    if _WORTH & set(others) and (subject or any(polite(words, j) for j in range(start, i))):
        return "acc"  # weil Sie es sich wert sind
    if any(lemmas(low) == {"tun"} for low in others) and {"gut", "weh", "wohl"} & set(others):
        return "nom"  # Ausländern tut es nicht gut
    singular = "3s" in (persons(words[end].low) if _is_verb_last(words, start) else finite_persons(words, i))
    reflexive = i < end and words[i + 1].low == "sich" and not has_nominative(words, start, i, i)
    if singular and reflexive:
        return "nom"  # seit gestern hütet sie sich
    times = time_words(words, start, i)  # ein Jahr später wurde es
    if not singular or set(bare_nouns(words, start, i, i)) - times or subject:
        return None
    return "nom" if _is_passive(words, start, end, i) or _is_copular(words, start, end, i) else None


def _may_have_both(words: Sequence[PlainWord], start: int, end: int, i: int) -> bool:
    """Can the verb have a subject before it and an object: no command, no passive, no *sein* but in *ist sie los*?"""
    if BEING & (lows := {w.low for w in words[start : end + 1]}):
        return bool(lows & _WORTH)
    own = (start, end, i)
    return not (is_command(words[start].low) or _is_passive(words, *own) or _is_copular(words, *own))


def _is_verb_last(words: Sequence[PlainWord], start: int) -> bool:
    """*dass*, *wodurch*: does the verb stand at the end of a clause that begins so?"""
    return subordinates(words, start) or words[start].low in _ASKING


def _is_passive(words: Sequence[PlainWord], start: int, end: int, i: int) -> bool:
    """*dadurch wird sie hinzugefügt*, *es muss verkauft werden*; not *wird sie gesehen haben*."""
    inside = [words[j].low for j in range(start, end + 1) if j != i]
    if not _BECOMING & set(inside):
        return False
    while inside and (inside[-1] in _BECOMING or lemmas(inside[-1]) & MODALS):
        inside.pop()
    return bool(inside) and _is_only_participle(inside[-1])


def _is_copular(words: Sequence[PlainWord], start: int, end: int, i: int) -> bool:
    """*sollte es hilfreich sein*, *spannender wird es*, *wodurch es ungültig werden würde*."""
    inside = [words[j] for j in range(start, end + 1) if j != i]
    lows = {w.low for w in inside}
    if _WORTH & lows or len(inside) < 2:
        return False
    if inside[-1].low == "sein" or (inside[-1].low in _BECOMING and _is_verb_last(words, start)):
        return not is_participle(inside[-2].low) or is_adjective(inside[-2].low)
    if not lows & (_BECOMING - {"werden", "würde"}):
        return False
    return not any(
        r.pos == "V" and r.codes & {"i", "2"} for w in inside if w.text[0].islower() for r in readings(w.low)
    )


def _is_behind_oblique(words: Sequence[PlainWord], start: int, i: int) -> bool:
    """*Zu keiner Zeit erlangt es Rechte*: a preposition opens the clause, and no subject stands before the verb."""
    opening = words[start].low in PREPOSITION_CASES and not subordinates(words, start)
    if not opening or i < start + 3 or not may_be_verb(words, i - 1) or "3s" not in persons(words[i - 1].low):
        return False
    return "keiner" in (w.low for w in words[start:i]) and not has_nominative(words, start, i - 1, i)


def _has_no_own_subject(words: Sequence[PlainWord], start: int, end: int, i: int) -> bool:
    """Where the subject may be that of the clause before: *holt die Creme, streicht sie*, *… löst und sie macht*."""
    if start and words[start - 1].low == "," and i == start + 1 and may_be_verb(words, start):
        return words[start].low not in BEING and not _is_behind_clause(words, start)
    if words[start].low not in ("und", "oder") or i != start + 1 or end <= i + 1 or not start:
        return False
    return _is_last_verb(words, i, end) and _is_within_subordinate(words, start)


def _is_behind_clause(words: Sequence[PlainWord], start: int) -> bool:
    """*Wenn er kommt, holt sie …*: the clause before stands in the first place, and the subject behind the verb."""
    if start < 2 or not words[start - 2].low[0].isalnum():
        return True  # behind a quotation
    first, last = clause(words, start - 2)
    if may_be_verb(words, first) and words[first].low not in CLOSED:
        return False
    verbs = [j for j in range(first, last + 1) if may_be_verb(words, j)]
    return not verbs or verbs[0] == last or subordinates(words, first)


def _is_last_verb(words: Sequence[PlainWord], i: int, end: int) -> bool:
    verbs = [j for j in range(i + 1, end + 1) if may_be_verb(words, j)]
    return verbs == [end]


def _is_within_subordinate(words: Sequence[PlainWord], start: int) -> bool:
    """Does a subordinate clause stand before, in the same sentence?"""
    for word in reversed(words[:start]):
        if word.low in _ENDS:
            return False
        if word.low in SUBORDINATORS:
            return True
    return False


def _is_undecided(words: Sequence[PlainWord], start: int, end: int, i: int) -> bool:
    """*das Wesen, das es benutzt*, *dass es die Welt zu empfangen weiss*."""
    before, joined = words[i - 1].low if i else "", words[start].low in JOINING
    at = start + joined
    owned = words[at].low in ("deren", "dessen") and i == at + 2  # eine Linie, deren Übertritt es nicht erlaubt
    if owned and "3s" in persons(words[end].low):
        return True
    if i == at + 1 and before in _RELATIVE and (joined or (start and words[start - 1].low == ",")):
        return persons(words[end].low) & {"3s", "3p"} != {"3p"}
    return subordinates(words, start) and i == start + 1 and not persons(words[end].low) and has_to(words, i, end)


def _is_only_nominative(words: Sequence[PlainWord], start: int, end: int, i: int) -> bool:
    """*Dabei könnte es um viel gehen*: a verb in the singular, something before it, and no other nominative."""
    first = start + (words[start].low in JOINING)
    if _is_oblique_relative(words, start) and "3s" in persons(words[end].low):
        return not has_nominative(words, start, end + 1, i)  # die Behörde, unter deren Befehl sie steht
    if i <= first + 1 or "3s" not in finite_persons(words, i) or not may_be_verb(words, i - 1):
        return False
    if any(may_be_verb(words, j) for j in range(first, i - 1)) or words[first].low in _RELATIVE | {"der"}:
        return False
    return not has_nominative(words, first, end + 1, i)


def _is_oblique_relative(words: Sequence[PlainWord], start: int) -> bool:
    after = words[start + 1].low if start + 1 < len(words) else ""
    behind_noun = start > 0 and words[start - 1].low == "," and words[start].low in PREPOSITION_CASES
    return behind_noun and after in ("deren", "dessen", "denen", "dem", "den")


def _is_only_participle(low: str) -> bool:
    return is_participle(low) and not any("i" in r.codes for r in readings(low) if r.pos == "V")


def has_plural_verb(words: Sequence[PlainWord], mention: Mention) -> bool:
    """*dass es keine Bilder sind*, *sollen es zwei sein*: *es* beside a plural, which no other pronoun can be."""
    if mention.word.low != "es" or mention.case not in _BOTH:
        return False
    i, (start, end) = words.index(mention.word), mention.clause
    if is_before_joined_verb(words, start, end, i):
        return False
    if mention.case == "acc" and (i < start + 2 or words[start].low in JOINING):
        return False  # und nutzen es
    if mention.case == "acc" and has_nominative(words, start, end + 1, i):
        return False
    places = range(start, end + 1) if mention.case == "nom" else (i - 1,)
    verbs = [j for j in places if may_be_verb(words, j) and words[j - 1].low != "zu"]
    found = [persons(words[j].low) for j in verbs]
    return any("3p" in p for p in found) and not any(p & {"3s", "2s", "1s"} for p in found)


def is_guessed(words: Sequence[PlainWord], mention: Mention, is_subject: bool | None) -> bool:
    """Is the case of *es* or *sie* told by its place alone, and another one in the source? *ob es das Buch zeigt*"""
    if mention.word.low not in ("es", "sie") or is_subject is None or is_subject == (mention.case == "nom"):
        return False
    i, (start, end) = words.index(mention.word), mention.clause
    if mention.case == "nom":
        beside = words[i + 1].low if i < end else ""
        being = BEING & {w.low for w in words[start : end + 1]}
        open_order = words[i - 1].low in SUBORDINATORS and beside in _EITHER and not being
        return open_order and "3s" in persons(words[end].low)
    if i > start and (words[i - 1].low in PREPOSITION_CASES or is_command(words[start].low)):
        return False
    infinitive = has_to(words, i, end) or is_bare_infinitive(words, start, end, i) or is_to_infinitive(words, i)
    return not infinitive and not has_nominative(words, start, end + 1, i)
