"""What people see of results: items that systems get wrong, several systems side by side, the report of a split."""

from __future__ import annotations

from pathlib import Path

import pytest

import kontrast
from kontrast.judging.verdicts import judge
from kontrast.reporting.comparison import print_comparison
from kontrast.reporting.context import print_context
from kontrast.reporting.evaluation import print_evaluation, print_evaluations
from kontrast.reporting.sections.wrong import wrong_items
from kontrast.reporting.splits import save_split_report
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


def test_each_row_says_whether_it_is_decided(capsys: pytest.CaptureFixture[str]) -> None:
    pairs = (Variant("ein Hund"), Variant("eine Hund")), (Variant("eine Katze"), Variant("ein Katze"))
    kinds = ["sure"] * 30 + ["few"] * 3 + ["mixed"] * 20
    suite = Suite("s", tuple(Item(str(i), str(i), pairs[i % 2], tags={"phenomenon": k}) for i, k in enumerate(kinds)))
    good = Scores("good", tuple(v for i in range(53) for v in ((3.0, 2.0) if i > 33 and i % 2 else (1.0, 2.0))))
    bad = Scores("bad", (3.0, 2.0) * 53)
    print_evaluation(kontrast.evaluate(suite, good))
    rows = {line.split()[0]: line.split()[-1] for line in capsys.readouterr().out.splitlines() if line.strip()}
    assert (rows["sure"], rows["few"], rows["mixed"]) == ("above", "unclear", "unclear")
    print_comparison(kontrast.compare(suite, good, bad))
    shown = capsys.readouterr().out
    assert "not decided because" in shown and "odds" not in shown
    few = next(line for line in shown.splitlines() if line.startswith("few"))
    assert few.endswith("?  3 decisions are too few")


def test_context_is_told_in_sentences_and_its_words_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    pair = (Variant("er"), Variant("sie"))
    suite = Suite("s", tuple(Item(str(i), f"it {i}", pair) for i in range(40)))
    without = Scores("plain", tuple(1.0 + i % 3 for i in range(80)))
    given = Scores("m", tuple(v - (i % 2 == 0) * (1 + i % 5 / 9) for i, v in enumerate(without.values)))
    use = kontrast.context(suite, without=without, given=given, control=without, sentences=True)
    print_context(use)
    shown = capsys.readouterr().out
    assert shown.startswith("m uses the context. Accuracy is 68% without context, 68% with it, and 68% with a wrong")
    assert "\nmargin " in shown and "\nbits " in shown
    assert str(use).splitlines()[2].split() == ["items", "without", "with", "gain", "(bits)"]


def test_a_result_prints_as_a_small_table(suite: Suite) -> None:
    made = kontrast.report(suite, RIGHT, TWO_WRONG)
    for result in (made, made.comparison, kontrast.check(suite, ["ein alter Hund"] * 4), suite):
        printed, html = str(result), result._repr_html_()
        assert len(printed.splitlines()) < 20 and html.count("<th>") <= 10
        assert max(map(len, printed.splitlines()[1:])) < 160


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
