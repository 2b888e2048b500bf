"""SCAT's marks in a line of text: ``<p>`` around pronouns, ``<hon>…<hoff>`` around the words that people needed.

Marks were set by searching for a string: pronouns are also marked inside words (``b<p>elles</p>``), where they are
left out here and counted, and marks were set inside marks (``<ho <hon>n>``), after which no place can be trusted:
such a line keeps its text and no spans.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# a mark of needed words has brought a blank on each side; the one behind is told from the text's own by what follows
_MARK = re.compile(r" ?(?P<on><hon>)|(?P<off><hoff>)(?: (?=[ ,.;:!?…')\"-]|$))?|(?P<start><p>)|(?P<end></p>)")


class MarkedLine(NamedTuple):
    """A line without its marks, and where they were: ``[start, end]`` in characters."""

    text: str
    pronouns: list[list[int]]
    needed: list[list[int]]
    inside_words: int
    broken: bool


def unmarked(line: str) -> MarkedLine:
    """Take the marks out of a line.

    >>> marked = unmarked("Mes  <hon>amis<hoff>  sont b<p>elles</p> ... <p>elles</p>")
    >>> marked.text, marked.pronouns, marked.needed, marked.inside_words
    ('Mes amis sont belles ... elles', [[25, 30]], [[4, 8]], 1)
    """
    text, spans, broken = _taken(line)
    while _MARK.search(text):
        text, broken = _taken(text)[0], True
    if broken:
        text = re.sub(" {2,}", " ", text)
    pronouns = [span for span in spans["p"] if not broken and _is_word(text, *span)]
    inside = len(spans["p"]) - len(pronouns) if not broken else 0
    return MarkedLine(text, pronouns, spans["hon"] if not broken else [], inside, broken)


def _taken(line: str) -> tuple[str, dict[str, list[list[int]]], bool]:
    """The text without the marks that are whole, their spans, and whether one stands inside another of its kind."""
    text, place, broken = "", 0, False
    spans: dict[str, list[list[int]]] = {"p": [], "hon": []}
    begun: dict[str, int | None] = {"p": None, "hon": None}
    for mark in _MARK.finditer(line):
        text += line[place : mark.start()]
        place = mark.end()
        kind = "hon" if mark["on"] or mark["off"] else "p"
        begins, start = bool(mark["on"] or mark["start"]), begun[kind]
        broken |= begins == (start is not None)
        if not begins and start is not None:
            spans[kind].append([start, len(text)])
        begun[kind] = len(text) if begins else None
    return text + line[place:], spans, broken or any(start is not None for start in begun.values())


def _is_word(text: str, start: int, end: int) -> bool:
    """Does the span neither begin nor end inside a word?"""
    return not re.search(r"\w$", text[:start]) and not re.match(r"\w", text[end:])
