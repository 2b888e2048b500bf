"""German commands: a verb that begins its clause, and the pronoun behind it is no subject."""

from __future__ import annotations

from collections.abc import Sequence

from kontrast.building.perturb.de.grammar import IMPERATIVES
from kontrast.language.german.plain import PlainWord, lemmas, opens, persons
from kontrast.language.lexicons.german import readings
from kontrast.language.lexicons.german_words import AUXILIARIES, MODALS

__all__ = ["is_command", "is_said_to"]


def is_said_to(words: Sequence[PlainWord], start: int, i: int) -> bool:
    """*Meidet sie.*, *wenn einer von euch sie hat, bringt sie zurück*: a third person, or a command to several."""
    spoken_to = any(w.low in ("ihr", "euch", "eure", "eurer") for w in words[:start])
    alone = opens(words, start) and words[-1].low in (".", "!")
    return i == start + 1 and (spoken_to or alone) and {"2p", "3s"} <= persons(words[start].low)


def is_command(low: str) -> bool:
    """*benutze*, *nimm*: a verb that begins its clause and has no third person but the subjunctive's."""
    if lemmas(low) & (MODALS | AUXILIARIES):
        return False  # könne sie, sei es
    if low in IMPERATIVES:
        return True
    return low.endswith("e") and "1s" in persons(low) and any("i" in r.codes for r in readings(f"{low}n"))
