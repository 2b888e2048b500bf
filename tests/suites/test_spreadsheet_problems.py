"""What people type into spreadsheets: labels in two spellings, numbers with commas, several faults at once."""

from __future__ import annotations

from pathlib import Path

import pytest

import kontrast
from kontrast import InputError, Item, Suite, Variant


def table(folder: Path, *rows: str, name: str = "a.csv") -> Path:
    (folder / name).write_text("\n".join(("source;right;wrong;phenomenon;share", *rows)) + "\n", "utf-8")
    return folder / name


def labelled(*labels: str | None) -> Suite:
    return Suite(
        "typed",
        tuple(
            Item(str(n), f"It is {n}.", (Variant(f"Sie ist {n}."), Variant(f"Er ist {n}.", error=label)))
            for n, label in enumerate(labels)
        ),
    )


def findings(suite: Suite, id: str) -> list[kontrast.Finding]:
    return [finding for finding in kontrast.lint(suite) if finding.id == id]


@pytest.mark.parametrize(
    ("rare", "common"),
    [("agrement", "agreement"), ("Negation", "negation"), ("negaiton", "negation"), ("noun phrase", "noun_phrase")],
)
def test_two_spellings_of_a_label(rare: str, common: str) -> None:
    (found,) = findings(labelled(common, common, rare, "names"), "near-equal-labels")
    assert (found.level, found.items) == ("warning", ("2",))
    assert repr(rare) in found.message and repr(common) in found.message


@pytest.mark.parametrize(
    "labels",
    [
        ("Future I", "Future II"),
        ("principle_A_case_1", "principle_A_case_2"),
        ("article", "particle"),
        ("polarity_affix_del", "polarity_affix_ins"),
        ("transitive", "intransitive"),
    ],
)
def test_labels_that_differ_in_meaning(labels: tuple[str, ...]) -> None:
    assert findings(labelled(*labels), "near-equal-labels") == []


def test_items_without_a_phenomenon() -> None:
    (found,) = findings(labelled("negation", None, "negation", " "), "phenomenon-missing")
    assert found.items == ("1", "3") and found.message.startswith("2 of 4 items have no phenomenon")
    assert findings(labelled(None, None), "phenomenon-missing") == []  # a suite without phenomena


def test_all_problems_of_a_table_at_once(tmp_path: Path) -> None:
    path = table(tmp_path, "a;;c;p;1", "a;b;c;p;#REF!", "a;b;c;p;1;more", "a;b;;p;1", "a;b;c;p;1")
    with pytest.raises(InputError) as error:
        kontrast.load(path)
    for part in (
        "row 2, column right; row 5, column wrong: expected text, found nothing",
        "row 3, column share: expected a value, found the error #REF!",
        "row 4: expected 5 columns, found 6",
    ):
        assert part in str(error.value)


@pytest.mark.parametrize(
    ("cells", "values", "told"),
    [
        (("0,5", "12,25", "3"), [0.5, 12.25, 3], "0,5 is read as 0.5"),
        (
            ("-0,125", "1,250", "2"),
            [-0.125, 1.25, 2],
            "-0,125 is read as -0.125",
        ),  # 0,125 is no thousand, so the others are none
        (("1,250", "2,500", "3"), ["1,250", "2,500", 3], "1,250 may have a decimal comma"),
        (("0,5", "0.5", "1"), ["0,5", 0.5, 1], "0,5 may have a decimal comma"),
        (("0,5", "see note", "1"), ["0,5", "see note", 1], ""),
    ],
)
def test_decimal_commas(
    tmp_path: Path, cells: tuple[str, ...], values: list[object], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = kontrast.load(table(tmp_path, *(f"a{n};b;c;p;{cell}" for n, cell in enumerate(cells))))
    assert [item.tags["share"] for item in suite.items] == values
    said = capsys.readouterr().err
    assert told in said and bool(told) == ("column share" in said)
