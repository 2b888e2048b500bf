"""A noun gets the other number, with its determiner and adjectives: right in itself, but not what the source says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from kontrast.building.checks.english import said_words
from kontrast.building.errors.general.source_words import translated_words
from kontrast.building.errors.spec import Candidate, candidate, error
from kontrast.building.errors.text import like
from kontrast.language.annotation import Sentence, Token
from kontrast.language.bilingual_words import BilingualWords, lemmas
from kontrast.language.lexicon import Lexicon, fits
from kontrast.language.words import declared, lists_of

Edit = tuple[int, int, str]
_OTHER = {"Sing": "Plur", "Plur": "Sing"}
_OBLIQUE = ("Acc", "Dat")
_COUNTED = ("NOUN", "NUM", "PRON", "DET")
_GENDERS = ("Masc", "Fem", "Neut")


@error("sense", of="dictionary")
def noun_number(
    sentence: Sentence, language: str, source: str, lexicon: Lexicon, translations: BilingualWords
) -> Iterator[Candidate]:
    """A noun gets the other number, with its determiner and adjectives.

    The error needs a dictionary. The noun translates one word of the source, whose form shows the same number. The
    noun is an object or follows a preposition, and its determiner has both numbers; or it is a plural without a
    determiner after a preposition. Mass nouns and quantities (declared) are left out. No relative clause,
    third-person pronoun or name follows that would have to agree.
    """
    words, own = lists_of(language), declared(language)
    if not words.get("number_indefinite"):
        return
    left = {word for name in ("mass", "quantities", "number_uncounted") for word in words.get(name, ())}
    never = own.get("reference", {}).get("never_meant", ())
    for i, _, word, _ in translated_words(sentence, source, lexicon, translations):
        token, behind = sentence.tokens[i], sentence.tokens[i + 1 : i + 2]
        number = token.morph.get("Number", "")
        if token.pos != "NOUN" or token.lemma in left or token.text.lower() in never:
            continue
        if number != _number(word, sentence.source, source):
            continue
        if number == "Plur" and behind and behind[0].text in words.get("number_of", ()):
            continue  # die Stiche von Mücken: one of each
        edits = _phrase(sentence, i, number, language, lexicon) if _stands_alone(sentence, i) else None
        if edits:
            yield candidate(sentence, edits, words=(token.text,))


def _phrase(sentence: Sentence, i: int, number: str, language: str, lexicon: Lexicon) -> list[Edit] | None:
    tokens, words = sentence.tokens, lists_of(language)
    article, weak = words["number_indefinite"][0], words.get("number_weak", ())
    case, gender = (tokens[i].morph.get(name, "") for name in ("Case", "Gender"))
    k = i - 1
    while k >= 0 and tokens[k].pos == "ADJ":
        k -= 1
    before, adjectives = tokens[k] if k >= 0 and tokens[k].pos == "DET" else None, tokens[k + 1 : i]
    bare = before is None and k >= 0 and tokens[k].pos == "ADP" and number == "Plur"
    if gender not in _GENDERS or (before is None and not bare) or not _is_object(sentence, k, i):
        return None
    if any(t.text.lower() in words.get("number_plural_only", ()) for t in tokens[max(0, k - 1) : i]):
        return None
    determiner = article if before is None else _lemma(before, lexicon)
    if determiner not in {article, *weak, *(words.get("number_mixed", ()) if number == "Sing" else ())}:
        return None  # *ihre Köpfe*, *ihren Kopf*: each has one
    needed = declared(language).get("phrases", {}).get("needed_adjectives", ())
    if any(t.text.startswith((*needed, *words.get("number_adjectives", ()))) for t in adjectives):
        return None  # die zweite Option
    drops = determiner == article and number == "Sing"
    declension = "Strong" if drops else "Weak" if determiner in weak or number == "Sing" else "Mixed"
    cell = {"Number": _OTHER[number], "Case": case, "Gender": gender}
    noun = _other_noun(tokens[i], cell, lexicon)
    new = None if drops else _one(lexicon.generate(determiner, "DET", **cell))
    forms = [_one(lexicon.generate(t.lemma, "ADJ", **cell, Degree="Pos", Declension=declension)) for t in adjectives]
    if noun is None or (new is None and not drops) or None in forms:
        return None
    first = tokens[k + 1]
    edits: list[Edit] = [(t.start, t.end, form or "") for t, form in zip(adjectives, forms, strict=True)]
    if before is None:
        edits.append((first.start, first.start, f"{new} "))
    else:
        edits.append((before.start, first.start if drops else before.end, like(before.text, new or "")))
    return [*edits, (tokens[i].start, tokens[i].end, noun)]


def _other_noun(token: Token, cell: Mapping[str, str], lexicon: Lexicon) -> str | None:
    """The noun in the cell, where its own form is of one noun only."""
    told = {"Number": _OTHER[cell["Number"]], "Case": cell["Case"], "Gender": cell["Gender"]}
    read = {a.lemma for a in lexicon.analyse(token.text) if a.pos == "NOUN" and fits(a.features, told)}
    forms = lexicon.generate(read.pop(), "NOUN", **cell) if len(read) == 1 else []
    return forms[0] if forms and forms[0] != token.text else None


def _lemma(token: Token, lexicon: Lexicon) -> str:
    return next((a.lemma for a in lexicon.analyse(token.text.lower()) if a.pos == "DET"), "")


def _one(forms: list[str]) -> str | None:
    return forms[0] if forms else None


def _number(word: str, text: str, language: str) -> str | None:
    """The number of a source's noun: another form than its lemma, or with a word before it that counts one.

    >>> _number("gardens", "in gardens", "en"), _number("arming", "They are arming them.", "en")
    ('Plur', None)
    """
    low, lemma = word.lower(), lemmas(word, language)[-1]
    if low != lemma:
        return None if low.endswith(("ing", "ed")) else "Plur"
    one = rf"\b(?:{'|'.join(said_words('counted_one'))})(?: [\w-]+){{0,2}} {low}\b"
    return None if low.endswith("s") or not re.search(one, text.lower()) else "Sing"


def _is_object(sentence: Sentence, before: int, i: int) -> bool:
    """Is the noun behind a preposition, or in a case that no subject has? Not *Tausende von Kindern*."""
    tokens = sentence.tokens
    place = before - 1 if tokens[before].pos == "DET" and before else before
    governor, case = tokens[place], tokens[i].morph.get("Case", "")
    if governor.pos == "ADP" and place and tokens[place - 1].pos in _COUNTED:
        return False
    return case in _OBLIQUE and not tokens[i].relation.startswith("nsubj") and governor.pos in ("ADP", "VERB", "PRON")


def _stands_alone(sentence: Sentence, i: int) -> bool:
    """Is there nothing that would have to change too: a relative clause, a pronoun, a name or number beside it?"""
    tokens = sentence.tokens
    behind = tokens[i + 1 :]
    beside = behind[0] if behind else None
    third = any(t.pos == "PRON" and t.morph.get("Person", "3") == "3" and t.tag != "PIS" for t in behind)
    return (
        not third
        and beside is not None
        and beside.pos not in ("NOUN", "PROPN", "NUM", "X", "CCONJ", "ADJ")
        and beside.text != ","
    )
