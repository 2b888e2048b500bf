"""What the originals do with data that their published files do not have; expected texts follow their scripts."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import kontrast
from kontrast import KontrastError
from kontrast.cli import kontrast as cli
from kontrast.scoring.engines.hf import TINY
from kontrast.suites.documents import documents
from kontrast.suites.extraction import extract
from kontrast.suites.formats import save


def written(folder: Path, name: str, value: Any) -> Path:
    path = folder / name
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def printed(suite: Path, scores: str, *options: str) -> str:
    place = suite.with_name("a.scores")
    place.write_text(scores.replace(" ", "\n") + "\n")
    done = CliRunner().invoke(cli, ["evaluate", str(suite), str(place), "--style", "original", *options])
    assert done.exit_code == 0, done.output
    return str(done.stdout)


def test_lingeval97_outputs_end_only_at_line_ends(tmp_path: Path) -> None:
    error = {"type": "compound", "contrastive": "b"}
    items = [{"source": "s", "reference": "a", "origin": f"news.{i}", "errors": [error]} for i in (1, 2, 3)]
    suite = written(tmp_path, "l.json", items)
    lines = ["eins\u2028x\u0085y", "zwei\x0cx\x1cy", "drei"]
    for end in ("\n", "\r\n", "\r"):
        (tmp_path / "out").write_bytes("".join(line + end for line in lines).encode())
        text = printed(suite, "2 1 2 1 2 1", "-v", "--outputs", json.dumps({"news": str(tmp_path / "out")}))
        assert [line for line in text.split("\n") if line.startswith("1best")] == [f"1best: {line}" for line in lines]
        assert "\r" not in text and text.count("drei\n\n\n") == 1


def contrapro(**changes: Any) -> dict[str, Any]:
    entry: dict[str, Any] = {"src segment": "it", "ref segment": "er", "src pronoun": "it", "ref pronoun": "er"}
    entry |= {"ante distance": 0, "intrasegmental": False, "document id": "1_2_3.de", "segment id": 1, "corpus": "c"}
    entry["errors"] = [{"contrastive": "sie", "replacement": "sie", "replacement gender": "Fem", "type": "pronoun"}]
    return entry | changes


def test_contrapro_numbers_of_any_kind(tmp_path: Path) -> None:
    entries = [
        contrapro(**{"ante distance": d, "intrasegmental": i}) for d, i in ((0.0, 1), (0, True), (1, 0), (2, None))
    ]
    text = printed(written(tmp_path, "c.json", entries), "1 2 1 2 2 1 1 2", "-v")
    assert text.count("ante dist: 0") == 2 and "ante dist: 0.0\n" in text
    within = text.partition("statistics by intrasegmental\n")[2].partition("\n\n")[0]
    assert within.splitlines() == ["0 : 0 1 0.0 ", "1 : 2 2 1.0 ", "None : 1 1 1.0 "]
    assert "0.0 : 1 1 1.0 " in text and "\n0 : 1 1 1.0 " in text


def test_consistency_distances_are_compared_as_numbers(tmp_path: Path) -> None:
    entries = [{"src": "a", "dst": ["x", "y"], "true_ind": 0, "ctx_dist": d} for d in (1.0, 1, "1", True, 2)]
    text = printed(written(tmp_path, "deixis_dev.json", entries), "1 2 1 2 2 1 1 2 2 1")
    assert text.splitlines()[-3:] == ["1: 1.0", "2: 0.0", "3: nan"]


def anaphora(*sources: str) -> dict[str, Any]:
    return {"src": list(sources), "trg": [{"type": "m.sg", "correct": ["A", "B"], "incorrect": ["C", "D"]}]}


def test_discevalmt_blocks_without_pairs_and_long_sources(tmp_path: Path) -> None:
    blocks = {"10": anaphora("a", "b"), "2": {"src": ["p", "q"], "trg": []}, "3": anaphora("one", "two", "three")}
    suite = written(tmp_path, "renamed.json", blocks)
    assert "examples where all right: 2\n\tCorresponds to examples:['2', '10']\n" in printed(suite, "2 1 1 2")
    save(kontrast.load(suite), tmp_path / "again.json", "discevalmt")
    assert json.loads((tmp_path / "again.json").read_text()) == blocks
    done = extract(suite, tmp_path / "text", style="original")
    assert sorted(Path(file).name for file in done.files) == [
        f"anaphora.{part}.{language}" for part in ("current", "prev") for language in ("en", "fr")
    ]
    assert (tmp_path / "text" / "anaphora.current.en").read_text() == "two\ntwo\nb\nb\n"
    assert (tmp_path / "text" / "anaphora.prev.en").read_text() == "one\none\na\na\n"


WSD = {
    "source": "s",
    "reference": "r",
    "ambig word": "Ton",
    "sense": "clay",
    "original translation": "t",
    "origin": "news",
}


def test_contrawsd_signs_and_mucow_examples(tmp_path: Path) -> None:
    errors = [{"contrastive": "x", "type": "t"}]
    entry = WSD | {"errors": errors, "frequency of sense/ambig word in wmt16": "+5/9"}
    assert printed(written(tmp_path, "w.json", [entry]), "1 2").endswith("Ton:clay,5,0.555555555556,1.0\n")
    suite = written(tmp_path, "ro-en.mucow.scoring.json", [WSD | {"errors": errors}] * 2)
    text = printed(suite, "1 2 2 1", "-v")
    example = "ambig. word: Ton\noriginal translation: t\nsource: s\nreference: r\n"
    assert text.startswith(f"\ncorrect:\n{example}\nwrong:\n{example}total : 1 2 0.5\n")


def ctxpro(folder: Path) -> Path:
    rows = [("B.2", "er", "Er kommt."), ("A.1", "sie", "Sie kommt."), ("B.2", "ihn", "Ich sehe ihn.")]
    items = [
        {"src segment": f"s{i}", "ref segment": text, "expected": form, "rule": rule, "segment id": i + 1}
        | {"document id": "en-de/2017/2017_10_20"}
        for i, (rule, form, text) in enumerate(rows)
    ]
    return written(folder, "gender.opensubtitles.en-de.test.json", items)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((), "66.7\n"),
        (("--complete",), "B.2 (er)\t1\t2\t50.0%\nA.1 (sie)\t1\t1\t100.0%\ntotal\t2\t3\t66.7\n"),
        (
            ("--pretty",),
            f"rule (expected)\tcorrect\ttotal\taccuracy\n{'-' * 43}\nB.2 (er)\t1\t2\t50.0%\nA.1 (sie)\t1\t1\t100.0%\n"
            f"{'-' * 43}\ntotal\t\t\t2\t3\t66.7%\n",
        ),
    ],
)
def test_ctxpro_prints_what_its_score_prints(tmp_path: Path, options: tuple[str, ...], expected: str) -> None:
    pytest.importorskip("sentence_splitter")
    (tmp_path / "out.de").write_text("Da kommt er.\nSie kommt, ja!\nIch sehe sie.\n")
    command = ["check", str(ctxpro(tmp_path)), str(tmp_path / "out.de"), "--style", "original", *options]
    done = CliRunner().invoke(cli, command)
    assert (done.exit_code, done.stdout) == (0, expected)


def test_options_of_another_check_are_refused(tmp_path: Path) -> None:
    with pytest.raises(KontrastError, match="--complete needs --style original"):
        kontrast.check(ctxpro(tmp_path), ["Er.", "Sie.", "Ihn."], complete=True)


def test_ctxpro_documents_by_published_ids(tmp_path: Path) -> None:
    (tmp_path / "d" / "2017").mkdir(parents=True)
    (tmp_path / "d" / "2017" / "2017_10_20.en").write_text("a b c\ns0\ns1\ns2\n")
    (tmp_path / "d" / "2017" / "2017_10_20.de").write_text("d\nEr kommt.\nSie kommt.\nIch sehe ihn.\n")
    suite = ctxpro(tmp_path)
    extract(suite, tmp_path / "all", documents=tmp_path / "d", style="original")
    name = "gender.opensubtitles.en-de.test.context.en"
    assert (tmp_path / "all" / name).read_text() == "a b c\na b c s0\na b c s0 s1\n"
    extract(suite, tmp_path / "few", documents=tmp_path / "d", style="original", context=["tokens:6"])
    assert (tmp_path / "few" / name).read_text() == "a b c\na b c s0\ns0 s1\n"
    spm = TINY / "source.spm"
    if find_spec("sentencepiece") is not None:  # "a b c", "s0" and "s1" are 4, 2 and 2 pieces, and one more each
        for tokens, expected in ((11, "a b c s0 s1"), (10, "s0 s1"), (7, "s1"), (6, "")):
            asked = {"documents": tmp_path / "d", "style": "original", "context": [f"tokens:{tokens}"]}
            extract(suite, tmp_path / f"{tokens}", spm=spm, **asked)
            assert (tmp_path / f"{tokens}" / name).read_text().splitlines()[-1] == expected
        with pytest.raises(KontrastError, match="expected a SentencePiece model"):
            extract(suite, tmp_path / "no", spm=suite, **asked)
    with pytest.raises(KontrastError, match="--spm requires --context tokens:N"):
        extract(suite, tmp_path / "no", documents=tmp_path / "d", style="original", spm=spm)
    with pytest.raises(KontrastError, match="--spm needs CTXPro's layout"):
        extract(suite, tmp_path / "no", documents=tmp_path / "d", context="tokens:9", spm=spm)
    extract(suite, tmp_path / "rows", documents=tmp_path / "d", context=1)
    assert (tmp_path / "rows" / "gender.opensubtitles.en-de.test.context.src").read_text() == "a b c\ns0\ns1\n"


def test_the_french_layout_cuts_documents_of_unequal_length(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "d" / "2017").mkdir(parents=True)
    (tmp_path / "d" / "2017" / "2017_10_20.en").write_text("one\nit\nthree\n")
    (tmp_path / "d" / "2017" / "2017_10_20.fr").write_text("un\nil\n")
    entry = contrapro(**{"document id": "2017_10_20.fr", "ref segment": "il", "ref pronoun": "il"})
    suite = written(tmp_path, "f.json", [entry])
    extract(suite, tmp_path / "out", documents=tmp_path / "d", style="original")
    assert (tmp_path / "out" / "f.context.src").read_text() == "one\none\n"
    assert "cut to 2" in capsys.readouterr().err
    with pytest.raises(KontrastError, match="lines"):
        extract(suite, tmp_path / "o", documents=tmp_path / "d", style="contrapro", target="fr")


def test_documents_leave_out_the_stray_year(tmp_path: Path) -> None:
    (tmp_path / "a.ids").write_text(
        "en/1191/1/5.xml.gz\tde/1191/1/6.xml.gz\nen/1991/1/5.xml.gz\tde/1991/1/6.xml.gz\n"
    )
    (tmp_path / "a.en").write_text("x\ny\n")
    (tmp_path / "a.de").write_text("x\ny\n")
    done = documents(tmp_path / "a.ids", tmp_path / "a.en", tmp_path / "a.de", tmp_path / "d")
    assert (done.documents, done.lines, done.stray) == (1, 1, 1)
    assert [path.name for path in (tmp_path / "d").iterdir()] == ["1991"]


def pro_errors(folder: Path) -> Path:
    for kind, name in (
        ("sources", "newstest2021.src.en"),
        ("references", "newstest2021.refA.de"),
        ("references", "newstest2021.refB.de"),
    ):
        (folder / kind).mkdir(parents=True, exist_ok=True)
        (folder / kind / name).write_text("".join(f"  {kind[0]}{i} \n" for i in range(12)))
    (folder / "perturbed_refs").mkdir()
    (folder / "perturbed_refs" / "newstest2021.refA.de").write_text("".join(f" p{i}\n" for i in range(12)))
    (folder / "error_indices").mkdir()
    (folder / "error_indices" / "newstest2021.refA.txt").write_text("7\n")
    return folder


def test_the_folder_of_mistranslations_gives_as_much_context_as_asked(tmp_path: Path) -> None:
    folder = pro_errors(tmp_path / "pro")
    (item,) = kontrast.load(folder).items
    assert (item.source, item.best.text, item.variants[1].text) == ("s7", "r7", "p7")  # without blanks around
    assert item.source_context == tuple(f"s{i}" for i in range(7))
    assert kontrast.load(f"{folder}?context=3").items[0].target_context == ("r4", "r5", "r6")
    save(kontrast.load(folder), tmp_path / "p.json", "pro-errors")
    assert json.loads((tmp_path / "p.json").read_text())[0]["context"] == "r5 r6"


def test_metrics_refuse_more_context_than_there_is(tmp_path: Path) -> None:
    suite = kontrast.load(f"{pro_errors(tmp_path / 'pro')}?context=2")
    with pytest.raises(KontrastError, match="the most is 2"):
        kontrast.metrics(suite, "chrF", context="prev:3")


def test_dfki_keeps_items_with_expressions_alone(tmp_path: Path) -> None:
    pytest.importorskip("regex")
    base = {"langpair": "ende", "phenomenon": "bats", "source_sentence": "bats", "category": "c"}
    rows = [
        base
        | {
            "id": "1",
            "positive_regex": "Keule",
            "negative_regex": "",
            "positive_tokens": [],
            "negative_tokens": ["Maus"],
        },
        base | {"id": "2", "positive_regex": "", "negative_regex": "", "positive_tokens": [], "negative_tokens": []},
        base
        | {
            "id": "3",
            "positive_regex": "a",
            "negative_regex": "b",
            "positive_tokens": ["a"],
            "negative_tokens": ["b"],
        },
    ]
    suite = kontrast.load(written(tmp_path, "en-de.items.json", {"items": rows}))
    assert [item.id for item in suite.items] == ["1", "3"]
    assert suite.extra == {"without_right_output": 1, "without_output_and_expression": 1}
    for text, outcome in (("Keule", "right"), ("Maus", "wrong"), ("Ball", "neither"), ("", "neither")):
        assert kontrast.check(suite, [text, "a"], style="original").outcomes == (outcome, "right")
    assert not {finding.id for finding in kontrast.lint(suite)} & {"empty-text"}
