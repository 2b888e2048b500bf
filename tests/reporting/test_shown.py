"""What people see of results: items that systems get wrong, several systems side by side, the report of a split."""

from __future__ import annotations

from pathlib import Path

import pytest

import kontrast
from kontrast.judging.verdicts import judge
from kontrast.reporting.evaluation import print_evaluations
from kontrast.reporting.splits import save_split_report
from kontrast.reporting.wrong import wrong_items
from kontrast.suites.model import Item, Scores, Suite, Variant


@pytest.fixture
def suite() -> Suite:
    pair = (Variant("ein alter Hund"), Variant("eine alter Hund", error="np_agreement"))
    return Suite("dogs", tuple(Item(str(i), "an old dog", pair, tags={"half": i // 2}) for i in range(4)))


RIGHT = Scores("right", (1.0, 2.0) * 4)
ONE_WRONG = Scores("one", (1.0, 2.0, 1.0, 2.0, 5.0, 2.0, 1.0, 2.0))
TWO_WRONG = Scores("two", (1.0, 2.0, 4.0, 2.0, 9.0, 2.0, 1.0, 2.0))


def test_wrong_items_say_who_preferred_what(suite: Suite) -> None:
    systems = [RIGHT, ONE_WRONG, TWO_WRONG]
    found, total = wrong_items(suite, systems, [judge(suite, each) for each in systems])
    assert (total, [each.id for each in found]) == (2, ["1", "2"])
    assert [each.missed for each in found] == [[2], [1, 2]]
    [(who, pieces)] = found[1].preferred
    assert who == [1, 2] and " ".join(text for _, text in pieces) == "eine alter Hund"
    assert [text.strip() for same, text in pieces if not same] == ["eine"]
    clearest, total = wrong_items(suite, systems, [judge(suite, each) for each in systems], limit=1)
    assert (total, [each.id for each in clearest]) == (2, ["2"])
    assert wrong_items(suite, [RIGHT], [judge(suite, RIGHT)]) == ([], 0)


def test_several_systems_stand_side_by_side(suite: Suite, capsys: pytest.CaptureFixture[str]) -> None:
    result = kontrast.evaluate(suite, RIGHT, TWO_WRONG, by="half")
    print_evaluations(result)
    verdict, *lines = capsys.readouterr().out.splitlines()
    assert verdict.startswith("right (100%) is right most often on 4 items, then two (50%)")
    assert next(line for line in lines if line.split()[:1] == ["right"]).split()[1].startswith("100")
    assert next(line for line in lines if line.split()[:1] == ["two"]).split()[1].startswith("50")
    half = lines[lines.index("by half") :]
    assert [line.split()[1] for line in half if line.split()[:1] in (["0"], ["1"])] == ["2", "2"]


def test_report_of_a_split_shows_its_figures_and_escapes_names(tmp_path: Path) -> None:
    pytest.importorskip("altair")
    text = tmp_path / "text.txt"
    text.write_text("".join(f"a{i % 5} b{i % 7} c{i % 3}\n" for i in range(60)))
    counts = kontrast.count(text, features="ngram")
    [made] = kontrast.split(counts, compound=0.5, effort="fast", length_ratio="open", test_share=".1:.4")
    save_split_report(tmp_path / "split.html", counts=counts, splits=[made])
    page = (tmp_path / "split.html").read_text("utf-8")
    assert f"{counts.sentences} sentences" in page and f"{made.compound_divergence:.4f}"[:5] in page
    assert "trajectory, target 0.5" in page and "lengths, target 0.5" in page and 'src="http' not in page
