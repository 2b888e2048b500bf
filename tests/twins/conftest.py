"""One folder for all twins: score files, translations, a gate, trees and parallel text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

import kontrast
from kontrast.cli import main
from kontrast.scoring.engine import Identity
from kontrast.scoring.store import StoreKey
from kontrast.suites.model import TokenScores

from .making import Command

TREES = """\
1\tdogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_
2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_

1\tcats\tcat\tNOUN\t_\t_\t2\tnsubj\t_\t_
2\tsleep\tsleep\tVERB\t_\t_\t0\troot\t_\t_

1\tdogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_
2\tsleep\tsleep\tVERB\t_\t_\t0\troot\t_\t_

"""


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Written once; each test adds files of its own names."""
    place = tmp_path_factory.mktemp("twin")
    suite = kontrast.load("demo:fr")
    for name, factor in (("a", 7), ("b", 5), ("c", 3), ("d", 4)):
        (place / f"{name}.scores").write_text("".join(f"{(factor * i) % 11}\n" for i in range(suite.row_count)))
    (place / "out.fr").write_text("".join(f"{item.best.text}\n" for item in suite))
    (place / "gate.toml").write_text('[gate]\naccuracy = 0.4\n[gate.baseline]\nscores = "b.scores"\n')
    (place / "trees.conllu").write_text(TREES * 20)
    kontrast.count(place / "trees.conllu", place / "counts")
    for name, ids in (("train", range(0, 60, 2)), ("test", range(1, 60, 2))):
        (place / f"{name}.ids").write_text("".join(f"{i}\n" for i in ids))
    (place / "text.de").write_text("Die Frau lacht nicht.\nDer Mann hat das Buch gelesen.\n")
    (place / "text.en").write_text("The woman does not laugh.\nThe man has read the book.\n")
    (place / "features.py").write_text("def words(s):\n    return s.text.split(), [s.text]\n")
    store = kontrast.Store(place / "kept.sqlite")
    store.use("made", "some-model", Identity("1"))
    store.add([(StoreKey("a", "", "b"), TokenScores(("b",), (-1.0,)))])
    store.close()
    for name in ("ref", "low", "high"):
        (place / f"{name}.txt").write_text("".join(f"ein Satz mit {name if i % 3 else 'x'} {i}\n" for i in range(30)))
    kontrast.convert("demo:de", place / "few.contrapro.json", to_format="contrapro")
    (place / "model.py").write_text("import sys\nfor line in sys.stdin: print(-(sum(map(ord, line)) % 97) / 7)\n")
    for name, sign in (("people", 1), ("good", 1), ("bad", -1)):
        rows = [f"{s}\t{sign * ((3 * i + j) % 7)}\n" for j, s in enumerate("ABC") for i in range(12)]
        (place / f"{name}.seg.score").write_text("".join(rows))
    _suspects(place, suite)
    _spans(place, suite)
    _compounds(place)
    return place


def _suspects(place: Path, suite: kontrast.Suite) -> None:
    """Weak systems are right where strong ones are wrong in the first items, and wrong elsewhere."""
    for name, strong in (("strong", True), ("weak", False)):
        rows = [
            0 if (n == item.correct) == (strong == (number > 5)) else 1
            for number, item in enumerate(suite)
            for n in range(len(item.variants))
        ]
        (place / f"{name}.scores").write_text("".join(f"{row}\n" for row in rows))


def _spans(place: Path, suite: kontrast.Suite) -> None:
    rows = sum(len(item.variants) for item in suite if item.tags_of().get("distance") == 1)
    marks = [{"row": n, "spans": [{"start": 0, "end": 2}] if n % 3 else []} for n in range(rows)]
    (place / "marked.jsonl").write_text("".join(json.dumps(mark) + "\n" for mark in marks))


def _compounds(place: Path) -> None:
    """A split of the trees, their translation word by word, and an output with one word in three wrong."""
    (split,) = kontrast.split(place / "counts", place / "one.split", effort="fast", test_share=(0.2, 0.4))
    words = {"dogs": "Hunde", "cats": "Katzen", "bark": "bellen", "sleep": "schlafen"}
    pairs = [("dogs", "bark"), ("cats", "sleep"), ("dogs", "sleep")] * 20
    lines = [" ".join(words[word] for word in pair) for pair in pairs]
    (place / "plain.de").write_text("".join(f"{line}\n" for line in lines))
    (place / "plain.links").write_text("0-0 1-1\n" * len(lines))
    out = [lines[i] if n % 3 else "Hunde Hunde" for n, i in enumerate(split.test)]
    (place / "plain.out").write_text("".join(f"{line}\n" for line in out))


@pytest.fixture
def command(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    monkeypatch.chdir(folder)

    def run(line: str | Sequence[str], *, codes: Sequence[int] = (0,)) -> str:
        with pytest.raises(SystemExit) as stop:
            main(line.split() if isinstance(line, str) else list(line))
        printed = capsys.readouterr()
        assert stop.value.code in codes, printed.err
        return printed.out

    return run
