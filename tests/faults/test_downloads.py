"""A download that is cut off, again and again, and one that is not the published file."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from kontrast import InputError
from kontrast.suites.fetch import DownloadError, download, fetch_suite
from suites.file_server import SUITE, Server, address, made, packed, serving_files

from .runs import noted


@pytest.fixture
def server() -> Iterator[Server]:
    with serving_files() as running:
        yield running


def test_cut_off_twenty_times(server: Server, tmp_path: Path) -> None:
    """Every call asks for what is missing only, and the file is there when all of it is."""
    chance = random.Random(3)
    data = chance.randbytes(1 << 20)
    url, had = address(server, "big.bin", data), 0
    for _ in range(20):
        server.cut = chance.randrange(1, 40_000)
        had += server.cut
        with pytest.raises(DownloadError, match=rf"ended after {had:,} of 1,048,576 bytes; repeat the command"):
            download([url], tmp_path)
        assert not (tmp_path / "big.bin").exists()
    assert download([url], tmp_path).read_bytes() == data
    assert server.asked[-1] == f"bytes={had}-" and [path.name for path in tmp_path.iterdir()] == ["big.bin"]
    noted("download cut off", 20, "each call resumes the previous one; the file is equal")


def test_a_wrong_checksum(server: Server, cache: Path) -> None:
    """Nothing of it is kept; the right file is fetched as if there had been none."""
    damaged = SUITE.replace(b"a _eos", b"o _eos")
    digest = hashlib.sha256(SUITE).hexdigest()
    mine = made(
        address(server, "HEAD.tar.gz", packed({"sets/mine.json": damaged})), sha256={"sets/mine.json": digest}
    )
    for _ in range(3):
        with pytest.raises(InputError, match=r"expected the SHA-256 .* not the published file") as refused:
            fetch_suite(mine)
        assert "\n" not in str(refused.value)
        assert [path for path in cache.rglob("*") if path.is_file()] == []
    server.files["/HEAD.tar.gz"] = packed({"sets/mine.json": SUITE})
    assert fetch_suite(mine).checksums == 1
    noted("download with a wrong checksum", 3, "refused in one line, nothing kept; the right file is then downloaded")
