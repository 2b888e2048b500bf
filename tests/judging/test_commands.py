"""The commands evaluate, compare, check and gate as a user calls them, bad input included."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from kontrast import save, write_scores
from kontrast.cli import kontrast
from kontrast.errors import KontrastError
from kontrast.suites.model import Signature

from .making import scores_from, suite_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    suite = suite_of([2] * 200)
    save(suite, tmp_path / "suite.jsonl")
    for seed, share in ((1, 0.6), (2, 0.62), (3, 0.9)):
        scores = scores_from(np.random.default_rng(seed).random(200) < share, f"s{seed}")
        signature = Signature(suite=suite.name, fingerprint=suite.fingerprint, model=f"m{seed}")
        write_scores(msgspec.structs.replace(scores, signature=signature), tmp_path / f"s{seed}.scores")
    return tmp_path


def run(*args: object, status: int = 0) -> str:
    result = CliRunner().invoke(kontrast, [str(arg) for arg in args])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == status, result.output
    return result.stdout


def refused(*args: object) -> str:
    with pytest.raises(KontrastError) as error:
        run(*args)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_evaluate(folder: Path) -> None:
    one = json.loads(run("evaluate", folder / "suite.jsonl", folder / "s1.scores", "--by", "distance", "--json"))
    assert {"accuracy", "right", "wrong", "ties", "items", "chance"} <= one.keys()
    assert one["right"] + one["wrong"] + one["ties"] == one["items"] == 200
    several = json.loads(
        run(
            "evaluate",
            folder / "suite.jsonl",
            f"base={folder}/s1.scores,{folder}/s2.scores",
            folder / "s3.scores",
            "--json",
        )
    )
    assert len(several["systems"]) == 3 and several["runs"][0]["system"] == "base"
    text = run("evaluate", folder / "suite.jsonl", folder / "s1.scores", "--by", "distance")
    assert "accuracy" in text and "no skill" in text and "\x1b" not in text


def test_compare(folder: Path) -> None:
    paths = [folder / f"s{i}.scores" for i in (1, 2, 3)]
    result = json.loads(
        run("compare", folder / "suite.jsonl", *paths, "--by", "kind", "--resamples", "500", "--json")
    )
    assert len(result["total"]) == 3 and result["differs"] == ["model"]
    assert "b − a" in run("compare", folder / "suite.jsonl", *paths[:2], "--resamples", "500")


def test_check(folder: Path) -> None:
    (folder / "out.txt").write_text("w0 ja\n" * 150 + "w1 nein\n" * 50)
    args = ("check", folder / "suite.jsonl", folder / "out.txt", "--by", "kind", "--scores", folder / "s1.scores")
    result = json.loads(run(*args, "--json"))
    assert (result["right"], result["wrong"], result["total"]) == (150, 50, 200)
    assert "kappa" in run(*args)


def test_gate(folder: Path) -> None:
    config = folder / "kontrast.toml"
    config.write_text(
        '[gate]\naccuracy = 0.5\ntie_rate = 0.01\n[gate.baseline]\nscores = "s1.scores"\n[context.mine]\njoin = " "\n'
    )
    args = ("gate", folder / "suite.jsonl", "--config", config)
    assert "all" in run(*args, folder / "s3.scores")
    config.write_text('[gate]\n[gate.phenomenon.e1]\naccuracy = 0.95\n[gate.baseline]\nscores = "s3.scores"\n')
    text = run(*args, folder / "s1.scores", "--junit", folder / "gate.xml", status=1)
    assert "FAIL" in text
    root = ElementTree.parse(folder / "gate.xml").getroot()
    assert int(root.get("failures", "0")) == len(root.findall("testcase/failure")) >= 2
    assert int(root.get("tests", "0")) == len(root.findall("testcase"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[gate]\nacuracy = 0.4\n", "unknown field `acuracy`; known: accuracy, tie_rate"),
        ("[gate.phenomenon.e1]\nties = 1\n", "unknown field `ties`; known: accuracy, tie_rate"),
        ("[gates]\n", "unknown field `gates`; known: gate, context"),
        ("[gate]\naccuracy = 80\n", "a share between 0 and 1, not 80"),
        ("[gate]\n", "no threshold"),
        ("[gate", "expected TOML"),
        ("[gate.phenomenon.x]\naccuracy = 0.1\n", "the phenomenon 'x', which made does not have; known: e0, e1, e2"),
    ],
)
def test_bad_gate(folder: Path, text: str, message: str) -> None:
    config = folder / "kontrast.toml"
    config.write_text(text)
    assert message in refused("gate", folder / "suite.jsonl", folder / "s1.scores", "--config", config)


def test_bad_input(folder: Path) -> None:
    suite, lines = folder / "suite.jsonl", (folder / "s1.scores").read_text().splitlines()
    short, broken = folder / "short.scores", folder / "broken.scores"
    short.write_text("\n".join(lines[:-3]) + "\n")
    broken.write_text("\n".join([*lines[:6], "nan", *lines[7:]]) + "\n")
    assert "expected 400 scores (one per row of" in refused("evaluate", suite, short)
    assert "line 7: expected a finite number" in refused("evaluate", suite, broken)
    assert "known: distance" in refused("evaluate", suite, folder / "s1.scores", "--by", "nothing")
    assert "NAME=FILE" in refused("evaluate", suite, "base=")
    other = suite_of([2] * 200, [1] * 200)
    save(other, folder / "other.jsonl")
    assert "another order" in refused("compare", folder / "other.jsonl", folder / "s1.scores", folder / "s2.scores")
    (folder / "few.txt").write_text("w0\n" * 199)
    assert "expected 200 translations" in refused("check", suite, folder / "few.txt")


def test_status_two_and_one_line(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kontrast", "evaluate", folder / "suite.jsonl", folder / "none.scores"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1
