"""One template for every engine: fields are checked before the run, and nothing else is in braces."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kontrast import Item, Suite, Variant, preview
from kontrast.cli import main
from kontrast.errors import KontrastError
from kontrast.scoring.engine import EngineOptions, Group
from kontrast.scoring.engines import load_engine
from kontrast.scoring.engines.openai.prompts import templates
from kontrast.scoring.template import escape, parse_template, source_template, template_text

GROUP = Group("Hi. It rains.", (), sentence="It rains.", context=("Hi.",))
OPTIONS = EngineOptions(source_language="en", target_language="de")
SUITE = Suite("s", (Item("1", "It rains.", (Variant("Es regnet."), Variant("Er regnet."))),), "en", "de")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{sorce} {source}", r"\{sorce\} is not a field"),
        ("{source.__class__}", r"\{source.__class__\} is not a field"),
        ("{source[0]}", r"is not a field"),
        ("{source!r}", "is not a field"),
        ("{source:>10}", "is not a field"),
        ("{} {source}", r"\{\} is not a field"),
        ("{0} {source}", "is not a field"),
        ("{source} {", "is not a field"),
        ("} {source}", "is not a field"),
        ("{source} {target} {target}", "twice"),
        ("{context}", r"expected \{source\}"),
        ("{target} {source}", r"expected \{source\} before \{target\}"),
    ],
)
def test_refused(text: str, said: str) -> None:
    with pytest.raises(KontrastError, match=said):
        parse_template(text)
    with pytest.raises(KontrastError):
        source_template(text, OPTIONS)


def test_fields_on_both_sides_of_the_target() -> None:
    template = parse_template("{{x}} {context}|{source} -> {target} ({target_language} of {source})\n")
    assert template.render(GROUP, OPTIONS) == "{x} Hi.|It rains. -> "
    assert template.close(GROUP, OPTIONS) == " (German of It rains.)\n"


@given(st.text(alphabet="ab{} \n"))
def test_an_escaped_text_stands_for_itself(text: str) -> None:
    assert parse_template(escape(text) + "{source}").render(GROUP, OPTIONS) == text + "Hi. It rains."


def test_a_source_that_looks_like_a_field_is_text() -> None:
    group = Group("{target_language} {x", ())
    assert parse_template("{source}: {target}").render(group, OPTIONS) == "{target_language} {x: "


def test_a_file_is_taken_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "prompt.txt"
    path.write_text("{source}\\n\n{target_language}:\n")
    assert template_text(f"@{path}") == "{source}\\n\n{target_language}:\n"
    assert template_text(r"{source}\n") == "{source}\n"
    shown = preview(SUITE, f"command:{sys.executable}", template=f"@{path}").shown
    assert shown[0].source == "It rains.\\n\nGerman:\n"


def test_names_of_the_server_templates() -> None:
    assert [template.name for template in templates(None)] == ["label"]
    with pytest.raises(KontrastError, match="expected names among"):
        templates("nosuch")


@pytest.mark.parametrize("template", ["{sorce}", "{source} {target}", "no field"])
def test_every_engine_refuses_before_the_run(template: str, tmp_path: Path) -> None:
    """Encoder-decoders read no target; a wrong field is refused when the engine is loaded."""
    torch = pytest.importorskip("torch")
    assert torch
    for name in ("a.npz", "s.yml", "t.yml"):
        (tmp_path / name).write_bytes(b"x")
    extra = {"vocabs": f"{tmp_path}/s.yml,{tmp_path}/t.yml", "scorer": "true"}
    options = EngineOptions(source_language="en", target_language="fr", template=template)
    for model, more in (("tiny", {}), ("command:true", {}), (f"marian:{tmp_path}/a.npz", extra)):
        with pytest.raises(KontrastError, match="--template"):
            load_engine(model, EngineOptions(template=template, target_language="fr", extra=more))
    if "{target}" not in template:
        with pytest.raises(KontrastError, match="--template"):
            load_engine("openai:x@http://127.0.0.1:9/v1", options)


def test_tokens_of_a_dry_run(capsys: Any, tmp_path: Path) -> None:
    pytest.importorskip("torch")

    def run(*given: str) -> tuple[int, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(["score", "demo:fr", "--dry-run", "--show", "1", *given])
        return (int(ended.value.code or 0), *capsys.readouterr())

    code, out, _ = run("--model", "tiny", "--tokens")
    assert code == 0 and "▁" in out
    code, out, err = run("--model", "tiny", "--context", "prev:1", "--scheme", " [CTX] ", "--tokens")
    assert code == 0 and " [CTX] " in out
    assert "has no token [CTX]: the model reads" in err
    code, out, err = run("--model", "tiny", "--context", "prev:1")
    assert code == 0 and "has no token" not in err, "its own separator is in its vocabulary"
    code, out, err = run("--tokens")
    assert code == 2 and "--tokens: give a --model" in err
