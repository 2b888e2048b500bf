"""German: er, sie, es by the annotation and the lexicon."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from kontrast.building.errors.de.pronoun_mentions import GENDERS, Mention, changed
from kontrast.building.errors.de.pronoun_uses import Case, is_plural
from kontrast.building.pronouns.foils import Contrastive, Form, Noun, plain_form
from kontrast.building.pronouns.foils.german_mentions import (
    case_of,
    cases_of,
    coreferent,
    demonstratives,
    mentions_of,
    problem_of,
)
from kontrast.building.pronouns.recipe import Recipe
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

_GENDER = {"Masc": "m", "Fem": "f", "Neut": "n"}
_OPENING = OPENERS | frozenset(("um", "ohne", "anstatt", "statt", "als", "wie"))
_SINGULAR = frozenset(("ns", "gs", "ds", "as"))


@lru_cache(maxsize=4_000)
def _annotated(text: str) -> Sentence:
    return next(annotators.get("de").annotate([text]))


@lru_cache(maxsize=4_000)
def _words(text: str) -> tuple[PlainWord, ...]:
    return tuple(split(text))


@lru_cache(maxsize=4_000)
def _mentions(text: str, one: frozenset[int]) -> tuple[Mention, ...]:
    return tuple(mentions_of(_annotated(text), _words(text), one))


@lru_cache(maxsize=4_000)
def _cases(text: str, start: int) -> tuple[Case, ...]:
    return cases_of(_annotated(text), _words(text), start)


class GermanTarget:
    """Rules for German text; nothing but the package is needed."""

    knows_nouns = True
    possessives = frozenset(a + b for a in ("sein", "ihr") for b in ("", "e", "em", "en", "er", "es"))

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe

    def form(self, text: str, words: Sequence[Span], index: int) -> Form | None:
        return plain_form(self._recipe, words[index])

    def use(self, text: str, start: int, *, is_subject: bool) -> Use:
        words = _words(text)
        i = next((k for k, word in enumerate(words) if word.start == start), None)
        if i is None:
            return Use("absent", "no German pronoun")
        low = words[i].low
        one = _one(text, words, start, is_subject)
        if polite(words, i) or (low == "sie" and not one and is_plural(words, i)):
            return Use("absent", "plural or polite")
        mentions = [m for m in _mentions(text, frozenset(one)) if m.word.start == start]
        if not mentions or mentions[0].case == "poss":
            return Use("absent", "no gender to change")
        first, last = clause(words, i)
        beside = {words[j].low for j in range(first, last + 1) if j != i}
        if "das" in beside and beside & BEING and not bare_nouns(words, first, last, i):
            return Use("empty", "a predicate")  # das ist sie: es would do
        return use_of_es(words, i, is_object=case_of(mentions, is_subject) == "acc") if low == "es" else Use()

    def is_possessive(self, text: str, start: int) -> bool:
        return any(m.word.start == start and m.case == "poss" for m in _mentions(text, frozenset()))

    def cases(self, text: str, start: int) -> tuple[str, ...]:
        return _cases(text, start)

    def genders(self, noun: Noun) -> frozenset[str]:
        readings = usual_readings(noun.lemma)
        return frozenset(r.feature for r in readings if r.pos == "N" and not r.rare and "ns" in r.codes)

    def case_differs(self, text: str, start: int, *, is_subject: bool) -> bool:
        return self.cases(text, start) == (("acc",) if is_subject else ("nom",))

    def noun(self, text: str, words: Sequence[Span], index: int, number: str) -> Noun | None:
        span = words[index]
        if not _may_be_noun(span.text) or (span.text.isupper() and len(span.text) > 4):
            return None
        if span.text.lower() in self._recipe.no_nouns:
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
        words = _words(text)
        objects = [place for place, subject in together.items() if subject is False]
        roles = {start: is_subject, **dict.fromkeys(objects, False)}
        one = {place for k, role in roles.items() for place in _one(text, words, k, role)}
        every = _mentions(text, frozenset(one))
        own = [m for m in every if m.word.start == start and m.case != "poss"]
        if not own:
            return []
        case = case_of(own, is_subject)
        main = next(m for m in own if m.case == case)
        others = coreferent(words, every, main, together)
        found = []
        for gender in GENDERS:
            edit = changed(main, gender) if gender not in main.genders else None
            if edit is None:
                continue
            edits = {edit[0]: edit}
            for other in others:
                if (also := changed(other, gender)) is not None:
                    edits.setdefault(also[0], also)
            edits |= {e[0]: e for e in demonstratives(words, main, gender, together)}
            any_case = gender != "m" or main.word.low not in ("sie", "es")
            problem = problem_of(words, every, others, main, gender, together) or _of_situation(words, main, gender)
            found.append(Contrastive(_replaced(text, edits.values()), edit[2], gender, problem, any_case))
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


def _one(text: str, words: Sequence[PlainWord], start: int, is_subject: bool | None) -> tuple[int, ...]:
    """An object *sie* says nothing of its number, and the verb is another's: *it* in the source tells."""
    i = next((k for k, word in enumerate(words) if word.start == start), None)
    if i is None or words[i].low != "sie" or is_subject is not False:
        return ()
    if "acc" not in _cases(text, start):
        return ()
    beside = {w.low for w in words[max(i - 1, 0) : i + 2]}
    return () if beside & {"alle", "beide", "allen", "sich"} else (start,)


def _of_situation(words: Sequence[PlainWord], main: Mention, gender: str) -> str:
    """*es* goes with a predicate noun of any gender: *Es ist eine Brücke*; and with what is said of a situation."""
    start, end = main.clause
    if gender != "n" or main.case != "nom" or not BEING & {w.low for w in words[start : end + 1]}:
        return ""
    return "es_predicate_noun" if bare_nouns(words, start, end, words.index(main.word)) else "es_of_situation"


def _replaced(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text
