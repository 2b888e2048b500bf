"""The pages: every command they name exists with its options, every link leads somewhere, the tour is true."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from kontrast.cli import kontrast

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


def _calls(page: Path) -> Iterator[str]:
    """Calls of kontrast in code blocks, fenced or indented, lines that go on joined."""
    text = re.sub(r"\\\n\s*", "", page.read_text("utf-8"))
    fenced = re.findall(r"^```(?:console|text|bash|yaml)?\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    indented = re.findall(r"^ {4}kontrast .*$", text, re.MULTILINE)
    for line in [line for block in fenced for line in block.splitlines()] + indented:
        for part in re.split(r"[|;&]+ ", line.strip()):
            call = re.match(r"(?:\$ |- run: )?(kontrast [a-z].*)", part.strip())
            if call and "…" not in call[1] and "[" not in call[1]:
                yield call[1]


CALLS = [pytest.param(call, id=f"{page.name}: {call[:60]}") for page in PAGES for call in _calls(page)]


def test_there_are_calls() -> None:
    assert len(CALLS) > 60


@pytest.mark.parametrize("call", CALLS)
def test_command_and_options_exist(call: str) -> None:
    words = shlex.split(call, comments=True)[1:]
    command: click.Command = kontrast
    while isinstance(command, click.Group) and words:
        found = command.get_command(click.Context(command), words.pop(0))
        assert found is not None, call
        command = found
    known = {name for p in command.params for name in (*p.opts, *p.secondary_opts)} | {"--help"}
    used = {word.partition("=")[0] for word in words if re.match(r"--[a-z]", word)}
    assert used <= known


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text("utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "README.md").read_text("utf-8")
    pages = {path.name for path in (ROOT / "docs").iterdir() if path.suffix in (".md", ".json")} - {"README.md"}
    assert pages <= set(re.findall(r"\]\(([^)]+)\)", index))


def test_no_place_of_this_machine_is_named() -> None:
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    places = re.compile(r"(?<![\w.:/])/(?:work|root|home)/\w")
    texts = [ROOT / name for name in tracked.split("\0") if name.endswith((".py", ".md", ".toml", ".txt", ".json"))]
    assert [str(path) for path in texts if path.exists() and places.search(path.read_text("utf-8"))] == []


def test_reference_pages_are_those_of_the_code() -> None:
    done = subprocess.run(
        [sys.executable, "tools/reference.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_model_card_and_page_have_the_same_figures() -> None:
    page = (ROOT / "docs" / "kontrast-tiny.md").read_text("utf-8")
    card = (ROOT / "src/kontrast/data/kontrast-tiny/README.md").read_text("utf-8")
    figures = page[page.index("`python benchmarks/tiny.py`") : page.index("## How it was made")].strip()
    assert figures in card


def test_messages_that_the_troubleshooting_page_explains_are_there() -> None:
    headings = re.findall(r"^### (.*)$", (ROOT / "docs" / "troubleshooting.md").read_text("utf-8"), re.MULTILINE)
    code = "\n".join(path.read_text("utf-8") for path in (ROOT / "src" / "kontrast").rglob("*.py"))
    told = {message for heading in headings for message in re.findall(r"`([^`]+)`", heading)}
    assert len(told) > 20
    assert {message for message in told if message not in code} == set()


def test_site_has_no_warning(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", "docs", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "toctree-l1" in (tmp_path / "README.html").read_text("utf-8")


def test_notebook_runs() -> None:
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(ROOT / "docs" / "tutorial.ipynb", as_version=4)
    NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    last = notebook.cells[-1].outputs[-1]["data"]["text/plain"]
    assert last == "True"


def test_readme_shows_what_its_commands_print() -> None:
    done = subprocess.run(
        [sys.executable, "tools/readme.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_every_option_says_what_it_is() -> None:
    def silent(command: click.Command, path: str) -> Iterator[str]:
        context = click.Context(command)
        for name in command.list_commands(context) if isinstance(command, click.Group) else ():
            below = command.get_command(context, name)
            assert below is not None
            yield from silent(below, f"{path} {name}")
        for option in command.params:
            if isinstance(option, click.Option) and not option.help and not option.hidden:
                yield f"{path} {option.opts[0]}"

    assert list(silent(kontrast, "kontrast")) == []
