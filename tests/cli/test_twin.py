"""Python is the command line's twin: the function gives what the command prints with ``--json``."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec
import pytest

import kontrast
from kontrast.cli import COMMANDS, main
from kontrast.cli import kontrast as cli
from kontrast.scoring.engine import Identity
from kontrast.scoring.store import StoreKey as StoreEntry
from kontrast.suites.model import TokenScores

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
    for name, factor in (("a", 7), ("b", 5), ("c", 3), ("d", 4)):
        (place / f"{name}.scores").write_text("".join(f"{(factor * i) % 11}\n" for i in range(suite.row_count)))
    (place / "out.fr").write_text("".join(f"{item.best.text}\n" for item in suite))
    (place / "gate.toml").write_text('[gate]\naccuracy = 0.4\n[gate.baseline]\nscores = "b.scores"\n')
    (place / "trees.conllu").write_text(TREES * 20)
    kontrast.count(place / "trees.conllu", place / "counts")
    for name, ids in (("train", range(0, 60, 2)), ("test", range(1, 60, 2))):
        (place / f"{name}.ids").write_text("".join(f"{i}\n" for i in ids))
    (place / "text.de").write_text("Die Frau lacht nicht.\nDer Mann hat das Buch gelesen.\n")
    (place / "text.en").write_text("The woman does not laugh.\nThe man has read the book.\n")
    (place / "features.py").write_text("def words(s):\n    return s.text.split(), [s.text]\n")
    store = kontrast.Store(place / "kept.sqlite")
    store.use("made", "some-model", Identity("1"))
    store.add([(StoreEntry("a", "", "b"), TokenScores(("b",), (-1.0,)))])
    store.close()
    for name in ("ref", "low", "high"):
        (place / f"{name}.txt").write_text("".join(f"ein Satz mit {name if i % 3 else 'x'} {i}\n" for i in range(30)))
    kontrast.convert("demo:de", place / "few.contrapro.json", to_format="contrapro")
    (place / "model.py").write_text("import sys\nfor line in sys.stdin: print(-(sum(map(ord, line)) % 97) / 7)\n")
    for name, sign in (("people", 1), ("good", 1), ("bad", -1)):
        rows = [f"{s}\t{sign * ((3 * i + j) % 7)}\n" for j, s in enumerate("ABC") for i in range(12)]
        (place / f"{name}.seg.score").write_text("".join(rows))
    return place


class Out:
    """Counts beside the folder that the command names."""

    def __init__(self, out: str, counts: kontrast.CorpusCounts) -> None:
        self.out, self.counts = out, counts

    def to_dict(self) -> dict[str, Any]:
        return {"out": self.out, **self.counts.to_dict()}


class Less:
    """A result without a part that the command writes to a file."""

    def __init__(self, result: Any, part: str) -> None:
        self.result, self.part = result, part

    def to_dict(self) -> dict[str, Any]:
        return {name: value for name, value in self.result.to_dict().items() if name != self.part}


MODEL = f"command:{sys.executable} model.py"
"""A program that scores a pair by its letters; the fixture writes it."""

TWINS: set[str] = set()
"""Commands that a test of its own compares."""

Test = TypeVar("Test", bound=Callable[..., None])


def twin(*names: str) -> Callable[[Test], Test]:
    def mark(test: Test) -> Test:
        TWINS.update(names)
        return test

    return mark


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
    "suites list": (
        "suites list --lang en-de --kind suite",
        lambda: kontrast.entries("en-de", "suite"),
    ),
    "suites get": (
        "suites get contrapro --from few.contrapro.json",
        lambda: kontrast.fetch_suite("contrapro", source="few.contrapro.json"),
    ),
    "suites show": ("suites show contrapro", lambda: kontrast.entry("contrapro")),
    "count": (
        "count trees.conllu --out new.counts --relations nsubj --min-tokens 2 --no-duplicates",
        lambda: Out(
            "new.counts", kontrast.count("trees.conllu", relations=["nsubj"], min_tokens=2, no_duplicates=True)
        ),
    ),
    "count with a function": (
        "count trees.conllu --out own.counts --features features.py:words",
        lambda: Out("own.counts", kontrast.count("trees.conllu", features="features.py:words")),
    ),
    "languages": ("languages --pair en-es", lambda: kontrast.languages("en-es")),
    "doctor": ("doctor", kontrast.doctor),
    "correlate": (
        "correlate good.seg.score bad.seg.score --human people.seg.score --minimize bad --resamples 200",
        lambda: kontrast.correlate(
            ["good.seg.score", "bad.seg.score"], "people.seg.score", minimize=["bad"], resamples=200
        ),
    ),
    "cues": (
        "cues demo:fr?limit=4 --model MODEL --side source --max-calls 500 --no-store",
        lambda: kontrast.cues("demo:fr?limit=4", MODEL, side="source", max_calls=500),
    ),
    "memory": (
        "memory demo:fr?limit=80 --model tiny --no-store",
        lambda: kontrast.memory("demo:fr?limit=80", "tiny"),
    ),
    "shorten": (
        "shorten demo:fr a.scores b.scores c.scores d.scores --items 20 --out short.jsonl --seed 3",
        lambda: Less(
            kontrast.shorten(
                "demo:fr", "a.scores", "b.scores", "c.scores", "d.scores", items=20, out="short.jsonl", seed=3
            ),
            "suite",
        ),
    ),
    "store info": ("store info --store kept.sqlite", lambda: kontrast.store_info("kept.sqlite")),
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
    if "tiny" in command:
        pytest.importorskip("transformers")
    with pytest.raises(SystemExit) as stop:
        main([*(MODEL if word == "MODEL" else word for word in command.split()), "--json"])
    assert stop.value.code in (0, 1), capsys.readouterr().err
    assert plain(function()) == json.loads(capsys.readouterr().out)


@twin("score")
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


@twin("translate")
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


@twin("report")
def test_report_writes_what_the_function_gives(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    with pytest.raises(SystemExit):
        main(["report", "demo:fr", "a.scores", "b.scores", "--resamples", "200", "--out", "r.json"])
    made = kontrast.report("demo:fr", "a.scores", "b.scores", resamples=200)
    assert json.loads(Path("r.json").read_text("utf-8")) == made.to_dict()


@twin("perturb", "build errors")
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


@twin("split")
def test_split_writes_what_the_function_gives(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    options = "--compound .5,1 --test-share .2:.4 --effort fast --fixed-train fixed.ids --length-ratio open"
    Path("fixed.ids").write_text("0\n")
    Path("plain.txt").write_text("".join(f"sentence {i}\n" for i in range(60)))
    with pytest.raises(SystemExit) as stop:
        main(["split", "counts", *options.split(), "--export", "en=plain.txt", "--out", "cli", "--json"])
    printed = capsys.readouterr()
    assert stop.value.code == 0, printed.err
    made = kontrast.split(
        "counts", "api", compound=[0.5, 1], test_share=(0.2, 0.4), effort="fast", fixed_train=[0],
        length_ratio="open", export={"en": "plain.txt"},
    )  # fmt: skip
    timed = {"seconds", "cpu_seconds"}
    shown = [{k: v for k, v in each.items() if k not in timed} for each in json.loads(printed.out)["splits"]]
    assert [{k: v for k, v in each.to_dict().items() if k not in timed} for each in made] == shown
    files = sorted(path.relative_to("cli") for path in Path("cli").rglob("*") if path.is_file())
    assert Path("compound-0.5/train.en") in files
    assert files == sorted(path.relative_to("api") for path in Path("api").rglob("*") if path.is_file())
    for file in files:
        if file.name not in ("split.json", "manifest.json"):
            assert (Path("cli") / file).read_bytes() == (Path("api") / file).read_bytes()
    with pytest.raises(kontrast.KontrastError, match=r"--test-share: expected two numbers"):
        kontrast.split("counts", test_share="few")


def test_original_evaluation_takes_files(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    kontrast.convert("demo:de", "own.json", to_format="contrapro")
    suite = kontrast.load("own.json")
    Path("own.scores").write_text("".join(f"{(7 * i) % 11}\n" for i in range(suite.row_count)))
    with pytest.raises(SystemExit) as stop:
        main("evaluate own.json own.scores --style original --maximize".split())
    printed = capsys.readouterr()
    assert stop.value.code == 0, printed.err
    assert kontrast.evaluate_original("own.json", "own.scores", maximize=True) == printed.out
    assert kontrast.evaluate_original(suite, Path("own.scores"), maximize=True) == printed.out
    read = kontrast.read_scores("own.scores", suite, maximize=True)
    assert kontrast.evaluate_original("own.json", read) == printed.out
    with pytest.raises(kontrast.KontrastError, match="has no --fd"):
        kontrast.evaluate_original("own.json", "own.scores", fd=True)


@twin("store export", "store prune")
def test_store_is_exported_and_pruned(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    with pytest.raises(SystemExit):
        main("store export --store kept.sqlite --model some-model".split())
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    rows = list(kontrast.store_export("kept.sqlite", model="some-model"))
    assert json.loads(json.dumps(rows)) == printed and [row["target"] for row in rows] == ["b"]
    with pytest.raises(kontrast.KontrastError, match="there is no model 'other'"):
        kontrast.store_prune("kept.sqlite", model="other")
    shutil.copy("kept.sqlite", "copy.sqlite")
    assert kontrast.store_prune("copy.sqlite", model="some-model").rows == 1
    assert not kontrast.store_info("copy.sqlite").models


@twin("suites cite")
def test_citations_are_those_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main("suites cite contrapro contrapro lingeval97".split())
    assert kontrast.cite("contrapro", "contrapro", "lingeval97") + "\n" == capsys.readouterr().out


@twin("documents")
def test_documents_are_those_of_the_command(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    Path("opus.ids").write_text(
        "en/2001/7/8.xml.gz\tde/2001/7/9.xml.gz\t1\t1\nen/2002/1/2.xml.gz\tde/2002/1/3.xml.gz\t1\t1\n"
    )
    with pytest.raises(SystemExit) as stop:
        main("documents opus.ids text.en text.de --out cli-documents --json".split())
    printed = capsys.readouterr()
    assert stop.value.code == 0, printed.err
    made = kontrast.documents("opus.ids", "text.en", "text.de", "api-documents")
    assert {**made.to_dict(), "folder": "cli-documents"} == json.loads(printed.out)
    assert made.documents == 2 and contents("cli-documents") == contents("api-documents") != {}


@twin("init")
def test_init_writes_what_the_function_writes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    with pytest.raises(SystemExit) as stop:
        main("init --pair en-pt cli.csv".split())
    assert stop.value.code == 0
    assert kontrast.init("api.csv", "en-pt").read_bytes() == Path("cli.csv").read_bytes()


@twin("review")
def test_review_exports_what_the_functions_write(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    kontrast.save(kontrast.load("demo:fr")[:4], "few.jsonl")
    review = kontrast.open_review("few.jsonl", guidelines=None, order="file")
    reader = review.store.annotator("Anna")
    for entry, verb in enumerate(["accept", "reject", "accept"]):
        review.store.decide(entry, reader, verb)
    made = kontrast.export_review(review, "api-review", "contrapro", undecided="keep")
    review.close()
    with pytest.raises(SystemExit) as stop:
        main("review few.jsonl --order file --export cli-review --to contrapro --keep-undecided --json".split())
    printed = capsys.readouterr()
    assert stop.value.code == 0, printed.err
    assert plain(made) == json.loads(printed.out.replace("cli-review", "api-review"))
    assert made.accepted == 2 and contents("cli-review") == contents("api-review") != {}


@twin("demo")
def test_demo_is_the_function(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("transformers")
    pytest.importorskip("altair")
    monkeypatch.chdir(folder)
    with pytest.raises(SystemExit) as stop:
        main("demo --suite demo:fr --out shown --json".split())
    printed = capsys.readouterr()
    assert stop.value.code == 0, printed.err
    assert plain(kontrast.demo("shown", suites=("demo:fr",))) == json.loads(printed.out)


@twin("build alignment")
def test_alignment_is_the_function(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("systran_align")
    monkeypatch.chdir(folder)
    with pytest.raises(SystemExit) as stop:
        main("build alignment text.en text.de --out cli.alignment --json".split())
    printed = capsys.readouterr()
    assert stop.value.code == 0, printed.err
    made = kontrast.build_alignment("text.en", "text.de", "api.alignment")
    assert msgspec.to_builtins(made) == json.loads(printed.out) and made.pairs == 2


@twin("build agreement")
def test_agreement_suite_is_the_function(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    Path("t.en.conllu").write_text(_tree("1", "dogs bark", "dog NOUN nsubj Plur 2", "bark VERB root Plur 0"))
    Path("t.es.conllu").write_text(
        _tree("1", "perros ladran", "perro NOUN nsubj Plur 2", "ladrar VERB root Plur 0")
        + _tree("2", "perro ladra", "perro NOUN nsubj Sing 2", "ladrar VERB root Sing 0")
    )
    options = "--source t.en.conllu --target t.es.conllu --pair en-es --lexicon ud:t.es.conllu"
    with pytest.raises(SystemExit) as stop:
        main(["build", "agreement", *options.split(), "--out", "agreement.jsonl", "--json"])
    printed = capsys.readouterr()
    assert stop.value.code == 0, printed.err
    made = kontrast.build_agreement("t.en.conllu", "t.es.conllu", "en-es", lexicons=["ud:t.es.conllu"])
    assert made.suite == kontrast.load("agreement.jsonl")
    told = json.loads(printed.out)
    assert (told["items"], told["phenomena"]) == (len(made.suite), made.phenomena) and told["items"] == 1


def contents(folder: str) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(Path(folder).rglob("*")) if p.is_file()}


def _tree(name: str, text: str, *words: str) -> str:
    lines = [f"# sent_id = {name}", f"# text = {text}"]
    for n, (form, word) in enumerate(zip(text.split(), words, strict=True), start=1):
        lemma, pos, relation, number, head = word.split()
        features = f"Number={number}" + ("|Person=3|VerbForm=Fin|Mood=Ind|Tense=Pres" if pos == "VERB" else "")
        lines.append(f"{n}\t{form}\t{lemma}\t{pos}\t_\t{features}\t{head}\t{relation}\t_\t_")
    return "\n".join(lines) + "\n\n"


ELSEWHERE = {
    "build pronouns": "tests/building/test_pronoun_suites.py",
    "build metrics-it": "tests/review/test_mistranslated_it.py",
}
"""Commands whose function is called in a test of their own, and where."""


def commands(group: click.Group, before: str = "") -> Iterator[str]:
    """Every command that can be called, with the group it is in; hidden ones are not for users."""
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        if isinstance(found, click.Group):
            yield from commands(found, f"{before}{name} ")
        elif found is not None and not found.hidden:
            yield before + name


def test_every_command_has_a_twin() -> None:
    compared = {*TWINS, *ELSEWHERE, *(_command(call) for call, _ in CALLS.values())}
    assert set(commands(cli)) == compared
    assert {name.split()[0] for name in compared} == set(COMMANDS)
    root = Path(__file__).parents[2]
    for name, file in ELSEWHERE.items():
        function = name.replace(" ", "_").replace("-", "_")
        assert f"kontrast.{function}(" in (root / file).read_text("utf-8"), f"{file} does not call {function}"


def _command(call: str) -> str:
    words = call.split()
    return " ".join(words[:2]) if isinstance(cli.get_command(click.Context(cli), words[0]), click.Group) else words[0]


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
