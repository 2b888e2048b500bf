"""The native format, its schema, and conversion to and from it."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from kontrast import InputError, Item, KontrastError, Suite, Variant, convert, load, save
from kontrast.cli import kontrast as cli
from kontrast.suites.formats import names
from kontrast.suites.formats.native import schema

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_schema_in_docs_is_the_model() -> None:
    assert json.loads((DOCS / "suite.schema.json").read_text(encoding="utf-8")) == schema()


@pytest.mark.parametrize("name", ["demo:de", "demo:fr"])
def test_native_files_validate(tmp_path: Path, name: str) -> None:
    convert(name, tmp_path / "a.jsonl")
    validator = jsonschema.Draft202012Validator(schema())
    for line in (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines():
        validator.validate(json.loads(line))
    assert not validator.is_valid({"id": "1", "source": "x", "variants": [{"txt": "y"}]})


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
contexts = st.none() | st.lists(texts, max_size=2).map(tuple)
tags = st.dictionaries(texts, st.none() | st.booleans() | st.integers(-9, 9) | texts, max_size=2)
variants = st.builds(Variant, texts, st.none() | texts, contexts, tags)
items = st.builds(
    Item,
    id=texts,
    source=texts,
    variants=st.lists(variants, min_size=1, max_size=3).map(tuple),
    source_context=contexts,
    target_next=contexts,
    references=st.lists(variants, max_size=1).map(tuple),
    document=st.none() | texts,
    segment=st.none() | st.integers(),
    tags=tags,
)
suites = st.builds(
    Suite, texts, st.lists(items, max_size=3).map(tuple), extra=tags, unit=st.sampled_from(["item", "pair"])
)


@given(suites, st.sampled_from(["a.jsonl", "a.jsonl.gz", "a.jsonl.zst"]))
def test_any_suite_comes_back(tmp_path_factory: pytest.TempPathFactory, suite: Suite, name: str) -> None:
    path = tmp_path_factory.getbasetemp() / name
    save(suite, path)
    back = load(path)
    assert back == suite and back.fingerprint == suite.fingerprint


@pytest.mark.parametrize("format", names())
@given(suite=suites)
def test_any_suite_is_written_or_refused(tmp_path_factory: pytest.TempPathFactory, format: str, suite: Suite) -> None:
    """Nothing but a KontrastError, and then no file; what was written can be read."""
    folder = Path(tempfile.mkdtemp(dir=tmp_path_factory.getbasetemp()))
    try:
        save(suite, folder / "out", format)
    except KontrastError as error:
        assert "\n" not in str(error)
        assert [path for path in folder.rglob("*") if path.is_file()] == []
        return
    if suite.items:
        assert len(load(folder / "out", format).items) >= 1


def test_unit_languages_and_extra_are_reported(tmp_path: Path, golden: Path) -> None:
    suite = load(golden / "lingeval97" / "suite.json")
    told = [str(lost) for lost in save(suite, tmp_path / "a.json", "contrapro")]
    assert told == ["source_language en", "target_language de", "unit pair"]
    other = Suite("a", load("demo:fr").items[:1], "en", "fr", extra={"made_by": "hand"})
    told = [str(lost) for lost in save(other, tmp_path / "b.json", "lingeval97")]
    assert {"target_language fr", "extra made_by"} <= set(told)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"kontrast": 2, "name": "a"}\n', "line 1: expected a header"),
        ('{"kontrast": 1}\n', "line 1: expected a header"),
        ('{"kontrast": 1, "name": "a"}\n{"id": "1", "source"', "line 2: .*ends too early"),
        ('{"kontrast": 1, "name": "a"}\n{"id": "1", "source": "x", "variants": []}\n', "line 2: expected variants"),
        (
            '{"kontrast": 1, "name": "a"}\n{"id": "1", "source": "x", "variants": [], "colour": 1}\n',
            "line 2: .*colour",
        ),
    ],
)
def test_faults(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.jsonl").write_text(text)
    with pytest.raises(InputError, match=message):
        load(tmp_path / "a.jsonl")


def test_convert_reports_what_cannot_be_stored(tmp_path: Path) -> None:
    run = CliRunner().invoke(cli, ["convert", "demo:de", str(tmp_path / "a.json"), "--to", "lingeval97"])
    assert run.exit_code == 0 and run.stdout == ""
    assert "lingeval97 cannot store source_context (" in run.stderr
    back = load(tmp_path / "a.json")
    assert [i.source for i in back.items] == [i.source for i in load("demo:de").items]


def test_convert_says_which_formats_there_are(tmp_path: Path) -> None:
    with pytest.raises(KontrastError, match=r"does not determine the format.*native.*lingeval97"):
        convert("demo:de", tmp_path / "a.json")
    listed = CliRunner().invoke(cli, ["convert", "--formats"])
    assert listed.exit_code == 0 and "contrapro" in listed.stdout and "context" in listed.stdout


def test_convert_to_standard_output() -> None:
    run = CliRunner().invoke(cli, ["convert", "demo:fr", "-"])
    assert run.exit_code == 0 and json.loads(run.stdout.splitlines()[0])["kontrast"] == 1


def test_convert_rows_with_options(data: Path, tmp_path: Path) -> None:
    rows, out = str(data / "large-contrastive-en-fr" / "OpenSubs"), str(tmp_path / "enfr.jsonl.gz")
    assert CliRunner().invoke(cli, ["convert", rows, out, "--option", "context=2"]).exit_code == 0
    assert load(out).items == load(rows, context=2).items


def test_lingeval_to_folders_and_back(golden: Path, tmp_path: Path) -> None:
    done = convert(golden / "lingeval97" / "suite.json", tmp_path / "folders", to_format="distil-lingeval")
    assert {lost.field for lost in done.lost} == {
        "tags",
        "variant.tags",
        "order of rows",
        "grouping of rows into items",
    }
    pairs = load(tmp_path / "folders")
    assert len(pairs.items) == 4949
