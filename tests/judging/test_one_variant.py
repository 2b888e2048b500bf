"""Items with one variant decide nothing: every command says so, and a suite of nothing else is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kontrast import InputError, Item, KontrastError, Scores, Suite, Variant, describe, lint, save, write_scores
from kontrast.cli import kontrast as cli
from kontrast.suites.scores import read_scores

PAIR = Item("1", "a dog", (Variant("ein Hund"), Variant("eine Hund", "np")))
ALONE = Item("2", "a cat", (Variant("eine Katze"),))
NOTE = "1 of 3 items have one variant; they decide nothing and are not counted"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    suite = Suite("s", (PAIR, ALONE, PAIR), "en", "de")
    save(suite, tmp_path / "s.jsonl")
    save(Suite("t", (ALONE, ALONE), "en", "de"), tmp_path / "t.jsonl")
    for name in ("a", "b"):
        (tmp_path / f"{name}.scores").write_text("1\n2\n1\n1\n2\n")
    (tmp_path / "kontrast.toml").write_text("[gate]\naccuracy = 0.5\n")
    return tmp_path


@pytest.mark.parametrize("command", [("evaluate", 1), ("evaluate", 2), ("compare", 2), ("gate", 1)])
def test_said_by_every_command_that_judges(folder: Path, command: tuple[str, int]) -> None:
    files = [folder / "a.scores", folder / "b.scores"][: command[1]]
    options = ["--config", folder / "kontrast.toml"] if command[0] == "gate" else []
    done = run(command[0], folder / "s.jsonl", *files, *options)
    assert done.exit_code == 0, done.output
    assert NOTE in done.output


def test_said_by_describe_and_lint(folder: Path) -> None:
    assert "1 item with one variant" in run("describe", folder / "s.jsonl").output
    suite = Suite("s", (PAIR, ALONE, PAIR))
    assert (describe(suite).decisions, describe(suite).left_out) == (2, 1)
    (finding,) = [finding for finding in lint(suite) if finding.id == "one-variant"]
    assert (finding.level, finding.items) == ("error", ("2",))
    expected = Item("3", "I did.", (Variant("Hab ich."),), tags={"expected": "hab"})
    (finding,) = [finding for finding in lint(Suite("s", (expected,))) if finding.id == "one-variant"]
    assert finding.level == "note"


def test_said_before_scoring_and_refused_where_nothing_is_decided(folder: Path) -> None:
    done = run("score", folder / "s.jsonl", "--model", f"file:{folder / 'a.scores'}", "--out", folder / "o.scores")
    assert done.exit_code == 0, done.output
    assert NOTE in done.stderr
    for arguments in (
        ("score", folder / "t.jsonl", "--model", "tiny", "--out", folder / "x"),
        ("evaluate", folder / "t.jsonl", folder / "two"),
        ("compare", folder / "t.jsonl", folder / "two", folder / "two"),
    ):
        (folder / "two").write_text("1\n2\n")
        done = run(*arguments)
        assert isinstance(done.exception, KontrastError), done.output
        assert "no item with two variants" in str(done.exception)


def test_scores_beside_a_suite_of_the_same_name(tmp_path: Path) -> None:
    suite = Suite("s", (PAIR,), "en", "de", style="contrapro")
    save(suite, tmp_path / "set.json", "contrapro")
    (tmp_path / "set").write_text("1\n2\n")
    assert read_scores(tmp_path / "set").signature is None
    write_scores(Scores("m", (1.0, 2.0), lower_is_better=False), tmp_path / "m")
    assert read_scores(tmp_path / "m").lower_is_better is False
    (tmp_path / "m.json").write_text('{"lower_is_better": tru')
    with pytest.raises(InputError, match="expected a signature"):
        read_scores(tmp_path / "m")


def test_a_key_turned_round_is_found() -> None:
    variants = Variant("a", error="e"), Variant("b")
    turned, right = Item("1", "s", variants), Item("2", "s", variants, correct=1)
    found = [finding for finding in lint(Suite("s", (turned, right))) if finding.id == "correct-has-error"]
    assert [(finding.level, finding.items) for finding in found] == [("error", ("1",))]
