"""What people ask of a report, and where the page answers: in the first screen, at two widths, light and dark."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kontrast
from kontrast import GateConfig, Item, Scores, Suite

pytest.importorskip("altair")

SCREEN = 900
QUESTIONS = {
    "which system is better?": r"candidate \([\d.]+%\) is [\d.]+ points worse than base",
    "is it sure?": r"That is significant \(p",
    "by how much?": r"is [\d.]+ points worse",
    "where is it worse?": r"significantly worse in \w+",
    "how many phenomena cannot be decided?": r"too few items to decide in \d+",
    "how many items changed?": r"does worse on \d+ items and better on \d+",
    "how good is each?": r"base \([\d.]+%\)",
    "how many items, which languages?": r"en→fr · 600 items · 2 systems",
    "may it be released?": r"candidate fails the gate",
    "why not?": r"accuracy [\d.]+% of 600, expected at least 75%",
    "where do I see the items?": r"Which items\?",
}
"""Each question with the text that answers it."""


def suite(phenomena: int, items: int = 600) -> Suite:
    base = kontrast.load("demo:fr").items
    draw = random.Random(3)
    made = []
    for i in range(items):
        kind = f"phenomenon_{min(phenomena - 1, int(draw.expovariate(1) * phenomena / 3)):02d}"
        item = base[i % len(base)]
        tags = {"phenomenon": kind, "distance": i % 4}
        made.append(Item(f"i{i}", item.source, item.variants, item.correct, document=f"d{i % 40}", tags=tags))
    return Suite(f"made-{phenomena}", tuple(made), "en", "fr")


def system(of: Suite, name: str, skill: float, worse: str = "") -> Scores:
    draw = random.Random(name)
    values: list[float] = []
    for item in of.items:
        right = draw.random() < (0.0 if worse and item.phenomenon == worse else skill)
        values += [(1.0 if right else 3.0) if j == item.correct else 2.0 for j in range(len(item.variants))]
    return Scores(name, tuple(values))


def page_of(phenomena: int, systems: int, path: Path) -> Suite:
    made = suite(phenomena)
    every = [system(made, "base", 0.85), system(made, "candidate", 0.75, "phenomenon_00")]
    every += [system(made, "opus-mt-tc-big-en-fr", 0.84), system(made, "nllb-200-distilled-600M", 0.8)]
    report = kontrast.report(made, *every[:systems], gate=GateConfig(accuracy=0.75), resamples=200)
    kontrast.save_report(report, path)
    return made


@pytest.fixture
def opened(browser: Any) -> Iterator[Any]:
    contexts = []

    def open_page(path: Path, width: int, scheme: str = "light", hash: str = "") -> Any:
        contexts.append(browser.new_context(viewport={"width": width, "height": SCREEN}, color_scheme=scheme))
        page = contexts[-1].new_page()
        page.goto(path.as_uri() + hash)
        return page

    yield open_page
    for context in contexts:
        context.close()


SEEN = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const parts = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width && box.bottom <= SCREEN && box.right <= innerWidth + 1) parts.push(node.textContent);
  }
  return parts.join(" ").replace(/\\s+/g, " ");
}"""


@pytest.mark.parametrize("width", [1200, 390])
def test_every_question_is_answered_in_the_first_screen(opened: Any, tmp_path: Path, width: int) -> None:
    page_of(60, 2, tmp_path / "report.html")
    seen = opened(tmp_path / "report.html", width).evaluate(SEEN.replace("SCREEN", str(SCREEN)))
    assert not [question for question, answer in QUESTIONS.items() if not re.search(answer, seen)], seen


@pytest.mark.parametrize(("phenomena", "systems"), [(3, 1), (60, 2), (60, 4)])
@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (390, "dark"), (390, "light"), (1200, "dark")])
def test_nothing_is_cut_off_and_axe_finds_nothing_serious(
    opened: Any, tmp_path: Path, phenomena: int, systems: int, width: int, scheme: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page_of(phenomena, systems, tmp_path / "report.html")
    page = opened(tmp_path / "report.html", width, scheme)
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    wide = page.evaluate(
        "[...document.querySelectorAll('.scroll')].map((each) => each.scrollWidth - each.clientWidth)"
    )
    assert width > 600 or max(wide) <= 1, "a table is cut off on a phone"
    heights = [box.bounding_box()["height"] for box in page.locator("figure svg").all()]
    assert heights and max(heights) <= SCREEN
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((each) => each.id)")
    assert len(ids) == len(set(ids))
    found = axe.run(page).response["violations"]
    assert not [
        (each["id"], each["nodes"][0]["html"][:200]) for each in found if each["impact"] in ("serious", "critical")
    ]


def test_an_item_has_a_link_of_its_own(opened: Any, tmp_path: Path) -> None:
    page_of(3, 2, tmp_path / "report.html")
    page = opened(tmp_path / "report.html", 1200)
    last = page.evaluate("JSON.parse(document.getElementById('items-data').textContent).items.at(-1).id")
    there = opened(tmp_path / "report.html", 1200, hash=f"#item-{last}")
    card = there.locator(f"[id='item-{last}']")
    assert card.count() == 1 and 0 <= card.bounding_box()["y"] < SCREEN
    assert card.locator("a").first.get_attribute("href") == f"#item-{last}"
    assert there.locator("nav a").all_inner_texts()[0] == "How good?"
    explained = there.locator("abbr", has_text="jackknife").first.get_attribute("title")
    assert explained.startswith("an interval or test that leaves out one document")
