"""What a format cannot store is named, and the files of a suite are written and removed as one."""

from __future__ import annotations

from pathlib import Path

import pytest

import kontrast
from kontrast import Item, KontrastError, Suite, Variant, load, save

PAIR = (Variant("b"), Variant("c", error="gender"))


def lost(suite: Suite, path: Path, format: str) -> list[str]:
    return [each.field for each in save(suite, path, format)]


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.xlsx"])
def test_a_table_keeps_the_phenomenon_of_each_wrong_variant(tmp_path: Path, name: str) -> None:
    several = (Variant("b"), Variant("c", error="gender"), Variant("d", error="number"))
    suite = Suite("a", (Item("1", "a", several), Item("2", "e", (Variant("f"), Variant("g", error="case")))))
    assert lost(suite, tmp_path / name, "table") == []
    back = load(tmp_path / name)
    assert [[v.error for v in item.variants] for item in back.items] == [[None, "gender", "number"], [None, "case"]]
    assert [item.phenomenon for item in back.items] == ["gender", "case"]


def test_languages_that_a_file_does_not_say(tmp_path: Path) -> None:
    senses = Suite("a", (Item("1", "a", PAIR, tags={"ambig_word": "x"}),), "de", "en")
    assert "target_language en" in lost(senses, tmp_path / "a.json", "contrawsd")
    assert not [field for field in lost(senses, tmp_path / "a.de-en.json", "contrawsd") if "language" in field]
    forms = Suite("a", (Item("1", "a", PAIR[:1], tags={"expected": "b"}),), "en", "de")
    assert {"source_language en", "target_language de"} <= set(lost(forms, tmp_path / "a.json", "ctxpro"))
    assert lost(forms, tmp_path / "a.en-de.json", "ctxpro") == []


def test_a_distance_that_is_text(tmp_path: Path) -> None:
    variants = (Variant("b"), Variant("c", error="x", tags={"distance": "near"}))
    suite = Suite("a", (Item("1", "a", variants),), "en", "de", unit="pair")
    assert lost(suite, tmp_path / "a.json", "lingeval97") == ["tag distance that is not a number"]
    assert load(tmp_path / "a.json").items[0].variants[1].tags == {}


def test_blocks_that_are_interleaved(tmp_path: Path) -> None:
    tags = {"phenomenon": "lexical_choice"}
    items = tuple(Item(str(n), f"s{n}", PAIR, tags={**tags, "block": block}) for n, block in enumerate("1213"))
    assert "order of rows" in lost(Suite("a", items, "en", "fr"), tmp_path / "a.json", "discevalmt")
    in_order = tuple(sorted(items, key=lambda item: str(item.tags["block"])))
    assert "order of rows" not in lost(Suite("a", in_order, "en", "fr"), tmp_path / "a.json", "discevalmt")


def test_rows_carry_no_context_of_an_earlier_suite(tmp_path: Path) -> None:
    before = Suite("a", (Item("1", "a", PAIR, source_context=("A.",), target_context=("B.",)),))
    save(before, tmp_path / "x", "rows")
    save(Suite("b", (Item("1", "d", PAIR),)), tmp_path / "x", "rows")
    assert load(tmp_path / "x").items[0].source_context is None
    assert sorted(p.name for p in tmp_path.iterdir()) == ["x.group_starts.txt", "x.src", "x.trg"]
    (tmp_path / "x.current.src").write_text("z\n")
    with pytest.raises(KontrastError, match=r"x\.current\.src would be read with the rows of"):
        save(before, tmp_path / "x", "rows")
    assert (tmp_path / "x.current.src").read_text() == "z\n"


def test_ctxpro_carries_no_context_of_an_earlier_suite(tmp_path: Path) -> None:
    tags = {"expected": "b"}
    save(Suite("a", (Item("1", "a", PAIR[:1], source_context=("A.",), tags=tags),)), tmp_path / "x.json", "ctxpro")
    assert load(tmp_path / "x.json").items[0].source_context == ("A.",)
    save(Suite("b", (Item("1", "d", PAIR[:1], tags=tags),)), tmp_path / "x.json", "ctxpro")
    assert load(tmp_path / "x.json").items[0].source_context is None


def test_folders_of_an_earlier_suite_go(tmp_path: Path) -> None:
    item = Item("1", "a", PAIR)
    other = Item("1", "d", (Variant("e"), Variant("f", error="number")))
    save(Suite("a", (item,), "en", "de"), tmp_path / "x", "distil-lingeval")
    (tmp_path / "x" / "notes.txt").write_text("kept\n")
    save(Suite("b", (other,), "en", "fr"), tmp_path / "x", "distil-lingeval")
    assert [item.source for item in load(tmp_path / "x").items] == ["d"]
    assert sorted(p.name for p in (tmp_path / "x").iterdir()) == ["notes.txt", "number"]


def test_suspects_are_taken_by_place(tmp_path: Path) -> None:
    suite = Suite("s", tuple(Item(str(i % 2), f"x{i}", (Variant("a"), Variant("b"))) for i in range(24)))
    systems = []
    for k in range(8):
        rows = [float((i == 5 and k >= 4) or (i != 5 and i % 8 >= k + 1)) for i in range(24)]
        systems.append(kontrast.Scores(str(k), tuple(x for wrong in rows for x in (wrong, 0.5))))
    found = kontrast.items(suite, systems, suspects=tmp_path / "out.jsonl")
    wanted = [item.source for item, each in zip(suite.items, found.items, strict=True) if each.suspect]
    assert 0 < len(wanted) < 12
    assert [item.source for item in load(tmp_path / "out.jsonl").items] == wanted


@pytest.mark.parametrize("name", ["a.csv", "a.xlsx"])
def test_a_table_keeps_a_context_that_is_not_known(tmp_path: Path, name: str) -> None:
    unknown, none = Item("1", "a", PAIR), Item("2", "d", PAIR, source_context=())
    assert lost(Suite("a", (unknown,)), tmp_path / name, "table") == []
    assert load(tmp_path / name).items[0].source_context is None
    assert lost(Suite("a", (none,)), tmp_path / name, "table") == []
    assert load(tmp_path / name).items[0].source_context == ()
    assert lost(Suite("a", (unknown, none)), tmp_path / name, "table") == ["context that is not known"]


@pytest.mark.parametrize("format", ["discevalmt", "consistency", "pro-errors"])
def test_a_phenomenon_that_a_format_adds_is_named(tmp_path: Path, format: str) -> None:
    suite = Suite("a", (Item("1", "a", (Variant("b"), Variant("c"))),))
    assert "phenomenon left open" in lost(suite, tmp_path / "a.json", format)


def test_a_table_is_converted_to_a_table(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('source,right,wrong,wrong2\nAn "x,b,c,d\n')
    done = kontrast.convert(tmp_path / "a.csv", tmp_path / "b.tsv")
    [item] = load(tmp_path / "b.tsv").items
    assert done.to_format == "table" and len(item.variants) == 3
    assert item.source == 'An "x', "a mark inside a cell is text"


def test_context_that_is_not_known_is_said_where_it_becomes_none(tmp_path: Path) -> None:
    both = (Variant("a"), Variant("b"))
    items = (Item("1", "s", both, source_context=("c",), target_context=("d",)), Item("2", "t", both))
    lost = kontrast.save(Suite("s", items, "en", "de"), tmp_path / "rows", "rows")
    assert [(each.field, each.count) for each in lost if "not known" in each.field] == [
        ("context that is not known", 1)
    ]
