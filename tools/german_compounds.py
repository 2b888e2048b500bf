"""Write src/kontrast/data/lexicons/de.segments.txt: what begins the compounds of the German noun table.

    python tools/german_compounds.py

A beginning is what is left of a noun without a shorter one at its end that has its gender: Arbeits|amt, Fahr|plan.
Kept are those that are a word with or without a linking element and begin so many nouns that it is no chance.
"""

from __future__ import annotations

import textwrap
from collections import defaultdict
from pathlib import Path

from kontrast.language.lexicons.german import readings
from kontrast.language.lexicons.german_compounds import is_derived
from kontrast.language.lexicons.store import LexiconTable
from kontrast.language.words import lists_of

FOLDER = Path(__file__).resolve().parents[1] / "src/kontrast/data/lexicons"
LEAST = 4
"""Nouns with different heads that must have a beginning."""
LINKS = ("", "s", "es", "n", "en", "e", "er")


def main() -> None:
    genders: dict[str, set[str]] = {}
    for form, _ in LexiconTable(FOLDER / "de.forms").items():
        for r in readings(form) if form[:1].isupper() and form.isalpha() else ():
            if r.pos == "N" and r.lemma == form and "ns" in r.codes and not r.rare and r.feature != "x":
                genders.setdefault(form.lower(), set()).add(r.feature)
    lists = lists_of("de")
    no_head, no_first = set(lists["no_head"]), set(lists["no_first"])
    heads: dict[str, set[str]] = defaultdict(set)
    for word, gender in genders.items():
        if is_derived(word) or is_infinitive(word):
            continue
        for cut in range(3, len(word) - 3):
            head = word[cut:]
            if genders.get(head, set()) & gender and head not in no_head and not is_infinitive(head):
                heads[word[:cut]].add(head)
    kept = sorted(b for b, h in heads.items() if len(h) >= LEAST and b not in no_first and is_word(b, genders))
    lines = textwrap.wrap(" ".join(kept), 117)
    note = "# Beginnings of compounds, by tools/german_compounds.py from de.forms (see LICENSE.md)."
    (FOLDER / "de.segments.txt").write_text(f"{note}\nfirst: " + "\n ".join(lines) + "\n", encoding="utf-8")
    print(len(kept), "beginnings")


def is_infinitive(word: str) -> bool:
    return any(r.pos == "V" and "i" in r.codes for r in readings(word))


def is_word(text: str, genders: dict[str, set[str]]) -> bool:
    """A noun with or without a link, an adjective, or a verb's stem."""
    if any(text.endswith(link) and text[: len(text) - len(link)] in genders for link in LINKS):
        return True
    adjective = any(r.pos == "A" and "p" in r.codes for r in readings(text) + readings(text.removesuffix("en")))
    return adjective or (len(text) > 3 and (is_infinitive(text + "en") or is_infinitive(text + "n")))


if __name__ == "__main__":
    main()
