"""Every command block of the pages runs, page by page, in a folder with small files of the names that it uses.

What cannot run here is in `NOT_RUN` with the reason (tests/test_docs.py still checks its command and options), and
what takes the place of a large model, a server or a long run is in `STAND_INS`. Nothing else is left out.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.conftest import SHARED
from tests.pages import folder as world
from tests.pages.blocks import PAGES, ROOT, Block, blocks

import kontrast
from kontrast.cli import main

NOT_RUN = {
    r"^(make|pip|python3 -m venv)\b": "an installation: tests/test_wheel.py makes one, CI itself is `make test`",
    r"^python (benchmarks|training)/": "research and training: hours, or published data",
    r"zsh_source|fish_source": "another shell",
    r"^python -m spacy download\b": "the network",
    r"^kontrast suites get\b": "the network; tests/suites/test_catalogue.py has copies on disk",
    r"--on ray": "a cluster; tests/test_cluster.py starts one",
    r"es_core_news_md": "a spaCy pipeline that the tests do not install",
    r"^kontrast review .*--export": "decisions of a person; tests/review makes some",
    r"apertium:isl": "a Debian package that the tests do not install",
    r"mine\.pipes": "a plug-in that has to be installed first; tests/test_plugins.py does that",
    r"hf:xlm-roberta-base": "a model of the hub; tests/scoring/test_masked.py makes small ones of its kind",
    r"hf://": "the network; tests of the hub read a folder in its layout",
    r"^pearmut\b|pearmut:": "people and their server; tests/suites/test_pearmut.py starts the real one",
    r"lm-eval:": "logs of a harness run; tests/scoring/test_lm_eval.py makes some with the real package",
}
"""By a pattern of the command: why it is not run."""

STAND_INS = [
    (r"hf:(Helsinki-NLP/[\w-]+|facebook/[\w-]+)", "hf:./my-model"),
    (r"ENGINE:NAME|(?<=--model )…", "tiny"),
    (r"(?<=store export --model )NAME", "kontrast-tiny"),
    (r"http://localhost:8000/v1|http://one:8000/v1|URL\b", "$SERVER"),
    (r"http://two:8000/v1", "$SECOND"),
    (r"sglang:MODEL@http://localhost:30000/v1", "sglang:small@$SGLANG"),
    (r"\$SERVER(?= --mode judge)", "$JUDGE"),
    (r"openai:MODEL", "openai:small"),
    (r"init --pair en-pt mine", "init --pair en-de mine"),
    (r"BERTScore:xlm-roberta-base", "BERTScore:$ENCODER"),
    (r"de_core_news_lg", "rules"),
    (r"--size 500", "--size 10"),
    (r"--max-calls 20000", "--max-calls 300"),
    (r"prev:0\.\.5", "prev:0..2"),
    (r"\bcontrapro(?= --| plain)", "contrapro.json"),
    (r"\b(demo:de)\b(?!\?)", world.GERMAN),
    (r"\b(demo:fr)\b(?!\?)", world.FRENCH),
    (r"\b(demetr-x-en)\b", "demetr-x-en?limit=10"),
    (r"(?<=testset-en-fr.json )FILE", "french.scores"),
    (r"\bFILE\b", "system.scores"),
    (r"--outputs JSON --categories A,B", "--outputs '{}' --categories np_agreement"),
    (r"SOURCE REFERENCE", "news.en news.refA.de"),
    (r" --preset authors", ""),
    (r"\bpro-errors\b", "pro-mistranslations-en-de"),
    (r"\b(pro-mistranslations-en-de)(?= --metric)", r"\1?limit=10"),
]
"""What the pages leave to the reader, and what would take long."""

SUITE_OF = {"report.md": world.FRENCH}
"""Of a page that names none; its score files are there for this one."""
PUBLISHED = ("contrapro-en-de", "large-contrastive-en-fr", "pro-mistranslations-en-de", "demetr-x-en")
"""Sets that a line needs as they are: it runs where they are beside this checkout."""
LATER = {
    "dbca.md": {
        "easy.out": "pud.splits/compound-0/test.de",
        "hard.out": "pud.splits/compound-1/test.de",
    },
    "generalise.md": {"a.de": "pud.splits/compound-1/test.de", "b.de": "pud.splits/compound-1/test.de"},
}
"""What the reader's own system writes between two commands."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("torch")
    from kontrast.scoring.engines.hf import TINY

    return world.make(tmp_path_factory.mktemp("pages"), Path(TINY))


@pytest.fixture(scope="module")
def servers() -> Iterator[dict[str, str]]:
    from tests.scoring.language_server import LanguageModel, application, serving

    with serving(application(LanguageModel())) as one, serving(application(LanguageModel())) as two:
        yield {
            "SERVER": f"{one}/vllm/v1",
            "SECOND": f"{two}/vllm/v1",
            "SGLANG": f"{one}/sglang/v1",
            "JUDGE": f"{one}/yesno/v1",
        }


def reason(command: str) -> str | None:
    return next((why for pattern, why in NOT_RUN.items() if re.search(pattern, command)), None)


@pytest.mark.parametrize("pattern", NOT_RUN)
def test_nothing_is_left_out_for_nothing(pattern: str) -> None:
    assert any(re.search(pattern, block.text) for page in PAGES for block in blocks(page))


def test_every_call_in_a_block_is_found() -> None:
    for page in PAGES:
        found = {line for block in blocks(page) for line in block.text.split("\n")}
        text = re.sub(r"^```(?:console|python)\n.*?^```", "", page.read_text("utf-8"), flags=re.M | re.S)
        for line in re.findall(r"^ {4,}(?:\S.* )?(kontrast [a-z].*)$", text, re.M):
            assert any(line.rstrip("\\").strip() in each for each in found), f"{page.name}: {line}"


RUN = [page for page in PAGES if any(block.kind != "toml" for block in blocks(page))]


@pytest.mark.parametrize("page", RUN, ids=lambda page: page.name)
def test_blocks_run(
    page: Path, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    place = tmp_path / "here"
    shutil.copytree(made, place, symlinks=True)
    if (place / page.stem).is_dir():
        shutil.copytree(place / page.stem, place, dirs_exist_ok=True)
    monkeypatch.chdir(place)
    monkeypatch.setenv(
        "PATH", os.pathsep.join([str(place / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
    )
    monkeypatch.setenv("UD", "UD")
    (place / "src").symlink_to(ROOT / "src")
    for name in PUBLISHED:
        if (SHARED / "data" / name).is_dir():
            (place / name).symlink_to(SHARED / "data" / name)
    if any("openai:" in block.text for block in blocks(page)):
        for name, address in request.getfixturevalue("servers").items():
            monkeypatch.setenv(name, address)
    if any("BERTScore" in block.text for block in blocks(page)):
        from kontrast.scoring.metrics.encoder import _minilm

        monkeypatch.setenv("ENCODER", _minilm("BERTScore", "", "en"))
    names: dict[str, object] = {"suite": kontrast.load(world.GERMAN)}
    for block in blocks(page):
        _run(page, block, names)


def _run(page: Path, block: Block, names: dict[str, object]) -> None:
    if block.kind == "toml":
        named = re.match(r"# (\S+\.toml)\n", block.text)
        Path(named[1] if named else "kontrast.toml").write_text(block.text, "utf-8")
    elif reason(block.text) is None:
        text = re.sub(r"\bSUITE\b", SUITE_OF.get(page.name, "suite.jsonl"), block.text)
        for pattern, instead in STAND_INS:
            text = re.sub(pattern, instead, text)
        if any(name in text and not Path(name).exists() for name in PUBLISHED):
            return
        if "apertium:" in text and shutil.which("lt-proc") is None:
            return
        if block.kind == "python":
            exec(compile(text, f"{page.name}:{block.line}", "exec"), names)
            return
        for name, origin in LATER.get(page.name, {}).items():
            if Path(origin).exists():
                shutil.copy(origin, name)
        for call in text.split(" && "):
            _call(call, f"{page.name}:{block.line}: {call}")


def _call(call: str, where: str) -> None:
    """In this process, which has loaded its libraries; a shell does what a shell must do."""
    if re.match(r"kontrast review (?!.*--export)", call):
        _serve(shlex.split(call)[1:], where)
    elif re.search(r" [|<>] |^(?!kontrast )", call):
        done = subprocess.run(["bash", "-c", call], capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{where}\n{done.stderr}"
    else:
        words = [
            found
            for word in shlex.split(os.path.expandvars(call), comments=True)[1:]
            for found in (sorted(map(str, Path().glob(word))) if word.startswith("*") else [word])
        ]
        with pytest.raises(SystemExit) as stop:
            main(words)
        allowed = (0, 1) if words[0] in ("gate", "lint", "doctor") or "--until" in words else (0,)
        assert (stop.value.code or 0) in allowed, where


def _serve(words: list[str], where: str) -> None:
    """The review app starts, answers under the link that it prints, and ends at Ctrl-C."""
    arguments = [sys.executable, "-m", "kontrast", *words, "--no-browser", "--port", "0"]
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as app:
        assert app.stdout is not None
        try:
            said = ""
            for line in app.stdout:
                said += line
                if line.startswith("press Ctrl+C"):
                    break
            [link] = re.findall(r"http://\S+", said) or [pytest.fail(f"{where}\n{said}")]
            with browser.open(link, timeout=60) as answer:
                assert answer.status == 200
        finally:
            app.send_signal(signal.SIGINT)
