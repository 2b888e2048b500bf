"""The app as a person uses it: a real server, a real browser, the keyboard."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import kontrast

Serve = Callable[..., Any]
Enter = Callable[..., Any]


def decided(page: Any) -> int:
    return int(page.locator(".count").inner_text().split()[0])


def shows(page: Any, n: int) -> None:
    page.locator(".count", has_text=re.compile(rf"^{n} of")).wait_for()


def press(page: Any, *keys: str) -> None:
    """Keys that end in a decision; waits until the page says that it is kept."""
    before = decided(page)
    for key in keys:
        page.keyboard.press(key)
    shows(page, before + 1)


def test_twenty_by_keyboard_with_a_crash_in_the_middle(
    serve: Serve, enter: Enter, suite_file: Path, tmp_path: Path
) -> None:
    server = serve(suite_file, "--order", "file")
    page = enter(server)
    page.locator(".card").wait_for()
    for n in range(10):
        press(page, "a") if n % 2 else press(page, "r", "2")
    server.kill()
    server.start()
    page.reload()
    page.locator(".card").wait_for()
    assert decided(page) == 10
    page.keyboard.press("e")
    page.locator("#panel textarea").fill("Der Satz wird gelacht.")
    press(page, "Enter")
    page.keyboard.press("n")
    page.keyboard.type("look again")
    page.keyboard.press("Enter")
    press(page, "a")
    page.keyboard.press("u")
    shows(page, 11)
    for _ in range(9):
        press(page, "a")
    assert decided(page) == 20

    page.goto(server.address + "export")
    with page.expect_download() as download:
        page.locator("a.download").click()
    download.value.save_as(tmp_path / "out.zip")
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        archive.extractall(tmp_path / "out")
    suite = kontrast.load(tmp_path / "out" / "sixty.jsonl")
    foils = [v.text for item in suite.items for v in item.variants[1:]]
    assert len(foils) == 15 and foils.count("Der Satz wird gelacht.") == 1
    made = [json.loads(line) for line in (tmp_path / "out" / "decisions.jsonl").read_text("utf-8").splitlines()]
    assert len(made) == 20 and {m["annotator"] for m in made} == {"Anna"}
    assert [m["reason"] for m in made if m["decision"] == "rejected"] == ["a second error"] * 5
    assert "| Anna | 20 |" in (tmp_path / "out" / "datasheet.md").read_text("utf-8")


def test_two_tabs(serve: Serve, enter: Enter, suite_file: Path) -> None:
    server = serve(suite_file)
    page = enter(server)
    page.locator(".card").wait_for()
    other = page.context.new_page()
    other.goto(page.url)
    other.locator(".card").wait_for()
    press(page, "a")
    other.keyboard.press("r")
    other.keyboard.press("1")
    other.get_by_text("decided in another tab").wait_for()
    other.locator(".decision.accepted").wait_for()
