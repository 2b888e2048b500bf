"""Formats by declaration: a few lines of TOML make a suite of a plain table, JSON lines or parallel files."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kontrast
from kontrast import KontrastError
from kontrast.cli import main

TSV = """kind = "tsv"
source = "en"
right = "good"
wrong = ["bad", "worse?"]
phenomenon = "type"
languages = "en-de"
"""


def write(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        (folder / name.replace("__", ".")).write_text(text, encoding="utf-8")
    return folder


def test_a_table(tmp_path: Path) -> None:
    data = 'en\tgood\tbad\tworse\ttype\tlevel\na dog\tein Hund\teine Hund\teiner Hund\tnp\t2\n"x\ty\tz\t\tnp\t\n'
    write(tmp_path, a__tsv=data, my__toml=TSV + 'licence = "CC0"\ncitation = "Me"\nitems = 2\n')
    suite = kontrast.load(f"{tmp_path}/a.tsv?format=my.toml")
    first, second = suite.items
    assert (suite.source_language, suite.target_language, suite.licence, suite.citation) == ("en", "de", "CC0", "Me")
    assert [v.text for v in first.variants] == [
        "ein Hund",
        "eine Hund",
        "einer Hund",
    ] and first.best.text == "ein Hund"
    assert first.tags == {"phenomenon": "np", "level": "2"} and first.variants[1].error == "np"
    assert second.source == '"x' and len(second.variants) == 2
    assert kontrast.load(tmp_path / "a.tsv", str(tmp_path / "my.toml")).fingerprint == suite.fingerprint


def test_json_lines_without_a_source_and_with_an_answer(tmp_path: Path) -> None:
    rows = '{"a": "one", "b": "two", "label": 2, "before": ["x", "y"]}\n\n'
    rows += '{"a": "3", "b": "4", "label": "1", "before": []}\n'
    declared = (
        'kind = "jsonl"\nvariants = ["a", "b"]\nanswer = "label"\ntarget_context = "before"\nlanguages = "en"\n'
    )
    write(tmp_path, a__jsonl=rows, my__toml=declared)
    suite = kontrast.load(f"{tmp_path}/a.jsonl?format=my.toml")
    assert [item.best.text for item in suite] == ["two", "3"] and suite.items[0].target_context == ("x", "y")
    assert (suite.source_language, suite.target_language) == (None, "en") and suite.items[0].source == ""


def test_line_files(tmp_path: Path) -> None:
    declared = (
        'kind = "lines"\nfiles = "set.{source}-{target}"\nsource = ".src"\nright = ".ref"\nwrong = ".hyp-*"\n'
        'phenomenon = ".type?"\n'
    )
    lines = {f"set.en-de.hyp-{n}": f"foil {n}\nfoil {n}\n" for n in (1, 2, 10)}
    write(tmp_path, my__toml=declared)
    for name, text in {**lines, "set.en-de.src": "a\nb\n", "set.en-de.ref": "c\nd\n"}.items():
        (tmp_path / name).write_text(text)
    for path in ("set.en-de", "set.en-de.src", "set.en-de.hyp-2"):
        suite = kontrast.load(f"{tmp_path}/{path}?format=my.toml")
        assert [v.text for v in suite.items[0].variants] == ["c", "foil 1", "foil 2", "foil 10"]
        assert (suite.source_language, suite.target_language) == ("en", "de")
    (tmp_path / "set.en-de.hyp-2").write_text("one line\n")
    with pytest.raises(KontrastError, match="2 lines"):
        kontrast.load(f"{tmp_path}/set.en-de?format=my.toml")
    (tmp_path / "set.en-de.src").unlink()
    with pytest.raises(
        KontrastError, match=r"endings .src, .ref, .hyp-\*, .type\? as .*my.toml says; some are missing"
    ):
        kontrast.load(f"{tmp_path}/set.en-de?format=my.toml")


def test_names_for_columns(tmp_path: Path) -> None:
    write(tmp_path, a__tsv="x\ty\tx\n1\t2\t3\n", my__toml='kind = "tsv"\nright = "x"\nwrong = "y"\n')
    with pytest.raises(KontrastError, match="columns 1 and 3 have the same name x: name all columns with columns = "):
        kontrast.load(f"{tmp_path}/a.tsv?format=my.toml")
    assert kontrast.load(f"{tmp_path}/a.tsv?format=my.toml&columns=x,y,z").items[0].tags == {"z": "3"}
    write(tmp_path, my__toml='kind = "tsv"\nheader = false\ncolumns = ["x", "y", "z"]\nright = "x"\nwrong = "y"\n')
    assert len(kontrast.load(f"{tmp_path}/a.tsv?format=my.toml")) == 2


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        (TSV + "phenomenom = 1\n", "my.toml: there is no key phenomenom; did you mean phenomenon?"),
        (TSV.replace('"good"', '"bad"'), "my.toml: the column bad is used for two texts"),
        (
            TSV.replace('"en"\n', '"english"\n'),
            "line 2: expected english as .*my.toml says, found en, good, bad, type",
        ),
        (
            TSV.replace('"tsv"', '"parquet"'),
            "invalid enum value 'parquet'; expected one of csv, jsonl, lines, tsv",
        ),
        (TSV + "id = 3\n", r"my.toml: in \[id\]: expected text, got `int`"),
        (TSV.replace('right = "good"\n', ""), "my.toml: expected one of right and variants"),
        (TSV + 'columns = ["en", "good", "good", "type"]\n', "my.toml: columns names good twice"),
        (TSV + "header = false\n", "header = false needs the names"),
        (TSV.replace('"en-de"', '"English"'), "expected languages as in en-de"),
        (TSV + "[", "my.toml: expected TOML"),
        (
            TSV.replace('wrong = ["bad", "worse?"]', 'variants = ["bad"]').replace('right = "good"\n', ""),
            "needs answer",
        ),
        (TSV.replace('"tsv"', '"jsonl"'), "a.tsv, line 1: expected an object"),
        (TSV.replace('"good"', '""'), "my.toml: right is blank"),
        (TSV.replace('"worse?"', '""'), "my.toml: wrong is blank"),
        (TSV + 'pair = "type"\n', "a.tsv, line 2: expected a pair such as en-de in type .* found 'd'"),
        (TSV + 'pair = "missing"\n', "a.tsv, line 2: expected a pair such as en-de in missing"),
        (
            TSV.replace('languages = "en-de"\n', 'files = "*.{source}-{target}.tsv"\n'),
            "a.tsv: its name does not have the languages",
        ),
        ('kind = "lines"\nright = "../../passwd"\n', "expected the ending of a file's name"),
    ],
)
def test_what_is_refused(toml: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, a__tsv="en\tgood\tbad\ttype\na\tb\tc\td\n", my__toml=toml)
    with pytest.raises(KontrastError, match=said):
        kontrast.load(f"{tmp_path}/a.tsv?format=my.toml")
    with pytest.raises(SystemExit) as stopped:
        main(["describe", f"{tmp_path}/a.tsv", "--from", str(tmp_path / "my.toml")])
    assert stopped.value.code == 2 and len(capsys.readouterr().err.strip().splitlines()) == 1


def test_other_counts_and_blank_texts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, a__tsv="en\tgood\tbad\ttype\na\tb\tc\td\n", my__toml=TSV + "items = 7\n")
    kontrast.load(f"{tmp_path}/a.tsv?format=my.toml")
    assert "expected 7 items" in capsys.readouterr().err
    write(tmp_path, a__tsv="en\tgood\tbad\ttype\na\tb\t \td\n")
    with pytest.raises(KontrastError, match="line 2: expected a text for wrong in bad, worse"):
        kontrast.load(f"{tmp_path}/a.tsv?format=my.toml")
    with pytest.raises(KontrastError, match=r"there is no declaration none.toml, neither here nor in the folder of"):
        kontrast.load(f"{tmp_path}/a.tsv?format=none.toml")


def test_a_blank_wrong_text_is_refused_unless_declared(tmp_path: Path) -> None:
    """An item with fewer variants than the others is easier."""
    write(tmp_path, a__tsv="en\tgood\tbad\tworse\ttype\na\tb\tc\td\tx\na\tb\t \td\tx\n", my__toml=TSV)
    with pytest.raises(
        KontrastError,
        match=r"a.tsv, line 3: expected a text in bad, found a blank text: declare "
        r"bad\?",
    ):
        kontrast.load(f"{tmp_path}/a.tsv?format=my.toml")
    write(tmp_path, my__toml=TSV.replace('"bad"', '"bad?"'))
    assert [len(i.variants) for i in kontrast.load(f"{tmp_path}/a.tsv?format=my.toml")] == [3, 2]
    for name, text in {"src": "a\nb\n", "ref": "c\nd\n", "hyp-1": "x\ny\n", "hyp-2": "x\n\n"}.items():
        (tmp_path / f"set.en-de.{name}").write_text(text)
    lines = 'kind = "lines"\nfiles = "set.{source}-{target}"\nsource = ".src"\nright = ".ref"\nwrong = ".hyp-*"\n'
    write(tmp_path, my__toml=lines)
    with pytest.raises(KontrastError, match=r"set.en-de, line 2: expected a text in .hyp-\* \(text 2 of 2\)"):
        kontrast.load(f"{tmp_path}/set.en-de?format=my.toml")
    write(tmp_path, my__toml=lines.replace(".hyp-*", ".hyp-*?"))
    assert [len(i.variants) for i in kontrast.load(f"{tmp_path}/set.en-de?format=my.toml")] == [3, 2]


@given(st.binary(max_size=300))
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder = tmp_path_factory.mktemp("bytes")
    (folder / "my.toml").write_bytes(data)
    (folder / "a.tsv").write_text("en\tgood\tbad\na\tb\tc\n")
    with pytest.raises(KontrastError):
        kontrast.load(f"{folder}/a.tsv?format=my.toml")
    (folder / "my.toml").write_text('kind = "jsonl"\nright = "a"\nwrong = "b"\n')
    (folder / "a.jsonl").write_bytes(data)
    with pytest.raises(KontrastError):
        kontrast.load(f"{folder}/a.jsonl?format=my.toml")


def loaded(folder: Path, toml: str, *rows: str) -> kontrast.Suite:
    write(folder, a__jsonl="".join(row + "\n" for row in rows), my__toml=toml)
    return kontrast.load(f"{folder}/a.jsonl?format=my.toml")


def test_an_answer_counts_blank_variants(tmp_path: Path) -> None:
    toml = 'variants = ["v?"]\nanswer = "k"\n'
    assert loaded(tmp_path, toml, '{"v": ["", "B", "C"], "k": 2}').items[0].best.text == "B"
    with pytest.raises(KontrastError, match="line 1: the answer 1 is a blank text"):
        loaded(tmp_path, toml, '{"v": ["", "B", "C"], "k": 1}')


def test_blank_variants_and_references_are_refused_unless_declared(tmp_path: Path) -> None:
    row = '{"v": ["A", "", "C"], "k": 1, "r": " "}'
    toml = 'variants = ["v?"]\nanswer = "k"\nreferences = "r?"\n'
    for column, which in (("v", r"v \(text 2 of 3\)"), ("r", "r")):
        with pytest.raises(KontrastError, match=rf"line 1: expected a text in {which}, found a blank"):
            loaded(tmp_path, toml.replace(f"{column}?", column), row)
    (item,) = loaded(tmp_path, toml, row)
    assert (len(item.variants), item.references) == (2, ())


def test_lists_are_texts_of_one_role_only(tmp_path: Path) -> None:
    toml = 'source = "s?"\nright = "r"\nwrong = "w"\nphenomenon = "p?"\n'
    item = loaded(tmp_path, toml, '{"s": "x", "r": ["A", "B"], "w": ["C", "D"]}').items[0]
    assert [v.text for v in item.variants] == ["A", "C", "D"] and [v.text for v in item.references] == ["B"]
    with pytest.raises(KontrastError, match=r"expected one source in s., found 2"):
        loaded(tmp_path, toml, '{"s": ["x", "y"], "r": "A", "w": "B"}')
    with pytest.raises(KontrastError, match=r"expected one value in p., found a list"):
        loaded(tmp_path, toml, '{"s": "x", "r": "A", "w": "B", "p": ["q"]}')
    with pytest.raises(KontrastError, match="level is a column and is also in tags"):
        loaded(tmp_path, toml + "tags = {level = 1}\n", '{"s": "x", "r": "A", "w": "B", "level": 2}')
    with pytest.raises(KontrastError, match="the column l says en-fr, but the declaration says en-de"):
        loaded(tmp_path, toml + 'pair = "l"\nlanguages = "en-de"\n', '{"s": "x", "r": "A", "w": "B", "l": "en-fr"}')


def test_patterns_of_line_files(tmp_path: Path) -> None:
    """A pattern takes no file of another role and no file of another set, and skips none."""
    for name in ("x.src.txt", "x.ref.txt", "x.hyp-v1.2.txt", "x.hyp-c.txt", "xb.hyp-d.txt"):
        (tmp_path / name).write_text(name + "\n")
    lines = 'kind = "lines"\nsource = ".src.txt"\nright = ".ref.txt"\n'
    for pattern in (".*.txt", ".hyp-*.txt"):
        write(tmp_path, my__toml=lines + f'wrong = "{pattern}"\n')
        item = kontrast.load(f"{tmp_path}/x?format=my.toml").items[0]
        assert [v.text for v in item.variants] == ["x.ref.txt", "x.hyp-c.txt", "x.hyp-v1.2.txt"]
    write(tmp_path, my__toml=lines + 'wrong = "*.txt"\n')
    with pytest.raises(KontrastError, match=r"expected the ending of a file's name, as in .src.txt, found '[*].txt'"):
        kontrast.load(f"{tmp_path}/x?format=my.toml")


def test_a_context_has_a_sentence_a_line_and_other_separators_belong_to_the_text(tmp_path: Path) -> None:
    rows = '{"en": "x", "good": "y", "bad": "z", "before": "A dog.\u2028Loud.\\r\\nIt ran.\\n"}\n'
    declared = 'source = "en"\nright = "good"\nwrong = "bad"\ncontext = "before"\n'
    write(tmp_path, a__jsonl=rows, my__toml=declared)
    [item] = kontrast.load(f"{tmp_path}/a.jsonl?format=my.toml")
    assert item.source_context == ("A dog.\u2028Loud.", "It ran.")
