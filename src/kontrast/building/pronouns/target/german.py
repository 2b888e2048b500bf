"""German: er, sie, es by the clause and the lexicon."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache

from kontrast.building.perturb.de.pronoun_gender import GENDERS, Gender, Mention, changed, mentions_in
from kontrast.building.perturb.de.pronoun_uses import cases, is_plural
from kontrast.building.pronouns.recipe import Recipe
from kontrast.building.pronouns.target import Contrastive, Form, Noun, plain_form
from kontrast.building.pronouns.target.german_case import (
    has_plural_verb,
    is_guessed,
    is_joined_infinitive,
    told,
)
from kontrast.language import annotators
from kontrast.language.alignment import Span
from kontrast.language.annotation import Sentence
from kontrast.language.coreference import Use
from kontrast.language.german.es import bare_nouns, use_of_es
from kontrast.language.german.plain import (
    BEING,
    OPENERS,
    PlainWord,
    clause,
    is_adjective,
    is_participle,
    polite,
    split,
)
from kontrast.language.lexicons.german import usual_readings
from kontrast.language.lexicons.german_words import JOINING, SUBORDINATORS

__all__ = ["GermanTarget"]

_GENDER = {"Masc": "m", "Fem": "f", "Neut": "n"}
_OPENING = OPENERS | frozenset(("um", "ohne", "anstatt", "statt", "als", "wie"))
_GREETINGS = frozenset(("Morgen", "Abend", "Tag", "Nacht", "Appetit"))
_NOMINATIVE = {
    **dict.fromkeys(("das", "jedes", "dieses"), "n"),
    **dict.fromkeys(("der", "jeder", "dieser"), "m"),
    **dict.fromkeys(("die", "jede", "diese", "eine", "keine"), "f"),
    **dict.fromkeys(("ein", "kein"), "mn"),
}
"""Articles of a subject in the singular, and its genders."""
_SINGULAR = frozenset(("ns", "gs", "ds", "as"))


@lru_cache(maxsize=4_000)
def _annotated(text: str) -> Sentence:
    return next(annotators.get("de").annotate([text]))


class GermanTarget:
    """Rules for German text; nothing but the package is needed."""

    knows_nouns = True
    possessives = frozenset(a + b for a in ("sein", "ihr") for b in ("", "e", "em", "en", "er", "es"))

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe

    def form(self, text: str, words: Sequence[Span], index: int) -> Form | None:
        return plain_form(self._recipe, words[index])

    def use(self, text: str, start: int, *, is_subject: bool) -> Use:
        words = split(text)
        i = next((k for k, word in enumerate(words) if word.start == start), None)
        if i is None:
            return Use("empty", "no German pronoun")
        low = words[i].low
        one = _one(words, start, is_subject)
        if polite(words, i) or (low == "sie" and not one and is_plural(words, i)):
            return Use("empty", "plural or polite")
        mentions = [m for m in mentions_in(words, one) if m.word.start == start and m.case != "poss"]
        if not mentions:
            return Use("empty", "no gender to change")
        first, last = clause(words, i)
        beside = {words[j].low for j in range(first, last + 1) if j != i}
        if "das" in beside and beside & BEING and not bare_nouns(words, first, last, i):
            return Use("empty", "a predicate")  # das ist sie: es would do
        if low != "es":
            return Use()
        case = _case(mentions, is_subject)
        return use_of_es(words, i, is_object=case == "acc")

    def is_possessive(self, text: str, start: int) -> bool:
        return any(m.word.start == start and m.case == "poss" for m in mentions_in(split(text)))

    def case_differs(self, text: str, start: int, *, is_subject: bool) -> bool:
        words = split(text)
        found = told(words, mentions_in(words, _one(words, start, is_subject)))
        own = {m.case for m in found if m.word.start == start and m.case != "poss"}
        return own == ({"acc"} if is_subject else {"nom"})

    def noun(self, text: str, words: Sequence[Span], index: int, number: str) -> Noun | None:
        span = words[index]
        if not _may_be_noun(span.text) or (span.text.isupper() and len(span.text) > 4):
            return None
        greeted = index > 0 and words[index - 1].text.lower() in ("guten", "gute") and span.text in _GREETINGS
        if greeted or span.text.lower() in self._recipe.no_nouns:
            return None
        token = next((t for t in _annotated(text).tokens if t.start < span.end and t.end > span.start), None)
        if token is None or token.pos not in ("NOUN", "PROPN"):
            return None
        readings = [r for r in usual_readings(span.text.rpartition("-")[2]) if r.feature in "mfn"]
        if token.morph.get("Number") == "Plur" or (readings and not any(r.codes & _SINGULAR for r in readings)):
            return None
        known = frozenset(r.feature for r in readings if r.codes & _SINGULAR)
        told = frozenset(_GENDER[g] for g in token.morph.get("Gender", "").split(",") if g in _GENDER)
        return Noun(span.text, index, readings[0].lemma if readings else span.text, (known & told) or known or told)

    def is_one_clause(self, words: Sequence[Span], noun: int, pronoun: int) -> bool:
        return not any(w.text.lower() in _OPENING or not w.text[0].isalnum() for w in words[noun + 1 : pronoun])

    def contrast(
        self, text: str, start: int, end: int, *, is_subject: bool | None, together: Mapping[int, bool | None]
    ) -> list[Contrastive]:
        words = split(text)
        every = told(words, mentions_in(words, _one(words, start, is_subject)))
        own = [m for m in every if m.word.start == start and m.case != "poss"]
        if not own:
            return []
        case = _case(own, is_subject)
        main = next(m for m in own if m.case == case)
        found = []
        for gender in GENDERS:
            if gender in main.genders:
                continue
            edit = changed(main, gender)
            if edit is None:
                continue
            edits = {edit[0]: edit}
            others = _coreferent(words, every, main, together)
            for other in others:
                if (also := changed(other, gender)) is not None:
                    edits.setdefault(also[0], also)
            doubt, any_case = _doubt(words, main, gender), gender != "m" or main.word.low not in ("sie", "es")
            if gender == "m" and is_guessed(words, main, is_subject):
                doubt = f"the case of {main.word.text} is not known"
            doubt = doubt or _unlike(words, every, edits, others, main, gender, together)
            found.append(Contrastive(_replaced(text, edits.values()), edit[2], gender, doubt, any_case))
        return found


def _may_be_noun(word: str) -> bool:
    """A capital, also behind a number; no adjective behind a name.

    >>> [_may_be_noun(word) for word in ("3D-Drucker", "Make-up", "ASX-notierte", "15-jährige")]
    [True, True, False, False]
    """
    first, _, rest = word.partition("-")
    if not rest:
        return word[0].isupper()
    last = word.rpartition("-")[2]
    if last[0].islower():
        known = any(r.pos == "N" for r in usual_readings(word))
        return word[0].isupper() and (known or not (is_adjective(last) or is_participle(last)))
    return word[0].isupper() or (first[0].isdigit() and last[0].isupper())


def _unlike(
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
            return f"the case of another {other.word.text} is not known"
        aligned = together[other.word.start] is not None
        if other.word.start in edits and (meant := _may_mean(words, main, other, aligned=aligned)):
            return f"another {other.word.text} may mean {meant}"
    owners = [m for m in every if m.case == "poss" and set(m.genders) & set(main.genders)]
    for m in owners:
        its = m.word.start in together  # seine Feinheit, … seine Leistung
        beside = main.case == "nom" and m.clause == main.clause  # sie erfüllt ihren Zweck
        if (its or beside) and m.word.start not in edits and changed(m, gender) is not None:
            return f"{m.word.text} stays"
    return ""


def _may_mean(words: Sequence[PlainWord], main: Mention, other: Mention, *, aligned: bool) -> str:
    """What another mention may mean instead: a subject between the two, a name before a dative, its own subject."""
    first, last = sorted((words.index(main.word), words.index(other.word)))
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


def _subject_at(words: Sequence[PlainWord], j: int, genders: Sequence[Gender]) -> str:
    """The noun of a phrase that begins here with an article of the nominative, if it may have one of the genders."""
    if words[j].low not in _NOMINATIVE:
        return ""
    noun = next((w.text for w in words[j + 1 : j + 3] if w.text[0].isupper()), "")
    known = [r for r in usual_readings(noun) if r.pos == "N" and not r.rare] if noun else []
    fits = any(r.feature in genders and r.feature in _NOMINATIVE[words[j].low] and "ns" in r.codes for r in known)
    return noun if fits else ""


def _one(words: Sequence[PlainWord], start: int, is_subject: bool | None) -> tuple[int, ...]:
    """An object *sie* says nothing of its number, and the verb is another's: *it* in the source tells."""
    i = next((k for k, word in enumerate(words) if word.start == start), None)
    if i is None or words[i].low != "sie" or is_subject is not False:
        return ()
    if "acc" not in cases(words, i) and not is_joined_infinitive(words, i):
        return ()
    beside = {w.low for w in words[max(i - 1, 0) : i + 2]}
    return () if beside & {"alle", "beide", "allen", "sich"} else (start,)  # wann sie sich dem unterziehen


def _case(mentions: Sequence[Mention], is_subject: bool | None) -> str:
    """The case that the clause tells; where it leaves two open, the source's role decides."""
    found = [m.case for m in mentions]
    if len(set(found)) == 1 or is_subject is None:
        return found[0]
    wanted = "nom" if is_subject else "acc"
    return wanted if wanted in found else found[0]


def _coreferent(
    words: Sequence[PlainWord], every: Sequence[Mention], main: Mention, together: Mapping[int, bool | None]
) -> list[Mention]:
    """The other mentions of the same thing: pronouns that the alignment leaves to it, and their possessives."""
    genders = set(main.genders)
    fitting = [m for m in every if m.word.start in together and genders & set(m.genders) and m is not main]
    pronouns: dict[int, list[Mention]] = {}
    for m in fitting:
        apart = m.clause != main.clause or (m.case == "dat" and m.word.end + 1 == main.word.start)  # sag ihm er soll
        if m.case != "poss" and apart and _is_thing(words, m, together[m.word.start]):
            pronouns.setdefault(m.word.start, []).append(m)
    clauses = {main.clause, *(several[0].clause for several in pronouns.values())}
    chosen = []
    for start, several in pronouns.items():
        role = together[start]
        case = _case(several, role if role is not None else main.case == "nom")
        chosen.append(next(m for m in several if m.case == case))
    owners = [
        m
        for m in fitting
        if m.case == "poss"
        and (together[m.word.start] is not None or m.clause in clauses or _is_joined(words, m, clauses))
    ]
    return [*chosen, *owners]


def _is_joined(words: Sequence[PlainWord], mention: Mention, clauses: Set[tuple[int, int]]) -> bool:
    """*sie öffnete und zeigte ihre Größe*: a clause joined to one of these."""
    start = mention.clause[0]
    return words[start].low in JOINING and any(end + 1 == start for _, end in clauses)


def _is_thing(words: Sequence[PlainWord], mention: Mention, subject: bool | None) -> bool:
    """Any pronoun of the gender but *es* for nothing; aligned to nothing (None), *es* must surely be a thing."""
    if mention.word.low != "es":
        return True
    kind = use_of_es(words, words.index(mention.word), is_object=None if subject is None else not subject).kind
    return kind == "thing" if subject is None else kind in ("thing", "open")


def _doubt(words: Sequence[PlainWord], main: Mention, gender: str) -> str:
    """*es* goes with a predicate noun of any gender: *Es ist eine Brücke*; with a plural verb nothing else goes."""
    if gender == "m" and has_plural_verb(words, main):
        return "its verb is plural"
    if gender != "n" or main.case != "nom":
        return ""
    start, end = main.clause
    inside = {words[j].low for j in range(start, end + 1)}
    i = words.index(main.word)
    if not inside & BEING:
        return ""
    nouns = bare_nouns(words, *clause(words, i), i)
    return "es goes with a predicate noun" if nouns else "es ist … may be said of a situation"


def _replaced(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text
