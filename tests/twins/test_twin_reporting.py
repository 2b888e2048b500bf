"""Twins of reporting: the function gives what the command prints or writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kontrast

from .making import Command, agree, calls, contents, plain, twin

CALLS = calls(
    {
        "doctor": ("doctor", kontrast.doctor),
    }
)


@pytest.mark.parametrize("name", CALLS)
def test_function_gives_what_the_command_prints(name: str, command: Command) -> None:
    agree(command, *CALLS[name])


@twin("report")
def test_report_writes_what_the_function_gives(command: Command) -> None:
    command(["report", "demo:fr", "a.scores", "b.scores", "--resamples", "200", "--out", "r.json"])
    made = kontrast.report("demo:fr", "a.scores", "b.scores", resamples=200)
    assert json.loads(Path("r.json").read_text("utf-8")) == made.to_dict()


@twin("demo")
def test_demo_is_the_function(command: Command) -> None:
    pytest.importorskip("transformers")
    pytest.importorskip("altair")
    printed = command("demo --suite demo:fr --out shown --json")
    assert plain(kontrast.demo("shown", suites=("demo:fr",))) == json.loads(printed)


@twin("review")
def test_review_exports_what_the_functions_write(command: Command) -> None:
    kontrast.save(kontrast.load("demo:fr")[:4], "few.jsonl")
    review = kontrast.open_review("few.jsonl", guidelines=None, order="file")
    reader = review.store.annotator("Anna")
    for entry, verb in enumerate(["accept", "reject", "accept"]):
        review.store.decide(entry, reader, verb)
    made = kontrast.export_review(review, "api-review", "contrapro", undecided="keep")
    review.close()
    printed = command("review few.jsonl --order file --export cli-review --to contrapro --keep-undecided --json")
    assert plain(made) == json.loads(printed.replace("cli-review", "api-review"))
    assert made.accepted == 2 and contents("cli-review") == contents("api-review") != {}
