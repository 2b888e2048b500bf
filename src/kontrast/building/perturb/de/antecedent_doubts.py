"""Pronouns whose noun is rather another than the one before them: with another gender they may be right."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kontrast.building.perturb.de.grammar import RELATIVES
from kontrast.building.perturb.nouns_before import has_article, has_person, names_person, of_either
from kontrast.language.annotation import Sentence, Token
from kontrast.language.german.es import bare_nouns
from kontrast.language.german.plain import PlainWord, clause, is_adjective, lemmas, opens
from kontrast.language.lexicons.german import adjective_lemma, noun_readings, readings, usual_readings

__all__ = [
    "has_plural",
    "is_asked",
    "is_of_either",
    "is_of_the_whole",
    "is_owned_before",
    "is_said_already",
    "may_be_name",
    "may_be_unknown",
    "means_another",
    "names_its_gender",
    "reads_as_owner",
]

_USING = frozenset("brauchen benötigen benutzen verwenden nutzen nehmen".split())
_CONTRACTED = frozenset("im am zum zur vom beim ins ans aufs fürs".split())
_YOURS = frozenset("ihr euch euer eure eurer euren eurem eures".split())
_EITHER = frozenset("er ihn ihm sie ihr".split())
_BETWEEN = frozenset(("oder", "und", "/", "bzw", "bzw.", "beziehungsweise"))
_QUOTES = '"„“”»«‚‘'
_NAMES = {"m": "Masc", "f": "Fem", "n": "Neut"}


def means_another(sentence: Sentence, words: Sequence[PlainWord], start: int, genders: Sequence[str]) -> bool:
    """*Du brauchst ein Messer, um es zu öffnen*, *den Ort, den er enthält*: is the noun before it no antecedent?

    ``start`` is the place of the word that opens the pronoun's clause.
    """
    if words[start].low == "um" and any(lemmas(w.low) & _USING for w in words[:start]):
        return True  # what is used is not what it is used for
    if names_person(sentence.source):
        return False
    before = [t for t in sentence.tokens if t.end <= words[start].start]
    if _is_only_bare(before, genders):
        return True
    behind = words[start].low in RELATIVES and start > 1 and words[start - 1].low == ","
    if not behind:
        return False
    nouns = [t for i, t in enumerate(before) if t.pos == "NOUN" and has_article(before, i)]
    fitting = [t for t in nouns if any(r.feature in genders for r in usual_readings(t.text))]
    return all(t.end == words[start - 2].end for t in fitting)


def _is_only_bare(before: Sequence[Token], genders: Sequence[str]) -> bool:
    """*Mit Strahlung behandelt, ist sie sicher*: is the only noun of the gender one behind a bare preposition?"""
    nouns = [
        i
        for i, t in enumerate(before)
        if t.pos == "NOUN" and any(r.feature in genders for r in usual_readings(t.text)) and has_article(before, i)
    ]
    bare = [i for i in nouns if before[i - 1].pos == "ADP" and before[i - 1].text.lower() not in _CONTRACTED]
    return bool(nouns) and bare == nouns


def is_of_the_whole(words: Sequence[PlainWord], start: int) -> bool:
    """*soweit ich es beurteilen kann*: es is what is said."""
    if [w.low for w in words[max(0, start - 1) : start + 1]] == ["so", "wie"]:
        return True  # so wie es vorgegeben ist
    return "weit" in {w.low for w in words[max(0, start - 1) : start + 2]} or words[start].low in ("soweit", "soviel")


def is_of_either(source: str, words: Sequence[PlainWord], i: int) -> bool:
    """*er oder sie*, *er/sie*, *he or she*: a pair of both genders."""
    pairs = ((i - 2, i - 1, i), (i, i + 1, i + 2))
    there = (tuple(words[k].low for k in pair) for pair in pairs if pair[0] >= 0 and pair[2] < len(words))
    return of_either(source) or any({a, b} <= _EITHER and a != b and sign in _BETWEEN for a, sign, b in there)


def is_asked(words: Sequence[PlainWord], start: int, i: int) -> bool:
    """*…, lösche sie*: an imperative right before, whose object it is; *lösche* is no third person."""
    if i and words[i - 1].low == ")":
        return True  # (der, der) sie annimmt
    found = [r for r in readings(words[i - 1].low) if r.pos == "V"] if i - 1 == start else []
    if any("p2p" in r.codes for r in found) and any(w.low in _YOURS for w in words):
        return True  # deren Trotz ihr fürchtet: ermahnt sie
    return bool(found) and not any({"p3s", "t3s", "c3s"} & r.codes for r in found) and words[i - 1].low.endswith("e")


def may_be_name(sentence: Sentence, end: int) -> bool:
    """*Falls Sie XEmacs benutzen, … es*: a name before the pronoun's clause may be of any gender.

    Not one behind a noun, which tells it (das Modul Foo), nor behind a preposition. A person of the source tells it.
    """
    if names_person(sentence.source):
        return False
    before = [t for t in sentence.tokens if t.end <= end and t.text not in _QUOTES]
    introducing = ("NOUN", "PROPN", "ADP", "DET", "ADJ")
    person = has_person(sentence.source)  # then it is no animal's name
    return any(
        t.pos == "PROPN"
        and (not i or before[i - 1].pos not in introducing or (not person and _are_apart(before[i - 1], t)))
        for i, t in enumerate(before)
    )


def _are_apart(noun: Token, name: Token) -> bool:
    """*weshalb der Beamte Thumbaa einfangen wollte*: a subject and an object, by their cases."""
    cases = (set(t.morph.get("Case", "").split(",")) - {""} for t in (noun, name))
    own, other = cases
    return noun.pos == "NOUN" and bool(own) and bool(other) and not own & other


def may_be_unknown(sentence: Sentence, end: int, gender: str) -> bool:
    """*auf Ihrem Radshooter, …*: is there a noun that the lexicon does not have, and may it be of the gender?"""
    nouns = [t for t in sentence.tokens if t.end <= end and t.pos == "NOUN" and not noun_readings(t.text)]
    return any(_NAMES[gender] in t.morph.get("Gender", _NAMES[gender]) for t in nouns)


def has_plural(sentence: Sentence, end: int) -> bool:
    return any(t.pos == "NOUN" and t.morph.get("Number") == "Plur" for t in sentence.tokens if t.end <= end)


def is_owned_before(words: Sequence[PlainWord], place: int, gender: str) -> bool:
    """*Seine Haut glänzt, dass er blendet*: an owner of the foil's gender before it, whom it may mean."""
    stem = "ihr" if gender == "f" else "sein"
    owners = (w.low for i, w in enumerate(words[:place]) if w.text.islower() or opens(words, i))
    return any(re.fullmatch(f"{stem}(e|en|em|er|es)", low) for low in owners)


def reads_as_owner(words: Sequence[PlainWord], place: int, new: str) -> bool:
    """*dass ihr Gott helfe* for *ihm*: before a noun it would be the possessive."""
    following = words[place + 1 : place + 3]
    bare = bool(following) and following[0].text[0].isupper()
    adjective = len(following) > 1 and is_adjective(following[0].low) and following[1].text[0].isupper()
    return new.lower() == "ihr" and (bare or adjective)


def names_its_gender(words: Sequence[PlainWord], place: int) -> bool:
    """*Er war ein Gesandter*, *er kam als Jugendlicher zurück*: a noun for a person that would not go along."""
    start, end = clause(words, place)
    lows = [w.low for w in words[start : end + 1]]
    nouns = [words[k] for k in bare_nouns(words, start, end, place)]
    if any(lemmas(low) & {"sein", "werden", "bleiben"} for low in lows) and any(_is_personal(w.text) for w in nouns):
        return True
    return any(
        words[k].low == "als"
        and (
            words[k + 1].low.startswith("solche")
            or (words[k + 1].text[0].isupper() and _is_personal(words[k + 1].text))
        )
        for k in range(len(words) - 1)
    )


def _is_personal(noun: str) -> bool:
    """A noun of one gender that has another for the other: *Jugendlicher*, *Lehrer*, *Königin*."""
    if adjective_lemma(noun.lower()) is not None and noun.endswith(("er", "e")):
        return True
    return noun.endswith("in") or bool(noun_readings(noun + "in"))


def is_said_already(words: Sequence[PlainWord], word: PlainWord, new: str) -> bool:
    """*Falls es Ihr Fehler ist, korrigieren Sie ihn*: with es it might be the one before."""
    before = (w for i, w in enumerate(words) if w.start < word.start and (w.text.islower() or opens(words, i)))
    return any(w.low == new.lower() for w in before)
