"""Breakdowns in which a group lies in one document: every command gives a share with an interval around it."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import kontrast
from kontrast.cli import main


def run(*args: str) -> int:
    with pytest.raises(SystemExit) as done:
        main(list(args))
    return int(done.value.code or 0)


def scores_of(suite: kontrast.Suite, path: Path) -> Path:
    chance = random.Random(1)
    path.write_text("".join(f"{chance.random()}\n" for _ in suite.rows()))
    return path


def groups_by(tag: str, text: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = next(each for each in json.loads(text)["by"] if each["by"] == tag)["groups"]
    return found


def check_groups(groups: list[dict[str, object]]) -> None:
    assert groups
    for group in groups:
        accuracy, interval = group["accuracy"], group["interval"]
        if accuracy is not None and interval is not None:
            assert 0 <= interval["low"] <= accuracy <= interval["high"] <= 1, group  # type: ignore[index,operator]


@pytest.mark.parametrize(
    ("name", "by"), [("demo:fr", "document"), ("demo:de", "document"), ("demo:de", "ref_pronoun")]
)
def test_bundled(name: str, by: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = kontrast.load(name)
    scores = scores_of(suite, tmp_path / "s.scores")
    assert run("evaluate", name, str(scores), "--by", by, "--json") == 0
    check_groups(groups_by(by, capsys.readouterr().out))
    system = tmp_path / "system.txt"
    system.write_text("".join(f"{item.variants[n % 2].text}\n" for n, item in enumerate(suite.items)))
    assert run("check", name, str(system), "--by", by, "--json") == 0
    assert run("report", name, str(scores), "--by", by, "--out", str(tmp_path / "r.html")) == 0


def test_contrapro_by_the_antecedents_lemma(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = data / "contrapro-en-de" / "contrapro.subset.json"
    scores = scores_of(kontrast.load(path), tmp_path / "s.scores")
    assert run("evaluate", str(path), str(scores), "--by", "ref_ante_head_lemma", "--json") == 0
    check_groups(groups_by("ref_ante_head_lemma", capsys.readouterr().out))


def test_lingeval97_by_origin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each origin is one sentence: as many groups as references."""
    errors = [
        {"type": "compound", "contrastive": "Das war.", "distance": 1},
        {"type": "np_agreement", "contrastive": "x"},
    ]
    items = [
        {"source": f"That is {i}.", "reference": f"Das ist {i}.", "origin": f"newstest.{i}", "errors": errors}
        for i in range(1, 9)
    ]
    path = tmp_path / "lingeval.json"
    path.write_text(json.dumps(items))
    scores = scores_of(kontrast.load(path), tmp_path / "s.scores")
    assert run("evaluate", str(path), str(scores), "--by", "origin", "--json") == 0
    groups = groups_by("origin", capsys.readouterr().out)
    assert len(groups) == 8
    check_groups(groups)
