"""Names: one gives way to another of the document, of a kind that the text itself tells.

The kind is told by a title before it, or by a preposition of places on both sides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from kontrast.building.checks.english import SOURCE
from kontrast.building.errors.spec import Candidate, Maker, candidate, doubts
from kontrast.language.annotation import Sentence
from kontrast.language.romanise import is_cyrillic, sounds_alike
from kontrast.language.words import declared, ordered

_WORD = re.compile(r"[^\W\d_]+['’](?=\w)|[^\W\d_]+(?:-[^\W\d_]+)*")
_SHORTEST = 3
_COGNATE = 4
"""Letters at least that a name and its cognate begin with: *Londres*, *London*."""
_TELLS_NOTHING = frozenset("to of the a an and or by for with at".split())
"""English words behind which a place stands as well as a person or a firm; other sources are not asked."""
_LENGTHENED = {"v": "vwf", "w": "vwf", "z": "szšžśź", "a": "a"}
"""Prepositions that get another letter before some sounds: *ve Vídni*, *we Włoszech*, *ad Atene*."""


def name(language: str) -> Maker:
    def replaced(sentence: Sentence) -> Iterator[Candidate]:
        """The nearest name with the same frame that neither the sentence nor its source has."""
        for name in framed_names(sentence.text, sentence.source, language) if sentence.source else ():
            for source, text in sentence.nearby:
                others = [o.text for o in framed_names(text, source, language) if o.frame == name.frame]
                new = [o for o in others if not _stands_in(o, f"{sentence.source} {sentence.text}")]
                if new:
                    edit = (name.start, name.end, new[0])
                    yield candidate("name", sentence, [edit], features=doubts(no_person=not name.person))
                    break

    return replaced


class FramedName(NamedTuple):
    """A name and where it stands; names with the same ``frame`` can take each other's place."""

    text: str
    start: int
    end: int
    frame: tuple[str, ...]

    @property
    def person(self) -> bool:
        """Behind a title; behind a preposition a book or a language may stand too, or a place within the other."""
        return self.frame[0] == "person"


class _Run(NamedTuple):
    """Words with a capital, one behind the other, and the word before them."""

    words: tuple[str, ...]
    start: int
    end: int
    before: str


@lru_cache(maxsize=256)
def framed_names(text: str, source: str, language: str) -> tuple[FramedName, ...]:
    """The names of a sentence that stand in its source too, once on each side.

    >>> [(n.text, n.frame) for n in framed_names("Vive en Madrid.", "She lives in Madrid.", "es")]
    [('Madrid', ('place', 'en/in', '1', 'False'))]
    """
    words = declared(language).get("names", {})
    titles = {title: str(k) for k, row in enumerate(words.get("titles", ())) for title in row}
    places = frozenset(words.get("places", ()))
    inflected = bool(words.get("case", False) or words.get("genitive_s", False))
    there = _runs(source, frozenset())
    found = []
    for run in _runs(text, frozenset(titles)):
        name = text[run.start : run.end]
        if not _is_plain(run, text) or len(re.findall(rf"\b{re.escape(name)}", text)) > 1:
            continue
        same = [other for other in there if _is_same(run.words, other.words, inflected)]
        if len(same) != 1:
            continue
        if run.before in titles and same[0].before == "of":
            continue  # король Москвы
        if run.before in titles and (same[0].words[-len(run.words) :] == run.words or is_cyrillic(name)):
            frame: tuple[str, ...] = "person", titles[run.before], str(len(run.words))
            found.append(FramedName(name, run.start, run.end, frame))
        elif _next_word(text, run) and _next_word(text, run) == _next_word(source, same[0]):
            continue  # Loss of Breath: part of a title in the source's language
        elif run.before in places and _is_place(run, same[0]) and _is_plain(same[0], source):
            lengthens = name[0].lower() in _LENGTHENED.get(run.before, "")
            frame = "place", f"{run.before}/{same[0].before}", str(len(run.words)), str(lengthens)
            found.append(FramedName(name, run.start, run.end, frame))
    return tuple(found)


def _stands_in(name: str, text: str) -> bool:
    """Does a word of the text begin as a word of the name does?"""
    starts = {word[:_COGNATE].lower() for word in _WORD.findall(name)}
    return any(word[:_COGNATE].lower() in starts for word in _WORD.findall(text))


def _runs(text: str, titles: frozenset[str]) -> list[_Run]:
    """Runs of words with a capital; a title is before its name, not part of it."""
    runs: list[_Run] = []
    words = list(_WORD.finditer(text))
    for i, match in enumerate(words):
        gap = text[words[i - 1].end() : match.start()] if i else ""
        before = words[i - 1].group().lower().replace("’", "'") if i else ""
        if not match.group()[0].isupper() or match.group().lower() in titles:
            continue
        if runs and i and runs[-1].end == words[i - 1].end() and gap in (" ", ""):
            last = runs[-1]
            runs[-1] = last._replace(words=(*last.words, match.group()), end=match.end())
        else:
            near = gap == " " or (gap == "" and before.endswith("'")) or (gap == ". " and before in titles)
            runs.append(_Run((match.group(),), match.start(), match.end(), before if near else ""))
    return runs


def _is_plain(run: _Run, text: str) -> bool:
    """A name of its own: no abbreviation, no month, no part of something longer (*Paris-Nord*, *Paris, Texas*)."""
    if (
        any(len(w) < _SHORTEST or w[1:] != w[1:].lower() or w in _dates() for w in run.words)
        or len(run.words) > 3
        or run.words[0] == "The"
    ):
        return False
    after = text[run.end : run.end + 3]
    return not (after[:1] in "-–/'’&" and after) and not re.match(r",? ?[\d(\"“«„]|, ?[^\W\d_a-zà-ÿа-я]", after)


def _is_place(run: _Run, other: _Run) -> bool:
    return len(run.words) == len(other.words) and bool(other.before) and other.before not in _TELLS_NOTHING


def _next_word(text: str, run: _Run) -> str:
    found = re.match(r" ([^\W\d_]+)", text[run.end :])
    return found[1] if found else ""


def _is_same(words: tuple[str, ...], others: tuple[str, ...], inflected: bool) -> bool:
    """The same name, or in a language without cases its cognate; *President Obama* holds *Obama*."""
    if others[-len(words) :] == words:
        return True
    if is_cyrillic(words[0]) and len(others) >= len(words):
        return all(sounds_alike(*both) for both in zip(words, others[-len(words) :], strict=True))
    if inflected or len(words) != len(others):
        return False
    return all(_is_cognate(*both) for both in zip(words, others, strict=True))


def _is_cognate(one: str, other: str) -> bool:
    """*Crimeia*, *Crimea*: but for three letters at the end."""
    alike = max(_COGNATE, max(len(one), len(other)) - 3)
    return one[:alike] == other[:alike]


@lru_cache(maxsize=1)
def _dates() -> frozenset[str]:
    return frozenset((*ordered(SOURCE, "months"), *ordered(SOURCE, "days")))
