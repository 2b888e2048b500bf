"""Where German words begin and end: one regular expression, offsets into the untouched text."""

import re

_ABBREVIATIONS = (
    "bzw|ca|Dr|etc|evtl|ggf|Hrsg|inkl|Jh|Jhd|max|Mio|Mrd|Mr|Mrs|Ms|min|Nr|Prof|St|Std|Str|Tel|usw|vgl|vs|zzgl|Bd|Abs"
    "|Art|Abb|geb|gest|jr|sr|sen|jun|Co|Corp|Inc|Ltd|Jan|Feb|Apr|Jun|Jul|Aug|Sept|Sep|Okt|Nov|Dez|Frl|Hr|bspw|sog|allg"
)
_TOKEN = re.compile(
    r"(?:https?://|www\.)\S*[\w/]"  # addresses
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|\d+(?:[.,]\d+)*(?:-\w+)+"  # 700-Milliarden-Plan
    r"|\d+(?:[.,:/]\d+)+"  # 1.000,50 12:30 3/4
    r"|\d+\.(?=\s+[^\W\d_])(?!\s+[\"»«„“]*$)"  # ordinals: 1. Oktober
    r"|(?:[A-Za-zÄÖÜäöü]\.){2,}"  # z.B. u.a. U.S.
    r"|\b(?:" + _ABBREVIATIONS + r")\."
    r"|\b[A-ZÄÖÜ]\.(?=\s*[A-ZÄÖÜ])"  # initials
    r"|\w+(?:[-‐‑'’´`&+]\w+)*(?:-(?=\W|$))?"  # words, compounds with hyphens, Hin- und
    r"|\.{2,}|''|``|--+"
    r"|\S"
)


def german_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of every token."""
    return [match.span() for match in _TOKEN.finditer(text)]
