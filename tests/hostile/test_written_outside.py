"""Nothing that comes from data leads a writer out of its folder: every writer, every text field, every trick."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

import kontrast
from kontrast import Item, KontrastError, Scores, Suite, Variant
from kontrast.cli import main
from kontrast.suites import formats
from kontrast.suites.extraction import extract
from kontrast.suites.scores import write_scores
from kontrast.suites.testset import layout_names

ITEMS = tuple(
    Item(
        f"i{n}",
        f"It is old, {n}.",
        (Variant(f"Er ist alt, {n}."), Variant(f"Sie ist alt, {n}.", error="gender", tags={"kind": "a"})),
        source_context=("The tree.",),
        target_context=("Der Baum.",),
        document="1990_1_1.de",
        segment=1,
        tags={"phenomenon": "pronoun", "origin": "mt", "expected": "Er", "ambig_word": "it"},
    )
    for n in range(3)
)
GOOD = Suite("good", ITEMS, "en", "de", style="contrapro", version="1", licence="CC0", citation="c", description="d")


def tricks(folder: Path) -> list[str]:
    """Names as an attacker would give them."""
    return [
        "../../escaped",
        "..",
        "x/../../../escaped",
        str(folder / "escaped"),
        "a\0b",
        "/dev/full",
        "x" * 5000,
        "..\\..\\escaped",
        "CON",
        "~root",
        "-rf",
    ]


def _item(**changes: object) -> Callable[[str], Suite]:
    def made(text: str) -> Suite:
        new = {name: value(text) if callable(value) else value for name, value in changes.items()}
        first = msgspec.structs.replace(ITEMS[0], **new)
        return msgspec.structs.replace(GOOD, items=(first, *ITEMS[1:]))

    return made


def _suite(name: str) -> Callable[[str], Suite]:
    return lambda text: msgspec.structs.replace(GOOD, **{name: text})


FIELDS: dict[str, Callable[[str], Suite]] = {
    **{name: _suite(name) for name in ("name", "source_language", "target_language", "style", "version")},
    **{name: _suite(name) for name in ("licence", "citation", "description")},
    "extra": lambda text: msgspec.structs.replace(GOOD, extra={text: text}),
    "id": _item(id=str),
    "source": _item(source=str),
    "document": _item(document=str),
    "context": _item(source_context=lambda text: (text,), target_context=lambda text: (text,)),
    "tag name": _item(tags=lambda text: {text: "x", "phenomenon": "pronoun"}),
    "phenomenon": _item(tags=lambda text: {"phenomenon": text}),
    "origin": _item(tags=lambda text: {"phenomenon": "pronoun", "origin": text, "ambig_word": text}),
    "error": _item(variants=lambda text: (Variant("Er"), Variant("Sie", error=text))),
    "variant tag": _item(variants=lambda text: (Variant("Er"), Variant("Sie", tags={text: text}))),
    "text": _item(variants=lambda text: (Variant(text), Variant("Sie", error="gender"))),
}

Writer = Callable[[Suite, Path], object]


def _written(name: str) -> Writer:
    return lambda suite, folder: formats.save(
        suite, folder / ("set" if formats.get(name).folder else "set.json"), name
    )


def _extracted(style: str | None) -> Writer:
    return lambda suite, folder: extract(suite, folder / "set", style=style)


def _one_per_item(suite: Suite, folder: Path) -> object:
    from kontrast.flows.suites import extract_sources

    return extract_sources(suite, folder / "set")


def _scored(suite: Suite, folder: Path) -> object:
    return write_scores(Scores(suite.name, tuple(float(n) for n in range(suite.row_count))), folder / "set.scores")


WRITERS: dict[str, Writer] = {
    **{name: _written(name) for name in formats.names() if formats.get(name).write is not None},
    **{f"extract {style}": _extracted(style) for style in (None, *layout_names())},
    "extract --one-per-item": _one_per_item,
    "scores": _scored,
}


def outside(root: Path, folder: Path) -> set[tuple[str, bytes]]:
    """All files below ``root`` but those of ``folder``."""
    return {
        (str(path), path.read_bytes())
        for path in root.rglob("*")
        if path.is_file() and not path.is_relative_to(folder)
    }


@pytest.fixture
def jail(tmp_path: Path) -> Iterator[Path]:
    """A folder deep enough that dots lead to files that can be seen to change."""
    folder = tmp_path / "a" / "b" / "c"
    folder.mkdir(parents=True)
    for name in ("escaped", "a/escaped", "a/b/escaped", "a/b/escaped.src"):
        (tmp_path / name).write_text("mine")
    before = outside(tmp_path, folder)
    yield folder
    assert outside(tmp_path, folder) == before


@pytest.mark.parametrize("writer", WRITERS)
def test_every_field_with_every_trick(writer: str, jail: Path, tmp_path: Path) -> None:
    written = 0
    for make in FIELDS.values():
        for text in tricks(tmp_path):
            try:
                WRITERS[writer](make(text), jail)
                written += 1
            except KontrastError as error:
                assert "\n" not in str(error)
    assert written or writer == "demetr" or writer.startswith("extract"), "most of it is plain data, and is written"


@pytest.mark.parametrize("text", ["../../x", "/x"])
def test_figures_by_any_tag_stay_in_their_folder(text: str, jail: Path, tmp_path: Path) -> None:
    suite, scores = tmp_path / "a" / "b" / "c" / "s.jsonl", tmp_path / "a" / "b" / "c" / "s.scores"
    tagged = [
        msgspec.structs.replace(item, tags={text: f"../{n}", "phenomenon": "p"}) for n, item in enumerate(ITEMS)
    ]
    kontrast.save(msgspec.structs.replace(GOOD, items=tuple(tagged)), suite)
    scores.write_text("1\n2\n" * len(ITEMS))
    with pytest.raises(SystemExit) as ended:
        tables = ["--out", str(jail / "tables.csv"), "--figures", str(jail / "figures")]
        main(["report", str(suite), str(scores), "--by", text, *tables])
    assert ended.value.code == 0
    assert [path for path in (jail / "figures").iterdir() if path.suffix == ".svg"]


@pytest.mark.parametrize("name", ["../../escaped", "..", "/escaped", "a\\..\\b", "x" * 300])
@pytest.mark.parametrize("to", ["native", "rows", "distil-lingeval", "lingeval97"])
def test_a_reviewed_suite_stays_in_its_folder(name: str, to: str, jail: Path) -> None:
    from kontrast.review.export import _write

    written: list[str] = []
    _write(msgspec.structs.replace(GOOD, name=name), jail / "out", to, written)
    assert written and all(not Path(path).is_absolute() and ".." not in Path(path).parts for path in written)


@pytest.mark.parametrize("text", ["x/../../profile", "/etc", "", "en\0", "e" * 300, "EN GB"])
def test_languages_are_checked_on_reading(text: str, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    header = {"kontrast": 1, "name": "s", "source_language": "en", "target_language": text}
    path.write_bytes(msgspec.json.encode(header) + b"\n" + msgspec.json.encode(ITEMS[0]) + b"\n")
    with pytest.raises(KontrastError, match="language"):
        kontrast.load(path)
    rows = tmp_path / "a.tsv"
    kontrast.save(GOOD, rows, "aces")
    with pytest.raises(KontrastError, match="language"):
        kontrast.load(rows, lang=f"en-{text}")


@pytest.mark.parametrize("member", ["../../escaped", "/escaped", "a/../../../escaped", "..\\..\\escaped"])
@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_archives_stay_in_their_folder(kind: str, member: str, jail: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import tarfile

    path = jail / f"set.{kind}"
    if kind == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(member, b"theirs")
            archive.writestr("contrapro.json", b"[]")
    else:
        with tarfile.open(path, "w") as tar:
            for name in (member, "contrapro.json"):
                about = tarfile.TarInfo(name)
                about.size = 2
                tar.addfile(about, io.BytesIO(b"[]"))
            link = tarfile.TarInfo("link")
            link.type, link.linkname = tarfile.SYMTYPE, "/etc"
            tar.addfile(link)
    monkeypatch.setenv("KONTRAST_CACHE", str(jail / "cache"))
    with pytest.raises(SystemExit) as ended:
        main(["suites", "get", "contrapro", "--from", str(path)])
    assert ended.value.code in (1, 2)  # incomplete, or refused
