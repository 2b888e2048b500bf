"""Answers that come late, cut off, or out of order; any script error in the page fails the test."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

Serve = Callable[..., Any]
Enter = Callable[..., Any]


def held(page: Any, pattern: str, which: Callable[[str], bool] = lambda url: True) -> list[Any]:
    """Requests to wait with: the list of those that came, each to be continued by hand."""
    waiting: list[Any] = []
    page.route(
        re.compile(pattern),
        lambda route: waiting.append(route) if which(route.request.url) else route.continue_(),
    )
    return waiting


def until(page: Any, waiting: list[Any], count: int = 1) -> None:
    for _ in range(100):
        if len(waiting) >= count:
            return
        page.wait_for_timeout(50)
    raise AssertionError("the page did not ask")


def let_go(page: Any, waiting: list[Any]) -> None:
    """Lets the answers through, and gives the page the time to take them amiss."""
    for route in waiting:
        with page.expect_response(route.request.url):
            route.continue_()
    page.wait_for_timeout(200)


def test_an_answer_cut_off_is_asked_for_again(serve: Serve, enter: Enter, suite_file: Path) -> None:
    server = serve(suite_file, "--order", "file")
    page = enter(server)
    page.locator(".card").wait_for()
    before, cut = page.url, []

    def answer(route: Any) -> None:
        if len(cut) < 2:  # as from a server that ends in the middle of its answer
            cut.append(route.request.url)
            route.fulfill(status=200, content_type="application/json", body='{"counts": {"op')
        else:
            route.continue_()

    page.route(re.compile("/api/card"), answer)
    page.evaluate(  # the message is gone after a moment
        "() => { window.told = []; const node = document.getElementById('toast');"
        " new MutationObserver(() => told.push(node.textContent)).observe(node, { childList: true }); }"
    )
    page.keyboard.press("j")
    page.wait_for_function("() => told.includes('The server is back.')")
    page.wait_for_url(lambda url: url != before)
    assert len(cut) == 2


def test_a_view_that_was_left_gets_no_answer(serve: Serve, enter: Enter, suite_file: Path) -> None:
    server = serve(suite_file, "--order", "file")
    page = enter(server)
    page.locator(".card").wait_for()
    for slow, question, other, heading in (
        ("/", "card", "/export", "Export"),
        ("/agreement", "agreement", "/export", "Export"),
        ("/items", "items", "/agreement", "Agreement"),
        ("/export", "summary", "/agreement", "Agreement"),
        ("/adjudicate", "disputes", "/export", "Export"),
    ):
        waiting = held(page, f"/api/{question}")
        page.locator(f"nav a[href='{slow}']").click()
        until(page, waiting)
        page.locator(f"nav a[href='{other}']").click()
        page.get_by_role("heading", name=heading, exact=True).wait_for()
        let_go(page, waiting)
        assert page.locator("main h1").inner_text() == heading
        assert page.url == server.address.rstrip("/") + other
        page.unroute(re.compile(f"/api/{question}"))


def test_what_was_typed_is_dropped_with_its_view(serve: Serve, enter: Enter, suite_file: Path) -> None:
    server = serve(suite_file, "--order", "file")
    page = enter(server)
    for path, field in (("/items", "#search"), ("/", "#search"), ("/author", "#f-source"), ("/author", "#table")):
        page.locator(f"nav a[href='{path}']").click()
        page.locator(field).fill("Satz")  # asked about a quarter of a second later
        page.locator("nav a[href='/export']").click()
        page.get_by_role("heading", name="Export", exact=True).wait_for()
        page.wait_for_timeout(500)
        assert page.url == server.address + "export"


def test_the_newest_filter_counts(serve: Serve, enter: Enter, suite_file: Path) -> None:
    server = serve(suite_file, "--order", "file")
    page = enter(server, path="/items")
    page.get_by_text("62 entries").wait_for()
    waiting = held(page, "/api/items", lambda url: "phenomenon=np" in url)
    page.locator("select[name=phenomenon]").select_option("np")
    until(page, waiting)
    page.locator("select[name=phenomenon]").select_option("verb")
    page.get_by_text("22 entries").wait_for()
    let_go(page, waiting)
    assert page.get_by_role("status").filter(has_text="entries").inner_text() == "22 entries"


def test_a_refusal_is_told_wherever_one_is_by_then(serve: Serve, enter: Enter, suite_file: Path) -> None:
    server = serve(suite_file, "--order", "file")
    page = enter(server)
    page.locator(".card").wait_for()
    waiting: list[Any] = []
    page.route(re.compile("/api/decide"), lambda route: waiting.append(route))
    page.keyboard.press("a")
    until(page, waiting)
    page.locator("nav a[href='/export']").click()
    page.get_by_role("heading", name="Export", exact=True).wait_for()
    waiting[0].fulfill(status=409, content_type="application/json", body='{"error": "decided in another tab"}')
    page.get_by_text("decided in another tab").wait_for()
    # And in a view that is there: an error of the server is said, nothing breaks.
    page.route(re.compile("/api/forms"), lambda route: route.fulfill(status=500, body="Internal Server Error"))
    page.locator("nav a[href='/']").click()
    page.locator(".card").wait_for()
    page.keyboard.press("f")
    page.get_by_text("the server answered 500").wait_for()
    page.unroute(re.compile("/api/decide"))
    page.keyboard.press("a")  # keys still decide
    page.get_by_text("1 of 62 decided").wait_for()
