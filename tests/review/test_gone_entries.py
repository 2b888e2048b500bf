"""What a review must not count: entries that left the file, another suite's scores, another candidate's verdict."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

import kontrast
from kontrast import Item, KontrastError, Suite, Variant
from kontrast.review.export import export_review
from kontrast.review.outcome import agreed, disputed, tally
from kontrast.review.session import Review, open_review
from kontrast.suites.model import Signature

pytest.importorskip("starlette")

HOUND = (
    Variant("Der Hund schläft."),
    Variant("Die Hund schläft.", error="gender"),
    Variant("Der Hund schlafen.", error="number"),
)
SUITE = Suite("m", tuple(Item(f"i{i}", f"The dog sleeps {i}.", HOUND) for i in range(4)), "en", "de", unit="pair")


def decided(path: Path) -> Review:
    """Two readers on every candidate; they differ on the first of the first item and of the last."""
    kontrast.save(SUITE, path)
    review = open_review(path)
    ann, bob = (review.store.annotator(name) for name in ("Ann", "Bob"))
    for number in range(len(review.store.index)):
        review.decide(number, ann, "accept")
        review.decide(number, bob, "reject" if number in (0, 6) else "accept")
    return review


def test_what_is_gone_is_not_counted(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    review = decided(path)
    assert disputed(review.store).tolist() == [0, 6]
    review.close()
    kontrast.save(Suite("m", SUITE.items[1:], "en", "de", unit="pair"), path)
    review = open_review(path)
    assert disputed(review.store).tolist() == [6]
    counts, items = tally(review.store)
    assert (counts["accepted"], counts["disputed"], items) == (5, 1, 3)
    assert agreed(review.store).entries == 6
    done = export_review(review, tmp_path / "out")
    assert (done.accepted, done.left_out) == (5, {"disputed": 1})
    lines = (tmp_path / "out" / "decisions.jsonl").read_text().splitlines()
    assert {json.loads(line)["item"] for line in lines} == {"i1", "i2", "i3"}
    assert "| Ann | 6 | 6 | 0 | 0 |" in (tmp_path / "out" / "datasheet.md").read_text()
    review.close()


def test_the_verdict_is_on_the_candidate_shown(tmp_path: Path) -> None:
    path, written = tmp_path / "m.jsonl", tmp_path / "m.de"
    kontrast.save(SUITE, path)
    written.write_text("Die Hund schläft.\n" * 4)
    review = open_review(path, translations=[written])
    assert review.explored is not None
    found = [review.explored.of(number, review.store.entry(number)) for number in range(2)]
    assert [each["translations"][0]["verdict"] for each in found if each] == ["wrong", "right"]
    review.close()


def test_scores_of_another_version_are_refused(tmp_path: Path) -> None:
    path, scores = tmp_path / "m.jsonl", tmp_path / "m.scores"
    signature = Signature(SUITE.name, SUITE.fingerprint, "hf", "m")
    kontrast.write_scores(kontrast.Scores("m", (1.0, 2.0, 3.0) * 4, signature=signature), scores)
    kontrast.save(SUITE, path)
    open_review(path, scores=[scores]).close()
    changed = msgspec.structs.replace(SUITE.items[0], source="A dog sleeps.")
    kontrast.save(Suite("m", (changed, *SUITE.items[1:]), "en", "de", unit="pair"), path)
    with pytest.raises(KontrastError, match="not on m in its present form"):
        open_review(path, scores=[scores])
    with pytest.raises(KontrastError, match="not on m in its present form"):
        kontrast.artefacts(path, target_only=scores)
