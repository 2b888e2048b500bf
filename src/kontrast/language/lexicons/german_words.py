"""German closed classes, written by hand in ``data/lexicons``: cells of determiners and pronouns, tags of others."""

from __future__ import annotations

from kontrast.language.lexicons.store import FOLDER

Cells = tuple[tuple[str, str], ...]
"""Gender (x: any), and case with number."""


def word_lists(name: str) -> dict[str, list[str]]:
    """The lists of a file by name; a line that begins with a blank continues the one before."""
    found: dict[str, list[str]] = {}
    key = ""
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        words = line
        if not line.startswith(" "):
            key, _, words = line.partition(": ")
        found.setdefault(key, []).extend(words.split())
    return found


_CLASSES = word_lists("de.closed.txt")


def _table(name: str) -> dict[str, tuple[str, ...]]:
    """The lists that are called NAME.WORD, by word."""
    return {key[len(name) + 1 :]: tuple(words) for key, words in _CLASSES.items() if key.startswith(f"{name}.")}


def _cells(name: str) -> dict[str, Cells]:
    return {word: tuple((cell[0], cell[1:]) for cell in cells) for word, cells in _table(name).items()}


MODALS = frozenset(_CLASSES["modals"])
DEFINITE = _cells("definite")
"""Definite articles."""
DER_STEMS, EIN_STEMS = tuple(_CLASSES["der_stems"]), tuple(_CLASSES["ein_stems"])
"""Determiners with the endings of *der*, and those with the endings of *ein*."""
_DER_ENDINGS, _EIN_ENDINGS = _cells("der"), _cells("ein")
DETERMINERS: dict[str, Cells] = {
    **DEFINITE,
    **{stem + ending: cells for stem in DER_STEMS for ending, cells in _DER_ENDINGS.items()},
    **{stem + ending: cells for stem in EIN_STEMS for ending, cells in _EIN_ENDINGS.items()},
    **{stem + ending: cells for stem in ("eur", "unsr") for ending, cells in _EIN_ENDINGS.items() if ending},
}
"""All determiners: the cells of gender, case and number that each form can fill."""
PRONOUNS = _table("pronoun")
"""Personal pronouns: person, case, number, gender."""
CONTRACTIONS = _table("contraction")
JOINING = frozenset(_CLASSES["joining"])
"""Conjunctions after which a clause has its own order."""
SUBORDINATORS = frozenset(_CLASSES["subordinating"])
"""Words that open a clause with its verb at the end."""

_LISTS = word_lists("de.words.txt")
PREPOSITION_CASES: dict[str, str] = {
    **dict.fromkeys(_LISTS["dative"], "d"),
    **dict.fromkeys(_LISTS["accusative"], "a"),
    **dict.fromkeys(_LISTS["genitive"], "gd"),
    **dict.fromkeys(_LISTS["either"], "ad"),
    **{word: cases for word, (cases,) in _table("cases").items()},
}
PARTICLES = frozenset(_LISTS["PTKVZ"])

CLOSED: dict[str, frozenset[str]] = {}
"""The tags of each function word, lower-cased."""
for _tag, _words in _LISTS.items():
    if _tag.isupper():
        for _word in _words:
            CLOSED[_word] = CLOSED.get(_word, frozenset()) | {_tag}
