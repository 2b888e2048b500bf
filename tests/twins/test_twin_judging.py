"""Twins of judging: the function gives what the command prints or writes."""

from __future__ import annotations

from pathlib import Path

import pytest

import kontrast

from .making import Command, agree, calls

CALLS = calls(
    {
        "evaluate": (
            "evaluate demo:fr a.scores --by distance --ties wrong",
            lambda: kontrast.evaluate("demo:fr", "a.scores", by=["distance"], ties="wrong"),
        ),
        "evaluate two": (
            "evaluate demo:fr a.scores base=a.scores,b.scores --maximize",
            lambda: kontrast.evaluate("demo:fr", "a.scores", "base=a.scores,b.scores", maximize=True),
        ),
        "compare": (
            "compare demo:fr a.scores b.scores --test mcnemar --by distance --resamples 200",
            lambda: kontrast.compare(
                "demo:fr", "a.scores", Path("b.scores"), test="mcnemar", by="distance", resamples=200
            ),
        ),
        "check": ("check demo:fr out.fr --by distance", lambda: kontrast.check("demo:fr", "out.fr", by="distance")),
        "check with scores": (
            "check demo:fr out.fr --scores a.scores",
            lambda: kontrast.check("demo:fr", "out.fr", scores="a.scores"),
        ),
        "gate": (
            "gate demo:fr a.scores --config gate.toml",
            lambda: kontrast.gate("demo:fr", "a.scores", "gate.toml"),
        ),
        "correlate": (
            "correlate good.seg.score bad.seg.score --human people.seg.score --minimize bad --resamples 200",
            lambda: kontrast.correlate(
                ["good.seg.score", "bad.seg.score"], "people.seg.score", minimize=["bad"], resamples=200
            ),
        ),
    }
)


@pytest.mark.parametrize("name", CALLS)
def test_function_gives_what_the_command_prints(name: str, command: Command) -> None:
    agree(command, *CALLS[name])


def test_original_evaluation_takes_files(command: Command) -> None:
    kontrast.convert("demo:de", "own.json", to_format="contrapro")
    suite = kontrast.load("own.json")
    Path("own.scores").write_text("".join(f"{(7 * i) % 11}\n" for i in range(suite.row_count)))
    printed = command("evaluate own.json own.scores --style original --maximize")
    assert kontrast.evaluate_original("own.json", "own.scores", maximize=True) == printed
    assert kontrast.evaluate_original(suite, Path("own.scores"), maximize=True) == printed
    read = kontrast.read_scores("own.scores", suite, maximize=True)
    assert kontrast.evaluate_original("own.json", read) == printed
    with pytest.raises(kontrast.KontrastError, match="has no --fd"):
        kontrast.evaluate_original("own.json", "own.scores", fd=True)
