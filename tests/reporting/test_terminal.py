"""What data may do to a terminal: nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import kontrast
from kontrast.cli import main
from kontrast.reporting.terminal import print_lines, print_table

EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\u2028\r"
CONTROLS = {"\x1b", "\x07", "\x9b", "\u202e", "\u2028", "\r"}


def test_tables_and_lines(capsys: pytest.CaptureFixture[str]) -> None:
    print_table([f"column{EVIL}"], [[f"cell{EVIL}\nnext"]], title=EVIL, caption=EVIL)
    print_lines(f"line{EVIL}")
    out = capsys.readouterr().out
    assert not CONTROLS & set(out)
    assert "cell" in out and "next" in out


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    pair = (kontrast.Variant(f"gut {EVIL}"), kontrast.Variant(f"schlecht {EVIL}", error=EVIL))
    items = tuple(kontrast.Item(f"{i}{EVIL}", f"source {EVIL}", pair, tags={EVIL: EVIL}) for i in range(3))
    kontrast.save(kontrast.Suite(EVIL, items, "en", "de"), tmp_path / "suite.jsonl")
    for name in ("a.scores", "b.scores"):
        (tmp_path / name).write_text("1\n2\n2\n1\n1\n2\n")
    (tmp_path / "out.txt").write_text("gut\nschlecht\nweder\n")
    (tmp_path / "gate.toml").write_text("[gate]\naccuracy = 0.5\n[gate.phenomenon.x]\naccuracy = 0.1\n")
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        "describe SUITE",
        "lint SUITE",
        "evaluate SUITE a.scores",
        "evaluate SUITE a.scores b.scores",
        "compare SUITE a.scores b.scores",
        "report SUITE a.scores b.scores",
        "check SUITE out.txt",
        "gate SUITE a.scores --config gate.toml",
        "score SUITE --dry-run",
        "metrics SUITE --metric chrF",
        "convert SUITE other.json --to contrapro",
        "evaluate SUITE missing\x1b[31m",
        "evaluate SUITE a.scores --by \x1b[31m",
    ],
)
def test_no_command_passes_control_sequences(
    hostile: Path, command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(hostile)
    with pytest.raises(SystemExit):
        main([part.replace("SUITE", "suite.jsonl") for part in command.split(" ")])
    captured = capsys.readouterr()
    assert captured.out + captured.err
    assert not CONTROLS & set(captured.out + captured.err)


@pytest.mark.parametrize("command", ["describe demo:de", "lint demo:de --json", "suites list", "evaluate demo:de S"])
def test_closed_pipe_is_no_error(command: str, tmp_path: Path) -> None:
    (tmp_path / "S").write_text("1\n" * kontrast.bundled("demo:de").row_count)
    args = [sys.executable, "-m", "kontrast", *(str(tmp_path / "S") if a == "S" else a for a in command.split())]
    process = subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    error = process.stderr.read()
    process.stderr.close()
    assert (process.wait(), error) == (0, b"")


def test_what_nobody_foresaw_is_one_line_and_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import kontrast.suites.description as description

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("not\nforeseen")

    monkeypatch.setattr(description, "describe", broken)
    with pytest.raises(SystemExit) as stop:
        main(["describe", "demo:de"])
    error = capsys.readouterr().err
    assert stop.value.code == 2 and error.count("\n") == 1
    assert error.startswith(f"kontrast: unexpected ZeroDivisionError: not foreseen (kontrast {kontrast.__version__}")
    details = Path(error.rpartition("details in ")[2].rstrip(")\n"))
    assert "in broken" in details.read_text("utf-8")
    details.unlink()


def test_a_caption_is_not_folded_to_a_narrow_table(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("error", "n"), [("a", 1)], caption="59 references in a file with a long [name].json")
    assert capsys.readouterr().out.splitlines()[-1] == "59 references in a file with a long [name].json"
