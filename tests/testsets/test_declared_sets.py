"""Sets whose data is not here, on made files in their published layout; and other languages of those that are."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import kontrast
from kontrast import KontrastError, Scores, Signature, Suite
from kontrast.cli import kontrast as cli
from kontrast.judging.check import original_lines
from kontrast.suites.catalogue import entry, set_paths
from kontrast.suites.testset import testsets


def lines(folder: Path, **files: list[str]) -> Path:
    for name, texts in files.items():
        (folder / name.replace("__", ".").replace("0", "-")).write_text("".join(t + "\n" for t in texts), "utf-8")
    return folder


def known_answers(suite: Suite) -> None:
    """Oracle, fooled and constant scorers."""
    best = [float(row.variant_index != row.item.correct) for row in suite.rows()]
    for values, wanted in ((best, 1.0), ([1 - each for each in best], 0.0)):
        scores = Scores("made", tuple(values), signature=Signature())
        assert kontrast.evaluate(suite, scores).accuracy == wanted
    constant = kontrast.evaluate(suite, Scores("made", (1.0,) * suite.row_count, signature=Signature()))
    assert constant.accuracy == constant.chance and constant.ties == constant.items


BLIMP = {
    "sentence_good": "Who should Derek hug after shocking Richard?",
    "sentence_bad": "Who should Derek hug Richard after shocking?",
    "field": "syntax",
    "UID": "adjunct_island",
    "pairID": "0",
}


@pytest.mark.parametrize("ending", ["jsonl", "csv", "tsv"])
def test_blimp(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"adjunct_island.{ending}"
    rows = [BLIMP, {**BLIMP, "pairID": "1"}]
    if ending == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        with path.open("w", newline="") as out:
            writer = csv.DictWriter(out, BLIMP, delimiter="\t" if ending == "tsv" else ",")
            writer.writeheader()
            writer.writerows(rows)
    suite = kontrast.load(path)
    assert (suite.style, len(suite), suite.items[0].phenomenon) == ("blimp", 2, "adjunct_island")
    assert (suite.items[0].source, suite.source_language, suite.target_language) == ("", None, None)
    assert suite.items[1].tags["pairID"] == "1"
    assert kontrast.load(f"{path}?lang=nl").target_language == "nl"
    known_answers(suite)


def test_multiblimp(tmp_path: Path) -> None:
    path = (
        lines(tmp_path, data__tsv=["sen\twrong_sen\tphenomenon\tcue", "He walks.\tHe walk.\tSV-#\tHe"]) / "data.tsv"
    )
    suite = kontrast.load(f"{path}?lang=en")
    assert (suite.style, suite.items[0].phenomenon, suite.target_language) == ("multiblimp", "SV-#", "en")
    known_answers(suite)


def test_wino_x(tmp_path: Path) -> None:
    row = {"qID": "a-1", "sentence": "The hat did not fit in the box because it was too big."}
    row |= {"translation1": "… weil er …", "translation2": "… weil sie …", "answer": 2, "pronoun1": "er"}
    path = tmp_path / "mt_en_de.jsonl"
    path.write_text(json.dumps(row) + "\n" + json.dumps({**row, "answer": "1"}) + "\n")
    suite = kontrast.load(path)
    assert (suite.style, suite.source_language, suite.target_language) == ("wino-x", "en", "de")
    assert [item.best.text for item in suite] == ["… weil sie …", "… weil er …"]
    known_answers(suite)
    path.write_text(json.dumps({**row, "answer": 3}) + "\n")
    with pytest.raises(KontrastError, match="line 1: expected an answer from 1 to 2, found '3'"):
        kontrast.load(path)


def test_gate_with_eight_translations(tmp_path: Path) -> None:
    genders = [a + b + c for a in "fm" for b in "fm" for c in "fm"]
    rows = ["\t".join(("labels", "source", *genders, "kw_s")), "\t".join(("PROF;PLUR", "They", *genders, "x"))]
    path = lines(tmp_path, ES_8_variants__txt=rows) / "ES_8_variants.txt"
    suite = kontrast.load(path)
    assert (suite.target_language, len(suite.items[0].variants), suite.items[0].best.text) == ("es", 8, "fff")
    known_answers(suite)
    each = kontrast.load(f"{path}?right=each")
    assert [item.tags["gender"] for item in each] == genders
    known_answers(each)
    with pytest.raises(KontrastError, match="right=ff: expected one of fff, ffm"):
        kontrast.load(f"{path}?right=ff")


def test_cocoa_by_domain(tmp_path: Path) -> None:
    prefix = "formality-control.test.telephony.en-hi"
    both = {"": "Do you?", ".formal": "A Sie", ".informal": "A du"}
    both |= {".formal.annotated": "A [F]Sie[/F]", ".informal.annotated": "A [F]du[/F]"}
    for ending, text in both.items():
        (tmp_path / f"{prefix}{ending}").write_text(text + "\n")
    suite = kontrast.load(tmp_path / prefix)
    assert (suite.target_language, suite.items[0].best.text) == ("hi", "A Sie")
    assert suite.items[0].tags["informal_phrases"] == ["du"]
    known_answers(suite)
    checked = kontrast.check(suite, ["du A"], style="original")
    assert checked.outcomes == ("wrong",)
    (tmp_path / f"{prefix}.informal.annotated").unlink()
    with pytest.raises(KontrastError, match="one is missing"):
        kontrast.load(tmp_path / prefix)


def test_wmt25_without_a_reference_says_so(tmp_path: Path) -> None:
    lines(tmp_path, made__en0zu__src__txt=["a", "b"], made__en0zu__hyp01__txt=["c", "d"])
    lines(tmp_path, made__en0zu__hyp010__txt=["e", "d"], made__en0zu__meta__txt=["domain\tdoc", "x\t1", "y\t2"])
    (tmp_path / "made.en-zu.hyp-1-.txt").rename(tmp_path / "made.en-zu.hyp-10.txt")
    blank = kontrast.load(tmp_path / "made.en-zu")
    assert blank.items[0].tags["hypotheses"] == ["c", "e"] and blank.items[0].document == "1"
    with pytest.raises(KontrastError, match="no item with two variants"):
        kontrast.evaluate(blank, Scores("made", (1.0, 1.0)))
    suite = kontrast.load(f"{tmp_path}/made.en-zu?right=1")
    assert [len(item.variants) for item in suite] == [2, 1] and suite.extra["equal_to_reference"] == 1


def test_contracat(tmp_path: Path) -> None:
    rows = ["The hat . <SEP> it is red ."] * 3 + ["it is old ."] * 2
    target = [f"Der Hut . <SEP> {p} ist rot ." for p in ("er", "sie", "es")] + ["es ist alt .", "er ist alt ."]
    lines(tmp_path, lisa_en_tok__txt=rows, lisa_de_tok__txt=target, sentence_groups__txt=["0 3", "3 5"])
    suite = kontrast.load(tmp_path / "lisa_en_tok.txt")
    assert suite.style == "contracat" and [len(item.variants) for item in suite] == [3, 2]
    assert suite.items[0].source_context == ("The hat .",) and suite.items[0].best.text == "er ist rot ."
    known_answers(suite)
    (tmp_path / "sentence_groups.txt").write_text("0 3\n4 5\n")
    with pytest.raises(KontrastError, match="line 2: expected the first row of an item and that of the next item"):
        kontrast.load(tmp_path / "lisa_en_tok.txt")


def test_cognition(tmp_path: Path) -> None:
    lines(tmp_path, NP__en=["the dog ran ."] * 5, NP__zh=["狗 跑 了 。"] * 5, NP__compound=["the dog"] * 5)
    (tmp_path / "lexicon").write_text("the\t/\ndog\t狗/犬\n", "utf-8")
    suite = kontrast.load(f"{tmp_path}/NP.en?lexicon={tmp_path}/lexicon")
    assert (suite.style, suite.items[0].document, suite.items[0].phenomenon) == ("cognition", "the dog", "NP")
    checked = kontrast.check(suite, ["狗 跑 了"] * 4 + ["猫"], style="original")
    assert checked.outcomes == ("right",) * 4 + ("wrong",)
    assert original_lines(suite, checked.outcomes)[1:] == (
        "Instance-level error rate:20.000%",
        "Aggregate-level error rate:100.000%",
    )
    with pytest.raises(KontrastError, match="needs its lexicon"):
        kontrast.check(kontrast.load(tmp_path / "NP.en"), ["狗"] * 5, style="original")


def test_cognition_by_compound(tmp_path: Path) -> None:
    """Known answers: an empty translation of ``liked`` is found anywhere, a modifier must stand before its noun."""
    compounds = ["the quiet dog he liked", "liked the dog"]
    lines(tmp_path, NP__en=["x"] * 10, NP__zh=["狗"] * 10, NP__compound=[c for c in compounds for _ in range(5)])
    (tmp_path / "lexicon").write_text("the\t/\ndog\t狗/犬\nmod0\t他喜欢的\nquiet\t静\nliked\t喜欢/\n", "utf-8")
    suite = kontrast.load(f"{tmp_path}/NP.en?lexicon={tmp_path}/lexicon")
    right = ["他喜欢的静狗"] * 5 + ["狗"] * 5
    wrong = ["狗他喜欢的静", *right[1:]]
    found = kontrast.generalise(compounds=suite, outputs={"right": right, "wrong": wrong, "empty": [""] * 10})
    rates = [(each.unseen.error_rate, each.unseen_types_error_rate) for each in found.systems]
    assert rates == [(0, 0), (pytest.approx(0.1), 0.5), (1, 1)]
    by = {(rate.by, rate.group): round(rate.error_rate, 9) for rate in found.systems[1].rates}
    assert by == {("kind", "NP"): 0.1, ("compound", compounds[0]): 0.2, ("compound", compounds[1]): 0}
    checked = kontrast.check(suite, wrong, style="original")
    assert original_lines(suite, checked.outcomes)[1:] == (
        "Instance-level error rate:10.000%",
        "Aggregate-level error rate:50.000%",
    )
    (tmp_path / "out.zh").write_text("\n".join(wrong) + "\n", "utf-8")
    words = ["generalise", "--compounds", f"{tmp_path}/NP.en?lexicon={tmp_path}/lexicon"]
    printed = CliRunner().invoke(cli, [*words, "--output", f"{tmp_path}/out.zh"]).output
    assert "compounds with an error in any sentence: 0.500" in printed
    for given, said in (
        ({"outputs": {}}, "needs --output FILE"),
        ({"outputs": {"a": ["x"]}}, "expected 10 translations"),
        ({"outputs": {"a": right}, "corpus": "a.conllu"}, "takes only --output"),
        ({"outputs": {"a": right}, "dictionary": True}, "is for a split"),
    ):
        with pytest.raises(KontrastError, match=said):
            kontrast.generalise(compounds=suite, **given)  # type: ignore[call-overload]
    with pytest.raises(KontrastError, match="name no compound"):
        kontrast.generalise(compounds=kontrast.load("demo:fr"), outputs={"a": ["x"] * 176})


@pytest.mark.parametrize(
    ("name", "there", "part"),
    [
        ("dfki", ["testset/en-de/items.json", "testset/de-en/items.json", "testset/de-en/rules.json"], "de-en"),
        ("wino-x", ["data/mt/en_de_test.jsonl", "data/lm/en_de_test.jsonl"], "en-de"),
        ("wino-x", ["mt_wino_x/mt_en_de.jsonl", "lm_wino_x/lm_en_de.jsonl"], "en-de"),
        ("span-aces", ["challenge_set.jsonl", "span_aces.jsonl"], "span-aces"),
    ],
)
def test_files_are_found_where_their_authors_put_them(name: str, there: list[str], part: str, tmp_path: Path) -> None:
    for each in there:
        (tmp_path / each).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / each).touch()
    wanted = {"dfki": "de-en/items", "wino-x": "mt", "span-aces": "span"}[name]
    chosen = next(each for each in there if wanted in each)
    assert set_paths(entry(name), tmp_path)[part] == tmp_path / chosen


def test_dfki_into_english(tmp_path: Path) -> None:
    item = {"id": "1", "langpair": "deen", "category": "Ambiguity", "phenomenon": "Lexical ambiguity"}
    item |= {"source_sentence": "Das Schloss ist alt.", "positive_tokens": ["The castle is old."]}
    item |= {"negative_tokens": ["The lock is old."], "positive_regex": "castle", "negative_regex": "lock"}
    path = tmp_path / "items.json"
    path.write_text(json.dumps({"items": [item]}))
    suite = kontrast.load(path)
    assert (suite.name, suite.style, suite.source_language, suite.target_language) == (
        "dfki-de-en",
        "dfki",
        "de",
        "en",
    )
    known_answers(suite)


def test_aces_score(tmp_path: Path) -> None:
    """Worked out by hand from its script: a tie is as bad as a wrong preference; a missing category has no mean."""
    names = "addition omission copy-source do-not-translate hyponym-replacement hypernym-replacement".split()
    names += "antonym-replacement similar-language-low punctuation:deletion_all nonsense lexical-overlap".split()
    rows = [f"s\tgood {n}\tbad {n}\tr\t{name}\tde-en" for name in names for n in range(4)]
    header = "source\tgood-translation\tincorrect-translation\treference\tphenomena\tlangpair"
    (tmp_path / "aces.tsv").write_text("\n".join([header, *rows]) + "\n")
    numbers = [(1, 0)] * len(rows)
    numbers[0], numbers[1] = (0, 1), (1, 1)  # addition: tau 0
    numbers[-4:] = [(0, 1)] * 3 + [(1, 0)]  # lexical-overlap: tau -0.5, and nonsense 1
    (tmp_path / "chrF.scores").write_text("".join(f"{good}\n{bad}\n" for good, bad in numbers))
    words = ["evaluate", str(tmp_path / "aces.tsv"), str(tmp_path / "chrF.scores"), "--style", "original"]
    printed = CliRunner().invoke(cli, [*words, "--print_overview", "--print_aces_score"]).output.split("\n")
    assert printed[:3] == ["phenomenon\tnum_examples\tchrF", "addition\t4\t0.0", "antonym-replacement\t4\t1.0"]
    assert "lexical-overlap\t4\t-0.5" in printed and "\tmistranslation\t0.25" in printed
    assert f"chrF\tACES-score: {5 * 0.25 + 5 + 1 + 1 + 5 + 5 + 1 + 1 + 0.1}" in printed
    (tmp_path / "aces.tsv").write_text("\n".join([header, rows[0], rows[4]]) + "\n")
    (tmp_path / "chrF.scores").write_text("1\n0\n" * 2)
    assert "chrF\tACES-score: nan" in CliRunner().invoke(cli, [*words, "--print_aces_score"]).output
    (tmp_path / "aces.tsv").write_text("\n".join([header, rows[0], rows[4].replace("omission", "omissions")]) + "\n")
    assert "no phenomenon 'omissions'" in str(CliRunner().invoke(cli, words).exception)


def test_span_aces(tmp_path: Path) -> None:
    header = "source\tgood-translation\tincorrect-translation\treference\tphenomena\tlangpair"
    header += "\tincorrect-translation-annotated\tannotation-method"
    rows = [
        "s\ta cat sat\ta dog sat\tr\taddition\tde-en\ta <v>dog</v> sat\tdiff",
        "s\ta\tb\tr\tx\tde-en\tc <v>d</v>\tdiff",
    ]
    path = lines(tmp_path, span__tsv=[header, *rows]) / "span.tsv"
    suite = kontrast.load(path)
    assert [item.variants[1].tags for item in suite] == [{"error_spans": [[2, 5]]}, {}]
    known_answers(suite)


def test_a_declaration_is_short() -> None:
    """At most 15 lines of TOML, apart from the entry in the catalogue."""
    found = [each.home.read_text("utf-8") for each in testsets().values() if isinstance(each.home, Path)]
    declarations = [text.partition("[format]\n")[2].partition("\n[[entry]]")[0] for text in found]
    assert len(found) >= 4 and all(len(text.splitlines()) <= 15 for text in declarations)


def test_mittens_out_of_english_has_no_check_of_its_own(tmp_path: Path) -> None:
    header = ",inputs,targets,lang,encoded_gender,eval_set_key,model_input_hash,example,format"
    rows = [
        header,
        "0,p,Sie kam.,de,feminine,coref,h,She came.,2xx",
        "1,p,She came.,de,feminine,coref,h,Sie kam.,2en",
    ]
    path = lines(tmp_path, mittens__csv=rows[:2]) / "mittens.csv"
    with pytest.raises(KontrastError, match="own check needs translations into English"):
        kontrast.check(kontrast.load(path), ["Sie kam."], style="original")
    lines(tmp_path, mittens__csv=[rows[0], rows[2]])
    assert kontrast.check(kontrast.load(path), ["He came."], style="original").outcomes == ("wrong",)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("0,p,Sie kam.,,feminine,coref,h,She came.,2xx", "line 2: expected a value in the column lang"),
        ("0,p,Sie kam.,de,,coref,h,She came.,2xx", "line 2: expected a value in the column encoded_gender"),
        ("0,p,Sie kam.,de,feminine,coref,h,She came.,to", "line 2: expected 2en or 2xx in format, found 'to'"),
        ('0²,p,Sie kam.,de,feminine,coref,h,She came.,2xx\n1,p,"She', "line 3: row 3, column 3"),
    ],
)
def test_mittens_rows_that_are_not_whole(row: str, told: str, tmp_path: Path) -> None:
    header = ",inputs,targets,lang,encoded_gender,eval_set_key,model_input_hash,example,format"
    with pytest.raises(KontrastError, match=told):
        kontrast.load(lines(tmp_path, mittens__csv=[header, row]) / "mittens.csv")
