"""Rows: text as the originals' tools extract it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kontrast import InputError, Item, KontrastError, Suite, Variant, load, save


@pytest.mark.parametrize("context", [1, 2, 3])
def test_large_en_fr_with_its_context(data: Path, context: int) -> None:
    folder = data / "large-contrastive-en-fr"
    suite = load(folder / "OpenSubs", context=context)
    assert (len(suite.items), suite.row_count) == (10_500, 21_000)
    lines = (folder / f"OpenSubs.c{context}.context.src").read_text(encoding="utf-8").split("\n")
    for place in (0, 5_000, 10_499):
        expected = lines[place * 2 * context :][:context]
        assert suite.items[place].source_context == tuple(line for line in expected if line)
    assert load(f"{folder}/OpenSubs?context={context}") == suite
    assert (load(folder).source_language, load(folder).target_language) == ("en", "fr")


def test_contrapro_rows_with_annotation(data: Path) -> None:
    folder = data / "contrapro-en-de"
    suite = load(folder / "rows.context1")
    assert (len(suite.items), suite.row_count) == (12_000, 36_031)
    first = suite.items[0]
    assert first.source == "it was the womenfolk of Marstrand, both young and old."
    assert first.source_context == (
        "and from his lofty vantage point of deck, the skipper saw a lengthy procession approach his skip.",
    )
    annotation = folder / "contrapro.subset.json"
    joined = load(folder, annotation=annotation)
    assert joined.row_count == 36_031 and joined.extra == {"annotated": 2_594, "annotation_without_rows": 6}
    only = load(f"{folder}?annotation=contrapro.subset.json&only=annotated")
    assert len(only.items) == 2_594 and all(item.document for item in only.items)
    # the annotation fits the rows it was joined to
    for item in only.items:
        for variant in item.variants[1:]:
            assert str(variant.tags["replacement"]).lower() in variant.text.lower()


def test_separator_and_sizes(data: Path, tmp_path: Path) -> None:
    folder = data / "consistency-en-ru"
    sizes = [len(item.variants) for item in load(folder / "deixis_dev.json").items]
    (tmp_path / "sizes").write_text("".join(f"{size}\n" for size in sizes))
    suite = load(f"{folder}/deixis_dev?from=rows&sizes={tmp_path}/sizes")
    item = suite.items[0]
    assert len(item.source_context or ()) == 3
    assert [len(item.variants) for item in suite.items] == sizes


def lines(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        (folder / f"a.{name}").write_text(text, encoding="utf-8")
    return folder / "a"


@pytest.mark.parametrize(
    ("texts", "options", "message"),
    [
        ({"src": "x\nx\n", "trg": "y\n"}, {"group": 2}, r"a\.trg, line 2: expected 2 lines"),
        ({"src": "x\nx\nx\n", "trg": "y\ny\ny\n"}, {"group": 2}, r"a\.src, line 3: expected groups of 2"),
        ({"src": "x\nz\n", "trg": "y\ny\n"}, {"group": 2}, r"a\.src, line 2: expected the source"),
        ({"src": "x\nx\n", "trg": "y\ny\n"}, {}, r"a\.src: the number of rows per item is not known"),
        ({"src": "x\nx\n", "trg": "y\ny\n", "context.src": "1\n2\n3\n"}, {"group": 2}, r"a\.context\.src, line 3"),
        (
            {"src": "x\nx\n", "trg": "y\ny\n", "group_starts.txt": "0\n7\n"},
            {},
            r"group_starts\.txt, line 2: expected a row",
        ),
        (
            {"src": "x\nx\n", "trg": "y\ny\n", "group_starts.txt": "0\nq\n"},
            {},
            r"group_starts\.txt, line 2: expected the number",
        ),
    ],
)
def test_faults(tmp_path: Path, texts: dict[str, str], options: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        load(lines(tmp_path, **texts), **options)


def test_unknown_option(tmp_path: Path) -> None:
    with pytest.raises(KontrastError, match="no option colour; it has source"):
        load(lines(tmp_path, src="x\n", trg="y\n"), colour=1)


def test_written_rows_come_back(tmp_path: Path) -> None:
    suite = Suite(
        "b",
        (
            Item(
                "1", "s", (Variant("t"), Variant("u"), Variant("v")), source_context=("c",), target_context=("d", "e")
            ),
            Item("2", "s2", (Variant("t", context=("f",)), Variant("t", context=("g",))), source_context=()),
        ),
    )
    assert save(suite, tmp_path / "b", "rows") == []
    back = load(tmp_path / "b")
    assert back.items == suite.items


def test_distil_lingeval_folders(data: Path, tmp_path: Path) -> None:
    suite = load(data / "distil-lingeval-en-de")
    assert (suite.style, suite.source_language, suite.target_language) == ("distil-lingeval", "en", "de")
    assert {item.tags["origin"] for item in suite.items} == {"human", "mt"}
    one = load(data / "distil-lingeval-en-de" / "np_agreement.mt")
    assert {item.phenomenon for item in one.items} == {"np_agreement"}
    save(suite, tmp_path / "all", "distil-lingeval")
    for file in sorted((data / "distil-lingeval-en-de").rglob("*/*.??")):
        assert (tmp_path / "all" / file.relative_to(data / "distil-lingeval-en-de")).read_bytes() == file.read_bytes()
