"""Every command with hostile files in every place where it reads one: it answers, or refuses in one line.

A new command fails `test_every_command_is_here` until its line is in `CALLS`.
"""

from __future__ import annotations

import json
import random
import shlex
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

import kontrast
from kontrast import Item, Suite, Variant
from kontrast.cli import COMMANDS, main

SCORER = "--model 'command:sed s/.*/1/' --option fingerprint=1"
CALLS = {
    "suites": ["get contrapro --from {h}"],
    "describe": ["{h}", "{h} --json"],
    "convert": ["{h} out.json --to contrapro", "{h} out.jsonl", "{h} out.csv", "{h} out --to lingeval97"],
    "lint": ["{h}"],
    "publish": [
        "{h} --to out-{h} --licence MIT",
        "demo:de --to cited-{h} --citation {h}",
        "demo:de me/x={h} --to r-{h}",
    ],
    "cite": ["{h}", "demo:de {h}"],
    "documents": ["{h} a.en a.de --out out", "a.ids {h} a.de --out out"],
    "exclude": ["{h} a.de --suite demo:de --out out", "a.en a.de --suite {h} --out out"],
    "extract": ["{h} --out out", "{h} --style original --out out"],
    "score": [
        f"{{h}} {SCORER} --out out --store s.sqlite",
        "demo:de --model file:{h} --out out",
        f"demo:de {SCORER} --out out --store {{h}}",
        f"demo:de {SCORER} --out out --config {{h}} --context prev:1 --scheme mine",
    ],
    "translate": [
        "{h} --model command:cat --option fingerprint=1 --out out --store s.sqlite",
        "demo:de --model command:cat --option fingerprint=1 --out out --store {h}",
    ],
    "evaluate": ["{h} two.scores", "demo:de {h}", "{h} {h} --by phenomenon", "{h} two.scores --style original"],
    "compare": ["{h} two.scores two.scores", "demo:de a.scores {h}"],
    "check": ["{h} a.de", "demo:de {h}"],
    "metrics": ["{h} --metric chrF", "demo:de --metric {h}"],
    "report": [
        "{h} two.scores --out out.html",
        "demo:de {h} --out out.html",
        "demo:de a.scores --also {h} --out o.html",
    ],
    "gate": ["{h} two.scores --config gate.toml", "demo:de {h} --config gate.toml", "demo:de a.scores --config {h}"],
    "perturb": ["--lang de {h} --out out"],
    "build": [
        "errors --pair en-de {h} a.de --out out.jsonl",
        "agreement {h} {h} --out out.jsonl",
        "pronouns --pair en-de --documents {h} --out out.json",
        "metrics-it a.en a.de --alignment {h} --out out.jsonl",
        "metrics-it {h} a.de --out out.jsonl",
        "alignment {h} a.de --out out",
    ],
    "context": ["{h} --without two.scores --with two.scores", "demo:de --without a.scores --with {h}"],
    "cues": [f"{{h}} {SCORER} --context prev:1 --store s.sqlite", f"demo:de {SCORER} --context prev:1 --store {{h}}"],
    "artefacts": ["{h} two.scores", "demo:de {h}"],
    "items": ["{h} two.scores two.scores", "demo:de a.scores {h}"],
    "shorten": [
        "{h} two.scores two.scores --size 9 --out out.jsonl",
        "demo:de a.scores {h} --size 9 --out out.jsonl",
    ],
    "memory": [f"{{h}} {SCORER} --store s.sqlite", f"demo:de {SCORER} --store {{h}}"],
    "correlate": ["a.scores --human {h}", "{h} --human human.tsv"],
    "review": [
        "{h} --export out",
        "demo:de --store {h} --export out",
        "demo:de --guidelines {h} --export out",
        "demo:de --scores {h} --export out",
    ],
    "languages": ["--pair {h}"],
    "init": ["{h} --pair en-de"],
    "count": ["{h} --out out", "a.conllu --parallel {h} --out out"],
    "divergence": ["{h} --train a.ids --test a.ids"],
    "split": ["{h} --out out"],
    "generalise": ["--at 0 {h} a.de --at 1 a.de a.de", "--at 0 a.de a.de --at 1 a.de {h}"],
    "store": ["info --store {h}", "export --store {h} --out out", "prune --unused 0 --store {h}"],
}
WITHOUT_FILES = {"doctor", "demo"}


def _suite(change: Callable[[str], str], length: int = 1) -> bytes:
    """A suite whose every text has been changed."""
    word = change("text")
    item = {
        "id": word,
        "source": word * length,
        "variants": [{"text": f"a {word * length}"}, {"text": f"b {word * length}", "error": word}],
        "document": word,
        "source_context": [word],
        "tags": {word: word, "phenomenon": word},
    }
    header = {"kontrast": 1, "name": word, "source_language": word, "target_language": word}
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in (header, item)).encode()


def _texts(text: str, length: int = 1) -> Callable[[Path], None]:
    """A suite that can be read, with this within every text."""

    def write(path: Path) -> None:
        variants = (Variant(f"a {text * length}"), Variant(f"b {text * length}", error="x"))
        item = Item("1", text * length, variants, document="d", tags={"phenomenon": text, "x": text})
        kontrast.save(Suite("s", (item,), "en", "de"), path)

    return write


def _bytes(data: bytes) -> Callable[[Path], None]:
    return lambda path: path.write_bytes(data) and None


HOSTILE: dict[str, Callable[[Path], None]] = {
    "traversal": _bytes(_suite(lambda word: f"x/../../../escaped-{word}")),
    "absolute": _bytes(_suite(lambda word: f"/{word}/escaped")),
    "nul": _bytes(_suite(lambda word: f"{word}\0{word}")),
    "controls": _texts("\x1b]0;title\x07\x1b[2J word"),
    "separator": _texts("one\u2028two\u2029three\x85four"),
    "long": _texts("word ", 8000),
    "deep": _bytes(b"[" * 100_000),
    "huge": _bytes(b"1e308\n" * 2000),
    "rows": lambda path: path.write_text("1e308\n-1e308\n" * (kontrast.bundled("demo:de").row_count // 2)) and None,
    "empty": _bytes(b""),
    "binary": _bytes(random.Random(1).randbytes(3000)),
    "folder": lambda path: path.mkdir(),
    "device": lambda path: path.symlink_to("/dev/null"),
}


def test_every_command_is_here() -> None:
    assert set(COMMANDS) == set(CALLS) | WITHOUT_FILES, "give the new command a line in CALLS"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "a" / "b" / "here"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("KONTRAST_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("KONTRAST_STORE", str(tmp_path / "store.sqlite"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    Path("a.scores").write_text("".join(f"{n * 7 % 11}\n" for n in range(kontrast.bundled("demo:de").row_count)))
    Path("two.scores").write_text("1\n2\n")
    Path("gate.toml").write_text("[gate]\naccuracy = 0.1\n")
    Path("human.tsv").write_text("system\titem\tscore\na\t1\t1\nb\t1\t2\n")
    Path("a.conllu").write_text("# text = a\n1\ta\ta\tNOUN\t_\t_\t0\troot\t_\t_\n\n")
    for ending in ("ids", "en", "de"):
        Path(f"a.{ending}").write_text("1\n2\n")
    return tmp_path


def _outcome(arguments: list[str]) -> int:
    """The exit status of a call; more than a minute is too much for files this small."""

    def late(*_: object) -> None:
        raise AssertionError(f"more than 60 s of CPU time: {arguments}")

    signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, 60)
    try:
        main(arguments)
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else int(done.code is not None)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


@pytest.mark.parametrize(("name", "calls"), CALLS.items())
def test_hostile_files(name: str, calls: list[str], here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    wrong, accepted = [], set()
    for kind, write in HOSTILE.items():
        path = Path(f"{kind}.jsonl")
        write(path)
        for call in calls:
            status = _outcome([name, *shlex.split(call.format(h=path))])
            out, err = capfd.readouterr()
            accepted |= {kind} if status == 0 else set()
            told = [line for line in err.splitlines() if line.startswith("kontrast")]
            sound = status in (0, 1) or (status == 2 and told and told[-1] == err.splitlines()[-1])
            if not sound or any(sign in err + out for sign in ("unexpected", "Traceback", "\x1b")):
                wrong.append(f"{kind}: {name} {call}: status {status}: {(out + err)[-300:]!r}")
    assert not wrong, "\n".join(wrong)
    if name in ("describe", "convert", "evaluate", "report", "score"):
        assert accepted >= {"controls", "separator", "long"}, "what is odd but sound is read, and shown without harm"
    outside = {path.name for path in here.rglob("*") if not path.is_relative_to(Path.cwd())}
    assert outside <= {"a", "b", "here", "cache", "suites", "store.sqlite"}, outside
