"""The reading protocol (benchmarks/read.py): a seeded sample, verdicts kept without texts, shares, two readers."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kontrast.suites.formats import save
from kontrast.suites.model import Item, Suite, Variant

ROOT = Path(__file__).resolve().parents[2]
PAST = "polarity_particle_nicht_del"
NEWS = [
    "Sie lacht nicht.",
    "Er kam nicht.",
    "Wir schlafen nicht.",
    "Wir haben den Zug nicht gesehen.",
    "Die Frau lacht laut.",
]
TALK = ["Ich weiß es nicht.", "Das Kind weint nicht.", "Er hat den Hund nicht gehört."]


def read(*arguments: object, fails: bool = False) -> str:
    command = [sys.executable, str(ROOT / "benchmarks" / "read.py"), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert bool(done.returncode) == fails, done.stderr
    return done.stderr if fails else done.stdout


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    (tmp_path / "talk").mkdir()
    (tmp_path / "news.de").write_text("\n".join(NEWS) + "\n", "utf-8")
    (tmp_path / "talk" / "a.de").write_text("\n".join(TALK) + "\n", "utf-8")
    (tmp_path / "talk" / "a.en").write_text("I do not know.\n", "utf-8")
    return draw(tmp_path, "sample", 1, 6)


def draw(folder: Path, name: str, seed: int, n: int) -> Path:
    texts = ["--text", f"news={folder / 'news.de'}", "--text", f"talk={folder / 'talk'}"]
    read("draw", "--lang", "de", "--types", PAST, *texts, "-n", n, "--seed", seed, "--out", folder / name)
    return folder / name


def entries(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()[1:]]


def write_page(page: Path, readings: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, 'benchmarks'); import reading_files, reading_page; from pathlib import Path;"
        "reading_page.write_page(reading_files.all_readings(Path(sys.argv[2])), Path(sys.argv[1]))"
    )
    subprocess.run([sys.executable, "-c", code, str(page), str(readings)], check=True, cwd=ROOT, timeout=120)


def verdicts(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_a_sample_is_seeded_and_even(sample: Path, tmp_path: Path) -> None:
    found = entries(sample)
    assert [e["kind"] for e in found].count("talk") == 3 == [e["kind"] for e in found].count("news")
    assert {e["text"] for e in found if e["kind"] == "talk"} == set(TALK)
    assert sample.read_bytes() == draw(tmp_path, "again", 1, 6).read_bytes()
    other = [e["text"] for e in entries(draw(tmp_path, "other", 2, 2))]
    assert other != [e["text"] for e in found[:2]] or len(set(other)) == 2
    assert "Wir haben den Zug[ nicht→] gesehen." in read("show", sample)


def test_shares_by_type_and_kind_without_texts(sample: Path, tmp_path: Path) -> None:
    first = next(e for e in entries(sample) if e["kind"] == "news")
    said = verdicts(tmp_path / "said", [f"{first['id']} no still right"])
    kept = tmp_path / "readings"
    assert "1 candidates have no verdict" not in read(
        "record", sample, said, "--name", "a", "--reader", "A", "--readings", kept, fails=True
    )
    assert not kept.exists()
    read("record", sample, said, "--name", "a", "--reader", "A", "--rest-yes", "--readings", kept)
    text = (kept / "a.tsv").read_text("utf-8")
    assert "still right" in text and not any(word in text for word in ("Hund", "Zug", "lacht"))
    rows = {row["kind"]: row for row in json.loads(read("report", "--json", "--readings", kept))["shares"]}
    assert (rows["all"]["read"], rows["all"]["accepted"], rows["talk"]["share"]) == (6, 5, 1.0)
    assert rows["news"]["share"] == 2 / 3 and round(rows["all"]["low"], 3) == 0.436


def test_two_readers(sample: Path, tmp_path: Path) -> None:
    ids = [e["id"] for e in entries(sample)]
    kept = tmp_path / "readings"
    for name, wrong in (("a", ids[:2]), ("b", ids[1:3])):
        said = verdicts(tmp_path / name, [f"{i} no" for i in wrong])
        read("record", sample, said, "--name", name, "--reader", name, "--rest-yes", "--readings", kept)
    (both,) = json.loads(read("report", "--json", "--readings", kept))["agreement"]
    assert (both["read by both"], both["agreed"], both["kappa"]) == (6, 0.667, 0.25)


def test_a_part_read_again(sample: Path, tmp_path: Path) -> None:
    kept, part = tmp_path / "readings", tmp_path / "part"
    read("part", sample, "--share", "0.5", "--out", part)
    nothing = verdicts(tmp_path / "none", ["# all accepted"])
    for path, name in ((sample, "a"), (part, "again")):
        read("record", path, nothing, "--name", name, "--reader", "A", "--rest-yes", "--readings", kept)
    report = json.loads(read("report", "--json", "--readings", kept))
    assert report["agreement"][0]["read by both"] == 3 and report["agreement"][0]["kappa"] is None
    assert {row["reading"] for row in report["shares"]} == {"a"}


def test_a_part_of_a_sample_that_nobody_read_whole_is_no_round(sample: Path, tmp_path: Path) -> None:
    kept, part, page = tmp_path / "readings", tmp_path / "part", tmp_path / "page.md"
    read("part", sample, "--share", "0.5", "--out", part)
    said = verdicts(tmp_path / "said", [f"{entries(part)[0]['id']} no says the same"])

    def blind() -> str:
        page.write_text("", "utf-8")
        write_page(page, kept)
        return page.read_text("utf-8").partition("## Read blind")[2]

    read("record", part, said, "--name", "blind", "--reader", "B", "--rest-yes", "--readings", kept)
    assert json.loads(read("report", "--json", "--readings", kept))["shares"] == []
    assert f"| blind | `{PAST}` | 3 | 2 | 0 | 67% (21%–94%) | says the same |" in blind()
    nothing = verdicts(tmp_path / "none", ["# all accepted"])
    read("record", sample, nothing, "--name", "a", "--reader", "A", "--rest-yes", "--readings", kept)
    assert not blind()


def test_a_reading_is_not_overwritten_by_one_of_another_sample(sample: Path, tmp_path: Path) -> None:
    kept, part = tmp_path / "readings", tmp_path / "part"
    read("part", sample, "--share", "0.5", "--out", part)
    nothing = verdicts(tmp_path / "none", ["# all accepted"])
    options = ("--name", "a", "--reader", "A", "--rest-yes", "--readings", kept)
    read("record", sample, nothing, *options)
    before = (kept / "a.tsv").read_bytes()
    read("record", sample, nothing, *options)
    assert "is a reading of another sample" in read("record", part, nothing, *options, fails=True)
    assert (kept / "a.tsv").read_bytes() == before


def test_a_part_has_as_many_of_each_type_and_kind(sample: Path, tmp_path: Path) -> None:
    part = tmp_path / "part"
    read("part", sample, "--each", "4", "--seed", "3", "--out", part)
    assert sorted(e["kind"] for e in entries(part)) == ["news", "news", "talk", "talk"]
    assert {e["id"] for e in entries(part)} < {e["id"] for e in entries(sample)}
    read("part", sample, "--each", "9", "--out", part)
    assert len(entries(part)) == 6
    assert "expected at least 1, found 0" in read("part", sample, "--each", "0", "--out", part, fails=True)


def test_a_reading_is_drawn_again_without_its_verdicts(sample: Path, tmp_path: Path) -> None:
    kept, again = tmp_path / "readings", tmp_path / "again"
    said = verdicts(tmp_path / "said", [f"{entries(sample)[0]['id']} no still right"])
    read("record", sample, said, "--name", "a", "--reader", "A", "--rest-yes", "--readings", kept)
    text = ("again", "a", "--readings", kept, "--out", again, "--text")
    assert "3 of 3 candidates of a on talk" in read(*text, f"talk={tmp_path / 'talk'}")
    assert {e["id"] for e in entries(again)} == {e["id"] for e in entries(sample) if e["kind"] == "talk"}
    assert "still right" not in again.read_text("utf-8")
    nothing = verdicts(tmp_path / "none", ["# all accepted"])
    read("record", again, nothing, "--name", "b", "--reader", "B", "--rest-yes", "--readings", kept)
    assert json.loads(read("report", "--json", "--readings", kept))["agreement"][0]["read by both"] == 3
    for kind, message in (("novels", "a read no text of the kind novels"), ("news", "make no candidate of a")):
        assert message in read(*text, f"{kind}={tmp_path / 'talk'}", fails=True)


def test_a_reading_of_another_sample_is_refused(sample: Path, tmp_path: Path) -> None:
    other = draw(tmp_path, "other", 3, 2)
    missing = next(e["id"] for e in entries(sample) if e["id"] not in {x["id"] for x in entries(other)})
    said = verdicts(tmp_path / "said", [f"{missing} yes"])
    kept = tmp_path / "readings"
    name = ("--name", "x", "--reader", "A", "--rest-yes", "--readings", kept)
    message = read("record", other, said, *name, fails=True)
    assert f"{missing} is not in the sample" in message and message.count("\n") == 1 and not kept.exists()
    read("record", sample, said, *name)
    path = kept / "x.tsv"
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join(lines[:-1]) + "\n", "utf-8")
    message = read("report", "--readings", kept, fails=True)
    assert "its candidates are not those of the sample" in message and message.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is no reading"),
        ("# sample: 1\n# language: de\n# reader: A\n# round: x\n", "is no reading"),
        ("x", "is no"),
    ],
)
def test_a_file_that_is_no_reading(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "a.tsv").write_text(content, "utf-8")
    message = read("report", "--readings", tmp_path, fails=True)
    assert "is no reading" in message and message.count("\n") == 1


def test_what_is_still_chosen_is_counted(tmp_path: Path, sample: Path) -> None:
    first, *others = entries(sample)
    said = verdicts(tmp_path / "said", [f"{first['id']} no unsound"])
    kept = tmp_path / "readings"
    read("record", sample, said, "--name", "de-x", "--reader", "R", "--rest-yes", "--readings", kept)
    row = json.loads(read("still", sample, "--json", "--readings", kept))[0]
    assert (row["refused"], row["still refused"], row["still"]) == (1, 1, len(others))
    assert "(unsound)" in read("still", sample, "--list", "--readings", kept)
    assert "none of the candidates" in read("still", sample, "--only", "fr", "--readings", kept, fails=True)
    # A candidate that the rules make no more: its sentence asks, and a yes-or-no question gives nothing.
    asked = {**first, "text": "Ist das nicht schön?", "foil": "Ist das schön?"}
    code = (
        "import sys; sys.path.insert(0, 'benchmarks'); from reading_samples import *; from pathlib import Path;"
        "import json; e = entry(*json.loads(sys.argv[1])[:2], Line('a', 1, *json.loads(sys.argv[1])[2:3]),"
        "json.loads(sys.argv[1])[3]); write_sample(Path(sys.argv[2]), Sample('de', 1, sample_digest([e.id]), (e,)))"
    )
    row_of = json.dumps([PAST, "talk", asked["text"], asked["foil"]])
    subprocess.run([sys.executable, "-c", code, row_of, str(tmp_path / "old")], check=True, cwd=ROOT, timeout=120)
    none = verdicts(tmp_path / "none", ["# nothing"])
    read("record", tmp_path / "old", none, "--name", "de-y", "--reader", "R", "--rest-yes", "--readings", kept)
    row = json.loads(read("still", tmp_path / "old", "--json", "--readings", kept))[0]
    assert (row["accepted"], row["still"], row["share"]) == (1, 0, None)


def test_suites_are_read_too(tmp_path: Path) -> None:
    items = tuple(
        Item(
            str(i),
            "It barks.",
            (Variant(f"Er bellt {i}."), Variant(f"Sie bellt {i}.", error="pronoun")),
            source_context=("A dog.",),
            target_context=("Ein Hund.",),
        )
        for i in range(4)
    )
    path = tmp_path / "suite.jsonl"
    save(Suite("s", items, "en", "de"), path)
    read("draw", "--suite", f"talk={path}", "-n", 3, "--out", tmp_path / "sample")
    assert [e["type"] for e in entries(tmp_path / "sample")] == ["pronoun"] * 3
    shown = read("show", tmp_path / "sample", "--source")
    assert "[Er→Sie] bellt" in shown and "It barks." in shown and "< A dog. | Ein Hund." in shown


@pytest.mark.parametrize(
    ("name", "readings"), [("errors-read.md", "readings"), ("pronouns-read.md", "readings/pronouns")]
)
def test_the_page_is_made_from_the_readings(name: str, readings: str, tmp_path: Path) -> None:
    """The tables on the page are those of the readings in the repository."""
    page = ROOT / "docs" / name
    copy = tmp_path / name
    copy.write_text(page.read_text("utf-8"), "utf-8")
    write_page(copy, ROOT / "benchmarks" / readings)
    assert copy.read_text("utf-8") == page.read_text("utf-8")
