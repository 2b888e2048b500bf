"""Suites in a spreadsheet: read, written back, and what is wrong named by row and column."""

from __future__ import annotations

import tempfile
from datetime import date, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kontrast
from kontrast import InputError, Item, KontrastError, Suite, Variant, convert, init, load, save
from kontrast.cli import main
from kontrast.errors import MissingExtraError

CSV = """# languages: en-pt
# a comment, with a comma
Source,right,wrong,wrong2,phenomenon,context,distance,author
It is old.,É velha.,É velho.,,gender,"The lamp.
It glows.",2,Ana

They sing.,"Elas cantam, sim.","Eles cantam, sim.",Ele canta.,,,,007
"""


def test_csv(tmp_path: Path) -> None:
    (tmp_path / "my.csv").write_text(CSV, encoding="utf-8")
    suite = load(tmp_path / "my.csv")
    assert (suite.name, suite.source_language, suite.target_language) == ("my", "en", "pt")
    first, second = suite.items
    assert first == Item(
        "4",
        "It is old.",
        (Variant("É velha."), Variant("É velho.", error="gender")),
        source_context=("The lamp.", "It glows."),
        tags={"phenomenon": "gender", "distance": 2, "author": "Ana"},
    )
    assert [v.text for v in second.variants] == ["Elas cantam, sim.", "Eles cantam, sim.", "Ele canta."]
    assert second.tags == {"author": "007"} and second.source_context == ()


@pytest.mark.parametrize("name", ["my.tsv", "my.xlsx", "my.csv.gz"])
def test_other_endings_hold_the_same(tmp_path: Path, name: str) -> None:
    (tmp_path / "my.csv").write_text(CSV, encoding="utf-8")
    suite = load(tmp_path / "my.csv")
    assert save(suite, tmp_path / name, "table") == []
    back = load(tmp_path / name)
    assert [(i.source, i.variants, i.source_context, i.tags) for i in back.items] == [
        (i.source, i.variants, i.source_context, i.tags) for i in suite.items
    ]
    assert (back.source_language, back.target_language) == ("en", "pt")


def test_semicolons_and_a_byte_order_mark_as_spreadsheets_write_them(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("source;right;wrong\r\nIt, then.;Ja;Nein\r\n", encoding="utf-8-sig")
    assert load(tmp_path / "a.csv").items[0].source == "It, then."


def test_another_encoding_and_blank_cells_at_the_end(tmp_path: Path) -> None:
    text = "# languages: en-de,,,,\nsource,right,wrong,,\na,grün,c,,\n"  # as Excel pads them
    (tmp_path / "a.csv").write_text(text, encoding="utf-8")
    assert load(tmp_path / "a.csv").items[0].best.text == "grün"
    (tmp_path / "a.csv").write_text(text, encoding="cp1252")
    with pytest.raises(InputError, match=r"line 3: expected UTF-8, found byte 0xfc; .* save it as CSV UTF-8"):
        load(tmp_path / "a.csv")


def test_cells_of_a_spreadsheet_keep_their_numbers(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["source", "right", "wrong", "n", "share", "day"], ["a", "b", "c", 3, 0.5, date(2024, 1, 2)]):
        book.active.append(row)
    book.create_sheet("notes", 1).append(["another sheet"])
    book.save(tmp_path / "a.xlsx")
    assert load(tmp_path / "a.xlsx").items[0].tags == {"n": 3, "share": 0.5, "day": "2024-01-02"}
    book.move_sheet("notes", -1)
    book.save(tmp_path / "a.xlsx")
    with pytest.raises(
        InputError, match="row 1 of the first sheet: expected the columns source, right, wrong; found another"
    ):
        load(tmp_path / "a.xlsx")


@pytest.mark.parametrize(
    ("cells", "merged", "message"),
    [
        (
            ["3/4", datetime(2026, 4, 3), "vier", "p"],
            "",
            r"row 2, column right: .* found a date, an amount or a truth value \(2026-04",
        ),
        (
            [True, "b", "c", "p"],
            "",
            r"row 2, column source: expected text, found a date, an amount or a truth value \(True",
        ),
        (["#REF!", "b", "c", "p"], "", "row 2, column source: expected a value, found the error #REF!"),
        (["a", "b", "c", "#N/A"], "", "row 2, column phenomenon: expected a value, found the error #N/A"),
        (["a", "b", "c", "p"], "D2:D3", r"found merged cells \(D2:D3\): unmerge them, or .*\?merged=fill"),
    ],
)
def test_what_a_spreadsheet_made_of_a_text_is_refused(
    tmp_path: Path, cells: list[Any], merged: str, message: str
) -> None:
    book = openpyxl.Workbook()
    for row in (["source", "right", "wrong", "phenomenon"], cells, ["d", "e", "f", "q"]):
        book.active.append(row)
    if merged:
        book.active.merge_cells(merged)
    book.save(tmp_path / "a.xlsx")
    with pytest.raises(InputError, match=message):
        load(tmp_path / "a.xlsx")


def test_merged_cells_are_filled_when_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Over rows of two columns, beside a blank row, over two columns of one row, and to the last row there can be."""
    book = openpyxl.Workbook()
    names = ["source", "right", "wrong", "phenomenon", "who"]
    rows = [["a", "b", "c", "gender", "Ann"], ["d", "e", "f"], [], ["g", "h", "i", "case"], ["j", "k", "l", "number"]]
    for row in (names, *rows):
        book.active.append(row)
    for cells in ("D2:D4", "E2:E1048576", "F3:G3"):
        book.active.merge_cells(cells)
    book.save(tmp_path / "a.xlsx")
    suite = load(f"{tmp_path / 'a.xlsx'}?merged=fill")
    assert [item.phenomenon for item in suite.items] == ["gender", "gender", "case", "number"]
    assert [item.tags["who"] for item in suite.items] == ["Ann"] * 4
    assert "3 rows got the value of merged cells" in capsys.readouterr().err
    with pytest.raises(InputError, match="merged=down: expected fill"):
        load(f"{tmp_path / 'a.xlsx'}?merged=down")
    (tmp_path / "a.csv").write_text("source,right,wrong\na,b,c\n")
    with pytest.raises(InputError, match=r"only an \.xlsx file has sheets and merged cells"):
        load(f"{tmp_path / 'a.csv'}?merged=fill")


def _sheet(path: Path, cells: list[Any], formats: dict[str, str]) -> Path:
    book = openpyxl.Workbook()
    for row in (["source", "right", "wrong", "phenomenon", "share"], cells):
        book.active.append(row)
    for place, shown in formats.items():
        book.active[place].number_format = shown
    book.save(path)
    return path


def test_percents_keep_all_their_digits(tmp_path: Path) -> None:
    path = _sheet(tmp_path / "a.xlsx", ["half", 0.5, 0.125, "p", 0.07], {"B2": "0%", "C2": "0%", "E2": "0.00%"})
    (item,) = load(path).items
    assert [variant.text for variant in item.variants] == ["50%", "12.5%"] and item.tags["share"] == "7.00%"
    path = _sheet(tmp_path / "a.xlsx", ["half", 0.5, 0.125, "p", 1500], {"B2": "# ?/?", "E2": "#,##0"})
    with pytest.raises(InputError, match=r"row 2, column right: expected text, found a date, an amount"):
        load(path)
    path = _sheet(tmp_path / "a.xlsx", ["half", "b", "c", "p", 1500], {"E2": "#,##0"})
    assert load(path).items[0].tags["share"] == 1500  # of a tag the value counts


@pytest.mark.parametrize(("place", "column"), [(2, "3"), (3, "4"), (4, "5")])
def test_a_formula_without_its_value(tmp_path: Path, place: int, column: str) -> None:
    cells: list[Any] = ["a", "b", "c", "p", "s"]
    cells[place] = '=CONCAT("x","y")'  # openpyxl stores no value, as programs that make files do
    path = _sheet(tmp_path / "a.xlsx", cells, {})
    with pytest.raises(InputError, match=rf"row 2, column {column}: expected a value, found a formula without a"):
        load(path)


def test_a_sheet_by_its_name(tmp_path: Path) -> None:
    path = _sheet(tmp_path / "a.xlsx", ["a", "b", "c", "p", "s"], {})
    book = openpyxl.load_workbook(path)
    book.create_sheet("notes", 0).append(["nothing here"])
    book.save(path)
    assert load(f"{path}?sheet=Sheet").items[0].source == "a"
    with pytest.raises(InputError, match="there is no sheet Blatt; it has notes, Sheet"):
        load(f"{path}?sheet=Blatt")
    (tmp_path / "a.csv").write_text(CSV, encoding="utf-8")
    with pytest.raises(InputError, match=r"only an \.xlsx file has sheets"):
        load(f"{tmp_path / 'a.csv'}?sheet=Sheet")


def test_items_that_are_comments_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.csv").write_text("# a remark,,\nsource,right,wrong\n#1 hit,b,c\nd,e,f\n# another remark,,\n")
    assert len(load(tmp_path / "a.csv").items) == 1
    assert "1 of 2 rows begin with # and are left out as comments" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "found an empty file"),
        ("# only this\n", "is none of the known formats"),
        ("source,right\na,b\n", r"row 1: expected a column wrong; found source, right"),
        ("source,right,wrong\na,,c\n", r"row 2, column right: expected text, found nothing"),
        ("source,right,wrong\na,b,c\n\nd,e,\n", r"row 4, column wrong: expected text, found nothing"),
        (
            "source,right,wrong\na,,c\nd,,\n",
            r"row 2, column right; row 3, column right; row 3, column wrong: expected",
        ),
        ("source,right,wrong\n" + "a,b,\n" * 7, r"row 6, column wrong and 2 more: expected text"),
        ("source,right,wrong\na,b,c,d\n", r"row 2: expected 3 columns, found 4; a text with a comma .* needs quotes"),
        ("source,right,wrong,tag\nno, no,b,c,\n", r"row 2: expected 4 columns, found 5; a text with a comma"),
        ("source,rigth,wrong\na,b,c\n", r"row 1: expected a column right; found source, rigth, wrong"),
        ("english,good,bad\na,b,c\n", r"your own table needs the columns source, right and wrong"),
        ("source,right,wrong,phenomenom\na,b,c,d\n", r"row 1: column phenomenom: did you mean phenomenon\?"),
        ("source,right,wrong,Wrong 2\na,b,c,d\n", r"row 1: column Wrong 2: did you mean wrong2\?"),
        (
            "source,right,wrong,wrong\na,b,c,d\n",
            r"columns 3 and 4 have the same name wrong: rename one, or .*\?columns=",
        ),
        ("# languages: pt\nsource,right,wrong\na,b,c\n", r"row 1: expected languages as in en-pt"),
        (
            'source,right,wrong\n"a,b,c\n',
            r"line 2: row 2, column 1: expected a quotation mark .* found none",
        ),
    ],
)
def test_faults_name_row_and_column(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(InputError, match=message):
        load(tmp_path / "a.csv")


def test_a_broken_spreadsheet_and_a_missing_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.xlsx").write_bytes(b"PK no spreadsheet")
    with pytest.raises(InputError, match=r"cannot be read as a spreadsheet; if it is text, name it \.csv"):
        load(tmp_path / "a.xlsx")
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    with pytest.raises(MissingExtraError):
        load(tmp_path / "a.xlsx")


def test_what_a_table_cannot_hold_is_said(tmp_path: Path) -> None:
    tags = {"spans": [1, 2], "source": "x"}
    item = Item("1", "s", (Variant("r"), Variant("w", error="e")), document="d", tags=tags)
    lost = {str(each) for each in save(Suite("a", (item,)), tmp_path / "a.csv", "table")}
    assert lost == {"tag source (1 item)", "tag spans as more than text (1 item)"}


def _one(source: str = "It is old.", **tags: Any) -> Suite:
    return Suite("s", (Item("1", source, (Variant("É velha."), Variant("É velho.")), tags=tags),))


@pytest.mark.parametrize("name", ["a.xlsx", "a.csv"])
@pytest.mark.parametrize("text", ["=1+1", '=HYPERLINK("http://x")', "-2", "+1 a", "@SUM(1)", "2020-01-01 00:00:00"])
def test_a_text_is_no_formula_and_no_date(name: str, text: str, tmp_path: Path) -> None:
    save(_one(text, note=f"{text} b"), tmp_path / name, "table")
    (item,) = load(tmp_path / name).items
    assert (item.source, item.tags["note"]) == (text, f"{text} b")
    if name == "a.xlsx":
        cells = [cell for row in openpyxl.load_workbook(tmp_path / name).active.iter_rows() for cell in row]
        assert {cell.data_type for cell in cells if cell.value} <= {"s", "inlineStr"}


@pytest.mark.parametrize("suite", [_one("a" * 40_000), _one(note="a\x01b"), _one(note="a\ud800b"), _one(note="a\0")])
def test_what_a_spreadsheet_cannot_hold_is_refused(suite: Suite, tmp_path: Path) -> None:
    """Its library would cut a long text without a word, and ends with an error of its own on the others."""
    with pytest.raises(
        KontrastError, match=r"cannot be written \(row 2: expected at most 32,767 characters, no control"
    ):
        save(suite, tmp_path / "a.xlsx", "table")
    many = _one(**{f"t{n}": n for n in range(1200)})
    with pytest.raises(KontrastError, match="more than 1,000 columns"):
        save(many, tmp_path / "a.xlsx", "table")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a.xlsx", "a.csv", "a.tsv"])
@pytest.mark.parametrize("suite", [_one("#N/A"), _one(phenomenon="#REF!"), _one(note="#N/A"), _one(note="a\rb")])
def test_what_would_not_be_read_is_not_written(suite: Suite, name: str, tmp_path: Path) -> None:
    with pytest.raises(KontrastError, match="the table format cannot store"):
        save(suite, tmp_path / name, "table")


def test_convert_knows_the_ending(tmp_path: Path) -> None:
    done = convert("demo:fr", tmp_path / "demo.csv")
    assert done.to_format == "table"
    assert [i.best.text for i in load(tmp_path / "demo.csv").items] == [i.best.text for i in load("demo:fr").items]


TEXT = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1).filter(lambda t: not t.startswith("#"))


@given(st.lists(st.tuples(TEXT, TEXT, TEXT), min_size=1, max_size=4), st.sampled_from(["csv", "tsv"]))
def test_texts_come_back(rows: list[tuple[str, str, str]], ending: str) -> None:
    items = tuple(
        Item(str(i), s, (Variant(r), Variant(w, error="error")), source_context=())
        for i, (s, r, w) in enumerate(rows)
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a.{ending}"
        save(Suite("a", items), path, "table")
        back = load(path, "table")
    assert [(i.source, i.best.text, i.variants[1].text) for i in back.items] == rows


@pytest.mark.parametrize("name", ["my.csv", "my.tsv", "my.xlsx"])
def test_init_writes_an_example_that_can_be_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["init", "--pair", "en-pt", str(tmp_path / name)])
    assert not ended.value.code
    suite = load(tmp_path / name)
    assert (suite.source_language, suite.target_language, len(suite.items)) == ("en", "pt", 1)
    with pytest.raises(InputError, match="already exists"):
        init(tmp_path / name, "en-pt")


def test_init_refuses_what_it_cannot_write(tmp_path: Path) -> None:
    with pytest.raises(KontrastError, match="two languages"):
        init(tmp_path / "a.csv", "portuguese")
    with pytest.raises(KontrastError, match="ends in"):
        init(tmp_path / "a.json", "en-pt")
    assert load(init(tmp_path / "b.csv", "sv-ur")).items == ()


def test_items_of_one_document_are_not_independent(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("source,right,wrong,document\na,b,c,one\nd,e,f,one\ng,h,i,two\n")
    suite = kontrast.load(path)
    assert [item.document for item in suite] == ["one", "one", "two"]
    kontrast.save(suite, tmp_path / "again.csv", "table")
    assert [item.document for item in kontrast.load(tmp_path / "again.csv")] == ["one", "one", "two"]
