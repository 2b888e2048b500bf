"""German: er, sie, es by the clause and the lexicon."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from kontrast.building.errors.de.pronoun_mentions import GENDERS, Mention, changed, mentions_in
from kontrast.building.errors.de.pronoun_uses import cases, is_plural
from kontrast.building.pronouns.foils import Contrastive, Form, Noun, plain_form
from kontrast.building.pronouns.foils.german_case import (
    has_plural_verb,
    is_guessed,
    told,
)
from kontrast.building.pronouns.foils.german_clauses import has_to, is_joined_infinitive
from kontrast.building.pronouns.foils.german_mentions import SINGULAR, case_of, coreferent, demonstratives, unlike
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
from kontrast.language.lexicons.german_words import EIN_STEMS

__all__ = ["GermanTarget"]

_GENDER = {"Masc": "m", "Fem": "f", "Neut": "n"}
_OPENING = OPENERS | frozenset(("um", "ohne", "anstatt", "statt", "als", "wie"))
_SHALL = frozenset("sollte soll wird würde kann könnte muss müsste darf tut tat".split())
_GREETINGS = frozenset(("Morgen", "Abend", "Tag", "Nacht", "Appetit"))


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
            return Use("absent", "no German pronoun")
        low = words[i].low
        one = _one(words, start, is_subject)
        if polite(words, i) or (low == "sie" and not one and is_plural(words, i)):
            return Use("absent", "plural or polite")
        mentions = [m for m in mentions_in(words, one) if m.word.start == start and m.case != "poss"]
        if not mentions:
            return Use("absent", "no gender to change")
        first, last = clause(words, i)
        beside = {words[j].low for j in range(first, last + 1) if j != i}
        if "das" in beside and beside & BEING and not bare_nouns(words, first, last, i):
            return Use("empty", "a predicate")  # das ist sie: es would do
        if low == "es" and words[first].low == "das" and len(beside) <= 3 and beside & _SHALL:
            return Use("empty", "a predicate")  # das sollte es auch
        if low != "es":
            return Use("empty", "who it is") if _is_named(words, i, last) else Use()
        case = case_of(mentions, is_subject)
        return use_of_es(words, i, is_object=case == "acc")

    def is_possessive(self, text: str, start: int) -> bool:
        return any(m.word.start == start and m.case == "poss" for m in mentions_in(split(text)))

    def cases(self, text: str, start: int) -> tuple[str, ...]:
        words = split(text)
        i = next((k for k, w in enumerate(words) if w.start == start), None)
        if i is None:
            return ()
        return {"er": ("nom",), "ihn": ("acc",)}.get(words[i].low) or cases(words, i)

    def genders(self, noun: Noun) -> frozenset[str]:
        readings = usual_readings(noun.lemma)
        return frozenset(r.feature for r in readings if r.pos == "N" and not r.rare and "ns" in r.codes)

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
        if token.morph.get("Number") == "Plur" or (readings and not any(r.codes & SINGULAR for r in readings)):
            return None
        known = frozenset(r.feature for r in readings if r.codes & SINGULAR)
        told = _by_adjective(words, index) or frozenset(
            _GENDER[g] for g in token.morph.get("Gender", "").split(",") if g in _GENDER
        )
        return Noun(span.text, index, readings[0].lemma if readings else span.text, (known & told) or known or told)

    def is_one_clause(self, words: Sequence[Span], noun: int, pronoun: int) -> bool:
        return not any(w.text.lower() in _OPENING or not w.text[0].isalnum() for w in words[noun + 1 : pronoun])

    def contrast(
        self, text: str, start: int, end: int, *, is_subject: bool | None, together: Mapping[int, bool | None]
    ) -> list[Contrastive]:
        words = split(text)
        objects = [
            place for place, subject in together.items() if subject is False or _is_to_do(words, place, subject)
        ]
        one = {place for k in (start, *objects) for place in _one(words, k, is_subject if k == start else False)}
        every = told(words, mentions_in(words, one))
        own = [m for m in every if m.word.start == start and m.case != "poss"]
        if not own:
            return []
        case = case_of(own, is_subject)
        main = next(m for m in own if m.case == case)
        found = []
        for gender in GENDERS:
            if gender in main.genders:
                continue
            edit = changed(main, gender)
            if edit is None:
                continue
            edits = {edit[0]: edit}
            others = coreferent(words, every, main, together)
            for other in others:
                if (also := changed(other, gender)) is not None:
                    edits.setdefault(also[0], also)
            edits |= {e[0]: e for e in demonstratives(words, main, gender, together)}
            problem, any_case = _problem(words, main, gender), gender != "m" or main.word.low not in ("sie", "es")
            if gender == "m" and is_guessed(words, main, is_subject):
                problem = "case_unknown"
            if not problem or problem.startswith("es_"):  # a second error weighs more
                problem = unlike(words, every, edits, others, main, gender, together) or problem
            found.append(Contrastive(_replaced(text, edits.values()), edit[2], gender, problem, any_case))
        return found


def _by_adjective(words: Sequence[Span], index: int) -> frozenset[str]:
    """*mein privater Blog* is masculine, *ein privates Blog* neuter: the ending tells what the article does not."""
    if index < 2 or words[index - 2].text.lower() not in EIN_STEMS or not words[index - 1].text[0].islower():
        return frozenset()
    ending = words[index - 1].text[-2:]
    return frozenset({"er": "m", "es": "n"}.get(ending, ""))


def _is_named(words: Sequence[PlainWord], i: int, last: int) -> bool:
    """*dass er es war, der …*"""
    following = [w.low for w in words[i + 1 : i + 3]]
    behind = [w.low for w in words[last + 1 : last + 3]]
    named = len(following) == 2 and following[0] == "es" and following[1] in BEING
    return named and behind in ([",", "der"], [",", "die"], [",", "das"])


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


def _is_to_do(words: Sequence[PlainWord], start: int, subject: bool | None) -> bool:
    """*darauf achten, sie nur zu benutzen*: an object, aligned to nothing."""
    i = next((k for k, word in enumerate(words) if word.start == start and word.low == "sie"), None)
    if subject is not None or not i or words[i - 1].low != ",":
        return False
    return has_to(words, i, clause(words, i)[1])


def _one(words: Sequence[PlainWord], start: int, is_subject: bool | None) -> tuple[int, ...]:
    """An object *sie* says nothing of its number, and the verb is another's: *it* in the source tells."""
    i = next((k for k, word in enumerate(words) if word.start == start), None)
    if i is None or words[i].low != "sie" or is_subject is not False:
        return ()
    if "acc" not in cases(words, i) and not is_joined_infinitive(words, i):
        return ()
    beside = {w.low for w in words[max(i - 1, 0) : i + 2]}
    return () if beside & {"alle", "beide", "allen", "sich"} else (start,)  # wann sie sich dem unterziehen


def _problem(words: Sequence[PlainWord], main: Mention, gender: str) -> str:
    """*es* goes with a predicate noun of any gender: *Es ist eine Brücke*; with a plural verb nothing else goes."""
    if gender == "m" and has_plural_verb(words, main):
        return "plural_verb"
    if gender != "n" or main.case != "nom":
        return ""
    start, end = main.clause
    inside = {words[j].low for j in range(start, end + 1)}
    i = words.index(main.word)
    if not inside & BEING:
        return ""
    nouns = bare_nouns(words, *clause(words, i), i)
    return "es_predicate_noun" if nouns else "es_of_situation"


def _replaced(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text
