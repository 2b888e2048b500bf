"""Every view in light and dark, wide and on a phone: an accessibility checker, width, and writing systems."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kontrast
from kontrast.review.session import Review

Serve = Callable[..., Any]
Enter = Callable[..., Any]
VIEWS = ("", "items", "agreement", "adjudicate", "author", "export")


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """Arabic, Russian and German, with scores, two readers, and a guide."""
    texts = [
        ("هل رأيت القطة؟ إنها نائمة.", "هل رأيت القطة؟ إنه نائم."),
        ("Она спит на ковре.", "Он спит на ковре."),
        ("Sie schläft auf dem Teppich.", "Er schläft auf dem Teppich."),
    ]
    items = [
        kontrast.Item(
            f"{n}",
            f"It sleeps {n}.",
            (kontrast.Variant(right), kontrast.Variant(wrong, error=("gender", "case")[n % 2])),
            source_context=("There is a cat.",),
            target_context=(right,),
        )
        for n, (right, wrong) in enumerate(texts * 5)
    ]
    path = tmp_path / "world.jsonl"
    kontrast.save(kontrast.Suite("world", tuple(items), "en", None), path)
    for name, sign in (("good", 1.0), ("bad", -1.0)):
        scores = [sign * (row.variant_index + row.item_index % 4 / 3) for row in kontrast.load(path).rows()]
        kontrast.write_scores(kontrast.Scores(name, tuple(scores)), tmp_path / f"{name}.scores")
    (tmp_path / "hyp.txt").write_text(
        "\n".join(item.variants[n % 2].text for n, item in enumerate(items)) + "\n", "utf-8"
    )
    (tmp_path / "guide.md").write_text("# Guide\n\nBe *strict*.\n", "utf-8")
    session = Review(path)
    for n in range(6):
        session.decide(n, session.store.annotator("Ben"), "accept")
        session.decide(n, session.store.annotator("Cem"), "reject" if n % 2 else "accept", reason="also right")
    session.close()
    return path


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (375, "light"), (375, "dark")])
def test_every_view(serve: Serve, enter: Enter, world: Path, width: int, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    given = ["--scores", world.parent / "good.scores", "--scores", world.parent / "bad.scores"]
    server = serve(
        world, *given, "--translations", world.parent / "hyp.txt", "--guidelines", world.parent / "guide.md"
    )
    page = enter(server, "Anna", viewport={"width": width, "height": 800}, color_scheme=scheme)
    for view in VIEWS:
        page.goto(server.address + view)
        page.locator("main > section, main > div").first.wait_for()
        if view == "items":
            page.locator(".histogram").wait_for(state="attached")
        if view == "":
            page.locator(".card .scores").wait_for()
            page.keyboard.press("r")
        found = axe.run(page).response["violations"]
        serious = [v["id"] + ": " + v["nodes"][0]["html"] for v in found if v["impact"] in ("serious", "critical")]
        assert serious == [], view
        assert page.evaluate("document.documentElement.scrollWidth") <= width, view


def test_right_to_left_runs_right_to_left(serve: Serve, enter: Enter, world: Path) -> None:
    server = serve(world)
    page = enter(server, "Anna", "/item/0")
    page.locator(".candidate .text").wait_for()
    assert page.evaluate("getComputedStyle(document.querySelector('.candidate .text')).direction") == "rtl"
    assert page.evaluate("getComputedStyle(document.querySelector('.source .text')).direction") == "ltr"
    assert page.locator(".candidate del").all_inner_texts() == ["إنه", "نائم"]


def test_explore_counts_as_evaluate_does(serve: Serve, enter: Enter, world: Path) -> None:
    server = serve(world, "--scores", world.parent / "good.scores", "--scores", world.parent / "bad.scores")
    page = enter(server, "Anna", "/items")
    page.locator(".barlink").first.wait_for()
    for column, name in enumerate(("good", "bad")):
        found = kontrast.evaluate(world, world.parent / f"{name}.scores")
        shown = page.locator(".bars tbody tr").first.locator(".value").nth(column).inner_text()
        assert shown == f"{100 * found.accuracy:.1f}"
    group = page.locator(".bars tbody th").nth(1).inner_text()
    page.locator(".bars tbody tr").nth(1).locator(".barlink").nth(1).click()
    page.locator(".count", has_text="8 entries" if group == "gender" else "7 entries").wait_for()
    page.locator("[name=a]").select_option("0")
    page.wait_for_url(lambda url: "a=0" in url)
    page.locator("[name=show]").select_option("flip")
    page.locator(".rowlink[href*='show=flip']").first.click()
    page.locator(".scores").wait_for()
    assert "✓" in page.locator(".scores").inner_text() and "show=flip" in page.url
