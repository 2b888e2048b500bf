"""Numbers, signature and tokens are one unit: a set that does not fit together is refused."""

from __future__ import annotations

import itertools
from pathlib import Path

import msgspec
import pytest

from kontrast import Item, Suite, Variant, evaluate, read_scores
from kontrast.errors import KontrastError
from kontrast.suites.model import Scores, Signature, TokenScores
from kontrast.suites.scores import check_writable, write_scores

SUITE = Suite("s", (Item("1", "a dog", (Variant("ein Hund"), Variant("eine Hund"))),))
SIGNED = Signature(suite="s", engine="hf", model="m")
TOKENS = (TokenScores(("ein", "Hund"), (-1.0, -0.5)), TokenScores(("eine", "Hund"), (-1.0, -1.5)))
OLD = Scores("old", (1.5, 2.5), True, SIGNED, TOKENS)
NEW = Scores("new", (7.0, 8.0), True, SIGNED)
NEWER = Scores("newer", (9.0, 8.0), True, SIGNED, tuple(TokenScores(row.tokens, (-4.5, -4.0)) for row in TOKENS))
PARTS = ("", ".json", ".tokens.jsonl.gz")


def parts(folder: Path, scores: Scores) -> dict[str, bytes | None]:
    folder.mkdir()
    write_scores(scores, folder / "x")
    return {part: path.read_bytes() if (path := folder / f"x{part}").exists() else None for part in PARTS}


def test_tokens_of_an_earlier_run_go(tmp_path: Path) -> None:
    write_scores(OLD, tmp_path / "x")
    assert read_scores(tmp_path / "x", SUITE, tokens=True).tokens == TOKENS
    write_scores(NEW, tmp_path / "x")
    assert not (tmp_path / "x.tokens.jsonl.gz").exists()
    assert read_scores(tmp_path / "x", SUITE, tokens=True).tokens is None


@pytest.mark.parametrize("after", [NEW, NEWER], ids=["without tokens", "with tokens"])
def test_a_stop_between_any_two_steps_is_never_misread(after: Scores, tmp_path: Path) -> None:
    """Any mixture of old and new files is either read as the old, as the new, or refused."""
    before, later = parts(tmp_path / "old", OLD), parts(tmp_path / "new", after)
    mixed = tmp_path / "mixed"
    mixed.mkdir()
    refused = 0
    for picks in itertools.product((before, later), repeat=3):
        for part, source in zip(PARTS, picks, strict=True):
            path = mixed / f"x{part}"
            path.unlink(missing_ok=True)
            if source[part] is not None:
                path.write_bytes(source[part] or b"")
        for tokens in (False, True):
            try:
                found = read_scores(mixed / "x", SUITE, tokens=tokens)
            except KontrastError:
                refused += 1
                continue
            whole = OLD if found.system == "old" else after
            assert found == (whole if tokens else msgspec.structs.replace(whole, tokens=None))
    assert refused >= 6


def test_numbers_of_your_own_over_a_signed_file(tmp_path: Path) -> None:
    write_scores(OLD, tmp_path / "x")
    (tmp_path / "x").write_text("5\n6\n")
    with pytest.raises(KontrastError, match=r"x\.json belongs to other numbers"):
        read_scores(tmp_path / "x", SUITE)
    (tmp_path / "x.json").unlink()
    assert read_scores(tmp_path / "x", SUITE).values == (5.0, 6.0)
    with pytest.raises(KontrastError, match="does not belong to the numbers"):
        read_scores(tmp_path / "x", SUITE, tokens=True)


def test_a_place_is_tried_before_the_run(tmp_path: Path) -> None:
    check_writable(tmp_path / "new" / "x")
    assert not (tmp_path / "new").exists()
    (tmp_path / "file").write_text("1\n")
    check_writable(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "1\n"
    for wrong in (tmp_path / "file" / "x", tmp_path):
        with pytest.raises(KontrastError, match="cannot be written"):
            check_writable(wrong)


def test_negative_scores_of_unknown_direction(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Log-probabilities without a signature would turn every verdict around."""
    (tmp_path / "x").write_text("-5\n-6\n")
    read_scores(tmp_path / "x", SUITE)
    assert "every score is negative, and lower is taken as better" in capsys.readouterr().err
    read_scores(tmp_path / "x", SUITE, maximize=True)
    (tmp_path / "x").write_text("-5\n6\n")
    read_scores(tmp_path / "x", SUITE)
    assert not capsys.readouterr().err


def test_decimal_commas_are_not_translations(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("1,5\n2,5\n")
    with pytest.raises(KontrastError, match="line 1: expected a number, found '1,5'"):
        evaluate(SUITE, tmp_path / "x")
