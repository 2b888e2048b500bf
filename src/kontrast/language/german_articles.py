"""Is *der, die, das* an article, or a demonstrative or relative pronoun? What follows must agree with an article."""

from __future__ import annotations

from collections.abc import Sequence

from kontrast.language.german_cells import meet, noun_cells, weak_ending_fits
from kontrast.language.german_phrases import phrase
from kontrast.language.lexicons.german import noun_readings
from kontrast.language.lexicons.german_words import DEFINITE

__all__ = ["repair_pronouns"]


def repair_pronouns(words: Sequence[str], tags: list[str]) -> None:
    """An article that cannot agree with what follows is a pronoun: *ist das Anlass*, *bei dem letzte Woche*."""
    for i in range(len(words) - 1):
        low = words[i].lower()
        if tags[i] == "PRELS" and low in DEFINITE and _is_article(words, tags, i):
            tags[i] = "ART"
        if tags[i] != "ART" or low not in DEFINITE:
            continue
        before = tags[i - 1] if i else ""
        if (
            before != "$,"
            and words[i + 1] in ("eine", "einen")
            and tags[i + 2 : i + 3] in (["NN"], ["KON"], ["ADJA"])
        ):
            tags[i + 1] = "ADJA"  # auf der einen Seite
        relative = before == "$," or (before == "APPR" and i > 1 and tags[i - 2] == "$,")
        if tags[i + 1] == "ADJA" and relative and low in ("dem", "des", "den") and words[i + 1].endswith("e"):
            tags[i] = "PRELS"
        if tags[i + 1] not in ("NN", "NE"):
            continue
        readings = noun_readings(words[i + 1])
        met = meet({r.feature + code[:2] for r in readings for code in r.codes}, {g + c for g, c in DEFINITE[low]})
        if readings and not met:
            tags[i] = "PRELS" if relative else "PDS"
        elif relative and (tags[i + 1] == "NE" or {c[1] for c in met} == {"g"}) and _verb_ends(tags, i + 2):
            tags[i] = "PRELS"


def _is_article(words: Sequence[str], tags: Sequence[str], i: int) -> bool:
    """*Hopf, der junge Dirigent, …*; *beschlossen, die von ihr eingereichte Klage …*: no verb makes it a clause."""
    if tags[i + 1] not in ("ADJA", "APPR", "APPRART"):
        return False
    tags = [*tags[:i], "ART", *tags[i + 1 :]]
    found = phrase(words, tags, i)
    if found is None:
        return False
    adjective = next(words[k] for k in range(found.head - 1, i - 1, -1) if tags[k] == "ADJA" or k == i)
    fitting = meet(noun_cells(words[found.head], tags[found.head])[0], {g + c for g, c in DEFINITE[words[i].lower()]})
    if not any(weak_ending_fits(adjective, cell) for cell in fitting):
        return False
    for k in range(found.head + 1, len(tags)):
        if tags[k] in ("VVFIN", "VAFIN", "VMFIN"):
            return False
        if tags[k] in ("$,", "$.", "VVIZU", "PTKZU"):
            return True
    return True


def _verb_ends(tags: Sequence[str], start: int) -> bool:
    """Does the first finite verb from here on stand last in its clause?"""
    for i in range(start, len(tags)):
        if tags[i] in ("VVFIN", "VAFIN", "VMFIN"):
            return i > start and (i + 1 == len(tags) or tags[i + 1][0] == "$")
        if tags[i][0] == "$":
            return False
    return False
