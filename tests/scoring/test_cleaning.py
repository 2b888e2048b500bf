"""What chat models say around a translation is removed; what belongs to it stays."""

from __future__ import annotations

import pytest

from kontrast.scoring.translating.cleaning import clean

SOURCE = "It sleeps on the mat."
GOOD = "Sie schläft auf der Matte."


@pytest.mark.parametrize(
    ("said", "rules"),
    [
        (f"<think>\nThe cat is feminine.\n</think>\n\n{GOOD}", "thinking"),
        (f"```\n{GOOD}\n```", "fence"),
        (f"Here is the translation:\n```text\n{GOOD}\n```\nLet me know!", "fence"),
        (f"Sure! Here is the German translation: {GOOD}", "lead-in"),
        (f"Certainly!\n\n{GOOD}", "lead-in"),
        (f"Translation: {GOOD}", "lead-in"),
        (f"German: {GOOD}", "lead-in"),
        (f"**German:** {GOOD}", "lead-in"),
        (f"Die Übersetzung lautet: {GOOD}", "lead-in"),
        (f"{GOOD}\n\nNote: “sie” refers to the cat.", "note"),
        (f"{GOOD}\nExplanation: the cat is feminine.", "note"),
        (f"{GOOD} (Note: literal)", "note"),
        (f"{GOOD}\n\n(Literally: she sleeps.)", "note"),
        (f"**{GOOD}**", "bold"),
        (f'"{GOOD}"', "quotes"),
        (f"„{GOOD}“", "quotes"),
        (f'Translation:\n"{GOOD}"\n\nI chose "sie".', "lead-in note quotes"),
    ],
)
def test_what_stands_around_it_is_removed(said: str, rules: str) -> None:
    assert clean(said, SOURCE) == (GOOD, tuple(rules.split()))


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (SOURCE, GOOD),
        ('"It sleeps."', "„Sie schläft.“"),
        ('"Yes", he said, "it sleeps."', '"Ja", sagte er, "sie schläft."'),
        ("Note: it sleeps.", "Anmerkung: Sie schläft."),
        ("The translation is here: read it.", "Die Übersetzung ist hier: Lesen Sie sie."),
        ("He said: go!", "Er sagte: Geh!"),
        ("It sleeps (note the mat).", "Sie schläft (beachte die Matte)."),
        ("Sure, it sleeps.", "Klar, sie schläft."),
        ("Three things: a, b, c.", "Drei Dinge: a, b, c."),
    ],
)
def test_what_belongs_to_the_translation_stays(source: str, said: str) -> None:
    assert clean(said, source) == (said, ())
