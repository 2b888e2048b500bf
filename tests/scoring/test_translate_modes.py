"""What is asked for in each mode, with a program whose answers are known."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

import kontrast
from kontrast import Item, Suite, Variant
from kontrast.errors import KontrastError
from kontrast.scoring.translating.realigning import realign

ECHO = """
import sys
for line in sys.stdin:
    source, _, prefix = line.rstrip("\\n").partition("\\t")
    print(f"[{source.split(' | ')[-1]}]" + (f" after {prefix.count('|')}" if prefix else ""), flush=True)
"""
WHOLE = """
import sys
for line in sys.stdin:
    print(" | ".join(f"<{part}>" for part in line.rstrip("\\n").split(" | ")), flush=True)
"""


def program(folder: Path, code: str) -> str:
    (folder / "p.py").write_text(code)
    return f"command:{sys.executable} {folder / 'p.py'}"


def documents(folder: Path, sizes: list[int]) -> list[list[str]]:
    """Made documents, every sentence of which says where it stands."""
    folder.mkdir()
    texts = [[f"d{d} s{n} says {'so ' * (n % 4)}much." for n in range(size)] for d, size in enumerate(sizes)]
    for d, lines in enumerate(texts):
        (folder / f"{d:02}.en").write_text("".join(f"{line}\n" for line in lines))
    return texts


def items(size: int = 3) -> Suite:
    context = tuple(f"s{n}." for n in range(4))
    made = [
        Item(str(n), f"x{n}.", (Variant("a"), Variant("b")), source_context=context[: n + 1]) for n in range(size)
    ]
    return Suite("some", tuple(made), "en", "fr")


def test_one_line_per_item_and_one_question_per_source(tmp_path: Path) -> None:
    suite = items()
    doubled = Suite(
        "twice", (*suite.items, *suite.items, Item("blank", " ", (Variant("a"), Variant("b")))), "en", "fr"
    )
    code = "import sys\nfor n, line in enumerate(sys.stdin): print(n, line.strip(), flush=True)"
    made = kontrast.translate(doubled, program(tmp_path, code))
    assert made.texts == ("0 x0.", "1 x1.", "2 x2.") * 2 + ("",)


@pytest.mark.parametrize("side", ["source", "both"])
def test_context_is_given_and_the_part_of_the_sentence_is_kept(side: str, tmp_path: Path) -> None:
    suite = items()
    if side == "both":
        made = [
            Item(i.id, i.source, i.variants, source_context=i.source_context, target_context=("T.",) * len(i.source))
            for i in suite.items
        ]
        suite = Suite("some", tuple(made), "en", "fr")
    code = WHOLE if side == "source" else ECHO
    found = kontrast.translate(
        suite,
        program(tmp_path, code),
        context="prev:1",
        side=side,  # type: ignore[arg-type]
        scheme=" | ",
        extra={"prefix": "yes"},
    )
    assert found.texts == (
        tuple(f"<x{n}.>" for n in range(3)) if side == "source" else tuple(f"[x{n}.] after 1" for n in range(3))
    )
    assert found.aligned == ({"separator": 3} if side == "source" else {})


def test_rollout_loses_and_shifts_nothing(tmp_path: Path) -> None:
    """Documents of 3 to 40 sentences: each translation is that of its own sentence, after its own context."""
    sizes = [random.Random(3).randint(3, 40) for _ in range(12)] + [3, 40]
    texts = documents(tmp_path / "docs", sizes)
    made = kontrast.translate(
        None,
        program(tmp_path, ECHO),
        documents=tmp_path / "docs",
        context="prev:2",
        own=True,
        scheme=" | ",
        source_language="en",
        target_language="de",
        extra={"prefix": "yes"},
    )
    at = iter(zip(made.texts, made.before, strict=True))
    for lines in texts:
        for number, line in enumerate(lines):
            text, before = next(at)
            assert text == f"[{line}]" + (f" after {min(number, 2)}" if number else "")
            assert [each.split("]")[0] for each in before] == [f"[{each}" for each in lines[:number]]
    assert next(at, None) is None


def test_windows_lose_and_shift_nothing(tmp_path: Path) -> None:
    texts = documents(tmp_path / "docs", [3, 7, 12, 40])
    (tmp_path / "docs" / "01.en").write_text("\n".join([*texts[1][:2], "", *texts[1][2:]]) + "\n")
    texts[1].insert(2, "")
    made = kontrast.translate(
        None,
        program(tmp_path, WHOLE),
        documents=tmp_path / "docs",
        window=4,
        scheme=" | ",
        source_language="en",
        target_language="de",
    )
    assert list(made.texts) == [f"<{line}>" if line else "" for lines in texts for line in lines]
    assert set(made.aligned) <= {"separator", "whole"}


def test_windows_without_separators_are_aligned_by_length() -> None:
    sources = ["It rains.", "We stay at home today and read the long book.", "Good.", "Where is my old red coat?"]
    pieces = [
        "Es regnet.",
        "Wir bleiben heute zu Hause und lesen das lange Buch.",
        "Gut.",
        "Wo ist mein alter Mantel?",
    ]
    found = realign(sources, " ".join(pieces), "<SEP>")
    assert found.how == "length" and [found.text_of(n) for n in range(4)] == pieces
    merged = realign(sources[:2], "Es regnet, und wir bleiben heute zu Hause und lesen das lange Buch.")
    assert (merged.merged, merged.text_of(1), merged.text_of(1, whole=True)[:9]) == (1, "", "Es regnet")


def test_documents_are_written_beside_each_other(tmp_path: Path) -> None:
    from kontrast.cli import main

    documents(tmp_path / "docs", [3, 4])
    with pytest.raises(SystemExit) as stop:
        given = ["--documents", str(tmp_path / "docs"), "--source", "en", "--target", "de", "--no-store"]
        main(["translate", *given, "--model", program(tmp_path, ECHO), "--out", str(tmp_path / "out")])
    assert stop.value.code == 0
    assert [p.name for p in sorted((tmp_path / "out").iterdir())] == ["00.de", "01.de"]
    assert (tmp_path / "out" / "01.de").read_text().splitlines()[3] == "[d1 s3 says so so so much.]"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"own": True}, "--own: the system's own translations"),
        ({"own": True, "context": "prev:1", "side": "source"}, "--own: the system's own translations"),
        ({"window": 3, "context": "prev:1"}, "--window also translates the context"),
        ({"top_k": 3}, "--top-p and --top-k are for sampling"),
        ({"beams": 5}, "a command has its own options"),
        ({"examples": [("a", "b")]}, "examples are for prompted models"),
        ({"context": "prev:9"}, "no item of some has 9 sentences"),
        ({"context": "prev:1", "own": True}, "does not support a forced beginning"),
    ],
)
def test_what_does_not_go_together_is_refused(asked: dict[str, object], said: str, tmp_path: Path) -> None:
    with pytest.raises(KontrastError, match=said):
        kontrast.translate(items(), program(tmp_path, ECHO), **asked)  # type: ignore[arg-type]


def test_a_scorer_does_not_translate(tmp_path: Path) -> None:
    with pytest.raises(KontrastError, match="scores and does not translate"):
        kontrast.translate(items(), f"file:{tmp_path / 'x.scores'}")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import sys; print(sys.stdin.readline())", "printed more lines|ended .status 0. before all rows"),
        ("import sys; [print('x') for _ in sys.stdin]; print('y')", "printed more lines than rows"),
        ("import sys; [print('x') for _ in sys.stdin]; sys.exit(3)", "failed .status 3. after its last translation"),
        ("import sys; sys.stdout.buffer.write(b'\\xff\\n' * 3)", "expected UTF-8 for source 1"),
    ],
)
def test_a_program_that_fails_is_named(code: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(KontrastError, match=said):
        kontrast.translate(items(), program(tmp_path, code))


def test_a_run_that_failed_goes_on(tmp_path: Path) -> None:
    """What was finished before an error is not asked for again."""
    half = "import sys\nfor n, line in enumerate(sys.stdin):\n  if n == 2: break\n  print('old', flush=True)"
    asked = {"extra": {"fingerprint": "1"}, "store": tmp_path / "s.sqlite"}
    with pytest.raises(KontrastError, match="before all rows"):
        kontrast.translate(items(), program(tmp_path, half), **asked)  # type: ignore[arg-type]
    new = "import sys\nfor line in sys.stdin: print('new', line.strip(), flush=True)"
    made = kontrast.translate(items(), program(tmp_path, new), **asked)  # type: ignore[arg-type]
    assert made.texts == ("old", "old", "new x2.")
