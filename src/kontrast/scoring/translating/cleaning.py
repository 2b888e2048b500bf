"""What a prompted model says around a translation, removed by declared rules, each counted by its name.

The rules know the phrases with which chat models wrap an answer in English and in the larger languages. They look at
the source, never at a reference, and leave alone what the source has too. A translation model's output is left as it
is.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

VERSION = 2
"""Raised when a rule changes: it stands in the signature."""
REFUSED, UNSURE = "refusal", "unsure"

_THOUGHT = re.compile(r"\A\s*<(think|thinking|thought|reasoning)>.*?</\1>\s*", re.DOTALL | re.IGNORECASE)
_OPEN_THOUGHT = re.compile(r"\A\s*<(think|thinking|thought|reasoning)>.*\Z", re.DOTALL | re.IGNORECASE)
_END_OF_THOUGHT = re.compile(r"\A.*</(?:think|thinking|thought|reasoning)>\s*", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"\A(?:[^`]*\n)?\s*```[\w-]*\s*\n(.*?)\n?\s*```.*\Z", re.DOTALL)
_TAGGED = re.compile(
    r"<(translation|answer|output|target|result|final|[a-z]{2})>\s*(.+?)\s*</\1>", re.DOTALL | re.IGNORECASE
)
_KEYS = ("translation", "translated_text", "target", "output", "answer", "text")
_QUOTES = (('"', '"'), ("“", "”"), ("„", "“"), ("„", "”"), ("«", "»"), ("»", "«"), ("'", "'"), ("‘", "’"), ("`", "`"))
_MARKS = "".join(sorted({mark for pair in _QUOTES for mark in pair} - {"'", "\u2019"}))
_QUOTED = re.compile("|".join(rf"{re.escape(a)}([^{re.escape(b)}\n]+){re.escape(b)}" for a, b in _QUOTES[:6]))
_AROUND = re.compile(r"\A\s*(\*\*|__|\*|_)(?![\s*_])([^*_\n]+)(?<!\s)\1\s*\Z")
_BULLET = re.compile(r"\A\s*[>•–-]\s+")
_LISTED = re.compile(r"\A\s*(?:\d{1,2}[.)]|option \d{1,2}\s*[:.)]|[-•*])\s+", re.IGNORECASE)
_STRUCTURE = tuple(re.compile(sign) for sign in (r"\n", r"[:：]", r"[\[\]{}<>]", r"\s[—–]\s"))

Rule = Callable[[str, str], str]


@cache
def phrase(name: str) -> re.Pattern[str]:
    """The pattern of that name in ``data/answers.toml``: how chat models open, explain and refuse.

    >>> phrase("about").search("Here is the translation:")[0]
    'translation'
    """
    pattern = "".join(_answers()["patterns"][name])
    for key, words in _answers()["words"].items():
        pattern = pattern.replace(f"<{key}>", "|".join(words))
    return re.compile(pattern, re.IGNORECASE)


@cache
def _answers() -> Any:
    return tomllib.loads((Path(__file__).parents[2] / "data" / "answers.toml").read_text("utf-8"))


def _thought(text: str, source: str) -> str:
    return _END_OF_THOUGHT.sub("", _OPEN_THOUGHT.sub("", _THOUGHT.sub("", text)))


def _fence(text: str, source: str) -> str:
    found = None if "```" in source else _FENCE.match(text)
    return found[1] if found else text


def _tags(text: str, source: str) -> str:
    """The content of ``<translation>``, or of a JSON object's one field of that kind."""
    found = None if "<" in source else _TAGGED.search(text)
    if found:
        return found[2]
    if text.strip().startswith("{") and not source.strip().startswith("{"):
        try:
            read = msgspec.json.decode(text.strip(), type=dict[str, str])
        except (msgspec.DecodeError, UnicodeError):
            return text
        return next((read[key] for key in _KEYS if key in read), text)
    return text


def _repeated(text: str, source: str) -> str:
    """The source said again, before the translation: on a line of its own, before an arrow, or in quotes."""
    bare = source.strip()
    if len(bare) < 4 or bare not in text:
        return text
    before, _, after = text.partition(bare)
    rest = re.match(r"[\"“”»«'*_ ]*(?:\n+|\s*(?:→|->|=>|=|⇒)\s*)(?=\S)", after)
    if rest and re.fullmatch(r"[\"“„«'*_ ]*(?:[\w ]{2,30}:[*_ ]*[\"“„«'*_ ]*)?", before):
        return phrase("code").sub("", after[rest.end() :], count=1)
    quoted = [next(filter(None, found)) for found in _QUOTED.findall(text) if any(found)]
    others = [each for each in quoted if each.strip(" .!?") != bare.strip(" .!?")]
    told = phrase("about").search(text) and not phrase("about").search(source)
    return others[0] if told and len(others) == 1 else text


def _lead(text: str, source: str) -> str:
    """“Sure! Here is the translation:”, a heading, a language's name as a label; where the source has none of it."""
    if not phrase("about").search(source):
        labelled = phrase("labelled").search(text)
        if labelled and text[labelled.end() :].strip():
            text = text[labelled.end() :]
        text = phrase("alone").sub("", text, count=1)
        found = phrase("lead").match(text)
        named = (
            found
            and ":" not in source
            and not phrase("named").search(source)
            and phrase("named").search(found["lead"])
        )
        if found and (named or phrase("about").search(found["lead"])):
            text = text[found.end() :]
    if "!" not in source:
        text = phrase("cheer").sub("", text, count=1)
    return text if ":" in source[:40] else phrase("label").sub("", text, count=1)


def _note(text: str, source: str) -> str:
    """Explanations after the translation, and whatever follows a blank line where the source has none."""
    shorter = phrase("note").sub("", text)
    shorter = shorter if re.search(r"[)\]]\s*\Z", source) else phrase("bracketed").sub("", shorter)
    if not re.search(r"\n\s*\n", source.strip()):
        shorter = re.split(r"\n\s*\n", shorter.strip(), maxsplit=1)[0]
    return shorter


def _several(text: str, source: str) -> str:
    """The first of several answers: a numbered or bulleted list, or two that share words with a stroke between."""
    lines = [line for line in text.strip().splitlines() if line.strip()]
    if len(lines) > 1 and all(map(_LISTED.match, lines)) and not _LISTED.match(source):
        return _LISTED.sub("", lines[0])
    one, stroke, other = text.partition(" / ")
    if stroke and "/" not in source and set(one.lower().split()) & set(other.lower().split()):
        return one
    return text


def _marks(text: str, source: str) -> str:
    """Bold, italics, a quotation's ``>`` and a bullet, where the source has none."""
    found = None if source.strip()[:1] in ("*", "_") else _AROUND.match(text)
    text = found[2] if found else text
    return text if _BULLET.match(source) else _BULLET.sub("", text)


def _quotes(text: str, source: str) -> str:
    """Quotes around the whole, where the source has none around it."""
    inner, bare = text.strip(), source.strip()
    if any(bare.startswith(left) and bare.endswith(right) for left, right in _QUOTES):
        return text
    extra = sum(letter in _MARKS for letter in inner) == 2 + sum(letter in _MARKS for letter in bare)
    around = len(inner) > 2 and (inner[0], inner[-1]) in _QUOTES
    nowhere_else = not any(letter in (inner[0], inner[-1]) for letter in inner[1:-1])
    return inner[1:-1] if around and (extra or nowhere_else) else text


def _refusal(text: str, source: str) -> str:
    """An answer that says that there is none, where the source says nothing of the kind: blank."""
    return "" if phrase("refusal").search(text) and not phrase("sorry").search(source) else text


RULES: dict[str, Rule] = {
    "thinking": _thought,
    "fence": _fence,
    "tags": _tags,
    "repeated": _repeated,
    "lead-in": _lead,
    "note": _note,
    "several": _several,
    "marks": _marks,
    "quotes": _quotes,
    REFUSED: _refusal,
}
"""In the order in which they are applied."""


def clean(text: str, source: str) -> tuple[str, tuple[str, ...]]:
    r"""The translation alone, and the names of the rules that removed something.

    What still does not look like one translation is left as it is and called ``unsure``: it has the source in it,
    talks of a translation, is far longer than the source, or has lines, a colon, brackets or dashes that it has not.

    >>> clean('Sure! Here is the translation:\n\n"Er schläft."\n\nNote: "er" is masculine.', "It sleeps.")
    ('Er schläft.', ('lead-in', 'note', 'quotes'))
    >>> clean("Er schläft.", "It sleeps.")
    ('Er schläft.', ())
    """
    used = []
    for name, rule in RULES.items():
        shorter = rule(text, source)
        if shorter.strip() != text.strip():
            used.append(name)
        text = shorter
    text, bare = text.strip(), source.strip()
    inside = len(bare.split()) > 2 and bare in text and text != bare
    about = phrase("about").search(text) is not None and phrase("about").search(source) is None
    new = any(sign.search(text) and not sign.search(bare) for sign in _STRUCTURE)
    if inside or about or new or len(text) > 3 * len(bare) + 60:
        used.append(UNSURE)
    return text, tuple(used)
