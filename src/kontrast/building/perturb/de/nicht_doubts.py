"""Places where *nicht* is possible, but odd, or denies only a part: no candidate that is chosen."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kontrast.language.german.clauses import Clause
from kontrast.language.lexicons.german import readings

__all__ = ["is_odd"]

_CAUSES = frozenset(
    "mangels wegen aufgrund dank trotz infolge angesichts anhand mithilfe statt anstatt anstelle".split()
)
_THEN = frozenset("anschließend danach daraufhin nachträglich später".split())
_NOUNS = ("NN", "NE", "FM", "XY")
_ATTRIBUTES = ("nde", "nden", "nder", "ndes", "ndem")


def is_odd(clause: Clause, slot: int, words: Sequence[str], tags: Sequence[str]) -> bool:
    """Would the opposite be said in another way, with nicht before the token ``slot`` of the clause?"""
    before = [words[i].lower() for i in sorted(clause.tokens) if i < slot]
    if "stattdessen" in before or "stattdessen" in (words[slot].lower(), words[slot - 1].lower()):
        return True  # stattdessen wird das Thema nicht verwendet
    if words[slot].lower() in _CAUSES or "nachdem" in before:
        return True  # nicht mangels Schlafs benebelt: for another reason; nachdem er nicht kam
    if tags[slot].startswith("$") and "sich" in before and "dem" in before:
        return True  # nähert sich dem Ende nicht
    if any(word.startswith(("einige", "manche")) for word in before + [w.lower() for w in words[slot : slot + 2]]):
        return True  # einige werden nicht verletzt: others may be
    if words[slot].lower() in _THEN:
        return True
    if _is_no_statement(clause, slot, words) or (words[slot] == "zu" and words[slot + 1].endswith(_ATTRIBUTES)):
        return True
    if tags[slot] == "ADJD" and words[slot].endswith("er") and words[clause.verb].startswith(("könn", "kann")):
        return True  # es könnte nicht leichter sein
    return _denies_a_part(slot, words, tags) or _is_aim(slot, words, tags)


def _is_no_statement(clause: Clause, slot: int, words: Sequence[str]) -> bool:
    """*die Bausteine bereitstellen, …*, *Zeilen anzeigen*, *…, kostenlos verteilt vom Bund*: right behind what is
    rather an infinitive, a participle or the last word of a clause."""
    if slot - 1 != clause.verb:
        return False
    found = [r for r in readings(words[clause.verb].lower()) if r.pos == "V"]
    if (words[slot] == "," and words[clause.verb].endswith("n")) or (found and all(r.feature for r in found)):
        return True
    return "," in words[max(0, slot - 3) : slot - 1] and any("2" in r.codes for r in found)


def _denies_a_part(slot: int, words: Sequence[str], tags: Sequence[str]) -> bool:
    """*fügt nicht zu Objekten Methoden hinzu*, *schlägt nicht wamerican vor*, *nicht kochen oder essen wollen*."""
    if tags[slot] in ("NE", "FM", "XY"):
        return True
    behind = range(slot + 1, next((i for i in range(slot, len(tags)) if tags[i] == "$,"), len(tags)))
    joined = any(words[i] == "oder" and tags[i + 1] not in ("CARD", "ADJA", "ART") for i in behind[:-1])
    return joined or any(tags[i] == "NN" and _is_bare(i, slot, tags) for i in behind)


def _is_bare(noun: int, slot: int, tags: Sequence[str]) -> bool:
    """Is it a noun without a determiner, right behind another phrase: *mit CBC lange Texte*?"""
    first = noun
    while first > slot + 1 and tags[first - 1] in ("ADJA", "ADJD", "CARD"):
        first -= 1
    return first > slot + 1 and tags[first - 1] in _NOUNS


def _is_aim(slot: int, words: Sequence[str], tags: Sequence[str]) -> bool:
    """*erlaubt es, sich nicht zu verbinden*: an infinitive that is no purpose (um)."""
    first = next((i + 1 for i in range(slot - 1, -1, -1) if tags[i].startswith("$")), 0)
    last = next((i for i in range(slot, len(tags)) if tags[i].startswith("$")), len(tags))
    inside = tags[first:last]
    joined = any(re.fullmatch(r"\w{2,}zu\w{2,}e?n", word) for word in words[slot:last])  # herumzutragen
    to = joined or any(tag in ("PTKZU", "VVIZU") for tag in inside)
    to = to and not any(tag.endswith("FIN") for tag in inside)
    return to and words[first].lower() != "um"
