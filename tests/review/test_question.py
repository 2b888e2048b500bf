"""The card asks a question, the buttons answer it, and the answers mean in the data what they always meant."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kontrast
from kontrast.review.export import export_review
from kontrast.review.session import Review

Serve = Callable[..., Any]
Enter = Callable[..., Any]
PRONOUN = {"src_pronoun": "It", "ref_pronoun": "Sie", "distance": 1, "corpus": "made up"}


def pronouns(path: Path, context: tuple[str, ...] | None) -> Path:
    variants = (kontrast.Variant("Sie ist alt."), kontrast.Variant("Er ist alt.", error="pronoun"))
    items = [
        kontrast.Item(f"{n}", f"It is old {n}.", variants, source_context=context, tags=PRONOUN) for n in range(3)
    ]
    items.append(kontrast.Item("here", "The lamp is old, it is heavy.", variants, tags={**PRONOUN, "distance": 0}))
    kontrast.save(kontrast.Suite("pronouns", tuple(items), "en", "de"), path)
    return path


@pytest.mark.parametrize("width", [1200, 390])
def test_yes_keeps_and_no_leaves_out(serve: Serve, enter: Enter, tmp_path: Path, width: int) -> None:
    path = pronouns(tmp_path / "pronouns.jsonl", ("Look at the lamp.",))
    server = serve(path, "--order", "file")
    assert "sentences before" not in "".join(server.said)
    page = enter(server, viewport={"width": width, "height": 800})
    page.locator(".card").wait_for()
    question = page.get_by_text("Is the candidate wrong, and only in the marked words?")
    yes = page.get_by_role("button", name="Yes, keep it")
    for seen in (question, yes):
        box = seen.bounding_box()
        assert box["y"] + box["height"] <= 800, "the question and its answer are on the first screen"
    tag = page.get_by_text("corpus made up")
    assert not tag.is_visible()
    page.locator(".facts summary").click()
    tag.wait_for()
    assert not page.locator("#guide").is_visible()
    page.keyboard.press("g")
    page.locator("#guide").get_by_text("a translator could have written it").wait_for()
    page.keyboard.press("g")
    page.locator("#guide").wait_for(state="hidden")
    yes.click()
    page.locator(".count", has_text="1 kept · 0 left out").wait_for()
    page.get_by_role("button", name="No, because …").click()
    page.get_by_role("button", name="also right").click()
    page.locator(".count", has_text="1 kept · 1 left out").wait_for()
    tag.wait_for()  # unfolded once, unfolded on every card
    server.kill()

    review = Review(path)
    assert review.about(None)["built_in"]
    export_review(review, tmp_path / "out", "native")
    review.close()
    made = [json.loads(line) for line in (tmp_path / "out" / "decisions.jsonl").read_text("utf-8").splitlines()]
    assert [(m["decision"], m.get("reason", "")) for m in made] == [("accepted", ""), ("rejected", "also right")]
    assert [item.id for item in kontrast.load(tmp_path / "out" / "pronouns.jsonl").items] == ["0"]
    assert "None were given." in (tmp_path / "out" / "datasheet.md").read_text("utf-8")


def test_pronouns_without_context_are_named(serve: Serve, enter: Enter, tmp_path: Path) -> None:
    server = serve(pronouns(tmp_path / "bare.jsonl", None), "--order", "file")
    assert "3 candidates depend on previous sentences" in "".join(server.said)
    page = enter(server)
    page.get_by_text("The previous sentences are not in the file").wait_for()
    page.goto(server.address + "item/here")
    page.locator(".card").wait_for()
    assert page.get_by_text("The previous sentences are not in").count() == 0


def test_documents_give_the_context_that_a_format_does_not_hold(serve: Serve, enter: Enter, tmp_path: Path) -> None:
    lines = {
        "en": ["Look at the lamp.", "It is old 0.", "It is old 1."],
        "de": ["Sieh die Lampe.", *["Sie ist alt."] * 2],
    }
    for language, text in lines.items():
        (tmp_path / f"story.{language}").write_text("\n".join(text) + "\n", "utf-8")
    variants = (kontrast.Variant("Sie ist alt."), kontrast.Variant("Er ist alt.", error="pronoun"))
    items = tuple(
        kontrast.Item(str(n), f"It is old {n}.", variants, document="story", segment=n + 1, tags=PRONOUN)
        for n in range(2)
    )
    kontrast.save(kontrast.Suite("bare", items, "en", "de", segment_base=0), tmp_path / "bare.jsonl")
    server = serve(tmp_path / "bare.jsonl", "--order", "file", "--documents", tmp_path)
    assert "sentences before" not in "".join(server.said)
    page = enter(server)
    page.locator(".contexts", has_text="Look at the lamp.").wait_for()
    assert page.locator(".contexts").get_by_text("Sieh die Lampe.").is_visible()
