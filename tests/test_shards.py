"""Shards and their manifest: any kill, any damage, and the results are those of one go."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kontrast
from kontrast import KontrastError, save
from kontrast.shards import in_order, keeping, numbered

SENTENCES = [
    ("She does not laugh.", "Sie lacht nicht."),
    ("The old man saw the house.", "Der alte Mann hat das Haus gesehen."),
    ("He has no car.", "Er hat kein Auto."),
    ("Yes.", "Ja."),
    ("The women read a book.", "Die Frauen lesen ein Buch."),
]


def _doubled(shard: tuple[int, list[int]]) -> bytes:
    return bytes(2 * value for value in shard[1])


@given(
    st.integers(0, 40), st.integers(1, 7), st.integers(0, 9), st.integers(0, 400), st.integers(-1, 60), st.booleans()
)
@settings(max_examples=60, deadline=None)
def test_goes_on_after_anything(
    tmp_path_factory: pytest.TempPathFactory, rows: int, size: int, stop: int, cut: int, damaged: int, manifest: bool
) -> None:
    """Stopped after some shards, then cut off or damaged at any byte: the second run gives all results."""
    folder = tmp_path_factory.mktemp("work") / "work"
    made: list[int] = []

    def run(todo: Iterator[tuple[int, list[int]]]) -> Iterator[bytes]:
        for shard in todo:
            made.append(shard[0])
            yield _doubled(shard)

    class StopError(Exception):
        pass

    try:
        with keeping(folder, {"seed": 1}) as parts:
            for number, _ in enumerate(parts.fill(numbered(range(rows), size), run)):
                if number == stop:
                    raise StopError
    except StopError:
        file = folder / ("manifest" if manifest else "parts")
        data = bytearray(file.read_bytes()[: cut or None])
        if 0 <= damaged < len(data) and not manifest:
            data[damaged] ^= 1
        file.write_bytes(data)
        with keeping(folder, {"seed": 1}) as parts:
            found = list(parts.fill(numbered(range(rows), size), run))
            assert list(parts) == found
        if cut > 399 and damaged < 0:
            assert len(made) == len(found), "nothing is made twice"
    else:
        return
    assert b"".join(found) == bytes(2 * value for value in range(rows))
    assert not folder.exists()


def test_other_facts_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), keeping(tmp_path / "w", {"seed": 1, "input": "a"}):
        raise RuntimeError
    with (
        pytest.raises(KontrastError, match="with other input, seed: use the same"),
        keeping(tmp_path / "w", {"seed": 2, "input": "b"}),
    ):
        pass
    with keeping(tmp_path / "w", {"seed": 1, "input": "a"}):
        with (
            pytest.raises(KontrastError, match="another run is using"),
            keeping(tmp_path / "w", {"seed": 1, "input": "a"}),
        ):
            pass
        assert (tmp_path / "w").exists()


def test_processes_give_the_same_in_the_same_order() -> None:
    shards = [shard for _, shard in numbered(range(60), 4)]
    assert list(in_order(_doubled, shards, jobs=2)) == list(in_order(_doubled, shards))


@pytest.fixture
def corpus(tmp_path: Path) -> tuple[Path, Path]:
    pairs = SENTENCES * 80
    for side, code in enumerate(("en", "de")):
        (tmp_path / f"text.{code}").write_text("".join(f"{pair[side]}\n" for pair in pairs), "utf-8")
    return tmp_path / "text.en", tmp_path / "text.de"


@pytest.mark.parametrize("name", ["errors.json", "errors.jsonl"])
def test_errors_killed_and_gone_on(
    corpus: tuple[Path, Path], tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SIGKILL in the middle; other options and other input are refused; then the bytes of an undisturbed run."""
    source, reference = map(str, corpus)
    code = "import kontrast.building.errors.build as e; e.SHARD = 10; from kontrast.cli import main; main()"
    out = tmp_path / name
    command = [sys.executable, "-c", code, "build", "errors", source, reference, "--out", str(out)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
    manifest = tmp_path / f"{name}.work" / "manifest"
    until = time.monotonic() + 120
    while time.monotonic() < until and process.poll() is None:
        if manifest.exists() and manifest.read_bytes().count(b"\n") > 2:
            os.kill(process.pid, signal.SIGKILL)
            break
        time.sleep(0.005)
    process.wait()
    assert process.returncode == -signal.SIGKILL and not out.exists()
    finished = manifest.read_bytes().splitlines()[1:-1]
    refused = subprocess.run([*command, "--all"], capture_output=True, text=True)
    assert refused.returncode == 2 and "with other options" in refused.stderr
    text = corpus[1].read_bytes()
    corpus[1].write_bytes(text.replace(b"Ja.", b"Ja!"))
    refused = subprocess.run(command, capture_output=True, text=True)
    assert refused.returncode == 2 and "with other input" in refused.stderr
    corpus[1].write_bytes(text)
    assert all(line in manifest.read_bytes().splitlines() for line in finished), "a refusal leaves it as it is"
    subprocess.run(command, check=True, capture_output=True)
    monkeypatch.setattr("kontrast.building.errors.build.SHARD", 10)
    save(
        kontrast.build_errors(source, reference, mix="all" if name.endswith(".json") else None),
        tmp_path / "whole",
        "lingeval97" if name.endswith(".json") else "native",
    )
    assert out.read_bytes() == (tmp_path / "whole").read_bytes()
    assert not manifest.parent.exists()


def test_shards_do_not_change_the_suite(corpus: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    whole = kontrast.build_errors(*corpus)
    monkeypatch.setattr("kontrast.building.errors.build.SHARD", 7)
    assert kontrast.build_errors(*corpus) == whole


def test_archives_and_folders_are_corpora(corpus: tuple[Path, Path], tmp_path: Path) -> None:
    whole = kontrast.build_errors(*corpus, name="text")
    with zipfile.ZipFile(tmp_path / "de-en.txt.zip", "w") as archive:
        archive.writestr("README", "about")
        for path in corpus:
            archive.write(path, f"OpenSubtitles.de-en{path.suffix}")
    assert kontrast.build_errors(tmp_path / "de-en.txt.zip", name="text") == whole
    folder = tmp_path / "documents" / "2000"
    folder.mkdir(parents=True)
    for path in corpus:
        lines = path.read_text("utf-8").splitlines(keepends=True)
        (folder / f"a{path.suffix}").write_text("".join(lines[:99]), "utf-8")
        (folder / f"b{path.suffix}").write_text("".join(lines[99:]), "utf-8")
    made = kontrast.build_errors(tmp_path / "documents", name="text")
    assert {item.document for item in made} == {"a", "b"}, "only these items say where they are from"
    unplaced = (msgspec.structs.replace(item, document=None, segment=None) for item in made)
    assert msgspec.structs.replace(made, items=tuple(unplaced), segment_base=whole.segment_base) == whole
    with pytest.raises(KontrastError, match="expected two files, a folder of documents, or an archive"):
        kontrast.build_errors(corpus[0])
    with pytest.raises(KontrastError, match=r"one file in it that ends in \.fr"):
        kontrast.build_errors(tmp_path / "de-en.txt.zip", pair="en-fr")


def test_nothing_of_ray_is_loaded_without_on(corpus: tuple[Path, Path]) -> None:
    code = (
        "import sys, kontrast, kontrast.scoring.run, kontrast.scoring.metrics.run, kontrast.building.pronouns; "
        f"kontrast.build_errors({str(corpus[0])!r}, {str(corpus[1])!r}); assert 'ray' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


@pytest.mark.parametrize(("done", "ended", "left"), [(0, False, False), (1, False, True), (1, True, False)])
def test_an_error_leaves_the_folder_only_where_a_run_can_go_on(
    done: int, ended: bool, left: bool, tmp_path: Path
) -> None:
    work = tmp_path / "work"
    with pytest.raises(KontrastError, match="wrong"), keeping(work, {}) as parts:
        list(parts.fill(numbered("a" * done, 1), lambda todo: (b"" for _ in todo)))
        if ended:
            parts.end()
        raise KontrastError("wrong")
    assert work.exists() == left


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")
def test_workers_end_with_a_parent_that_was_killed(tmp_path: Path) -> None:
    script = tmp_path / "run.py"
    script.write_text(
        "import time\n"
        "from kontrast.shards import in_order\n"
        "if __name__ == '__main__':\n"
        "    list(in_order(time.sleep, [600.0] * 4, jobs=2))\n"
    )
    parent = subprocess.Popen([sys.executable, str(script)])
    try:
        workers = _until(lambda: len(_children(parent.pid)) >= 3, lambda: _children(parent.pid))
    finally:
        parent.kill()
        parent.wait()
    assert len(workers) >= 3  # two workers, and what tracks resources
    assert not _until(lambda: not _alive(workers), lambda: _alive(workers))


def _until(done: Callable[[], bool], found: Callable[[], set[int]], seconds: float = 60) -> set[int]:
    end = time.monotonic() + seconds
    while not done() and time.monotonic() < end:
        time.sleep(0.2)
    return found()


def _children(parent: int) -> set[int]:
    return {int(pid.name) for pid in Path("/proc").glob("[0-9]*") if _parent_of(pid) == parent}


def _alive(pids: set[int]) -> set[int]:
    return {pid for pid in pids if _parent_of(Path(f"/proc/{pid}")) is not None}


def _parent_of(place: Path) -> int | None:
    """Of a process that is there and no mere entry of one that has ended."""
    try:
        state, parent = (place / "stat").read_text().rpartition(")")[2].split()[:2]
    except (OSError, ValueError):
        return None
    return int(parent) if state != "Z" else None
