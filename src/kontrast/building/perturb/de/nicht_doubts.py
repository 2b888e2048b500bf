"""Places where *nicht* is possible, but odd, or denies only a part: no candidate that is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from kontrast.language.german.clauses import Clause

__all__ = ["is_odd"]

_CAUSES = frozenset("mangels wegen aufgrund dank trotz infolge angesichts anhand mithilfe".split())
_NOUNS = ("NN", "NE")


def is_odd(clause: Clause, slot: int, words: Sequence[str], tags: Sequence[str]) -> bool:
    """Would the opposite be said in another way, with nicht before the token ``slot`` of the clause?"""
    inside = sorted(clause.tokens)
    before = [words[i].lower() for i in inside if i < slot]
    if "stattdessen" in before or "stattdessen" in (words[slot].lower(), words[slot - 1].lower()):
        return True  # stattdessen wird das Thema nicht verwendet
    if words[slot].lower() in _CAUSES:
        return True  # nicht mangels Schlafs benebelt: for another reason
    if tags[slot].startswith("$") and "sich" in before and "dem" in before:
        return True  # nähert sich dem Ende nicht
    # fügt nicht zu Objekten Methoden hinzu: keine Methoden
    for i in range(slot + 2, len(tags)):
        if tags[i] == "$,":
            break
        if tags[i] == "NN" and tags[i - 1] in _NOUNS:
            return True
    return False
