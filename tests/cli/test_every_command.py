"""What holds for every command: it loads, explains itself, starts fast, and answers wrong input in one line."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from kontrast.cli import COMMANDS, kontrast, main


def _all(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every command with its words, those of groups too."""
    ctx = click.Context(group)
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        assert command is not None, name
        if command.hidden:
            continue
        yield (*path, name)
        if isinstance(command, click.Group):
            yield from _all(command, (*path, name))


def _command(words: tuple[str, ...]) -> click.Command:
    command: click.Command | None = kontrast
    for word in words:
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), word)
    assert command is not None
    return command


EVERY = list(_all(kontrast))


def run(*args: str) -> int:
    with pytest.raises(SystemExit) as exit:
        main(list(args))
    code = exit.value.code
    return code if isinstance(code, int) else 0


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_help_has_an_example(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*words, "--help") == 0
    text = capsys.readouterr().out
    assert "Example" in text
    assert f"  kontrast {' '.join(words)}" in text.split("Example", 1)[1]


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_options_of_examples_exist(words: tuple[str, ...]) -> None:
    command = _command(words)
    if isinstance(command, click.Group):
        return
    known = {name for p in command.params for name in (*p.opts, *p.secondary_opts)}
    called = f"kontrast {' '.join(words)} "
    lines = [line for line in (command.epilog or "").replace("\\\n", " ").splitlines() if called in line]
    used = {word for line in lines for word in shlex.split(line, comments=True) if word.startswith("--")}
    assert used <= known


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_same_thing_same_name(words: tuple[str, ...]) -> None:
    """An option means one thing: these take the same kind of value wherever they are."""
    flags = {"--json", "--maximize"}
    for option in _command(words).params:
        for name in option.opts:
            if name in flags and not option.secondary_opts:
                assert isinstance(option, click.Option) and option.is_flag, name
            if name == "--seed" and words != ("split",):  # which takes several, with commas
                assert isinstance(option.type, (click.types.IntParamType, click.IntRange)), name


def test_summaries_are_those_of_the_table() -> None:
    assert list(COMMANDS) == [words[0] for words in EVERY if len(words) == 1]


def test_commands_load_no_heavy_library_for_help() -> None:
    assert _modules("--help").isdisjoint({"numpy", "torch", "rich", "spacy", "msgspec", "sacrebleu", "transformers"})
    for name in COMMANDS:
        assert _modules(name, "--help").isdisjoint({"torch", "spacy", "transformers", "pandas", "altair"}), name


def test_original_style_needs_neither_numpy_nor_torch(golden: Path) -> None:
    folder = golden / "lingeval97"
    loaded = _modules("evaluate", str(folder / "suite.json"), str(folder / "system.scores"), "--style", "original")
    assert "kontrast.testsets.lingeval97" in loaded
    assert loaded.isdisjoint({"numpy", "torch", "sacrebleu", "rich"})


def _modules(*args: str) -> set[str]:
    """The modules that a command has imported when it is done."""
    program = (
        "import sys\nfrom kontrast.cli import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit as done:\n    assert not done.code, done.code\n"
        "print(' '.join(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program, *args], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


WRONG = {
    "suites": "show no-such-suite",
    "init": "--pair english new.csv",
    "publish": "truncated.json --to out",
    "describe": "demo:de --by no_such_tag",
    "convert": "truncated.json out.jsonl",
    "lint": "truncated.json",
    "documents": "lines.ids lines.en lines.de --out out",
    "exclude": "lines.en missing.de --suite demo:de --out out",
    "extract": "demo:de --documents missing --out out",
    "score": "demo:de --model file:two.scores --out out",
    "translate": "demo:de --model hf:./no-such-model --out out.txt",
    "evaluate": "demo:de two.scores",
    "compare": "demo:de two.scores two.scores",
    "check": "demo:de lines.de",
    "metrics": "demo:de --metric NoSuchMetric --out out",
    "context": "demo:de --without two.scores --with two.scores",
    "cues": "demo:de --model command:false --context prev:9",
    "artefacts": "demo:de two.scores",
    "items": "demo:de two.scores",
    "shorten": "demo:de two.scores --size 9 --out out.jsonl",
    "memory": "demo:de --model command:false",
    "cite": "no-such-suite",
    "correlate": "two.scores --human lines.de",
    "report": "demo:de two.scores --out out.html",
    "gate": "demo:de two.scores --config unknown-key.toml --junit out.xml",
    "perturb": "--lang de --types no_such_type lines.de --out out",
    "build": "pronouns --pair en-de --documents missing --out out.json",
    "languages": "--pair nonsense",
    "count": "missing.conllu --out out",
    "divergence": "missing.counts --train lines.ids --test lines.ids",
    "split": "missing.counts --out out",
    "generalise": "--at 0 lines.de missing --at 1 lines.de lines.de --report out.html",
    "review": "demo:de --order nonsense",
    "store": "info --store missing.sqlite",
    "demo": "--out lines.de",
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "truncated.json").write_text('[{"source": "a", ')
    (tmp_path / "two.scores").write_text("1\n2\n")
    (tmp_path / "unknown-key.toml").write_text("[gate]\nacuracy = 0.9\n")
    for ending in ("ids", "en", "de"):
        (tmp_path / f"lines.{ending}").write_text("a\nb\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "doctor"])  # it takes no input
def test_wrong_input_is_one_line_and_leaves_nothing(name: str, here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = sorted(here.rglob("*"))
    assert run(name, *WRONG[name].split()) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("kontrast: ") and err.count("\n") == 1 and "Traceback" not in err
    assert sorted(here.rglob("*")) == before


@pytest.mark.parametrize("args", ["no-such-command", "evaluate", "evaluate demo:de x --ties no", "split x --no-such"])
def test_wrong_usage_is_one_line(args: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*args.split()) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and "--help)" in err


def test_without_a_command_there_is_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 2
    assert "Start here:" in capsys.readouterr().err
