"""Counts made table by table: the bytes of counts made at once, whatever the size of a table; killed and gone on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import kontrast
from kontrast import KontrastError
from kontrast.splitting.corpus_counts import load_counts

WORDS = "the old cat saw a dog and small children read many books in that house".split()


def _tree(number: int) -> str:
    """A sentence with a made tree; documents begin at some of them."""
    size = 2 + number * 7 % 9
    lines = ["# newdoc"] if number % 17 == 5 else []
    lines += [f"# text = sentence {number}"]
    for place in range(1, size + 1):
        word = WORDS[(number * place + place * place) % len(WORDS)]
        head = 1 + number % (place - 1) if place > 1 else 0
        relation = ("nsubj", "obj", "det:poss", "punct")[(number + place) % 4] if head else "root"
        morph = ("_", "Number=Sing", "Case=Nom|Number=Plur")[(number + place) % 3]
        tag = ("NOUN", "VERB", "DET")[(number * place) % 3]
        lines.append(f"{place}\t{word.title()}\t{word}\t{tag}\t_\t{morph}\t{head}\t{relation}\t_\t_")
    return "\n".join(lines) + "\n\n"


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("trees") / "trees.conllu"
    path.write_text("".join(map(_tree, range(900))), "utf-8")
    return path


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("text") / "text.txt"
    lines = [" ".join(WORDS[(n * k + k) % len(WORDS)] for k in range(n % 7)) for n in range(700)]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def _files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kontrast.splitting.conllu_tables._BLOCK", 700)
    monkeypatch.setattr("kontrast.splitting.count_corpus._AT_ONCE", 200)
    monkeypatch.setattr("kontrast.splitting.corpus_reader.SHARD", 40)


ASKED: list[dict[str, Any]] = [
    {"features": "dependency"},
    {"features": "dependency", "min_frequency": 100, "min_compound": 3, "min_tokens": 3, "max_tokens": 8},
    {"features": "dependency", "pos": "NOUN,VERB", "rank": "1:12", "relations": "nsubj,obj"},
    {"features": "dependency", "preset": "authors", "min_frequency": 1, "rank": "0:", "weight": 0.1},
    {"features": "morphology", "tags": "Number"},
    {"features": "ngram", "order": 3},
    {"features": "relations", "no_duplicates": True},
    {"features": "length"},
]


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: "-".join(map(str, asked.values())))
def test_tables_of_any_size_give_the_same_bytes(
    trees: Path, tmp_path: Path, asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as at_once:
        at_once.setattr("kontrast.splitting.count_corpus.can_stream", lambda *given: False)
        whole = kontrast.count(trees, tmp_path / "whole", **asked)
    large = kontrast.count(trees, tmp_path / "large", **asked)
    _small(monkeypatch)
    small = kontrast.count(trees, tmp_path / "small", **asked)
    assert _files(tmp_path / "small") == _files(tmp_path / "large") == _files(tmp_path / "whole")
    assert small.to_dict() == large.to_dict() == whole.to_dict() == load_counts(tmp_path / "whole").to_dict()
    assert not (tmp_path / "small.work").exists()


def test_text_in_shards(text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = kontrast.count(text, tmp_path / "whole", features="ngram")
    _small(monkeypatch)
    assert kontrast.count(text, tmp_path / "small", features="ngram").to_dict() == whole.to_dict()
    assert _files(tmp_path / "small") == _files(tmp_path / "whole")
    assert kontrast.count(text, features="ngram").to_dict() == whole.to_dict()


def test_a_folder_of_documents(tmp_path: Path) -> None:
    (tmp_path / "d" / "2000").mkdir(parents=True)
    for name in "ab":
        (tmp_path / "d" / "2000" / f"{name}.de").write_text("Die Frau lacht.\nDer Mann lacht.\n", "utf-8")
    found = kontrast.count(tmp_path / "d", features="ngram", lang="de")
    assert found.documents.tolist() == [0, 0, 1, 1]
    with pytest.raises(KontrastError, match="is a folder: give the language"):
        kontrast.count(tmp_path / "d", features="ngram")


def test_errors_in_later_tables_name_their_line(trees: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _small(monkeypatch)
    lines = trees.read_text("utf-8").split("\n")
    at = next(n for n, line in enumerate(lines) if n > 3000 and line.startswith("2\t"))
    lines[at] = lines[at].replace("\t", " ", 1)
    (tmp_path / "bad.conllu").write_text("\n".join(lines), "utf-8")
    with pytest.raises(KontrastError, match=f"line {at + 1}: "):
        kontrast.count(tmp_path / "bad.conllu", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_killed_and_gone_on(tmp_path: Path) -> None:
    text, out = tmp_path / "text.de", tmp_path / "counts"
    text.write_text("Die alte Frau hat das Haus nicht gesehen.\nKinder lesen Bücher.\n" * 400, "utf-8")
    code = "import kontrast.splitting.corpus_reader as r; r.SHARD = 10; from kontrast.cli import main; main()"
    command = [sys.executable, "-c", code, "count", str(text), "--lang", "de", "--features", "ngram"]
    command += ["--out", str(out)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    manifest, until = tmp_path / "counts.work" / "manifest", time.monotonic() + 120
    while time.monotonic() < until and process.poll() is None:
        if manifest.exists() and manifest.read_bytes().count(b"\n") > 3:
            os.kill(process.pid, signal.SIGKILL)
            break
        time.sleep(0.005)
    process.wait()
    assert process.returncode == -signal.SIGKILL and not out.exists()
    refused = subprocess.run([*command, "--annotator", "words"], capture_output=True, text=True)
    assert refused.returncode == 2 and "with other annotator" in refused.stderr
    subprocess.run(command, check=True, capture_output=True)
    kontrast.count(text, tmp_path / "whole", lang="de", features="ngram")
    assert _files(out) == _files(tmp_path / "whole") and not manifest.parent.exists()
