"""Python is the command line's twin: the function gives what the command prints with ``--json``."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import kontrast
from kontrast.cli import COMMANDS, main

TREES = """\
1\tdogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_
2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_

1\tcats\tcat\tNOUN\t_\t_\t2\tnsubj\t_\t_
2\tsleep\tsleep\tVERB\t_\t_\t0\troot\t_\t_

1\tdogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_
2\tsleep\tsleep\tVERB\t_\t_\t0\troot\t_\t_

"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Score files, translations, a gate, trees and parallel text."""
    place = tmp_path_factory.mktemp("twin")
    suite = kontrast.load("demo:fr")
    for name, factor in (("a", 7), ("b", 5)):
        (place / f"{name}.scores").write_text("".join(f"{(factor * i) % 11}\n" for i in range(suite.row_count)))
    (place / "out.fr").write_text("".join(f"{item.best.text}\n" for item in suite))
    (place / "gate.toml").write_text('[gate]\naccuracy = 0.4\n[gate.baseline]\nscores = "b.scores"\n')
    (place / "trees.conllu").write_text(TREES * 20)
    kontrast.count(place / "trees.conllu", place / "counts")
    for name, ids in (("train", range(0, 60, 2)), ("test", range(1, 60, 2))):
        (place / f"{name}.ids").write_text("".join(f"{i}\n" for i in ids))
    (place / "text.de").write_text("Die Frau lacht nicht.\nDer Mann hat das Buch gelesen.\n")
    (place / "text.en").write_text("The woman does not laugh.\nThe man has read the book.\n")
    for name in ("ref", "low", "high"):
        (place / f"{name}.txt").write_text("".join(f"ein Satz mit {name if i % 3 else 'x'} {i}\n" for i in range(30)))
    return place


Function = Callable[[], Any]

CALLS: dict[str, tuple[str, Function]] = {
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
    "score": (
        "score demo:fr --context prev:1 --side source --dry-run",
        lambda: kontrast.preview("demo:fr", context="prev:1", side="source"),
    ),
    "evaluate": (
        "evaluate demo:fr a.scores --by distance --ties wrong --resamples 200",
        lambda: kontrast.evaluate("demo:fr", "a.scores", by=["distance"], ties="wrong", resamples=200),
    ),
    "evaluate two": (
        "evaluate demo:fr a.scores base=a.scores,b.scores --maximize --resamples 200",
        lambda: kontrast.evaluate("demo:fr", "a.scores", "base=a.scores,b.scores", maximize=True, resamples=200),
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
    "metrics": (
        "metrics demo:fr --metric chrF --references out.fr --resamples 200",
        lambda: kontrast.metrics("demo:fr", "chrF", references=["out.fr"], resamples=200),
    ),
    "gate": ("gate demo:fr a.scores --config gate.toml", lambda: kontrast.gate("demo:fr", "a.scores", "gate.toml")),
    "context": (
        "context demo:fr --without a.scores --with b.scores --sentences --by distance",
        lambda: kontrast.context("demo:fr", without="a.scores", given="b.scores", sentences=True, by=["distance"]),
    ),
    "artefacts": ("artefacts demo:fr a.scores", lambda: kontrast.artefacts("demo:fr", "a.scores")),
    "items": (
        "items demo:fr a.scores b.scores a.scores b.scores",
        lambda: kontrast.items("demo:fr", "a.scores", "b.scores", "a.scores", "b.scores"),
    ),
    "divergence": (
        "divergence counts --train train.ids --test test.ids --top 2",
        lambda: kontrast.divergence("counts", "train.ids", "test.ids", top=2),
    ),
    "divergence of two corpora": (
        "divergence counts --against counts --pretraining counts",
        lambda: kontrast.divergence("counts", against="counts", pretraining=["counts"]),
    ),
    "generalise": (
        "generalise --at 0 ref.txt low.txt --at 1 ref.txt high.txt --resamples 20",
        lambda: kontrast.generalise([(0.0, "ref.txt", "low.txt"), (1.0, "ref.txt", "high.txt")], resamples=20),
    ),
}


def plain(result: Any) -> Any:
    """The result as ``--json`` would print it, by its own method where it has one."""
    if isinstance(result, list):
        return [plain(each) for each in result]
    return result.to_dict()


@pytest.mark.parametrize("name", CALLS)
def test_function_gives_what_the_command_prints(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    command, function = CALLS[name]
    with pytest.raises(SystemExit) as stop:
        main([*command.split(), "--json"])
    assert stop.value.code in (0, 1), capsys.readouterr().err
    assert plain(function()) == json.loads(capsys.readouterr().out)


def test_score_writes_what_the_function_gives(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("transformers")
    monkeypatch.chdir(folder)
    options = ["--model", "tiny", "--context", "prev:1", "--threads", "1", "--no-store", "--name", "x"]
    with pytest.raises(SystemExit) as stop:
        main(["score", "demo:fr", *options, "--out", "tiny.scores"])
    assert stop.value.code == 0, capsys.readouterr().err
    made = kontrast.score("demo:fr", "tiny", context="prev:1", threads=1, store="s.sqlite", system="x")
    written = kontrast.read_scores("tiny.scores", tokens=True)
    assert (written.values, written.signature, written.system) == (made.values, made.signature, "x")
    again = kontrast.score("demo:fr", "tiny", context=kontrast.Context(), store=kontrast.Store("s.sqlite"))
    assert again.values != made.values and Path("s.sqlite").exists()


def test_translate_writes_what_the_function_gives(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    Path("p.py").write_text("import sys\nfor line in sys.stdin: print(line.strip().upper())\n")
    model = f"command:{sys.executable} p.py"
    with pytest.raises(SystemExit) as stop:
        main(["translate", "demo:fr", "--model", model, "--context", "prev:1", "--scheme", "sep", "--out", "up.txt"])
    assert stop.value.code == 0, capsys.readouterr().err
    made = kontrast.translate("demo:fr", model, context="prev:1", scheme="sep")
    assert tuple(Path("up.txt").read_text("utf-8").splitlines()) == made.texts
    beside = json.loads(Path("up.txt.json").read_text("utf-8"))
    assert beside["signature"]["context"] == "prev:1,source,sep" and beside["aligned"] == made.aligned
    assert kontrast.check("demo:fr", "up.txt").total == len(made.texts)


def test_report_writes_what_the_function_gives(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    with pytest.raises(SystemExit):
        main(["report", "demo:fr", "a.scores", "b.scores", "--resamples", "200", "--out", "r.json"])
    made = kontrast.report("demo:fr", "a.scores", "b.scores", resamples=200)
    assert json.loads(Path("r.json").read_text("utf-8")) == made.to_dict()


def test_perturb_and_build_take_files(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    with pytest.raises(SystemExit):
        main("perturb --lang de --types polarity_particle_nicht_del --train text.de text.de".split())
    printed = [json.loads(line)["text"] for line in capsys.readouterr().out.splitlines()]
    found = kontrast.perturb("text.de", "de", "polarity_particle_nicht_del", train="text.de")
    assert [candidate.text for _, candidate in found] == printed == ["Die Frau lacht."]
    with pytest.raises(SystemExit):
        main("build errors text.en text.de --types polarity_particle_nicht_del --out errors.jsonl".split())
    assert kontrast.build_errors("text.en", "text.de", types="polarity_particle_nicht_del") == kontrast.load(
        "errors.jsonl"
    )


def test_every_command_with_json_has_a_twin_here() -> None:
    elsewhere = {"suites", "documents", "report", "perturb", "build", "count", "split", "store", "demo", "review"}
    elsewhere |= {"cues", "memory", "shorten", "translate"}
    tested = {name.split()[0] for name in CALLS} | elsewhere | {"correlate"}
    assert set(COMMANDS) <= tested


@pytest.mark.parametrize(
    "name", ["Context", "EngineOptions", "Store", "GateConfig", "Evaluation", "Comparison", "Report"]
)
def test_records_are_importable(name: str) -> None:
    assert isinstance(getattr(kontrast, name), type)


def test_results_become_frames_and_tables(folder: Path) -> None:
    pandas = pytest.importorskip("pandas")
    evaluation = kontrast.evaluate("demo:fr", folder / "a.scores", by="distance", resamples=200)
    frame = evaluation.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    groups = [group for breakdown in evaluation.by for group in breakdown.groups]
    assert list(frame["accuracy"])[1:] == [group.accuracy for group in groups]
    assert frame["interval_low"].notna().all()
    html = evaluation._repr_html_()
    assert html.count("<tr>") == len(groups) + 2 and f"{evaluation.accuracy:.4g}" in html
    suite = kontrast.load("demo:fr")
    assert len(suite.to_pandas()) == suite.row_count
    assert len(suite) == len(list(suite)) and suite[3:5].items == suite.items[3:5] and suite[-1] is suite.items[-1]
    assert repr(suite) == f"Suite('demo-fr', en-fr, {len(suite)} items)"
    evil = kontrast.Suite("<script>", (kontrast.Item("1", "<b>", (kontrast.Variant("a"), kontrast.Variant("b"))),))
    assert "<script>" not in evil._repr_html_() and "<b>1" not in evil._repr_html_()
    assert msgspec.json.encode(evaluation) == msgspec.json.encode(
        msgspec.convert(evaluation.to_dict(), kontrast.Evaluation)
    )
