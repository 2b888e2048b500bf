"""The report opened in a real browser, and its tables and figures."""

from __future__ import annotations

import csv
import json
import random
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

import kontrast
from kontrast.cli import main
from kontrast.errors import KontrastError
from kontrast.judging import evaluate as judging_evaluate
from kontrast.judging import verdicts
from kontrast.judging.check import judge_translations
from kontrast.reporting import judged as reporting_judged
from kontrast.reporting import sections as all_sections_module
from kontrast.reporting.render.terminal import print_sections
from kontrast.reporting.report import report, save_figures, save_report
from kontrast.reporting.sections.wrong import differing_words

pytest.importorskip("altair")


def noisy_scores(suite: kontrast.Suite, system: str, skill: float) -> kontrast.Scores:
    draw = random.Random(system)
    values = tuple(draw.gauss(20, 1) + (row.variant_index != row.item.correct) * skill for row in suite.rows())
    return kontrast.Scores(system, values)


@pytest.fixture(scope="module")
def made() -> Any:
    suite = kontrast.load("demo:de")
    return report(suite, [noisy_scores(suite, "weak", 0.6), noisy_scores(suite, "strong", 2.0)], resamples=500)


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (380, "dark")])
def test_page_in_a_browser(made: Any, browser: Any, tmp_path: Path, width: int, scheme: str) -> None:
    save_report(made, tmp_path / "report.html")
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "report.html").as_uri())

    for section in (s for s in made.sections if s.figure is not None):
        box = page.locator(f"#figure-{section.name} svg").bounding_box()
        assert box is not None and box["width"] > 200 and box["height"] > 80
    assert page.evaluate("document.documentElement.scrollWidth") <= width

    everything = int(page.locator("#count").inner_text().split()[0])
    wrong = made.section("wrong").items
    assert everything == len(wrong) > 0
    page.locator("#who").select_option("1")
    strong = int(page.locator("#count").inner_text().split()[0])
    assert 0 < strong < everything
    page.locator("#who").select_option("")
    page.locator("#find").fill("no text has these words")
    assert page.locator("#count").inner_text().startswith("0 of")
    page.locator("#find").fill(wrong[0].source[:20])
    assert page.locator(".item").count() >= 1
    assert page.locator(".item ins").count() + page.locator(".item del").count() >= 1

    assert said == []
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    context.close()


def test_theme_button(made: Any, browser: Any, tmp_path: Path) -> None:
    save_report(made, tmp_path / "report.html")
    page = browser.new_page(color_scheme="light")
    page.goto((tmp_path / "report.html").as_uri())
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.locator("#theme").click()
    assert page.evaluate(ground) != light
    page.close()


def test_items_sorted_by_margin(browser: Any, tmp_path: Path) -> None:
    pair = (kontrast.Variant("gut so"), kontrast.Variant("schlecht so"))
    suite = kontrast.Suite("plain", tuple(kontrast.Item(f"i{n}", "fine", pair) for n in range(3)))
    save_report(report(suite, [kontrast.Scores("a", (2.0, 1.0, 9.0, 1.0, 3.0, 1.0))]), tmp_path / "report.html")
    page = browser.new_page()
    page.goto((tmp_path / "report.html").as_uri())
    first = page.locator(".item .meta a:first-child")
    assert [text for text in first.all_inner_texts() if text.startswith("i")] == ["i0", "i1", "i2"]
    page.locator("#sort").select_option(label="worst first")
    assert [text for text in first.all_inner_texts() if text.startswith("i")] == ["i1", "i2", "i0"]
    assert page.locator("#but").count() == 0
    page.close()


def test_translations_have_no_margin(browser: Any, tmp_path: Path) -> None:
    variants = kontrast.Variant("Er schläft ."), kontrast.Variant("Sie schläft .", error="pronoun")
    suite = kontrast.Suite("s", tuple(kontrast.Item(str(i), "It sleeps .", variants) for i in range(4)))
    lines = ["Er schläft."] + ["Sie schläft."] * 3
    kontrast.check(suite, lines, system="m (written)", items=tmp_path / "m.verdicts")
    made = kontrast.report(suite, kontrast.Scores("m", (2.0, 1.0, 1.0, 2.0) * 2), tmp_path / "m.verdicts")
    assert [row[0] for row in made.section("margins").table.rows] == ["m"]
    save_report(made, tmp_path / "report.html")
    page = browser.new_page()
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto((tmp_path / "report.html").as_uri())
    assert page.locator(".hit", has_text="m (written) wrote it").count() == 1
    assert page.locator(".miss", has_text="m (written) did not write it").count() == 3
    page.locator("#sort").select_option(label="worst for m (written) first")
    assert said == []
    titles = page.locator("h3").all_inner_texts()
    assert "What went wrong" in titles and not [title for title in titles if title.startswith("Where they disagree")]
    page.close()


def test_items_without_tags_and_systems_of_one_name(browser: Any, tmp_path: Path) -> None:
    pair = (kontrast.Variant("gut so"), kontrast.Variant("schlecht so"))
    suite = kontrast.Suite("plain", tuple(kontrast.Item(str(i), "fine", pair) for i in range(4)))
    first = kontrast.Scores("same", (2.0, 1.0) * 4)
    second = kontrast.Scores("same", (1.0, 2.0) * 3 + (2.0, 1.0))
    save_report(report(suite, [first, second]), tmp_path / "report.html")
    page = browser.new_page()
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto((tmp_path / "report.html").as_uri())
    assert page.locator(".item").count() == 4
    assert page.locator(".item .k").all_inner_texts().count("same#1, same#2") == 1
    options = page.locator("#who option").all_inner_texts()
    assert "wrong in same#1" in options and "wrong in same#2" in options
    page.locator("#who").select_option(label="wrong in same#2")
    assert page.locator(".item").count() == 1
    page.locator("#who").select_option(label="wrong in same#1")
    page.locator("#but").select_option(label="and right in same#2")
    assert page.locator(".item").count() == 3
    assert said == []
    page.close()


def test_figures(made: Any, tmp_path: Path) -> None:
    paths = save_figures(made, tmp_path / "figures")
    assert {path.suffix for path in paths} == {".svg", ".png", ".pdf", ".tex"}
    assert all(path.stat().st_size > 2000 for path in paths if path.suffix != ".tex")
    captions = paths[-1].read_text("utf-8")
    assert captions.count(r"\includegraphics[width=\columnwidth]") == captions.count("weak and strong on demo-de.")
    svg = next(p for p in paths if p.suffix == ".svg").read_text("utf-8")
    assert float(svg.partition('width="')[2].partition('"')[0]) <= 240
    assert next(p for p in paths if p.suffix == ".pdf").read_bytes().startswith(b"%PDF")


def test_csv_is_for_machines(made: Any, tmp_path: Path) -> None:
    written = save_report(made, tmp_path / "table.csv")
    assert {path.name for path in written} >= {"table.csv", "table.compared.csv", "table.phenomenon.csv"}
    for path in written:
        with open(path, encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream))
        assert rows and all(None not in row for row in rows), path
    with open(tmp_path / "table.csv", encoding="utf-8", newline="") as stream:
        first = next(csv.DictReader(stream))
    weak = made.evaluations.systems[0]
    assert float(first["accuracy"]) == weak.accuracy and int(first["items"]) == weak.items
    assert (float(first["accuracy_low"]), float(first["accuracy_high"])) == (weak.interval.low, weak.interval.high)


def test_every_form_has_the_same_numbers(made: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    total = made.comparison.total[0]
    save_report(made, tmp_path / "r.md")
    save_report(made, tmp_path / "r.tex")
    save_report(made, tmp_path / "r.json")
    save_report(made, tmp_path / "r.html")
    print_sections(made.sections)
    terminal = capsys.readouterr().out
    shown = f"{100 * total.difference:+.1f}".replace("-", "−")
    markdown, page = ((tmp_path / f"r.{ending}").read_text("utf-8") for ending in ("md", "html"))
    assert f"{shown} \\[" in markdown and shown in page and f"{shown} [" in terminal
    latex = (tmp_path / "r.tex").read_text("utf-8")
    assert shown.replace("−", "$-$") + " [" in latex and "−" not in latex
    assert latex.count(r"\begin{table}") == 1 and r"\label{tab:demo-de-main}" in latex and "booktabs" in latex
    tables = msgspec.structs.replace(made, tables=("compared", "phenomenon"))
    save_report(tables, tmp_path / "more.tex")
    more = (tmp_path / "more.tex").read_text("utf-8")
    assert more.count(r"\begin{table}") == 2 and r"\caption{Compared on the same items, demo-de." in more
    with pytest.raises(KontrastError, match="--tables x: there is no such table; choose from main, accuracy"):
        save_report(msgspec.structs.replace(made, tables=("x",)), tmp_path / "x.tex")
    assert (r"\textsuperscript{*}" in latex) == any(d.significant for d in made.comparison.total)
    told = json.loads((tmp_path / "r.json").read_text("utf-8"))
    assert told["comparison"]["total"][0]["difference"] == total.difference
    [row] = next(s for s in told["sections"] if s["name"] == "compared")["rows"]
    assert row["difference"] == total.difference and row["p"] == total.p
    assert told == made.to_dict()


def test_systems_are_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    suite = kontrast.load("demo:fr")
    systems = [noisy_scores(suite, "weak", 0.6), noisy_scores(suite, "strong", 2.0)]
    judged: list[str] = []

    def counted(decisions: Any, *args: Any, **options: Any) -> Any:
        judged.append(decisions.unit)
        return verdicts.verdicts_of(decisions, *args, **options)

    for module in (judging_evaluate, reporting_judged):
        monkeypatch.setattr(module, "verdicts_of", counted)
    made = report(suite, systems, resamples=200)
    # once each in the suite's unit, and once each in the other for ``as_pairs``
    assert sorted(judged) == ["item", "item", "pair", "pair"]
    alone = kontrast.evaluate(suite, systems[0], by=[b.by for b in made.evaluations.systems[0].by])
    assert made.evaluations.systems[0] == alone


def test_a_new_section_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "longest.py").write_text(
        "from kontrast.reporting.section import Section\n"
        "PLACE = 25\n"
        "def sections(judged):\n"
        "    yield Section('longest', 'Longest source', (max((i.source for i in judged.suite), key=len),))\n"
    )
    monkeypatch.setattr(all_sections_module, "__path__", [*all_sections_module.__path__, str(tmp_path)])
    suite = kontrast.load("demo:fr")
    made = report(suite, [noisy_scores(suite, "weak", 0.6)], resamples=200)
    assert [section.name for section in made.sections][1] == "longest"
    save_report(made, tmp_path / "r.md")
    assert "## Longest source" in (tmp_path / "r.md").read_text("utf-8")


EVIL = "ev\u2028il\x1b[31m\x9b1m\r\n\\end{table} <b>%\u202e"


@pytest.fixture(scope="module")
def hostile() -> Any:
    """Text that breaks lines, tables and terminals, tags 900 deep, and scores at the end of the numbers."""
    deep: Any = 1
    for _ in range(900):
        deep = {"a": deep}
    pair = (kontrast.Variant(f"gut {EVIL}"), kontrast.Variant(f"schlecht {EVIL}", error=f"={EVIL}"))
    tags = {"deep": deep, "distance": 1, "rule": EVIL}
    items = tuple(kontrast.Item(f"{i}{EVIL}", f"={EVIL}", pair, tags=tags) for i in range(2))
    return kontrast.Suite(EVIL, items, "en", "de")


@pytest.mark.parametrize("ending", ["html", "md", "tex", "csv", "json"])
def test_hostile_text_in_every_form(hostile: Any, tmp_path: Path, ending: str) -> None:
    scores = [kontrast.Scores(f"@{EVIL}", (1e308, -1e308) * 2), kontrast.Scores("b", (-1e308, 1e308, 1.0, 2.0))]
    for path in save_report(report(hostile, scores, by=["deep", "rule"], resamples=200), tmp_path / f"r.{ending}"):
        text = path.read_text("utf-8")
        if ending == "csv":
            with open(path, encoding="utf-8", newline="") as stream:
                rows = list(csv.reader(stream))
            assert not [cell for row in rows for cell in row if cell.startswith(("=", "@", "+"))]
            assert len({len(row) for row in rows}) == 1
        elif ending in ("md", "tex"):
            assert not {"\x1b", "\x9b", "\u2028", "\u202e", "\r"} & set(text)
        if ending == "tex":
            assert text.count(r"\end{table}") == text.count(r"\begin{table}")
            assert not re.search(r"(?<!\\)%", text.removeprefix("% needs"))


def test_long_item_is_quick_to_mark() -> None:
    words = [f"w{i % 97}" for i in range(8000)]
    other = list(reversed(words))
    correct, preferred = differing_words(" ".join(words), " ".join(other))
    assert sum(len(text.split()) for _, text in correct) == 8000 == sum(len(t.split()) for _, t in preferred)
    one = [*words[:4000], "changed", *words[4001:]]
    assert [same for same, _ in differing_words(" ".join(words), " ".join(one))[1]] == [True, False, True]


def test_text_cannot_break_out_of_the_page(tmp_path: Path) -> None:
    evil = "</script><script>document.title='broken'</script> <b>bold</b>"
    pair = (kontrast.Variant(f"gut {evil}"), kontrast.Variant(f"schlecht {evil}", error=evil))
    suite = kontrast.Suite(evil, (kontrast.Item(evil, evil, pair),))
    save_report(report(suite, [kontrast.Scores(evil, (2.0, 1.0))]), tmp_path / "evil.html")
    text = (tmp_path / "evil.html").read_text(encoding="utf-8")
    assert "<script>document.title" not in text and "<b>bold" not in text


def test_wrong_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scores = tmp_path / "a.scores"
    suite = kontrast.load("demo:fr")
    scores.write_text("1.0\n" * suite.row_count)
    for out, expected in (("x.pdf", "must end in .html"), ("x.html", "expected")):
        if out == "x.html":
            scores.write_text("1.0\n")
        with pytest.raises(SystemExit) as stop:
            main(["report", "demo:fr", str(scores), "--out", str(tmp_path / out)])
        assert stop.value.code == 2
        error = capsys.readouterr().err
        assert expected in error and error.count("\n") == 1
        assert not (tmp_path / out).exists()
    with pytest.raises(KontrastError):
        report(suite, [])


def test_preferred_and_written_stand_side_by_side() -> None:
    """Known answers: a system that prefers all and writes only the references of half the items."""
    suite = kontrast.load("demo:de")
    prefers = kontrast.Scores("mine", tuple(float(row.variant_index != row.item.correct) for row in suite.rows()))
    texts = [item.best.text if n % 2 else "nichts" for n, item in enumerate(suite.items)]
    wrote = judge_translations(suite, texts, system="mine")
    made = kontrast.report(suite, prefers, wrote, resamples=200)
    table = made.section("preferred-written").table
    assert table is not None
    *rows, whole = table.rows
    decided = [item.verdict for item in wrote.items if item.verdict != "undecidable"]
    right = sum(verdict == "right" for verdict in decided)
    assert whole[:2] == ("all", len(decided)) and whole[4:] == (right, len(decided) - right, 0, 0)
    assert [sum(row[k] for row in rows) for k in (1, 4, 5, 6, 7)] == [whole[k] for k in (1, 4, 5, 6, 7)]  # type: ignore[misc]
    items = made.section("preferred-written-items").table
    assert items is not None and len(items.rows) == len(decided) - right


def test_artefacts_of_a_large_suite_are_those_of_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """The section says so, and its numbers are those of the sampled items judged alone."""
    suite = kontrast.load("demo:de")
    scores = noisy_scores(suite, "weak", 0.6)
    monkeypatch.setattr("kontrast.reporting.sections.artefacts._MOST", len(suite) // 3 + 1)
    section = report(suite, [scores]).section("artefacts")
    assert f"on a sample, one item in 3; kontrast artefacts takes all {len(suite)}" in " ".join(section.text)
    part = kontrast.Suite(suite.name, suite.items[::3], unit=suite.unit, target_language=suite.target_language)
    expected = [artefact.accuracy for artefact in kontrast.artefacts(part).artefacts]
    assert [row[1].value for row in section.table.rows] == expected


PAIRS = kontrast.Suite(
    "pairs",
    tuple(kontrast.Item(str(i), f"s{i}", (kontrast.Variant("gut"), kontrast.Variant("schlecht"))) for i in range(20)),
)


def test_the_gate_of_a_report_is_that_of_gate(tmp_path: Path) -> None:
    """One direction, and the baseline cut with the systems."""
    (tmp_path / "up.scores").write_text("2\n1\n" * 15 + "1\n2\n" * 5)
    (tmp_path / "kontrast.toml").write_text("[gate]\naccuracy = 0.5\nmaximize = true\n")
    alone = kontrast.gate(PAIRS, tmp_path / "up.scores", tmp_path / "kontrast.toml")
    made = kontrast.report(PAIRS, tmp_path / "up.scores", gate=tmp_path / "kontrast.toml")
    assert alone.passed and made.gates[0].checks == alone.checks
    assert made.evaluations.systems[0].accuracy == 0.75


def test_a_baseline_alone_is_held_against_itself(tmp_path: Path) -> None:
    (tmp_path / "a.scores").write_text("1\n2\n" * 20)
    (tmp_path / "b.scores").write_text("1\n2\n" * 20)
    (tmp_path / "kontrast.toml").write_text('[gate]\n[gate.baseline]\nscores = "a.scores"\n')
    alone = kontrast.report(PAIRS, tmp_path / "a.scores", gate=tmp_path / "kontrast.toml")
    assert [gate.passed for gate in alone.gates] == [True]
    beside = kontrast.report(PAIRS, *(tmp_path / f"{n}.scores" for n in "ab"), gate=tmp_path / "kontrast.toml")
    assert [gate.system for gate in beside.gates] == ["b"]  # a copy of the baseline is a system of its own


def test_a_gate_beside_translations(tmp_path: Path) -> None:
    """What words cannot decide is left out of the baseline too; systems keep the names of the report."""
    order = kontrast.Variant("Da ging er."), kontrast.Variant("Er ging da.")
    items = (*PAIRS.items, kontrast.Item("order", "He went.", order))
    suite = kontrast.Suite("s", items, "en", "de")
    (tmp_path / "a.scores").write_text("2\n1\n" * 21)
    (tmp_path / "kontrast.toml").write_text('[gate]\n[gate.baseline]\nscores = "a.scores"\n')
    written = judge_translations(suite, ["gut"] * 20 + ["Da ging er."], system="m")
    scores = kontrast.Scores("m", (1.0, 2.0) * 21)
    made = kontrast.report(suite, written, scores, gate=tmp_path / "kontrast.toml")
    assert [gate.system for gate in made.gates] == list(made.systems)
    assert {check.message for gate in made.gates for check in gate.checks[:1]} == {
        "+100 points against a (p < .0005, jackknife)"
    }
