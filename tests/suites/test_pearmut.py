"""A campaign of Pearmut from a suite, and what people said in it as scores."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kontrast
from kontrast import Item, KontrastError, Suite, Variant
from kontrast.suites.scores import read_scores

PAIR = Variant("Er ist alt."), Variant("Sie ist alt.", error="pronoun")
SUITE = Suite(
    "trees",
    (
        Item("1", "It is old.", PAIR, source_context=("A tree!",), target_context=("Ein Baum!",)),
        Item("1", "It is old.", (*PAIR, Variant("Es ist alt.", error="pronoun")), correct=1),
    ),
    "en",
    "de",
)


def campaign(folder: Path) -> list[dict[str, Any]]:
    """The documents of the campaign, one item each."""
    kontrast.save(SUITE, folder / "trees.jsonl")
    kontrast.convert(folder / "trees.jsonl", folder / "campaign.json", to_format="pearmut")
    made = json.loads((folder / "campaign.json").read_text("utf-8"))
    assert made["campaign_id"] == "trees" and made["info"]["protocol"] == "DA"
    return [item for [item] in made["data"][0]]


def said(folder: Path, *entries: Any) -> str:
    """Annotations of (person, number of the item, a score for each variant); a person alone takes back their own."""
    items = campaign(folder)
    lines = []
    for user, *rest in entries:
        answers: Any = "__RESET__"
        if rest:
            answers = [{f"variant {n}": {"score": score} for n, score in enumerate(rest[1])}]
        lines.append({"user_id": user, "annotation": answers, "item": [items[rest[0]]] if rest else []})
    (folder / "trees.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return f"pearmut:{folder / 'trees.jsonl'}"


def test_a_campaign_shows_variants_with_their_context(tmp_path: Path) -> None:
    first, second = campaign(tmp_path)
    assert first["src"] == "A tree!\nIt is old."
    assert first["tgt"] == {"variant 0": "Ein Baum!\nEr ist alt.", "variant 1": "Ein Baum!\nSie ist alt."}
    assert (second["place"], len(second["tgt"]), second["fingerprint"]) == (1, 3, SUITE.fingerprint)


def test_the_mean_of_what_people_said_last(tmp_path: Path) -> None:
    entries = [("ann", 0, [0, 90]), ("ann", 0, [100, 0]), ("bob", 0, [50, 50]), ("bob", 1, [7, 7, 7])]
    entries += [("eve", 0, [0, 0]), ("eve",), ("ann", 1, [0, 80, 20])]
    scores = read_scores(said(tmp_path, *entries), SUITE)
    assert scores.values == (75, 25, 3.5, 43.5, 13.5) and not scores.lower_is_better
    assert scores.signature is not None and scores.signature.details == {"people": "2"}
    assert kontrast.evaluate(SUITE, scores).accuracy == 1
    lines = [json.loads(line) for line in (tmp_path / "trees.jsonl").read_text().splitlines()]
    (tmp_path / "annotations.json").write_text(json.dumps({"trees": lines}))
    assert read_scores(f"pearmut:{tmp_path / 'annotations.json'}", SUITE).values == scores.values


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: lines[:1], r"ann did not judge 1 of the 2 items of trees \(first 1\): finish the campaign"),
        (lambda lines: [*lines, {**lines[1], "user_id": "bob"}], "bob did not judge 1 of the 2 items of trees"),
        (lambda lines: [], "nobody judged 2 of the 2 items"),
        (
            lambda lines: [{**lines[0], "item": [{**lines[0]["item"][0], "fingerprint": "0"}]}],
            "belongs to another version",
        ),
        (lambda lines: [{**lines[0], "annotation": [{"variant 0": {"score": 1}}]}], "no score for variant 1"),
        (lambda lines: [{**lines[0], "annotation": [{"variant 0": {"score": True}}]}], "no score for variant 0"),
        (lambda lines: [{**lines[0], "annotation": [None]}], "nobody judged 2"),
        (lambda lines: [{"annotation": []}], "line 1: expected an annotation of Pearmut"),
        (lambda lines: [[1]], "line 1: expected an annotation of Pearmut"),
    ],
)
def test_what_is_refused(change: Callable[[list[Any]], list[Any]], message: str, tmp_path: Path) -> None:
    said(tmp_path, ("ann", 0, [1, 0]), ("ann", 1, [1, 0, 0]))
    lines = [json.loads(line) for line in (tmp_path / "trees.jsonl").read_text().splitlines()]
    (tmp_path / "trees.jsonl").write_text("".join(json.dumps(line) + "\n" for line in change(lines)))
    with pytest.raises(KontrastError, match=message):
        read_scores(f"pearmut:{tmp_path / 'trees.jsonl'}", SUITE)
    (tmp_path / "two.json").write_text(json.dumps({"a": [], "b": []}))
    with pytest.raises(KontrastError, match="expected one campaign, found 2"):
        read_scores(f"pearmut:{tmp_path / 'two.json'}", SUITE)


def test_one_variant_is_no_question(tmp_path: Path) -> None:
    kontrast.save(Suite("one", (Item("1", "a", (Variant("b"),)),)), tmp_path / "one.jsonl")
    with pytest.raises(KontrastError, match="item 1 has one variant"):
        kontrast.convert(tmp_path / "one.jsonl", tmp_path / "campaign.json", to_format="pearmut")
    assert not (tmp_path / "campaign.json").exists()


@pytest.mark.slow
def test_the_real_server(tmp_path: Path) -> None:
    """Pearmut takes the campaign, an annotator who knows the answers goes through it, and kontrast reads the log."""
    there = (shutil.which(name) for name in ("python3.12", "python3.13", "python3.14"))
    python = next((each for each in there if each and not subprocess.run([each, "--version"]).returncode), None)
    if python is None:
        pytest.skip("Pearmut needs Python 3.12 or newer")
    subprocess.run([python, "-m", "venv", tmp_path / "venv"], check=True)
    done = subprocess.run([tmp_path / "venv/bin/pip", "install", "-q", "pearmut<2"], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"Pearmut cannot be installed here: {done.stderr.strip()[-200:]}")
    kontrast.convert("demo:fr?limit=6", tmp_path / "campaign.json", to_format="pearmut")
    program = tmp_path / "venv/bin/pearmut"
    subprocess.run([program, "add", "campaign.json"], cwd=tmp_path, check=True, capture_output=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    [user] = json.loads((tmp_path / "data/progress/demo-fr.json").read_text())
    server = subprocess.Popen([program, "run", "--port", str(port)], cwd=tmp_path, stdout=subprocess.DEVNULL)

    def ask(path: str, **body: Any) -> dict[str, Any]:
        data = json.dumps({"campaign_id": "demo-fr", "user_id": user, **body}).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/{path}", data, {"Content-Type": "application/json"}
        )
        answer: Any = json.load(urllib.request.urlopen(request, timeout=60))
        return answer if isinstance(answer, dict) else {}

    try:
        for _ in range(120):
            try:
                ask("get-next-item")
                break
            except OSError:
                time.sleep(0.5)
        while items := ask("get-next-item").get("payload"):
            best = [{name: {"score": 100 * (name == "variant 0")} for name in item["tgt"]} for item in items]
            payload = {"annotation": best, "actions": [{"time": 1.0, "action": "submit"}], "item": items}
            ask("log-response", item_i=items[0]["place"], payload=payload)
    finally:
        server.terminate()
        server.wait()
    found = kontrast.evaluate("demo:fr?limit=6", f"pearmut:{tmp_path / 'data/annotations/demo-fr.jsonl'}")
    assert (found.right, found.items, found.system) == (6, 6, "people")
