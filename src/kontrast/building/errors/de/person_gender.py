"""The gender of a person: a woman's title becomes a man's (*die neue Ärztin* → *der neue Arzt*), with what agrees."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kontrast.building.checks.english import has, names_woman
from kontrast.building.errors.spec import Candidate, candidate, error
from kontrast.building.errors.text import replaced_word
from kontrast.language.annotation import Sentence
from kontrast.language.lexicons import lexicon
from kontrast.language.lexicons.german import attested, noun_readings
from kontrast.language.lexicons.german_words import DER_STEMS, EIN_STEMS
from kontrast.language.words import lists_of

_CASES = ("Nom", "Acc", "Dat", "Gen")
_DEFINITE = {"die": {"Nom": "der", "Acc": "den"}, "der": {"Dat": "dem", "Gen": "des"}, "zur": {"Dat": "zum"}}
_FEMININE = dict(zip(_CASES, ("e", "e", "er", "er"), strict=True))
_MASCULINE = {
    "der": dict(zip(_CASES, ("er", "en", "em", "es"), strict=True)),
    "ein": dict(zip(_CASES, ("", "en", "em", "es"), strict=True)),
}
_PLAIN = str.maketrans("äöüÄÖÜ", "aouAOU")


@error("person_gender")
def person_gender(sentence: Sentence) -> Iterator[Candidate]:
    """A noun for a woman becomes the noun for a man, with its determiner and adjective.

    The noun ends in -in and has a masculine form (Ärztin, Arzt). It follows a determiner, als, or a form of sein or
    werden. A dative follows its preposition, and a genitive follows its noun. The source mentions a woman and no man
    (she, her, Mrs …). Without a source, this applies to the text. Nouns before a relative clause, and nouns in -in
    that occur twice (die Freundin einer Freundin), are left out.

    - Frau Berg ist die neue Ärztin. → Frau Berg ist der neue Arzt.
    - Frau Berg arbeitet als Lehrerin. → Frau Berg arbeitet als Lehrer.
    """
    tokens = sentence.tokens
    women = [i for i, t in enumerate(tokens) if t.pos == "NOUN" and _man(t.text, "Nom") is not None]
    # A friend of a friend: either of two women may be a man.
    for i in women if len(women) == 1 and _is_of_a_woman(sentence) else ():
        noun, case = tokens[i], _case(sentence, i)
        man = _man(noun.text, case) if case in _CASES else None
        if man is None or _has_relative(sentence, i):
            continue
        adjective = tokens[i - 1] if i and tokens[i - 1].pos == "ADJ" else None
        first = i - 1 - (adjective is not None)
        before = tokens[first].text.lower() if first >= 0 else ""
        if not _is_sure_case(sentence, first, case) or _is_another(sentence, first):
            continue
        determiner, ending = _determiner(before, case)
        edits = [replaced_word(noun, man)]
        if determiner is None:
            if adjective is not None or before not in lists_of("de")["predicating"]:
                continue
        else:
            edits.append(replaced_word(tokens[first], determiner))
            if adjective is not None:
                edits.append(replaced_word(adjective, re.sub("en?$", ending, adjective.text)))
        yield candidate(sentence, sorted(edits), distance=0, words=(noun.text,))


def _case(sentence: Sentence, i: int) -> str:
    """The case of a noun where it is told; behind *als* and *sein* the nominative."""
    tokens = sentence.tokens
    cases = tokens[i].morph.get("Case", "Nom")
    before = {token.text.lower() for token in tokens[max(0, i - 3) : i]}
    return "Nom" if "Nom" in cases and before & set(lists_of("de")["predicating"]) else cases


def _is_of_a_woman(sentence: Sentence) -> bool:
    """Do the source, or the text where there is none, speak of a woman and of no man?"""
    if sentence.source:
        return has(sentence.source, "told_women") and not has(sentence.source, "men")
    words, said = lists_of("de"), set(re.findall(r"\w+", sentence.text.lower()))
    return bool(said & set(words["frauen"])) and not said & set(words["maenner"])


def _man(word: str, case: str) -> str | None:
    """The noun for a man in a case, if there is one."""
    stem = word.removesuffix("in")
    plain = stem.translate(_PLAIN)  # Ärztin, Französin
    for base in (stem, f"{stem}e", plain, f"{plain}e") if stem != word else ():
        if attested(base) and any(r.feature == "m" and "ns" in r.codes for r in noun_readings(base)):
            if case == "Nom":
                return base
            forms = lexicon("de").generate(base, "NOUN", Case=case, Number="Sing", Gender="Masc")
            return base if base in forms else next(iter(forms), None)
    return None


def _is_sure_case(sentence: Sentence, first: int, case: str) -> bool:
    """A dative behind its preposition and a genitive behind its noun: else the two look alike; no role (Amt)."""
    before = sentence.tokens[first - 1].pos if first > 0 else ""
    if first > 0 and sentence.tokens[first - 1].text.lower() in lists_of("de")["roles"]:
        return False
    contracted = first >= 0 and sentence.tokens[first].text.lower() == "zur"
    return case in ("Nom", "Acc") or contracted or before == {"Dat": "ADP", "Gen": "NOUN"}[case]


def _is_another(sentence: Sentence, first: int) -> bool:
    """Is it a person beside *she*, of whom the source may say nothing: *sie kam mit ihrer Freundin*?"""
    behind_preposition = first > 0 and sentence.tokens[first - 1].pos == "ADP"
    as_she = behind_preposition and sentence.tokens[first - 1].text.lower() in lists_of("de")["predicating"]
    return behind_preposition and not as_she and bool(sentence.source) and not names_woman(sentence.source)


def _determiner(word: str, case: str) -> tuple[str | None, str]:
    """The masculine form of a determiner, and the ending of an adjective behind it."""
    weak = "e" if case == "Nom" else "en"
    if word in _DEFINITE:
        return _DEFINITE[word].get(case), weak
    stem = word.removesuffix(_FEMININE[case]) if case in _FEMININE else word
    if stem != word and stem in DER_STEMS:
        return stem + _MASCULINE["der"][case], weak
    if stem != word and stem in EIN_STEMS:
        return stem + _MASCULINE["ein"][case], "er" if case == "Nom" else "en"
    return None, weak


def _has_relative(sentence: Sentence, i: int) -> bool:
    """Is a relative clause behind it, whose pronoun would have to change too?"""
    behind = [token.text.lower() for token in sentence.tokens[i + 1 : i + 7]]
    return "," in behind and any(word in ("die", "der", "deren", "welche") for word in behind)
