"""What commands refuse, and that nothing is harmed by it."""

from __future__ import annotations

from pathlib import Path

import pytest

import kontrast
import kontrast.io.files
from kontrast.cli import main


def run(*args: str) -> int:
    with pytest.raises(SystemExit) as exit:
        main(list(args))
    code = exit.value.code
    return code if isinstance(code, int) else 0


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    path = tmp_path / "plain.scores"
    path.write_text("".join(f"{(7 * i) % 11}\n" for i in range(kontrast.bundled("demo:fr").row_count)))
    return path


@pytest.mark.parametrize("option", [["--json"], ["--by", "distance"], ["--ties", "right"], ["--normalise", "token"]])
def test_originals_refuse_what_they_do_not_have(
    option: list[str], scores: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = tmp_path / "demo.json"
    assert run("convert", "demo:fr", str(suite), "--to", "contrapro") == 0
    capsys.readouterr()
    assert run("evaluate", str(suite), str(scores), "--style", "original", *option) == 2
    assert f"{option[0]} cannot be used with --style original" in capsys.readouterr().err
    assert run("evaluate", str(suite), str(scores), "--style", "original") == 0


def test_report_names_systems_as_evaluate_does(
    scores: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "table.md"
    assert run("report", "demo:fr", f"base={scores}", f"new={scores}", "--out", str(out)) == 0
    assert "| base | new |" in out.read_text()
    assert run("report", "demo:fr", f"base={scores},{scores}", "--out", str(tmp_path / "other.md")) == 2
    assert "expected one score file per system" in capsys.readouterr().err


def test_report_of_unknown_ending_is_refused_before_anything_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("report", "no-such-suite", "no.scores", "--out", "report.pdf") == 2
    assert "report.pdf: the name of a report must end in" in capsys.readouterr().err


def test_copy_that_cannot_be_read_does_not_replace_the_fetched_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    good, bad = tmp_path / "contrapro.json", tmp_path / "bad.json"
    kontrast.convert("demo:de", good, to_format="contrapro")
    bad.write_text("[1, 2]")
    assert run("suites", "get", "contrapro", "--from", str(good)) == 1  # not the published number of items
    capsys.readouterr()
    assert run("suites", "get", "contrapro", "--from", str(bad)) == 2
    assert capsys.readouterr().err.startswith(f"kontrast: {bad}: is not contrapro (contrapro.json")
    assert len(kontrast.load("contrapro").items) == len(kontrast.bundled("demo:de").items)


def test_folders_made_for_a_file_that_fails_are_taken_away(tmp_path: Path) -> None:
    out = tmp_path / "new" / "folder" / "file.txt"
    with pytest.raises(RuntimeError), kontrast.io.files.writing(out) as stream:
        stream.write("half")
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


def test_store_names_the_models_it_has(scores: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "store.sqlite"
    made = ["--model", "command:sed s/.*/1/", "--option", "fingerprint=v1", "--name", "one"]
    assert run("score", "demo:fr", *made, "--store", str(store), "--out", str(tmp_path / "s")) == 0
    capsys.readouterr()
    assert run("store", "export", "--store", str(store), "--model", "other", "--out", str(tmp_path / "rows")) == 2
    assert "has no model 'other'" in capsys.readouterr().err
    assert not (tmp_path / "rows").exists()


def test_a_misspelt_command_names_the_one_meant(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("scor") == 2 and "No such command 'scor'; did you mean score?" in capsys.readouterr().err
    assert run("xyzzy") == 2 and "did you mean" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [
        ["store", "prune", "--unused", "nan"],
        ["evaluate", "demo:fr", "no.scores", "--level", "nan"],
        ["evaluate", "demo:fr", "no.scores", "--epsilon", "nan"],
        ["split", "no.counts", "--out", "no", "--seconds", "nan"],
        ["generalise", "--at", "nan", "no.de", "no.de"],
        ["perturb", "--lang", "de", "--min-confidence", "nan", "no.de"],
    ],
)
def test_what_is_not_a_number_is_in_no_range(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*command) == 2
    assert "'nan' is not a number" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--draws", "--top"])
def test_divergence_counts_from_nothing(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("divergence", "no.counts", option, "-1") == 2
    assert "-1 is not in the range" in capsys.readouterr().err


@pytest.mark.parametrize("option", [["--dev", "-5"], ["--atom-weight", "-1"], ["--compound-weight", "-1"]])
def test_split_refuses_what_is_below_nothing(option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run("split", "no.counts", "--out", "no", *option) == 2
    assert "is not in the range" in capsys.readouterr().err


def test_shots_without_examples_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("score", "demo:fr", "--model", "tiny", "--shots", "2", "--out", str(tmp_path / "a.scores")) == 2
    assert "--shots 2: there are no examples; give --examples FILE" in capsys.readouterr().err


def test_tiny_is_no_masked_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "a.scores")
    assert run("score", "demo:fr", "--model", "tiny", "--option", "masked=word", "--no-store", "--out", out) == 2
    assert "kontrast-tiny: cannot be loaded" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["chat=yes", "system=Hello", "end=none"])
def test_model_without_a_prompt_refuses_options_of_prompts(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "a.scores")
    assert run("score", "demo:fr", "--model", "tiny", "--option", option, "--no-store", "--out", out) == 2
    assert "an encoder-decoder model has no prompt" in capsys.readouterr().err
