"""Small files that unpack to very much: refused in bounded memory, wherever a file is read."""

from __future__ import annotations

import gzip
import io
import resource
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from kontrast import InputError, load
from kontrast.cli import main
from kontrast.io import files
from kontrast.io.tables import read_rows
from kontrast.io.unpacking import FREE, check_archive
from kontrast.judging.written import is_verdicts
from kontrast.review.entries import is_candidates
from kontrast.splitting.count_corpus import count
from kontrast.suites.documents import documents

BLOCK = bytes((1 << 20) - 1) + b"\n"


def bomb(path: Path, megabytes: int) -> Path:
    """So many megabytes of zeros, packed as the name says."""
    if path.suffix == ".gz":
        with gzip.open(path, "wb", compresslevel=1) as out:
            for _ in range(megabytes):
                out.write(BLOCK)
    elif path.suffix == ".zst":
        import zstandard

        with open(path, "wb") as raw, zstandard.ZstdCompressor().stream_writer(raw) as packed:
            for _ in range(megabytes):
                packed.write(BLOCK)
    elif path.suffix in (".zip", ".xlsx"):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("a.json", "w") as member:
            for _ in range(megabytes):
                member.write(BLOCK)
    else:
        about = tarfile.TarInfo("a.json")
        about.size = megabytes << 20
        with tarfile.open(path, "w:xz") as tar:
            tar.addfile(about, io.BytesIO(bytes(about.size)))
    return path


@pytest.mark.parametrize("ending", ["gz", "zst"])
def test_a_bomb_is_refused_in_bounded_memory(ending: str, tmp_path: Path) -> None:
    """As a process of its own that may not take much memory: not even a single step may unpack all of it."""
    path = bomb(tmp_path / f"a.jsonl.{ending}", 900 if ending == "zst" else 300)
    limit = 500 << 20

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    command = [sys.executable, "-m", "kontrast", "describe", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limited)
    assert done.returncode == 2 and "it expands to more than 200 times" in done.stderr, done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("ending", ["gz", "zst"])
def test_much_of_the_same_is_still_read(ending: str, tmp_path: Path) -> None:
    path = bomb(tmp_path / f"a.{ending}", 20)
    assert len(files.read_bytes(path)) == 20 << 20 < FREE


def test_the_limit_can_be_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = bomb(tmp_path / "a.gz", 20)
    monkeypatch.setenv("KONTRAST_UNPACK_LIMIT", "10")
    with pytest.raises(InputError, match="more than 200 times"):
        files.read_bytes(path)
    with pytest.raises(InputError, match="more than 200 times"):
        list(files.open_lines(path))


@pytest.mark.parametrize("ending", ["zip", "tar.xz"])
def test_archives(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = bomb(tmp_path / f"a.{ending}", 25)
    monkeypatch.setenv("KONTRAST_UNPACK_LIMIT", "10")
    monkeypatch.setenv("KONTRAST_CACHE", str(tmp_path / "cache"))
    with pytest.raises(SystemExit) as ended:
        main(["suites", "get", "contrapro", "--from", str(path)])
    assert ended.value.code == 2 and "it expands to more than 200 times" in capsys.readouterr().err
    assert not any(file.is_file() for file in (tmp_path / "cache").rglob("*"))


def test_members_that_share_their_bytes(tmp_path: Path) -> None:
    """What counts is the size of the archive, not what its members claim to have been packed to."""
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", bytes(10 << 20))
        first = archive.infolist()[0]
        archive.filelist += [first] * 20  # twenty more entries of the same data
    with pytest.raises(InputError, match="more than 200 times"):
        check_archive(path)


def test_spreadsheets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KONTRAST_UNPACK_LIMIT", "10")
    with pytest.raises(InputError, match="more than 200 times"):
        load(bomb(tmp_path / "a.xlsx", 25))


def test_a_file_within_an_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """OPUS packs the two sides and their ids in one zip: each is read from there, line by line, within the limit."""
    path = tmp_path / "de-en.txt.zip"
    ids = ["en/1990/1/5.xml.gz\tde/1990/1/6.xml.gz"] * 2 + ["en/1990/2/7.xml.gz\tde/1990/2/8.xml.gz"]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README", "about")
        archive.writestr("O.de-en.en", "one\ntwo\nthree\n")
        archive.writestr("O.de-en.de", "eins\nzwei\ndrei\n")
        archive.writestr("O.de-en.ids", "\n".join(ids) + "\n")
    done = documents(path / "O.de-en.ids", path / "O.de-en.en", path / "O.de-en.de", tmp_path / "docs")
    assert (done.documents, done.lines) == (2, 3)
    assert (tmp_path / "docs" / "1990" / "1990_1_5.de").read_text() == "eins\nzwei\n"
    with pytest.raises(InputError, match=r"in it: README, O\.de-en\.en"):
        files.read_lines(path)
    monkeypatch.setenv("KONTRAST_UNPACK_LIMIT", "10")
    with pytest.raises(InputError, match="more than 200 times"):
        list(files.open_lines(bomb(tmp_path / "b.zip", 25)))
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(InputError, match="cannot be read"):
        files.read_lines(path / "O.de-en.en")


@pytest.mark.parametrize(
    ("written", "instead"),
    [('r="2"', 'r="3000000000"'), ('r="B2"', 'r="XFD2"')],
    ids=["row three milliard", "the last column there is"],
)
def test_a_spreadsheet_that_says_it_is_large(written: str, instead: str, tmp_path: Path) -> None:
    """Its library makes up all the empty rows and cells before those that are there."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (["source", "target"], ["a", "b"]):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    with zipfile.ZipFile(tmp_path / "a.xlsx") as sound, zipfile.ZipFile(tmp_path / "b.xlsx", "w") as archive:
        for name in sound.namelist():
            text = sound.read(name).decode()
            assert not name.endswith("sheet1.xml") or written in text
            archive.writestr(name, text.replace(written, instead) if name.endswith("sheet1.xml") else text)
    with pytest.raises(InputError, match="expected a table of at most"):
        list(read_rows(tmp_path / "b.xlsx"))


@pytest.mark.parametrize("packing", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_member_with_damaged_bytes(packing: int, tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", packing) as archive:
        archive.writestr("a.en", "".join(f"line {n}\n" for n in range(5000)))
    sound = path.read_bytes()
    refused = 0
    for place in range(40, len(sound) - 120, max(1, len(sound) // 60)):
        path.write_bytes(sound[:place] + bytes([sound[place] ^ 0x5A]) + sound[place + 1 :])
        try:
            list(files.open_lines(path))
        except InputError as error:
            refused += 1
            assert "\n" not in str(error)
    assert refused > 30


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "a.txt.zst", "a.zip"])
def test_a_line_without_an_end(name: str, tmp_path: Path) -> None:
    """Refused once it is longer than a line may be, whatever comes behind; the lines before it are read."""
    path = tmp_path / name
    text = b"first\n" + b"a" * (files.LONGEST_LINE + 1) + b"\nlast\n"
    if name.endswith(".zip"):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
            archive.writestr("a.en", text)
    elif name.endswith(".zst"):
        path.write_bytes(pytest.importorskip("zstandard").compress(text))
    else:
        path.write_bytes(gzip.compress(text, 1) if name.endswith(".gz") else text)
    lines = files.open_lines(path)
    assert next(lines) == "first"
    with pytest.raises(InputError, match=rf"{name}, line 2: expected lines of at most 16 MB, found a longer one"):
        next(lines)


def test_a_line_as_long_as_it_may_be(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"a" * (files.LONGEST_LINE - 1) + b"\nlast\n")
    assert [len(line) for line in files.open_lines(path)] == [files.LONGEST_LINE - 1, 4]


def test_a_treebank_line_without_an_end(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_bytes(b"# text = x\n1\tx\tx\tX\t_\t_\t0\troot\t_\t_\n\n# text = " + b"a" * (18 << 20))
    with pytest.raises(InputError, match=r"a\.conllu, line 4: expected lines of at most 16 MB"):
        count(path)


def test_a_large_suite_on_one_line(tmp_path: Path) -> None:
    """What a file is, is seen from its beginning: JSON may have all its items on one line."""
    path = tmp_path / "a.json"
    row = b'{"source": "a", "reference": "b", "errors": [{"contrastive": "c", "type": "t"}], "origin": "o.1"}'
    path.write_bytes(b"[" + b",".join([row] * (files.LONGEST_LINE // len(row) + 10)) + b"]")
    assert path.stat().st_size > files.LONGEST_LINE
    assert not is_candidates(path) and not is_verdicts(path)
    assert len(load(path)) > 100_000
