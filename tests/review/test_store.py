"""The store: what is kept, what two tabs do to each other, what a changed file does to decisions."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import msgspec
import pytest

import kontrast
from kontrast.review import drafts
from kontrast.review import store as store_module
from kontrast.review.drafts import Draft, drafted
from kontrast.review.index import Filter
from kontrast.review.options import ReviewOptions
from kontrast.review.session import Review
from kontrast.review.store import ConflictError


def test_decisions_stand_until_undone(suite_file: Path) -> None:
    session = Review(suite_file)
    store, anna = session.store, session.store.annotator("Anna")
    assert len(store.index) == 62
    first = store.decide(0, anna, "accept", seen=0)
    assert first is not None and first.status == "accepted"
    second = store.decide(0, anna, "reject", seen=first.number, reason="also right")
    assert second is not None and store.index.counts(anna)["rejected"] == 1
    assert store.undo(anna) is not None
    now = store.current(0, anna)
    assert now is not None and now.number == first.number and store.index.counts(anna)["accepted"] == 1
    store.undo(anna)
    assert store.current(0, anna) is None and store.undo(anna) is None
    session.close()


def test_two_tabs_do_not_overwrite_each_other(suite_file: Path) -> None:
    session = Review(suite_file)
    store, anna = session.store, session.store.annotator("Anna")
    store.decide(3, anna, "accept", seen=0)
    with pytest.raises(ConflictError) as refused:
        store.decide(3, anna, "reject", seen=0)
    assert refused.value.current is not None and refused.value.current.status == "accepted"
    assert store.index.counts(anna) == {"open": 61, "accepted": 1, "changed": 0, "rejected": 0}
    session.close()


def test_reopened_review_has_everything(suite_file: Path) -> None:
    session = Review(suite_file)
    anna, ben = (session.store.annotator(name) for name in ("Anna", "Ben"))
    for n in range(20):
        session.decide(n, anna, "accept", text=f"Der {n}. Satz war's." if n % 5 == 0 else None, seconds=1.5)
        session.decide(n, ben, "reject", reason="not fluent", note="hm")
    session.close()
    again = Review(suite_file)
    assert not again.changes
    assert again.store.index.counts(anna) == {"open": 42, "accepted": 16, "changed": 4, "rejected": 0}
    assert again.store.index.counts(ben)["rejected"] == 20
    made = again.store.current(5, anna)
    assert made is not None and made.text == "Der 5. Satz war's."
    again.close()


def test_a_changed_file_reopens_only_what_changed(suite_file: Path) -> None:
    session = Review(suite_file)
    anna = session.store.annotator("Anna")
    for n in range(62):
        session.store.decide(n, anna, "accept")
    session.close()
    suite = kontrast.load(suite_file)
    items = list(suite.items)
    items[7] = msgspec.structs.replace(items[7], source="Another source.")
    del items[40]
    items.append(kontrast.Item("new", "New.", (kontrast.Variant("Neu."), kontrast.Variant("Alt.", error="np"))))
    kontrast.save(msgspec.structs.replace(suite, items=tuple(items)), suite_file)
    again = Review(suite_file)
    changes = again.changes
    assert (changes.added, changes.changed, changes.gone, changes.reopened) == (1, 1, 1, 1)
    assert again.store.index.counts(anna) == {"open": 2, "accepted": 60, "changed": 0, "rejected": 0}
    assert {again.store.index.keys[n] for n in again.store.view(Filter(status="open"), anna)} == {"i7", "new"}
    again.close()


def test_orders_and_filters(suite_file: Path) -> None:
    session = Review(suite_file)
    anna = session.store.annotator("Anna")
    keys = session.store.index.keys

    def view(**chosen: object) -> list[str]:
        return [keys[n] for n in session.store.view(msgspec.convert(chosen, Filter), anna)]

    assert view(order="file")[:4] == ["i0/1", "i0/2", "i1", "i2"]
    assert sorted(view(order="random")) == sorted(keys) != view(order="random")
    assert view(order="random") == view(order="random", seed=1) != view(order="random", seed=2)
    assert set(view(order="unsure")[:2]) == {"i0/2", "i30/2"} == set(view(unsure=0.5))
    sample = view(order="sample", per=5)
    assert len(sample) == 15 and sample == view(order="sample", per=5) and set(sample) != set(keys)
    assert view(search="number 17") == ["i17"] and view(search="lachen", order="file") == [
        "i0/1",
        "i0/2",
        "i30/1",
        "i30/2",
    ]
    assert view(search="no such words") == []
    assert set(view(phenomenon=["np"])) == {f"i{n}" for n in range(60) if n % 3 == 1}
    session.close()


def test_words_are_filled_in_when_they_are_searched(suite_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search in the middle of the filling finds all; items written meanwhile are found by their new words alone."""
    monkeypatch.setattr(store_module, "FILLED", 10)
    session = Review(suite_file)
    store, anna = session.store, session.store.annotator("Anna")
    stop = threading.Event()

    def keys(words: str) -> set[str]:
        return {store.index.keys[n] for n in store.view(Filter(search=words), anna)}

    def first_batch(connection: sqlite3.Connection) -> int | None:
        store_module._fill(connection)
        return store_module.unsearched(connection)

    assert store.write(first_batch) == 10
    for key, words in (("i5", "zebra"), ("i45", "walross")):  # one whose words are in the index, one whose are not
        draft = drafted(store.entry(session.number(key)).item)
        drafts.keep(session, [msgspec.structs.replace(draft, source=f"A {words}.")], anna, key)
    [new] = drafts.keep(session, [Draft(source="A lynx.", right="Ein Luchs.", wrong=[])], anna)
    stop.set()
    store.fill(stop)
    assert store_module.unsearched(store.reader) == 10
    session.close()

    again = Review(suite_file)  # ended before it was filled
    store = again.store
    assert store_module.unsearched(store.reader) == 10
    assert keys("lynx") == {new} and store_module.unsearched(store.reader) is None
    assert keys("zebra") == {"i5"} and keys("walross") == {"i45"}
    assert keys("sentence number 5") == {f"i{n}" for n in range(50, 60)} and "i45" not in keys("sentence number 4")
    assert keys("number 17") == {"i17"} and keys("number 59") == {"i59"}
    store.write(lambda c: c.execute("INSERT INTO words (words) VALUES ('integrity-check')"))
    again.close()


def test_a_store_that_is_none_is_refused(suite_file: Path, tmp_path: Path) -> None:
    (tmp_path / "x.sqlite").write_text("this is no database at all, but a text")
    with pytest.raises(kontrast.KontrastError, match=r"x\.sqlite: is not a review store"):
        Review(suite_file, ReviewOptions(store=tmp_path / "x.sqlite"))
