"""The other words of a German sentence that mean the same as a pronoun, and those of which that is not certain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import pairwise
from typing import Literal

from kontrast.building.errors.de.pronoun_mentions import Gender, Mention, changed
from kontrast.building.errors.text import like
from kontrast.language.german.es import use_of_es
from kontrast.language.german.plain import PlainWord, clause, may_be_verb, persons
from kontrast.language.german.times import time_words
from kontrast.language.lexicons.german import usual_readings
from kontrast.language.lexicons.german_words import CLOSED, CONTRACTIONS, JOINING, PREPOSITION_CASES, SUBORDINATORS

__all__ = ["SINGULAR", "case_of", "coreferent", "demonstratives", "owner", "unlike"]

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


_NOMINATIVE = {
    **dict.fromkeys(("das", "jedes", "dieses"), "n"),
    **dict.fromkeys(("der", "jeder", "dieser"), "m"),
    **dict.fromkeys(("die", "jede", "diese", "eine", "keine"), "f"),
    **dict.fromkeys(("ein", "kein"), "mn"),
}
"""Articles of a subject in the singular, and its genders."""
_THEREFORE = frozenset("somit daher deshalb dadurch damit folglich dann also so".split())
SINGULAR = frozenset(("ns", "gs", "ds", "as"))


def unlike(
    words: Sequence[PlainWord],
    every: Sequence[Mention],
    edits: Mapping[int, object],
    others: Sequence[Mention],
    main: Mention,
    gender: Gender,
    together: Mapping[int, bool | None],
) -> str:
    """Why the foil may be ill formed: another mention whose case is open, a possessive that keeps its gender."""
    for other in others:
        several = len({m.case for m in every if m.word.start == other.word.start}) > 1
        as_main = other.case == main.case == "acc"  # er holt sie ab und wird sie liefern
        if gender == "m" and several and not as_main and together[other.word.start] is None:
            return "case_unknown"
        aligned = together[other.word.start] is not None
        if other.word.start in edits and _may_mean(words, main, other, aligned=aligned):
            return "other_mention_of_another"
    owners = [m for m in every if m.case == "poss" and set(m.genders) & set(main.genders)]
    for m in owners:
        its = m.word.start in together  # seine Feinheit, … seine Leistung
        beside = main.case == "nom" and m.clause == main.clause  # sie erfüllt ihren Zweck
        if owner(words, main, m) == "subject":
            continue  # das Museum zeigt ihn seinen Besuchern
        if (its or beside) and m.word.start not in edits and changed(m, gender) is not None:
            return "possessive_stays"
    return ""


def _may_mean(words: Sequence[PlainWord], main: Mention, other: Mention, *, aligned: bool) -> str:
    """What another mention may mean instead: a subject between the two, a name before a dative, its own subject."""
    first, last = sorted((words.index(main.word), words.index(other.word)))
    start, apart, between = other.clause[0], other.clause != main.clause, ""
    if apart and other.case == "poss" and may_be_verb(words, start):
        between = _subject_at(words, start + 1, other.genders)  # schrieb die Zeitung in einem ihrer Artikel
    elif apart and other.case != "poss" and not aligned and words[first] is main.word:
        between = next(_bare(words, first + 1, last, other.genders), "")  # sie fügt eine Ebene ein und füllt sie
    if between:
        return between
    for j in range(first + 1, last - 2):
        if words[j].low in SUBORDINATORS - {"als", "wie"} and (noun := _subject_at(words, j + 1, other.genders)):
            return noun  # Es sagte, dass jedes Unternehmen zahlt, wenn es …
    if other.case == "dat" and not aligned:
        names = (w.text for w in words[first + 1 : last] if w.text[0].isupper() and not usual_readings(w.text))
        return next(names, "")  # bringe ihn zu Theganli und rede mit ihm
    relative, opener = words[main.clause[0]].low, words[other.clause[0]].low
    own = other.case == "poss" and main.case == "acc" and opener in ("um", "ohne")
    return (
        relative if own and set(_NOMINATIVE.get(relative, "")) & set(other.genders) else ""
    )  # das es benutzt, um seine


def _bare(words: Sequence[PlainWord], first: int, last: int, genders: Sequence[Gender]) -> Iterator[str]:
    """Nouns that may have one of the genders behind an article of the singular, and behind no preposition."""
    for j in range(first, last):
        told = set(_NOMINATIVE.get(words[j].low, "m" if words[j].low == "einen" else "")) & set(genders)
        if not told or words[j - 1].low in PREPOSITION_CASES:
            continue
        noun = next((w.text for w in words[j + 1 : min(j + 4, last)] if w.text[0].isupper()), "")
        known = [r for r in usual_readings(noun) if r.pos == "N"] if noun else []
        unknown = noun and not known and words[j].low in ("eine", "das")
        if unknown or any(r.feature in told and r.codes & SINGULAR for r in known):
            yield noun


def _subject_at(words: Sequence[PlainWord], j: int, genders: Sequence[Gender]) -> str:
    """The noun of a phrase that begins here with an article of the nominative, if it may have one of the genders."""
    if words[j].low not in _NOMINATIVE:
        return ""
    noun = next((w.text for w in words[j + 1 : j + 3] if w.text[0].isupper()), "")
    known = [r for r in usual_readings(noun) if r.pos == "N" and not r.rare] if noun else []
    fits = any(r.feature in genders and r.feature in _NOMINATIVE[words[j].low] and "ns" in r.codes for r in known)
    return noun if fits else ""


def case_of(mentions: Sequence[Mention], is_subject: bool | None) -> str:
    """The case that the clause tells; where it leaves two open, the source's role decides."""
    found = [m.case for m in mentions]
    if len(set(found)) == 1 or is_subject is None:
        return found[0]
    wanted = "nom" if is_subject else "acc"
    return wanted if wanted in found else found[0]


def coreferent(
    words: Sequence[PlainWord], every: Sequence[Mention], main: Mention, together: Mapping[int, bool | None]
) -> list[Mention]:
    """The other mentions of the same thing: pronouns that the alignment leaves to it, and their possessives."""
    genders = set(main.genders)
    fitting = [m for m in every if m.word.start in together and genders & set(m.genders) and m is not main]
    pronouns: dict[int, list[Mention]] = {}
    for m in fitting:
        apart = m.clause != main.clause or (m.case == "dat" and m.word.end + 1 == main.word.start)  # sag ihm er soll
        if (
            m.case != "poss"
            and apart
            and not _is_object_of(words, main, m)
            and _is_thing(words, m, together[m.word.start])
        ):
            pronouns.setdefault(m.word.start, []).append(m)
    clauses = {main.clause, *(several[0].clause for several in pronouns.values())}
    chosen = []
    for start, several in pronouns.items():
        role = together[start]
        case = case_of(several, role if role is not None else main.case == "nom")
        chosen.append(next(m for m in several if m.case == case))
    owners = [
        m
        for m in fitting
        if m.case == "poss"
        and not owner(words, main, m)
        and (
            together[m.word.start] is not None
            or m.clause in clauses
            or _is_joined(words, m, clauses)
            or _is_next(words, main, m)
        )
    ]
    return [*chosen, *owners]


def _is_object_of(words: Sequence[PlainWord], one: Mention, other: Mention) -> bool:
    """*sie nimmt Geld und legt sie an*: behind *und* and a verb the subject goes on, and its object is another's."""
    first, second = sorted((one, other), key=lambda m: m.word.start)
    start, i = second.clause[0], words.index(second.word)
    joined = words[start].low in JOINING and first.clause[1] + 1 == start
    goes_on = (
        joined and i == start + 2 and may_be_verb(words, start + 1) and words.index(first.word) == first.clause[0]
    )
    return goes_on and first.case == "nom" and second.word.low in ("sie", "es", "ihn", "ihm", "ihr")


def _is_joined(words: Sequence[PlainWord], mention: Mention, clauses: Set[tuple[int, int]]) -> bool:
    """*sie öffnete und zeigte ihre Größe*: a clause joined to one of these."""
    start = mention.clause[0]
    return words[start].low in JOINING and any(end + 1 == start for _, end in clauses)


def _is_next(words: Sequence[PlainWord], main: Mention, mention: Mention) -> bool:
    """*Sie wurde sterilisiert, somit ist ihr Verzehr …*: a subject of the next main clause, and no other noun."""
    (first, last), start, j = main.clause, mention.clause[0], words.index(mention.word)
    if main.case != "nom" or words.index(main.word) != first or (start, j) != (last + 2, last + 4):
        return False
    follows = words[start - 1].low == "," and words[start].low in _THEREFORE and may_be_verb(words, start + 1)
    return follows and not any(_bare(words, first + 1, start, mention.genders))


def demonstratives(
    words: Sequence[PlainWord], main: Mention, gender: Gender, together: Mapping[int, bool | None]
) -> Iterator[tuple[int, int, str]]:
    """*sind deren Inhalte*: *its*, and no relative pronoun."""
    old, new = ("deren" if "f" in genders else "dessen" for genders in (main.genders, (gender,)))
    for before, word in pairwise(words):
        aligned = together.get(word.start) is not None
        if aligned and word.low == old != new and before.low[0].isalpha() and before.low not in PREPOSITION_CASES:
            yield word.start, word.end, like(word.text, new)


def _is_thing(words: Sequence[PlainWord], mention: Mention, subject: bool | None) -> bool:
    """Any pronoun of the gender but *es* for a clause; aligned to nothing (None), *es* must surely be a thing. The
    source tells that an aligned one stands for something.
    """
    if mention.word.low != "es":
        return True
    kind = use_of_es(words, words.index(mention.word), is_object=None if subject is None else not subject).kind
    return kind == "thing" if subject is None else kind in ("thing", "open", "empty")
