"""The report opened in a real browser, and its tables and figures."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kontrast
from kontrast.cli import main
from kontrast.errors import KontrastError
from kontrast.reporting.report import report, save_figures, save_report

pytest.importorskip("altair")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


def noisy_scores(suite: kontrast.Suite, system: str, skill: float) -> kontrast.Scores:
    draw = random.Random(system)
    values = tuple(draw.gauss(20, 1) + (row.variant_index != row.item.correct) * skill for row in suite.rows())
    return kontrast.Scores(system, values)


@pytest.fixture(scope="module")
def made() -> Any:
    suite = kontrast.load("demo:de")
    return report(suite, [noisy_scores(suite, "weak", 0.6), noisy_scores(suite, "strong", 2.0)], resamples=500)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("there is no chromium on this machine")
    with sync_api.sync_playwright() as p:
        chromium = p.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield chromium
        chromium.close()


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

    for figure in made.figures:
        box = page.locator(f"figure#{figure.name} svg").bounding_box()
        assert box is not None and box["width"] > 200 and box["height"] > 80
    assert page.evaluate("document.documentElement.scrollWidth") <= width

    everything = int(page.locator("#count").inner_text().split()[0])
    assert everything == len(made.wrong) > 0
    page.locator("#who").select_option("1")
    strong = int(page.locator("#count").inner_text().split()[0])
    assert 0 < strong < everything
    page.locator("#who").select_option("")
    page.locator("#find").fill("no text has these words")
    assert page.locator("#count").inner_text().startswith("0 of")
    page.locator("#find").fill(made.wrong[0].source[:20])
    assert page.locator(".item").count() >= 1
    assert page.locator(".item ins").count() + page.locator(".item del").count() >= 1

    assert said == []
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    context.close()


def test_figures_and_tables(made: Any, tmp_path: Path) -> None:
    paths = save_figures(made, tmp_path / "figures")
    assert {path.suffix for path in paths} == {".svg", ".png"}
    assert all(path.stat().st_size > 2000 for path in paths)
    for ending, mark in (("md", "|:---|"), ("tex", r"\toprule"), ("csv", "system,n,accuracy")):
        save_report(made, tmp_path / f"table.{ending}")
        text = (tmp_path / f"table.{ending}").read_text(encoding="utf-8")
        assert mark in text and "weak" in text and "np" in text


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
    for out, expected in (("x.pdf", "ends in .html"), ("x.html", "expected")):
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
