"""Marked error spans against the words that really differ."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kontrast
from kontrast import Item, KontrastError, Suite, Variant
from kontrast.judging.meta.spans import ErrorSpan, error_places, read_spans, score_spans

NP = Item("1", "The woman laughs.", (Variant("Die Frau lacht."), Variant("Der Frau lacht.", error="np")))
LESS = Item("2", "He does not laugh.", (Variant("Er lacht nicht."), Variant("Er lacht.", error="negation")))
SUITE = Suite("s", (NP, LESS), "en", "de")


@pytest.mark.parametrize("name", ["demo:de", "demo:fr"])
def test_known_answers(name: str) -> None:
    """Marks on the errors find all; no marks find nothing; everything marked has all recall and false alarms."""
    suite = kontrast.load(name)
    perfect, nothing, everything = [], [], []
    for row in suite.rows():
        places = error_places(row.item.best.text, row.variant.text, suite.target_language)
        size = len(row.variant.text)
        perfect.append([ErrorSpan(max(0, a - (a == b)), b) for a, b in places])
        nothing.append([])
        everything.append([ErrorSpan(0, size)])
    best, none, all_of_it = (score_spans(suite, each).groups[0] for each in (perfect, nothing, everything))
    assert (best.precision, best.recall, best.f1, best.false_alarms, best.character_recall) == (1, 1, 1, 0, 1)
    assert (none.recall, none.found, none.precision, none.f1) == (0.0, 0, None, None)
    assert all_of_it.recall == all_of_it.character_recall == 1.0 and all_of_it.false_alarms == all_of_it.correct > 0
    assert all_of_it.precision is not None and all_of_it.precision < 0.9


def test_severity_weighs_and_groups_are_apart() -> None:
    marks = [[], [ErrorSpan(0, 3, "major"), ErrorSpan(4, 8, "minor")], [ErrorSpan(0, 2)], []]
    total, np, negation = score_spans(SUITE, marks).groups
    assert (total.errors, total.found, total.false_alarms) == (2, 1, 1)
    assert np.precision == 0.5 and np.weighted_precision == pytest.approx(5 / 6) and np.recall == 1.0
    assert np.character_precision == pytest.approx(3 / 7) and np.character_recall == 1.0
    assert (negation.found, negation.errors, negation.recall) == (0, 1, 0.0)


def test_missing_words_are_found_at_either_neighbour() -> None:
    for span, found in ((ErrorSpan(3, 8), 1), (ErrorSpan(8, 9), 1), (ErrorSpan(0, 2), 0)):
        assert score_spans(SUITE, [[], [], [], [span]]).groups[0].found == found


def test_a_mark_beside_missing_words_does_not_lower_the_precision_by_character() -> None:
    """Words that are not there have no characters: their neighbours' count neither way, those farther away do."""
    marks = [[], [ErrorSpan(0, 3)], [], [ErrorSpan(3, 8)]]
    total, _, negation = score_spans(SUITE, marks).groups
    assert (total.precision, total.character_precision, total.character_recall) == (1.0, 1.0, 1.0)
    assert negation.character_precision is None and negation.precision == 1.0
    marks[3] = [ErrorSpan(0, 8)]
    assert score_spans(SUITE, marks).groups[0].character_precision == 3 / (3 + len("Er "))


def lines(tmp_path: Path, *rows: object) -> Path:
    path = tmp_path / "m.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_a_file_is_read_in_any_order(tmp_path: Path) -> None:
    rows = [{"row": n, "spans": [{"start": 0, "end": 3}] if n == 1 else []} for n in (3, 1, 0, 2)]
    assert [len(each) for each in read_spans(lines(tmp_path, *rows), SUITE)] == [0, 1, 0, 0]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"row": 9, "spans": []}, "from 0 to 3"),
        ({"row": 0, "spans": [{"start": 2, "end": 99}]}, "within the 15 characters"),
        ({"row": 0, "spans": [{"start": 2, "end": 2}]}, "within"),
        ({"row": 0, "spans": [{"start": 0, "end": 2}, {"start": 0, "end": 2}]}, "each span of row 0 once"),
        ({"row": 0, "spans": [{"start": 0, "end": 2, "severity": "huge"}]}, "minor, major, critical"),
        ({"spans": []}, "row"),
        ({"row": 0, "spans": []}, "none for row 1"),
        ([], "expected"),
    ],
)
def test_bad_files(tmp_path: Path, row: object, problem: str) -> None:
    with pytest.raises(KontrastError, match=problem) as raised:
        read_spans(lines(tmp_path, row), SUITE)
    assert "\n" not in str(raised.value)
