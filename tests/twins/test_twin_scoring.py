"""Twins of scoring: the function gives what the command prints or writes."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

import kontrast

from .making import Command, agree, calls, contents, twin

CALLS = calls(
    {
        "score": (
            "score demo:fr --context prev:1 --side source --dry-run",
            lambda: kontrast.preview("demo:fr", context="prev:1", side="source"),
        ),
        "metrics": (
            "metrics demo:fr --metric chrF --references out.fr --resamples 200",
            lambda: kontrast.metrics("demo:fr", "chrF", references=["out.fr"], resamples=200),
        ),
        "store info": ("store info --store kept.sqlite", lambda: kontrast.store_info("kept.sqlite")),
        "metrics with spans": (
            "metrics demo:fr --only distance=1 --spans marked.jsonl",
            lambda: kontrast.metrics("demo:fr?only=distance=1", spans="marked.jsonl"),
        ),
    }
)


@pytest.mark.parametrize("name", CALLS)
def test_function_gives_what_the_command_prints(name: str, command: Command) -> None:
    agree(command, *CALLS[name])


@twin("score")
def test_score_writes_what_the_function_gives(command: Command) -> None:
    pytest.importorskip("transformers")
    options = ["--model", "tiny", "--context", "prev:1", "--threads", "1", "--no-store", "--name", "x"]
    command(["score", "demo:fr", *options, "--out", "tiny.scores"])
    made = kontrast.score("demo:fr", "tiny", context="prev:1", threads=1, store="s.sqlite", system="x")
    written = kontrast.read_scores("tiny.scores", tokens=True)
    assert (written.values, written.signature, written.system) == (made.values, made.signature, "x")
    again = kontrast.score("demo:fr", "tiny", context=kontrast.Context(), store=kontrast.Store("s.sqlite"))
    assert again.values != made.values and Path("s.sqlite").exists()


@twin("translate")
def test_translate_writes_what_the_function_gives(command: Command) -> None:
    Path("p.py").write_text("import sys\nfor line in sys.stdin: print(line.strip().upper())\n")
    model = f"command:{sys.executable} p.py"
    command(["translate", "demo:fr", "--model", model, "--context", "prev:1", "--scheme", "sep", "--out", "up.txt"])
    made = kontrast.translate("demo:fr", model, context="prev:1", scheme="sep")
    assert tuple(Path("up.txt").read_text("utf-8").splitlines()) == made.texts
    beside = json.loads(Path("up.txt.json").read_text("utf-8"))
    assert beside["signature"]["context"] == "prev:1,source,sep" and beside["aligned"] == made.aligned
    assert kontrast.check("demo:fr", "up.txt").total == len(made.texts)


@twin("store export", "store prune")
def test_store_is_exported_and_pruned(command: Command) -> None:
    lines = command("store export --store kept.sqlite --model some-model")
    printed = [json.loads(line) for line in lines.splitlines()]
    rows = list(kontrast.store_export("kept.sqlite", model="some-model"))
    assert json.loads(json.dumps(rows)) == printed and [row["target"] for row in rows] == ["b"]
    with pytest.raises(kontrast.KontrastError, match="has no model 'other'"):
        kontrast.store_prune("kept.sqlite", model="other")
    shutil.copy("kept.sqlite", "copy.sqlite")
    assert kontrast.store_prune("copy.sqlite", model="some-model").rows == 1
    assert not kontrast.store_info("copy.sqlite").models


@twin("translate")
def test_translated_documents_and_details_are_those_of_the_function(command: Command) -> None:
    Path("low.py").write_text("import sys\nfor line in sys.stdin: print(line.strip().lower())\n")
    model = f"command:{sys.executable} low.py"
    Path("plain").mkdir()
    Path("plain/a.en").write_text("ONE dog\nTWO\n")
    Path("plain/b.en").write_text("THREE\n")
    line = ["translate", "--documents", "plain", "--source", "en", "--target", "de", "--model", model, "--no-store"]
    command([*line, "--out", "cli.out", "--details", "cli.details"])
    languages: dict[str, Any] = {"source_language": "en", "target_language": "de"}
    kontrast.translate(None, model, documents="plain", out="api.out", details="api.details", **languages)
    assert contents("cli.out") == contents("api.out") == {"a.de": b"one dog\ntwo\n", "b.de": b"three\n"}
    assert Path("cli.details").read_bytes() == Path("api.details").read_bytes()
    with pytest.raises(kontrast.KontrastError, match="give a SUITE, or --documents DIR"):
        kontrast.translate(None, model)


def test_spans_do_not_go_with_other_questions(command: Command) -> None:
    for option in ({"metric": ["chrF"]}, {"limit": 3}, {"out": "scores"}):
        with pytest.raises(kontrast.KontrastError, match="cannot be used with --spans"):
            kontrast.metrics("demo:fr", spans=["marked.jsonl"], **option)  # type: ignore[call-overload]
