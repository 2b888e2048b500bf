"""The catalogue, and fetching from a real server on this machine: resumed, verified, unpacked, usable by name."""

from __future__ import annotations

import hashlib
import io
import json
import re
import runpy
import socket
import zipfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from file_server import SUITE, Server, address, made, packed, serving_files

from kontrast import InputError, KontrastError, load
from kontrast.cli.suites import command
from kontrast.suites import catalogue, formats
from kontrast.suites.catalogue import DocumentFiles, entries, entry, fetched
from kontrast.suites.fetch import DownloadError, download, fetch_suite

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def server() -> Iterator[Server]:
    with serving_files() as running:
        yield running


def test_every_entry_has_what_a_paper_needs() -> None:
    assert len({each.name for each in entries()}) == len(entries())
    for each in entries():
        assert each.licence and each.languages and each.size, each.name
        assert re.match(r"@\w+\{[\w-]+,\n", each.citation.strip()) and each.citation.count(
            "{"
        ) == each.citation.count("}")
        assert each.format is None or each.format in formats.names()
        assert bool(each.sets) == (each.format is not None)
        assert set(each.corpora) <= {other.name for other in entries()}
        assert all(re.fullmatch(r"[0-9a-f]{64}", digest) for digest in each.sha256.values())
        assert all(a.startswith("https://") for group in each.downloads for a in group), each.name


def test_the_seeds_and_their_corpora_are_there() -> None:
    names = {each.name for each in entries()}
    assert names >= {"lingeval97", "contrapro", "large-pronouns-en-fr", "pro-errors", "europarl-dbca", "discevalmt"}
    assert names >= {"consistency", "distil-lingeval", "contrawsd", "ctxpro", "demetr", "aces", "must-she", "winomt"}
    assert names >= {
        "blimp",
        "opensubtitles2018-en-de",
        "opensubtitles2018-en-fr",
        "europarl-v8-en-de",
        "wmt-newstest",
    }
    published = entry("lingeval97").published
    assert published is not None and (published.right, published.total) == (94732, 97408)


def test_the_page_is_up_to_date() -> None:
    page = runpy.run_path(str(ROOT / "tools/catalogue_page.py"))["catalogue_page"]()
    assert (ROOT / "docs/catalogue.md").read_text(encoding="utf-8") == page, "run `python tools/catalogue_page.py`"


def test_get_downloads_verifies_unpacks_and_the_name_can_be_used(server: Server, cache: Path, monkeypatch) -> None:
    digest = hashlib.sha256(SUITE).hexdigest()
    url = address(server, "HEAD.tar.gz", packed({"sets/mine.json": SUITE, "README": b"x"}))
    mine = made(url, sha256={"sets/mine.json": digest}, items=1, rows=2)
    done = fetch_suite(mine)
    assert (done.items, done.rows, done.checksums, done.as_expected) == (1, 2, 1, True)
    assert not (cache / "downloads" / "mine").exists()
    monkeypatch.setattr(catalogue, "entries", lambda: (mine,))
    assert load("mine").name == "mine" and fetched("mine") == cache / "suites/mine/sets/mine.json"
    server.files.clear()
    assert fetch_suite(mine) == done  # it is there: nothing is asked for again


def test_a_broken_download_is_resumed_and_a_changed_file_begins_again(server: Server, tmp_path: Path) -> None:
    data = bytes(range(256)) * 400
    url = address(server, "big.bin", data)
    server.cut = 1000
    with pytest.raises(DownloadError, match=r"ended after 1,000 of 102,400 bytes; repeat the command"):
        download([url], tmp_path)
    assert not (tmp_path / "big.bin").exists()
    assert download([url], tmp_path).read_bytes() == data
    assert server.asked == [None, "bytes=1000-"]

    (tmp_path / "big.bin").unlink()
    server.cut = 1000
    with pytest.raises(DownloadError):
        download([url], tmp_path)
    server.files["/big.bin"], server.version = data[::-1], '"two"'
    assert download([url], tmp_path).read_bytes() == data[::-1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["big.bin"]


def test_a_part_as_long_as_the_file_begins_again(server: Server, tmp_path: Path) -> None:
    url = address(server, "a.bin", b"right")
    (tmp_path / "a.bin.part").write_bytes(b"wrong")
    (tmp_path / "a.bin.part.version").write_text('"one"')
    assert download([url], tmp_path).read_bytes() == b"right"


def test_the_next_address_is_tried(server: Server, tmp_path: Path) -> None:
    url = address(server, "a.bin", b"right")
    assert download([url.replace("a.bin", "gone.bin"), url], tmp_path).read_bytes() == b"right"
    with pytest.raises(DownloadError, match=r"gone\.bin answered 404"):
        download([url.replace("a.bin", "gone.bin")], tmp_path)


def test_a_wrong_checksum_leaves_nothing_behind(server: Server, cache: Path) -> None:
    url = address(server, "HEAD.tar.gz", packed({"sets/mine.json": SUITE}))
    with pytest.raises(InputError, match=r"expected the SHA-256 00.* this is not the published file"):
        fetch_suite(made(url, sha256={"sets/mine.json": "0" * 64}))
    assert [path for path in cache.rglob("*") if path.is_file()] == []


def test_without_a_network_it_says_so_in_one_sentence(cache: Path) -> None:
    with socket.socket() as unused:  # bound but not listening: refused at once
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/x.zip"
        with pytest.raises(DownloadError) as caught:
            fetch_suite(made(url))
    assert str(caught.value).count("\n") == 0
    assert "127.0.0.1 cannot be reached" in str(caught.value) and "use --from" in str(caught.value)


def test_an_archive_cannot_write_outside_its_folder(server: Server, cache: Path) -> None:
    url = address(server, "HEAD.tar.gz", packed({"evil": b"x"}, root="../../"))
    with pytest.raises(InputError, match="could not unpack"):
        fetch_suite(made(url))
    assert not list(cache.rglob("evil"))


@pytest.mark.parametrize("data", [b"not an archive", packed({"a": b"b" * 9000})[:-40]], ids=["text", "cut off"])
def test_a_broken_archive_is_a_clear_error(server: Server, cache: Path, data: bytes) -> None:
    with pytest.raises(KontrastError):
        fetch_suite(made(address(server, "HEAD.tar.gz", data)))


def test_from_takes_a_folder_a_flat_folder_an_archive_or_the_one_file(tmp_path: Path, cache: Path) -> None:
    laid_out, flat = tmp_path / "laid" / "sets", tmp_path / "flat"
    laid_out.mkdir(parents=True)
    flat.mkdir()
    (laid_out / "mine.json").write_bytes(SUITE)
    (flat / "mine.json").write_bytes(SUITE)
    (tmp_path / "mine.tgz").write_bytes(packed({"sets/mine.json": SUITE}))
    for source in (laid_out.parent, flat, tmp_path / "mine.tgz", flat / "mine.json"):
        assert fetch_suite(made(), source=source).items == 1
    with pytest.raises(InputError, match="there is no such file or folder"):
        fetch_suite(made(), source=tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"empty: expected one of sets/mine\.json in it, found none"):
        fetch_suite(made(), source=tmp_path / "empty")
    with pytest.raises(InputError, match="found one that contains the cache"):
        fetch_suite(made(), source=tmp_path)
    assert fetch_suite(made()).items == 1  # what was fetched before is still there


def test_a_corpus_becomes_documents(server: Server, cache: Path, golden: Path, tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for ending in ("ids", "en", "de"):
            archive.write(golden / f"opus/OpenSubtitles.de-en.{ending}", f"OpenSubtitles.de-en.{ending}")
    wanted = entry("opensubtitles2018-en-de").documents
    assert isinstance(wanted, DocumentFiles)
    url = address(server, "de-en.txt.zip", out.getvalue())
    corpus = made(url, name="subs", kind="corpus", format=None, sets={}, documents=msgspec.to_builtins(wanted))
    done = fetch_suite(corpus, documents=tmp_path / "documents")
    texts = {path.name: path.read_text() for path in (tmp_path / "documents").rglob("*.*")}
    assert texts == {path.name: path.read_text() for path in (golden / "opus/documents").iterdir()}
    assert done.documents == len(texts) // 2
    with pytest.raises(KontrastError, match="mine has no document ids"):
        fetch_suite(made(), documents=tmp_path / "x")


@pytest.fixture
def real(data: Path, cache: Path) -> Path:
    fetch_suite("discevalmt", source=data / "discevalmt-en-fr")
    return data


def run(*args: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(command, args)
    if isinstance(result.exception, KontrastError):
        return 2, result.stdout, str(result.exception)
    return result.exit_code, result.stdout, result.stderr


def test_real_suites_by_name(real: Path) -> None:
    assert len(load("discevalmt:anaphora").items) == 200
    with pytest.raises(KontrastError, match="choose one of discevalmt:anaphora, discevalmt:lexical-choice"):
        load("discevalmt")
    with pytest.raises(KontrastError, match="not downloaded yet: kontrast suites get contrapro"):
        load("contrapro")
    with pytest.raises(InputError, match="there is no such file or folder"):
        load("no-such-suite")


def test_a_partial_copy_fails_the_count_with_status_1(data: Path, cache: Path) -> None:
    code, _, err = run("get", "large-pronouns-en-fr", "--from", str(data / "large-contrastive-en-fr"))
    assert (
        code == 1
        and "is incomplete: expected 14,000 items and 28,000 rows, found 10,500 items and 21,000 rows" in err
    )


def test_list_show_and_cite(real: Path) -> None:
    code, out, _ = run("list", "--lang", "fr")
    assert code == 0 and "discevalmt" in out and "lingeval97" not in out
    assert {each["name"] for each in json.loads(run("list", "--json")[1])} == {each.name for each in entries()}
    assert "12,000 items, 36,031 rows" in run("show", "contrapro")[1]
    out = run("cite", "opensubtitles2018-en-de", "opensubtitles2018-en-fr")[1]
    assert out.count("@inproceedings") == 1
    assert run("show", "contrapo")[2] == "there is no 'contrapo' in the catalogue; did you mean contrapro?"
    assert run("get", "must-she")[2].startswith("must-she cannot be downloaded by kontrast; get it at https://")
