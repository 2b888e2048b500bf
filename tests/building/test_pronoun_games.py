"""German pronoun suites: what readers of games and subtitles refused, in texts that no rule had met."""

from __future__ import annotations

import pytest

from kontrast.language.german.plain import clause, split


@pytest.mark.parametrize(
    ("text", "word", "inside"),
    [
        ("Seit dem Krieg ist sie alt.", "sie", "Krieg"),
    ],
)
def test_words_of_one_clause(text: str, word: str, inside: str) -> None:
    words = split(text)
    start, end = clause(words, next(i for i, w in enumerate(words) if w.text == word))
    assert inside in {w.text for w in words[start : end + 1]}


@pytest.mark.parametrize(
    ("text", "word"),
    [("Er wartete, bis sie kam.", "wartete"), ("Er schlief, während sie las.", "schlief")],
)
def test_a_clause_of_its_own(text: str, word: str) -> None:
    words = split(text)
    start, end = clause(words, next(i for i, w in enumerate(words) if w.text == word))
    assert "sie" not in {w.text for w in words[start : end + 1]}
