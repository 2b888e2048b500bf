"""Training data without the suite: documents, the same sentences, nearly the same ones; nothing else."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kontrast
from kontrast import InputError, Item, KontrastError, Suite, Variant
from kontrast.cli import main
from kontrast.suites.demo import bundled_corpus
from kontrast.suites.exclusion import SimilarSentences, document_name, normalise

SUITE = Suite(
    "s",
    (
        Item(
            "a", "The lamp on the table was old and heavy.", (Variant("Die Lampe auf dem Tisch war alt und schwer."),)
        ),
        Item("b", "Yes.", (Variant("Ja."),)),
        Item("c", "It rains.", (Variant("Es regnet."),), document="1990_100_5000.de"),
    ),
    "en",
    "de",
)

ENGLISH = [
    "THE LAMP on the table was old -- and heavy!",  # the same but for spelling
    "The dog sleeps under the table and dreams.",
    "The lamp on the table was old and heavier.",  # nearly the same
    "Yes!",  # with its own translation
    "Yes!",  # with another
    "A very different sentence, said by somebody else.",  # the German is the suite's
]
GERMAN = [
    "Etwas anderes.",
    "Der Hund schläft unter dem Tisch und träumt.",
    "Ganz anders gesagt.",
    "Ja",
    "Jawohl",
    "Die Lampe auf dem Tisch war alt und schwer",
]


@pytest.fixture
def corpus(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "train.en", tmp_path / "train.de.gz"]
    paths[0].write_text("\n".join(ENGLISH) + "\n", encoding="utf-8")
    paths[1].write_bytes(gzip.compress(("\n".join(GERMAN) + "\n").encode()))
    return paths


def test_lines_go_from_both_files(corpus: list[Path], tmp_path: Path) -> None:
    out, report = tmp_path / "out", tmp_path / "report.tsv"
    result = kontrast.exclude(corpus, [SUITE], out=out, report=report)
    assert (result.lines, result.kept, result.removed) == (6, 2, 4)
    assert result.reasons == {"document": 0, "exact": 3, "near": 1}
    assert result.items == 2
    assert (out / "train.en").read_text(encoding="utf-8").splitlines() == [ENGLISH[1], ENGLISH[4]]
    assert gzip.decompress((out / "train.de.gz").read_bytes()).decode().splitlines() == [GERMAN[1], GERMAN[4]]
    header, *rows = [line.split("\t") for line in report.read_text(encoding="utf-8").splitlines()]
    assert header == ["file", "line", "reason", "what", "similarity", "text"]
    assert [row[1:4] for row in rows] == [
        ["1", "exact", "a"],
        ["3", "near", "a"],
        ["4", "exact", "b"],
        ["6", "exact", "a"],
    ]


def test_both_sides_must_match(corpus: list[Path]) -> None:
    assert kontrast.exclude(corpus, [SUITE], both=True).reasons == {"document": 0, "exact": 1, "near": 0}


def test_a_short_line_alone_stays(corpus: list[Path]) -> None:
    assert kontrast.exclude(corpus[:1], [SUITE]).reasons == {"document": 0, "exact": 1, "near": 1}


def test_only_the_same_at_threshold_one(corpus: list[Path]) -> None:
    assert kontrast.exclude(corpus, [SUITE], threshold=1.0).reasons["near"] == 0


def test_documents_by_opus_ids(corpus: list[Path], tmp_path: Path) -> None:
    ids = tmp_path / "train.ids"
    numbers = [5000, 5000, 5001, 5002, 5003, 5003]
    ids.write_text(
        "".join(f"en/1990/100/{n}.xml.gz\tde/1990/100/{n}.xml.gz\t1\t1\n" for n in numbers), encoding="utf-8"
    )
    result = kontrast.exclude(corpus, [SUITE], ids=ids, documents=["1990/100/5003.xml"])
    assert result.reasons == {"document": 4, "exact": 1, "near": 1}
    assert result.documents == 2


def test_a_folder_of_documents(tmp_path: Path) -> None:
    lamp = tuple(i for i in kontrast.bundled("demo:de").items if i.document == "2021_01_lamp.de")
    out = tmp_path / "clean"
    result = kontrast.exclude([bundled_corpus()], [Suite("lamp", lamp, "en", "de")], out=out)
    assert result.documents == 1
    assert not (out / "2021" / "2021_01_lamp.en").exists()
    assert (out / "2021" / "2021_02_train.fr").read_bytes() == (
        bundled_corpus() / "2021" / "2021_02_train.fr"
    ).read_bytes()
    assert result.kept == sum(len(p.read_text(encoding="utf-8").splitlines()) for p in out.rglob("*.en"))


def test_other_test_set_of_the_same_films(data: Path, tmp_path: Path) -> None:
    """ContraPro and the French set share subtitles: what is found is there, and what stays is not."""
    suite = kontrast.load(data / "contrapro-en-de" / "contrapro.subset.json")
    other = data / "large-contrastive-en-fr" / "OpenSubs.current.src"
    result = kontrast.exclude([other], [suite], out=tmp_path)
    assert 0 < result.removed < 0.02 * result.lines
    known = {normalise(item.source) for item in suite.items if len(normalise(item.source)) >= 5}
    kept = (tmp_path / other.name).read_text(encoding="utf-8").splitlines()
    assert not [line for line in kept if normalise(line) in known]


def test_files_of_unequal_length(corpus: list[Path], tmp_path: Path) -> None:
    corpus[0].write_text("one\ntwo\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"train\.en, line 3: expected as many lines as in .*, found 2"):
        kontrast.exclude(corpus, [SUITE], out=tmp_path / "out")
    assert not [path for path in (tmp_path / "out").rglob("*") if path.is_file()]


def test_the_corpus_is_not_overwritten(corpus: list[Path]) -> None:
    with pytest.raises(KontrastError, match="one of the files that are read"):
        kontrast.exclude(corpus, [SUITE], out=corpus[0].parent)


def test_names_of_documents() -> None:
    assert document_name("fr/1990/100/5000.xml.gz\ten/1990/100/5000.xml.gz\t3\t3") == "1990_100_5000"
    assert document_name("ep-00-01-17.de.gz") == "ep-00-01-17"
    assert document_name("") == ""


words = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=9).map(tuple)


@given(st.lists(words, min_size=1, max_size=12), words, st.sampled_from([0.3, 0.5, 0.6, 0.8, 1.0]))
def test_the_index_misses_nothing(
    sentences: list[tuple[str, ...]], sought: tuple[str, ...], threshold: float
) -> None:
    def pairs(sentence: tuple[str, ...]) -> set[tuple[str, str]]:
        return set(zip(("", *sentence), (*sentence, ""), strict=True))

    near = SimilarSentences([" ".join(s) for s in sentences], threshold=threshold, shortest=1)
    similarities = [len(pairs(s) & pairs(sought)) / len(pairs(s) | pairs(sought)) for s in sentences]
    match = near.find(sought)
    best = max(similarities)
    if sought in sentences:
        assert match is not None
        assert match.similarity == 1
    elif best >= threshold:
        assert match is not None
        assert match.similarity == pytest.approx(best)
    else:
        assert match is None


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as exit:
        main(["exclude", *args])
    captured = capsys.readouterr()
    return int(exit.value.code or 0), captured.out, captured.err


def test_command(corpus: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = tmp_path / "s.jsonl"
    kontrast.save(SUITE, suite)
    arguments = [*map(str, corpus), "--suite", str(suite)]
    code, out, _ = run(capsys, *arguments)
    assert (code, out.splitlines()[0]) == (0, "4 of 6 lines removed (66.67%); 2 kept")
    code, out, _ = run(capsys, *arguments, "--out", str(tmp_path / "o"), "--json")
    assert (code, json.loads(out)["reasons"]) == (0, {"document": 0, "exact": 3, "near": 1})
    listed = tmp_path / "docids.selected"
    listed.write_text("1990_1_2\n", encoding="utf-8")
    assert run(capsys, *arguments, "--documents", str(listed))[0] == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["missing.en", "--suite", "demo:de"], "missing.en: cannot be opened"),
        (["missing.en", "--suite", "demo:xx"], "no bundled suite"),
        (["missing.en", "--suite", "demo:de", "--threshold", "0"], "threshold must be above 0"),
    ],
)
def test_wrong_input(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
