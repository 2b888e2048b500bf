"""Cues: planted readers get all weight where they read; a random reader is at chance; budget and sharing count."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest
from tests.analysis.test_context import READER, planted

import kontrast
from kontrast import KontrastError
from kontrast.analysis.cues import marked_words
from kontrast.suites.model import Item, Variant


def model(kind: str) -> str:
    return f"command:{sys.executable} {READER} {kind}"


@pytest.mark.parametrize("replace", [None, "thing"])
def test_a_reader_of_the_antecedent_puts_all_weight_there(replace: str | None) -> None:
    found = kontrast.cues(planted(30), model("antecedent"), context="prev:2", side="source", replace=replace)
    assert found.total is not None and found.total.items == 30
    assert found.total.share.value == 1.0
    assert found.total.by_length == pytest.approx(1 / 11, abs=0.01)
    assert found.total.by_recency == pytest.approx(1 / 11, abs=0.01)  # nothing else weighs anywhere
    assert [g.label for g in found.by_distance] == ["1"]
    for each in found.cues:
        assert [word.text for word in each.words if word.weight] in (["lamp"], ["table"], ["book"])
    assert found.by_place[0] == (1, 1.0)


def test_a_reader_of_one_place_puts_all_weight_there() -> None:
    """The program reads only the sixth word from the end: of the source and the context before it."""
    suite = planted(30)
    found = kontrast.cues(suite, model("word:6"), context="prev:1", side="source", replace="thing")
    for each in found.cues:
        heavy = {word.text for word in each.words if word.weight}
        assert heavy <= {each.source_context[0].replace(".", "").split()[-2]}
    assert any(word.weight for each in found.cues for word in each.words)


def test_a_random_reader_is_at_chance() -> None:
    found = kontrast.cues(planted(60), model("random"), context="prev:1", side="source")
    assert found.total is not None and found.total.share.interval is not None
    low, high = found.total.share.interval.low, found.total.share.interval.high
    assert low <= found.total.by_length <= high


def test_budget_and_sharing() -> None:
    suite = planted(12)
    twice = msgspec.structs.replace(
        suite,
        items=(*suite.items, *(msgspec.structs.replace(item, id=f"{item.id}b") for item in suite.items)),
    )
    whole = kontrast.cues(twice, model("antecedent"), context="prev:2", side="source")
    assert whole.rows == 2 * whole.calls
    few = kontrast.cues(suite, model("antecedent"), context="prev:2", side="source", max_calls=150)
    # 3 variants of the item, of 2 sentences less, of 11 words less each: 42 calls an item.
    assert few.items == 3 and few.calls <= 150 < few.calls + 42
    assert all(len(each.words) == 11 for each in few.cues)
    assert any("3 of 12 items, drawn at random" in note for note in few.notes)
    with pytest.raises(KontrastError, match="--max-calls 41: an item needs at least 42"):
        kontrast.cues(suite, model("antecedent"), context="prev:2", side="source", max_calls=41)
    with pytest.raises(KontrastError, match="no item of planted has 9 sentences"):
        kontrast.cues(suite, model("antecedent"), context="prev:9", side="source")


def test_a_killed_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """SIGKILL in the middle: the second run asks only for what the first did not get."""
    kontrast.save(planted(30), tmp_path / "planted.jsonl")
    program, asked = tmp_path / "slow.py", tmp_path / "asked.txt"
    program.write_text(
        "import sys, time, zlib\n"
        f"log = open({str(asked)!r}, 'a')\n"
        "for line in sys.stdin:\n"
        "    log.write(line); log.flush(); time.sleep(0.004)\n"
        "    print(zlib.crc32(line.encode()) % 100 / 10, flush=True)\n"
    )
    command = [sys.executable, "-m", "kontrast", "cues", str(tmp_path / "planted.jsonl"), "--model"]
    command += [f"command:{sys.executable} {program}", "--context", "prev:2", "--side", "source", "--json"]
    command += ["--store", str(tmp_path / "store"), "--option", "fingerprint=1"]
    first = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while first.poll() is None and (not asked.exists() or len(asked.read_bytes().splitlines()) < 700):
        time.sleep(0.02)
    assert first.poll() is None, "it ended before it could be killed"
    first.kill()
    first.wait()
    time.sleep(0.2)
    before = len(asked.read_bytes().splitlines())
    second = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    again = len(asked.read_bytes().splitlines()) - before
    assert again < second["calls"] - 300, (before, again, second["calls"])
    alone = kontrast.cues(
        tmp_path / "planted.jsonl", f"command:{sys.executable} {program}", context="prev:2", side="source"
    )
    assert second["cues"] == json.loads(msgspec.json.encode(alone))["cues"]


def test_chance_by_nouns() -> None:
    """German has rules in the package; a language without an annotator is named."""
    suite = msgspec.structs.replace(planted(12), source_language="xx")
    found = kontrast.cues(suite, model("random"), context="prev:1", side="source")
    assert any("no annotator for 'xx'" in note for note in found.notes)
    assert found.total is not None and found.total.by_nouns is None and found.total.over_nouns is None

    def german(item: Item) -> Item:
        tags = {**item.tags, "src_ante_head": item.tags["ref_ante_head"]}
        return msgspec.structs.replace(item, source_context=("Ich sah gestern die Lampe dort.",), tags=tags)

    suite = msgspec.structs.replace(planted(36)[::3], source_language="de")
    suite = msgspec.structs.replace(suite, items=tuple(map(german, suite)))
    found = kontrast.cues(suite, model("random"), context="prev:1", side="source")
    assert found.total is not None and found.total.by_nouns == 1.0 and found.total.over_nouns is not None
    assert found.total.by_length == pytest.approx(1 / 6)


def test_words_that_people_marked() -> None:
    item = Item(
        "1",
        "It works.",
        (Variant("Elle marche."), Variant("Il marche.")),
        source_context=("I bought a new lamp.",),
        tags={"src_context_needed": [[15, 19]]},
    )
    (place,) = marked_words(item, ("en", "fr"))
    assert (place.side, place.start, place.end) == ("source", 15, 19)
