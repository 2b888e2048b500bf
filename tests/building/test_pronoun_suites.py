"""Pronoun suites from documents: the bundled corpus, real tools, resumption."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("spacy")
pytest.importorskip("systran_align")

import kontrast
from kontrast.building.pronouns import build_pronouns, load_recipe, pipeline
from kontrast.language.aligners.fast_align import FastAlign, train

CORPUS = Path(str(kontrast.bundled_corpus()))


@pytest.fixture(scope="module")
def alignment(tmp_path_factory: pytest.TempPathFactory, data: Path) -> Path:
    """Trained once on real text: the few sentences of the bundled corpus alone would not do."""
    folder = tmp_path_factory.mktemp("alignment")
    rows = [
        (data / "contrapro-en-de" / f"rows.context1.{code}").read_text("utf-8").split("\n") for code in ("en", "de")
    ]
    pairs = [(a, b) for a, b in zip(*rows, strict=True) if a][::9]
    train(pairs, folder / "en-de")
    french = data / "large-contrastive-en-fr"
    rows = [(french / f"OpenSubs.current.{side}").read_text("utf-8").split("\n") for side in ("src", "trg")]
    train([pair for pair in zip(*rows, strict=True) if pair[0]][::4], folder / "en-fr")
    return folder


@pytest.mark.parametrize("pair", ["en-de", "en-fr"])
def test_bundled_corpus_becomes_a_suite(pair: str, alignment: Path, tmp_path: Path) -> None:
    out = tmp_path / "suite.json"
    built = build_pronouns(pair, CORPUS, out, alignment=alignment / pair, jobs=1)
    suite = kontrast.load(out)
    assert len(suite.items) == built.items >= 5
    assert suite.target_language == pair[3:]
    assert not (tmp_path / "suite.json.work").exists()
    for item in suite.items:
        assert len(item.variants) in ((2, 3) if pair == "en-de" else (2,))
        assert item.tags["confidence"] >= 0.5 and item.tags["needs_context"] is (item.tags["distance"] > 0)
        assert item.tags["ref_pronoun"].lower() in load_recipe(pair).targets
        for variant in item.variants[1:]:
            assert variant.tags["replacement"] in variant.text != item.best.text
    assert [f for f in kontrast.lint(suite) if f.level == "error"] == []


def test_alignment_is_kept_and_found_again(alignment: Path) -> None:
    pairs = [("It is a good idea.", "Es ist eine gute Idee.")]
    first, second = (list(FastAlign(alignment / "en-de").align(pairs)) for _ in range(2))
    assert first == second
    assert (0, 0) in first[0] and (4, 4) in first[0]


def test_goes_on_after_a_kill(alignment: Path, tmp_path: Path) -> None:
    documents = tmp_path / "documents" / "2000"
    documents.mkdir(parents=True)
    text = {code: (CORPUS / "2021" / f"2021_01_lamp.{code}").read_text("utf-8") * 12 for code in ("en", "de")}
    for number in range(16):
        for code in ("en", "de"):
            (documents / f"2000_{number}_0.{code}").write_text(text[code], "utf-8")
    out = tmp_path / "suite.json"
    arguments = [
        "--pair",
        "en-de",
        "--documents",
        str(tmp_path / "documents"),
        "--alignment",
        str(alignment / "en-de"),
        "--min-confidence",
        "0.5",
        "--second-opinion",
        "none",
    ]
    command = [sys.executable, "-m", "kontrast", "build", "pronouns", *arguments, "--jobs", "1", "--out", str(out)]
    journal = tmp_path / "suite.json.work" / "manifest"
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        if journal.exists() and journal.read_text("utf-8").count("\n") >= 3:
            os.kill(process.pid, signal.SIGKILL)
            break
        time.sleep(0.02)
    process.wait()
    assert process.returncode == -signal.SIGKILL and not out.exists()
    before = journal.read_text("utf-8").count("\n")
    assert before >= 3
    other = subprocess.run([*command, "--single"], capture_output=True, text=True)
    assert other.returncode == 2 and "with other options" in other.stderr and "Traceback" not in other.stderr
    subprocess.run(command, check=True, capture_output=True)
    assert not journal.parent.exists()
    resumed = json.loads(out.read_text("utf-8"))
    whole = tmp_path / "whole.json"
    given = {"alignment": alignment / "en-de", "min_confidence": 0.5, "second_opinion": "none", "jobs": 2}
    made = kontrast.build_pronouns("en-de", tmp_path / "documents", whole, **given)
    assert resumed == json.loads(whole.read_text("utf-8")) and made.items == kontrast.load(out).items


def test_pronouns_of_a_gender_that_is_full_are_passed_over_without_a_change(
    tmp_path: Path, alignment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = load_recipe("en-de")
    tools = pipeline.Tools(recipe, alignment=str(alignment / "en-de"))
    documents = list(pipeline.composed_documents(CORPUS, "en", "de"))
    whole = [found.items for found in pipeline.find_in_documents(documents, tools)]
    for full in ("m", "f", "fn"):
        barred = {recipe.genders[letter] for letter in full}

        def others(items: list[kontrast.Item], barred: set[str] = barred) -> list[kontrast.Item]:
            return [item for item in items if item.tags["ref_ante_head_gender"] not in barred]

        some = list(pipeline.find_in_documents(documents, tools, frozenset(full)))
        assert sum(found.left_out[pipeline.ENOUGH] for found in some) > 5
        assert [others(found.items) for found in some] == [others(items) for items in whole]
    given: dict[str, Any] = {"pair": "en-de", "documents": CORPUS, "second_opinion": "none", "min_confidence": 0.3}
    monkeypatch.setattr(pipeline, "_CANDIDATES", 2)
    short = kontrast.write_pronouns(tmp_path / "short.jsonl", **given, items=9)
    monkeypatch.setattr(pipeline, "_without", lambda _full, every: every)
    kontrast.write_pronouns(tmp_path / "long.jsonl", **given, items=9)
    assert short.left_out[pipeline.ENOUGH] > 0
    assert kontrast.load(tmp_path / "short.jsonl").items == kontrast.load(tmp_path / "long.jsonl").items


def test_a_model_moves_the_confidence_of_foils(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it finds likelier than the reference, beside the sentence before, is less sure, and may be left out."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    how: dict[str, Any] = {"second_opinion": "none", "min_confidence": 0.5}
    corpus = kontrast.bundled_corpus()
    plain = kontrast.build_pronouns("en-de", corpus, **how)
    built = kontrast.write_pronouns(tmp_path / "judged.jsonl", "en-de", corpus, judge="tiny", **how)
    judged = kontrast.load(tmp_path / "judged.jsonl")
    sure = {(item.id, foil.text): foil.tags["confidence"] for item in plain.items for foil in item.variants[1:]}
    assert built.items == len(judged.items) == len(plain.items) - built.left_out["left out by --judge tiny"]
    for item in judged.items:
        assert item.tags["confidence"] == max(foil.tags["confidence"] for foil in item.variants[1:])
        for foil in item.variants[1:]:
            assert foil.tags["margin"] * (foil.tags["confidence"] - sure[item.id, foil.text]) >= 0
    assert any(foil.tags["confidence"] != sure[i.id, foil.text] for i in judged.items for foil in i.variants[1:])
    assert sorted(path.name for path in tmp_path.iterdir() if "judged" in path.name) == ["judged.jsonl"]
