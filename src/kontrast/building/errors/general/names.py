"""Names: another person or place of the document, or two letters in the wrong order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from kontrast.building.checks.english import SOURCE, has, said_words
from kontrast.building.errors.registry import language_of
from kontrast.building.errors.spec import Candidate, candidate, doubts, error
from kontrast.building.errors.text import letters_swapped, opens_sentence
from kontrast.language import annotators
from kontrast.language.annotation import Sentence
from kontrast.language.english_words import is_ordinary
from kontrast.language.romanise import is_cyrillic, sounds_alike
from kontrast.language.words import declared

_WORD = re.compile(r"[^\W\d_]+['’](?=\w)|[^\W\d_]+(?:-[^\W\d_]+)*")
_SHORTEST, _LONGEST = 3, 3
"""Letters of a word at least, words of a name at most."""
_ALIKE = 4
_GOES_ON = re.compile(
    r"[-–/'’&]|,? ?[\d(\"“«„]|, ?[A-ZÀ-ÝА-Я]"
    r"| (?:(?:v[ao]n|de[lnrs]?|d[aiou]s?|d|l[aeo]s?|l|te[nr]|zu[mr]?|[ae]l|bin|ibn|of|[ey])[ '’])+[A-ZÀ-ÝА-Я]"
)
"""What follows half a name: a hyphen, a number, a part with a small word before it (*Ursula von der Leyen*)."""


@error("name", of="words", needs="names.titles", source=True)
def name(sentence: Sentence, language: str) -> Iterator[Candidate]:
    """A person is replaced by another person of the document.

    A name after a declared title becomes another name from the surrounding lines, which has a title of the same list
    and the same number of words. The name occurs once, and with the same spelling in the source (for Cyrillic: with
    the same sound). The other name occurs in neither the sentence nor the source. Only whole names change: a name
    before a hyphen, a number, or a particle with another part (Ursula von der Leyen) is left out.
    """
    for name in titled_names(sentence.text, sentence.source, language):
        for source, text in sentence.nearby:
            others = [o.text for o in titled_names(text, source, language) if o.kind == name.kind]
            new = [o for o in others if not _stands_in(o, f"{sentence.source} {sentence.text}")]
            if new:
                yield candidate(sentence, [(name.start, name.end, new[0])])
                break


class TitledName(NamedTuple):
    """A name behind a title; those of one ``kind`` (gender of the title, words) can take each other's place."""

    text: str
    start: int
    end: int
    kind: tuple[str, int]


class _Run(NamedTuple):
    """Words with a capital, one behind the other, and the word before them."""

    words: tuple[str, ...]
    start: int
    end: int
    before: str


@lru_cache(maxsize=256)
def titled_names(text: str, source: str, language: str) -> tuple[TitledName, ...]:
    """The names behind a title that the source has too, once on each side.

    >>> [(n.text, n.kind) for n in titled_names("Cantó el señor Lee.", "Mr Lee sang.", "es")]
    [('Lee', ('0', 1))]
    """
    rows = declared(language).get("names", {}).get("titles", ())
    titles = {title: str(k) for k, row in enumerate(rows) for title in row}
    there = _runs(source, frozenset())
    found = []
    for run in _runs(text, frozenset(titles)):
        name = text[run.start : run.end]
        if run.before not in titles or not _is_plain(run, text) or text.count(name) > 1:
            continue
        same = [other for other in there if _is_same(run.words, other.words)]
        if len(same) == 1 and same[0].before != "of" and not _GOES_ON.match(source[same[0].end :]):
            found.append(TitledName(name, run.start, run.end, (titles[run.before], len(run.words))))
    return tuple(found)


def _stands_in(name: str, text: str) -> bool:
    """Does a word of the text begin as a word of the name does?"""
    starts = {word[:_ALIKE].lower() for word in _WORD.findall(name)}
    return any(word[:_ALIKE].lower() in starts for word in _WORD.findall(text))


def _runs(text: str, titles: frozenset[str]) -> list[_Run]:
    """Runs of words with a capital; a title is before its name, not part of it."""
    runs: list[_Run] = []
    words = list(_WORD.finditer(text))
    for i, match in enumerate(words):
        gap = text[words[i - 1].end() : match.start()] if i else ""
        before = words[i - 1].group().lower() if i else ""
        if not match.group()[0].isupper() or match.group().lower() in titles:
            continue
        if runs and i and runs[-1].end == words[i - 1].end() and gap in (" ", ""):
            last = runs[-1]
            runs[-1] = last._replace(words=(*last.words, match.group()), end=match.end())
        else:
            near = gap == " " or (gap == ". " and before in titles)
            runs.append(_Run((match.group(),), match.start(), match.end(), before if near else ""))
    return runs


def _is_plain(run: _Run, text: str) -> bool:
    """A whole name: no abbreviation, and nothing behind it that belongs to it."""
    odd = any(len(w) < _SHORTEST or w[1:] != w[1:].lower() for w in run.words)
    return not odd and len(run.words) <= _LONGEST and not _GOES_ON.match(text[run.end :])


def _is_same(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """The same name, letter for letter or by its sound in another script; *President Obama* holds *Obama*."""
    last = others[-len(words) :]
    if is_cyrillic(words[0]) and len(others) >= len(words):
        return all(sounds_alike(*both) for both in zip(words, last, strict=True))
    return last == words


_SHORTEST_SPELT = 5


@error("name", of="words", source=True)
def transliteration(sentence: Sentence, language: str) -> Iterator[Candidate]:
    """Two adjacent letters of a name are swapped.

    The word has five letters or more, begins with a capital letter inside the sentence, occurs once, and has the same
    spelling in the source. Titles and common words (Section) are left out. An ordinary English word (Not A Number, «
    Length ») has a low confidence and is never chosen, unless it is next to a name (Gordon Cooper). With --train, the
    new name does not occur in the training text. The first letter stays the same.
    """
    titles = {title for row in declared(language).get("names", {}).get("titles", ()) for title in row}
    own = language_of(language)
    of_source = re.findall(r"(?<![.!?:] )(?<!^)\b[^\W\d_]+", sentence.source)
    for i, token in enumerate(sentence.tokens):
        name = token.text
        if len(name) < _SHORTEST_SPELT or name != name.capitalize() or name not in of_source:
            continue
        if name.lower() in titles or opens_sentence(sentence, i) or len(re.findall(rf"\b{name}", sentence.text)) > 1:
            continue
        if own is not None and own.is_word is not None and own.is_word(name.lower()):
            continue  # Section, Options: a word of both languages
        common = is_ordinary(name) and not _is_beside_name(sentence, i)
        for new in letters_swapped(name):
            edits = [(token.start, token.end, new)]
            yield candidate(sentence, edits, words=(name,), unseen=(name,), features=doubts(common=common))


def _is_beside_name(sentence: Sentence, i: int) -> bool:
    """*Gordon Cooper*: is a word beside it a name, that is no ordinary word with a capital?"""
    tokens = sentence.tokens
    near = [tokens[k] for k in (i - 1, i + 1) if 0 <= k < len(tokens)]
    words = [t.text for t in near if t.text == t.text.capitalize() and t.text.isalpha() and t.pos in ("PROPN", "")]
    return any(len(word) > 1 and not is_ordinary(word) for word in words)


_WHERE, _EITHER = said_words("name_of_place"), said_words("name_of_either")
"""Behind the first a name is taken for a place, behind none of both for a person; the pipeline has to agree."""
_ODD = ("PROPN", "X", "NUM")
"""Beside these a name is part of another."""
_NAME = re.compile(r"\b[A-ZÀ-Ý][a-zà-ÿ]{2,}\b")


@error("name", of="words", source=True)
def name_swap(sentence: Sentence, language: str) -> Iterator[Candidate]:
    """A person or place is replaced by another one of the document.

    The source is English and its spaCy pipeline, which distinguishes persons and places. The name is one word, occurs
    once, and has the same spelling in the source. It becomes the nearest name of the same kind that occurs in the
    surrounding lines of both languages and not in the sentence or its source. Names next to another name, a number or
    a determiner (die Schweiz) are left out.
    """
    # à Cuba, but en France and au Texas: the other place has to stand behind the same word.
    by_preposition = bool(declared(language).get("agreement", {}).get("contracting"))
    tokens, source = sentence.tokens, sentence.source
    own = names_in(source, sentence.text) if sentence.nearby else {}
    for i, token in enumerate(tokens):
        kind = own.get(token.text)
        if kind is None or (i and tokens[i - 1].pos == "DET"):  # die Schweiz
            continue
        if any(_is_odd(sentence, k) for k in (i - 1, i + 1) if 0 <= k < len(tokens)):
            continue
        fixed = tokens[i - 1].text if i and kind == "GPE" and by_preposition else ""
        others = (
            name
            for pair in sentence.nearby
            for name, other in names_in(*pair).items()
            if other == kind
            and (not fixed or f"{fixed} {name}" in pair[1])
            and (kind == "GPE" or has(pair[0], "he", "she"))  # programs and firms are taken for persons too
        )
        new = next((name for name in others if name not in source and name not in sentence.text), None)
        if new is not None:
            yield candidate(sentence, [(token.start, token.end, new)])


def _is_odd(sentence: Sentence, k: int) -> bool:
    token = sentence.tokens[k]
    named = (
        token.text[:1].isupper()
        and token.pos not in ("ADP", "VERB", "AUX", "NOUN")
        and not opens_sentence(sentence, k)
    )
    return token.pos in _ODD or named or token.text in ("-", "'", "’", "/")


@lru_cache(maxsize=10_000)
def names_in(source: str, text: str) -> dict[str, str]:
    """Names of one word that a text and its English source have once each, with their kind.

    None where nothing reads English here.
    """
    both = {word for word in _NAME.findall(source) if source.count(word) == text.count(word) == 1}
    if all(map(is_ordinary, both)) or not annotators.available(SOURCE):
        return {}
    tokens = next(iter(annotators.get(SOURCE, entities=True).annotate([source]))).tokens
    found = {}
    for i, token in enumerate(tokens):
        beside = [tokens[k].entity for k in (i - 1, i + 1) if 0 <= k < len(tokens)]
        if token.text not in both or token.entity in beside or is_ordinary(token.text):
            continue
        before = tokens[i - 1].text.lower() if i else ""
        kind = "GPE" if before in _WHERE else "" if before in _EITHER else "PERSON"
        if token.entity == kind:
            found[token.text] = token.entity
    return found
