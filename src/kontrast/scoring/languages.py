"""Languages by their codes: what a user writes, what a tokenizer calls them, what a prompt says."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["language_name", "match_code"]

# code, code of three letters, script (as in NLLB), English name
_TABLE = """
ar arb Arab Arabic|bg bul Cyrl Bulgarian|bn ben Beng Bengali|ca cat Latn Catalan|cs ces Latn Czech|da dan Latn Danish
de deu Latn German|el ell Grek Greek|en eng Latn English|es spa Latn Spanish|et est Latn Estonian|fa pes Arab Persian
fi fin Latn Finnish|fr fra Latn French|he heb Hebr Hebrew|hi hin Deva Hindi|hr hrv Latn Croatian|hu hun Latn Hungarian
id ind Latn Indonesian|is isl Latn Icelandic|it ita Latn Italian|ja jpn Jpan Japanese|ko kor Hang Korean
lt lit Latn Lithuanian|lv lvs Latn Latvian|nb nob Latn Norwegian|nl nld Latn Dutch|pl pol Latn Polish
pt por Latn Portuguese|ro ron Latn Romanian|ru rus Cyrl Russian|sk slk Latn Slovak|sl slv Latn Slovenian
sr srp Cyrl Serbian|sv swe Latn Swedish|sw swh Latn Swahili|th tha Thai Thai|tr tur Latn Turkish
uk ukr Cyrl Ukrainian|vi vie Latn Vietnamese|zh zho Hans Chinese
"""
_ROWS = {row.split()[0]: row.split() for line in _TABLE.strip().split("\n") for row in line.split("|")}


def language_name(code: str | None) -> str:
    """The English name for a prompt; a code that is not in the table stands for itself.

    >>> language_name("de"), language_name("en-GB"), language_name("tlh")
    ('German', 'English', 'tlh')
    """
    if code is None:
        return ""
    row = _ROWS.get(_base(code))
    return row[3] if row else code


def match_code(code: str, known: Iterable[str]) -> str | None:
    """Which of a tokenizer's ``known`` codes is meant, or None.

    >>> match_code("de", ["eng_Latn", "deu_Latn"]), match_code("fr", ["en_XX", "fr_XX"]), match_code("de", ["de"])
    ('deu_Latn', 'fr_XX', 'de')
    """
    known = list(known)
    row = _ROWS.get(_base(code), [code, code, "", ""])
    for wanted in (code, _base(code), f"{row[1]}_{row[2]}", row[1]):
        if wanted in known:
            return wanted
    begins = [name for name in known if name.split("_")[0] in (row[0], row[1])]
    return begins[0] if len(begins) == 1 else None


def _base(code: str) -> str:
    return code.replace("_", "-").split("-")[0].lower()
