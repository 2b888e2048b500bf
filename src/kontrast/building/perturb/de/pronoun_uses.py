"""What a German pronoun is in its clause, by the words: its case, *sie* as she or they, *es* that means nothing.

Pronouns are found in subtitles and fragments as well as in sentences, so the words and the lexicon decide, no parse.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Literal

import msgspec

from kontrast.building.perturb.de.grammar import IMPERATIVES
from kontrast.language.lexicons.german import adjective_lemma, readings, usual_readings
from kontrast.language.lexicons.german_words import CLOSED

__all__ = ["Case", "Word", "cases", "clause", "is_certain", "is_plural", "opens", "persons", "polite", "split"]

Case = Literal["nom", "acc", "dat", "poss"]

_SUBJECTS = frozenset("ich du wir man wer er jemand niemand keiner jeder".split())
_PREPOSITIONS = frozenset("für durch ohne um gegen über auf in an hinter neben unter vor zwischen bis wider".split())
_JOINING = frozenset("und aber oder denn doch sondern".split())
_SUBORDINATORS = frozenset(
    "dass daß wenn weil ob als wie bevor nachdem damit obwohl während falls sobald solange bis sodass wo was warum "
    "weshalb wieso wann woher wohin wozu seit indem wofür da".split()
)
_OPENERS = _JOINING | _SUBORDINATORS - {"da"}
_BEING = frozenset("ist war wäre sei gewesen bleibt blieb bin bist warst sind waren seid".split())
"""With these there is no accusative."""
_DETERMINERS = frozenset("der die das ein eine kein keine mein meine dein deine sein seine ihr ihre unser".split())
_OF_SENTENCES = frozenset(
    "tat tun tut tue getan sag sage sagt sagen sagte gesagt weiß weiss wissen wusste gewusst glaube glauben glaubt "
    "verstehe verstehen versteht meinte meint wünsche wünscht scheint schien kommt kam geht ging steht stand".split()
)
"""With these *es* mostly stands for a whole sentence, or for nothing."""
_BREAKS = frozenset(',;:.!?–—…-"„“”»«()')
_QUOTES = "\"„“”»«-–—…'"
_WORD = re.compile(r"\w+|[^\w\s]")
_GIVING = frozenset("gibt gab gebe gäbe gegeben geben".split())
_IMPERSONAL = re.compile(
    r"handel\w+ sich|sich .*handel|es sich um|g(eht|ing|inge|ehe) .*\bum\b|um .*geht|\b(geht|ging|heißt|hieß) es\b"
    r"|k(ommt|am) (es )?.*\bzu[mr]? (?!mir|dir|uns|euch|ih)|regnet|schneit|mangelt|\bleid|an der zeit|uhr\b|sich .*um"
    r"|wie (spät|geht)|sieht so aus|stell\w+ sich .*heraus|erg(eht|ing)|gel(ing|ang)|verschl(ug|ägt)|juckt|schlägt es"
    r"|(erste|letzte) mal\b|gut geht|um .*bestellt|ist (es )?lieber|schaff(en|t|st|te|ten)\b|geschafft|mach\w+ es so"
)
_THERE = re.compile(
    r"(existier|besteh|bestand|entst|herrsch|folg|fehl|kam|kommt|gescha|erschein|erschien|bedarf|braucht)\w*"
    r" (ein|eine|einer|eines|kein|keine|keiner|viele|mehrere|einige|der|noch|nur|zwei|drei|auch)\b"
)


class Word(msgspec.Struct, frozen=True, gc=False):
    """A word or a sign, where it stands and in small letters."""

    text: str
    low: str
    start: int
    end: int


def split(text: str) -> list[Word]:
    """The words and signs of a text.

    >>> [word.low for word in split("Er kommt, sagt sie.")]
    ['er', 'kommt', ',', 'sagt', 'sie', '.']
    """
    return [Word(m.group(), m.group().lower(), m.start(), m.end()) for m in _WORD.finditer(text)]


def opens(words: Sequence[Word], i: int) -> bool:
    """Does the word stand at a sentence's beginning, but for quotes and dashes?"""
    before = [w.low for w in words[:i]]
    while before and before[-1] in _QUOTES:
        before.pop()
    return not before or before[-1] in ".!?:"


def polite(words: Sequence[Word], i: int) -> bool:
    return words[i].text[0].isupper() and words[i].low in ("sie", "ihr", "ihnen") and not opens(words, i)


def clause(words: Sequence[Word], i: int) -> tuple[int, int]:
    """The first and last word of the clause around a word: between signs, conjunctions and subordinators."""
    start, end = i, i
    while start > 0 and words[start - 1].low not in _BREAKS:
        start -= 1
        if words[start].low in _OPENERS:
            break
    while end + 1 < len(words) and words[end + 1].low not in _BREAKS and words[end + 1].low not in _OPENERS:
        end += 1
    return start, end


@lru_cache(maxsize=20_000)
def persons(low: str) -> frozenset[str]:
    """Persons and numbers of which this word may be a finite verb."""
    if low in CLOSED and not any(tag.startswith("V") for tag in CLOSED[low]):
        return frozenset()
    return frozenset(c[1:] for r in readings(low) if r.pos == "V" for c in r.codes if len(c) == 3)


def _verb(words: Sequence[Word], i: int) -> frozenset[str]:
    """Persons and numbers that the finite verb of the clause may have; empty where none is found."""
    start, end = clause(words, i)
    final = words[start].low in _SUBORDINATORS or (
        start and words[start - 1].low == "," and words[start].low in ("der", "die", "das", "den", "dem")
    )
    # Of two neighbours the second: … sagte sie seien da.
    beside = [i + 1, i - 1] if i < end and i > start and _may_be_verb(words, i - 1) else [i - 1, i + 1]
    places = [*range(end, start, -1)] if final and i != end else [*beside, *range(start, end + 1)]
    found = next(
        (persons(words[j].low) for j in places if start <= j <= end and j != i and _may_be_verb(words, j)), None
    )
    if found is None and final:
        # The verb stands behind a quotation or a clause within this one.
        found = next(
            (persons(w.low) for w in words[end + 1 : end + 15] if w.text[0].islower() and persons(w.low)), None
        )
    return found or frozenset()


def _may_be_verb(words: Sequence[Word], j: int) -> bool:
    return bool(persons(words[j].low)) and (words[j].text[0].islower() or opens(words, j))


def is_certain(words: Sequence[Word], i: int) -> bool:
    """Does the clause tell case and number of *sie*, and of *es* that it stands for something?"""
    if len(cases(words, i)) > 1:
        return False
    start, end = clause(words, i)
    others = {words[j].low for j in range(start, end + 1) if j != i}
    if cases(words, i) == ("acc",):
        governed = words[i - 1].low in _PREPOSITIONS if i else False
        told = governed or bool(others & _SUBJECTS) or any(polite(words, j) for j in range(start, end + 1) if j != i)
        return told and (words[i].low == "sie" or _is_thing(words, i))
    if words[i].low == "sie":
        return "3s" in _verb(words, i)
    return "3s" in _verb(words, i) and _is_thing(words, i)


def is_plural(words: Sequence[Word], i: int) -> bool:
    """*sie können*, *haben sie*, *weil sie keine Hilfe erhalten*: they, which has no gender in German."""
    start, end = clause(words, i)
    near = {words[j].low for j in (i - 1, i + 1) if start <= j <= end}
    if near & {"alle", "beide", "allen"}:
        return True
    others = {words[j].low for j in range(start, end + 1) if j != i}
    if others & {"wir", "man", "ich", "er", "du"} or any(polite(words, j) for j in range(start, end + 1) if j != i):
        return False
    verb = _verb(words, i)
    return "3p" in verb and "3s" not in verb and not (_begins_with_noun(words, start, i))


def _begins_with_noun(words: Sequence[Word], start: int, i: int) -> bool:
    """*Die Leute sehen sie*: another subject stands first."""
    first = words[start + (words[start].low in _OPENERS)] if start < i else None
    if first is None or first.low in _SUBORDINATORS:
        return False
    noun = any(w.text[0].isupper() for w in words[start + 1 : i]) or (
        first.text[0].isupper() and not persons(first.low) and first.low not in CLOSED
    )
    return noun and first.low in (
        "die",
        "diese",
        "meine",
        "deine",
        "seine",
        "ihre",
        "unsere",
        "alle",
        "viele",
        "zwei",
    )


def _is_empty(words: Sequence[Word], i: int) -> bool:
    """Does *es* stand for nothing: es gibt, es geht um, es ist wichtig, dass …; es kamen viele?"""
    start, end = clause(words, i)
    inside = [w.low for w in words[start : end + 1]]
    others = set(inside[: i - start]) | set(inside[i - start + 1 :])
    text = " ".join(inside)
    subject = bool(others & _SUBJECTS) or any(polite(words, j) for j in range(start, end + 1) if j != i)
    if not subject:
        datives = {"mir", "dir", "ihm", "ihr", "uns", "euch", "ihnen"}
        if others & _GIVING and not others & datives:
            return True
        if _IMPERSONAL.search(text) or _THERE.search(text):
            return True
        following = persons(words[i + 1].low) if i < end else frozenset()
        if "3p" in following and "3s" not in following and "sie" not in others:
            return True  # es kamen viele
    if [w.low for w in words[i + 1 : i + 3]] == ["sei", "denn"]:
        return True
    relative = [w.low for w in words[end + 1 : end + 3]]
    if (
        others & _BEING
        and relative[:1] == [","]
        and relative[1:]
        and relative[1] in ("der", "die", "das", "was", "wo")
    ):
        return True  # es war Flint, der …
    if end + 2 < len(words) and words[end + 1].low == ",":
        after = words[end + 2].low
        if after in ("dass", "daß"):
            return True
        follows = " ".join(w.low for w in takewhile(lambda w: w.low not in ",.;:!?", words[end + 2 :]))
        infinitive = re.search(r"\bzu \w+n\b|\b\w{2,}zu\w{2,}en\b", follows) is not None
        judged = _is_adjective(words[end].low) and bool(others & _BEING or others & {"wird", "wurde", "würde"})
        if judged and (infinitive or after == "ob"):
            return True
        return infinitive and after not in ("um", "ohne", "anstatt", "statt") and after not in _SUBJECTS
    return False


def _is_thing(words: Sequence[Word], i: int) -> bool:
    """Does *es* rather stand for a noun before it than for nothing, a sentence, or what follows?"""
    start, end = clause(words, i)
    others = {words[j].low for j in range(start, end + 1) if j != i}
    named = others & _BEING and any(w.low in _DETERMINERS for w in words[i + 1 : end + 1])
    return not named and not others & _OF_SENTENCES and not _is_empty(words, i) and _antecedent(words, i)


def _antecedent(words: Sequence[Word], i: int) -> bool:
    """Is a neuter noun before this *es*, for which it may stand?"""
    return any(
        r.pos == "N" and r.feature == "n" and not r.rare and r.codes & {"ns", "as", "ds"}
        for w in words[max(0, i - 40) : i]
        if w.text[0].isupper() and len(w.text) > 2
        for r in usual_readings(w.text)
    )


def _is_adjective(low: str) -> bool:
    return any(r.pos == "A" for r in readings(low)) or adjective_lemma(low) is not None


def cases(words: Sequence[Word], i: int) -> tuple[Case, ...]:
    """Nominative, accusative, or both where the clause does not tell."""
    start, end = clause(words, i)
    before = words[i - 1].low if i > start else ""
    others = [w.low for j, w in enumerate(words[start : end + 1], start) if j != i and not polite(words, j)]
    if before in _PREPOSITIONS:
        return ("acc",)
    if _BEING & set(others):
        return ("nom",)
    addressed = any(polite(words, j) and words[j].low == "sie" for j in range(start, end + 1) if j != i)
    singular = "3s" in _verb(words, i)
    if _SUBJECTS & set(others) or (words[i].low == "es" and "sie" in others) or (addressed and not singular):
        return ("acc",)
    if not singular and (_to_infinitive(others) or _is_request(words, start, i)):
        return ("acc",)
    rivals = _nominals(words, start, end, i)
    if before in _OPENERS or i == start:
        return ("nom", "acc") if rivals and i != start else ("nom",)
    if not singular:
        return ("nom", "acc")
    if i - start == 1:
        return ("nom", "acc") if rivals else ("nom",)
    if (words[i].low == "es" and _begins_with_name(words, start, i)) or _after_subject(words, start, i):
        return ("acc",)
    return ("nom", "acc")


def _is_request(words: Sequence[Word], start: int, i: int) -> bool:
    """*Vergiss es*, *Nehmt sie mit*: the clause begins with a verb that has no third person."""
    low = words[start].low
    if start == i or low in CLOSED:
        return False
    stems = {low + "en", low + "n", low.removesuffix("e") + "en"}
    verbal = any(r.pos == "V" and "i" in r.codes for stem in stems for r in readings(stem))
    return low in IMPERATIVES or verbal or bool(persons(low))


def _to_infinitive(inside: Sequence[str]) -> bool:
    """*es zu lesen*, *es auszurollen*: a clause without a subject."""
    return any(
        (word == "zu" and following.endswith("n")) or re.fullmatch(r"\w{2,}zu\w{2,}en", following)
        for word, following in zip(("", *inside), inside, strict=False)
    )


def _begins_with_name(words: Sequence[Word], start: int, i: int) -> bool:
    """*Maria liebt es*, *Der Mann sieht es*."""
    first = words[start].low
    if first in ("der", "dieser", "jeder", "kein", "ein", "mein", "dein", "sein"):
        return True
    return words[start].text[0].isupper() and first not in CLOSED and not readings(first) and i - start == 2


def _after_subject(words: Sequence[Word], start: int, i: int) -> bool:
    """*dass das Militär es nutzte*: behind the subordinator stands a noun, and no preposition."""
    between = words[start + 1 : i]
    noun = any(w.text[0].isupper() for w in between)
    return words[start].low in _SUBORDINATORS and noun and not any("APPR" in str(CLOSED.get(w.low)) for w in between)


def _nominals(words: Sequence[Word], start: int, end: int, i: int) -> bool:
    """A determiner that may begin another subject."""
    wanted = ("der", "mein", "dein", "sein", "ihr", "unser", "kein", "jeder", "dieser")
    return any(words[j].low in wanted for j in range(start, end + 1) if j != i)
