"""Writing a suite from nothing: the form, lint beside the field, a pasted table, and the file on the disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kontrast
from kontrast.cli import main
from kontrast.review.drafts import Draft, DraftFoil, checked, drafted, keep, made, pasted
from kontrast.review.session import Review

Serve = Callable[..., Any]
Enter = Callable[..., Any]


def test_a_suite_from_nothing(serve: Serve, enter: Enter, tmp_path: Path) -> None:
    path = tmp_path / "my-suite.jsonl"
    server = serve("--new", path, "--pair", "en-pt")
    page = enter(server, "Rui", "/author")
    page.fill("#f-source", "The cat sleeps.")
    page.fill("#f-right", "O gato dorme.")
    page.fill("[name='wrong.0']", "O gato dorme.")
    page.locator("#m-wrong\\.0 .message.error").wait_for()
    page.fill("[name='wrong.0']", "O gato dormem.")
    page.locator("#m-wrong\\.0 .message.error").wait_for(state="detached")
    page.fill("[name='error.0']", "agreement")
    page.fill("#f-context", "There is a cat.\nIt is old.")
    page.fill("#f-tags", "distance: 2")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Add the item").click()
    page.get_by_text("Kept as 1").wait_for()
    page.fill(
        "#table",
        "source\tright\twrong\tphenomenon\tregister\nIt rains.\tChove.\tChovem.\tagreement\tplain\nHi\tOi\tOi\tx\ty",
    )
    page.get_by_text("2 items, 1 with errors").wait_for()
    page.get_by_role("button", name="Add 2 items").click()
    page.get_by_text("2 candidates added").wait_for()
    suite = kontrast.load(path)
    assert (suite.source_language, suite.target_language, [item.id for item in suite.items]) == (
        "en",
        "pt",
        ["1", "2", "3"],
    )
    first = suite.items[0]
    assert first.source_context == ("There is a cat.", "It is old.") and first.tags == {"distance": 2}
    assert first.variants[1] == kontrast.Variant("O gato dormem.", error="agreement")
    assert suite.items[1].tags == {"register": "plain"}

    page.goto(server.address + "author?key=3")
    page.fill("[name='wrong.0']", "Olá")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Kept as 3").wait_for()
    assert kontrast.load(path).items[2].variants[1].text == "Olá"
    page.get_by_role("button", name="Remove the item").click()
    page.get_by_text("2 entries").wait_for()
    server.kill()
    assert len(kontrast.load(path).items) == 2
    again = Review(path)
    assert not again.changes and again.store.index.counts(again.store.annotator("Rui"))["open"] == 2
    again.close()


def test_a_file_of_others_is_not_written(suite_file: Path) -> None:
    before = suite_file.read_bytes()
    session = Review(suite_file)
    anna = session.store.annotator("Anna")
    session.decide(session.number("i4"), anna, "accept")
    draft = drafted(session.store.entry(session.number("i4")).item)
    draft.source = "Another source."
    assert keep(session, [draft], anna, "i4") == ["i4"]
    assert keep(session, [Draft("New", "Neu", [DraftFoil("Alt", "x"), DraftFoil("Jung", "x")])], anna) == [
        "61/1",
        "61/2",
    ]
    # A decision holds for what was seen.
    assert session.store.current(session.number("i4"), anna) is None
    session.close()
    assert suite_file.read_bytes() == before
    suite = kontrast.load(suite_file)
    kontrast.save(suite, suite_file)
    with suite_file.open("a", encoding="utf-8") as out:
        out.write('{"id":"late","source":"Late","variants":[{"text":"Spät"},{"text":"Früh","error":"x"}]}\n')
    again = Review(suite_file)
    assert (again.changes.added, again.changes.changed, again.changes.gone) == (1, 0, 0)
    assert again.store.entry(again.number("i4")).item.source == "Another source."
    assert again.store.entry(again.number("61/2")).candidate == "Jung"
    again.close()


def test_drafts_and_tables(suite_file: Path) -> None:
    for item in kontrast.load("demo:de").items[:80]:
        if item.correct == 0 and all(v.context is None for v in item.variants):
            assert made(drafted(item), item.id, item) == item
    assert [d.wrong for d in pasted("It,Er,Sie,p\nIt,Es,Er,p")] == [[DraftFoil("Sie", "p")], [DraftFoil("Er", "p")]]
    quoted = pasted('source,right,wrong,wrong2,context\n"It, too",Er,Sie,Es,"A.\nB."\n')
    assert quoted[0].source == "It, too" and len(quoted[0].wrong) == 2 and quoted[0].context == "A.\nB."
    with pytest.raises(kontrast.KontrastError, match="row 1 has 6 columns"):
        pasted("a\tb\tc\td\te\tf")
    session = Review(suite_file)
    same = checked(session, Draft("Sentence number 7 laughs.", "Der 7. Satz lacht.", [DraftFoil("x", "np")]))
    assert ("source", "warning", "same-source") in [(f.field, f.level, f.id) for f in same]
    found = checked(session, Draft("Tab\there, not there.", "Gut so, sagt er.", [DraftFoil("", "")]))
    assert ("source", "control-characters") in [(f.field, f.id) for f in found]
    session.close()


def test_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "there.jsonl").write_text("{}")
    for args, expected in (
        (["--new", str(tmp_path / "x.jsonl")], "--pair en-pt"),
        (["--new", str(tmp_path / "x.csv"), "--pair", "en-pt"], "end in .jsonl"),
        (["--new", str(tmp_path / "there.jsonl"), "--pair", "en-pt"], "already exists"),
        ([str(tmp_path / "none.jsonl")], "no such file"),
        (["demo:de", "--store", str(tmp_path / "s.sqlite"), "--host", "0.0.0.0"], "set a password"),
        (["demo:de", "--store", str(tmp_path / "s.sqlite"), "--order", "x"], "there is no order"),
    ):
        with pytest.raises(SystemExit) as stop:
            main(["review", *args, "--no-browser"])
        error = capsys.readouterr().err
        assert stop.value.code == 2 and expected in error and error.count("\n") == 1, error
