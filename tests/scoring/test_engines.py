"""Engines beside Transformers: CTranslate2 with a converted model, programs, files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kontrast import score, translate
from kontrast.errors import KontrastError
from kontrast.scoring.context import parse_context
from kontrast.scoring.engine import EngineOptions
from kontrast.scoring.engines import load_engine
from kontrast.suites.model import Item, Scores, Suite, Variant

from .models import make

SUITE = Suite(
    "s",
    (
        Item("1", "The cat was tired.", (Variant("Die Katze war müde."), Variant("Der Katze war müde."))),
        Item("2", "It does not work.", (Variant("Sie funktioniert nicht."), Variant("Sie funktioniert."))),
    ),
    "en",
    "de",
)
CONTEXT = msgspec.structs.replace(
    SUITE,
    items=tuple(
        msgspec.structs.replace(item, source_context=("I bought a lamp.",), target_context=("Ich habe eine Lampe.",))
        for item in SUITE.items
    ),
)


@pytest.fixture(scope="module")
def marian(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A Marian model with random weights, and the same converted for CTranslate2."""
    pytest.importorskip("torch")
    converters = pytest.importorskip("ctranslate2.converters")
    folder = make("marian", tmp_path_factory.mktemp("marian"))
    out = tmp_path_factory.mktemp("ct2") / "model"
    copies = ["source.spm", "target.spm"]
    converters.TransformersConverter(str(folder), copy_files=copies).convert(str(out))
    return folder, out


def test_ct2_gives_the_scores_of_transformers_without_padding(marian: tuple[Path, Path]) -> None:
    folder, converted = marian
    options = EngineOptions(device="cpu", softmax_pad=False)
    expected = score(CONTEXT, f"hf:{folder}", options=options, context=parse_context("prev:1"))
    named = EngineOptions(device="cpu", extra={"tokenizer": str(folder)})
    for given in (EngineOptions(device="cpu"), named):
        found = score(CONTEXT, f"ct2:{converted}", options=given, context=parse_context("prev:1"))
        assert found.values == pytest.approx(expected.values, abs=1e-3)
        assert found.tokens is not None and expected.tokens is not None
        assert [row.tokens for row in found.tokens] == [row.tokens for row in expected.tokens]
    assert found.signature is not None and found.signature.details["softmax"] == "no-pad"


def test_ct2_int8_is_asked_for_and_reported(marian: tuple[Path, Path], capsys: Any) -> None:
    _, converted = marian
    score(SUITE, f"ct2:{converted}", options=EngineOptions(device="cpu", dtype="int8"))
    assert "int8 prefers another target than float32 in" in capsys.readouterr().err


def test_ct2_without_a_model_or_a_tokenizer(tmp_path: Path, marian: tuple[Path, Path]) -> None:
    with pytest.raises(KontrastError, match=r"expected a folder with CTranslate2's model\.bin"):
        load_engine(f"ct2:{tmp_path}")


def program(folder: Path, code: str) -> str:
    (folder / "p.py").write_text(code)
    return f"command:{sys.executable} {folder / 'p.py'}"


def test_command(tmp_path: Path) -> None:
    model = program(tmp_path, "import sys\nfor line in sys.stdin: print(len(line.split('\\t')[1]) - 1)")
    found = score(SUITE, model)
    assert found.values == (19.0, 19.0, 23.0, 17.0) and found.lower_is_better and found.tokens is None
    higher = score(SUITE, model, options=EngineOptions(extra={"maximize": "yes"}))
    assert higher.values == (-19.0, -19.0, -23.0, -17.0), "log-probabilities are turned round"
    with pytest.raises(KontrastError, match="cannot force a target prefix"):
        score(CONTEXT, model, context=parse_context("prev:1"))


def test_a_command_reads_every_blank_as_it_is(tmp_path: Path) -> None:
    """Only what parts fields and lines becomes a blank; what the program writes keeps its blanks too."""
    odd = "10\u00a0% \u202f: a\u2009b\u3000c\u2028d\x85e\x0cf\u200b"
    suite = Suite("s", (Item("1", odd, (Variant(f"{odd}\u00a0"), Variant("a\tb\nc"))),), "fr", "fr")
    copy = "import sys\nseen = open('{}', 'wb')\nfor line in sys.stdin.buffer: seen.write(line); print(1)"
    score(suite, program(tmp_path, copy.format(tmp_path / "seen")))
    assert (tmp_path / "seen").read_bytes().decode().split("\n") == [f"{odd}\t{odd}\u00a0", f"{odd}\ta b c", ""]
    assert translate(suite, "command:cat").texts == (odd,)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("print(1)", "ended (status 0) before all rows had a score"),
        ("import sys; sys.exit(3)", "ended (status 3)"),
        ("import sys\nfor line in sys.stdin: print('x')", "expected a number for source 1, found 'x'"),
        ("import sys\nfor line in sys.stdin: print(1); print(2)", "more lines than rows"),
    ],
)
def test_a_command_that_goes_wrong(code: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(KontrastError) as error:
        score(SUITE, program(tmp_path, code))
    assert said in str(error.value)


def test_a_command_that_is_not_there() -> None:
    with pytest.raises(KontrastError, match="cannot be started"):
        score(SUITE, "command:/no/such/program")


def test_file(tmp_path: Path) -> None:
    (tmp_path / "x.scores").write_text("1\n2\n3\n4\n")
    found = score(SUITE, f"file:{tmp_path / 'x.scores'}")
    assert found.values == (1.0, 2.0, 3.0, 4.0) and found.signature is not None and found.signature.engine == "file"
    with pytest.raises(KontrastError, match="leave out --context"):
        score(CONTEXT, f"file:{tmp_path / 'x.scores'}", context=parse_context("prev:1"))


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ((1.0, 2.0, 3.0), "own gave 3 scores for 4 rows"),
        ((1.0, 2.0, float("nan"), 4.0), "item 2, variant 1: own gave nan; expected a finite number"),
    ],
)
def test_an_engine_that_scores_suites_is_checked(values: tuple[float, ...], problem: str) -> None:
    class Own:
        name = model = "own"

        def score_suite(self, suite: Suite) -> Scores:
            return Scores("own", values)

    with pytest.raises(KontrastError, match=problem):
        score(SUITE, Own())


def test_a_sentencepiece_model_of_the_source_side_is_not_used_for_the_target(
    marian: tuple[Path, Path], tmp_path: Path, capsys: Any
) -> None:
    """OPUS-MT's shared vocabulary holds the pieces of two models; one of them knows half of it."""
    import json
    import shutil

    shutil.copytree(marian[1], tmp_path / "m")
    folder = tmp_path / "m"
    (folder / "source.spm").rename(folder / "sentencepiece.model")
    (folder / "target.spm").rename(tmp_path / "target.spm")
    expected = score(SUITE, f"ct2:{marian[1]}", options=EngineOptions(device="cpu"))
    assert score(SUITE, f"ct2:{folder}", options=EngineOptions(device="cpu")).values == expected.values
    assert "sentencepiece.model tokenises both sides" in capsys.readouterr().err
    vocabulary = folder / "shared_vocabulary.json"
    words = json.loads(vocabulary.read_text())
    vocabulary.write_text(json.dumps([*words, *(f"▁other{n}" for n in range(len(words)))]))
    from kontrast.scoring.engines.pieces import load_pieces

    with pytest.raises(KontrastError, match=r"sentencepiece\.model: it knows \d\d% of the target vocabulary"):
        load_pieces(str(folder), EngineOptions())
    pair = f"{folder / 'sentencepiece.model'},{tmp_path / 'target.spm'}"
    assert load_pieces(str(folder), EngineOptions(extra={"spm": pair})).cut("Katze", "target")
    with pytest.raises(KontrastError, match="expected two files"):
        load_pieces(str(folder), EngineOptions(extra={"spm": "one"}))
