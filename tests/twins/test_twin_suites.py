"""Twins of suites: the function gives what the command prints or writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kontrast

from .making import Command, agree, calls, contents, twin

CALLS = calls(
    {
        "describe": (
            "describe demo:fr --by ref_pronoun,distance",
            lambda: kontrast.describe("demo:fr", "ref_pronoun,distance"),
        ),
        "lint": ("lint demo:fr --strict", lambda: kontrast.lint("demo:fr", strict=True)),
        "convert": (
            "convert demo:fr new.json --to contrapro",
            lambda: kontrast.convert("demo:fr", "new.json", to_format="contrapro"),
        ),
        "extract": ("extract demo:fr --out text --context 1", lambda: kontrast.extract("demo:fr", "text", context=1)),
        "exclude": (
            "exclude text.en text.de --suite demo:de",
            lambda: kontrast.exclude(["text.en", "text.de"], "demo:de"),
        ),
        "suites list": (
            "suites list --lang en-de --kind suite",
            lambda: kontrast.entries("en-de", "suite"),
        ),
        "suites get": (
            "suites get contrapro --from few.contrapro.json",
            lambda: kontrast.fetch_suite("contrapro", source="few.contrapro.json"),
        ),
        "suites show": ("suites show contrapro", lambda: kontrast.entry("contrapro")),
    }
)


@pytest.mark.parametrize("name", CALLS)
def test_function_gives_what_the_command_prints(name: str, command: Command) -> None:
    agree(command, *CALLS[name])


@twin("cite")
def test_cite_with_scores(command: Command) -> None:
    rows = kontrast.load("demo:fr").row_count
    Path("c.scores").write_text("".join(f"{(7 * i) % 11}\n" for i in range(rows)))
    method, bibtex = kontrast.describe_method("demo:fr", "c.scores"), kontrast.cite("demo:fr", "kontrast")
    assert command("cite demo:fr c.scores") == f"{method}\n\n{bibtex}\n"
    assert "95% confidence intervals (jackknife over 22 documents)" in method and "@software{kontrast" in bibtex


@twin("suites cite")
def test_citations_are_those_of_the_command(command: Command) -> None:
    printed = command("suites cite contrapro contrapro lingeval97")
    assert kontrast.cite("contrapro", "contrapro", "lingeval97") + "\n" == printed


@twin("documents")
def test_documents_are_those_of_the_command(command: Command) -> None:
    Path("opus.ids").write_text(
        "en/2001/7/8.xml.gz\tde/2001/7/9.xml.gz\t1\t1\nen/2002/1/2.xml.gz\tde/2002/1/3.xml.gz\t1\t1\n"
    )
    printed = command("documents opus.ids text.en text.de --out cli-documents --json")
    made = kontrast.documents("opus.ids", "text.en", "text.de", "api-documents")
    assert {**made.to_dict(), "folder": "cli-documents"} == json.loads(printed)
    assert made.documents == 2 and contents("cli-documents") == contents("api-documents") != {}


@twin("publish")
def test_publish_writes_what_the_function_writes(command: Command) -> None:
    printed = command("publish demo:fr --to cli-set --json")
    made = kontrast.publish("demo:fr", "api-set")
    assert {**made.to_dict(), "folder": "cli-set"} == json.loads(printed)
    assert contents("cli-set") == contents("api-set") != {}


def test_published_results_are_those_of_the_function(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    Path("a.scores").write_text("1\n2\n" * 176)
    command("publish demo:fr me/mine=a.scores --to cli-results --evaluator me")
    kontrast.publish("demo:fr", "api-results", "me/mine=a.scores", evaluator="me")
    assert contents("cli-results") == contents("api-results") != {}


@twin("init")
def test_init_writes_what_the_function_writes(command: Command) -> None:
    command("init --pair en-pt cli.csv")
    assert kontrast.init("api.csv", "en-pt").read_bytes() == Path("cli.csv").read_bytes()


def test_lint_ends_with_the_size_of_the_suite(command: Command) -> None:
    found = kontrast.lint("demo:fr")
    last = command("lint demo:fr").splitlines()[-1]
    assert last.startswith(f"{found.suite}: {found.items} items, {found.rows} rows; 0 errors, ")
    assert list(found) == found and found.items == len(kontrast.load("demo:fr"))
