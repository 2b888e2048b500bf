"""The pronouns and possessives of a German sentence: their cases, and which of them mean the same as one of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

import msgspec

from kontrast.building.errors.de.pronoun_mentions import Gender, Mention, changed, mentions_in
from kontrast.building.errors.de.pronoun_uses import Case, cases
from kontrast.building.errors.text import like
from kontrast.language.annotation import Sentence
from kontrast.language.german.es import use_of_es
from kontrast.language.german.plain import PlainWord, finite_persons
from kontrast.language.lexicons.german_words import PREPOSITION_CASES

__all__ = ["case_of", "cases_of", "coreferent", "demonstratives", "mentions_of", "problem_of"]

_CASES: dict[str, tuple[Case, ...]] = {"er": ("nom",), "ihn": ("acc",), "ihm": ("dat",), "ihr": ("dat",)}


def cases_of(sentence: Sentence, words: Sequence[PlainWord], start: int) -> tuple[Case, ...]:
    """The cases of a pronoun: subjects are nominatives by the annotation; where that leaves *es* or *sie* open, the
    clause may still rule out a nominative.

    On German treebanks 85% are decided, 96% of them rightly (``benchmarks/pronoun_case.py``).
    """
    token = next((t for t in sentence.tokens if t.start == start), None)
    i = next((k for k, word in enumerate(words) if word.start == start), None)
    if token is None or i is None:
        return ()
    if told := _CASES.get(words[i].low):
        return told
    if token.relation == "nsubj":
        return ("nom",)
    return ("acc",) if token.morph.get("Case") == "Acc" or cases(words, i) == ("acc",) else ("nom", "acc")


def mentions_of(sentence: Sentence, words: Sequence[PlainWord], one: Collection[int] = ()) -> list[Mention]:
    """Every mention of a text that may change, once for each case it may have (`mentions_in`)."""
    found: list[Mention] = []
    for m in mentions_in(words, one):
        told = (m.case,) if m.case == "poss" else cases_of(sentence, words, m.word.start)
        made = [msgspec.structs.replace(m, case=case) for case in told]
        found += [m for m in made if m not in found]
    return found


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
    """The other mentions of the same thing: pronouns of other clauses that the alignment leaves to it, and
    possessives that are aligned to *its* in another clause, or beside one of them that is the subject.
    """
    fitting = [m for m in every if m.word.start in together and set(main.genders) & set(m.genders) and m is not main]
    pronouns: dict[int, list[Mention]] = {}
    for m in fitting:
        if m.case != "poss" and m.clause != main.clause and _is_thing(words, m, together[m.word.start]):
            pronouns.setdefault(m.word.start, []).append(m)
    chosen = []
    for start, several in pronouns.items():
        role = together[start]
        case = case_of(several, role if role is not None else main.case == "nom")
        chosen.append(next(m for m in several if m.case == case))
    subjects = {m.clause for m in (main, *chosen) if m.case == "nom"}
    owned = [  # beside an object, a possessive is the subject's
        m
        for m in fitting
        if m.case == "poss"
        and (m.clause in subjects or (together[m.word.start] is not None and m.clause != main.clause))
    ]
    return [*chosen, *owned]


def _is_thing(words: Sequence[PlainWord], mention: Mention, subject: bool | None) -> bool:
    """Any pronoun of the gender but *es* for a clause; one that is aligned to nothing must surely be a thing."""
    if mention.word.low != "es":
        return True
    kind = use_of_es(words, words.index(mention.word), is_object=None if subject is None else not subject).kind
    return kind == "thing" if subject is None else kind in ("thing", "open", "empty")


def demonstratives(
    words: Sequence[PlainWord], main: Mention, gender: Gender, together: Mapping[int, bool | None]
) -> Iterator[tuple[int, int, str]]:
    """*sind deren Inhalte*: *its*, and no relative pronoun."""
    old, new = ("deren" if "f" in genders else "dessen" for genders in (main.genders, (gender,)))
    for before, word in pairwise(words):
        aligned = together.get(word.start) is not None
        if aligned and word.low == old != new and before.low[0].isalpha() and before.low not in PREPOSITION_CASES:
            yield word.start, word.end, like(word.text, new)


def problem_of(
    words: Sequence[PlainWord],
    every: Sequence[Mention],
    others: Sequence[Mention],
    main: Mention,
    gender: Gender,
    together: Mapping[int, bool | None],
) -> str:
    """Why the foil may be ill formed: *es* beside a plural verb, another mention whose case is open, a possessive of
    the subject that keeps its gender.
    """
    verb = finite_persons(words, words.index(main.word))
    if gender == "m" and main.word.low == "es" and main.case == "nom" and "3p" in verb and "3s" not in verb:
        return "plural_verb"
    for other in others:
        several = len({m.case for m in every if m.word.start == other.word.start}) > 1
        if gender == "m" and several and together[other.word.start] is None:
            return "case_unknown"
    owned = [m for m in every if m.case == "poss" and set(m.genders) & set(main.genders) and m not in others]
    beside = any(main.case == "nom" and m.clause == main.clause and changed(m, gender) for m in owned)
    return "possessive_stays" if beside else ""
