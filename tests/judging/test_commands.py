"""The commands evaluate, compare, check and gate as a user calls them, bad input included."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from kontrast import load, save, write_scores
from kontrast.cli import kontrast
from kontrast.errors import KontrastError
from kontrast.judging.gate import GateConfig, gate, read_gate
from kontrast.suites.model import Signature

from .making import pairs_in_documents, scores_from, suite_of


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
        ("[gate]\nacuracy = 0.4\n", "in [gate]: there is no key acuracy; did you mean accuracy?"),
        ("[gate.phenomenon.e1]\nties = 1\n", "there is no key ties; known: accuracy, tie_rate"),
        ("[gates]\n", "there is no key gates; did you mean gate?"),
        ("[gate]\naccuracy = 80\n", "a share between 0 and 1, not 80"),
        ("[gate]\n", "no rule"),
        ('[gate.baseline]\nscores = "s1.scores"\nmargin = 2\n', "margin must be a share (0.02 is two points), not 2"),
        (
            '[gate.baseline]\nscores = "s1.scores"\nalpha = 5\n',
            "alpha must be a level between 0 and 1, such as 0.05, not 5",
        ),
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


def gated(folder: Path, text: str, right: np.ndarray, other: np.ndarray, documents: int = 10) -> dict[str, object]:
    """A gate on documents, as JSON; ``other`` is the baseline."""
    suite = pairs_in_documents(documents, len(right) // documents)
    save(suite, folder / "documents.jsonl")
    write_scores(scores_from(right, "new"), folder / "new.scores")
    write_scores(scores_from(other, "old"), folder / "old.scores")
    config = folder / "gate.toml"
    config.write_text(text)
    args = ["gate", folder / "documents.jsonl", folder / "new.scores", "--config", config, "--json"]
    result = CliRunner().invoke(kontrast, [str(arg) for arg in args])
    found: dict[str, object] = json.loads(result.stdout)
    assert result.exit_code == (1 if found["failed"] else 0) and not (found["passed"] and found["failed"])
    return found


MARGIN = '[gate.baseline]\nscores = "old.scores"\nmargin = 0.02\n'


FAIL = '[gate]\nundecided = "fail"\n'


def test_what_a_gate_cannot_decide_neither_passes_nor_fails(tmp_path: Path) -> None:
    """Five documents, all right before and all wrong now: not decided, or failed where that is declared."""
    right = np.ones(1000, dtype=bool)
    for rule in (MARGIN, '[gate.baseline]\nscores = "old.scores"\n'):
        found = gated(tmp_path, rule, ~right, right, documents=5)
        assert not found["passed"] and not found["failed"]
        assert "cannot decide: 5 documents are too few" in str(found["checks"])
        assert gated(tmp_path, FAIL + rule, ~right, right, documents=5)["failed"]
    floor = "[gate]\naccuracy = 0.5\n" + MARGIN
    assert gated(tmp_path, floor, right, ~right, documents=5)["passed"]
    assert gated(tmp_path, floor, ~right, right, documents=5)["failed"]


def test_a_system_never_fails_against_itself(tmp_path: Path) -> None:
    """Groups of four decisions, a margin that no suite of this size shows, the strictest reading: all the same."""
    right = np.random.default_rng(6).random(200) < 0.7
    rule = '[gate.baseline]\nscores = "old.scores"\nby_phenomenon = true\n'
    for text in (rule, rule + "margin = 0.001\n", rule + 'test = "permutation"\n'):
        for documents in (5, 50):
            found = gated(tmp_path, FAIL + text, right, right, documents=documents)
            assert found["passed"] and "the same on all 200 decisions" in str(found["checks"])


def test_a_gate_says_not_decided(tmp_path: Path) -> None:
    right = np.ones(1000, dtype=bool)
    gated(tmp_path, MARGIN, ~right, right, documents=5)
    args = ["gate", "documents.jsonl", "new.scores", "--config", "gate.toml", "--junit", "gate.xml"]
    args[1:] = [str(tmp_path / arg) if "." in arg else arg for arg in args[1:]]
    shown = CliRunner().invoke(kontrast, args)
    assert (
        shown.exit_code == 0 and "neither passed nor failed" in shown.stdout and "not decided  total" in shown.stdout
    )
    suite = ElementTree.parse(tmp_path / "gate.xml").getroot()
    assert (suite.get("failures"), suite.get("skipped")) == ("0", "1")


def test_a_loss_that_is_not_decided_is_said_first(tmp_path: Path) -> None:
    """From 100% to 0% on five documents; a loss of one point, which the rule allows, is not said."""
    right = np.ones(1000, dtype=bool)
    one_point = np.arange(1000) % 100 != 0
    args = ["gate", *(str(tmp_path / name) for name in ("documents.jsonl", "new.scores")), "--config"]
    args += [str(tmp_path / "gate.toml"), "--junit", str(tmp_path / "gate.xml")]
    expected = "not decided: new is 100.0 points lower than old (total); 5 documents are too few"
    for rule in (MARGIN, '[gate.baseline]\nscores = "old.scores"\nby_phenomenon = false\n'):
        assert gated(tmp_path, rule, one_point, right, documents=5)["checks"][0]["lower"] is None
        assert gated(tmp_path, rule, ~right, right, documents=5)["checks"][0]["lower"] == expected
        shown = CliRunner().invoke(kontrast, args)
        assert (
            shown.exit_code == 0
            and expected in f"n{shown.stdout[1:]}".splitlines()[0]
            and 'undecided = "fail"' in shown.stdout
        )
        skipped = ElementTree.parse(tmp_path / "gate.xml").getroot().find("testcase/skipped")
        assert skipped is not None and skipped.get("message") == expected
        gated(tmp_path, FAIL + rule, ~right, right, documents=5)
        shown = CliRunner().invoke(kontrast, args)
        assert shown.exit_code == 1 and "FAIL" in shown.stdout
    strict = "[gate]\nconfident = true\naccuracy = 0.8\n"
    found = gated(tmp_path, strict, ~right, right, documents=5)["checks"][0]
    assert found["undecided"] and found["lower"].startswith("not decided: accuracy is 0.0%, below 80% (total); ")


def test_junit_lists_what_got_worse(tmp_path: Path) -> None:
    """Half was wrong before and is wrong now; of the other half every third item was lost: those are listed."""
    old = np.arange(400) % 2 == 0
    new = old & (np.arange(400) % 3 > 0)
    for text in ('[gate.baseline]\nscores = "old.scores"\n', "[gate]\naccuracy = 0.9\n" + MARGIN):
        found = gated(tmp_path, text, new, old, documents=40)
        assert found["failed"]
        lost = sorted(f"{i // 10}.{i % 10}" for i in np.flatnonzero(old & ~new).tolist())
        for check in found["checks"]:  # type: ignore[attr-defined]
            listed = [item["item"] for item in check["items"]]
            assert sorted(listed) == lost if check["rule"] == "baseline" else len(listed) == 100


def test_gate_takes_scores_of_a_corrected_suite(tmp_path: Path) -> None:
    """What the refusal advises is an option of the command; with it the result says which scores are older."""
    right = np.arange(200) % 5 > 0
    gated(tmp_path, MARGIN, right, right)
    suite = load(tmp_path / "documents.jsonl")
    made = Signature(suite="documents", fingerprint=suite.fingerprint)
    old = msgspec.structs.replace(scores_from(right, "old"), signature=made)
    write_scores(old, tmp_path / "old.scores")
    item = msgspec.structs.replace(suite.items[0], source="corrected")
    save(msgspec.structs.replace(suite, items=(item, *suite.items[1:])), tmp_path / "documents.jsonl")
    args = ["gate", str(tmp_path / "documents.jsonl"), str(tmp_path / "new.scores")]
    args += ["--config", str(tmp_path / "gate.toml")]
    assert "or use --allow suite" in refused(*args)
    shown = CliRunner().invoke(kontrast, [*args, "--allow", "suite"])
    assert shown.exit_code == 0 and "old was scored on documents (hash" in " ".join(shown.stdout.split())


def test_margin(tmp_path: Path) -> None:
    """A margin of two points: passes what is shown to be no worse, fails a loss that a point estimate would pass."""
    generator = np.random.default_rng(3)
    old = generator.random(20_000) < 0.9
    same = np.where(generator.random(20_000) < 0.02, ~old, old)
    same[old.size // 2 :] = old[old.size // 2 :]
    worse = old & (generator.random(20_000) > 0.025)
    good = gated(tmp_path, MARGIN, old, old, documents=100)
    assert good["passed"] and "2 points worse fails in 9" in str(good["power"])
    bad = gated(tmp_path, MARGIN, worse, old, documents=100)
    assert not bad["passed"] and "its lower end must be above -2" in str(bad["checks"])
    assert bad["method"] == ["95% intervals: jackknife over 100 documents (t)"], (
        "a margin is held by an interval: no p"
    )
    floor = gated(tmp_path, "[gate]\naccuracy = 0.5\n", old[:200], old[:200], documents=10)
    assert "compare the measured share, not its interval" in str(floor["method"])
    wide = gated(tmp_path, MARGIN.replace("0.02", "0.95"), worse, old, documents=100)
    assert "no system can lose 95 points against it" in str(wide["power"]) and "fails in" not in str(wide["power"])
    small = gated(tmp_path, MARGIN, same[:200], old[:200], documents=10)
    assert "the suite is small for this margin" in str(small["power"])


def test_a_suite_too_small_for_its_margin_fails_only_what_is_worse(tmp_path: Path) -> None:
    """200 items do not show two points: a system as good is undecided, one that is shown to be worse fails."""
    generator = np.random.default_rng(4)
    old = generator.random(200) < 0.9
    alike = old.copy()
    alike[[*np.flatnonzero(old)[:72:12], *np.flatnonzero(~old)[:12:2]]] ^= True
    for config, skipped in ((FAIL + MARGIN, False), (MARGIN, True)):
        found = gated(tmp_path, config, alike, old)
        [check] = found["checks"]  # type: ignore[misc]
        assert not found["passed"] and check["undecided"] and check["skipped"] == skipped
        assert "cannot decide: the suite is small for this margin" in check["message"]
        shares = [int(each) for each in re.findall(r"(\d+)%", found["power"][0])]  # type: ignore[index]
        worse, open_worse, good, open_good = shares
        assert worse < 40 and 96 <= worse + open_worse <= 99, "not decided is not a failure"
        assert 2 <= good <= 3 and good + open_good > 50
    [check] = gated(tmp_path, MARGIN, old & (generator.random(200) > 0.3), old)["checks"]  # type: ignore[misc]
    assert not check["passed"] and not check["undecided"]


def test_a_baseline_of_the_same_name_is_called_by_its_file_or_the_baseline(tmp_path: Path) -> None:
    right = np.ones(1000, dtype=bool)
    gated(tmp_path, MARGIN, right, right)
    write_scores(scores_from(right, "new"), tmp_path / "old.scores")
    args = ["gate", tmp_path / "documents.jsonl", tmp_path / "new.scores", "--config", tmp_path / "gate.toml"]
    shown = CliRunner().invoke(kontrast, [str(arg) for arg in args]).stdout
    assert "points against old" in shown and "#" not in shown
    suite, same = load(tmp_path / "documents.jsonl"), scores_from(right, "new")
    found = gate(suite, same, read_gate(tmp_path / "gate.toml"), same)
    assert "points against the baseline" in found.checks[0].message


def test_the_baseline_may_be_several_seeds(tmp_path: Path) -> None:
    generator = np.random.default_rng(5)
    old = generator.random(3000) < 0.8
    for i in range(3):
        seed = np.where(generator.random(3000) < 0.02 * i, False, old)
        write_scores(scores_from(seed, f"seed{i}"), tmp_path / f"seed{i}.scores")
    one = '[gate.baseline]\nscores = "seed0.scores"\n'
    several = '[gate.baseline]\nscores = ["seed0.scores", "seed1.scores", "seed2.scores"]\n'
    new = np.where(generator.random(3000) < 0.03, False, old)
    assert not gated(tmp_path, one, new, old)["passed"]
    assert gated(tmp_path, several, new, old)["passed"]


def test_a_gate_that_says_nothing_of_a_phenomenon_is_refused(tmp_path: Path) -> None:
    (tmp_path / "kontrast.toml").write_text("[gate]\naccuracy = 0.5\n[gate.phenomenon.negation]\n")
    with pytest.raises(KontrastError, match="negation has no rule"):
        read_gate(tmp_path / "kontrast.toml")
    with pytest.raises(KontrastError, match="between 0 and 1, not 80"):
        read_gate(GateConfig(accuracy=80))
