"""Two readers, blind to each other, and the third who decides between them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kontrast
from kontrast.review.session import Review

Serve = Callable[..., Any]
Enter = Callable[..., Any]


def test_two_readers_and_adjudication(serve: Serve, enter: Enter, suite_file: Path, tmp_path: Path) -> None:
    server = serve(suite_file, "--order", "file")
    anna, ben = enter(server, "Anna"), enter(server, "Ben")
    for page, rejects in ((anna, {1, 3}), (ben, {3, 4})):
        page.locator(".card").wait_for()
        assert page.locator(".decision").count() == 0
        for n in range(8):
            before = page.url
            for key in ("r", "1") if n in rejects else ("a",):
                page.keyboard.press(key)
            page.wait_for_url(lambda url, old=before: url != old)
    # Blind: what Anna said is nowhere in what Ben's page gets.
    answer = ben.request.get(server.address + "api/card?key=i1", headers={"x-annotator": "Ben"})
    assert "Anna" not in answer.text() and answer.json()["own"]["annotator"] != 0

    ben.goto(server.address + "agreement")
    ben.get_by_text("Krippendorff's α").wait_for()
    assert "2 candidates on which annotators differ" in ben.locator("main").inner_text()
    assert "Anna, Ben" in ben.locator("tbody").first.inner_text()

    cora = enter(server, "Cora", "/adjudicate")
    cora.locator(".said").wait_for()
    assert "Anna" not in cora.locator(".card").inner_text()
    cora.keyboard.press("2")
    cora.get_by_text("1 to adjudicate").wait_for()
    cora.keyboard.press("e")
    cora.locator("#panel textarea").fill("Ein dritter Text.")
    cora.keyboard.press("Enter")
    cora.get_by_text("There is no candidate on which annotators differ.").wait_for()

    # What was adjudicated stays as it was.
    anna.goto(server.address + "item/i3")
    anna.locator(".decision").wait_for()
    anna.keyboard.press("a")
    anna.get_by_text("is adjudicated").wait_for()
    server.kill()

    session = Review(suite_file)
    done = kontrast.export_review(session, tmp_path / "out")
    assert done.accepted == 7 and done.left_out == {"rejected": 1, "open": 54}
    made = [json.loads(line) for line in (tmp_path / "out/decisions.jsonl").read_text("utf-8").splitlines()]
    assert len(made) == 18 and [m["annotator"] for m in made if m.get("adjudicated")] == ["Cora", "Cora"]
    sheet = (tmp_path / "out/datasheet.md").read_text("utf-8")
    assert "| Anna, Ben | 8 | 75.0% | 0.333" in sheet and "Cora (adjudication)" in sheet
    session.close()


def test_disputes_stay_hidden_from_who_has_not_decided(serve: Serve, enter: Enter, suite_file: Path) -> None:
    session = Review(suite_file)
    for name, verb in (("Anna", "accept"), ("Ben", "reject")):
        session.store.decide(5, session.store.annotator(name), verb)
    session.store.decide(9, session.store.annotator("Cora"), "accept")
    session.close()
    server = serve(suite_file)
    page = enter(server, "Cora", "/adjudicate")
    page.get_by_text("1 more that you have not decided yourself").wait_for()
    assert page.locator(".said").count() == 0


def test_links_of_annotators(serve: Serve, suite_file: Path) -> None:
    server = serve(suite_file, "--annotator", "Anna", "--annotator", "Ben")
    assert set(server.links) == {"Anna", "Ben"}
    _, _, headers = server.asks(server.links["Ben"].removeprefix(server.address.rstrip("/")))
    cookie = headers["set-cookie"].split(";")[0]
    sent = {"cookie": cookie, "x-kontrast-review": "1", "x-annotator": "Anna"}
    status, body, _ = server.asks("/api/decide?order=file", b'{"key": "i1", "verb": "accept"}', sent)
    assert status == 200 and json.loads(body)["decision"]["status"] == "accepted"
    server.kill()
    session = Review(suite_file)
    assert set(session.store.annotators().values()) == {"Ben"}
    session.close()


def test_nothing_accepted_is_nothing_to_export(suite_file: Path, tmp_path: Path) -> None:
    session = Review(suite_file)
    with pytest.raises(kontrast.KontrastError, match="no candidate is accepted yet"):
        kontrast.export_review(session, tmp_path / "out")
    session.close()
