"""What would move cells or hide rows is refused, with line and column, whoever reads the file."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kontrast
from kontrast import InputError, Item, KontrastError, Suite, Variant, load
from kontrast.io.json_input import decode_whole, refuse_repeated_keys
from kontrast.io.tables import parse, read_rows, write_rows
from kontrast.review.drafts import pasted

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
SOURCE = Path(kontrast.__file__).parent

FIVE = 'source{0}right{0}wrong\n"Go{0}Geh{0}Gehe\nb{0}c{0}d\ne{0}f{0}g\nh"{0}i{0}j\nk{0}l{0}m\n'
"""Of five rows, a reader that takes the two quotation marks for a pair makes two."""


@pytest.mark.parametrize(("name", "mark"), [("a.tsv", "\t"), ("a.csv", ","), ("b.csv", ";")])
def test_a_quotation_mark_swallows_no_rows(tmp_path: Path, name: str, mark: str) -> None:
    (tmp_path / name).write_text(FIVE.format(mark))
    with pytest.raises(
        InputError, match=r"line 2: row 2, column 1: the cell holds 3 line ends .* may contain other rows"
    ):
        load(tmp_path / name)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('source\tright\twrong\na\t"b\tc\n', "line 2: row 2, column 2: .* found none"),
        ('source\tright\twrong\na\t"b" or so\tc\n', "line 2: row 2, column 2: .* found text behind it"),
        (
            'source\tright\twrong\twrong2\n"a\tb"\tc\td\n',
            "row 2, column 1: the cell holds a tab and the row has 3 of 4",
        ),
        (
            'source\tright\twrong\na\tb\tc\nd\t "e"\tf\n',
            "line 3: row 3, column 2: found a blank before the quotation",
        ),
        ('source\tright\twrong\n"a\nb\nc"\tb\t"c"d\n', "line 4: row 2, column 3: .* found text behind it"),
    ],
)
def test_unpaired_quotation_marks(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.tsv").write_text(text)
    with pytest.raises(InputError, match=message):
        load(tmp_path / "a.tsv")


def test_quotation_marks_that_are_right(tmp_path: Path) -> None:
    text = 'source,right,wrong,context\n"No, no.",a "b" c,"say ""d""","First, this.\nThen, that, too."\n'
    (tmp_path / "a.csv").write_text(text)
    (item,) = load(tmp_path / "a.csv").items
    assert (item.source, *(v.text for v in item.variants)) == ("No, no.", 'a "b" c', 'say "d"')
    assert item.source_context == ("First, this.", "Then, that, too.")


def test_pasted_tables_are_read_by_the_same_rules() -> None:
    with pytest.raises(InputError, match=r"the table, line 2: row 2, column 1: the cell holds 3 line ends"):
        pasted(FIVE.format("\t"))
    with pytest.raises(InputError, match=r"the table, line 1: columns 3 and 4 have the same name wrong"):
        pasted("source,right,wrong,wrong\na,b,c,d\n")


def test_two_columns_of_one_name(tmp_path: Path) -> None:
    aces = tmp_path / "a.tsv"
    aces.write_text("source\tgood-translation\tincorrect-translation\treference\tsource\nA\tB\tC\tD\tWMT\n")
    with pytest.raises(InputError, match="line 1: columns 1 and 5 have the same name source: rename one, or") as told:
        load(aces)
    advised = re.search(r"\?columns=\S+", str(told.value))
    assert advised and load(f"{aces}{advised[0]}").items[0].source == "A"
    with pytest.raises(InputError, match="expected 5 names, found 2"):
        load(f"{aces}?columns=source,reference")
    (tmp_path / "s.csv").write_text("Source,right,wrong,source\na,b,c,d\n")
    with pytest.raises(InputError, match="columns 1 and 4 have the same name source"):
        load(tmp_path / "s.csv")
    assert load(f"{tmp_path / 's.csv'}?columns=source,right,wrong,origin").items[0].tags == {"origin": "d"}


def test_judgements_with_two_scores(tmp_path: Path) -> None:
    people, metric = tmp_path / "people.tsv", tmp_path / "m.tsv"
    people.write_text("system\tsegment\tscore\tScore\n" + "".join(f"A\t{n}\t{n}\t{-n}\n" for n in range(9)))
    metric.write_text("system\tsegment\tscore\n" + "".join(f"A\t{n}\t{n}\n" for n in range(9)))
    with pytest.raises(InputError, match=r"people.tsv, line 1: columns 3 and 4 have the same name score: rename one"):
        kontrast.correlate(people, [metric])
    people.write_text('{"system": "A", "segment": 1, "score": 1, "Score": -1}\n')
    with pytest.raises(InputError, match="columns 3 and 4 have the same name score"):
        kontrast.correlate(people, [metric])


ITEM = '"source": "a", "reference": "b", "errors": [{"type": "x", "contrastive": "c"}]'


@pytest.mark.parametrize(
    ("name", "text", "line", "key"),
    [
        ("a.json", f'[{{{ITEM}}},\n {{{ITEM}, "source": "d"}}]', 2, "source"),
        ("a.json", f'[{{{ITEM}}},\n {{{ITEM}, "origin": {{"x": 1,\n "x": 2}}}}]', 3, "x"),
        ("a.jsonl", f'{{{ITEM}}}\n{{{ITEM}, "reference": "d"}}\n', 2, "reference"),
        (
            "a.jsonl",
            '{"kontrast":1,"name":"a"}\n{"id":"1","id":"2","source":"a","variants":[{"text":"b"}]}\n',
            2,
            "id",
        ),
        ("a.json", '{"1": {"src": ["a"], "trg": []}, "1": {"src": ["a"], "trg": [{"incorrect": []}]}}', 1, "1"),
        ("a.json", '[{"src": "a", "dst": ["b", "c"], "true_ind": 0, "true_ind": 1}]', 1, "true_ind"),
    ],
)
def test_a_key_that_comes_twice(tmp_path: Path, name: str, text: str, line: int, key: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=f'line {line}: expected each key of an object once, found "{key}" again'):
        load(tmp_path / name)


def test_keys_that_are_spelt_in_two_ways() -> None:
    with pytest.raises(InputError, match=r"found .* again"):
        refuse_repeated_keys(r'{"a": 1, "\u0061": 2}', "a.json")
    refuse_repeated_keys('[{"a": ":"}, {"a": "\\": {\\"a\\": "}, 1' + "0" * 5000 + "]", "a.json")


def test_bytes_that_are_no_text_in_a_key_that_is_skipped() -> None:
    class Known(msgspec.Struct):
        a: int

    with pytest.raises(InputError, match="line 2: expected UTF-8, found byte 0xed"):
        decode_whole(b'{"a": 1,\n "b": "\xed\xa0\x80"}', Known, "a.json", "a number")


def test_no_other_reader() -> None:
    """Tables are parsed in ``io`` alone; the report's CSV is only written."""
    own = re.compile(r"^\s*(?:import csv|from csv|import openpyxl|from openpyxl)|read_csv", re.MULTILINE)
    found = {str(path.relative_to(SOURCE)) for path in SOURCE.rglob("*.py") if own.search(path.read_text("utf-8"))}
    assert found == {"io/sheets.py", "reporting/render/csv_files.py"}


def test_hw_tsc() -> None:
    path = SHARED / "hw-tsc" / "Challenge_Set_for_WMT22_Metric_by_HW-TSC.TSV"
    if not path.exists():
        pytest.skip("the shared real data is not beside this checkout")
    suite = load(path)
    assert (suite.style, len(suite.items)) == ("hw-tsc", 721)
    assert (suite.source_language, suite.target_language) == ("zh", "en")
    assert suite.items[0].source.startswith("（德国之声中文网）") and suite.items[0].tags["origin"] == "WMT"
    first = path.read_text("utf-8-sig").splitlines()[1].split("\t")
    item = suite.items[0]
    texts = [item.source, *(variant.text for variant in item.variants), item.references[0].text, item.phenomenon]
    assert texts == first[:5] and item.correct == 0
    with pytest.raises(
        InputError,
        match=r"line 1: columns 1 and 6 have the same name source: "
        r".*\?columns=source,good-",
    ):
        load(path, "aces")
    columns = "source,good-translation,incorrect-translation,reference,phenomena,origin"
    assert [i.variants for i in load(f"{path}?columns={columns}", "aces")] == [i.variants for i in suite]


@given(
    st.lists(st.lists(st.text(max_size=6), min_size=3, max_size=3), min_size=1, max_size=6),
    st.sampled_from(["a.csv", "a.tsv"]),
)
def test_what_is_written_is_read(rows: list[list[str]], name: str) -> None:
    """Any cells come back, or they are refused because a program could take them for something else."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        table = [["one", "two", "three"], *rows]
        try:
            write_rows(path, table)
            read = [row.cells for row in read_rows(path)]
        except KontrastError as error:
            assert re.search(r"incomplete character|would be read as several rows", str(error))
        else:
            assert read == [row for row in table if any(cell.strip() for cell in row)]


@given(st.text(alphabet='a", \t\r\n#;', max_size=40), st.sampled_from([None, "\t", ",", ";"]))
def test_any_text_is_rows_or_an_error(text: str, mark: str | None) -> None:
    try:
        rows = list(parse("a", text, mark))
    except InputError as error:
        assert "column" in str(error) and error.line
    else:
        assert all(row.cells for row in rows)


def test_a_suite_without_a_phenomenon_has_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.csv").write_text("source,right,wrong,phenomenon\na,b,c,gender\nd,e,f,\ng,h,i,\n")
    suite = load(tmp_path / "a.csv")
    assert [item.phenomenon for item in suite.items] == ["gender", None, None]
    assert "2 of 3 rows have no phenomenon" in capsys.readouterr().err


def test_an_error_called_error_comes_back(tmp_path: Path) -> None:
    suite = Suite("a", (Item("2", "a", (Variant("b"), Variant("c", error="error"))),))
    kontrast.save(suite, tmp_path / "a.csv", "table")
    assert load(tmp_path / "a.csv").items[0].phenomenon == "error"
