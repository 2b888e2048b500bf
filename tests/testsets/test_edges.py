"""Edges of formats at which numbers were silently wrong: each has its test here."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import kontrast
from kontrast import InputError, Item, KontrastError, Scores, Suite, Variant, extract, load, save
from kontrast.cli import main
from kontrast.cli.evaluate import command
from kontrast.flows.checking import check
from kontrast.suites.fetch import fetch_suite
from kontrast.suites.model import Signature
from kontrast.suites.scores import read_scores, write_scores
from kontrast.testsets.ctxpro import contains
from kontrast.testsets.originals import evaluate_original


def original(*args: object) -> str:
    done = CliRunner().invoke(command, [*map(str, args), "--style", "original"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def write(path: Path, value: Any) -> Path:
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


# CTXPro


@pytest.mark.parametrize(
    ("translation", "expected", "right"),
    [
        ("Er kommt.", "er", True),
        ("", "-", False),
        ("...", "-", False),
        ("Nun - komm!", "-", False),  # punctuation goes from the translation only
        ("Diga-me!", "diga-me", False),
        ("Sei es drum", "sei\u00a0es", False),
        ("sei\u00a0es drum", "sei\u00a0es", True),
        ("Herr X kommt", "herr  x", False),
    ],
)
def test_ctxpro_check_strips_the_translation_and_not_the_expected_form(
    translation: str, expected: str, right: bool
) -> None:
    assert contains(translation, expected) == right
    item = Item("1", "s", (Variant("r"),), tags={"expected": expected, "rule": "x"})
    suite = Suite("a.en-de", (item,), "en", "de", style="ctxpro")
    assert check(suite, [translation], style="original").right == right


# Rows


def test_rows_ask_what_cannot_be_known(tmp_path: Path) -> None:
    write(tmp_path / "a.src", "x\nx\nx\nx\nx\n")
    write(tmp_path / "a.trg", "1\n2\n3\n4\n5\n")
    with pytest.raises(InputError, match=r"\?group=2 .*\?sizes=FILE"):
        load(tmp_path / "a")
    with pytest.raises(InputError, match="cannot be opened"):
        load(f"{tmp_path}/a?group=same")
    write(tmp_path / "sizes.txt", "2\n3\n")
    suite = load(f"{tmp_path}/a?sizes=sizes.txt")
    assert [[v.text for v in item.variants] for item in suite.items] == [["1", "2"], ["3", "4", "5"]]
    for wrong, message in (("2\n2\n", "expected 5 rows in all, found 4"), ("2\n0\n3\n", "number of an item's rows")):
        write(tmp_path / "sizes.txt", wrong)
        with pytest.raises(InputError, match=message):
            load(f"{tmp_path}/a?sizes=sizes.txt")
    with pytest.raises(KontrastError, match="either group or sizes"):
        load(f"{tmp_path}/a?sizes=sizes.txt&group=5")


def repository(folder: Path) -> Path:
    """The EN-FR repository as it is, with the context files that are left from an earlier version."""
    place = folder / "OpenSubs" / "extracted"
    place.mkdir(parents=True)
    write(place / "OpenSubs.current.src", "It works.\nIt works.\nIt is small.\nIt is small.\n")
    write(
        place / "OpenSubs.current.trg",
        "Elle fonctionne.\nIl fonctionne.\nIl est petit.\nElle est petite.\n",
    )
    for side in ("src", "trg"):
        write(place / f"OpenSubs.c1.context.{side}", "a\na\nb\nb\n")
        write(place / f"OpenSubs.context.{side}", "stray\n" * 3)
    return place


def test_rows_of_the_en_fr_repository_know_their_languages_and_survive_its_stray_file(tmp_path: Path) -> None:
    place = repository(tmp_path / "copy")
    for path in (place, place / "OpenSubs", place / "OpenSubs.current.src"):
        suite = load(path)
        assert (suite.source_language, suite.target_language) == ("en", "fr")
        assert [item.source_context for item in suite.items] == [("a",), ("b",)]


def test_the_en_fr_repository_can_be_taken_into_the_catalogue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KONTRAST_CACHE", str(tmp_path / "cache"))
    repository(tmp_path / "copy")
    done = fetch_suite("large-pronouns-en-fr", source=tmp_path / "copy")
    assert (done.items, done.rows, done.as_expected) == (2, 4, False)
    assert load("large-pronouns-en-fr").target_language == "fr"


def test_large_en_fr_copy_survives_the_stray_file(data: Path, tmp_path: Path) -> None:
    shutil.copytree(data / "large-contrastive-en-fr", tmp_path / "copy")
    write(tmp_path / "copy" / "OpenSubs.context.src", "x\n" * 3312)
    suite = load(tmp_path / "copy" / "OpenSubs")
    assert len(suite.items) == 10_500 and suite.target_language == "fr"
    assert len(suite.items[0].source_context or ()) <= 3


def test_languages_may_stand_behind_any_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "a.src", "It works.\nIt works.\n")
    write(tmp_path / "a.trg", "Elle fonctionne.\nIl fonctionne.\n")
    assert load(f"{tmp_path}/a?group=2").target_language is None
    suite = load(f"{tmp_path}/a?group=2&lang=en-fr")
    assert (suite.source_language, suite.target_language) == ("en", "fr")
    assert load("demo:de?lang=en-pt").target_language == "pt"
    for wrong in ("fr", "en-../x", "EN-FR-x y"):
        with pytest.raises(KontrastError, match="expected"):
            load(f"{tmp_path}/a?group=2&lang={wrong}")
    with pytest.raises(SystemExit) as ended:
        main(["lint", f"{tmp_path}/a?group=2&lang=en-fr", "--deep", "--json"])
    assert ended.value.code in (0, 1), capsys.readouterr().err


SENSES = [
    {
        "source": "Am rupt banca.",
        "reference": "I broke the bench.",
        "ambig word": "banca",
        "sense": sense,
        "origin": origin,
        "errors": [{"contrastive": "I broke the bank.", "type": "word_sense"}] * errors,
    }
    for sense, origin, errors in (("bench", "ted", 1), ("bench", "books", 1), ("bench", "ted", 2), ("bank", "ted", 0))
]


def test_mucow_has_its_own_languages_and_script(tmp_path: Path) -> None:
    suite = load(write(tmp_path / "ro-en.mucow.scoring.json", SENSES))
    assert (suite.style, suite.source_language, suite.target_language) == ("mucow", "ro", "en")
    assert load(write(tmp_path / "senses.json", SENSES)).source_language is None
    # rows: 2, 2, 3, 1; the last item has no errors and counts as right
    scores = write(tmp_path / "s", "1\n2\n1\n1\n1\n2\n3\n9\n")
    assert original(tmp_path / "ro-en.mucow.scoring.json", scores) == (
        "total : 3 4 0.75\n\n"
        "statistics by error origin\nbooks : 0 1 0.0\nted : 3 3 1.0\n\n"
        "statistics by error category, ambiguous word:sense\n"
        "banca:bank : 1 1 1.0\nbanca:bench : 2 3 0.666666666667\n\n"
    )


@pytest.mark.parametrize("language", ["ro", "tr"])
def test_mucow_prints_what_its_script_printed(data: Path, language: str) -> None:
    folder = data / "mucow"
    printed = original(folder / f"{language}-en.mucow.scoring.json", folder / f"nematus.{language}-en.scores")
    assert printed == (folder / f"nematus.{language}-en.printed.txt").read_text(encoding="utf-8")


def test_contrawsd_leaves_unknown_languages_open(tmp_path: Path) -> None:
    plain = [{key: value for key, value in each.items() if key != "origin"} for each in SENSES]
    suite = load(write(tmp_path / "senses.json", plain))
    assert (suite.style, suite.source_language, suite.target_language) == ("contrawsd", None, None)
    german = [each | {"frequency of sense/ambig word in europarl-v7 and nc11": "1/2"} for each in plain]
    assert load(write(tmp_path / "senses.json", german)).target_language == "fr"


@pytest.mark.parametrize("name", ["contrawsd", "mucow"])
def test_senses_are_not_written_without_what_tells_the_format(tmp_path: Path, name: str) -> None:
    """Read again as LingEval97's, each pair would be a decision."""
    item = Item("1", "s", (Variant("a"), Variant("b", error="e"), Variant("c", error="e")), segment=0)
    with pytest.raises(KontrastError, match=f"the {name} format stores only items with the tag"):
        save(Suite("s", (item,)), tmp_path / "s.json", name)
    told = save(Suite("s", (item,)), tmp_path / "s.json", "lingeval97")
    assert "segment (1 item)" in map(str, told), "0 is a segment"


# DistilLingEval


def distil(folder: Path, count: int) -> Path:
    for part, text in (("src.en", "s"), ("tgt.correct.de", "r"), ("tgt.incorrect.de", "f")):
        (folder / "np_agreement.mt").mkdir(parents=True, exist_ok=True)
        write(folder / "np_agreement.mt" / part, "".join(f"{text}{i}\n" for i in range(count)))
    return folder / "np_agreement.mt"


def test_distil_lingeval_layout_of_scores_is_never_guessed_in_silence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = load(distil(tmp_path, 3))
    own = write(tmp_path / "own.scores", "-1\n-1\n-1\n-2\n-2\n-2\n")
    read_scores(own, suite)
    assert "use " in capsys.readouterr().err
    oracle = read_scores(f"{own}?order=original", suite)
    assert oracle.values == (-1, -2) * 3 and not oracle.lower_is_better
    assert capsys.readouterr().err == ""
    assert kontrast.evaluate(suite, oracle).accuracy == 1.0
    assert kontrast.evaluate(suite, f"{own}?order=original").accuracy == 1.0
    assert kontrast.evaluate(suite, f"mine={own}?order=original").system == "mine"
    assert original(tmp_path / "np_agreement.mt", own) == "Accuracy: 100.0\n"
    with pytest.raises(KontrastError, match="order of rows"):
        read_scores(f"{own}?order=original", Suite("x", suite.items))


def test_distil_lingeval_rounds_as_its_script(tmp_path: Path) -> None:
    items = tuple(Item(str(i), "s", (Variant("a"), Variant("b"))) for i in range(80))
    suite = Suite("x", items, style="distil-lingeval")
    scores = (*([1.0] * 80), *([0.0] * 23), *([2.0] * 57))
    printed = evaluate_original(suite, Scores("x", scores, lower_is_better=False))
    assert printed == f"Accuracy: {100 * (23 / 80):.1f}\n" == "Accuracy: 28.7\n"


def test_an_incomplete_distil_lingeval_folder_is_an_error(tmp_path: Path) -> None:
    distil(tmp_path, 2)
    (tmp_path / "compound.mt").mkdir()
    write(tmp_path / "compound.mt" / "src.en", "s\n")
    with pytest.raises(InputError, match=r"compound\.mt: expected tgt\.correct\.LANGUAGE, tgt\.incorrect\.LANGUAGE"):
        load(tmp_path)


# LingEval97


def test_lingeval97_verbose_prints_distance_and_frequency(tmp_path: Path) -> None:
    errors: list[dict[str, Any]] = [
        {"type": "auxiliary", "contrastive": "b", "distance": "0", "frequency": 5},
        {"type": "auxiliary", "contrastive": "c", "distance": 40},
        {"type": "auxiliary", "contrastive": "d", "frequency": 20000},
        {"type": "auxiliary", "contrastive": "e"},
    ]
    path = write(
        tmp_path / "l.json", [{"source": "s", "reference": "a", "origin": "newstest2014.1", "errors": errors}]
    )
    scores = write(tmp_path / "l.scores", "2\n1\n1\n1\n1\n")
    printed = original(path, scores, "-v")
    heads = [block.split("\nerror: ")[0] for block in printed.split("\n\n")[:4]]
    assert heads == [
        "id: newstest2014.1\ndistance: 0 frequency: >2",
        "id: newstest2014.1\ndistance: >15",
        "id: newstest2014.1\nfrequency: >10k",
        "id: newstest2014.1",
    ]
    assert "distance 0: 0 1 0.0\n" in original(path, scores)
    one_best = write(tmp_path / "out", "Ausgabe")  # no line's end: no blank line more
    assert "1best: Ausgabe\n\nid:" in original(
        path, scores, "-v", "--outputs", json.dumps({"newstest2014": str(one_best)})
    )


def test_contrawsd_prints_twelve_digits() -> None:
    tags = {"ambig_word": "Ton", "sense": "clay", "frequency_ratio": "13/36"}
    items = tuple(Item(str(i), "s", (Variant("a"), Variant("b")), tags=tags) for i in range(36))
    scores = Scores("x", tuple(value for i in range(36) for value in ((1, 2) if i < 13 else (2, 1))))
    printed = evaluate_original(Suite("t", items, style="contrawsd"), scores)
    assert printed.startswith("total : 13 36 0.361111111111\n")
    assert printed.endswith("Ton:clay,13,0.361111111111,0.361111111111\n")


# Segment base


def documents(folder: Path) -> Path:
    (folder / "docs" / "1990").mkdir(parents=True)
    for language in ("en", "de", "fr"):
        write(folder / "docs" / "1990" / f"1990_1.{language}", "".join(f"{language} {i}\n" for i in range(8)))
    return folder / "docs"


def pronouns(base: int, ending: str = "") -> list[dict[str, Any]]:
    return [
        {
            "src segment": f"en {i}",
            "ref segment": f"de {i}",
            "document id": f"1990_1{ending}",
            "segment id": i + base,
            "errors": [{"contrastive": "x"}],
        }
        for i in range(2, 7)
    ]


@pytest.mark.parametrize("base", [0, 1])
def test_the_segment_base_belongs_to_the_suite(tmp_path: Path, base: int) -> None:
    folder = documents(tmp_path)
    suite = load(f"{write(tmp_path / 'p.json', pronouns(base))}?segment_base={base}")
    assert suite.segment_base == base
    save(suite, tmp_path / "p.jsonl")
    extract(tmp_path / "p.jsonl", tmp_path / "out", documents=folder, context=1, target="de")
    assert (tmp_path / "out" / "p.context.src").read_text().split("\n")[0] == "en 1"
    lost = save(suite, tmp_path / "again.json", "contrapro")
    assert [str(each) for each in lost] == (["segment_base 0"] if base == 0 else [])


def test_a_wrong_segment_base_is_an_error_that_names_the_likely_one(tmp_path: Path) -> None:
    folder = documents(tmp_path)
    path = write(tmp_path / "p.json", pronouns(0))
    for style in (None, "original"):
        with pytest.raises(
            KontrastError, match=r"counted from 1, 5 of 5 .* from 0, 0 are not: use p\?segment_base=0"
        ):
            extract(path, tmp_path / "out", documents=folder, context=1, style=style)
    with pytest.raises(KontrastError, match="segment_base=1"):
        extract(write(tmp_path / "f.json", pronouns(1, ".fr")), tmp_path / "out", documents=folder, context=1)
    assert not (tmp_path / "out").exists()
    assert extract(f"{path}?segment_base=0", tmp_path / "out", documents=folder, context=1).differing == 0
    with pytest.raises(KontrastError, match="expected 0 or 1"):
        load(f"{path}?segment_base=2")


# Losses, names


def test_aces_says_what_a_table_cannot_hold(tmp_path: Path) -> None:
    tags = {"phenomenon": "x", "spans": [1, 2], "distance": 3, "plain": "text"}
    suite = Suite("a", (Item("1", "s", (Variant("g"), Variant("b", error="x")), tags=tags),), "en", "de")
    lost = [str(each) for each in save(suite, tmp_path / "a.tsv", "aces")]
    assert "tag spans as more than text (1 item)" in lost and "tag distance as more than text (1 item)" in lost
    assert not any("plain" in each for each in lost)
    assert "[1,2]" in (tmp_path / "a.tsv").read_text()


def test_names_from_data_stay_in_the_folder(tmp_path: Path) -> None:
    item = Item("1", "s", (Variant("a"), Variant("b", error="e")))
    with pytest.raises(KontrastError, match="plain file name"):
        extract(Suite("../evil", (item,), "en", "de"), tmp_path / "out")
    for language in ("../de", "d/e", "", "x" * 30):
        with pytest.raises(KontrastError, match="language"):
            extract(Suite("s", (item,), "en", "de"), tmp_path / "out", target=language or "..")
        with pytest.raises(KontrastError, match="language"):
            save(Suite("s", (item,), "en", language or ".."), tmp_path / "out", "distil-lingeval")
        header = json.dumps({"kontrast": 1, "name": "n", "target_language": language})
        with pytest.raises(InputError, match="expected a language such as en"):
            load(write(tmp_path / "n.jsonl", header + "\n"))
    assert not (tmp_path / "out").exists()


def test_scores_of_another_suite_are_refused_by_the_originals_too(tmp_path: Path) -> None:
    entry = {"source": "s", "reference": "a", "errors": [{"type": "compound", "contrastive": "b"}]}
    mine = load(write(tmp_path / "mine.json", [entry]))
    other = load(write(tmp_path / "other.json", [entry | {"source": "t"}]))
    signature = Signature(suite="mine", fingerprint=mine.fingerprint)
    write_scores(Scores("x", (1.0, 2.0), signature=signature), tmp_path / "x.scores")
    assert original(tmp_path / "mine.json", tmp_path / "x.scores").startswith("total : 1 1 1.0")
    assert other.row_count == mine.row_count
    with pytest.raises(KontrastError, match="has the scores of another suite"):
        original(tmp_path / "other.json", tmp_path / "x.scores")


# WMT25, GATE, pro-errors


def test_two_files_of_one_hypothesis_are_refused(tmp_path: Path) -> None:
    for part in ("src", "ref", "hyp", "hyp-2"):
        write(tmp_path / f"set.en-de.{part}.txt", f"{part}\n")
    assert [v.text for v in load(tmp_path / "set.en-de").items[0].variants] == ["ref", "hyp", "hyp-2"]
    write(tmp_path / "set.en-de.hyp-1.txt", "other\n")
    with pytest.raises(InputError, match="expected one file of hypothesis 1, found"):
        load(tmp_path / "set.en-de", "wmt25")


def test_a_blank_translation_of_gate_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "FR_2_variants.tsv", "labels\tsource\tkw_s\tf\tm\nPROF\tShe came.\tx\t\tIl est venu.\n")
    with pytest.raises(InputError, match="line 2: expected a translation in the column f, found none"):
        load(path)


def test_a_reference_has_one_partner(tmp_path: Path) -> None:
    with pytest.raises(KontrastError, match="A has two partners"):
        load(tmp_path, "pro-errors", pairs="A:B,A:C")
