"""Documents from OPUS text and extraction in the originals' layouts, byte for byte."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kontrast import InputError, KontrastError, bundled_corpus, documents, extract, load
from kontrast.cli import kontrast as cli
from kontrast.cli import main


def same_folder(ours: Path, theirs: Path) -> None:
    assert sorted(p.name for p in ours.iterdir()) == sorted(p.name for p in theirs.iterdir())
    for file in theirs.iterdir():
        assert (ours / file.name).read_bytes() == file.read_bytes(), file.name


def run(*arguments: object) -> None:
    done = CliRunner().invoke(cli, ["extract", *map(str, arguments)])
    assert done.exit_code == 0 and done.stdout == "", done.stderr


@pytest.mark.parametrize("context", [0, 1, 3])
def test_contrapro_layout(golden: Path, tmp_path: Path, context: int) -> None:
    suite = golden / "extract-contrapro" / "contrapro.json"
    more = ("--context", context, "--style", "original", "--source", "en", "--target", "de")
    run(suite, "--documents", golden / "documents", *more, "--out", tmp_path / "out")
    same_folder(tmp_path / "out", golden / "extract-contrapro" / f"context{context}")


def test_contrapro_context_as_json(golden: Path, tmp_path: Path) -> None:
    suite = golden / "extract-contrapro" / "contrapro.json"
    more = ("--context", 2, "--style", "contrapro", "--context-json", "--no-contrastives")
    run(suite, "--documents", golden / "documents", *more, "--out", tmp_path / "out")
    same_folder(tmp_path / "out", golden / "extract-contrapro" / "context2.json-context.no-contrastives")


@pytest.mark.parametrize("context", [1, 2, 5])
@pytest.mark.parametrize("more", [("--style", "original"), ("--style", "original", "--target", "fr")])
def test_french_layout(golden: Path, tmp_path: Path, context: int, more: tuple[str, ...]) -> None:
    suite = golden / "extract-enfr" / "testset.json"
    run(suite, "--documents", golden / "documents", "--context", context, *more, "--out", tmp_path / "out")
    same_folder(tmp_path / "out", golden / "extract-enfr" / f"context{context}")


def test_french_layout_without_endings_needs_the_language(golden: Path, tmp_path: Path) -> None:
    """Only the target language or the ids' ending say that a set is the French one, not its corpus."""
    entries = json.loads((golden / "extract-enfr" / "testset.json").read_text(encoding="utf-8"))
    for entry in entries:
        entry["document id"] = entry["document id"].removesuffix(".fr")
        entry["corpus"] = "OpenSubtitles-enfr"
    (tmp_path / "testset.json").write_text(json.dumps(entries))
    done = extract(
        tmp_path / "testset.json", tmp_path / "fr", documents=golden / "documents", style="original", target="fr"
    )
    assert done.differing == 0
    same_folder(tmp_path / "fr", golden / "extract-enfr" / "context1")
    with pytest.raises(
        KontrastError, match=r"48 of 48 sources are not .* counted from 0, 0 are not: .*segment_base=0"
    ):
        extract(tmp_path / "testset.json", tmp_path / "de", documents=golden / "documents", style="original")


def test_a_named_layout_says_how_to_count(golden: Path, tmp_path: Path) -> None:
    suite, folder = golden / "extract-contrapro" / "contrapro.json", golden / "documents"
    text = suite.read_text(encoding="utf-8").replace("0.de", "0.fr")
    (tmp_path / "contrapro.json").write_text(text, encoding="utf-8")
    extract(tmp_path / "contrapro.json", tmp_path / "out", documents=folder, style="contrapro", target="de")
    same_folder(tmp_path / "out", golden / "extract-contrapro" / "context1")


def test_lingeval97_layout(golden: Path, tmp_path: Path) -> None:
    run(golden / "lingeval97" / "suite.json", "--style", "original", "--out", tmp_path)
    for name in ("suite.en", "suite.de"):
        assert (tmp_path / name).read_bytes() == (golden / "lingeval97" / name).read_bytes()
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize(("name", "prefix"), [("anaphora", "anaphora"), ("lexical-choice", "lexical_choice")])
def test_discevalmt_layout(data: Path, tmp_path: Path, name: str, prefix: str) -> None:
    folder = data / "discevalmt-en-fr"
    run(folder / f"{name}.json", "--style", "original", "--out", tmp_path)
    assert len(list(tmp_path.iterdir())) == 4
    for kind in ("current.en", "current.fr", "prev.en", "prev.fr"):
        assert (tmp_path / f"{prefix}.{kind}").read_bytes() == (folder / f"{prefix}.{kind}").read_bytes(), kind


def test_opus_documents(golden: Path, tmp_path: Path) -> None:
    prefix = str(golden / "opus" / "OpenSubtitles.de-en")
    arguments = ["documents", f"{prefix}.ids", f"{prefix}.en", f"{prefix}.de", "--out", str(tmp_path / "documents")]
    assert CliRunner().invoke(cli, arguments).exit_code == 0
    written = [path for path in (tmp_path / "documents").rglob("*") if path.is_file()]
    assert len(written) == 24
    for path in written:
        assert path.read_bytes() == (golden / "documents" / path.relative_to(tmp_path / "documents")).read_bytes()
        assert path.read_bytes() == (golden / "opus" / "documents" / path.name).read_bytes()


IDS = "en/1990/1/2.xml.gz\tde/1990/1/3.xml.gz\t1\t1\n"


def opus(folder: Path, ids: str, source: str, target: str) -> tuple[Path, Path, Path]:
    for ending, text in (("ids", ids), ("en", source), ("de", target)):
        (folder / f"o.{ending}").write_text(text, encoding="utf-8")
    return folder / "o.ids", folder / "o.en", folder / "o.de"


@pytest.mark.parametrize(
    ("ids", "source", "target", "message"),
    [
        (IDS * 2, "a\nb\n", "c\n", r"o\.de, line 2: expected as many lines as in .*o\.ids"),
        (IDS, "a\nb\n", "c\nd\n", r"o\.ids, line 2: expected as many lines as in .*o\.en"),
        (IDS + "x\n", "a\nb\n", "c\nd\n", r"o\.ids, line 2: expected ids such as"),
    ],
)
def test_unequal_opus_files_leave_nothing(tmp_path: Path, ids: str, source: str, target: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        documents(*opus(tmp_path, ids, source, target), tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["o.de", "o.en", "o.ids"]


def test_a_document_in_two_places_and_a_second_pair(tmp_path: Path) -> None:
    other = IDS.replace("/2.", "/9.")
    done = documents(*opus(tmp_path, IDS + other + IDS, "a\nb\nc\n", "d\ne\nf\n"), tmp_path / "out")
    assert (done.documents, done.lines) == (2, 3)
    assert (tmp_path / "out" / "1990" / "1990_1_2.en").read_text() == "a\nc\n"
    again = documents(*opus(tmp_path, IDS, "x\n", "y\n"), tmp_path / "out", target_language="fr")
    assert again.documents == 1
    assert sorted(p.name for p in (tmp_path / "out" / "1990").iterdir()) == [
        "1990_1_2.de",
        "1990_1_2.en",
        "1990_1_2.fr",
        "1990_1_9.de",
        "1990_1_9.en",
    ]


def contrapro(folder: Path, segment: int, document: str = "1990_1_2.de") -> Path:
    entry = {
        "src segment": {1: "a", 3: "c d"}.get(segment, "b"),
        "ref segment": "B",
        "document id": document,
        "segment id": segment,
        "errors": [{"contrastive": "X"}],
    }
    (folder / "s.json").write_text(json.dumps([entry]))
    (folder / "docs" / "1990").mkdir(parents=True, exist_ok=True)
    for language, text in (("en", "a\nb\nc d\n"), ("de", "A\nB\nC D\n")):
        (folder / "docs" / "1990" / f"1990_1_2.{language}").write_text(text)
    return folder / "s.json"


def test_context_before_and_after(tmp_path: Path) -> None:
    suite = contrapro(tmp_path, 2)
    done = extract(suite, tmp_path / "out", documents=tmp_path / "docs", context=["3", "next:1"])
    assert done.differing == 0 and done.rows == 2
    texts = {path.name: path.read_text() for path in (tmp_path / "out").iterdir()}
    assert texts == {
        "s.src": "b\nb\n",
        "s.trg": "B\nX\n",
        "s.group_starts.txt": "0\n2\n",
        "s.context.src": "a\na\n",
        "s.context.trg": "A\nA\n",
        "s.next.src": "c d\nc d\n",
        "s.next.trg": "C D\nC D\n",
    }
    assert load(tmp_path / "out" / "s").items[0].source_context == ("a",)


def test_token_budget(tmp_path: Path) -> None:
    suite = contrapro(tmp_path, 3)
    for budget, expected in ((0, None), (1, "b\nb\n"), (2, "a\nb\na\nb\n")):
        extract(suite, tmp_path / str(budget), documents=tmp_path / "docs", context=f"tokens:{budget}")
        found = tmp_path / str(budget) / "s.context.src"
        assert (found.read_text() if found.exists() else None) == expected


def test_bundled_suite_and_corpus(tmp_path: Path) -> None:
    extract("demo:de", tmp_path / "own")
    assert (tmp_path / "own" / "demo-de.context.src").exists()
    done = extract("demo:de", tmp_path / "out", documents=bundled_corpus(), context=2)
    assert done.differing == 0


@pytest.mark.parametrize(
    ("segment", "document", "message"),
    [
        (9, "1990_1_2.de", "expected a segment from 1 to 3"),
        (0, "1990_1_2.de", "expected a segment from 1 to 3"),
        (2, "1990_7_7.de", "there is no such document"),
        (2, "../1990_1_2", "expected a document's name"),
    ],
)
def test_what_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], segment: int, document: str, message: str
) -> None:
    suite = contrapro(tmp_path, segment, document)
    for more in ([], ["--style", "original"]):
        with pytest.raises(SystemExit) as ended:
            main(
                ["extract", str(suite), "--documents", str(tmp_path / "docs"), "--out", str(tmp_path / "out"), *more]
            )
        told = capsys.readouterr().err
        assert ended.value.code == 2 and told.count("\n") == 1 and message in told
        assert not (tmp_path / "out").exists()


def test_documents_of_unequal_length(tmp_path: Path) -> None:
    suite = contrapro(tmp_path, 2)
    (tmp_path / "docs" / "1990" / "1990_1_2.de").write_text("A\nB\n")
    with pytest.raises(InputError, match=r"1990_1_2\.de, line 3: expected 3 lines as in .*1990_1_2\.en, found 2"):
        extract(suite, tmp_path / "out", documents=tmp_path / "docs")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"context": "some"}, "expected N, prev:N, next:N or tokens:N"),
        ({"style": "original"}, "give their folder with --documents"),
        ({"context": 1}, "has no context"),
        ({"context_json": True}, "need ContraPro's layout"),
        ({"style": "lingeval97", "context_json": True}, "is not an option of the layout"),
        ({"style": "original", "context": "next:1"}, "need a number of previous sentences"),
        ({"documents": "nowhere"}, "expected a folder of documents"),
    ],
)
def test_wrong_requests(tmp_path: Path, options: dict[str, object], message: str) -> None:
    suite = contrapro(tmp_path, 2)
    with pytest.raises(KontrastError, match=message):
        extract(suite, tmp_path / "out", **options)  # type: ignore[arg-type]


def test_no_context(tmp_path: Path) -> None:
    """``none`` is what `score` calls it; the suite's own context is left out."""
    for context, one_per_item in ((["--context", "none"], False), (["--context", "none"], True), ([], True)):
        out = tmp_path / f"{len(context)}-{one_per_item}"
        arguments = ["extract", "demo:de", *context, *["--one-per-item"] * one_per_item, "--out", str(out)]
        assert CliRunner().invoke(cli, arguments).exit_code == 0
        assert not list(out.glob("*context*"))
    files = [(tmp_path / name / "demo-de.items.src").read_text("utf-8") for name in ("2-True", "0-True")]
    assert files[0] == files[1]
    with pytest.raises(KontrastError, match="or none, alone"):
        extract("demo:de", tmp_path / "both", context=["none", "prev:1"])


def test_next_sentences_that_a_suite_does_not_hold(tmp_path: Path) -> None:
    with pytest.raises(KontrastError, match="has no next sentences"):
        extract("demo:de", tmp_path / "out", context=("1", "next:1"))


def test_a_document_is_found_in_any_folder_below(tmp_path: Path) -> None:
    from kontrast.suites.documents import Documents

    for folder in ("talks", "talks/more"):
        (tmp_path / folder).mkdir()
        for code in ("en", "de"):
            name = "ted_1" if folder == "talks" else "ted_2"
            (tmp_path / folder / f"{name}.{code}").write_text(f"{code} {name}\n", encoding="utf-8")
    documents = Documents(tmp_path, "en", "de")
    assert documents.pair("ted_1") == (["en ted_1"], ["de ted_1"])
    assert documents.pair("ted_2") == (["en ted_2"], ["de ted_2"])
    (tmp_path / "talks" / "ted_2.de").write_text("x\n", encoding="utf-8")
    with pytest.raises(InputError, match="expected each document once"):
        Documents(tmp_path, "en", "de").pair("ted_2")
    with pytest.raises(InputError, match="there is no such document"):
        documents.pair("ted_3")
