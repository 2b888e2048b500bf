"""What a prompted model says around a translation, removed by declared rules, each counted by its name.

The rules know the phrases with which chat models wrap an answer in English and in the larger languages. They never
look at a reference. A translation model's output is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable

__all__ = ["RULES", "VERSION", "clean", "one_line"]

VERSION = 1
"""Raised when a rule changes: it stands in the signature."""

_THOUGHT = re.compile(r"\A\s*<(think|thinking|reasoning)>.*?</\1>\s*", re.DOTALL | re.IGNORECASE)
_OPEN_THOUGHT = re.compile(r"\A\s*<(think|thinking|reasoning)>.*\Z", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"\A(?:[^`]*\n)?\s*```[\w-]*\s*\n(.*?)\n?\s*```.*\Z", re.DOTALL)
_MARKED = re.compile(r"\A\s*\*\*(?!\s)([^*\n]+)(?<!\s)\*\*\s*\Z")
_WORDS = (
    "translat(?:ion|ed|e|es|ing)",
    "übersetz(?:ung|t|e|en)",
    "tradu(?:ction|it|ite|cción|ção|zione|zido|cido|ce|is|isez)",
    "vertal(?:ing|d)",
)
_ABOUT = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b", re.IGNORECASE)
_LEAD = re.compile(
    r"\A\s*(?P<lead>(?:(?:sure|certainly|of course|okay|ok|absolutely|gern[e]?|natürlich|klar|bien sûr|claro|certo)"
    r"\b[^:\n]{0,40}?[!.,]?\s*)?(?:[^:\n]{0,120}))[:：]\s*(?=\S)",
    re.IGNORECASE,
)
_ALONE = re.compile(
    r"\A\s*(?:sure|certainly|of course|okay|ok|absolutely|gern[e]?|natürlich|klar|bien sûr|claro|certo)"
    r"(?:[!.,]|\b)[^\n]{0,80}\n+(?=\S)",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"\A\s*(?:\*\*|__)?(?:English|German|French|Spanish|Italian|Portuguese|Dutch|Russian|Chinese|Japanese|Czech|Polish"
    r"|Ukrainian|Deutsch|Français|Español|Italiano|Português|target|output|answer)(?: translation)?"
    r"(?:\s*\([^)\n]{1,30}\))?\s*[:：]\s*(?:\*\*|__)?[ \t]*\n*(?=\S)",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"\n\s*(?:[*_(\[]{0,3})(?:notes?|explanation|literally|literal translation|alternatively|alternatives?|this"
    r" translat\w+|in this translation|here,|i (?:have|used|chose|translated)|let me know|the (?:word|phrase|term)"
    r"|anmerkung(?:en)?|hinweis|erklärung|alternativ|remarques?|explication|nota|osservazione)\b.*\Z",
    re.DOTALL | re.IGNORECASE,
)
_BRACKETED = re.compile(
    r"\s*[(\[]\s*(?:note|literally|lit\.|explanation|anmerkung|wörtlich|littéralement|remarque)\b[^()\[\]]*[)\]]\s*\Z",
    re.IGNORECASE,
)
_QUOTES = (('"', '"'), ("“", "”"), ("„", "“"), ("„", "”"), ("«", "»"), ("»", "«"), ("'", "'"), ("‘", "’"), ("`", "`"))
_MARKS = "".join(sorted({mark for pair in _QUOTES for mark in pair} - {"'", "\u2019"}))

Rule = Callable[[str, str], str]


def _thought(text: str, source: str) -> str:
    return _OPEN_THOUGHT.sub("", _THOUGHT.sub("", text))


def _fence(text: str, source: str) -> str:
    found = None if "```" in source else _FENCE.match(text)
    return found[1] if found else text


def _lead(text: str, source: str) -> str:
    """“Sure! Here is the translation:”, a language's name as a label; only where the source has no such opening."""
    text = text if _ABOUT.search(source) else _ALONE.sub("", text, count=1)
    found = _LEAD.match(text)
    if found and _ABOUT.search(found["lead"]) and not _ABOUT.search(source):
        text = text[found.end() :]
    return text if ":" in source[:40] else _LABEL.sub("", text, count=1)


def _note(text: str, source: str) -> str:
    """Explanations after the translation, and whatever follows a blank line where the source has none."""
    shorter = _NOTE.sub("", text)
    shorter = shorter if re.search(r"[)\]]\s*\Z", source) else _BRACKETED.sub("", shorter)
    if not re.search(r"\n\s*\n", source.strip()):
        shorter = re.split(r"\n\s*\n", shorter.strip(), maxsplit=1)[0]
    return shorter


def _bold(text: str, source: str) -> str:
    found = None if "**" in source else _MARKED.match(text)
    return found[1] if found else text


def _quotes(text: str, source: str) -> str:
    """Quotes around the whole, where the source has none around it."""
    inner, bare = text.strip(), source.strip()
    if any(bare.startswith(left) and bare.endswith(right) for left, right in _QUOTES):
        return text
    extra = sum(letter in _MARKS for letter in inner) == 2 + sum(letter in _MARKS for letter in bare)
    around = len(inner) > 2 and (inner[0], inner[-1]) in _QUOTES
    lonely = not any(letter in (inner[0], inner[-1]) for letter in inner[1:-1])
    return inner[1:-1] if around and (extra or lonely) else text


RULES: dict[str, Rule] = {
    "thinking": _thought,
    "fence": _fence,
    "lead-in": _lead,
    "note": _note,
    "bold": _bold,
    "quotes": _quotes,
}
"""In the order in which they are applied."""


def clean(text: str, source: str) -> tuple[str, tuple[str, ...]]:
    r"""The translation alone, and the names of the rules that removed something.

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
    return text.strip(), tuple(used)


def one_line(text: str) -> str:
    r"""A text as one line of a file.

    >>> one_line(" a\n b ")
    'a b'
    """
    return " ".join(text.split())
