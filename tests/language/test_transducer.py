"""lt-proc kept open: a line out for each line in, whatever their number; the program's end is one clear error."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kontrast import KontrastError
from kontrast.language.lexicons.apertium import Apertium, Transducer

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


@pytest.mark.skipif(not SPANISH or not shutil.which("lt-proc"), reason="needs apt-get install apertium-eng-spa")
def test_half_an_automaton_is_told_soon(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """lt-proc says nothing with half a file and waits for more input."""
    monkeypatch.setattr("kontrast.language.lexicons.apertium.SOON", 0.2)
    whole = SPANISH[0].read_bytes()
    (tmp_path / "half.bin").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(
        KontrastError, match=r"half\.bin failed \((no answer: the file may be incomplete|the program ended)\)"
    ):
        Transducer("-a", tmp_path / "half.bin").ask(["casa ."])


@pytest.mark.skipif(not SPANISH or not shutil.which("lt-proc"), reason="needs apt-get install apertium-eng-spa")
def test_a_generator_that_makes_nothing_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "pair").mkdir()
    shutil.copy(SPANISH[0], tmp_path / "pair")
    (tmp_path / "pair" / "eng-spa.autogen.bin").write_bytes(b"")
    monkeypatch.setattr("kontrast.language.lexicons.apertium.FOLDER", tmp_path)
    words = "casa casas perro perros gato gatos libro libros mesa mesas come comen canta cantan bueno buena".split()
    with pytest.raises(KontrastError, match="generates none of 20 words"):
        Apertium("es", "spa").learn(words)
