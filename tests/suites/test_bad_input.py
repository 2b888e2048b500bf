"""Bad input gives one line that names the file, the line and what was expected; nothing half written is left."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kontrast
from kontrast import InputError, Item, KontrastError, Suite, Variant, convert, load, read_scores
from kontrast.cli import main
from kontrast.io import files
from kontrast.suites.documents import parse_span
from kontrast.suites.formats import get, names

TREE = [
    {
        "source": "The tree is old.",
        "reference": "Der Baum ist alt.",
        "errors": [{"type": "np_agreement", "contrastive": "Die Baum ist alt."}],
    }
]
TEXT = json.dumps(TREE, indent=1)


@pytest.mark.parametrize(
    "packed",
    [
        b"\xef\xbb\xbf" + TEXT.encode(),
        TEXT.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode(),
    ],
    ids=["bom", "crlf", "both"],
)
def test_bom_and_crlf_change_nothing(tmp_path: Path, packed: bytes) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "a.json").write_text(TEXT)
    (tmp_path / "a.json").write_bytes(packed)
    assert load(tmp_path / "a.json") == load(tmp_path / "plain" / "a.json")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", TEXT[:60].encode(), "a.json, line 4: expected JSON: the file ends too early"),
        ("a.json", TEXT.replace("alt", "ält").encode("latin-1"), "a.json, line 4: expected UTF-8, found byte 0xe4"),
        ("a.json", TEXT.encode("utf-16"), "a.json, line 1: expected UTF-8, found byte 0xff"),
        ("a.json", b"", "a.json, line 1: expected a suite, found an empty file"),
        ("a.scores", b"1.5\n-2e-3\n", "a.scores: expected a suite, found numbers as in a score file; give the suite"),
        ("a.json", b"[1, 2]", "a.json: is none of the known formats"),
        ("a.json.gz", gzip.compress(TEXT.encode())[:-12], "a.json.gz: cannot be read"),
        ("a.json.gz", b"not packed", "a.json.gz: cannot be read"),
        ("a.jsonl.zst", b"not packed", "a.jsonl.zst: cannot be read"),
    ],
)
def test_broken_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, content: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SystemExit) as ended:
        main(["convert", str(tmp_path / name), str(tmp_path / "out.jsonl")])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and message in told
    assert [file.name for file in tmp_path.iterdir()] == [name]


SUITE = Suite("s", (Item("1", "x", (Variant("a"), Variant("b"))),))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"1\n", r"line 2: expected 2 scores .*found 1"),
        (b"1\n2\n3\n", r"line 3: expected 2 scores .*found 3"),
        (b"1\n\n", r"line 2: expected a number, found a blank line"),
        (b"1\nnan\n", r"line 2: expected a finite number, found nan"),
        (b"-inf\n1\n", r"line 1: expected a finite number, found -inf"),
        (b"1\n2 3\n", r"line 2: expected a number, found '2 3'"),
        (b"1_0\n2\n", r"line 1: expected a number, found '1_0'"),
        ("1\n٣\n".encode(), r"line 2: expected a number"),
        (b"1\n\xff\n", r"line 2: expected UTF-8, found byte 0xff"),
    ],
)
def test_score_files(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "a.scores").write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_scores(tmp_path / "a.scores", SUITE)


def test_scores_with_crlf_and_bom(tmp_path: Path) -> None:
    (tmp_path / "a.scores").write_bytes(b"\xef\xbb\xbf1.5\r\n-2e3\r\n")
    assert read_scores(tmp_path / "a.scores", SUITE).values == (1.5, -2000.0)


@pytest.mark.parametrize("beside", [b"{", b"\xff", b"[" * 5000, b'{"system": 1}'])
def test_broken_signature(tmp_path: Path, beside: bytes) -> None:
    (tmp_path / "a.scores").write_bytes(b"1\n2\n")
    (tmp_path / "a.scores.json").write_bytes(beside)
    with pytest.raises(InputError, match=r"a\.scores\.json"):
        read_scores(tmp_path / "a.scores", SUITE)


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "a.txt.zst"])
def test_writing_leaves_nothing_half_done(tmp_path: Path, name: str) -> None:
    with pytest.raises(RuntimeError), files.writing(tmp_path / name) as out:
        out.write("begun")
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []
    with files.writing(tmp_path / name) as out:
        out.write("done\n")
    assert files.read_lines(tmp_path / name) == ["done"]
    assert list(files.open_lines(tmp_path / name)) == ["done"]


def test_truncated_zstandard_is_noticed(tmp_path: Path) -> None:
    with files.writing(tmp_path / "a.zst") as out:
        out.writelines(f"{n}\n" for n in range(50_000))
    whole = (tmp_path / "a.zst").read_bytes()
    (tmp_path / "a.zst").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="ends too early"):
        files.read_bytes(tmp_path / "a.zst")
    (tmp_path / "two.zst").write_bytes(whole + whole)
    assert len(files.read_lines(tmp_path / "two.zst")) == 100_000


def test_a_pipe_is_written_not_replaced(tmp_path: Path) -> None:
    convert("demo:de", "/dev/null", to_format="native")
    assert not Path("/dev/null").is_file()


def examples() -> dict[str, Callable[[], Any]]:
    """A small valid file of each format that is one file, to be mutated."""
    tree = [dict(TREE[0], origin="a.1")]
    pronoun = {"src segment": "It", "ref segment": "Er", "document id": "1.de", "segment id": 1}
    return {
        "native": lambda: {"kontrast": 1, "name": "a", "unit": "pair"},
        "lingeval97": lambda: tree,
        "contrawsd": lambda: [dict(tree[0], **{"ambig word": "Ton", "sense": "clay"})],
        "contrapro": lambda: [dict(pronoun, errors={"contrastive": "Sie", "replacement": "Sie", "type": "x"})],
        "discevalmt": lambda: {"1": {"src": ["a", "b"], "trg": [{"correct": ["c", "d"], "incorrect": ["c", "e"]}]}},
        "consistency": lambda: [{"src": ["a", "b"], "dst": [["c"], ["d"]], "true_ind": 0, "ctx_dist": 1}],
        "pro-errors": lambda: [{"wrong translation": "a", "correct translation": "b", "context": "c", "source": "d"}],
        "ctxpro": lambda: [{"expected": "du", "source": "you", "rule": "x"}],
        "demetr": lambda: [{"src_sent": "a", "eng_sent": "b", "mt_sent": "c", "pert_sent": "d", "severity": "base"}],
    }


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


def suite_or_error(path: Path, name: str | None) -> None:
    try:
        assert isinstance(load(path, name), Suite)
    except KontrastError as error:
        assert "\n" not in str(error)


@pytest.mark.parametrize("name", [*names(), None])
@given(content=st.binary(max_size=60) | json_values.map(lambda value: json.dumps(value).encode()))
def test_any_bytes_and_any_json(tmp_path_factory: pytest.TempPathFactory, name: str | None, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_bytes(content)
    suite_or_error(path, name)


def mutated(value: Any, choose: Callable[[st.SearchStrategy[Any]], Any]) -> Any:
    """The value with one part of it, at any depth, replaced or removed."""
    if isinstance(value, dict | list) and value and choose(st.integers(0, 3)):
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = choose(st.sampled_from(keys))
        copy = value.copy()
        if choose(st.integers(0, 4)):
            copy[key] = mutated(copy[key], choose)
        else:
            del copy[key]
        return copy
    return choose(json_values)


@pytest.mark.parametrize("name", [name for name in names() if name in examples()])
@given(data=st.data())
def test_mutations_of_valid_files(tmp_path_factory: pytest.TempPathFactory, name: str, data: Any) -> None:
    path = tmp_path_factory.getbasetemp() / "mutated.json"
    text = json.dumps(mutated(examples()[name](), data.draw), indent=1)
    if name == "native":
        text = text.replace("\n", "") + '\n{"id": "1", "source": "a", "variants": [{"text": "b"}]}'
    cut = data.draw(st.integers(0, 2 * len(text)))
    path.write_text(text[:cut] if cut < len(text) else text, encoding="utf-8")
    suite_or_error(path, name)
    suite_or_error(path, None)


@pytest.mark.parametrize("name", ["rows", "distil-lingeval"])
@given(contents=st.lists(st.binary(max_size=12), min_size=3, max_size=3), option=st.text(max_size=3))
def test_any_bytes_in_line_files(
    tmp_path_factory: pytest.TempPathFactory, name: str, contents: list[bytes], option: str
) -> None:
    folder = tmp_path_factory.getbasetemp() / "lines"
    folder.mkdir(exist_ok=True)
    names = {"rows": ("a.src", "a.trg", "group_starts.txt")}.get(
        name, ("src.en", "tgt.correct.de", "tgt.incorrect.de")
    )
    for file in folder.iterdir():
        file.unlink()
    for file_name, content in zip(names, contents, strict=True):
        (folder / file_name).write_bytes(content)
    suite_or_error(folder, name)
    if name == "rows":
        for options in ({"context": option}, {"group": option}, {"separator": option}, {"annotation": option}):
            try:
                get("rows").read(folder, **options)
            except KontrastError as error:
                assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("demo:de?limit=3&limit=9", "limit is given twice, as '3' and '9'"),
        ("demo:de?only=id=1&only=id=2", "only is given twice"),
        ("demo:de?limit", "expected NAME=VALUE, found 'limit'"),
    ],
)
def test_an_option_behind_a_path_is_given_once(name: str, said: str) -> None:
    with pytest.raises(KontrastError, match=re.escape(said)):
        kontrast.load(name)


def test_a_context_is_given_once() -> None:
    for twice in (["prev:1+prev:2"], ["1", "2"], ["next:1", "next:1"]):
        with pytest.raises(KontrastError, match="is given twice"):
            parse_span(twice)
    assert parse_span(["prev:1+next:2"]) == parse_span(["prev:1", "next:2"])


def test_the_languages_of_a_table_are_given_once(tmp_path: Path) -> None:
    rows = "source,right,wrong\na,b,c\n"
    (tmp_path / "a.csv").write_text("# languages: en-de\n# languages: en-de\n" + rows)
    assert kontrast.load(tmp_path / "a.csv").target_language == "de"
    (tmp_path / "a.csv").write_text("# languages: en-de\n# languages: en-fr\n" + rows)
    with pytest.raises(InputError, match="row 2: the languages are given twice"):
        kontrast.load(tmp_path / "a.csv")
