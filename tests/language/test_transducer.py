"""lt-proc kept open: a line out for each line in, whatever their number; the program's end is one clear error."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kontrast import KontrastError
from kontrast.language.lexicons.transducer import Transducer

SPANISH = sorted(Path("/usr/share/apertium").glob("*/spa-*.automorf.bin"))


@pytest.mark.skipif(not SPANISH or not shutil.which("lt-proc"), reason="needs apt-get install apertium-eng-spa")
def test_more_lines_than_a_pipe_holds() -> None:
    program = Transducer("-a", SPANISH[0])
    answers = program.ask(["casas ."] * 20_000)
    assert len(answers) == 20_000
    assert set(answers) == set(program.ask(["casas ."]))
    assert "casa<n>" in answers[0]


def test_a_program_that_is_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(KontrastError, match=r"lt-proc -a x\.bin failed"):
        Transducer("-a", tmp_path / "x.bin").ask(["casa"])
